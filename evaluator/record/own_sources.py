"""Which of the app's source files somebody reads first who looks for faults, and how they are shown in few words.

What people wrote is read before what a server made of it; libraries, generated kits of plain widgets, configuration and styles of
a project are not read at all. First comes what decides most: state, handlers, conditions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from evaluator.record.sources import MARKUP, SCRIPTS, Source

KIT_FILES = 8
"""A folder called `ui` with so many files is a kit of widgets that was generated, not written."""
LONGEST_LINE = 140
"""Signs of a line: what is longer is mostly prose among the data, or a list of styles."""
_NEVER = re.compile(
    r"(?:^|/)(?:node_modules|\.vite|@vite|@react-refresh|@id|@fs|dist|vendor)(?:/|$)|\.(?:d\.ts|config\.\w+|test\.\w+)$"
)
_SETUP = re.compile(r"(?:^|/)(?:vite-env\.d\.ts|use-toast\.\w+|use-mobile\.\w+|setupTests\.\w+)$")
_DECIDES = re.compile(
    r"\b(?:useState|useReducer|useEffect|useMemo|useContext|addEventListener|localStorage|sessionStorage|fetch|reduce|filter|find"
    r"|some|every|sort|push|splice|setTimeout|setInterval|Number|parseInt|parseFloat|toast|throw|case)\b|\bon[A-Z]\w*=|\bif\s*\(|=>"
    r"|&&|\|\||[=!]==|\?\s"
)
_IMPORT = re.compile(r"^\s*import\b")
_STYLE = re.compile(
    r"""\s*\b(?:className|class)=(?:"[^"]*"|'[^']*'|\{\s*(?:cn|clsx)\([^{}]*\)\s*\}|\{`[^`{}]*`\})|\s+d="[MmLl][^"]*\""""
)
_INDENT = re.compile(r"^\s+")


def to_be_read(files: Sequence[Source]) -> list[Source]:
    """The files worth reading, those that decide most first."""
    written = {file.path.lstrip("/") for file in files if not file.path.startswith("/")}
    folders = Counter(file.path.rpartition("/")[0] for file in files)
    kept = [file for file in files if not _left_out(file, folders) and not _served_again(file, written)]
    return sorted(kept, key=lambda source: (-_weight(source), source.path))


def _left_out(source: Source, folders: Counter[str]) -> bool:
    path = source.path.partition("?")[0]
    folder = path.rpartition("/")[0]
    kit = folder.rpartition("/")[2] == "ui" and folders[folder] >= KIT_FILES
    code = source.language in SCRIPTS | MARKUP and source.language != "svg"
    return kit or source.minified or not code or bool(_NEVER.search(path)) or bool(_SETUP.search(path))


def _served_again(source: Source, written: set[str]) -> bool:
    """What the browser was given for a file of a project that is here as it was written, its document and scripts included."""
    return source.path.startswith("/") and bool(written)


def _weight(source: Source) -> int:
    """How much a file decides."""
    return len(_DECIDES.findall(source.text))


def condensed(source: Source) -> Iterator[str]:
    """A file's lines with their numbers: without imports, empty lines and names of styles, indented by one sign a level."""
    inside = False
    for number, line in enumerate(source.lines, 1):
        if inside or (_IMPORT.match(line) and source.language not in MARKUP - {"vue", "svelte"}):
            inside = not re.search(r"""['"]\s*;?\s*$""", line)
            continue
        bare = _STYLE.sub("", line).rstrip()
        if not bare.strip():
            continue
        indent = len(_INDENT.match(bare)[0]) if _INDENT.match(bare) else 0  # pyright: ignore[reportOptionalSubscript]
        bare = bare.strip()
        yield f"{number}|{' ' * (indent // 2)}{bare if len(bare) <= LONGEST_LINE else bare[:LONGEST_LINE] + '…'}"
