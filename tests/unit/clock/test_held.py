"""The held clock on real processes: they read, wait and stand by it, and what Python computes is what they see."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from typing import Any

import pytest

from tools.browser.clock import held
from tools.browser.clock.held import EPOCH_S, HeldClock
from tools.browser.clock.waiting import Waits, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the held clock needs Linux")

SAYS = """
import sys, time
for line in sys.stdin:
    if line.startswith("sleep"):
        began = time.monotonic()
        time.sleep(float(line.split()[1]))
        print(time.monotonic() - began, flush=True)
    else:
        print(time.monotonic_ns(), time.time_ns(), flush=True)
"""


class Governed:
    """A process under a clock that tells what time it has."""

    def __init__(self, clock: HeldClock) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SAYS],
            env={**os.environ, **clock.env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid

    def ask(self, what: str = "time") -> list[Any]:
        """Its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        return self.answer()

    def say(self, what: str) -> None:
        """Ask, and take the answer later."""
        assert self._process.stdin is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()

    def answer(self) -> list[Any]:
        """The next line."""
        assert self._process.stdout is not None
        return [float(word) if "." in word else int(word) for word in self._process.stdout.readline().split()]

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate(timeout=10)


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HeldClock]:
    """A clock at app time zero, standing; nothing has to start before it, so it need not run up to it for long."""
    monkeypatch.setattr(held, "RUN_UP_S", 0.1)
    made = HeldClock()
    await made.approach()
    await made.begin()
    yield made
    await made.detach()
    made.close()
    assert not made.control.exists()


@pytest.fixture
def governed(clock: HeldClock) -> Iterator[Governed]:
    """A process that lives by it."""
    process = Governed(clock)
    process.ask()
    yield process
    process.close()


async def test_it_begins_at_the_epoch_and_stands(clock: HeldClock, governed: Governed) -> None:
    """The date at app time zero is the epoch to the nanosecond, and stays so while it is held."""
    assert clock.held
    assert clock.now_ms() == 0
    first = governed.ask()
    await asyncio.sleep(0.05)
    assert first == governed.ask()
    assert first[1] == EPOCH_S * 1_000_000_000
    assert clock.epoch_s == EPOCH_S
    assert clock.governs(governed.pid)
    assert not clock.governs(os.getppid())


async def test_python_and_the_process_compute_the_same(clock: HeldClock, governed: Governed) -> None:
    """At every pace, on ramps too: what the process reads lies between two readings of ours, to the nanosecond."""
    zero = governed.ask()[0]
    await clock.release()
    for rate in (1.0, 0.37, 5.0, 12.5, 0.05, 1.0):
        await clock.pace(rate)
        for _ in range(40):
            before = clock.now_ms()
            seen = (governed.ask()[0] - zero) / 1e6
            assert before - 1e-5 <= seen <= clock.now_ms() + 1e-5


async def test_a_step_is_exact(clock: HeldClock, governed: Governed) -> None:
    """Stepped, the process is later by exactly that much; unheld, it cannot be stepped."""
    before = governed.ask()
    for ms in (4.0, 60.0, 0.25):
        await clock.step(ms)
    after = governed.ask()
    assert after[0] - before[0] == after[1] - before[1] == 64_250_000
    assert clock.held
    await clock.release()
    with pytest.raises(RuntimeError, match="held"):
        await clock.step(1)


@pytest.mark.quiet
@pytest.mark.parametrize("rate", [0.5, 4.0])
async def test_sleepers_sleep_by_it(clock: HeldClock, governed: Governed, rate: float) -> None:
    """A second of sleep is a second of app time, and 1 / rate seconds of the wall's."""
    await clock.pace(rate)
    await clock.release()
    began = time.monotonic()
    slept = await asyncio.to_thread(governed.ask, "sleep 1.0")
    assert 1.0 <= slept[0] < 1.3
    assert 0.9 / rate < time.monotonic() - began < 1.5 / rate + 0.3


