"""What a film sounds like: its level from window to window, and where sounds begin.

Reads the film once, a second at a time; what is kept is one level a millisecond and one figure a window. Onsets are peaks of the
rise of the spectrum (24 bands, decibels), which finds a new note under a held one too; each is then placed to the millisecond
where the level takes its steepest way up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.media.peaks import find_peaks, running_median
from tools.media.video import RATE_HZ, samples

WINDOW_MS = 10
SILENCE_DBFS = -60.0
"""RMS level below which a window is silent: a thousandth of full scale."""
FLOOR_DBFS = -120.0
"""What digital silence is called."""
_JOIN_MS = 150.0
"""Pauses up to this long do not end an audible span."""
_FLOAT = NDArray[np.float32]

_MS = RATE_HZ // 1000
_HOP = _MS * WINDOW_MS
_FRAME = 1024
_BANDS = 24
_LAG = 2
"""Spectra are compared over two windows, since neighbouring ones share half of their samples."""
_BAND_FLOOR_DB = -70.0
_NEAR, _DEEPEST_DB = 3, 40
"""Windows on both sides of the loudest one, and what is heard no more beside a loud band."""
_LEAST_RISE_DB = 2.0
_OVER_MEDIAN = 2.0
_APART = 6
"""Windows between two onsets at least."""


@dataclass(frozen=True)
class Onset:
    """Where a sound begins. `rise_db`: by how much the bands of the spectrum rise, on average."""

    at_s: float
    rise_db: float


@dataclass(frozen=True)
class Tone:
    """How a sound is made up where it is loudest. `below_db`: of each band, how far it is below the loudest one."""

    at_s: float
    below_db: tuple[int, ...]


@dataclass(frozen=True)
class Sound:
    """Levels of the windows, which follow each other without a gap from position 0, and the onsets."""

    rms_dbfs: _FLOAT
    peak_dbfs: _FLOAT
    onsets: tuple[Onset, ...]
    bands: _FLOAT
    """Levels of the bands of the spectrum in dB (windows, bands)."""

    def tones(self) -> list[Tone]:
        """One for each audible span, as its spectrum is around its loudest window; bands far below the loudest are as silence."""
        found: list[Tone] = []
        for start, end in self.spans_s():
            first, last = round(start * 1000) // WINDOW_MS, max(round(end * 1000) // WINDOW_MS, 1)
            loudest = first + int(np.argmax(self.rms_dbfs[first:last])) if last > first else first
            near = self.bands[max(loudest - _NEAR, first) : min(loudest + _NEAR, last) + 1]
            if len(near):
                levels = np.median(near, axis=0)
                below = np.minimum(np.rint(levels.max() - levels), _DEEPEST_DB).astype(int)
                found.append(Tone(loudest * WINDOW_MS / 1000, tuple(below.tolist())))
        return found

    @property
    def audible(self) -> NDArray[np.bool_]:
        """Which windows are not silent."""
        return self.rms_dbfs >= SILENCE_DBFS

    def spans_s(self) -> list[tuple[float, float]]:
        """Audible spans, short pauses bridged: (from, to) in s."""
        return spans(self.audible, np.arange(len(self.rms_dbfs) + 1) * WINDOW_MS / 1000, _JOIN_MS / 1000)

    def as_json(self) -> dict[str, Any]:
        """For a blob: levels in whole decibels, onsets as (position in s, rise in dB)."""
        return {
            "version": 1,
            "window_ms": WINDOW_MS,
            "rms_dbfs": np.rint(self.rms_dbfs).astype(int).tolist(),
            "peak_dbfs": np.rint(self.peak_dbfs).astype(int).tolist(),
            "onsets": [[round(onset.at_s, 3), round(onset.rise_db, 1)] for onset in self.onsets],
        }


def measure_sound(path: Path, *, timeout_s: float = 120.0) -> Sound:
    """The sound of a film, from position 0; holes in it count as silence. Raises `UnreadableFilm` or `MissingProgram`."""
    listened = _Listener()
    for part in samples(path, filters="aresample=48000:async=1:first_pts=0", timeout_s=timeout_s):
        listened.hear(part)
    return listened.finish()


def hear(sound: _FLOAT) -> Sound:
    """The same for samples at hand, (n, 2) at 48 kHz, full scale ±1."""
    listened = _Listener()
    listened.hear(sound)
    return listened.finish()


def spans(on: NDArray[np.bool_], edges: NDArray[np.float64], join: float) -> list[tuple[float, float]]:
    """Runs of what is on, as (from, to) of `edges` (one more than `on`); runs less than `join` apart are one."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(np.int8)))
    found: list[tuple[float, float]] = []
    for start, end in zip(edges[ends[::2]].tolist(), edges[ends[1::2]].tolist(), strict=True):
        if found and start - found[-1][1] <= join:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def decibels(amplitude: NDArray[Any], floor: float = FLOOR_DBFS) -> _FLOAT:
    """Amplitudes (1: full scale) as dBFS, not below `floor`."""
    return (20 * np.log10(np.maximum(np.asarray(amplitude, np.float64), 10 ** (floor / 20)))).astype(np.float32)


