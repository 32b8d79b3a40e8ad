"""Puts the test of what the untouched page shows together: what it says, its check, and of the harness just what it uses.

Tests of what takes acts to see are the trials' own: `tools/page/exporting.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from evaluator.proof_scripts.seen import Check, Unscripted
from evaluator.proof_scripts.statics import static_check
from evaluator.verdict.model import Failure
from tools.evidence.rows import Finding
from tools.page.getting_in import GettingIn, from_environment, modules
from tools.text import printable

PARTS = ("opening", "eyes", "measures")
"""Files of the harness, in the order in which they stand in a script."""
HANG_LIMIT_S = 30.0
_MODULES = (
    "base64", "contextlib", "functools", "http.server", "importlib", "os", "pathlib", "signal", "subprocess", "sys",
    "threading", "urllib.parse",
)  # fmt: skip
_FROM = (
    ("collections.abc", ("Callable", "Iterator", "Mapping", "Sequence")),
    ("typing", ("Any", "NamedTuple")),
    ("playwright.sync_api", ("Error as PlaywrightError", "Frame", "Locator", "Page", "sync_playwright")),
)


@dataclass(frozen=True)
class Where:
    """Where the app is."""

    subject: str
    """URL, file or folder."""
    entry: str = "index.html"
    """The page of a folder that is opened."""
    seed: int | None = None
    """What the app drew by chance followed from it; None where it draws nothing."""
    run: str = ""
    width: int = 1280
    height: int = 800
    narrow: tuple[int, int] = (390, 844)
    """The phone's window."""
    getting_in: GettingIn = field(default_factory=GettingIn)
    """How the browser gets in."""


def static_script(failure: Failure, findings: Sequence[Finding], errors: Sequence[str], where: Where) -> str | Unscripted:
    """The test of a failure that the untouched page shows."""
    narrow = bool(findings) and all(finding.viewport == "mobile" for finding in findings)
    if errors and not findings:
        check = Check((f"assert not any({_piece(errors[0])!r} in error for error in app.errors), DEFECT",))
    else:
        check = static_check([each_finding for each_finding in findings if (each_finding.viewport == "mobile") == narrow])
    if isinstance(check, Unscripted):
        return check
    size = where.narrow if narrow else (where.width, where.height)
    given = [] if size == (1280, 800) else [f"{size[0]}, {size[1]}"]
    given += ["first=[plant]"] if where.seed is not None else []
    given += ["options=options()"] if where.getting_in.options() else []
    given += ["then=[get_in]"] if where.getting_in.lines("") else []
    code = [
        "def test_defect() -> None:",
        f'    """{_title(failure)}"""',
        f"    with opened({', '.join(given)}) as app:",
        *(f"        {from_environment(line)}" for line in check.then),
    ]
    return _assemble(failure, code, where, test="TEST = test_defect")


def _entering(getting_in: GettingIn) -> list[str]:
    """How the browser gets in, as functions."""
    lines, options = [from_environment(line) for line in getting_in.lines("page.url")], getting_in.options()
    made = []
    if options:
        given = ", ".join(f'"{name}": {code}' for name, code in options.items())
        made += ["", "", "def options() -> dict[str, Any]:"]
        made += ['    """What lets the browser in; secrets are read from the environment."""', f"    return {{{given}}}"]
    if lines:
        made += ["", "", "def get_in(page: Page) -> None:", '    """Answers banners about cookies, logs in."""']
        made += [f"    {line}" for line in lines]
    return made


def _piece(message: str) -> str:
    """The part of an error's message that every browser and every line number shares."""
    return message.removeprefix("Uncaught ").splitlines()[0][:120].strip() if message.strip() else message


def hanging_at_once(failure: Failure, where: Where) -> str:
    """The test of a page that hangs or crashes as soon as it is opened."""
    given = ["first=[plant]"] if where.seed is not None else []
    given += ["options=options()"] if where.getting_in.options() else []
    code = [
        "def test_defect() -> None:",
        f'    """{_title(failure)}"""',
        f"    problem = apart({HANG_LIMIT_S:g})",
        '    assert not problem, f"{DEFECT} ({problem})"',
        "",
        "",
        "def play() -> None:",
        '    """Opens the app in a process of its own: a page that hangs answers nobody any more."""',
        f"    with opened({', '.join(given)}) as app:",
        "        app.page.wait_for_timeout(1000)",
        "        assert not app.errors, app.errors[0]",
        "        assert len(app.dialogs) < 20, 'dialogs without end'",
    ]
    return _assemble(failure, code, where, test='TEST = play if "--steps" in sys.argv else test_defect')


