"""The hands' movements and keystrokes, as the page feels them, beside published human figures.

`python -m tests.benchmarks.hands [--movements 60] [--sentences 8] [--way xtest|cdp] [--json FILE]`: clicks targets of many sizes
at many distances and types sentences, with human rhythm, in Chromium; the figures come from the time stamps of `pointermove`,
`pointerdown`, `keydown` and their like, in the page's own time.

Published figures:
 - Flash & Hogan, J. Neurosci. 5(7), 1985: a minimum-jerk movement is fastest in its middle, 1.875 times its mean speed.
 - MacKenzie, Sellen & Buxton, CHI 1991: pointing with a mouse takes −107 + 223 ms a bit of difficulty (Shannon form).
 - Meyer et al., Psychol. Rev. 95(3), 1988, and Elliott et al., Psychol. Bull. 136(6), 2010: difficult movements take a second,
   corrective submovement; the first falls short more often than it goes past.
 - Dhakal et al., CHI 2018 (168,000 typists): mean and standard deviation between people of intervals, holds and letter pairs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import statistics
import tempfile
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.settings import Settings
from tests.benchmarks.clicks import served
from tests.integration.looking import PAGES, Scene, Way, scene
from tools.browser.acting import rhythm
from tools.browser.actions import Click, Target, Type

DISTANCES_PX, SIZES_PX = (110, 220, 420, 680), (6, 12, 24, 48, 96)
SENTENCES = (
    "the quick brown fox jumps over the lazy dog",
    "she sells good books in a small yellow shop",
    "please add milk and apples to the list",
    "we will meet at the station before noon",
    "all of this has happened before and will",
    "a little bell called the children to supper",
    "keep the letters in the green wooden box",
    "nobody knew where the boat had come from",
)
_LEFT, _RIGHT = set("qwertasdfgzxcvb"), set("yuiophjklnm")
_MOVING = 0.05
"""Share of the peak speed below which the pointer rests between two submovements."""


@dataclass(frozen=True)
class Movement:
    """One movement of the pointer as the page felt it."""

    bits: float
    duration_ms: float
    peak_ratio: float
    """Fastest over mean speed of the first submovement."""
    peak_at: float
    """When it was fastest, as a share of the first submovement's time."""
    submovements: int
    reach: float
    """How much of the way the first submovement covered: below 1 it fell short."""
    dwell_ms: float
    """From the last movement to the press."""
    press_ms: float


@dataclass
class Felt:
    """Everything one way of the hands made the page feel."""

    way: Way
    movements: list[Movement] = field(default_factory=list)
    intervals: list[tuple[str, float]] = field(default_factory=list)
    """(the two letters, ms)."""
    holds_ms: list[float] = field(default_factory=list)


async def point(opened: Scene, way: Way, count: int, rng: np.random.Generator, felt: Felt) -> None:
    """Click targets of every size at every distance."""
    hands = opened.hands(way, rhythm=1.0)
    at = (640.0, 330.0)
    await _place(opened, at, 60)
    await hands.perform(Click(target=Target(selector="#spot")))
    pairs = [(distance, size) for distance in DISTANCES_PX for size in SIZES_PX]
    for number in range(count):
        distance, size = pairs[int(rng.permutation(len(pairs))[0]) if number >= len(pairs) else number]
        to = _within(at, distance, rng)
        await _place(opened, to, size)
        done = await hands.perform(Click(target=Target(selector="#spot")))
        told = await opened.script("({ moves, presses })")
        movement = _movement(told, at, to, size) if done.delivered else None
        if movement is not None:
            felt.movements.append(movement)
        at = to


async def _place(opened: Scene, at: tuple[float, float], size: float) -> None:
    await opened.stage.page.evaluate("place", [*at, size])


def _within(at: tuple[float, float], distance: float, rng: np.random.Generator) -> tuple[float, float]:
    """A whole pixel at that distance, inside the window."""
    while True:
        angle = rng.uniform(0, 2 * math.pi)
        x, y = round(at[0] + distance * math.cos(angle)), round(at[1] + distance * math.sin(angle))
        if 60 < x < 1220 and 60 < y < 640:
            return float(x), float(y)


