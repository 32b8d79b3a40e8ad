"""What of a long way is repeated when there is no time for all of it."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.proof.prover import SECONDS_A_STEP, SECONDS_TO_OPEN, latest


@pytest.mark.parametrize(("fit", "first"), [(0, None), (4, 7), (10, 1), (30, 1)])
def test_its_end_is_kept(fit: int, first: int | None) -> None:
    """The steps right before the failure lead to it; those at the beginning are left out first."""
    steps: list[Step] = [object.__new__(Step) for _ in range(10)]
    kept = latest(steps, SECONDS_TO_OPEN + (fit + 0.5) * SECONDS_A_STEP)
    assert len(kept) == min(fit, 10)
    assert not kept or (first is not None and kept[0] is steps[first - 1] and kept[-1] is steps[-1])


def test_no_time_leaves_nothing() -> None:
    """Past the deadline nothing is begun."""
    assert latest([object.__new__(Step)], -4.0) == []