async def test_a_sleeper_notices_every_change(clock: HeldClock, governed: Governed) -> None:
    """Asleep for 2 s it is held, and then hurried: it wakes by app time, not by what the wall said when it fell asleep."""
    await clock.release()
    governed.say("sleep 2.0")
    await asyncio.sleep(0.1)
    await clock.hold()
    await asyncio.sleep(0.3)
    await clock.pace(16)
    began = time.monotonic()
    await clock.release()
    slept = await asyncio.to_thread(governed.answer)
    assert time.monotonic() - began < 1.5
    assert 2.0 <= slept[0] < 3.0


async def test_paces_stack(clock: HeldClock) -> None:
    """Who waits hurries, who must be careful caps it, and who needs frames passes: each ends with its block."""
    clock.may_hurry(4.0)
    assert clock.rate == 0
    await clock.release()
    assert clock.rate == 1
    with clock.hurrying():
        assert clock.rate == 4
        with clock.at_most(2):
            assert clock.rate == 2
        await clock.hold()
        assert clock.rate == 0
        async with clock.passing(0.25):
            assert clock.rate == 0.25
            assert clock.held
        assert clock.rate == 0
        await clock.release()
        clock.may_hurry(0.5)
        assert clock.rate == 0.5
    assert clock.rate == 0.5, "what cannot keep up with the wall is slow everywhere"
    with pytest.raises(ValueError, match="outside"):
        await clock.pace(17)


async def test_the_spans_add_up_to_app_time(clock: HeldClock) -> None:
    """Rate times wall time, span by span, is the app time that passed, but for the ramps."""
    await clock.release()
    for rate in (2.0, 0.5, 3.0):
        await clock.pace(rate)
        await asyncio.sleep(0.08)
    await clock.hold()
    await asyncio.sleep(0.05)
    await clock.release()
    await clock.hold()
    spans = clock.spans
    assert [span.app_ms for span in spans] == sorted(span.app_ms for span in spans)
    told = sum((after.wall_s - span.wall_s) * 1000 * span.rate for span, after in pairwise(spans))
    assert told == pytest.approx(clock.now_ms(), abs=120)
    (_, from_s), (to_ms, to_s) = clock.film_knots()
    assert (to_s - from_s) * 1000 == pytest.approx(to_ms, abs=1e-3)
    assert clock.film_now_s() == pytest.approx(EPOCH_S + clock.now_ms() / 1000, abs=1e-6)


async def test_waiting_follows_the_pace(clock: HeldClock) -> None:
    """A wait that began slowly ends early when the pace rises; one on a clock that stands returns."""
    await clock.pace(0.1)
    await clock.release()
    began = time.monotonic()
    waiting = asyncio.ensure_future(until(clock, clock.now_ms() + 1000))
    await asyncio.sleep(0.1)
    await clock.pace(16)
    await asyncio.wait_for(waiting, 5)
    assert time.monotonic() - began < 3
    await clock.hold()
    await asyncio.wait_for(until(clock, clock.now_ms() + 1e6), 1)


async def test_a_deadline_passes_although_time_stands(clock: HeldClock) -> None:
    """A bound in app time ends in wall time, too, so that nothing waits for ever."""
    waits = Waits(clock)
    deadline = waits.deadline(0.02)
    assert not deadline.passed
    await asyncio.sleep(0.1)
    assert clock.held
    assert deadline.passed
    await asyncio.wait_for(waits.pause(0.01), 1)


async def test_a_step_is_not_cut_short(clock: HeldClock) -> None:
    """Whoever changes the pace meanwhile changes it for afterwards: the step runs to its end and time stands there."""
    stepping = asyncio.ensure_future(clock.step(200))
    for rate in (2.0, 1.0, 3.0):
        await asyncio.sleep(0.02)
        clock.may_hurry(rate)
    await asyncio.wait_for(stepping, 5)
    assert clock.now_ms() == 200
    assert clock.rate == 0
