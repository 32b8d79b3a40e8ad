"""A notebook for several people: sign-up, log-in, notes with an address each. With faults to choose from."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tests.standins.small_server import Answer, page

Shows = Literal["", "members", "anybody"]
_LOG_IN = """<h1>Log in</h1>{error}<form method=post action=/login>
  <label>User name <input name=user autocomplete=username required></label>
  <label>Password <input name=password type=password autocomplete=current-password required></label><button>Log in</button></form>
  <p>New here? <a href=/signup>Sign up</a></p>"""
_SIGN_UP = """<h1>Sign up</h1>{error}<form method=post action=/signup>
  <label>User name <input name=user required></label>
  <label>Password <input name=password type=password autocomplete=new-password required minlength=8></label>
  <button>Sign up</button></form><p><a href=/>Log in</a></p>"""
_OUT = "<form method=post action=/logout><button>Log out</button></form>"


@dataclass
class Note:
    """One note and whose it is."""

    owner: str
    title: str


@dataclass
class Notebook:
    """What the notebook knows."""

    people: dict[str, str] = field(default_factory=dict)
    leaks_to: Shows = ""
    """Who is shown another person's note by its address: the fault."""
    stored: bool = False
    """Browsers may keep pages, and show them again after a log-out: the fault."""
    says: str = "Only you can see this note."
    """What a note's page says of who sees it."""
    lists_all: bool = False
    """Everybody's notes are listed for all members."""
    notes: dict[int, Note] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(17))

    def get(self, path: str, who: str) -> Answer:
        """Pages."""
        user = self.sessions.get(who, "")
        if path == "/signup":
            return page("Sign up", _SIGN_UP.format(error=""))
        if path.startswith("/notes/"):
            return self._note(int(path.removeprefix("/notes/") or 0), user)
        if not user:
            return Answer(to="/") if path != "/" else page("Log in", _LOG_IN.format(error=""))
        return Answer(to="/notes") if path == "/" else self._list(user)

    def _list(self, user: str) -> Answer:
        own = {number: note for number, note in self.notes.items() if self.lists_all or note.owner == user}
        rows = "".join(f"<li><a href=/notes/{number}>{html.escape(note.title)}</a></li>" for number, note in own.items())
        body = (
            f"<header><h1>Notebook</h1>{_OUT}</header><p>Signed in as <b>{html.escape(user)}</b></p>"
            f"<form method=post action=/notes><label>New note <input name=title required></label><button>Add note</button></form>"
            f"<h2>Notes</h2><ul>{rows}</ul>"
        )
        return page("Notebook", body, stored=self.stored)

    def _note(self, number: int, user: str) -> Answer:
        note = self.notes.get(number)
        shown = note is not None and (
            self.leaks_to == "anybody" or (bool(user) and (self.leaks_to == "members" or self.lists_all)) or note.owner == user
        )
        if note is None or not shown:
            return (
                page("Not found", "<h1>Not found</h1><p>There is no such note for you.</p>", status=404)
                if user
                else Answer(to="/")
            )
        body = f"<header><h1>{html.escape(note.title)}</h1>{_OUT}</header><p>{self.says}</p><p><a href=/notes>All notes</a></p>"
        return page("Note", body, stored=self.stored)

    def post(self, path: str, who: str, told: dict[str, str]) -> Answer:
        """Forms."""
        user, name = self.sessions.get(who, ""), told.get("user", "")
        match path:
            case "/signup" if name in self.people:
                return page("Sign up", _SIGN_UP.format(error="<p class=error role=alert>This user name is already taken.</p>"))
            case "/signup":
                self.people[name] = told.get("password", "")
            case "/login" if self.people.get(name) == told.get("password") is not None:
                self.sessions[who] = name
            case "/login":
                return page("Log in", _LOG_IN.format(error="<p class=error role=alert>Wrong user name or password.</p>"))
            case "/logout":
                self.sessions.pop(who, None)
            case "/notes" if user:
                self.notes[next(self.numbers)] = Note(user, told.get("title", ""))
                return Answer(to="/notes")
            case _:
                pass
        return Answer(to="/")
