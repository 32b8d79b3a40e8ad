"""How an exported test gets into the app: what its browser is given, how it logs in. It reads secrets from the environment."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from tools.page.assertions.base import quoted
from tools.page.trials import Trial
from tools.secrets import FORMS, MARK, SECRETS

_LITERAL = re.compile(r"""(["'])(?:\\.|(?!\1)[^\\])*\1""")


@dataclass(frozen=True)
class GettingIn:
    """What let the browser in, as far as a test can do the same."""

    login: tuple[Trial, ...] = ()
    """The log-in, as it was carried out."""
    storage_state: str = ""
    """The file's path."""
    http_credentials: str = ""
    """Name of the secret `user:password`."""
    origin: str = ""
    """Who is given them."""
    consent: tuple[str, ...] = ()
    """Buttons of banners about cookies, in the order in which they were pressed."""

    def __bool__(self) -> bool:
        return bool(self.login or self.storage_state or self.http_credentials or self.consent)

    def options(self) -> dict[str, str]:
        """Options of the browser's context, each with its value as Python code."""
        made = {}
        if self.storage_state:
            made["storage_state"] = f'os.environ.get("STORAGE_STATE", {quoted(self.storage_state)})'
        if self.http_credentials:
            secret = f"os.environ[{quoted(self.http_credentials)}]"
            user, password = f'{secret}.partition(":")[0]', f'{secret}.partition(":")[2]'
            made["http_credentials"] = f'{{"username": {user}, "password": {password}, "origin": {quoted(self.origin)}}}'
        return made

    def lines(self, url: str) -> list[str]:
        """Statements after the app was opened: the banner answered, logged in, the app opened again."""
        made: list[str] = []
        for name in self.consent:
            button = f"page.get_by_role({quoted('button')}, name={quoted(name)}, exact=True)"
            made += [f"if {button}.count():", f"    {button}.first.click()"]
        for trial in self.login:
            made += [line for act in (*trial.precondition, *trial.acts) for line in act.playwright()]
            checks = [assertion.playwright() for assertion in trial.asserts]
            made += [line for check in checks if not check.helpers and not check.before for line in check.after]
        return [*made, f"page.goto({url})"] if self.login else made


def from_environment(line: str) -> str:
    """A line of a test in which no literal holds a secret's name in the secret's place: it is read where the test runs."""
    return _LITERAL.sub(lambda found: _joined(found[0]), line) if MARK.search(line) else line


def _joined(literal: str) -> str:
    """`"a ⟨N⟩ b"` as `("a " + os.environ["N"] + " b")`."""
    quote, inner, parts, at = literal[0], literal[1:-1], list[str](), 0
    for mark in MARK.finditer(inner):
        form = mark[2] or ""
        if mark[1] not in SECRETS or (form and form not in FORMS):
            continue
        value = f"os.environ[{quoted(mark[1])}]"
        parts += [f"{quote}{inner[at : mark.start()]}{quote}", FORMS[form].format(value) if form else value]
        at = mark.end()
    if not parts:
        return literal
    parts.append(f"{quote}{inner[at:]}{quote}")
    return "(" + " + ".join(part for part in parts if part != quote * 2) + ")"


def modules(code: str) -> tuple[str, ...]:
    """Modules that the code of a test has to import to read secrets, in the order in which they are to be imported.

    Those of `os`, `urllib.parse` and `pyotp` that it names outside of its texts. Raises `SyntaxError` for what is no Python.
    """
    named = {each_name.id for each_name in ast.walk(ast.parse(code)) if isinstance(each_name, ast.Name)}
    return tuple(name for name in ("os", "urllib.parse", "pyotp") if name.partition(".")[0] in named)
