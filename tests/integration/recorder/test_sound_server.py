"""The private sound server of a run."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tools.browser.sound import open_sink, put_first
from tools.processes import ProcessList


def _may_schedule() -> bool:
    """Whether this process may give threads real-time scheduling."""
    child = os.fork()
    if child == 0:
        try:
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.quiet
async def test_its_threads_run_before_all_others(tmp_path: Path) -> None:
    """Sound that comes late is sound that is missing."""
    if not _may_schedule():
        pytest.skip("needs the right to schedule (CAP_SYS_NICE)")
    with ProcessList(tmp_path) as processes:
        sink = await open_sink(processes, folder=tmp_path, log=tmp_path / "log", env=dict(os.environ))
        threads: list[int] = []
        for _ in range(100):
            threads = [int(name) for name in os.listdir(f"/proc/{sink.pid}/task")]  # noqa: PTH208
            if len(threads) >= 2:  # the server's and its output's
                break
            await asyncio.sleep(0.05)
        assert len(threads) >= 2
        assert all(os.sched_getscheduler(thread) & ~os.SCHED_RESET_ON_FORK == os.SCHED_RR for thread in threads)


def test_a_server_that_is_gone_is_no_error() -> None:
    """It may die between its start and this."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    assert not put_first(child)
