"""Two runs of a simulation from its beginning, alike but for one setting: they differ, or the setting is ignored.

Source: differential testing of two executions (McKeeman, 1998), with two runs of the same settings as the measure of chance.
"""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.labelled import figures
from agent.skills.controls import Kind, kind_of
from agent.words import folded, says
from tools.browser.marks import Observation

_SET = frozenset({Kind.range, Kind.number, Kind.select})
LEAST_FIGURES = 2
_SETTLES = re.compile(r"equilibri|équilibre|gleichgewicht|steady state|stationär|converge|settles|平衡|稳态|收敛", re.IGNORECASE)
"""Words of a simulation that comes to rest."""
_ALIKE = 1e-9


def states(page: Observation) -> dict[str, float]:
    """Figures of what runs: not those that a control sets, and not the time, which is the same in every run."""
    names = [folded(mark.name) for mark in page.marks if kind_of(mark) in _SET]
    return {
        label: value
        for label, value in figures(page).items()
        if not says("counter_time", label) and not says("record_figure", label) and not any(label in name for name in names)
    }


def packed(found: dict[str, float]) -> str:
    """Figures as a parameter: `value label`, one a line."""
    return "\n".join(f"{value!r} {label}" for label, value in found.items())


def unpacked(text: str) -> dict[str, float]:
    """What `packed` made."""
    pairs = (line.partition(" ") for line in text.splitlines())
    return {label: float(value) for value, _, label in pairs}


def differs(case: Case) -> Told:
    """At the end of a run at least one of two figures or more is another than at the end of the run before (`was`).

    All of them to the digit as before, at both ends of the setting's range: `input_ignored`. Told only where two runs without any
    change ended alike, which `repeat` says of each figure.
    """
    if _SETTLES.search(case.after.text):
        return Told(None, "it tends to a state that may be the same from wherever it begins", attempts=0)
    was, repeat, now = unpacked(case.word("was")), unpacked(case.word("repeat")), states(case.after)
    ran = [label for label in was if label in now and repeat.get(label) == 0.0]
    moved = states(case.before)
    ran = [label for label in ran if moved.get(label) != now[label]]
    if len(ran) < LEAST_FIGURES:
        return Told(None, "too few figures end alike in two runs alike", attempts=0)
    other = next((label for label in ran if abs(now[label] - was[label]) > _ALIKE), "")
    if other:
        return Told(True, f'"{other}" ends at {now[other]:g} instead of {was[other]:g}')
    shown = ", ".join(f'"{label}" {now[label]:g}' for label in ran[:3])
    return lack(case, "input_ignored", f"{case.word('name')} was set otherwise, and the run ends as before: {shown}")
