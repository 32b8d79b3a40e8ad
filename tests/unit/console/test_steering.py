"""A person's wishes, and what becomes of them."""

from __future__ import annotations

import asyncio

import pytest

from agent.run.context import RunContext
from agent.run.steering import HINT_LIMIT, Steering


async def test_a_run_that_stands_goes_on_when_told() -> None:
    """By step, by going on, by stopping, by an interruption – not by a hint."""
    for wish in (Steering.step, Steering.go_on, Steering.stop, Steering.wake):
        steering = Steering(pausing=True, standing=True)
        waiting = asyncio.create_task(steering.go())
        steering.hint("the menu")
        await asyncio.sleep(0)
        assert not waiting.done()
        wish(steering)
        await asyncio.wait_for(waiting, 1)


async def test_a_step_asked_for_before_it_stands_is_no_leave() -> None:
    """It means: stand before the next decision."""
    steering = Steering()
    steering.step()
    assert steering.pausing
    steering.standing = True
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(steering.go(), 0.05)


async def test_a_pause_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run nobody comes back to goes on by itself."""
    monkeypatch.setattr("agent.run.steering.LONGEST_PAUSE_S", 0.02)
    steering = Steering(pausing=True, standing=True)
    await asyncio.wait_for(steering.go(), 1)
    assert not steering.pausing


def test_hints_are_short_and_not_blank() -> None:
    """One line, at most so long."""
    steering = Steering()
    steering.hint("  \n ")
    steering.hint("a\nb " + "x" * 1000)
    ((wish, text),) = steering.wishes
    assert wish == "hint"
    assert text.startswith("a b x")
    assert len(text) == HINT_LIMIT


def test_stopping_ends_a_pause() -> None:
    """Otherwise the run would stand for ever."""
    steering = Steering(pausing=True)
    steering.stop()
    assert steering.stopping
    assert not steering.pausing


def test_the_watchdog_counts_neither_pauses_nor_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """During a pause and after it; what is left of the exploration is app time, whatever the wall says."""
    from configs.settings import Budget, Settings  # noqa: PLC0415

    now = [1000.0]
    monkeypatch.setattr("agent.run.context.time.monotonic", lambda: now[0])
    context = object.__new__(RunContext)
    context.settings = Settings(budget=Budget(explore_app_s=40, watchdog_s=300))
    context.started_s, context.exploring_since_s, context.stage = 1000.0, 1000.0, None
    context.paused_s, context.paused_since_s, context.thought_s, context.explored_ms = 0.0, None, 0.0, 10_000.0
    now[0] = 1290.0
    assert (context.seconds_left(), context.overdue()) == (30, False)
    context.paused_since_s, now[0] = 1290.0, 5290.0
    assert not context.overdue()
    context.paused_since_s, context.paused_s = None, 4000.0
    assert not context.overdue()
    now[0] = 5301.0
    assert (context.seconds_left(), context.overdue()) == (30, True)
    context.thought_s = 20.0
    assert not context.overdue()


def test_app_time_is_counted_over_stages() -> None:
    """A page that was opened again has a new clock; what the old one counted stays counted."""
    from types import SimpleNamespace  # noqa: PLC0415

    from configs.settings import Budget, Settings  # noqa: PLC0415

    class _Clock:
        at_ms = 5000.0

        def now_ms(self) -> float:
            return self.at_ms

    context = object.__new__(RunContext)
    context.settings = Settings(budget=Budget(explore_app_s=40))
    context.exploring_since_s, context.explored_ms, context.counted = 1.0, 0.0, None
    first, second = _Clock(), _Clock()
    context.stage = SimpleNamespace(clock=first)  # type: ignore[assignment]
    assert context.seconds_left() == 40
    first.at_ms = 15_000.0
    assert context.seconds_left() == 30
    context.stage = SimpleNamespace(clock=second)  # type: ignore[assignment]
    assert context.seconds_left() == 30
    second.at_ms = 9_000.0
    assert context.seconds_left() == 26
