"""Runs the verification page until the person is done."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from pathlib import Path

from tools.diagram.verify.server import VerifyServer
from tools.diagram.verify.session import Result, open_session


def verify(
    picture: Path, predicted: Path, folder: Path, *, port: int = 0, open_browser: bool = True, say: Callable[[str], None]
) -> Result:
    """Serves the page, tells its address with `say`, waits for *Done* and gives the result.

    Ctrl+C ends it as well; what was done up to then is kept, and the same command goes on with it.
    Raises `UserError`s that say what is wrong with the files.
    """
    session = open_session(picture, predicted, folder)
    with VerifyServer(session, port) as server:
        say(server.url)
        if open_browser:
            webbrowser.open(server.url)
        try:
            while not server.done.wait(timeout=0.5):
                pass
        except KeyboardInterrupt:
            return session.save()
    return session.result()
