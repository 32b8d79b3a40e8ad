"""The fewest steps that still show a failure: delta debugging over replays, within a budget that the caller keeps.

Source: Zeller & Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28(2), 2002: ddmin's reduction to
complements. Subsets are not tried: a failure of a page hardly ever shows without most of what led to it. The last step is the one
whose result is judged, so it always stays.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

S = TypeVar("S")


async def fewest(
    steps: Sequence[S], still_fails: Callable[[Sequence[S]], Awaitable[bool]], within_budget: Callable[[], bool]
) -> list[S]:
    """A shorter list of steps that still fails, in order; the list itself where nothing can be left out or the budget is used.

    `still_fails` replays some steps. Unless the search was cut short, the failure is gone as soon as any single one of the steps
    that remain, the last one aside, is left out.
    """
    last, rest = list(steps[-1:]), list(steps[:-1])
    parts = 1
    while rest and within_budget():
        size = -(-len(rest) // parts)
        for start in range(0, len(rest), size):
            if not within_budget():
                return [*rest, *last]
            without = [*rest[:start], *rest[start + size :]]
            if await still_fails([*without, *last]):
                rest, parts = without, max(parts - 1, 1)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(rest))
    return [*rest, *last]
