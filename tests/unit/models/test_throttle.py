"""Adaptive concurrency: up by one a round, down by half when crowded."""

from __future__ import annotations

import asyncio

from tools.models.throttle import Throttle


async def test_never_more_at_once_than_the_limit() -> None:
    """Of eight that want to go, three do at a time."""
    throttle, running, most = Throttle(start=3, most=3), 0, 0

    async def one() -> None:
        nonlocal running, most
        async with throttle.turn():
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

    await asyncio.gather(*(one() for _ in range(8)))
    assert most == 3


async def test_requests_sent_together_halve_the_limit_once() -> None:
    """Four refusals of one crowd are one sign."""
    throttle = Throttle(start=8, most=16)
    async with throttle.turn() as first, throttle.turn() as second:
        throttle.crowded(first)
        throttle.crowded(second)
    assert throttle.limit == 4
    async with throttle.turn() as later:
        throttle.crowded(later)
    assert throttle.limit == 2


def test_a_round_of_successes_admits_one_more() -> None:
    """Additive increase, up to the most."""
    throttle = Throttle(start=4, most=5)
    for _ in range(4):
        throttle.went_well()
    assert 4.8 < throttle.limit <= 5
    for _ in range(50):
        throttle.went_well()
    assert throttle.limit == 5


def test_at_least_one_goes() -> None:
    """A crowded endpoint is not given up."""
    throttle = Throttle(start=1)
    for _ in range(5):
        throttle.crowded(throttle._epoch)
    assert throttle.limit == 1