class _Listener:
    """Takes samples as they come and keeps their levels."""

    def __init__(self) -> None:
        self._rest = np.zeros((0, 2), np.float32)
        # The first spectrum's window lies around the first millisecond, so silence stands before it.
        self._tail = np.zeros((_FRAME - _HOP, 2), np.float32)
        self._power: list[_FLOAT] = []
        self._peak: list[_FLOAT] = []
        self._rise: list[_FLOAT] = []
        self._levels: list[_FLOAT] = []
        self._before = np.full((_LAG, _BANDS), _BAND_FLOOR_DB, np.float32)

    def hear(self, part: _FLOAT) -> None:
        """Take the next samples."""
        heard = np.concatenate([self._rest, part])
        whole = len(heard) // _HOP * _HOP
        self._rest = heard[whole:]
        self._take(heard[:whole])

    def finish(self) -> Sound:
        """The rest of less than a window is filled up with silence."""
        if len(self._rest):
            self._take(np.concatenate([self._rest, np.zeros((_HOP - len(self._rest), 2), np.float32)]))
        power, peak, rise = (_joined(parts) for parts in (self._power, self._peak, self._rise))
        rms = np.sqrt(power.reshape(-1, WINDOW_MS).mean(axis=1))
        bands = np.concatenate(self._levels) if self._levels else np.zeros((0, _BANDS), np.float32)
        loudest = decibels(peak.reshape(-1, WINDOW_MS).max(axis=1, initial=0.0))
        return Sound(decibels(rms), loudest, tuple(_onsets(rise, peak)), bands)

    def _take(self, part: _FLOAT) -> None:
        if not len(part):
            return
        each = part.reshape(-1, _MS, 2)
        self._power.append((each**2).mean(axis=(1, 2)))
        self._peak.append(np.abs(each).max(axis=(1, 2)))
        known = np.concatenate([self._tail, part])
        self._tail = known[len(part) :]
        levels = np.concatenate([self._before, _bands(known, len(part) // _HOP)])
        self._before = levels[-_LAG:]
        self._levels.append(levels[_LAG:])
        self._rise.append(np.maximum(levels[_LAG:] - levels[:-_LAG], 0).mean(axis=1))


def _joined(parts: list[_FLOAT]) -> _FLOAT:
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


def _bands(known: _FLOAT, count: int) -> _FLOAT:
    """Levels of the bands in dB (count, bands); the spectrum of each window ends where the window does."""
    at = np.arange(count)[:, None] * _HOP + np.arange(_FRAME)[None, :]
    weight = np.hanning(_FRAME).astype(np.float32)
    power = sum(np.abs(np.fft.rfft(known[:, side][at] * weight, axis=1)) ** 2 for side in range(2))
    scale = (2 / weight.sum()) ** 2 / 2
    summed = np.add.reduceat(np.asarray(power) * scale, _EDGES[:-1], axis=1)
    return (10 * np.log10(np.maximum(summed, 10 ** (_BAND_FLOOR_DB / 10)))).astype(np.float32)


def _edges() -> NDArray[np.intp]:
    """First bins of the bands: from 47 Hz to 16 kHz, in equal steps of pitch but at least one bin wide."""
    wish = np.geomspace(1, 16_000 / (RATE_HZ / _FRAME), _BANDS + 1)
    bins = np.maximum(np.rint(wish), 1 + np.arange(_BANDS + 1))
    return bins.astype(np.intp)


_EDGES = _edges()


def _onsets(rise: _FLOAT, peak: _FLOAT) -> Iterator[Onset]:
    """Peaks of the rise that stand out from what is around them and lead to something audible."""
    if len(rise) < 3:
        return
    around = running_median(rise, 51)
    # The comparison over two windows is low on both sides of the film, so that a sound at the very beginning is a peak too.
    padded = np.concatenate([[0.0], rise, [0.0]])
    tops = find_peaks(padded, apart=_APART)
    least = 10 ** (SILENCE_DBFS / 20)
    last = -1.0
    for top in tops - 1:
        if rise[top] < _LEAST_RISE_DB + _OVER_MEDIAN * around[top]:
            continue
        at = _begins(peak, int(top) * WINDOW_MS)
        before, after = peak[max(at - 45, 0) : max(at - 5, 0)], peak[at : at + 40]
        # A tone that is cut off clicks: the spectrum rises, but what follows is silence.
        falls = len(before) > 0 and float(np.median(after)) < 0.5 * float(np.median(before))
        if after.max(initial=0.0) > least and not falls and at / 1000 - last > 0.02:
            last = at / 1000
            yield Onset(last, float(rise[top]))


def _begins(peak: _FLOAT, around_ms: int) -> int:
    """The millisecond near a window at which the level first comes a third of its way up."""
    first, last = max(around_ms - 30, 0), min(around_ms + 30, len(peak))
    near = peak[first:last]
    before = float(np.median(peak[max(first - 20, 0) : max(first, 1)])) if first else 0.0
    top = float(near.max(initial=0.0))
    if top <= before * 1.2:
        return min(around_ms, len(peak) - 1)
    return first + int(np.argmax(near >= before + (top - before) / 3))
