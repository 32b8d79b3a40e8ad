"""What a thing is to begin with (`Start level`, `Initial speed`): once begun, the figure of that name is the one chosen."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told
from agent.skills.checks.labelled import figures
from agent.skills.controls import Kind, kind_of
from agent.words import folded
from tools.browser.marks import Mark, Observation

_BEGINS = re.compile(
    r"^(?:start(?:ing)?|initial|begin(?:ning)?)\s+(?P<what>[a-z][a-z ]{2,20}?):?$|^(?:起始|初始|开始)(?P<zh>.{1,6}?)[:：]?$"
)
_SET = frozenset({Kind.select, Kind.number, Kind.range})


def sets_the_beginning(mark: Mark) -> bool:
    """Whether a control is called after what is begun with."""
    return kind_of(mark) in _SET and _BEGINS.match(folded(mark.name)) is not None


def chosen_to_begin(page: Observation) -> tuple[str, float] | None:
    """`(the figure's name, what was chosen for it)`, where one control sets what is begun with and holds a number."""
    found: list[tuple[str, float]] = []
    for mark in page.marks:
        said = _BEGINS.match(folded(mark.name)) if kind_of(mark) in _SET else None
        try:
            value = float(mark.value) if said is not None else None
        except ValueError:
            continue
        if said is not None and value is not None:
            found.append((said["what"] or said["zh"], value))
    return found[0] if len(found) == 1 else None


def begins_with(case: Case) -> Told:
    """The figure called `label` is `value` once it has begun. Another one: `state_not_updated`."""
    label, value = case.word("label"), case.number("value")
    before, after = figures(case.before).get(label), figures(case.after).get(label)
    if after is None or not (case.changes.text or case.changes.dom or case.after.moving > 0):
        return Told(None, "no figure of that name is shown, or nothing began", attempts=0)
    if after == value:
        return Told(True, f'"{label}" is {after:g}, as was chosen')
    if before is not None and before == value:
        return Told(None, "it went on from there", attempts=0)
    return Told(False, f'"{label}" is {after:g}, though {value:g} was chosen to begin with', "state_not_updated", attempts=2)
