"""A private sound server with one silent output, so that what the app plays can be recorded and nothing else is heard."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.confinement.unprivileged import Account
from tools.errors import StageFault
from tools.processes import ProcessList

SINK = "assay"


@dataclass(frozen=True)
class Sink:
    """A running PulseAudio. `server` goes into `PULSE_SERVER`; `monitor` is the source that hears what is played."""

    server: str
    monitor: str
    pid: int


async def open_sink(
    processes: ProcessList,
    *,
    folder: Path,
    log: Path,
    env: Mapping[str, str],
    timeout_s: float = 5.0,
    account: Account | None = None,
) -> Sink:
    """Start PulseAudio with a null sink, its socket in `folder` (keep that path short: a socket's name has 107 bytes).

    Raises `MissingProgram`, or `StageFault` if it does not answer in time.
    """
    path = folder / "sound"  # not "pulse": the server keeps a folder of that name here
    process = processes.spawn(
        "pulseaudio",
        [
            *("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no"),
            *("--high-priority=no", "--disable-shm=yes", "--log-level=error"),
            *("-L", f"module-native-protocol-unix socket={path} auth-anonymous=1"),
            *("-L", f"module-null-sink sink_name={SINK} rate=48000 channels=2"),
        ],
        env={**env, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)},
        log=log,
        account=account,
    )
    limit = time.monotonic() + timeout_s
    while not _answers(path):
        if process.poll() is not None or time.monotonic() > limit:
            await processes.end(process.pid)
            raise StageFault("The sound server did not start.", hint=f"See {log}.", retryable=True)
        await asyncio.sleep(0.01)
    put_first(process.pid)
    return Sink(f"unix:{path}", f"{SINK}.monitor", process.pid)


def put_first(pid: int) -> bool:
    """Let the sound server's threads run before all others, where Assay may say so (as root); returns whether they do.

    They do next to nothing, but at eight times the wall's pace a buffer lasts 1.25 ms: behind a busy page's threads they came
    late so often that a tenth of the sound was missing. The server can't ask for it itself once it has given up root.
    """
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - names only
            os.sched_setscheduler(int(thread), os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except (OSError, AttributeError):
        return False
    return True


def _answers(path: Path) -> bool:
    """Whether somebody listens on that socket."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(0.5)
        client.connect(str(path))
        return True
    return False
