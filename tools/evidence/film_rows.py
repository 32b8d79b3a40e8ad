"""Rows about the recording: the file itself, what is heard in it, what moves in it."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen

HALF_SECOND_MS = 500.0


class SoundOffset(Frozen):
    """How late the recorder's sound was against its picture, found with flashes and beeps before the app was opened.

    What was found has been taken out of the film. Not measured: nothing was taken out, and `reason` says why.
    """

    measured: bool
    offset_ms: float = 0.0
    """Positive: the sound came after the picture."""
    n: int = 0
    """Flashes with their beeps."""
    sd_ms: float = 0.0
    """Of one flash; that of the mean is smaller by the root of `n`."""
    reason: str = ""


class Recorded(Frozen):
    """One recording of a stage (a file beside the ledger, hashed here). A resumed run has one for each of its stages."""

    kind: Literal["recording"] = "recording"
    file: str
    sha256: str
    size: int
    duration_s: float
    frames: int
    fps: float
    width: int
    height: int
    sound: bool
    timeline: tuple[tuple[float, float], ...]
    """Pairs (app time in ms, position in the file in s), ascending in both; linear between."""
    holes: tuple[tuple[float, float], ...] = ()
    """From–to in app time, ms, where nothing was filmed: the last picture stands there, without sound."""
    sound_offset: SoundOffset | None = None
    """None for a film without sound."""


class SoundTrack(Frozen):
    """What a recording sounds like (blob: levels and onsets over the whole film, JSON). Parent: the recording's row.

    Spans and moments are app time in ms. Levels are dBFS, 0 for a full-scale square wave.
    """

    kind: Literal["sound_track"] = "sound_track"
    window_ms: float
    silence_dbfs: float
    """A window is silent when its RMS level is below."""
    audible_s: float
    audible_spans: tuple[tuple[float, float], ...]
    """From–to; the longest 200 when there are more, in the order of time."""
    peak_dbfs: float
    """Loudest sample; −120 for digital silence."""
    loudest_dbfs: float
    """Loudest window's RMS level."""
    onsets: int
    """Beginnings of sounds: strokes, notes, beeps."""
    first_onsets_ms: tuple[float, ...]
    """The first 200 of them."""
    tones: tuple[tuple[float, tuple[int, ...]], ...] = ()
    """The first 60 audible spans: the moment each is loudest, and how it is made up then. For each of the spectrum's bands, by
    how many decibels it lies below the loudest (40: not heard)."""


class MotionTrack(Frozen):
    """What moves in a recording (blob: change from frame to frame over the whole film, JSON). Parent: the recording's row.

    Spans and moments are app time in ms; what was filmed while app time stood is left out.
    """

    kind: Literal["motion_track"] = "motion_track"
    frames: int
    distinct: int
    """Frames that differ from the one before."""
    distinct_fps: float
    """Distinct frames a second of app time while there is motion."""
    tolerance: int
    """Grey levels of 255 by which a pixel must differ; the film's compression stays below it."""
    moving_s: float
    motion_spans: tuple[tuple[float, float], ...]
    """From–to, changes less than 0.3 s apart taken together; the longest 200 when there are more, in the order of time."""
    longest_freeze_s: float
    """Longest time without any change."""
    freeze_from_ms: float
    stalls: int
    """Pauses of 0.1 to 0.3 s inside motion."""
    longest_stall_ms: float
    pictures: tuple[int, ...] = ()
    """Distinct frames in each half second of app time, from 0 on; empty in records in which they were not counted."""
