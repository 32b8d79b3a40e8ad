"""From a fresh page to a failure: the acts that someone has to repeat to see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.record.naming import clean
from evaluator.record.sealed import Act, Reading


@dataclass(frozen=True)
class Route:
    """How one comes to a sighting."""

    words: tuple[str, ...] = ()
    """Every act from a fresh page on."""
    acts: tuple[Act, ...] = ()
    """Those of them that the ledger holds: the way to where a trial begins is told in words only."""


def route(reading: Reading, acts: Sequence[Act]) -> Route:
    """From a fresh page to what these acts show.

    The way of the first of their trials, in words, then, trial by trial in the order of their last named act, what was done in it
    up to that act. Acts that were not delivered are left out unless they are named.
    """
    last: dict[str, int] = {}
    for act in acts:
        known = act.trial.id if act.trial is not None else act.row.id
        last[known] = max(last.get(known, -1), act.number)
    chain: list[Act] = []
    way: tuple[str, ...] = ()
    for trial_id, until in sorted(last.items(), key=lambda entry: entry[1]):
        trial = reading.trial(trial_id)
        if trial is None:
            chain += [act for act in acts if act.row.id == trial_id]
            continue
        way = way if chain else trial.way
        named = {act.number for act in acts}
        chain += [act for act in trial.acts if act.number <= until and (act.delivered or act.number in named)]
    return Route((*map(clean, way), *(clean(act.words) for act in chain)), tuple(chain))
