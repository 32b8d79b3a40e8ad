"""A subject being served: where to open it, what it is made of, and what went wrong if it cannot be opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SiteVariety = Literal["url", "html", "folder", "project", "answer", "none"]


@dataclass(frozen=True)
class SourceText:
    """One of the app's own source files. `path` is relative to the app, with `/`."""

    path: str
    language: str
    text: str


@dataclass(frozen=True)
class SiteProblem:
    """Why there is nothing to open, in one line, and whether the app or its surroundings are the reason."""

    kind: Literal["no_artifact", "install_failed", "server_failed", "build_failed"]
    message: str
    blame: Literal["app", "environment"]
    log_excerpt: str = ""


@dataclass(frozen=True)
class Site:
    """A subject that answers at `entry` – or, with a `problem`, one that does not (then both addresses are empty)."""

    variety: SiteVariety
    base_url: str
    """The site's root with a closing slash: scheme, host and port that count as the app's own."""
    entry: str
    """Absolute address to open."""
    sources: tuple[SourceText, ...] = ()
    notes: tuple[str, ...] = ()
    """What had to be done to serve it, and what of it was left out, for people."""
    problem: SiteProblem | None = None
    log: Path | None = None
    """What the app's own server prints; None for files, whose server is ours."""
    pid: int | None = None
    """Leader of the server's process group."""
