"""Ends a run's processes when the run itself is gone. Started as a program of its own; see `tools/processes.py`.

It reads lines `add PID START`, `drop PID` and `mark TEXT` from standard input, which the run holds open. The end of the input
means that the run has ended, in whatever way, `kill -9` included: every process still on the list is ended with its whole
process group, and so is every process that carries the mark in its environment: daemons that left their group.
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
MARK = "PROCESS_OF_ASSAY"
"""Environment variable that what a run starts inherits; its value is `run.number`."""


def start_time(pid: int) -> str:
    """When the process started, in clock ticks since boot; empty if there is no such process (or no /proc)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123 - no pathlib: start-up time
            return stream.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def own_name() -> str:
    """By what a folder of this process's is known: number and start, and the process namespace in which these mean something."""
    return f"{os.getpid()}-{start_time(os.getpid())}-n{_space()}"


def name_is_gone(name: str) -> bool | None:
    """Whether the process is gone with whose name that begins; None if it cannot be told: no such name, or another namespace's.

    A container that shares this machine's `/tmp` has processes of its own: none of theirs is seen here, and all of them may live.
    """
    pid, _, rest = name.partition("-")
    started, dash, rest = rest.partition("-")
    space, more, _ = rest.partition("-")
    if not pid.isdigit() or not dash or (more and space.startswith("n") and space != f"n{_space()}"):
        return None
    return not alive(int(pid), started)


def _space() -> str:
    try:
        return f"{os.stat('/proc/self/ns/pid').st_ino:x}"  # noqa: PTH116 - no pathlib: start-up time
    except OSError:
        return ""


def alive(pid: int, started: str) -> bool:
    """Whether that very process still runs (a zombie does not)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == started and fields[0] not in "ZX"


def group_lives(pid: int, started: str) -> bool:
    """Whether a process that started so, or what is left of the group it led, still runs."""
    if start_time(pid) not in (started, ""):
        return False
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208 - no pathlib: start-up time
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123
                    fields = stream.read().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[2] == str(pid) and fields[0] not in "ZX":
                return True
    return alive(pid, started)


def signal_group(pid: int, number: int) -> None:
    """To the group that the process leads; to the process alone if it leads none."""
    try:
        os.killpg(pid, number)
    except OSError:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def end(processes: dict[int, str], grace_s: float = GRACE_S) -> None:
    """End those processes with their groups: asked first, killed after `grace_s`. Stopped ones are continued.

    A process that is gone may have left its group behind; the kernel gives its number to nobody else while the group lives, so
    the group is ended all the same. A number that now belongs to a process with another start time is left alone.
    """
    ours = [pid for pid, started in processes.items() if start_time(pid) in (started, "")]
    for pid in ours:
        signal_group(pid, signal.SIGCONT)
        signal_group(pid, signal.SIGTERM)
    limit = time.monotonic() + grace_s
    while time.monotonic() < limit and any(alive(pid, processes[pid]) for pid in ours):
        time.sleep(0.02)
    for pid in ours:
        # Killed even when the leader went willingly: its children may have ignored the request.
        if start_time(pid) in (processes[pid], ""):
            signal_group(pid, signal.SIGKILL)


def marked(mark: str) -> list[int]:
    """Processes that were started with that mark (`run.number`), or any mark of that run (`run`), in their environment."""
    needle = f"{MARK}={mark}".encode()
    pids = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208 - no pathlib: start-up time
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as stream:  # noqa: PTH123
                    entries = stream.read().split(b"\0")
            except OSError:
                continue
            if any(entry == needle or entry.startswith(needle + b".") for entry in entries):
                pids.append(int(name))
    return pids


def end_marked(mark: str) -> None:
    """Kill whatever carries the mark; a few rounds, as it may be starting others meanwhile."""
    for _ in range(10):
        pids = marked(mark)
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def main() -> None:
    """Watch standard input; at its end, end what is on the list."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    watched: dict[int, str] = {}
    marks: set[str] = set()
    for line in sys.stdin:
        match line.split():
            case ["add", pid, started]:
                watched[int(pid)] = started
            case ["drop", pid]:
                watched.pop(int(pid), None)
            case ["mark", mark]:
                marks.add(mark)
            case _:
                pass
    end(watched)
    for mark in marks:
        end_marked(mark)


if __name__ == "__main__":
    main()