def _movement(told: dict[str, Any], start: tuple[float, float], end: tuple[float, float], size: float) -> Movement | None:
    """The figures of one movement; None if the page felt too few moves to tell."""
    down = next((at for kind, at in told["presses"] if kind == "pointerdown"), None)
    up = next((at for kind, at in told["presses"] if kind == "pointerup"), None)
    points = np.array([move for move in told["moves"] if down is None or move[0] <= down], float)
    if down is None or up is None or len(points) < 6:
        return None
    # It began one report before the first move that was felt.
    times = np.concatenate([[points[0, 0] - rhythm.EVENT_MS], points[:, 0]])
    way = np.concatenate([[0.0], np.hypot(points[:, 1] - start[0], points[:, 2] - start[1])])
    distance = math.dist(start, end)
    covered = (np.concatenate([[0.0], (points[:, 1:] - start) @ (np.array(end) - start)])) / distance**2
    first = _first_rest(times, way)
    speeds = _speeds(times[: first + 1], way[: first + 1])
    mean = way[first] / (times[first] - times[0])
    return Movement(
        bits=math.log2(distance / size + 1),
        duration_ms=float(times[-1] - times[0]),
        peak_ratio=float(speeds.max() / mean),
        peak_at=float((speeds.argmax() + 0.5) / len(speeds)),
        submovements=1 if first == len(times) - 1 else 2,
        reach=float(covered[first]),
        dwell_ms=float(down - times[-1]),
        press_ms=float(up - down),
    )


