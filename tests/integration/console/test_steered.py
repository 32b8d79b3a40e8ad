"""A run that is steered: it stands while paused, makes one trial when asked, hears advice, and stops with a sealed record."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from agent.run.evaluation import Result, evaluate, resume
from agent.run.steering import Steering
from configs.settings import Budget, Recording, Settings
from tests.conftest import FIXTURES
from tools.evidence.record import Record, verify
from tools.evidence.rows import Covered, Observed, Steered
from tools.evidence.trial_rows import ActDone, TrialBegun

APP = FIXTURES / "apps" / "tip" / "good.html"
LONG_S = 1.5


class Watcher:
    """Waits for events of a run and answers them with wishes."""

    def __init__(self) -> None:
        self.steering = Steering()
        self.events: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    def hear(self, event: dict[str, Any]) -> None:
        """One event of the run."""
        self.events.append(event)
        self._news.set()

    async def wait(self, kind: str, count: int = 1) -> None:
        """Until so many events of a kind were told."""
        async with asyncio.timeout(60):
            while sum(event["event"] == kind for event in self.events) < count:
                self._news.clear()
                await self._news.wait()


def settings(folder: Path) -> Settings:
    """Small budgets, no film."""
    return Settings(
        runs_dir=folder, recording=Recording(capture="none"), network="none", rhythm=0.2, budget=Budget(max_acts=20, prove=False)
    )


@pytest.fixture(scope="module")
async def steered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, dict[str, Any]]:
    """A run that was paused, given advice, stepped, and stopped; with what was measured on the way."""
    folder, watcher, seen = tmp_path_factory.mktemp("steered"), Watcher(), {}
    steering = watcher.steering
    steering.pause()
    brief = "A tip calculator"
    run = asyncio.create_task(
        evaluate(str(APP), brief, settings(folder), run_dir=folder / "run", listener=watcher.hear, steering=steering)
    )
    await watcher.wait("paused")
    await asyncio.sleep(0.3)  # the run's own answer to standing is to hold time; it takes a moment that nothing tells of
    before = steering.instant()
    await asyncio.sleep(LONG_S)
    after = steering.instant()
    seen |= {"app_ms": (before.app_ms, after.app_ms), "left_s": (before.seconds_left, after.seconds_left), "rate": after.rate}
    steering.hint("the People slider")
    steering.step()
    await watcher.wait("paused", 2)
    seen["steps"] = sum(event["event"] == "tried" for event in watcher.events)
    steering.go_on()
    await watcher.wait("tried", 3)
    steering.stop()
    result = await asyncio.wait_for(run, 60)
    seen["events"] = watcher.events
    return result, seen


async def test_while_it_is_paused_nothing_runs(steered: tuple[Result, dict[str, Any]]) -> None:
    """Neither the app's time nor the budget."""
    _, seen = steered
    assert seen["rate"] == 0
    assert seen["app_ms"][0] == seen["app_ms"][1]
    assert seen["left_s"][0] == pytest.approx(seen["left_s"][1], abs=0.001)


async def test_a_step_is_one_trial(steered: tuple[Result, dict[str, Any]]) -> None:
    """And it stands again."""
    assert steered[1]["steps"] == 1


async def test_advice_leads_what_is_tried(steered: tuple[Result, dict[str, Any]]) -> None:
    """It is on record before the trial that follows it, and that trial heeds it."""
    record = Record.read(steered[0].run_dir)
    kinds = [row.body for row in record.rows if isinstance(row.body, Steered | TrialBegun)]
    assert [body.wish for body in kinds if isinstance(body, Steered)] == ["pause", "hint", "step", "go_on", "stop"]
    hint = next(index for index, body in enumerate(kinds) if isinstance(body, Steered) and body.wish == "hint")
    begun = next(body for body in kinds[hint:] if isinstance(body, TrialBegun))
    assert "People" in begun.words


async def test_a_stopped_run_is_whole(steered: tuple[Result, dict[str, Any]]) -> None:
    """Sealed, judged, reported: incomplete, and it says why."""
    result, _ = steered
    record = Record.read(result.run_dir)
    assert verify(result.run_dir) == []
    covered = record.last(Covered)
    assert covered is not None
    assert covered[1].stop_reason == "interrupted"
    assert 3 <= sum(1 for _ in record.of(TrialBegun)) <= 4
    assert result.verdict is not None
    assert result.verdict.status == "incomplete"
    assert (result.run_dir / "report.html").is_file()


async def test_the_page_saw_no_pause(steered: tuple[Result, dict[str, Any]]) -> None:
    """Between the look before the pause and the first act after it no app time passed."""
    record = Record.read(steered[0].run_dir)
    look = next(row for row, _ in record.of(Observed))
    act = next(body for _, body in record.of(ActDone))
    assert look.app_ms is not None
    assert 0 <= act.started_ms - look.app_ms < 6 * LONG_S * 1000


@pytest.mark.long
async def test_a_paused_run_that_is_killed_goes_on(tmp_path: Path) -> None:
    """Cancelled while it stands: resumed, it does not stand again, and still knows the advice."""
    watcher = Watcher()
    watcher.steering.pause()
    run = asyncio.create_task(
        evaluate(
            str(APP),
            "A tip calculator",
            settings(tmp_path),
            run_dir=tmp_path / "run",
            listener=watcher.hear,
            steering=watcher.steering,
        )
    )
    await watcher.wait("paused")
    watcher.steering.hint("the People slider")
    watcher.steering.step()
    await watcher.wait("paused", 2)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    began = time.monotonic()
    result = await asyncio.wait_for(resume(tmp_path / "run"), 90)
    assert time.monotonic() - began < 90
    assert result.verdict is not None
    assert verify(tmp_path / "run") == []
    assert [body.text for _, body in Record.read(tmp_path / "run").of(Steered) if body.wish == "hint"] == ["the People slider"]
