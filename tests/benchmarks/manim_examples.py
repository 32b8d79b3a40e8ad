"""The example scenes that ship inside Manim: those of its documentation, in the docstrings of its own source distribution.

They were written by Manim's authors to be looked at; nobody here wrote one. `python -m tests.benchmarks.manim_examples FOLDER`
writes them out, one script each.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

_DIRECTIVE = re.compile(r"^(?P<indent>[ \t]*)\.\. manim:: *(?P<name>\w+)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """One scene of the documentation."""

    name: str
    module: str
    line: int
    source: str


def examples() -> list[Example]:
    """All examples of the installed Manim, in the order of its modules; names are made unique by their module."""
    spec = importlib.util.find_spec("manim")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    found: dict[str, Example] = {}
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for match in _DIRECTIVE.finditer(text):
            body = _body(text[match.end() :], len(match["indent"].expandtabs()))
            if f"class {match['name']}(" not in body:
                continue
            module = str(path.relative_to(root).with_suffix("")).replace("/", ".")
            name = match["name"] if match["name"] not in found else f"{match['name']}_{len(found)}"
            found[name] = Example(name, module, text.count("\n", 0, match.start()) + 1, "from manim import *\n\n" + body)
    return list(found.values())


def _body(text: str, indent: int) -> str:
    """The directive's indented block without its options."""
    lines: list[str] = []
    for line in text.lstrip("\n").expandtabs().splitlines():
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        if not lines and (not line.strip() or line.strip().startswith(":")):
            continue
        lines.append(line)
    # Docstrings that are not raw write a backslash twice.
    return textwrap.dedent("\n".join(lines)).rstrip() + "\n"


def main(folder: str) -> None:
    """Write every example into a folder."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for example in examples():
        (out / f"{example.name}.py").write_text(example.source, encoding="utf-8")
    sys.stdout.write(f"{len(list(out.glob('*.py')))} scenes in {out}\n")


if __name__ == "__main__":
    main(sys.argv[1])
