"""How the exploration and the proofs share the time of a run."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from agent.context import RunContext
from agent.proving import within_s
from configs.settings import Budget, Settings


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock that budgets are counted by; set its only entry."""
    at = [1000.0]
    monkeypatch.setattr("agent.context.time.monotonic", lambda: at[0])
    return at


def exploring(budget: Budget, *held: bool | None) -> RunContext:
    """A run that began to explore at 1000, whose oracles said so much so far."""
    context = object.__new__(RunContext)
    context.settings = Settings(budget=budget)
    context.started_s, context.exploring_since_s = 1000.0, 1000.0
    context.notebook = SimpleNamespace(steps=[SimpleNamespace(outcomes=[SimpleNamespace(held=one) for one in held])])  # type: ignore[assignment]
    return context


def test_without_a_suspicion_half_the_time_for_proofs_is_the_explorations(now: list[float]) -> None:
    """What holds, or can't be told, wants no proof; what the exploration took of their time, the proofs have less."""
    context = exploring(Budget(prove_s=25), True, None)
    now[0] = 1040.0
    assert context.seconds_left() == 17.5
    assert context.spare_s() == 5
    now[0] = 1055.0
    assert context.seconds_left() == 2.5
    context.end_exploration()
    now[0] = 1070.0
    assert context.spare_s() == -10


def test_sealing_takes_nothing_of_the_time_for_proofs(now: list[float]) -> None:
    """An exploration that ended in time leaves the proofs all of theirs, however long the film takes to be made."""
    context = exploring(Budget(prove_s=25), False)
    now[0] = 1045.0
    context.end_exploration()
    now[0] = 1060.0
    assert context.spare_s() == 0


def test_a_suspicion_ends_it(now: list[float]) -> None:
    """Past its own time the exploration ends with the first that wants a proof."""
    context = exploring(Budget(prove_s=25), True, False)
    now[0] = 1040.0
    assert context.seconds_left() == 5
    now[0] = 1050.0
    assert context.seconds_left() == 0


def test_what_somebody_has_set_is_obeyed(now: list[float]) -> None:
    """Who asks for 45 s gets 45 s."""
    context = exploring(Budget(explore_s=45, prove_s=25), True)
    now[0] = 1040.0
    assert context.seconds_left() == 5


def test_the_whole_runs_limit_holds(now: list[float]) -> None:
    """Nothing is lent past the total."""
    context = exploring(Budget(total_s=50, prove_s=25), True)
    now[0] = 1040.0
    assert context.seconds_left() == 5


def test_proofs_end_in_time_for_the_report() -> None:
    """By the run's own clock: what a model thought and a person paused is not counted."""
    context = exploring(Budget())
    assert within_s(context, 84.0) == 1084.0
    context.thought_s, context.paused_s = 30.0, 5.0
    assert within_s(context, 84.0) == 1119.0


@pytest.mark.parametrize("budget", [Budget(explore_s=45), Budget(prove_s=120)])
def test_who_sets_a_time_gets_it_for_proofs_too(budget: Budget) -> None:
    """Only a run whose times nobody set is made to end soon."""
    assert within_s(exploring(budget), 84.0) == math.inf


def test_proving_again_is_not_hurried_by_a_run_that_is_over() -> None:
    """Where nothing is explored, the time asked for is all there is."""
    context = exploring(Budget())
    context.exploring_since_s = None
    assert within_s(context, 84.0) == math.inf
