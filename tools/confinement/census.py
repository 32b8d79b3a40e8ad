"""How much a sandbox's processes use, counted one by one: for machines where no control group is to be had.

Standard library only: part of the keeper.
"""

from __future__ import annotations

import contextlib
import os

_PAGE = os.sysconf("SC_PAGE_SIZE")
_MEGABYTE = 1024 * 1024


def count(first: int) -> tuple[float, int]:
    """Megabytes of memory, and threads, of all processes in the process namespace of `first`.

    Memory of files (programs, libraries) is left out; what a process shares with the one it was forked from counts for both.
    """
    try:
        namespace = os.stat(f"/proc/{first}/ns/pid").st_ino  # noqa: PTH116 - no pathlib: asked for each process, often
    except OSError:
        return 0.0, 0
    pages = threads = 0
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                if os.stat(f"/proc/{name}/ns/pid").st_ino != namespace:  # noqa: PTH116
                    continue
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123
                    fields = stream.read().rpartition(")")[2].split()
                threads += int(fields[17])
                with open(f"/proc/{name}/statm", encoding="ascii") as stream:  # noqa: PTH123
                    _, resident, shared = stream.read().split()[:3]
                pages += int(resident) - int(shared)
    return pages * _PAGE / _MEGABYTE, threads
