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
    bags = [frozenset(_WORDS.findall(f"{each_signal.title} {each_signal.observed}".casefold())) for each_signal in signals]
    for place, signal in enumerate(signals):
        for before in range(place):
            other = signals[before]
            if other.category is not signal.category:
                continue
            alike = len(bags[place] & bags[before]) / (len(bags[place] | bags[before]) or 1)
            placed = bool(_place(signal)) and _place(signal) == _place(other)
            acted = signal.final is not None and signal.final is other.final
            if votes[place] == votes[before]:
                same = placed and alike >= ALIKE
            else:
                near = acted or bool(_sights(signal) & _sights(other))
                same = placed or alike >= ALIKE or (near and alike >= SOMEWHAT_ALIKE)
            if same:
                key: Key = ("same", str(before), str(place))
                ties[before].append(key)
                ties[place].append(key)
    return [replace(each_signal, keys=tuple(keys)) for each_signal, keys in zip(signals, ties, strict=True)]


def _sights(signal: Signal) -> frozenset[str]:
    """Rows of pictures, assertions and findings that a signal rests on."""
    return frozenset(row.id for row in (signal.row, *signal.more) if row.kind in {"screenshot", "assertion", "finding"})


def _place(signal: Signal) -> tuple[str, ...]:
    """What a signal is about, without positions; empty if it names nothing."""
    return (stem(signal.selector), name_stem(signal.name)) if signal.selector or signal.name else ()
