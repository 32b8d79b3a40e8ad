"""What a release of Manim offers, read from its source without importing it: exports, classes, members, parameters, modules.

    python -m tools.manim.errors_extract FOLDER|WHEEL … --out tools/manim/errors_api.json.gz

makes the table that is shipped: one line of text an entry, each with the releases that have it (`errors_lookup.py` reads it).
Entries, one letter first:

    x NAME                       bound by `from manim import *`
    b CLASS BASE,BASE            a class and its bases
    m CLASS.METHOD a,b,*,**      a method and its parameters; `*`, `**`: it takes more
    a CLASS.NAME                 an attribute or property
    f NAME a,b                   a function of a module
    o MODULE                     a module, with dots
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PACKAGES = ("manim", "manimlib")
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def sources_of_folder(package: Path) -> dict[str, str]:
    """Sources of an installed package (`…/site-packages/manim`) by dotted module name, a package under its own name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        found[_module(path.relative_to(package.parent).as_posix())] = path.read_text(encoding="utf-8", errors="replace")
    return found


def sources_of_wheel(wheel: Path) -> dict[str, str]:
    """The same of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".py") and name.split("/")[0] in PACKAGES]
        return {_module(name): archive.read(name).decode("utf-8", "replace") for name in sorted(names)}


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def entries(sources: Mapping[str, str]) -> set[str]:
    """All entries of a release, see the top of this module."""
    trees = {name: ast.parse(source) for name, source in sources.items() if not name.endswith("__main__")}
    packages = {name.rpartition(".")[0] for name in trees} | {name for name in trees if "." not in name}
    found = {f"o {name}" for name in trees}
    root = min(trees, key=len)
    found |= {f"x {name}" for name in _Exports(trees, packages).of(root)}
    for tree in trees.values():
        for node in _flat(tree.body):
            if isinstance(node, FUNCTION):
                found.add(f"f {node.name} {_parameters(node, method=False)}")
            elif isinstance(node, ast.ClassDef):
                found |= _of_class(node)
    return found


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements at one level, those under `if`, `try`, `for`, `with` included; what only type checkers see left out."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test):
            yield from _flat([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            handlers = [statement for handler in node.handlers for statement in handler.body]
            yield from _flat([*node.body, *handlers, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.For | ast.While | ast.With):
            yield from _flat(node.body)


def _of_class(node: ast.ClassDef) -> set[str]:
    bases = ",".join(text.rpartition(".")[2] for base in node.bases if re.fullmatch(r"[\w.]+", text := ast.unparse(base)))
    found = {f"b {node.name} {bases}"}
    for statement in _flat(node.body):
        if isinstance(statement, FUNCTION):
            if any("property" in ast.unparse(mark) or ast.unparse(mark).endswith(".setter") for mark in statement.decorator_list):
                found.add(f"a {node.name}.{statement.name}")
            else:
                plain = any(ast.unparse(mark) == "staticmethod" for mark in statement.decorator_list)
                found.add(f"m {node.name}.{statement.name} {_parameters(statement, method=not plain)}")
            found |= {f"a {node.name}.{name}" for name in _set_on_self(statement)}
        else:
            found |= {f"a {node.name}.{name}" for name in _bound(statement)}
            if isinstance(statement, ast.Assign) and "CONFIG" in _bound(statement):
                found |= _configured(node.name, statement.value)
    return found


def _configured(owner: str, value: ast.expr) -> set[str]:
    """Keys of a `CONFIG` dictionary: ManimGL's older way of naming what a constructor takes."""
    keys = value.keys if isinstance(value, ast.Dict) else []
    return {f"a {owner}.{key.value}" for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _set_on_self(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    found = set()
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
    return found


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, *, method: bool) -> str:
    arguments = node.args
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]][1 if method else 0 :]
    names += [argument.arg for argument in arguments.kwonlyargs]
    names += ["*"] * (arguments.vararg is not None) + ["**"] * (arguments.kwarg is not None)
    return ",".join(names)


def _bound(node: ast.stmt) -> set[str]:
    """Names that a statement binds."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Assign():
            return {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        case ast.AnnAssign() if isinstance(node.target, ast.Name):
            return {node.target.id}
        case ast.Import() | ast.ImportFrom():
            return {(alias.asname or alias.name).split(".")[0] for alias in node.names if alias.name != "*"}
        case _:
            return set()


class _Exports:
    """What `from MODULE import *` binds, worked out from the sources."""

    def __init__(self, trees: Mapping[str, ast.Module], packages: set[str]) -> None:
        self._trees = trees
        self._packages = packages
        self._known: dict[str, set[str]] = {}

    def of(self, module: str) -> set[str]:
        if module in self._known:
            return self._known[module]
        self._known[module] = set()  # a circle of imports adds nothing more
        tree = self._trees.get(module)
        if tree is None:
            return set()
        names: set[str] = set()
        listed: set[str] | None = None
        computed = False
        for node in _flat(tree.body):
            names |= _bound(node)
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                names |= self.of(self._target(module, node))
            elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and "__all__" in ast.unparse(node).split("=")[0]:
                words, whole = _strings(node.value)
                listed = (listed or set()) | words
                computed = computed or not whole
        public = {name for name in names if not name.startswith("_")}
        self._known[module] = public if listed is None else listed | public if computed else listed
        return self._known[module]

    def _target(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        if module not in self._packages:
            parts = parts[:-1]
        parts = parts[: len(parts) - (node.level - 1)]
        return ".".join([*parts, *([node.module] if node.module else [])])


def _strings(value: ast.expr | None) -> tuple[set[str], bool]:
    """Strings in a list, and whether it is nothing but strings."""
    items = value.elts if isinstance(value, ast.List | ast.Tuple) else []
    words = {item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)}
    return words, isinstance(value, ast.List | ast.Tuple) and len(words) == len(items)


def table(releases: Sequence[tuple[str, set[str]]]) -> dict[str, object]:
    """The table of several releases: their names, and for every entry a number whose bit n says that release n has it."""
    masks: dict[str, int] = {}
    for bit, (_, found) in enumerate(releases):
        for entry in found:
            masks[entry] = masks.get(entry, 0) | 1 << bit
    return {"releases": [name for name, _ in releases], "entries": dict(sorted(masks.items()))}


def _release(path: Path) -> tuple[str, set[str]]:
    if path.suffix == ".whl":
        name, version = path.name.split("-")[:2]
        return f"{name} {version}", entries(sources_of_wheel(path))
    version = next(path.parent.glob(f"{path.name}-*.dist-info")).name.split("-")[1].removesuffix(".dist")
    return f"{path.name} {version}", entries(sources_of_folder(path))


def main() -> None:
    """Read the releases that are named and write the table."""
    parser = argparse.ArgumentParser(description="Make the table of what releases of Manim offer.")
    parser.add_argument("packages", nargs="+", type=Path, help="wheels, or folders of installed packages")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("errors_api.json.gz"))
    given = parser.parse_args()
    data = json.dumps(table([_release(path) for path in given.packages]), separators=(",", ":")).encode()
    given.out.write_bytes(gzip.compress(data, 9, mtime=0))


if __name__ == "__main__":
    main()
