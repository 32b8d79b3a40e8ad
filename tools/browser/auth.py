"""What a browser is given before its first navigation so that it is let in: a storage state, a name and password for HTTP."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError
from pydantic import BaseModel, ConfigDict, ValidationError

from tools.browser.faults import CommandRefused, FrameGone, ScriptError, TabBusy
from tools.browser.tab import Tab
from tools.errors import StageFault, UserError
from tools.secrets import SECRETS

OPAQUE = 12
"""Characters of a stored text without spaces from which on it is taken for a token, and hidden wherever it stands."""
SHORTEST_SESSION = 8
"""Characters of a cookie that pages can't read from which on it is taken for one, whatever it looks like."""
LARGEST_STATE = 20_000_000
_STUB = "<!doctype html><title>.</title>"
_STORE = """([kind, entries]) => {
  const store = kind === 'session' ? sessionStorage : localStorage;
  for (const [name, value] of entries) store.setItem(name, value);
}"""
_SESSION = "() => { try { return Object.entries(sessionStorage); } catch { return []; } }"
_FORGET = """async (kept) => {
  for (const store of [() => localStorage, () => sessionStorage]) try { store().clear(); } catch { /* a page without */ }
  try {
    for (const one of await indexedDB.databases()) if (!kept.includes(one.name)) indexedDB.deleteDatabase(one.name);
  } catch { /* neither */ }
}"""


