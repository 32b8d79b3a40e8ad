"""Runs below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tools.evidence.ledger import LEDGER_FILE

DEPTH = 6
"""Folders below the one that is named which are looked into."""


def is_run(folder: Path) -> bool:
    """Whether a folder is one run."""
    return (folder / LEDGER_FILE).is_file()


def runs_below(folder: Path, depth: int = DEPTH) -> Iterator[Path]:
    """The runs in a folder and those below it, by name, or the folder itself if it is one. No link is followed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    if any(entry.name == LEDGER_FILE and entry.is_file(follow_symlinks=False) for entry in entries):
        yield folder
    elif depth:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from runs_below(Path(entry.path), depth - 1)
