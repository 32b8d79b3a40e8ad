"""How a person moves a pointer and types: paths, durations, pauses. Pure functions of a seeded generator, in ms and px.

Sources: MacKenzie, Sellen & Buxton, "A comparison of input devices in elemental pointing and dragging tasks", CHI 1991 (movement
times with a mouse, Shannon form of Fitts' law); Flash & Hogan, "The coordination of arm movements", J. Neurosci. 5(7), 1985
(minimum-jerk trajectories); Meyer et al., "Optimality in human motor performance", Psychol. Rev. 95(3), 1988 (a first
submovement that may miss, and a corrective one); Elliott et al., "Goal-directed aiming: two components but multiple processes",
Psychol. Bull. 136(6), 2010 (the first submovement falls short more often than it goes past); Dhakal et al., "Observations on
typing from 136 million keystrokes", CHI 2018 (intervals, how long keys are held, and which hand comes next).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

POINTING_MS = (-107.0, 223.0)
"""Intercept (ms) and slope (ms per bit) of pointing with a mouse, CHI 1991."""
DRAGGING_MS = (135.0, 249.0)
"""The same with the button held."""
SHORTEST_MS, LONGEST_MS = 90.0, 1600.0
EVENT_MS = 1000 / 60
"""A mouse reports at least this often; browsers hand pages one move a frame."""

KEY_MS, KEY_SPREAD = 140.0, 0.28
"""Median interval between keys, and the standard deviation of its logarithm: about 78 words a minute, where the quickest tenth of
the 168,000 typists of CHI 2018 begins (mean of all: 239 ms, 52 words a minute)."""
KEY_HOLD_MS, KEY_HOLD_SPREAD = 100.0, 0.2
"""Median of how long a key is held, and the standard deviation of its logarithm (CHI 2018: 116 ± 24 ms)."""
LONGEST_TYPING_MS = 6500.0
"""A text that would take longer is typed faster: nothing is learnt from watching somebody type an essay."""

_FAR_PX, _SMALL_PX = 280.0, 28.0
_FINGERS = ("qaz1", "wsx2", "edc3", "rfvtgb45", "yhnujm67", "ik,8", "ol.9", "p;/0-=[]'")
_SAME_FINGER, _SAME_HAND, _OTHER_HAND, _SAME_KEY = 1.2, 1.0, 0.95, 0.845
"""CHI 2018: left hand 215 ms, right hand 204, alternating 198, the same letter again 176."""
_CORRECTED, _FALLS_SHORT = 0.5, 0.6
"""Share of movements to a small target far away that take a second one, and of those whose first one falls short."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Step:
    """One place of the pointer on its way, `at_ms` after the start of the movement."""

    at_ms: float
    x: float
    y: float


def movement_ms(distance_px: float, width_px: float, *, dragging: bool = False) -> float:
    """Fitts' law: how long a person takes to a target of `width_px` (the smaller side) over `distance_px`."""
    intercept, slope = DRAGGING_MS if dragging else POINTING_MS
    bits = math.log2(max(distance_px, 0.0) / max(width_px, 1.0) + 1)
    return min(max(intercept + slope * bits, SHORTEST_MS), LONGEST_MS)


def minimum_jerk(share: float) -> float:
    """Way covered (0–1) after a share of the time (0–1): at rest at both ends, fastest in the middle (1.875 times the mean)."""
    return share**3 * (10 - 15 * share + 6 * share**2)


def path(start: Point, end: Point, width_px: float, rng: np.random.Generator, *, dragging: bool = False) -> list[Step]:
    """Places from after `start` to exactly `end`, one every `EVENT_MS`.

    The way is slightly bent. To a small target far away a first movement may fall short or go past it, and a short one mend that.
    """
    distance = math.dist(start, end)
    if distance < 0.5:
        return [Step(0.0, *end)]
    duration = movement_ms(distance, width_px, dragging=dragging)
    corrected = not dragging and distance > _FAR_PX and width_px < _SMALL_PX and rng.random() < _CORRECTED
    if not corrected:
        return _movement(start, end, duration, 0.0, rng)
    off = min(rng.uniform(0.03, 0.07), 24 / distance)
    reach = 1 - off if rng.random() < _FALLS_SHORT else 1 + off
    turn = (start[0] + (end[0] - start[0]) * reach, start[1] + (end[1] - start[1]) * reach + rng.normal(0, 2))
    first = _movement(start, turn, duration * 0.78, 0.0, rng)
    return first + _movement(turn, end, duration * 0.22, first[-1].at_ms, rng)