class _Cookie(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str
    value: str
    domain: str
    path: str


class _Entry(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str
    value: str


class _Origin(BaseModel):
    model_config = ConfigDict(extra="allow")

    origin: str
    localStorage: list[_Entry] = []  # noqa: N815 - Playwright's name


class _State(BaseModel):
    model_config = ConfigDict(extra="allow")

    cookies: list[_Cookie] = []
    origins: list[_Origin] = []


@dataclass(frozen=True)
class Credentials:
    """A user name and password for HTTP, and the secret's name that they come from."""

    name: str
    user: str = field(repr=False)
    password: str = field(repr=False)


@dataclass(frozen=True)
class Auth:
    """What lets a browser in. Values of the state are secrets: whoever makes one has them kept (`keep_values`)."""

    state: Mapping[str, Any] | None = field(default=None, repr=False)
    """Playwright's storage state: cookies, local storage and IndexedDB of each origin."""
    session: tuple[str, tuple[tuple[str, str], ...]] = field(default=("", ()), repr=False)
    """An origin, and what its tab keeps for itself (`sessionStorage`), which no storage state holds."""
    credentials: Credentials | None = None

    def __bool__(self) -> bool:
        return self.state is not None or bool(self.session[1]) or self.credentials is not None

    async def put_in(self, context: BrowserContext, page: Page) -> None:
        """Put the state into a browser that has been nowhere yet. Raises `StageFault`."""
        try:
            if self.state is not None:
                await context.set_storage_state(dict(self.state))  # pyright: ignore[reportArgumentType] - validated when read
            origin, entries = self.session
            if entries:
                await page.route("**/*", lambda route: route.fulfill(body=_STUB, content_type="text/html"))
                await page.goto(f"{origin}/")
                await page.evaluate(_STORE, ["session", entries])
                await page.unroute("**/*")
        except PlaywrightError as error:
            lines = error.message.strip().splitlines() or [""]
            raise StageFault(f"The storage state could not be put into the browser: {SECRETS.hidden(lines[0])[:300]}") from error

    async def put_back(self, tab: Tab) -> None:
        """Make the storage of the page's own origin and all cookies what they were when the browser was let in.

        Nothing else that the site stored is left, but for databases that the state holds: these stay as they are.
        """
        if not tab.page.url.startswith(("http:", "https:")):
            return
        origin = origin_of(tab.page.url)
        mine = next((item for item in (self.state or {}).get("origins", ()) if item["origin"] == origin), {})
        kept = [str(item.get("name")) for item in mine.get("indexedDB", ())]
        with contextlib.suppress(CommandRefused, FrameGone, ScriptError, TabBusy):
            await tab.evaluate(_FORGET, kept)
        await tab.send("Network.clearBrowserCookies")
        with contextlib.suppress(CommandRefused, FrameGone, ScriptError, TabBusy):
            if local := [[item["name"], item["value"]] for item in mine.get("localStorage", ())]:
                await tab.evaluate(_STORE, ["local", local])
            if self.session[0] == origin and self.session[1]:
                await tab.evaluate(_STORE, ["session", self.session[1]])
        if self.state is not None and self.state.get("cookies"):
            with contextlib.suppress(PlaywrightError):
                await tab.context.add_cookies(self.state["cookies"])

    async def taken_from(self, tab: Tab) -> Auth:
        """The same with what the browser holds now; its values are hidden from now on. Raises `StageFault`."""
        try:
            state = await tab.context.storage_state(indexed_db=True)
        except PlaywrightError as error:
            raise StageFault("The browser did not tell what it had stored.", retryable=True) from error
        entries = await tab.evaluate(_SESSION)
        session = tuple((SECRETS.revealed(str(name)), SECRETS.revealed(str(value))) for name, value in entries)
        made = replace(self, state=dict(state), session=(origin_of(tab.page.url), session))
        made.keep_values()
        return made

    def keep_values(self) -> None:
        """Have the values that let in hidden: those of cookies, and what looks like a token among what is stored."""
        state = self.state or {}
        for cookie in state.get("cookies", ()):
            if _opaque(cookie["value"]) or (cookie.get("httpOnly") and len(cookie["value"]) >= SHORTEST_SESSION):
                SECRETS.keep_also(_named("COOKIE", cookie["name"]), cookie["value"])
        stored = [(item["name"], item["value"]) for origin in state.get("origins", ()) for item in origin.get("localStorage", ())]
        databases = [base for origin in state.get("origins", ()) for base in origin.get("indexedDB", ())]
        stored += [(str(base.get("name")), json.dumps(base)) for base in databases]
        for name, value in (*stored, *self.session[1]):
            for number, token in enumerate(tokens_in(value)):
                SECRETS.keep_also(_named("STORED", name) + (f"_{number}" if number else ""), token)


def read_state(path: Path) -> dict[str, Any]:
    """A storage state from a file as Playwright writes it. Raises `UserError`: one line."""
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_STATE)
        whole = json.loads(data)
        _State.model_validate(whole)
    except OSError as error:
        raise UserError(f"The storage state {path} can't be read: {error.strerror}.") from error
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise UserError(f"{path} is no storage state: {place or 'it'} is not as Playwright writes it.", hint=_HINT) from error
    except ValueError as error:
        raise UserError(f"{path} is no storage state: it is not JSON.", hint=_HINT) from error
    if not whole.get("cookies") and not whole.get("origins"):
        raise UserError(f"The storage state {path} is empty.", hint=_HINT)
    return whole


_HINT = "Write one with Playwright: context.storage_state(path=…, indexed_db=True), or codegen --save-storage=FILE."


def tokens_in(value: str) -> Iterator[str]:
    """What of a stored value looks like a token, of JSON each leaf: long, without spaces, and no mere word, number or address."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        found = value
    leaves = [found]
    while leaves:
        item = leaves.pop()
        if isinstance(item, dict):
            leaves += item.values()
        elif isinstance(item, list):
            leaves += item
        elif isinstance(item, str) and _opaque(item):
            yield item
        elif isinstance(item, str) and item[:1] in "{[":
            yield from tokens_in(item)


def _opaque(text: str) -> bool:
    plain = (
        len(text) >= OPAQUE
        and not any(each_text.isspace() for each_text in text)
        and not text.startswith(("http:", "https:", "/"))
    )
    return plain and any(each_text.isdigit() for each_text in text) and any(each_text.isalpha() for each_text in text)


def _named(kind: str, name: str) -> str:
    plain = "".join(text if text.isascii() and text.isalnum() else "_" for text in name)[:40]
    return f"{kind}_{plain}"


def origin_of(url: str) -> str:
    """Scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
