"""The same batch on a local Ray cluster, with a worker killed in the middle of a job."""

from __future__ import annotations

import asyncio
import os
import signal
import warnings
from pathlib import Path

import psutil
import pytest

from agent.batch.capacity import Capacity
from agent.batch.crew import LocalCrew
from agent.batch.jobs import State
from agent.batch.ray_crew import RayCrew
from agent.batch.supervisor import Policy, Supervisor
from agent.batch.table import Table
from tests.integration.batch.watching import signatures
from tests.unit.batch.making import jobs

BLANK = "```html\n<!doctype html><html lang='en'><title>Nothing</title></html>\n```"
"""A page with nothing on it: a browser is opened, and there is hardly anything to do."""
pytestmark = [pytest.mark.long, pytest.mark.timeout(400)]


async def test_a_cluster_gives_the_same_table_though_a_worker_is_killed(tmp_path: Path) -> None:
    """Two processors, four answers; the job whose worker dies is tried again, and all rows are those of one machine."""
    pytest.importorskip("ray", reason="an extra: assay[ray]")
    made = jobs(tmp_path, 2, ("alpha", "beta"), BLANK)
    here, there = tmp_path / "here", tmp_path / "there"
    local = LocalCrew(here / "crew")
    plain = Table.in_folder(here)
    plain.add(made)
    await Supervisor(plain, local, Capacity(here, 2, adaptive=False, spare_disk_mb=1), here).run()
    await local.close()

    table = Table.in_folder(there)
    table.add(made)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = RayCrew("local")
    told: list[dict[str, object]] = []
    supervisor = Supervisor(
        table, cluster, Capacity(there, 2, adaptive=False, spare_disk_mb=1), there, Policy(pause_s=0.1), told.append
    )
    running = asyncio.create_task(supervisor.run())
    os.kill(await _worker(there), signal.SIGKILL)
    closing = await asyncio.wait_for(running, 300)
    await cluster.close()

    entries = table.entries()
    assert closing.why == "done"
    assert [entry.state for entry in entries] == [State.scored] * 4
    assert sum(entry.attempts for entry in entries) == 5
    assert any("worker was lost" in note for entry in entries for note in entry.notes)
    assert signatures(there, entries) == signatures(here, plain.entries())
    assert not [process for process in psutil.Process().children(recursive=True) if "chromium" in process.name()]
    table.close()
    plain.close()


async def _worker(home: Path) -> int:
    """A worker of the cluster that carries out a job which has given a sign of life."""
    for _ in range(1200):
        if any(home.glob("logs/*/beat")):
            for process in psutil.Process().children(recursive=True):
                if "ray::carry_out_there" in " ".join(process.cmdline()):
                    return process.pid
        await asyncio.sleep(0.05)
    raise AssertionError("no worker of the cluster came up")
