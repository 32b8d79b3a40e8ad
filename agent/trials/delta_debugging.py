"""The fewest steps that still show a failure: delta debugging over replays, within a budget of time.

Source: Zeller & Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28(2), 2002 (ddmin). The last step is the
one whose result is judged, so it always stays.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

S = TypeVar("S")


async def fewest(steps: Sequence[S], shows: Callable[[Sequence[S]], Awaitable[bool]], may_go_on: Callable[[], bool]) -> list[S]:
    """A shorter list of steps that still shows it, in order; the list itself where nothing can be left out or time is up.

    `shows` replays some steps. Each step that is left can, once the search was not cut short, not be left out alone.
    """
    last, rest = list(steps[-1:]), list(steps[:-1])
    parts = 1
    while rest and may_go_on():
        size = -(-len(rest) // parts)
        for start in range(0, len(rest), size):
            if not may_go_on():
                return [*rest, *last]
            without = [*rest[:start], *rest[start + size :]]
            if await shows([*without, *last]):
                rest, parts = without, max(parts - 1, 1)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(rest))
    return [*rest, *last]
