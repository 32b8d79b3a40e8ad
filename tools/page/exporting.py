"""Writes a trial as a Playwright test in Python that a person could have written, with just the helpers it needs."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

from tools.page.assertions import Lines
from tools.page.assertions.base import quoted
from tools.page.getting_in import GettingIn, from_environment, modules
from tools.page.persons import persons_swapped
from tools.page.trials import Trial, has_other
from tools.text import printable

_NEEDS = {
    "moves": ("shown",), "pace": ("seconds",), "replaced": ("plain",), "only_item": ("plain",),
    "column_total": ("amount", "cells_of"), "column_keys": ("amount", "cells_of"),
}  # fmt: skip

_LONGEST_WHY = 300
_RUN = "# pytest --browser chromium FILE  (needs pytest-playwright): it fails while this does not hold, and passes once it does."


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


def as_playwright(trial: Trial, url: str, getting_in: GettingIn | None = None) -> str:
    """A whole test file: `pytest --browser chromium FILE` runs it (with pytest-playwright).

    `getting_in`: how it gets into an app that is behind a log-in. What is secret is read from the environment.
    """
    lines = [_own_names(number, assertion.playwright()) for number, assertion in enumerate(trial.asserts)]
    helpers = {name for each_line in lines for name in each_line.helpers}
    entering = getting_in or GettingIn()
    two = has_other(trial)
    body = [f"page.goto({quoted(url)})", *entering.lines(quoted(url))]
    body += _other_joins(entering, url) if two else []
    body += [line for act in trial.precondition for line in act.playwright()]
    body += [line for each_line in lines for line in each_line.before]
    body += [line for act in trial.acts for line in act.playwright()]
    body += [line for each_line in lines for line in each_line.after]
    body = [from_environment(line) for line in body]
    given = _given(entering)
    more = modules("\n".join([*body, *given]))
    given_to = "page: Page, browser: Browser" if two else "page: Page"
    name = "_".join(re.findall(r"[a-z0-9]+", trial.why.lower())[:8]) or "trial"
    why = printable(trial.why, _LONGEST_WHY).replace("\\", "/").replace('"', "'")
    return "\n".join(
        [
            _RUN, "", *(f"import {text}" for text in more if text == "os"), "import re",
            *(f"import {text}" for text in more if text not in {"os", "pyotp"}), "from decimal import Decimal", "",
            *(f"import {text}" for text in more if text == "pyotp"), *(["import pytest"] if given else []),
            f"from playwright.sync_api import {'Browser, ' if two else ''}Page, expect", "", "", *given,
            *([helper_source(helpers), "", ""] if helpers else []),
            f"def test_{name}({given_to}) -> None:", f'    """{why}"""', *(f"    {line}" for line in body), "",
        ]
    )  # fmt: skip


def _other_joins(getting_in: GettingIn, url: str) -> list[str]:
    """Another person opens the app in a context of their own, logged in nowhere; a banner is answered there, too."""
    stranger = replace(getting_in, login=(), storage_state="")
    options = ", ".join(f"{name}={code}" for name, code in stranger.options().items())
    return [
        f"other = browser.new_context({options}).new_page()",
        *map(persons_swapped, (f"page.goto({quoted(url)})", *stranger.lines(quoted(url)))),
    ]


def _given(getting_in: GettingIn) -> list[str]:
    """The fixture by which pytest-playwright's browser is given what lets it in."""
    options = getting_in.options()
    if not options:
        return []
    made = ", ".join(f"{quoted(name)}: {code}" for name, code in options.items())
    return [
        "@pytest.fixture(scope=\"session\")",
        "def browser_context_args(browser_context_args: dict) -> dict:",
        '    """What lets the browser in; secrets are read from the environment."""',
        f"    return {{**browser_context_args, {made}}}",
        "", "",
    ]  # fmt: skip
