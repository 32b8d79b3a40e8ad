"""Step sequencers: how often a pattern's strokes should be heard at the tempo that is set.

A beat has four steps, as in every drum machine since the TR-808: at 120 beats a minute a step lasts 125 ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from agent.skills.boards import switches_of_a_size
from agent.words import folded
from tools.browser.marks import Observation

STEPS = frozenset({16, 32})
"""Columns of a pattern whose step is surely a quarter of a beat."""
LEAST_STROKES = 6
SLOWER, FASTER = (0.4, 0.62), (1.6, 2.5)
"""Shares of the strokes to be expected that are half or twice as many; less is told of neither."""


@dataclass(frozen=True)
class Pattern:
    """Which of a pattern's columns sound, and for how long a column lasts."""

    columns: tuple[int, ...]
    length: int
    step_ms: float
    tempo: float

    @property
    def strokes_a_second(self) -> float:
        """How many strokes begin in a second of app time."""
        return len(self.columns) / (self.length * self.step_ms / 1000)


def pattern_of(page: Observation) -> Pattern | None:
    """The pattern a page shows as rows of switches over a tempo of its own; None where that cannot be read."""
    tempo = _tempo(page)
    rows: dict[int, list[tuple[float, bool]]] = {}
    for mark in switches_of_a_size(page.marks):
        rows.setdefault(round(mark.box.y / 8), []).append((mark.box.x, bool(mark.checked)))
    lengths = {len(row) for row in rows.values()}
    if tempo is None or len(lengths) != 1 or not lengths <= STEPS:
        return None
    length = lengths.pop()
    on = {place for row in rows.values() for place, (_, lit) in enumerate(sorted(row)) if lit}
    return Pattern(tuple(sorted(on)), length, 60_000 / tempo / 4, tempo) if on else None


def _tempo(page: Observation) -> float | None:
    """Beats a minute that the one control of that name is set to."""
    named = [
        mark
        for mark in page.marks
        if any(word in folded(mark.name) for word in ("bpm", "tempo", "beats per minute", "节拍", "速度"))
    ]
    values = {mark.value.strip() for mark in named if mark.value.strip().isdigit()}
    tempo = float(next(iter(values))) if len(values) == 1 else 0.0
    return tempo if 30 <= tempo <= 300 else None


def as_set(pattern: Pattern, onsets_ms: list[float]) -> bool | None:
    """Whether strokes come as often as the pattern has them; False for half or twice as many, None where neither can be told."""
    if len(onsets_ms) < LEAST_STROKES:
        return None
    gaps = [other - one for one, other in pairwise(onsets_ms)]
    share = 1000 * len(gaps) / sum(gaps) / pattern.strokes_a_second
    columns = (*pattern.columns, pattern.columns[0] + pattern.length)
    least = min(other - one for one, other in pairwise(columns)) * pattern.step_ms
    if SLOWER[0] <= share <= SLOWER[1] and min(gaps) > 1.5 * least:
        return False
    if FASTER[0] <= share <= FASTER[1] and min(gaps) < 0.7 * least:
        return False
    return True if SLOWER[1] < share < FASTER[0] and min(gaps) < 1.3 * least else None
