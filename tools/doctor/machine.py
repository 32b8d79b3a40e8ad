"""The machine itself: room for runs, memory, and its own address."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
from pathlib import Path

from tools.doctor.check import Check

FREE_MB = 2000
SHARED_MB = 256
MEMORY_MB = 2000


def runs_folder(runs: Path) -> Check:
    """Whether runs can be written where they are to land, and how much room there is."""
    cost = "runs cannot be kept; one takes 5 to 50 MB"
    there = next((folder for folder in (runs.absolute(), *runs.absolute().parents) if folder.is_dir()), Path("/"))
    free_mb = shutil.disk_usage(there).free // 10**6
    detail = f"{runs.absolute()}: {free_mb / 1000:.1f} GB free"
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".assay-doctor-"):
            pass
    except OSError as error:
        return Check(
            "runs folder",
            False,
            f"{there} cannot be written: {error.strerror}",
            cost,
            "name another: ASSAY_RUNS_DIR=/path",
            required=True,
        )
    mend = "" if free_mb >= FREE_MB else "remove old runs, or name another folder: ASSAY_RUNS_DIR=/path"
    return Check("runs folder", not mend, detail, cost, mend)


def shared_memory() -> Check:
    """Chromium keeps pictures in /dev/shm; containers often have 64 MB there, and pages crash for it."""
    cost = "pages with many or large pictures crash, and the app would seem to be at fault"
    if not Path("/dev/shm").is_dir():  # noqa: S108 - looked at, not written
        return Check(
            "shared memory", sys.platform != "linux", "there is no /dev/shm", cost, "" if sys.platform != "linux" else "mount one"
        )
    size_mb = shutil.disk_usage("/dev/shm").total // 2**20  # noqa: S108
    mend = "" if size_mb >= SHARED_MB else "docker run --shm-size=1g, or: mount -o remount,size=1g /dev/shm"
    return Check("shared memory", not mend, f"{size_mb} MB", cost, mend)


def memory() -> Check:
    """What is free now."""
    import psutil  # noqa: PLC0415 - a compiled library: this module stays light

    available_mb = psutil.virtual_memory().available // 2**20
    mend = "" if available_mb >= MEMORY_MB else "close other programs, or evaluate fewer apps at once"
    return Check(
        "memory", not mend, f"{available_mb / 1024:.1f} GB available", "browsers are slow or killed in the middle of a run", mend
    )


def loopback() -> Check:
    """Apps are served on 127.0.0.1, at a port of the system's choice."""
    cost = "files, folders, projects and answers cannot be served; only URLs can be evaluated"
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port), timeout=2):
                return Check("loopback", True, f"127.0.0.1 answers (port {port})", cost)
    except OSError as error:
        return Check("loopback", False, f"127.0.0.1 does not answer: {error}", cost, "ip link set lo up", required=True)
