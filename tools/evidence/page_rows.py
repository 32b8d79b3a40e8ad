"""Rows about what the browser reports by itself: console, errors, network, libraries, dialogs, events."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen


class ConsoleMessage(Frozen):
    """Something the page wrote to its console. `line` counts from 1; 0 where unknown."""

    kind: Literal["console"] = "console"
    level: Literal["debug", "info", "log", "warning", "error", "assert"]
    text: str
    url: str = ""
    line: int = 0


class PageError(Frozen):
    """An exception that no code of the page caught."""

    kind: Literal["page_error"] = "page_error"
    message: str
    stack: str
    url: str = ""
    line: int = 0
    column: int = 0


class NetworkFailure(Frozen):
    """A request that failed, was refused by policy (`blocked`) or was answered with an error status."""

    kind: Literal["network"] = "network"
    method: str
    url: str
    resource: str
    status: int | None
    reason: str
    blocked: bool
    own_site: bool


class LibraryServed(Frozen):
    """A file of a well-known CDN that the page asked for, answered from npm packages (or a service's answer made here)."""

    kind: Literal["library"] = "library"
    url: str
    status: int
    """200 or a redirect; 4xx: the CDN has no such thing, the page's own mistake; 503: it cannot be had here."""
    package: str
    version: str
    path: str
    """The file inside the package."""
    integrity: str
    """The package's hash as npm writes it, `sha512-…`."""
    source: Literal["cache", "fetched", "made", "none"]
    """`fetched`: npm was asked for the package during this run; `made`: the answer needs no package."""
    sha256: str
    """Of the body that was sent."""
    size: int
    blame: Literal["", "app", "environment"] = ""
    note: str = ""


class DialogShown(Frozen):
    """An alert, confirm, prompt or beforeunload, and how policy answered it."""

    kind: Literal["dialog"] = "dialog"
    variety: str
    message: str
    answer: str


DOWNLOAD_LIMIT = 16_000
"""Characters of a downloaded text that are read and kept; a longer one is known by its size alone."""


class PageEvent(Frozen):
    """Something the page tried that policy deals with: popup, download, file chooser, navigation away, crash, hang, print."""

    kind: Literal["page_event"] = "page_event"
    event: Literal[
        "popup", "download", "file_chooser", "navigation", "crash", "hang", "dialog_storm", "closed",
        "browser_gone", "full_screen", "pointer_lock", "handed_over",
    ]  # fmt: skip
    detail: str
    content: str = ""
    """Of a download that the page made itself: the text in it, if it is text of at most `DOWNLOAD_LIMIT` characters."""
