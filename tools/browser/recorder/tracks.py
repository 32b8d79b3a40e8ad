"""What a finished film sounds like and what moves in it, as rows for the ledger. In app time, so that holds do not count."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.errors import EnvironmentFault
from tools.evidence.film_rows import HALF_SECOND_MS
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Gap, MotionTrack, Recorded, Row, SoundTrack
from tools.evidence.timeline import app_ms
from tools.media.motion_track import TOLERANCE, Motion, course, measure_motion
from tools.media.sound_track import FLOOR_DBFS, SILENCE_DBFS, WINDOW_MS, Sound, measure_sound

MOST_SPANS = 200
MOST_TONES = 60
_LIMIT_S = 60.0


async def write_tracks(recording: Row, ledger: Ledger) -> list[Row]:
    """Listen to and look at the recording of that row; a track that cannot be had is a gap's row."""
    body = recording.body
    if not isinstance(body, Recorded):
        raise TypeError("a recording's row is needed")
    path = ledger.run_dir / body.file
    motion, sound = await asyncio.gather(
        _tried("motion track", lambda: _motion(path, body)),
        _tried("sound track", lambda: _sound(path, body)) if body.sound else _none(),
    )
    rows: list[Row] = []
    for made in (sound, motion):
        if isinstance(made, Gap):
            rows.append(ledger.append(made, producer="recorder", parent=recording.id))
        elif made is not None:
            track, values = made
            blob = ledger.put(json.dumps(values, separators=(",", ":")).encode(), "application/json")
            rows.append(ledger.append(track, producer="recorder", parent=recording.id, blob=blob))
    return rows


Made = tuple[SoundTrack | MotionTrack, dict[str, Any]]


async def _none() -> None:
    return None


async def _tried(what: str, measure: Callable[[], Made]) -> Made | Gap:
    try:
        return await asyncio.to_thread(measure)
    except EnvironmentFault as fault:
        return Gap(what=what, reason=fault.message, blame="environment")


def _sound(path: Path, recorded: Recorded) -> Made:
    sound = measure_sound(path, timeout_s=_LIMIT_S)
    return sound_row(sound, recorded), sound.as_json()


def _motion(path: Path, recorded: Recorded) -> Made:
    motion = measure_motion(path, timeout_s=_LIMIT_S)
    moments = _moments(motion.at_s, recorded)
    return motion_row(motion, moments), motion.as_json(moments)


def sound_row(sound: Sound, recorded: Recorded) -> SoundTrack:
    """The figures that a judge may cite."""
    spans = _in_app_time(sound.spans_s(), recorded)
    onsets = [moment for onset in sound.onsets if (moment := app_ms(recorded.timeline, onset.at_s)) is not None]
    heard = sound.rms_dbfs[_during(np.arange(len(sound.rms_dbfs)) * WINDOW_MS / 1000, recorded)]
    return SoundTrack(
        window_ms=WINDOW_MS,
        silence_dbfs=SILENCE_DBFS,
        audible_s=round(sum(to - start for start, to in spans) / 1000, 3),
        audible_spans=_longest(spans),
        peak_dbfs=round(float(sound.peak_dbfs.max(initial=FLOOR_DBFS)), 1),
        loudest_dbfs=round(float(heard.max(initial=FLOOR_DBFS)), 1),
        onsets=len(onsets),
        first_onsets_ms=tuple(round(moment, 1) for moment in onsets[:MOST_SPANS]),
        tones=_tones(sound, recorded),
    )


def _tones(sound: Sound, recorded: Recorded) -> tuple[tuple[float, tuple[int, ...]], ...]:
    moments = [(app_ms(recorded.timeline, tone.at_s), tone.below_db) for tone in sound.tones()]
    return tuple((round(at, 1), below) for at, below in moments if at is not None)[:MOST_TONES]


def motion_row(motion: Motion, moments_ms: NDArray[np.float64]) -> MotionTrack:
    """The figures that a judge may cite; `moments_ms` is the app time of each frame, NaN for those outside of it."""
    # While app time stands, many frames show one moment: only the first of them counts.
    inside = np.flatnonzero(~np.isnan(moments_ms))
    going = inside[np.diff(moments_ms[inside], prepend=-np.inf) > 0]
    told = course(moments_ms[going] / 1000, motion.changed[going])
    spans = [(round(start * 1000, 1), round(end * 1000, 1)) for start, end in told.moving]
    return MotionTrack(
        frames=told.frames,
        distinct=told.distinct,
        distinct_fps=round(told.distinct_fps, 2),
        tolerance=TOLERANCE,
        moving_s=round(sum(end - start for start, end in told.moving), 3),
        motion_spans=_longest(spans),
        longest_freeze_s=round(told.freeze[1] - told.freeze[0], 3),
        freeze_from_ms=round(told.freeze[0] * 1000, 1),
        stalls=told.stalls,
        longest_stall_ms=round(told.longest_stall_s * 1000, 1),
        pictures=_pictures(moments_ms[going], motion.changed[going]),
    )


def _pictures(moments_ms: NDArray[np.float64], changed: NDArray[np.float32]) -> tuple[int, ...]:
    """Distinct frames in each half second of app time; as many as the frames reach."""
    if not len(moments_ms):
        return ()
    places = (np.maximum(moments_ms, 0.0) // HALF_SECOND_MS).astype(np.int64)
    counts = np.bincount(places, weights=(changed > 0).astype(np.float64))
    return tuple(int(count) for count in counts)


def _moments(at_s: NDArray[np.float64], recorded: Recorded) -> NDArray[np.float64]:
    """App time of positions in ms; NaN outside of the timeline."""
    return np.array([np.nan if (moment := app_ms(recorded.timeline, at)) is None else moment for at in at_s.tolist()])


def _during(at_s: NDArray[np.float64], recorded: Recorded) -> NDArray[np.bool_]:
    points = recorded.timeline
    return (at_s >= points[0][1]) & (at_s <= points[-1][1]) if points else np.zeros(len(at_s), np.bool_)


def _in_app_time(spans_s: list[tuple[float, float]], recorded: Recorded) -> list[tuple[float, float]]:
    """Spans of positions as spans of app time; what lies outside of it is cut off."""
    points = recorded.timeline
    if not points:
        return []
    found: list[tuple[float, float]] = []
    for start, end in spans_s:
        first = app_ms(points, min(max(start, points[0][1]), points[-1][1]))
        last = app_ms(points, min(max(end, points[0][1]), points[-1][1]))
        if first is not None and last is not None and last > first:
            found.append((round(first, 1), round(last, 1)))
    return found


def _longest(spans: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """All, or the longest of too many, in the order of time."""
    kept = sorted(spans, key=lambda span: span[0] - span[1])[:MOST_SPANS]
    return tuple(sorted(kept))
