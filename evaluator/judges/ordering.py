"""Partial orders: what several referees agree on when each orders the same things, without mixing their scores.

A referee puts one thing before another when their intervals do not overlap. Referees *share* a constraint when all of them that
rank both put it the same way; they *contradict* each other when one puts it the other way. What nobody can tell stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from evaluator.verdict.model import Interval

Pair = tuple[str, str]


@dataclass(frozen=True)
class Order:
    """What several referees' orders have in common. Pairs are (before, behind)."""

    things: tuple[str, ...]
    """Those that at least two referees rank."""
    shared: tuple[Pair, ...]
    contradicted: tuple[Pair, ...]
    """The first referee's way round."""
    open: tuple[Pair, ...]
    """Neither; in alphabetical order."""
    covering: tuple[Pair, ...]
    """The shared constraints that do not follow from others: the edges of the Hasse diagram."""

    @property
    def agreement(self) -> float | None:
        """Share of the pairs that all decide on which they agree, 0–1; None when they decide none."""
        decided = len(self.shared) + len(self.contradicted)
        return len(self.shared) / decided if decided else None


def order_of(scores: Mapping[str, Interval], least: float = 0.0) -> frozenset[Pair]:
    """The pairs one referee orders: the first's interval lies above the second's by more than `least` points."""
    return frozenset(
        (text, other)
        for text, above in scores.items()
        for other, below in scores.items()
        if text != other and above.low > below.high + least
    )


def common_order(referees: Mapping[str, Mapping[str, Interval]], least: float = 0.0) -> Order:
    """The orders of several referees, each a mapping from things to intervals, compared pair by pair."""
    orders = {name: order_of(scores, least) for name, scores in referees.items()}
    counts: dict[str, int] = {}
    for scores in referees.values():
        for thing in scores:
            counts[thing] = counts.get(thing, 0) + 1
    things = tuple(sorted(thing for thing, count in counts.items() if count > 1))
    shared: list[Pair] = []
    contradicted: list[Pair] = []
    undecided: list[Pair] = []
    for text, other in combinations(things, 2):
        ranking = [orders[name] for name, scores in referees.items() if text in scores and other in scores]
        forward = [(text, other) in order for order in ranking]
        backward = [(other, text) in order for order in ranking]
        if len(ranking) < 2 or not (any(forward) or any(backward)):
            undecided.append((text, other))
        elif any(forward) and any(backward):
            contradicted.append((text, other) if forward[0] or not backward[0] else (other, text))
        elif all(forward):
            shared.append((text, other))
        elif all(backward):
            shared.append((other, text))
        else:
            undecided.append((text, other))
    return Order(things, tuple(shared), tuple(contradicted), tuple(undecided), covering(shared))


def covering(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """The pairs of a partial order that do not follow from two others by way of a thing in between."""
    every = frozenset(pairs)
    things = {thing for pair in every for thing in pair}
    return tuple(
        sorted(
            (text, other)
            for text, other in every
            if not any((text, middle) in every and (middle, other) in every for middle in things - {text, other})
        )
    )
