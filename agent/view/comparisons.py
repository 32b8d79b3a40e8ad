"""Which comparisons (`assay compare`) in the folder are about which runs."""

from __future__ import annotations

import json
from pathlib import Path

from agent.view.folder import COMPARISON_FILE, COMPARISON_JSON, RunsFolder

MOST_BYTES = 20_000_000


def comparing(folder: RunsFolder, path: Path, other: Path) -> list[str]:
    """Names of the comparisons of two runs, in either direction; each has a page."""
    wanted = {path.resolve(), other.resolve()}
    return [
        found.name
        for found in folder.found()
        if found.kind == "comparison"
        and (folder.root / found.name / COMPARISON_FILE).is_file()
        and _sides(folder.root / found.name / COMPARISON_JSON) == wanted
    ]


def _sides(path: Path) -> set[Path]:
    """The two runs that a comparison names, by path."""
    try:
        if path.is_symlink() or path.stat().st_size > MOST_BYTES:
            return set()
        told = json.loads(path.read_bytes())
        # As they were named: absolute, or from where the command was given, which is most often here.
        return {Path(told[side]["run"]).resolve() for side in ("a", "b")}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
