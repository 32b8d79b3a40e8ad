"""Control groups: limits on memory and processes of a whole sandbox, where this machine lets us make one (versions 1 and 2).

Standard library only: part of the keeper.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
_MEGABYTE = 1024 * 1024


class Group:
    """One group a sandbox. `make` returns None where none can be made; then processes are counted (`census.py`)."""

    def __init__(self, folders: list[Path], *, unified: bool) -> None:
        self._folders = folders
        self._unified = unified

    @classmethod
    def make(cls, name: str, *, memory_mb: int, processes: int) -> Group | None:
        """A new group of that name with those limits."""
        unified = (ROOT / "cgroup.controllers").is_file()
        folders: list[Path] = []
        try:
            if unified:
                given = set((ROOT / "cgroup.subtree_control").read_text(encoding="ascii").split())
                if not {"memory", "pids"} <= given:
                    return None
                folders.append(_folder(ROOT / name))
                _write(folders[0] / "memory.max", str(memory_mb * _MEGABYTE))
                with contextlib.suppress(OSError):
                    _write(folders[0] / "memory.swap.max", "0")
                _write(folders[0] / "pids.max", str(processes))
            else:
                folders += [_folder(ROOT / "memory" / name), _folder(ROOT / "pids" / name)]
                _write(folders[0] / "memory.limit_in_bytes", str(memory_mb * _MEGABYTE))
                _write(folders[1] / "pids.max", str(processes))
        except OSError:
            _remove(folders)
            return None
        return cls(folders, unified=unified)

    def add(self, pid: int) -> bool:
        """Put a process in, before it has children. False where that is forbidden."""
        try:
            for folder in self._folders:
                _write(folder / "cgroup.procs", str(pid))
        except OSError:
            return False
        return True

    def breach(self) -> str:
        """Which limit was run into: `memory`, `processes`, or empty."""
        counts = self._folders[0] / ("memory.events" if self._unified else "memory.oom_control")
        if _count(counts, "oom_kill"):
            return "memory"
        if _count(self._folders[-1] / "pids.events", "max"):
            return "processes"
        return ""

    def remove(self) -> None:
        """Take the group away. Its processes must have been ended; the kernel needs a moment to forget them."""
        limit = time.monotonic() + 2.0
        while not _remove(self._folders) and time.monotonic() < limit:
            time.sleep(0.02)


def sweep(prefix: str) -> None:
    """Remove empty groups that killed keepers left; one with processes in it cannot be removed and stays."""
    for parent in (ROOT, ROOT / "memory", ROOT / "pids"):
        _remove(list(parent.glob(f"{prefix}*")))


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _write(path: Path, value: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, value.encode("ascii"))
    finally:
        os.close(descriptor)


def _count(path: Path, key: str) -> int:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[:1] == [key]), 0)


def _remove(folders: list[Path]) -> bool:
    gone = True
    for folder in folders:
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            gone = False
    return gone
