"""Ends a run's processes when the run itself is gone. Started as a program of its own; see `tools/processes.py`.

It reads lines `add PID START` and `drop PID` from standard input, which the run holds open. The end of the input means that the
run has ended, in whatever way, `kill -9` included: every process still on the list is ended with its whole process group.
Standard library only, so that it starts in milliseconds. A process is named by its number *and* its start time (clock ticks
since boot, field 22 of `/proc/PID/stat`), so a number that was given to somebody else's process meanwhile is left alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

GRACE_S = 1.0


def start_time(pid: int) -> str:
    """When the process started, in clock ticks since boot; empty if there is no such process (or no /proc)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123 - no pathlib: start-up time
            return stream.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def alive(pid: int, started: str) -> bool:
    """Whether that very process still runs (a zombie does not)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == started and fields[0] not in "ZX"


def group_of(pid: int) -> int | None:
    """The process group to signal: the process's own group if it leads one, else None."""
    try:
        group = os.getpgid(pid)
    except OSError:
        return None
    return group if group == pid else None


def _signal(pid: int, group: int | None, number: int) -> None:
    with contextlib.suppress(OSError):
        if group is not None:
            os.killpg(group, number)
        else:
            os.kill(pid, number)


def end(processes: dict[int, str], grace_s: float = GRACE_S) -> None:
    """End those processes with their groups: asked first, killed after `grace_s`. Stopped ones are continued."""
    groups = {pid: group_of(pid) for pid, started in processes.items() if alive(pid, started)}
    for pid, group in groups.items():
        _signal(pid, group, signal.SIGCONT)
        _signal(pid, group, signal.SIGTERM)
    limit = time.monotonic() + grace_s
    while time.monotonic() < limit and any(alive(pid, processes[pid]) for pid in groups):
        time.sleep(0.02)
    for pid, group in groups.items():
        # The group is killed even when its leader went willingly: grandchildren may have ignored the request.
        if group is not None or alive(pid, processes[pid]):
            _signal(pid, group, signal.SIGKILL)


def main() -> None:
    """Watch standard input; at its end, end what is on the list."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    watched: dict[int, str] = {}
    for line in sys.stdin:
        match line.split():
            case ["add", pid, started]:
                watched[int(pid)] = started
            case ["drop", pid]:
                watched.pop(int(pid), None)
            case _:
                pass
    end(watched)


if __name__ == "__main__":
    main()
