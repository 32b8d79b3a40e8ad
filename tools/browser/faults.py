"""What can go wrong between Assay and a tab.

StageFault                  (tools/errors.py)
├── TabBusy                 the page gave no answer within the caller's own bound; it may later
│   └── TabHung             it gave none within `timeouts.command_s`: its main thread is stuck; the tab is given up
├── TabCrashed              the renderer or the whole browser is gone
└── CommandRefused          the browser answered that it cannot do this
├── FrameGone           the frame or its document went away meanwhile
└── ScriptError         our own script raised an exception in the page
"""

from __future__ import annotations

from tools.errors import StageFault

BROWSER_GONE = "the browser is gone"
"""How a tab ended whose whole browser did: a page takes its own process with it, not the browser's."""


class TabBusy(StageFault):
    """No answer within the bound that the caller set; the page may answer later. `tried` is the command."""

    kind = "tab_busy"

    def __init__(self, tried: str, waited_s: float) -> None:
        super().__init__(f"The page gave no answer to {tried} within {waited_s:g} s.", retryable=True)
        self.tried = tried
        self.waited_s = waited_s


class TabHung(TabBusy):
    """The page's main thread is stuck. `tried` is the command that showed it."""

    kind = "tab_hung"


class TabCrashed(StageFault):
    """The page's process or the browser is gone. `tried` is the command that could not be carried out."""

    kind = "tab_crashed"

    def __init__(self, tried: str, how: str = "") -> None:
        super().__init__(f"The page is gone, {tried} could not be carried out{': ' + how if how else ''}.")
        self.tried = tried


class CommandRefused(StageFault):
    """The browser answered with an error."""

    kind = "refused"

    def __init__(self, tried: str, reason: str) -> None:
        super().__init__(f"{tried}: {reason}")
        self.tried = tried
        self.reason = reason


class FrameGone(CommandRefused):
    """The frame, or the document that was in it, went away meanwhile."""

    kind = "frame_gone"


class ScriptError(CommandRefused):
    """A script that Assay ran in the page raised an exception; `reason` carries its text and place."""

    kind = "script"
