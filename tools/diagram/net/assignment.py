"""One decision for all lines of a connected piece of the net: which ways between its ends are lines.

Every end belongs to a line and every stretch of ink to one; an end or a stretch may serve several (lines that share a trunk), at
a price. The cheapest choice of ways is an integer program, solved exactly by branch and bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Key = tuple[int, int]
"""The two ends of a way, the smaller number first."""
Way = tuple[float, tuple[int, ...]]
"""What a way's turns cost, and the arcs it runs along."""

_UNUSED = 5.0
"""Price of an end that no line has; the unit is that of a way's turns: 1 at 30 degrees."""
_EXTRA = 2.5
"""Price of each further line at one end."""
_BARE = 4.0
_BARE_A_GLYPH = 0.1
_MOST_BARE = 7.0
"""Price of a stretch that no line runs along: by its length, up to the last."""
_DOUBLE_A_GLYPH = 0.04
_MOST_DOUBLE = 1.0
"""Price of each further line along one stretch."""
_TWO_HEADS, _NO_HEAD = 3.5, 2.0
_LENT = -0.5
"""Price instead of that for two heads where one is another line's that ends there, too: bundles are made of such lines."""
_DEAREST = 12.0
_WAYS_AN_END = 14
_LONG_GLYPHS = 1.5
_MOST_NODES = 4000
"""Nodes of the search tree after which the best choice found so far stands: a bound that does not depend on the machine."""


def assigned(
    ends: list[int],
    ways: Mapping[Key, Way],
    heads: set[int],
    lengths: Mapping[int, float],
    glyph: float,
    plain: float | None = None,
) -> list[Key] | None:
    """The ways that are lines; `None` if the search ended without an answer.

    `heads`: the ends that carry a head; `lengths`: pixels of each arc of the piece; `plain`: what a line without a head costs
    in this picture if heads are about, if that is known.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    keys = _candidates(ends, ways, heads, plain)
    if not keys:
        return []
    arcs = sorted({n for key in keys for n in ways[key][1] if lengths[n] >= _LONG_GLYPHS * glyph})
    count, tasks = len(keys), len(ends) + len(arcs)
    # Of each end and each arc: how many ways use it, less the surplus, plus one if it is left out, is one.
    uses = np.zeros((tasks, count + 2 * tasks))
    for column, key in enumerate(keys):
        for end in key:
            uses[ends.index(end), column] = 1
        for number in set(ways[key][1]) & set(arcs):
            uses[len(ends) + arcs.index(number), column] = 1
    uses[:, count : count + tasks] = np.eye(tasks)
    uses[:, count + tasks :] = -np.eye(tasks)
    sizes = np.array([lengths[number] for number in arcs]) / glyph
    bare = np.minimum(_BARE + _BARE_A_GLYPH * sizes, _MOST_BARE)
    double = np.minimum(_DOUBLE_A_GLYPH * sizes, _MOST_DOUBLE)
    prices = [ways[key][0] + _unlikely(key, ends, heads, plain) for key in keys]
    lending = _lending(keys, heads)
    loans = lending.shape[1] - count
    costs = np.concatenate((prices, np.full(len(ends), _UNUSED), bare, np.full(len(ends), _EXTRA), double))
    costs = np.concatenate((costs, np.full(loans, _LENT - _TWO_HEADS)))
    upper = np.concatenate((np.ones(count + tasks), np.full(tasks, np.inf), np.ones(loans)))
    whole = np.concatenate((np.ones(count), np.zeros(2 * tasks + loans)))
    limits = [LinearConstraint(np.hstack((uses, np.zeros((tasks, loans)))), 1, 1)]
    if loans:
        apart = np.zeros((len(lending), 2 * tasks))
        limits.append(LinearConstraint(np.hstack((lending[:, :count], apart, lending[:, count:])), -np.inf, 0))
    within = Bounds(0, cast("Any", upper))
    found = milp(costs, integrality=whole, bounds=within, constraints=limits, options={"node_limit": _MOST_NODES})
    answer: NDArray[np.float64] | None = found.x
    return None if answer is None else [key for key, taken in zip(keys, answer[:count], strict=True) if taken > 0.5]


def _lending(keys: list[Key], heads: set[int]) -> NDArray[np.float64]:
    """Rows that must not be above zero, over the ways and over the loans: two of each way with two heads, one an end.

    Of such a way one head at most is lent, and only if it is taken; a head is lent where another way that has its own is taken.
    """
    two = [index for index, key in enumerate(keys) if set(key) <= heads]
    loans = [(index, end) for index in two for end in keys[index]]
    rows = np.zeros((len(two) + len(loans), len(keys) + len(loans)))
    for row, index in enumerate(two):
        rows[row, index] = -1
        rows[row, [len(keys) + at for at, loan in enumerate(loans) if loan[0] == index]] = 1
    for at, (borrower, end) in enumerate(loans):
        row = len(two) + at
        rows[row, len(keys) + at] = 1
        rows[row, [index for index, key in enumerate(keys) if end in key and index != borrower]] = -1
        # A way whose own head there is lent has none to lend.
        rows[row, [len(keys) + n for n, loan in enumerate(loans) if loan[1] == end and loan[0] != borrower]] = 1
    return rows


def _candidates(ends: list[int], ways: Mapping[Key, Way], heads: set[int], plain: float | None) -> list[Key]:
    """The cheapest ways of each end."""
    kept: set[Key] = set()
    for end in ends:
        own = sorted((ways[key][0] + _unlikely(key, ends, heads, plain), key) for key in ways if end in key)
        kept |= {key for price, key in own[:_WAYS_AN_END] if price < _DEAREST}
    return sorted(kept)


def _unlikely(key: Key, ends: list[int], heads: set[int], plain: float | None) -> float:
    """What it costs that a way has two heads, or none where heads are about."""
    if key[0] in heads and key[1] in heads:
        return _TWO_HEADS
    if key[0] in heads or key[1] in heads or not heads & set(ends):
        return 0.0
    usual = _NO_HEAD if 3 * len(heads & set(ends)) >= len(ends) else 0.0
    return usual if plain is None else max(usual, plain)
