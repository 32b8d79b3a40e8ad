"""A calculator's memory, brackets, powers and roots."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills import further_keys
from agent.skills.calculator import keypad
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import decided, mark, page, see, stepped
from tools.browser.actions import Click
from tools.browser.marks import Mark

GOES_ON = "It goes on with the last result."
PLAIN = ("7", "8", "9", "4", "5", "6", "1", "2", "3", "0", "+", "−", "×", "÷", "=", "C")


def keys_called(*more: str) -> tuple[Mark, ...]:
    """The keys of a calculator, with these besides."""
    return tuple(
        mark(name, at=(100.0 + 70 * (n % 6), 200.0 + 50 * (n // 6)), selector=f"#k{n}") for n, name in enumerate((*PLAIN, *more))
    )


def survey_of(keys: tuple[Mark, ...], steps: tuple[Step, ...], brief: str = "") -> Survey:
    """What is seen after some steps."""
    return see(*keys, steps=steps, brief=brief, text="0")


def played(keys: tuple[Mark, ...], shows: dict[str, str], brief: str = GOES_ON) -> list[tuple[str, bool | None]]:
    """Presses all that is proposed on a calculator that shows `shows` after a skill's last key; what was told of each."""
    steps: tuple[Step, ...] = ()
    told: list[tuple[str, bool | None]] = []
    shown = "0"
    for number in range(90):
        survey = survey_of(keys, steps, brief)
        pressable = keypad(survey.usable) or {}
        found = further_keys.propose(survey, pressable, pressable)
        if not found:
            return told
        decision = found[0].decision
        assert isinstance(decision.action, Click)
        done = any(one.oracle == "equals" for one in decision.expectations)
        now = shows.get(decision.skill.removeprefix("calculator "), f"reads {number}") if done else f"reads {number}"
        before, after = page(*keys, text=shown, number=2 * number), page(*keys, text=now, number=2 * number + 1)
        step = (
            stepped(decided(decision.action, skill=decision.skill), before, after, steps)
            if not done
            else stepped(decision, before, after, steps)
        )
        told += [(decision.skill, one.held) for one in step.outcomes if one.oracle == "equals"]
        steps, shown = (*steps, step), now
    raise AssertionError("there is no end to it")


def test_memory_takes_away_what_is_subtracted() -> None:
    """15 in, 3 out is 12; 18 is told as wrong. A calculator without such keys is asked only to go on with a result."""
    keys = keys_called("M+", "M−", "MR")
    skill = "1 5 m+ clear 3 m- clear mr"
    assert (f"calculator {skill}", True) in played(keys, {skill: "12", "6 + 2 = + 4 =": "12"})
    assert (f"calculator {skill}", False) in played(keys, {skill: "18", "6 + 2 = + 4 =": "12"})
    assert [name for name, _ in played(keys_called(), {"6 + 2 = + 4 =": "12"})] == ["calculator 6 + 2 = + 4 ="]


def test_a_root_may_stand_before_its_number() -> None:
    """Each way is tried until one is right; none right is a wrong result, told at the last."""
    keys, chain = keys_called("√"), {"6 + 2 = + 4 =": "12"}
    ways = [f"calculator {way}" for way in ("1 4 4 root", "1 4 4 root =", "root 1 4 4 =")]
    assert played(keys, {**chain, "root 1 4 4 =": "12"})[1:] == [(ways[0], None), (ways[1], None), (ways[2], True)]
    assert played(keys, chain)[1:] == [(ways[0], None), (ways[1], None), (ways[2], False)]


def test_the_order_of_operations_is_asked_for_where_the_brief_does() -> None:
    """Many a plain calculator works from left to right, and may."""
    keys, shows = keys_called(), {"2 + 3 * 4 =": "20", "6 + 2 = + 4 =": "12"}
    assert "calculator 2 + 3 * 4 =" not in dict(played(keys, shows))
    asked = dict(played(keys, shows, f"A calculator that respects operator precedence. {GOES_ON}"))
    assert asked["calculator 2 + 3 * 4 ="] is False