def _first_rest(times: NDArray[np.float64], way: NDArray[np.float64]) -> int:
    """Index of the report at which the first submovement ends: the pointer turns back, or has slowed down and speeds up again."""
    steps, spans = np.diff(way), np.maximum(np.diff(times), 1.0)
    speeds = np.abs(steps) / spans
    peak = int(speeds[: max(3, len(speeds) * 3 // 4)].argmax())
    for index in range(peak + 1, len(speeds) - 1):
        turned = steps[index + 1] < -0.5
        rested = speeds[index] < _MOVING * speeds[peak] and speeds[index + 1 :].max() > 2.5 * speeds[index] + 0.02
        if turned or rested:
            return index + 1
    return len(times) - 1


def _speeds(times: NDArray[np.float64], way: NDArray[np.float64]) -> NDArray[np.float64]:
    """Speed at even steps of time, smoothed over three: time stamps of single reports are a few ms off."""
    even = np.linspace(times[0], times[-1], max(len(times), 8))
    speeds = np.diff(np.interp(even, times, way)) / np.diff(even)
    return np.convolve(np.pad(speeds, 1, mode="edge"), np.ones(3) / 3, mode="valid").astype(np.float64)


async def write(opened: Scene, way: Way, sentences: int, felt: Felt) -> None:
    """Type sentences and note when each key went down and came up."""
    hands = opened.hands(way, rhythm=1.0)
    await hands.perform(Click(target=Target(selector="#field")))
    for number in range(sentences):
        await opened.script("keys.length = 0")
        await hands.perform(Type(text=SENTENCES[number % len(SENTENCES)], clear=False))
        keys: list[tuple[str, str, float]] = await opened.script("keys")
        downs = [(key, at) for kind, key, at in keys if kind == "keydown" and len(key) == 1]
        felt.intervals += [(before + key, at - began) for (before, began), (key, at) in pairwise(downs)]
        for index, (kind, key, at) in enumerate(keys):
            if kind == "keydown" and len(key) == 1:
                end = next((up for what, other, up in keys[index:] if what == "keyup" and other == key), None)
                felt.holds_ms += [] if end is None else [end - at]


def pair_kind(pair: str) -> str:
    """Which hands type the two letters; pairs with a space are left out, as in CHI 2018."""
    before, after = pair
    if before == after:
        return "the same letter again"
    if before in _LEFT and after in _LEFT:
        return "left hand"
    if before in _RIGHT and after in _RIGHT:
        return "right hand"
    both = {before, after} <= _LEFT | _RIGHT
    return "alternating hands" if both else ""


@dataclass(frozen=True)
class Line:
    """One figure: as felt by the page, and as published."""

    what: str
    mean: float
    spread: float
    count: int
    published: str


def lines(felt: Felt) -> list[Line]:
    """All figures of one way."""
    moves = felt.movements
    hard = [move for move in moves if move.bits > 4.3]
    slope, intercept = np.polyfit([move.bits for move in moves], [move.duration_ms for move in moves], 1)
    correlation = float(np.corrcoef([move.bits for move in moves], [move.duration_ms for move in moves])[0, 1])
    found = [
        _line("fastest ÷ mean speed", [move.peak_ratio for move in moves], "1.875 (Flash & Hogan 1985)"),
        _line("fastest at, share of the time", [move.peak_at for move in moves], "0.5 (Flash & Hogan 1985)"),
        Line("movement time, ms a bit", float(slope), 0.0, len(moves), "223 (MacKenzie et al. 1991)"),
        Line("movement time at 0 bits, ms", float(intercept), 0.0, len(moves), "-107 (MacKenzie et al. 1991)"),
        Line("time and bits, correlation", correlation, 0.0, len(moves), "above 0.9 (Fitts' law)"),
        _line("corrected, up to 4.3 bits", [move.submovements > 1 for move in moves if move.bits <= 4.3], "seldom (Meyer 1988)"),
        _line("corrected, above 4.3 bits", [move.submovements > 1 for move in hard], "often (Meyer 1988)"),
        _line("way of corrected first movements", [m.reach for m in moves if m.submovements > 1], "mostly < 1 (Elliott 2010)"),
        _line("rest before the press, ms", [move.dwell_ms for move in moves], "none used"),
        _line("press of the button, ms", [move.press_ms for move in moves], "none used"),
        _line("key to key, ms", [ms for _, ms in felt.intervals], "239 ± 112; quickest tenth < 154 (CHI 2018)"),
        _line("key held, ms", felt.holds_ms, "116 ± 24 (CHI 2018)"),
    ]
    published = {"left hand": 215, "right hand": 204, "alternating hands": 198, "the same letter again": 176}
    base = statistics.fmean([ms for pair, ms in felt.intervals if pair_kind(pair)] or [1.0])
    for kind, ms in published.items():
        shares = [taken / base for pair, taken in felt.intervals if pair_kind(pair) == kind]
        found.append(_line(f"  {kind}, ÷ all", shares, f"{ms / 203:.2f} ({ms} ms, CHI 2018)"))
    return found


def _line(what: str, values: list[float] | list[bool], published: str) -> Line:
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return Line(what, statistics.fmean(values) if values else math.nan, spread, len(values), published)


def generated(samples: int, rng: np.random.Generator) -> dict[str, float]:
    """The same of the generator alone, over many samples: what the browser and the machine add is the rest."""
    ratios, corrected, short = [], 0, 0
    for _ in range(samples):
        steps = rhythm.path((0.0, 400.0), (800.0, 400.0), 60, rng)
        speeds = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(steps)]
        ratios.append(max(speeds) / statistics.fmean(speeds))
        small = rhythm.path((0.0, 400.0), (800.0, 400.0), 10, rng)
        times = np.array([step.at_ms for step in small])
        rest = _first_rest(times, np.array([step.x for step in small]))
        corrected += rest < len(small) - 1
        short += rest < len(small) - 1 and small[rest].x < 800
    text = " ".join(SENTENCES)[:45]
    gaps = [ms for _ in range(samples // 10) for ms in rhythm.key_intervals_ms(text, rng)]
    holds = [rhythm.key_hold_ms(rng) for _ in range(samples)]
    return {
        "fastest_over_mean_speed": statistics.fmean(ratios),
        "corrected_to_10_px": corrected / samples,
        "of_those_short": short / max(corrected, 1),
        "key_to_key_ms": statistics.fmean(gaps),
        "key_held_ms": statistics.fmean(holds),
    }


def table(felt: Felt) -> str:
    """What → mean, spread, count, published."""
    rows = [f"{felt.way:36}{'mean':>9}{'sd':>9}{'n':>6}  published"]
    rows += [f"{line.what:36}{line.mean:9.3g}{line.spread:9.3g}{line.count:>6}  {line.published}" for line in lines(felt)]
    return "\n".join(rows)


async def _run(given: argparse.Namespace) -> list[Felt]:
    ways: list[Way] = [given.way] if given.way else ["xtest", "cdp"]
    found = []
    with tempfile.TemporaryDirectory(prefix="assay-hands-") as folder, served(PAGES) as base:
        async with scene(base, Path(folder) / "run", Settings(clock=given.clock, seed=given.seed)) as opened:
            for way in ways:
                felt = Felt(way)
                await opened.open("pointing.html")
                await point(opened, way, given.movements, np.random.default_rng(given.seed), felt)
                await write(opened, way, given.sentences, felt)
                found.append(felt)
    return found


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--movements", type=int, default=60)
    parser.add_argument("--sentences", type=int, default=8)
    parser.add_argument("--way", choices=["xtest", "cdp"])
    parser.add_argument("--clock", default="auto", help="as in the settings")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args()
    found = asyncio.run(_run(given))
    for felt in found:
        print(table(felt), end="\n\n")  # noqa: T201
    alone = generated(2000, np.random.default_rng(given.seed))
    print("generator alone: " + ", ".join(f"{name} {value:.3g}" for name, value in alone.items()))  # noqa: T201
    print(f"seed {given.seed}, load {os.getloadavg()[0]:.1f}")  # noqa: T201
    if given.json:
        values = {felt.way: [vars(line) for line in lines(felt)] for felt in found}
        given.json.write_text(json.dumps({"felt": values, "generator": alone, "load": os.getloadavg()[0]}, indent=1))


if __name__ == "__main__":
    main()