def _movement(start: Point, end: Point, duration_ms: float, from_ms: float, rng: np.random.Generator) -> list[Step]:
    across, down = end[0] - start[0], end[1] - start[1]
    distance = max(math.hypot(across, down), 1e-9)
    bend = float(np.clip(rng.normal(0, 0.025), -0.06, 0.06)) * min(distance, 500.0)
    aside = (-down / distance, across / distance)
    count = max(2, math.ceil(duration_ms / EVENT_MS))
    steps = []
    for number in range(1, count + 1):
        share = number / count
        way = minimum_jerk(share)
        # The bow is a function of the way, so it adds nothing to the speed's single peak but a little sideways.
        bow = bend * math.sin(math.pi * way)
        steps.append(
            Step(from_ms + duration_ms * share, start[0] + across * way + aside[0] * bow, start[1] + down * way + aside[1] * bow)
        )
    steps[-1] = Step(from_ms + duration_ms, *end)
    return steps


def straight(start: Point, end: Point, count: int, at_least_ms: float) -> list[Step]:
    """`count` places from after `start` to exactly `end`, no closer in time than a mouse reports."""
    duration = max(at_least_ms, count * EVENT_MS)
    ways = [(number / count, minimum_jerk(number / count)) for number in range(1, count + 1)]
    return [Step(duration * at, start[0] + (end[0] - start[0]) * way, start[1] + (end[1] - start[1]) * way) for at, way in ways]


def press_ms(rng: np.random.Generator) -> float:
    """How long a mouse button stays down in a click."""
    return float(np.clip(rng.lognormal(math.log(82), 0.18), 60, 120))


def between_clicks_ms(rng: np.random.Generator) -> float:
    """From letting go to pressing again in a double click; every desktop takes less than 400 ms for one."""
    return float(np.clip(rng.lognormal(math.log(110), 0.2), 70, 180))


def dwell_ms(rng: np.random.Generator) -> float:
    """Between arriving and pressing: the eye makes sure."""
    return float(np.clip(rng.lognormal(math.log(70), 0.3), 35, 160))


def key_hold_ms(rng: np.random.Generator) -> float:
    """How long a key stays down while typing."""
    return float(np.clip(rng.lognormal(math.log(KEY_HOLD_MS), KEY_HOLD_SPREAD), 50, 190))


def bigram_factor(before: str, after: str) -> float:
    """By how much the interval between two keys differs from the usual one: which fingers have to move."""
    before, after = before.lower(), after.lower()
    if before == after:
        return _SAME_KEY
    fingers = [next((number for number, keys in enumerate(_FINGERS) if key in keys), None) for key in (before, after)]
    if fingers[0] is None or fingers[1] is None:
        return 1.0
    if fingers[0] == fingers[1]:
        return _SAME_FINGER
    return _SAME_HAND if (fingers[0] < 4) == (fingers[1] < 4) else _OTHER_HAND


def key_intervals_ms(text: str, rng: np.random.Generator) -> list[float]:
    """From each key's press to the next one's, one entry a character; longer after a word and before a capital."""
    intervals = []
    for index, character in enumerate(text):
        following = text[index + 1] if index + 1 < len(text) else ""
        factor = bigram_factor(character, following) if following else 1.0
        if character in " \n" or following.isupper():
            factor *= 1.25
        intervals.append(float(np.clip(rng.lognormal(math.log(KEY_MS * factor), KEY_SPREAD), 45, 600)))
    total = sum(intervals)
    return [interval * min(1.0, LONGEST_TYPING_MS / total) for interval in intervals] if total > 0 else intervals


def wheel_turns(total_px: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """A scroll as turns of a wheel that runs out: (pause before it in ms, px); the px add up to `total_px` exactly."""
    if abs(total_px) < 1:
        return [(0.0, total_px)] if total_px else []
    count = int(np.clip(round(abs(total_px) / 90), 2, 16))
    weights = np.array([math.exp(-2.0 * number / count) for number in range(count)])
    shares = np.round(total_px * weights / weights.sum())
    shares[-1] += total_px - shares.sum()
    pauses = [0.0] + [float(18 + 26 * number / count + rng.uniform(0, 6)) for number in range(1, count)]
    return list(zip(pauses, (float(share) for share in shares), strict=True))
