"""Calculators: press real sums on the keys and expect their results on the display."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills import further_keys, keypads
from agent.skills.controls import Kind, kind_of
from agent.skills.keypads import GOING
from agent.skills.survey import GENERAL, Candidate, Survey, because, candidate, expects
from agent.words import folded, lexicon
from tools.browser.actions import Click, Press, Target
from tools.browser.marks import Mark

START = 78.0
SUMS = (("7+8", 15.0), ("9.5-4", 5.5), ("9-4", 5.0), ("9/2", 4.5), ("6+C9*2", 18.0), ("9*6", 54.0))
"""Sums, the operator most asked for first; results that are no digit cannot be mistaken for a key's label. `C` in one clears what
is under way: nothing of it may be left. A sum whose operator was tried already is for keypads that lack the other one's keys."""
OPERATORS_FIRST = 3
"""Operators that are tried before a division by zero that the brief speaks of."""
_BY_ZERO = re.compile(r"divi\w+ by (?:0|zero)|zero division|除以(?:0|零)|除零|除数", re.IGNORECASE)
_WORDS = {"+": "addition 加法", "-": "subtraction 减法", "*": "multiplication 乘法", "/": "division 除法"}
_KEYS = {"C": "clear"}
_NAMES = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}


def propose(survey: Survey) -> list[Candidate]:
    """The next key of the sum under way, or the first of the next sum."""
    keys = keypad(survey.usable)
    if keys is None:
        return []
    done: set[str] = set()
    for sum_text, result in SUMS:
        wanted = [_KEYS.get(sign, sign) for sign in f"{sum_text}="]
        operator = next(sign for sign in reversed(sum_text) if sign in _NAMES)
        if not set(wanted) <= set(keys) or (operator in done and not _presses(survey, sum_text)):
            continue
        done.add(operator)
        presses = _presses(survey, sum_text)
        if len(presses) < len(wanted):
            if not presses and len(done) > OPERATORS_FIRST and (asked := _by_zero(survey, keys)):
                return asked  # the brief names it; another sum of the same kind it does not
            return [_press(survey, keys, sum_text, result, wanted[len(presses)], going=bool(presses))]
    return [
        *_by_keyboard(survey, keys),
        *_by_zero(survey, keys),
        *further_keys.propose(survey, keys, keypad(survey.now.marks) or keys),
    ]


def _by_zero(survey: Survey, keys: dict[str, Mark]) -> list[Candidate]:
    """A division by zero, where the brief says what comes of it: an error, and no figure."""
    wanted = ["8", "/", "0", "="]
    pressed = keypads.pressed(survey, "calculator 8/0", len(wanted))
    if not _BY_ZERO.search(survey.view.brief) or not set(wanted) <= set(keys) or len(pressed) >= len(wanted):
        return []
    if not pressed and (first := keypads.clear_first(survey, keys, START + 1)):
        return first
    match = survey.promise_about("division by zero error 除以零 错误", GENERAL | {"content"})
    key = wanted[len(pressed)]
    told = () if key != "=" else (expects("says_error", "dividing by zero is called an error", match.id, key="by zero"),)
    act = Click(target=Target.of(keys[key]))
    why = because(match, survey, "a division by zero")
    return [candidate(GOING if pressed else START, act, why, "calculator 8/0", *told, checked=False)]


def _by_keyboard(survey: Survey, keys: dict[str, Mark]) -> list[Candidate]:
    """A sum typed on the keyboard, where the brief promises that or the page listens for keys: 9 + 3 is 12."""
    match = survey.promise_of("keyboard")
    listens = bool({"keydown", "keypress", "keyup"} & set(survey.now.listens))
    times = survey.count("calculator by keyboard")
    if not (match.id or listens) or times >= 2 or any(_held(step) for step in survey.steps):
        return []
    if times == 0 and (first := keypads.clear_first(survey, keys, START)):
        return first
    told = expects(
        "text_contains", "9 + 3 typed on the keyboard gives 12", match.id, text="12", symptom="keyboard_ignored", key="typed sum"
    )
    given = () if listens and not match.id else (told,)
    return [
        candidate(
            START, Press(keys=("9", "+", "3", "Enter")), "the keyboard works as the keys do", "calculator by keyboard", *given
        )
    ]


def _held(step: Step) -> bool:
    return step.decision.skill == "calculator by keyboard" and any(told.held is not None for told in step.outcomes)


def keypad(marks: tuple[Mark, ...]) -> dict[str, Mark] | None:
    """Keys of a calculator by what they are (`7`, `+`, `=`, `clear`); None where there is no calculator."""
    keys: dict[str, Mark] = {}
    for mark in marks:
        if kind_of(mark) not in (Kind.button, Kind.other):
            continue
        name = folded(mark.name)
        key = name if len(name) == 1 and name.isdigit() else lexicon().calculator.get(name, "")
        if key:
            keys.setdefault(key, mark)
    digits = sum(1 for key in keys if key.isdigit())
    return keys if digits >= 9 and "=" in keys and any(operator in keys for operator in "+-*/") else None


def _presses(survey: Survey, sum_text: str) -> list[str]:
    """Keys of a sum delivered so far, the last of them `=`."""
    return keypads.pressed(survey, f"calculator {sum_text}", len(sum_text) + 1)


def _press(survey: Survey, keys: dict[str, Mark], sum_text: str, result: float, key: str, *, going: bool) -> Candidate:
    follows = survey.last is not None and survey.last.decision.skill.startswith("calculator ")
    if not going and follows and (first := keypads.clear_first(survey, keys, GOING)):
        return first[0]
    mark = keys[key]
    operator = next(sign for sign in sum_text if sign in _NAMES)
    match = survey.promise_about(_WORDS[operator], GENERAL, ("calculate",))
    spoken = sum_text.replace("C", ", cleared, ").replace(operator, f" {_NAMES[operator]} ")
    why = because(match, survey, f"a sum with a known result: {spoken} is {result:g}")
    if key == "=":
        told = expects("equals", f"{spoken} gives {result:g}", match.id, sum=sum_text, value=result, key=sum_text)
    else:
        told = expects("responds", f'the key "{mark.name}" has an effect')
    priority = GOING if going else START + match.bonus / 4
    return candidate(priority, Click(target=Target.of(mark)), why, f"calculator {sum_text}", told)
