"""How many at once: never more than asked for, fewer when the machine says so, none without room on the disk."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from agent.batch.capacity import PAUSE_S, Capacity, MachineLoad, free_memory_mb

FINE = MachineLoad(busy=0.3, starved=5.0, free_mb=20_000, disk_mb=50_000)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> object:
    """Lets time pass: call it with seconds."""
    now = [time.monotonic()]
    monkeypatch.setattr("agent.batch.capacity.time.monotonic", lambda: now[0])

    def pass_by(seconds: float) -> None:
        now[0] += seconds

    return pass_by


def test_it_grows_to_what_was_asked_for_and_not_beyond(tmp_path: Path, later: object) -> None:
    """One more after each quiet pause while the machine has room."""
    capacity = Capacity(tmp_path, 3)
    running = 0
    for _ in range(6):
        running += capacity.room(running, FINE)
        later(PAUSE_S + 1)  # pyright: ignore[reportCallIssue]
    assert running == 3


def test_a_busy_machine_gets_no_more_and_a_starved_one_fewer(tmp_path: Path, later: object) -> None:
    """Processors in use stop the growth; waiting for them takes one away, down to one."""
    capacity = Capacity(tmp_path, 4)
    busy = MachineLoad(busy=1.0, starved=30.0, free_mb=20_000, disk_mb=50_000)
    starved = MachineLoad(busy=1.0, starved=95.0, free_mb=20_000, disk_mb=50_000)
    first = capacity.room(0, FINE)
    later(PAUSE_S + 1)  # pyright: ignore[reportCallIssue]
    assert capacity.room(first, busy) == 0
    for _ in range(5):
        later(PAUSE_S + 1)  # pyright: ignore[reportCallIssue]
        capacity.room(4, starved)
    assert capacity.room(0, starved) == 1


def test_memory_bounds_by_what_evaluations_were_seen_to_take(tmp_path: Path) -> None:
    """With 2.1 GB over the spare and 700 MB each there is room for three; without memory for one, none."""
    capacity = Capacity(tmp_path, 8, adaptive=True)
    capacity._target = 8
    capacity.weighed(700.0)
    assert capacity.room(0, MachineLoad(0.1, None, 2700.0, 50_000)) == 3
    assert capacity.room(0, MachineLoad(0.1, None, 900.0, 50_000)) == 1
    assert capacity.room(1, MachineLoad(0.1, None, 900.0, 50_000)) == 0
    assert capacity.room(0, MachineLoad(0.1, None, 300.0, 50_000)) == 0


def test_a_throttled_model_slows_the_batch(tmp_path: Path, later: object) -> None:
    """One fewer at once for a burst of refusals, and no growth until the service's time is over."""
    capacity = Capacity(tmp_path, 2)
    capacity._target = 2
    for _ in range(3):
        capacity.throttled(60.0)
    assert capacity.room(0, FINE) == 1
    later(PAUSE_S + 1)  # pyright: ignore[reportCallIssue]
    assert capacity.room(1, FINE) == 0
    later(60.0)  # pyright: ignore[reportCallIssue]
    assert capacity.room(1, FINE) == 1


def test_room_on_the_disk_is_kept_for_what_runs(tmp_path: Path) -> None:
    """Nothing is started below the spare; what runs is only broken off at the very end."""
    capacity = Capacity(tmp_path, 2, spare_disk_mb=100.0)
    low, lowest = MachineLoad(0.1, None, 9000.0, 240.0), MachineLoad(0.1, None, 9000.0, 20.0)
    assert not capacity.disk_is_full(0, low)
    assert capacity.disk_is_full(1, low)
    assert not capacity.disk_is_at_its_end(low)
    assert capacity.disk_is_at_its_end(lowest)


def test_the_machine_can_be_read(tmp_path: Path) -> None:
    """Every figure is one that this machine can have."""
    load = Capacity(tmp_path, 1).look()
    assert 0 <= load.busy <= 1
    assert load.starved is None or 0 <= load.starved <= 100
    assert 0 < free_memory_mb() < 10_000_000
    assert load.disk_mb > 0
