"""The finished file: put in order for players, measured, and its timeline against app time."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import ffmpeg

from tools.errors import StageFault
from tools.evidence.rows import Recorded
from tools.processes import ProcessList


def free_name(run_dir: Path) -> str:
    """`recording`, or `recording-2` and so on where an interrupted run has left one: what was filmed is never overwritten."""
    number = 1
    while True:
        name = "recording" if number == 1 else f"recording-{number}"
        if not any((run_dir / f"{name}{ending}").exists() for ending in (".mp4", ".raw.mp4", ".frames")):
            return name
        number += 1


@dataclass(frozen=True)
class Film:
    """What ffprobe says of a file."""

    duration_s: float
    frames: int
    width: int
    height: int
    sound: bool
    video_start_s: float
    """Position of the first frame."""
    start_s: float
    """Position of the first frame or sample."""


async def measure(path: Path, *, count: bool = False) -> Film:
    """Probe a file; `count` reads all of it to count frames, which a fragmented file needs. Raises `StageFault`."""
    options: dict[str, Any] = {"count_packets": None} if count else {}
    try:
        found = await asyncio.to_thread(ffmpeg.probe, str(path), **options)
    except (ffmpeg.Error, OSError) as error:
        said = error.stderr.decode(errors="replace").strip() if isinstance(error, ffmpeg.Error) and error.stderr else str(error)
        raise StageFault(f"{path.name} cannot be read: {said[-300:]}") from error
    streams = found.get("streams", [])
    video = next((stream for stream in streams if stream.get("codec_type") == "video"), None)
    if video is None:
        raise StageFault(f"{path.name} holds no video.")
    return Film(
        duration_s=float(found["format"].get("duration") or video.get("duration") or 0.0),
        frames=int(video.get("nb_read_packets") or video.get("nb_frames") or 0),
        width=int(video["width"]),
        height=int(video["height"]),
        sound=any(stream.get("codec_type") == "audio" for stream in streams),
        video_start_s=float(video.get("start_time") or 0.0),
        start_s=min((float(stream.get("start_time") or 0.0) for stream in streams), default=0.0),
    )


async def finish(raw: Path, target: Path, processes: ProcessList, *, end_s: float | None, timeout_s: float) -> tuple[Film, float]:
    """Turn a fragmented file into one that players can seek in (same streams, index in front), cut at `end_s`.

    Returns what it is and by how many seconds positions moved towards the front. Raises `StageFault`.
    """
    source = await measure(raw)
    limit = {} if end_s is None else {"t": f"{max(0.1, end_s - source.start_s):.4f}"}
    command = ffmpeg.compile(
        ffmpeg.output(ffmpeg.input(str(raw)), str(target), c="copy", movflags="+faststart", **limit).global_args(
            "-hide_banner", "-nostdin", "-loglevel", "error"
        ),
        overwrite_output=True,
    )
    log = raw.with_suffix(".log")
    process = processes.spawn("ffmpeg (finish)", command, log=log)
    try:
        code = await asyncio.to_thread(process.wait, timeout_s)
    except subprocess.TimeoutExpired as error:
        raise StageFault(f"{target.name} was not finished within {timeout_s:g} s.") from error
    finally:
        await processes.end(process.pid)
    if code != 0:
        raise StageFault(f"ffmpeg ended with {code} while finishing {target.name}; see {log.name}.")
    log.unlink(missing_ok=True)
    film = await measure(target)
    return film, source.video_start_s - film.video_start_s


def timeline(knots: Sequence[tuple[float, float]], file_zero_s: float, duration_s: float) -> tuple[tuple[float, float], ...]:
    """(app time in ms, position in s) for each moment at which app time started, stopped or went on.

    `knots` are (app time in ms, wall time in s), ascending; `file_zero_s` is the wall time of position 0. What lies before or
    after the film is cut off: the first and the last pair are moments within it.
    """
    points = [(app, wall - file_zero_s) for app, wall in knots]
    if not points:
        return ()
    first_s, last_s = max(0.0, points[0][1]), min(duration_s, points[-1][1])
    if last_s <= first_s:
        return ()
    inside = [(app, at) for app, at in points if first_s < at < last_s]
    return tuple(
        (round(app, 3), round(at, 4))
        for app, at in [(_app_at(points, first_s), first_s), *inside, (_app_at(points, last_s), last_s)]
    )


def _app_at(points: Sequence[tuple[float, float]], position_s: float) -> float:
    """App time at a position, between two neighbouring points."""
    for (app, at), (next_app, next_at) in pairwise(points):
        if at <= position_s <= next_at:
            share = (position_s - at) / (next_at - at) if next_at > at else 0.0
            return app + (next_app - app) * share
    return points[0][0] if position_s < points[0][1] else points[-1][0]


def row(path: Path, film: Film, run_dir: Path, points: tuple[tuple[float, float], ...]) -> Recorded:
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
    )


def have_ffmpeg() -> bool:
    """Both programs are on the search path."""
    return shutil.which("ffmpeg") is not None and shutil.which("ffprobe") is not None
