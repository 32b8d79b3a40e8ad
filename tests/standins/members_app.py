"""A small app with members: notes behind a log-in whose sessions the server keeps, served on loopback for tests.

Run by itself (`python -m tests.standins.members_app [PORT]`) it serves until it is ended; user, password, TOTP key, credentials
for HTTP and the kind of banner are then taken from MEMBER, MEMBER_PASSWORD, MEMBER_TOTP, MEMBER_HTTP, MEMBER_CONSENT.
"""

from __future__ import annotations

import base64
import hmac
import html
import os
import secrets
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from pyotp.totp import TOTP

STYLE = """<style>
  body { font: 16px/1.5 sans-serif; max-width: 640px; margin: 32px auto; color: #1c2733; background: #fff }
  label { display: block; margin: 8px 0 } input { font: inherit; padding: 6px 8px; width: 260px; display: block }
  button { font: inherit; padding: 6px 14px; background: #14467d; color: #fff; border: 0; border-radius: 4px }
  header { display: flex; gap: 16px; align-items: center; justify-content: space-between } .error { color: #a11a1a }
  li { margin: 6px 0 } li form { display: inline } .consent { background: #eef3f8; padding: 16px; border-top: 2px solid #14467d }
</style>"""
CONSENT = {
    "": "",
    "docked": """<div class="consent" id="c" style="position: fixed; left: 0; right: 0; bottom: 0; z-index: 9">We use cookies to
      improve your experience and for analytics. <a href="/privacy">Privacy policy</a>
      <button onclick="answer('all')">Accept all</button> <button onclick="answer('none')">Reject all</button></div>""",
    "dialog": """<div id="c" style="position: fixed; inset: 0; background: #0008; display: grid; place-items: center; z-index: 9">
      <div class="consent" role="dialog" aria-modal="true" aria-label="Datenschutz"><h2>Ihre Privatsphäre</h2><p>Wir und unsere
      Partner verwenden Cookies, um Inhalte und Anzeigen zu personalisieren.</p>
      <button onclick="answer('all')">Alle akzeptieren</button>
      <button onclick="answer('none')">Nur notwendige Cookies</button> <button>Einstellungen</button></div></div>""",
    "shadow": """<div id="c"></div><script>
      const root = document.getElementById('c').attachShadow({ mode: 'open' });
      root.innerHTML = `<aside style="position: fixed; top: 0; left: 0; width: 100%; background: #ffe; z-index: 9; padding: 12px">
        Ce site utilise des cookies pour mesurer l'audience. <button>OK, j'ai compris</button></aside>`;
      root.querySelector('button').onclick = () => answer('all'); </script>""",
}  # fmt: skip
CONSENT["late"] = f"""<script>setTimeout(() => {{ if (!localStorage.consent) document.body.insertAdjacentHTML('beforeend',
  `{CONSENT["docked"]}`); }}, 1500);</script>"""
ANSWERS = """<script>function answer(what) { localStorage.consent = what; document.getElementById('c')?.remove(); }
  if (localStorage.consent) document.getElementById('c')?.remove(); </script>"""


@dataclass
class Members:
    """What the app knows. `people`: password by user name."""

    people: dict[str, str]
    totp_key: str = ""
    """Members type a one-time code after their password; each code once."""
    http: str = ""
    """`user:password` that every request must bring."""
    consent: Literal["", "docked", "dialog", "shadow", "late"] = ""
    echoes: bool = False
    """The page and its script tell the member's own name and password again, in several forms, and log them."""
    forgets: bool = False
    """Whoever signed up can't log in: the fault of a sign-up that keeps nobody."""
    loses: bool = False
    """A note that is added is in no list: a fault behind the log-in."""
    sessions: dict[str, str] = field(default_factory=dict)
    half: dict[str, str] = field(default_factory=dict)
    """Sessions that still need a code."""
    notes: dict[str, list[str]] = field(default_factory=dict)
    codes: set[str] = field(default_factory=set)
    logins: int = 0
    refused: int = 0


