"""A throw-away folder for one stage: profile, sockets, screen.

Its name tells whose it is, so that a killed run's is swept later.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from tools import warden
from tools.browser.display import forget_display

_PREFIX = "assay-"
HOME = "home"
"""Folder in it that is home, temporary and runtime folder of the stage's programs."""


def make_scratch() -> Path:
    """A new private folder with a short path (sockets' names have 107 bytes). Sweeps those of dead processes first."""
    base = Path(tempfile.gettempdir())
    _sweep(base)
    owner = os.getpid()
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{owner}-{warden.start_time(owner)}-", dir=base))


def remove_scratch(folder: Path) -> None:
    """Delete it; what a dying browser still writes there is left for the next sweep."""
    forget_display(folder / HOME)
    shutil.rmtree(folder, ignore_errors=True)


def _sweep(base: Path) -> None:
    for folder in base.glob(f"{_PREFIX}*-*-*"):
        pid, _, rest = folder.name.removeprefix(_PREFIX).partition("-")
        started = rest.partition("-")[0]
        if pid.isdigit() and not warden.alive(int(pid), started):
            remove_scratch(folder)
