"""Which claims of several votes mean one defect: by place, by the act or picture, by their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.attribution.signals import Key, Signal
from evaluator.record.naming import name_stem, stem

ALIKE = 0.5
"""Share of words that two claims must have in common to be one by their words alone."""
SOMEWHAT_ALIKE = 0.2
"""The same for claims about the result of one act, or on one picture."""
_WORDS = re.compile(r"[^\W_]{3,}|[\u3040-\u9fff]")


def tied(signals: Sequence[Signal], votes: Sequence[int]) -> list[Signal]:
    """The signals with keys that tie together those that mean one defect, and no others.

    Of different votes, by category and place, by one act or picture and some common words, or by most of their words. A vote that
    names two problems means two, unless place and words are the same.
    """
    ties: list[list[Key]] = [[("own", str(place))] for place in range(len(signals))]
    bags = [frozenset(_WORDS.findall(f"{one.title} {one.observed}".casefold())) for one in signals]
    for place, one in enumerate(signals):
        for before in range(place):
            other = signals[before]
            if other.category is not one.category:
                continue
            alike = len(bags[place] & bags[before]) / (len(bags[place] | bags[before]) or 1)
            placed = bool(_place(one)) and _place(one) == _place(other)
            acted = one.final is not None and one.final is other.final
            if votes[place] == votes[before]:
                same = placed and alike >= ALIKE
            else:
                near = acted or bool(_sights(one) & _sights(other))
                same = placed or alike >= ALIKE or (near and alike >= SOMEWHAT_ALIKE)
            if same:
                key: Key = ("same", str(before), str(place))
                ties[before].append(key)
                ties[place].append(key)
    return [replace(one, keys=tuple(keys)) for one, keys in zip(signals, ties, strict=True)]


def _sights(signal: Signal) -> frozenset[str]:
    """Rows of pictures, assertions and findings that a signal rests on."""
    return frozenset(row.id for row in (signal.row, *signal.more) if row.kind in {"screenshot", "assertion", "finding"})


def _place(signal: Signal) -> tuple[str, ...]:
    """What a signal is about, without positions; empty if it names nothing."""
    return (stem(signal.selector), name_stem(signal.name)) if signal.selector or signal.name else ()