class _Handler(BaseHTTPRequestHandler):
    app: Members

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""

    # ---- requests -------------------------------------------------------------------------------------------------------

    def do_GET(self) -> None:
        """Pages."""
        if not self._let_in():
            return
        path, user = urlsplit(self.path).path, self.app.sessions.get(self._sid)
        if path == "/signup":
            self._page("Sign up", _SIGN_UP)
        elif path == "/privacy":
            self._page("Privacy", "<h1>Privacy</h1><p>Notes are kept until the server ends.</p>")
        elif path != "/":
            self.send_error(HTTPStatus.NOT_FOUND)
        elif user:
            self._page("Notes", self._notes(user))
        elif self._sid in self.app.half:
            self._page("Code", _CODE)
        else:
            self._page("Log in", _LOG_IN.format(error=""))

    def do_POST(self) -> None:
        """Forms."""
        if not self._let_in():
            return
        told = dict(parse_qsl(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode(), keep_blank_values=True))
        user = self.app.sessions.get(self._sid, "")
        match urlsplit(self.path).path:
            case "/login":
                self._log_in(told)
            case "/code":
                self._code(told)
            case "/signup":
                if not self.app.forgets:
                    self.app.people[told.get("user", "")] = told.get("password", "")
                self._page(
                    "Welcome",
                    f"<h1>Welcome, {html.escape(told.get('name', ''))}</h1><p>Your account was made. <a href='/'>Log in</a></p>",
                )
            case "/logout":
                self.app.sessions.pop(self._sid, None)
                self._see_other()
            case "/add" if user:
                if not self.app.loses:
                    self.app.notes.setdefault(user, []).append(told.get("note", ""))
                self._see_other()
            case "/delete" if user:
                self.app.notes[user] = [note for note in self.app.notes.get(user, []) if note != told.get("note")]
                self._see_other()
            case _:
                self._see_other()

    def _log_in(self, told: dict[str, str]) -> None:
        user, known = told.get("user", ""), self.app.people.get(told.get("user", ""))
        if known is None or not hmac.compare_digest(known, told.get("password", "")):
            self.app.refused += 1
            self._page(
                "Log in", _LOG_IN.format(error="<p class='error' role='alert'>That user name and password do not match.</p>")
            )
            return
        sid = secrets.token_urlsafe(18)
        if self.app.totp_key:
            self.app.half[sid] = user
        else:
            self.app.sessions[sid] = user
            self.app.logins += 1
        self._see_other(sid)

    def _code(self, told: dict[str, str]) -> None:
        code, user = told.get("code", ""), self.app.half.get(self._sid)
        if user and code not in self.app.codes and TOTP(self.app.totp_key).verify(code, valid_window=1):
            self.app.codes.add(code)
            self.app.sessions[self._sid] = self.app.half.pop(self._sid)
            self.app.logins += 1
        else:
            self.app.refused += 1
        self._see_other()

    # ---- answers --------------------------------------------------------------------------------------------------------

    @property
    def _sid(self) -> str:
        found = SimpleCookie(self.headers.get("Cookie", "")).get("sid")
        return found.value if found else ""

    def _let_in(self) -> bool:
        wanted = f"Basic {base64.b64encode(self.app.http.encode()).decode()}" if self.app.http else ""
        if not wanted or hmac.compare_digest(self.headers.get("Authorization", ""), wanted):
            return True
        self.send_response(HTTPStatus.UNAUTHORIZED)
        self.send_header("WWW-Authenticate", 'Basic realm="members"')
        self.send_header("Content-Length", "0")
        self.end_headers()
        return False

    def _see_other(self, sid: str = "") -> None:
        self.send_response(HTTPStatus.SEE_OTHER)
        if sid:
            self.send_header("Set-Cookie", f"sid={sid}; Path=/; HttpOnly; SameSite=Lax")
        self.send_header("Location", "/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _page(self, title: str, body: str) -> None:
        whole = (
            f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>{title}</title>{STYLE}<body>{body}{CONSENT[self.app.consent]}{ANSWERS}</body></html>"
        ).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(whole)))
        self.end_headers()
        self.wfile.write(whole)

    def _notes(self, user: str) -> str:
        items = "".join(
            f"<li>{html.escape(note)} <form method=post action=/delete><input type=hidden name=note value='{html.escape(note)}'>"
            f"<button aria-label='Delete {html.escape(note)}'>Delete</button></form></li>"
            for note in self.app.notes.get(user, [])
        )
        return (
            f"<header><h1>My notes</h1><form method=post action=/logout><button>Log out</button></form></header>"
            f"<p>Signed in as <b>{html.escape(user)}</b></p>{self._echo(user) if self.app.echoes else ''}"
            f"<form method=post action=/add><label>New note <input name=note required></label><button>Add note</button></form>"
            f"<h2>Notes</h2><ul>{items}</ul>"
        )

    def _echo(self, user: str) -> str:
        """The member's secrets in what a careless app tells: text, attributes, script, storage, console, addresses, an error."""
        password = self.app.people[user]
        attribute, script = html.escape(password), password.replace("\\", "\\\\").replace("'", "\\'")
        return (
            f"<p id='p-{html.escape(user)}' title='{attribute}'>Password: {attribute}</p><a href='/?key={attribute}'>My key</a>"
            f"<p style='text-transform: uppercase'>{html.escape(user)}</p>"
            f"<script>localStorage.who = JSON.stringify({{user: '{user}', key: '{script}'}});"
            f"console.error('member', '{script}');"
            f"document.cookie = 'who=' + encodeURIComponent('{script}'); fetch('/privacy?q=' + encodeURIComponent('{script}'));"
            f"const k = btoa('x' + '{script}'); document.currentScript.after(k);"
            f"if (location.search) {{ fetch('/missing?q=' + encodeURI('{script}'));"
            f"setTimeout(() => {{ throw new Error('no ' + '{script}'); }}, 50); }}</script>"
        )


_LOG_IN = """<h1>Log in</h1>{error}<form method=post action=/login>
  <label>User name <input name=user autocomplete=username required></label>
  <label>Password <input name=password type=password required></label><button>Log in</button></form>
  <p>New here? <a href=/signup>Sign up</a></p>"""
_CODE = """<h1>One more step</h1><form method=post action=/code><label>One-time code <input name=code inputmode=numeric
  autocomplete=one-time-code required></label><button>Continue</button></form>"""
_SIGN_UP = """<h1>Sign up</h1><form method=post action=/signup><label>Name <input name=name required></label>
  <label>User name <input name=user required></label>
  <label>Email <input name=email type=email required></label>
  <label>Password <input name=password type=password required minlength=8></label>
  <button>Sign up</button></form><p><a href=/>Log in</a></p>"""


@contextmanager
def served(app: Members, port: int = 0) -> Iterator[str]:
    """The app's address while the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"app": app}))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    told = os.environ.get
    kinds: dict[str, Literal["", "docked", "dialog", "shadow", "late"]] = {
        "docked": "docked",
        "dialog": "dialog",
        "shadow": "shadow",
    }
    members = Members(
        {told("MEMBER", "member"): told("MEMBER_PASSWORD", "password")}, told("MEMBER_TOTP", ""), told("MEMBER_HTTP", ""),
        kinds.get(told("MEMBER_CONSENT", ""), ""), bool(told("MEMBER_ECHO")),
        loses=bool(told("MEMBER_FAULT")),
    )  # fmt: skip
    with served(members, int(sys.argv[1]) if len(sys.argv) > 1 else 0) as address:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        threading.Event().wait()
