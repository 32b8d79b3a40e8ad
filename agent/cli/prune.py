"""The verb `assay prune`."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.printing import JsonFlag, print_json, say
from tools.text import how_many


def prune(
    runs: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where runs lie, by default recordings/.")] = None,
    older_than_days: Annotated[float | None, typer.Option(min=0, help="Remove runs that are older.")] = None,
    runs_mb: Annotated[float | None, typer.Option(min=0, help="Remove the oldest runs until the rest is within this.")] = None,
    keep: Annotated[int, typer.Option(min=0, help="So many of the newest runs stay in any case.")] = 0,
    cache_mb: Annotated[float | None, typer.Option(min=0, help="Bound on the caches, by default 4000.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would go.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Remove old runs (if an age or a size is given), old checkpoints, scratch of killed runs, and what caches hold too much."""
    from agent.run.chosen_settings import chosen as settings
    from tools import pruning
    from tools.app.programs import cache_dir
    from tools.browser.scratch import left_behind, remove_scratch
    from tools.evidence.received import state_dir

    folder = runs if runs is not None else settings(None, {}).runs_dir
    bound = pruning.CACHE_MB if cache_mb is None else cache_mb
    limited = older_than_days is not None or runs_mb is not None
    gone = {
        "runs": pruning.chosen(pruning.runs_in(folder), days=older_than_days, size_mb=runs_mb, keep=keep) if limited else [],
        "checkpoints": pruning.chosen(pruning.entries_of([state_dir() / "checkpoints"]), days=pruning.STATE_DAYS),
        "scratch": [pruning.item_of(path) for path in left_behind()],
        "caches": pruning.chosen(pruning.cached_in(cache_dir()), size_mb=bound),
    }
    told = {}
    for kind, items in gone.items():
        if kind == "scratch" and not dry_run:
            # Displays that killed servers left go with it.
            for item in items:
                remove_scratch(item.path)
        size = sum(item.size for item in items) if dry_run else pruning.remove(items)
        told[kind] = {"removed": len(items), "bytes": size, "paths": [str(item.path) for item in items]}
    if as_json:
        print_json({"dry_run": dry_run, **told})
        return
    for kind, entry in told.items():
        would = "would go" if dry_run else "removed"
        say(f"{kind}: {how_many(len(gone[kind]), 'item')} {would}, {entry['bytes'] / 1e6:.1f} MB")
