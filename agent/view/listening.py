"""Opening the view: its token, its address, and an orderly end."""

from __future__ import annotations

import getpass
import re
import secrets
from pathlib import Path

from agent.serve.addresses import address_of, bind, read_token, serve_until_interrupted
from agent.view.app import View, make_app
from tools.errors import UserError

_IN_ADDRESSES = re.compile(r"[A-Za-z0-9._~-]+")


def view_runs(root: Path, *, host: str, port: int, reader: str = "", token_file: Path | None = None) -> None:
    """Show a folder of runs until interrupted. Raises `UserError` or `EnvironmentFault` when that can't begin.

    The token is a new one at each start, unless a file holds one.
    """
    token = secrets.token_urlsafe(32) if token_file is None else read_token(token_file, make=False)
    if not _IN_ADDRESSES.fullmatch(token):
        raise UserError(f"The token in {token_file} can't stand in an address.", hint="Letters, digits and - . _ ~ can.")
    view = View.of(root, token, reader or _login_name())
    with bind(host, port) as bound:
        app = make_app(view, host)
        serve_until_interrupted(bound, app, f"Runs in {root} at {address_of(bound)}/{token}/ (Ctrl+C ends)")


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""  # a user without a name, as in containers
