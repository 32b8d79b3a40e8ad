"""Writes a trial as a Playwright test in Python that a person could have written, with just the helpers it needs."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib.resources import files

from tools.page.assertions import Lines
from tools.page.assertions.base import quoted
from tools.page.trials import Trial
from tools.text import printable

_NEEDS = {
    "moves": ("shown",), "pace": ("seconds",), "replaced": ("plain",), "only_item": ("plain",),
    "column_total": ("amount", "cells_of"), "column_keys": ("amount", "cells_of"),
}  # fmt: skip

_LONGEST_WHY = 300


@cache
def _helpers() -> dict[str, str]:
    """Source of each helper by name."""
    source = (files("tools.page") / "test_helpers.txt").read_text(encoding="utf-8")
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.get_source_segment(source, node) or ""
    return found


def helper_source(names: set[str]) -> str:
    """The functions of these names and what they call, in the order of their names. Raises `KeyError` for an unknown one."""
    wanted = set(names)
    for name in names:
        wanted.update(_NEEDS.get(name, ()))
    return "\n\n\n".join(_helpers()[name] for name in sorted(wanted))


def _own_names(number: int, lines: Lines) -> Lines:
    """The lines with what they remember named apart from other assertions'."""
    if number == 0:
        return lines
    names = {match[1] for line in (*lines.before, *lines.after) if (match := re.match(r"([a-z]+) = ", line))}

    def apart(line: str) -> str:
        # Names inside of string literals are the page's words.
        pieces = re.split(r'("(?:[^"\\]|\\.)*")', line)
        for name in names:
            pieces[::2] = [re.sub(rf"(?<![.\w]){name}\b(?!=)", f"{name}_{number + 1}", piece) for piece in pieces[::2]]
        return "".join(pieces)

    return lines.model_copy(update={"before": tuple(map(apart, lines.before)), "after": tuple(map(apart, lines.after))})


def as_playwright(trial: Trial, url: str) -> str:
    """A whole test file: `pytest --browser chromium FILE` runs it (with pytest-playwright)."""
    lines = [_own_names(number, one.playwright()) for number, one in enumerate(trial.asserts)]
    helpers = {name for one in lines for name in one.helpers}
    body = [f"page.goto({quoted(url)})"]
    body += [line for act in trial.precondition for line in act.playwright()]
    body += [line for one in lines for line in one.before]
    body += [line for act in trial.acts for line in act.playwright()]
    body += [line for one in lines for line in one.after]
    name = "_".join(re.findall(r"[a-z0-9]+", trial.why.lower())[:8]) or "trial"
    why = printable(trial.why, _LONGEST_WHY).replace("\\", "/").replace('"', "'")
    return "\n".join(
        [
            "import re", "from decimal import Decimal", "", "from playwright.sync_api import Page, expect", "", "",
            *([helper_source(helpers), "", ""] if helpers else []),
            f"def test_{name}(page: Page) -> None:", f'    """{why}"""', *(f"    {line}" for line in body), "",
        ]
    )  # fmt: skip
