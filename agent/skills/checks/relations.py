"""What follows what, and which way: a longer pendulum swings more slowly, drag takes energy away.

The relations are textbook ones (`configs/relations.toml`), found by the names of a control and of the figures on the page.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.labelled import figures
from agent.words import Phrases, keywords, says
from tools.browser.marks import Mark, Observation

MOST_OTHER_WORDS = 2
"""Words a control's name may have beside the cause: "Initial speed of the ball", not a sentence."""
_UNIT = re.compile(r"[(（\[][^)）\]]*[)）\]]|\b(?:per|an?|each|every)\s+\w+|/\s*\w+|每[年月日]", re.IGNORECASE)
"""What a name says of its unit: a rate per year is no number of years."""
GROWS = 1.03
"""Energy shown rounded may wander; a growth of more than this share is none of rounding."""


@dataclass(frozen=True)
class Relation:
    """One line of the file; `rises`: the effect goes up where the cause does."""

    cause: Phrases
    effect: Phrases
    rises: bool


@cache
def relations() -> tuple[Relation, ...]:
    """The relations that ship with Assay."""
    told = tomllib.loads((files("configs") / "relations.toml").read_text(encoding="utf-8"))["relation"]
    return tuple(
        Relation(Phrases({"cause": one["cause"]}), Phrases({"effect": one["effect"]}), one["way"] == "up") for one in told
    )


def related(mark: Mark) -> tuple[Relation, ...]:
    """Relations whose cause a control is, by its name; of "simulation speed" and the like none."""
    words = [word for word in keywords(mark.name) if word.isalpha()]
    if says("pace", mark.name) or len(words) > MOST_OTHER_WORDS + 2:
        return ()
    return tuple(one for one in relations() if one.cause.within(_UNIT.sub(" ", mark.name)))


def live_figures(before: Observation, after: Observation) -> tuple[str, ...]:
    """Labels of the figures that changed between two observations."""
    one, other = figures(before), figures(after)
    return tuple(label for label, value in one.items() if label in other and other[label] != value)


def as_named(case: Case) -> Told:
    """A figure that is known to depend on a control goes the known way when the control is moved.

    Twice against it: `wrong_result`. A figure that follows other controls at once (`live`: its label), but not this one, is
    `state_not_updated`. Of a page that moves by itself only such figures tell as were seen to stand while it ran (`still`).
    """
    moved, still = _moved(case), set(case.word("still").splitlines())
    if moved is None or (case.moved_before and not still):
        return Told(None, "the control did not move, or the page runs by itself", attempts=0)
    live = set(case.word("live").splitlines())
    told = list(_told(case, moved, live, still if case.moved_before else None))
    wrong = next((one for one in told if one.held is None and one.attempts), None) or next(
        (one for one in told if one.held is False), None
    )
    return wrong or next(iter(told), Told(None, "no figure is shown that is known to depend on it", attempts=0))


def _told(case: Case, moved: float, live: set[str], among: set[str] | None) -> Iterator[Told]:
    before, after, mark = figures(case.before), figures(case.after), case.mark
    for one in related(mark) if mark is not None else ():
        for label in before:
            if (among is None or label in among) and label in after and one.effect.within(label) and not one.cause.within(label):
                yield from _of_figure(case, one, label, (before[label], after[label]), moved, live=label in live)


def _of_figure(case: Case, one: Relation, label: str, values: tuple[float, float], moved: float, *, live: bool) -> Iterator[Told]:
    """What one figure did when the control was moved."""
    name, change = case.mark.name if case.mark is not None else "", values[1] - values[0]
    said = f'"{label}" went from {values[0]:g} to {values[1]:g}'
    if change == 0:
        if live:
            yield lack(case, "state_not_updated", f'"{label}" does not follow "{name}": it stays {values[1]:g}')
    elif (change > 0) == ((moved > 0) == one.rises):
        yield Told(True, said)
    else:
        way = "raised" if moved > 0 else "lowered"
        yield lack(case, "wrong_result", f'{said} when "{name}" was {way}')


def _moved(case: Case) -> float | None:
    """How far the control was moved; None where that cannot be read."""
    if case.mark is None or case.mark_after is None:
        return None
    try:
        moved = float(case.mark_after.value) - float(case.mark.value)
    except ValueError:
        return None
    return moved or None


def energy_falls(case: Case) -> Told:
    """With friction or drag the energy shown does not grow by itself, in two watches: `wrong_result`."""
    before, after = figures(case.before), figures(case.after)
    labels = [label for label in before if label in after and says("total_energy", label) and not says("part_energy", label)]
    if len(labels) != 1:
        return Told(None, "no energy is shown", attempts=0)
    one, other = before[labels[0]], after[labels[0]]
    if one <= 0 or other == one:
        return Told(None, "the energy shown stays", attempts=0)
    if other < one * GROWS:
        return Told(True, f'"{labels[0]}" {one:g} became {other:g}')
    return lack(case, "wrong_result", f'"{labels[0]}" grew from {one:g} to {other:g} although something slows it down')
