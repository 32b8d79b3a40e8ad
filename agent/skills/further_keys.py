"""A calculator's further keys: memory, brackets, powers, roots, factorials, the sign, and going on with a result.

Keys of one number come after it or before it, with `=` or at once: each way is tried, and only all of them together tell.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from agent.skills import keypads
from agent.skills.keypads import GOING
from agent.skills.survey import GENERAL, Candidate, Survey, because, candidate, expects
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark
from tools.evidence.rows import Outcome

BEGIN = 52.0


@dataclass(frozen=True)
class Trial:
    """Keys and what they have to show; `ways` differ in where the key stands. `asked`: only where the brief says so."""

    words: str
    result: float
    ways: tuple[tuple[str, ...], ...]
    asked: re.Pattern[str] | None = None


def _ways(number: str, key: str) -> tuple[tuple[str, ...], ...]:
    """`144 √`, `144 √ =`, `√ 144 =`, `√ 144 ) =`."""
    digits = tuple(number)
    return (*digits, key), (*digits, key, "="), (key, *digits, "="), (key, *digits, ")", "=")


_PRECEDENCE = re.compile(
    r"precedence|order of operations|operator priority|expression|运算优先|先乘除|优先级|表达式", re.IGNORECASE
)
_CHAIN = re.compile(
    r"\b(?:chain|carry on|go on with|continue with|previous result|last result|ans key)\b|继续计算|连续",
    re.IGNORECASE,
)
TRIALS = (
    Trial("memory", 12.0, (("1", "5", "m+", "clear", "3", "m-", "clear", "mr"),)),
    Trial("brackets parentheses 括号", 20.0, (("(", "2", "+", "3", ")", "*", "4", "="),)),
    Trial("order of operations 优先级", 14.0, (("2", "+", "3", "*", "4", "="),), _PRECEDENCE),
    Trial("result chain", 12.0, (("6", "+", "2", "=", "+", "4", "="),), _CHAIN),
    Trial("power exponent 幂", 81.0, (("3", "^", "4", "="),)),
    Trial("square root 根号", 12.0, _ways("144", "root")),
    Trial("square 平方", 81.0, _ways("9", "square")),
    Trial("factorial 阶乘", 120.0, _ways("5", "factorial")),
    Trial("sign negative plus minus 正负", -8.0, (("8", "sign"), ("sign", "8", "="))),
)


def propose(survey: Survey, keys: dict[str, Mark], known: Collection[str]) -> list[Candidate]:
    """The next key of the trial under way, or the first of the next one whose keys are all there.

    `known`: all keys there are; a key that recalls may be disabled while there is nothing to recall.
    """
    for trial in TRIALS:
        if trial.asked is not None and not trial.asked.search(survey.view.brief):
            continue
        ways = [way for way in trial.ways if set(way) <= set(known)]
        for way in ways:
            if any(one.held is not None for one in _told(survey, trial)):
                break
            pressed = len(keypads.pressed(survey, _skill(way), len(way)))
            if pressed < len(way) and way[pressed] in keys:
                return [_press(survey, keys, trial, way, pressed, len(ways))]
    return []


def _skill(way: tuple[str, ...]) -> str:
    return f"calculator {' '.join(way)}"


def _told(survey: Survey, trial: Trial) -> list[Outcome]:
    """What came of a trial so far."""
    skills = {_skill(way) for way in trial.ways}
    return [one for step in survey.steps if step.decision.skill in skills for one in step.outcomes if one.oracle == "equals"]


def _press(survey: Survey, keys: dict[str, Mark], trial: Trial, way: tuple[str, ...], place: int, ways: int) -> Candidate:
    match = survey.promise_about(trial.words, GENERAL | {"content"}, ("calculate",))
    if place == 0 and (first := keypads.clear_first(survey, keys, BEGIN + 1)):
        return first[0]
    spoken = " ".join(way)
    mark = keys[way[place]]
    why = because(match, survey, f"keys with a known result: {spoken} is {trial.result:g}")
    told = ()
    if place == len(way) - 1:
        text = f"{spoken} gives {trial.result:g}"
        told = (expects("equals", text, match.id, sum=spoken, value=trial.result, needs=ways, key=f"keys {trial.words}"),)
    priority = GOING if place else BEGIN + match.bonus / 4
    return candidate(priority, Click(target=Target.of(mark)), why, _skill(way), *told, checked=bool(told))
