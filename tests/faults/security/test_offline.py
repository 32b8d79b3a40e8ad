"""Display, sound server and recorder work for a page, and so have no network: sockets in their folders are all they need.

The browser has one of its own (`test_browser_network.py`).
"""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from tests.faults.security.test_kill_both import SAMPLE, started
from tools.confine import cut_off

pytestmark = pytest.mark.skipif(os.geteuid() != 0 or not cut_off(), reason="networks of their own take root")


def test_helpers_of_the_stage_have_no_network(tmp_path: Path) -> None:
    """Each has a network of its own; the run's is another."""
    with started(tmp_path, SAMPLE, f"offline-{os.urandom(4).hex()}") as found:
        run = found.run
        own = network(run.pid)
        helpers = {
            child.name(): network(child.pid)
            for child in psutil.Process(run.pid).children(recursive=True)
            if child.name() in {"Xvfb", "pulseaudio", "ffmpeg", "chromium"}
        }
    assert {"Xvfb", "ffmpeg", "chromium"} <= set(helpers)
    assert all(there not in ("", own) for there in helpers.values())


def network(pid: int) -> str:
    """Name of the network that a process is in."""
    return str(Path(f"/proc/{pid}/ns/net").readlink())
