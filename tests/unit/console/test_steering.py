"""A person's wishes, and what becomes of them."""

from __future__ import annotations

import asyncio

import pytest

from agent.context import RunContext
from agent.steering import HINT_LIMIT, Steering


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
    monkeypatch.setattr("agent.steering.LONGEST_PAUSE_S", 0.02)
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


def test_no_budget_runs_in_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the exploration's nor the whole run's, during the pause and after it."""
    from configs.settings import Budget, Settings  # noqa: PLC0415

    now = [1000.0]
    monkeypatch.setattr("agent.context.time.monotonic", lambda: now[0])
    context = object.__new__(RunContext)
    context.settings = Settings(budget=Budget(explore_s=40, total_s=300))
    context.started_s, context.exploring_since_s = 1000.0, 1000.0
    context.paused_s, context.paused_since_s = 0.0, None
    now[0] = 1010.0
    assert context.seconds_left() == 30
    context.paused_since_s, now[0] = 1010.0, 5010.0
    assert context.seconds_left() == 30
    context.paused_since_s, context.paused_s = None, 4000.0
    now[0] = 5015.0
    assert context.seconds_left() == 25
