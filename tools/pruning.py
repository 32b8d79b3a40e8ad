"""Removing what is no longer wanted: finished runs, scratch of runs that ended, caches past their bound. Never follows a link."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.evidence.ledger import LEDGER_FILE
from tools.processes import owner_of

CACHE_MB = 4000.0
"""Default bound on the caches: packages, bundles and models of some hundred apps; what is older than the rest goes first."""
REST_S = 86_400.0
"""What was used within this time is never removed unasked: a run may be about to use it again."""
STATE_DAYS = 30.0
"""Age from which the checkpoints of an interrupted run are let go of."""
DAY_S = 86_400.0


@dataclass(frozen=True)
class Item:
    """A file or folder that may be removed. `used_s`: when it was last used (s since 1970), see `mark_used`."""

    path: Path
    size: int
    used_s: float


def runs_in(folder: Path) -> list[Item]:
    """The finished or abandoned runs directly below a folder, oldest first; those that are being worked on are left out."""
    if not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if path.is_dir() and not path.is_symlink() and (path / LEDGER_FILE).is_file())
    return sorted((item_of(path) for path in found if owner_of(path) is None), key=lambda item: item.used_s)


def entries_of(folders: Iterable[Path]) -> list[Item]:
    """What lies directly in those folders, oldest first."""
    found = (path for folder in folders if folder.is_dir() and not folder.is_symlink() for path in folder.iterdir())
    return sorted((item_of(path) for path in found if not path.is_symlink()), key=lambda item: item.used_s)


def cached_in(caches: Path) -> list[Item]:
    """What the caches hold, oldest first: `<cache>/<kind>/<what is made or fetched>`. Locks and libraries beside them stay."""
    found = [cache for cache in caches.iterdir() if cache.is_dir() and not cache.is_symlink()] if caches.is_dir() else []
    return entries_of(kind for cache in found for kind in cache.iterdir())


def bound_caches(caches: Path, *, size_mb: float = CACHE_MB) -> int:
    """Keep the caches within their bound, unasked and once a day; returns how many bytes that freed."""
    done = caches / ".pruned"
    now_s = time.time()
    try:
        if not caches.is_dir() or (done.exists() and now_s - done.stat().st_mtime < DAY_S):
            return 0
        done.touch()
    except OSError:
        return 0
    return remove(chosen(cached_in(caches), size_mb=size_mb, rested_s=REST_S))


def chosen(
    items: list[Item], *, days: float | None = None, size_mb: float | None = None, keep: int = 0, rested_s: float = 0.0
) -> list[Item]:
    """Of items, oldest first, those to remove: older than `days`, and the oldest until the rest is within `size_mb`.

    The `keep` newest stay, whatever else is said, and so does what was used within `rested_s`.
    """
    may = [item for item in items[: max(len(items) - keep, 0)] if rested_s <= 0 or item.used_s < time.time() - rested_s]
    oldest_s = time.time() - days * DAY_S if days is not None else 0.0
    gone = [item for item in may if item.used_s < oldest_s]
    left = sum(item.size for item in items) - sum(item.size for item in gone)
    for item in may[len(gone) :] if size_mb is not None else ():
        if left <= (size_mb or 0.0) * 1e6:
            break
        gone.append(item)
        left -= item.size
    return gone


def remove(items: Iterable[Item]) -> int:
    """Remove them; returns how many bytes that freed."""
    freed = 0
    for item in items:
        if item.path.is_dir() and not item.path.is_symlink():
            shutil.rmtree(item.path, ignore_errors=True)
        else:
            item.path.unlink(missing_ok=True)
        freed += 0 if item.path.exists() else item.size
    return freed


def item_of(path: Path) -> Item:
    """A file or folder with the size of all that is in it."""
    size, used_s = 0, path.lstat().st_mtime
    for folder, _, names in os.walk(path) if path.is_dir() else ():
        for name in names:
            try:
                about = (Path(folder) / name).lstat()
            except OSError:
                continue
            size, used_s = size + about.st_size, max(used_s, about.st_mtime)
    return Item(path, size if path.is_dir() else path.lstat().st_size, used_s)
