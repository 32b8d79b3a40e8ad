"""The class that a body mass index falls into, by the limits of the WHO or those used in China and India."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.formulas import body_mass_index
from agent.words import folded, numbers
from tools.browser.marks import Observation

_CLASSES = (
    ("underweight", re.compile(r"\bunderweight\b|\bthin(?:ness)?\b|偏瘦|过轻|体重不足|消瘦"), 0.0, 18.5),
    ("normal", re.compile(r"\bnormal\b|\bhealthy\b|正常|健康体重|标准体重"), 18.5, 25.0),
    ("overweight", re.compile(r"\boverweight\b|\bpre-?obes\w+\b|超重|偏胖|过重"), 23.0, 30.0),
    ("obese", re.compile(r"\bobes(?:e|ity)\b|肥胖"), 25.0, 1000.0),
)
"""Limits are as far apart as any of the usual tables has them."""
_RANGE = re.compile(r"\d\s*(?:–|-|—|~|to|至|到)\s*\d|[<>≤≥]|\bbelow\b|\babove\b|\bfor this\b|\brange\b|以下|以上|范围")
EDGE, WITHIN = 0.2, 0.06


def class_agrees(case: Case) -> Told:
    """The class that stands by the index is its own. Another one: `state_not_updated` if it stood there before, told twice."""
    index = body_mass_index(case.after)
    found = _class_by(case.after, index) if index else None
    if index is None or found is None:
        return Told(None, "no class of a body mass index is shown", attempts=0)
    shown, name = found
    _, _, low, high = next(one for one in _CLASSES if one[0] == name)
    if low - EDGE <= shown <= high + EDGE:
        return Told(True, f'{shown:g} is called "{name}"')
    before = body_mass_index(case.before)
    was = _class_by(case.before, before) if before else None
    if was is not None and was[0] == shown:
        return Told(None, "the index is as before", attempts=0)
    stayed = was is not None and was[1] == name
    symptom = "state_not_updated" if stayed else "wrong_result"
    return lack(case, symptom, f'the index is {shown:g}, and it is called "{name}"', needs=1)


def names_classes(page: Observation) -> bool:
    """Whether a page says of an index that it shows which class it falls into."""
    index = body_mass_index(page)
    return index is not None and _class_by(page, index) is not None


def _class_by(page: Observation, right: tuple[float, ...] | None) -> tuple[float, str] | None:
    """The index as it is shown and the one class that stands on its line or the next; None where none does, or several."""
    lines = [line for line in (folded(raw) for raw in page.text.splitlines()) if line]
    for place, line in enumerate(lines):
        told = numbers(line)
        if len(told) != 1 or _RANGE.search(line) or not any(abs(told[0] - one) <= WITHIN for one in right or ()):
            continue
        beyond = "\n".join(text for text in lines[place + 2 : place + 3] if not _RANGE.search(text))
        legend = any(words.search(beyond) for _, words, _, _ in _CLASSES)
        for text in (line, *(() if legend else lines[place + 1 : place + 2])):
            names = [name for name, words, _, _ in _CLASSES if words.search(text)]
            if len(names) == 1 and not _RANGE.search(text):
                return told[0], names[0]
    return None