def _assemble(failure: Failure, code: Sequence[str], where: Where, *, test: str) -> str:
    constants = [
        f"SUBJECT = {where.subject!r}",
        f"ENTRY = {where.entry!r}",
        f"DEFECT = {_defect(failure)!r}",
    ]
    if where.seed is not None:
        constants.append(f"SEED = {where.seed}")
    code = [*code, *_entering(where.getting_in)]
    after = [test, "", "", 'if __name__ == "__main__":', "    sys.exit(main())"]
    harness = _used("\n".join([*code, "main()"]))
    return "\n".join(
        [
            _head(failure, where),
            _imports("\n".join([*code, harness])),
            "",
            *constants,
            "",
            "",
            "# ---- What must hold ----",
            "",
            "",
            *code,
            "",
            "",
            "# ---- How the app is opened and looked at: nothing below is special to this failure ----",
            "",
            "",
            harness,
            "",
            "",
            *after,
            "",
        ]
    )


def _head(failure: Failure, where: Where) -> str:
    from_run = f" of the run {_plain(where.run)}" if where.run else ""
    kind = f"{failure.severity.value} {failure.category.value}"
    told = [
        f'r"""{_title(failure)}',
        "",
        f"{kind}, failure {_plain(failure.id)}{from_run}, confirmed in a fresh browser.",
        f"What should hold: {_plain(failure.expected)}",
        f"What was seen: {_plain(failure.observed)}",
        "It shows as soon as the app is opened.",
        "",
        "This test fails while the defect is there, and passes once it is mended. It needs Playwright only:",
        "",
        "    pip install playwright pytest && playwright install chromium",
        "    python THIS.py [URL | FILE | FOLDER]      or      APP=URL pytest THIS.py",
        "",
        "CHROMIUM=/path/to/chromium takes another browser than Playwright's own.",
        '"""',
        "",
    ]
    return "\n".join(told)


def _defect(failure: Failure) -> str:
    words = _plain(failure.title).rstrip(".")
    return f"{words}. Expected: {_plain(failure.expected).rstrip('.')}. Seen: {_plain(failure.observed).rstrip('.')}."


def _title(failure: Failure) -> str:
    title = _plain(failure.title)
    return title if title.endswith(".") else f"{title}."


def _plain(text: str) -> str:
    """Words of the page, fit to stand in a docstring."""
    return printable(text, 300).replace("\\", "/").replace('"""', "'''").replace('"', "'")


def _imports(code: str) -> str:
    """The imports that some code needs."""
    made = [f"import {name}" for name in _MODULES if f"{name.partition('.')[0]}." in code]
    made += ["", "import pyotp"] if "pyotp" in modules(code) else []
    for module, names in _FROM:
        used = [name for name in names if name.rpartition(" ")[2] in code]
        made += [""] if module.startswith("playwright") else []
        made += [f"from {module} import {', '.join(used)}"] if used else []
    return "\n".join(made)


@cache
def _harness() -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Each definition of the harness: its name, its source, the names it uses."""
    found: list[tuple[str, str, frozenset[str]]] = []
    for part in PARTS:
        source = (files("evaluator.proof_scripts") / "harness" / f"{part}.py.txt").read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                name = node.name
                first = min([node.lineno, *(expr.lineno for expr in node.decorator_list)])
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, first = node.targets[0].id, node.lineno
            else:
                continue
            text = "\n".join(source.splitlines()[first - 1 : node.end_lineno])
            used = frozenset(each_name.id for each_name in ast.walk(node) if isinstance(each_name, ast.Name))
            found.append((name, text, used - {name}))
    return tuple(found)


def _used(code: str) -> str:
    """The definitions that some code needs, and those that these need."""
    known = {name: used for name, _, used in _harness()}
    wanted = [each_name.id for each_name in ast.walk(ast.parse(code)) if isinstance(each_name, ast.Name)] if code else []
    needed: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in known and name not in needed:
            needed.add(name)
            wanted += known[name]
    return "\n\n\n".join(text for name, text, _ in _harness() if name in needed)
