"""Timers: the rate of a shown clock against app time, and modes whose minutes the brief names."""

from __future__ import annotations

import pytest

from agent.skills import timers
from agent.skills.timers import minutes_asked
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell
from tools.browser.actions import Wait

START = mark("Start")


@pytest.mark.parametrize(("later", "held"), [("24:55", True), ("24:54", True), ("24:45", None), ("24:58", None), ("25:00", None)])
def test_a_clock_runs_as_app_time_does(later: str, held: bool | None) -> None:
    """Five seconds of app time are five seconds on the clock; another rate is told at the second watch only."""
    before, after = page(START, text="25:00"), page(START, text=later, number=5)
    assert tell(Wait(ms=5200), before, after, "ticks", rate=1.0, key="w").held is held


def test_a_wrong_rate_is_told_at_the_second_watch() -> None:
    """Three times too fast, twice."""
    first = did(decided(Wait(ms=5200), "ticks", rate=1.0, key="w"), page(text="25:00"), page(text="24:45", number=5))
    second = tell(
        Wait(ms=5200), page(text="24:45", number=5), page(text="24:30", number=10), "ticks", (first,), rate=1.0, key="w"
    )
    assert (second.held, second.symptom) == (False, "wrong_result")


@pytest.mark.parametrize(
    ("brief", "name", "minutes"),
    [
        ("focus (25 min), short break (5 min) and long break (15 min)", "Short break", 5),
        ("a 25-minute focus and a pause", "Focus", 25),
        ("专注25分钟，短休息 5 分钟", "短休息", 5),
        ("five buttons and 3 colours", "Start", None),
        ("a timer of 5 minutes", "Reset", None),
    ],
)
def test_minutes_of_a_mode_are_read_from_the_brief(brief: str, name: str, minutes: float | None) -> None:
    """In either order, in English and Chinese; nothing is read where nothing is said."""
    assert minutes_asked(brief, name) == minutes


def test_a_mode_must_show_its_minutes() -> None:
    """The right time holds; another one that this act brought is wrong."""
    brief = "A Pomodoro timer with focus (25 min) and short break (5 min)"
    short = mark("Short break", checked=False)
    survey = see(short, START, brief=brief, text="25:00")
    told = next(one for one in timers.propose(survey) if one.decision.skill == "choose a timer's mode").decision
    assert told.expectations[0].params["minutes"] == 5
    before = page(short, START, text="25:00")
    assert tell(on(short), before, page(short, START, text="05:00", number=1), "shows_duration", minutes=5.0).held is True
    wrong = tell(on(short), before, page(short, START, text="15:00", number=1), "shows_duration", minutes=5.0)
    assert (wrong.held, wrong.symptom) == (False, "wrong_result")
