"""Delta debugging over replays, with replays that only think."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.trials.delta_debugging import fewest


@pytest.mark.parametrize("needed", [set(), {0}, {3}, {0, 5}, {1, 2, 6}, set(range(8))])
async def test_what_is_not_needed_is_left_out(needed: set[int]) -> None:
    """Of nine steps just the needed ones and the last stay, in order."""

    async def shows(some: Sequence[int]) -> bool:
        return needed <= set(some)

    assert await fewest(list(range(9)), shows, lambda: True) == [*sorted(needed), 8]


async def test_it_stops_when_time_is_up() -> None:
    """No replay is begun after that, and what was shown last still stands."""
    tried: list[Sequence[int]] = []

    async def shows(some: Sequence[int]) -> bool:
        tried.append(some)
        return 6 in some and 1 in some

    kept = await fewest(list(range(9)), shows, lambda: len(tried) < 4)
    assert len(tried) == 4
    assert {1, 6, 8} <= set(kept)


async def test_a_single_step_is_left_alone() -> None:
    """Nothing to leave out: no replay."""

    async def shows(some: Sequence[int]) -> bool:
        raise AssertionError(some)

    assert await fewest([7], shows, lambda: True) == [7]
