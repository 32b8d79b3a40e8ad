"""A throw-away folder for one stage: profile, sockets, screen.

Its name tells whose it is, so that a killed run's is swept later.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from pathlib import Path

from tools import reaper
from tools.browser.display import forget_display

_PREFIX = "assay-"
_ABANDONED_S = 2 * 86_400.0
HOME = "home"
"""Folder in it that is home, temporary and runtime folder of the stage's programs."""


def make_scratch() -> Path:
    """A new private folder with a short path (sockets' names have 107 bytes). Sweeps those of dead processes first."""
    base = Path(tempfile.gettempdir())
    _sweep(base)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{reaper.own_name()}-", dir=base))


def remove_scratch(folder: Path) -> None:
    """Delete it; what a dying browser still writes there is left for the next sweep."""
    if not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    forget_display(folder / HOME)
    shutil.rmtree(folder, ignore_errors=True)


def left_behind(base: Path | None = None) -> list[Path]:
    """Scratch of processes that are gone, and what has lain there for longer than a run takes; this user's own only."""
    found: list[Path] = []
    for path in (base or Path(tempfile.gettempdir())).glob(f"{_PREFIX}*"):
        try:
            about = path.lstat()
        except OSError:
            continue
        if stat.S_ISLNK(about.st_mode) or (hasattr(os, "geteuid") and about.st_uid != os.geteuid()):
            continue
        gone = reaper.name_is_gone(path.name.removeprefix(_PREFIX))
        if gone or (gone is None and time.time() - about.st_mtime > _ABANDONED_S):
            found.append(path)
    return found


def _sweep(base: Path) -> None:
    for path in left_behind(base):
        remove_scratch(path)
