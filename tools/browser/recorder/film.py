"""A finished film: its name, its timeline against app time, its row."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from tools.evidence.film_rows import SoundOffset
from tools.evidence.rows import Recorded
from tools.media.video import Film

Knots = Sequence[tuple[float, float]]
"""(app time in ms, the recorder's clock in s), ascending; between two of them app time is linear."""
_ENDINGS = (".mp4", ".raw.mp4", ".frames", ".takes")


def free_name(run_dir: Path) -> str:
    """`recording`, or `recording-2` and so on where an interrupted run has left one: what was filmed is never overwritten."""
    number = 1
    while True:
        name = "recording" if number == 1 else f"recording-{number}"
        if not any((run_dir / f"{name}{ending}").exists() for ending in _ENDINGS):
            return name
        number += 1


def timeline(knots: Knots, file_zero_s: float, duration_s: float) -> tuple[tuple[float, float], ...]:
    """(app time in ms, position in s) for each moment at which app time started, stopped or went on.

    `file_zero_s` is the recorder's clock at position 0. What lies before or after the film is cut off: the first and the last
    pair are moments within it.
    """
    points = [(app, moment - file_zero_s) for app, moment in knots]
    if not points:
        return ()
    first_s, last_s = max(0.0, points[0][1]), min(duration_s, points[-1][1])
    if last_s <= first_s:
        return ()
    inside = [(app, at) for app, at in points if first_s < at < last_s]
    return tuple(
        (round(app, 3), round(at, 4))
        for app, at in [(app_at(points, first_s), first_s), *inside, (app_at(points, last_s), last_s)]
    )


def app_at(points: Knots, moment_s: float) -> float:
    """App time at a moment between two neighbouring points; that of the first or last one outside of them."""
    for (app, at), (next_app, next_at) in pairwise(points):
        if at <= moment_s <= next_at:
            share = (moment_s - at) / (next_at - at) if next_at > at else 0.0
            return app + (next_app - app) * share
    return points[0][0] if moment_s < points[0][1] else points[-1][0]


def row(
    path: Path,
    film: Film,
    run_dir: Path,
    points: tuple[tuple[float, float], ...],
    *,
    holes: tuple[tuple[float, float], ...] = (),
    sound_offset: SoundOffset | None = None,
) -> Recorded:
    """The ledger's row of a finished recording."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            digest.update(part)
    return Recorded(
        file=path.relative_to(run_dir).as_posix(),
        sha256=digest.hexdigest(),
        size=path.stat().st_size,
        duration_s=round(film.duration_s, 3),
        frames=film.frames,
        fps=round(film.frames / film.duration_s, 2) if film.duration_s > 0 else 0.0,
        width=film.width,
        height=film.height,
        sound=film.sound,
        timeline=points,
        holes=holes,
        sound_offset=sound_offset,
    )


def have_ffmpeg() -> bool:
    """Both programs are on the search path."""
    return shutil.which("ffmpeg") is not None and shutil.which("ffprobe") is not None
