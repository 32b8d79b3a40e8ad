"""Reading films with ffmpeg: what is in them, the moments of their packets, their frames and samples, one after another.

Everything here blocks, is bounded by a time-out, and holds no more than one frame or one second of sound in memory.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tools.errors import EnvironmentFault, MissingProgram

RATE_HZ = 48_000
CHANNELS = 2
_PROBE_S = 30.0
_QUIETLY = ("-hide_banner", "-nostdin", "-loglevel", "fatal")


class UnreadableFilm(EnvironmentFault):
    """A file is no film that ffmpeg can read, or reading took too long."""

    kind = "film"


@dataclass(frozen=True)
class Film:
    """What ffprobe says of a file."""

    duration_s: float
    frames: int
    """0 where the file does not say."""
    width: int
    height: int
    pixels: str
    """How ffmpeg calls the way in which they are kept: `yuv420p`."""
    sound: bool
    video_start_s: float
    """Position of the first frame."""
    start_s: float
    """Position of the first frame or sample."""


@dataclass(frozen=True)
class Packets:
    """The packets of one stream, in the order of the file."""

    at_s: NDArray[np.float64]
    """When each is shown."""
    key: NDArray[np.bool_]
    """Where decoding can begin."""


def probe(path: Path) -> Film:
    """What a file holds. Raises `UnreadableFilm` or `MissingProgram`."""
    found = json.loads(_ffprobe(path, "-show_streams", "-show_format", "-of", "json"))
    streams: list[dict[str, Any]] = found.get("streams", [])
    video = next((stream for stream in streams if stream.get("codec_type") == "video"), None)
    if video is None:
        raise UnreadableFilm(f"{path.name} holds no video.")
    return Film(
        duration_s=float(found["format"].get("duration") or video.get("duration") or 0.0),
        frames=int(video.get("nb_frames") or 0),
        width=int(video["width"]),
        height=int(video["height"]),
        pixels=str(video.get("pix_fmt", "")),
        sound=any(stream.get("codec_type") == "audio" for stream in streams),
        video_start_s=float(video.get("start_time") or 0.0),
        start_s=min((float(stream.get("start_time") or 0.0) for stream in streams), default=0.0),
    )


def packets(path: Path, stream: str) -> Packets:
    """The moments of the packets of a stream (`v` or `a`); a torn file gives those before the tear.

    Raises `UnreadableFilm` or `MissingProgram`.
    """
    said = _ffprobe(path, "-select_streams", stream, "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0")
    rows = [line.split(",") for line in said.split() if "," in line and not line.startswith("N/A")]
    return Packets(np.array([float(row[0]) for row in rows]), np.array([row[1].startswith("K") for row in rows], dtype=np.bool_))


def sound_stamps(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Positions in s and sample counts of the blocks that the first sound track decodes to; empty without one.

    Raises `UnreadableFilm` or `MissingProgram`.
    """
    said = _ffprobe(path, "-select_streams", "a:0", "-show_entries", "frame=pts_time,nb_samples", "-of", "csv=p=0")
    rows = [line.strip(",").split(",") for line in said.split() if not line.startswith("N/A")]
    whole = [row for row in rows if len(row) == 2]
    return np.array([float(row[0]) for row in whole]), np.array([int(row[1]) for row in whole], dtype=np.int64)


def grey_frames(
    path: Path, size: tuple[int, int], *, pixels: str = "", before: Sequence[str] = (), timeout_s: float = 120.0
) -> Iterator[NDArray[np.uint8]]:
    """Every frame as luma (height, width), scaled to `size` (width, height). The array is used again for the next frame.

    `pixels`: those of the film, where known. `before` are options for the input (`-t 3`). Raises `UnreadableFilm` or
    `MissingProgram`.
    """
    width, height = size
    scale, plainly = f"scale={width}:{height}:flags=area", ()
    if pixels == "yuv420p":
        # Of what becomes grey the colours need not be scaled, and small frames are not worth the threads' conversation: the same
        # to the bit in 0.6 of the time (measured, 2026-11).
        scale, plainly = f"extractplanes=y,{scale}:in_range=tv:out_range=pc", ("-threads", "1")
    command = [
        *("ffmpeg", *_QUIETLY, *plainly, *before, "-i", str(path), "-map", "0:v:0", "-fps_mode", "passthrough"),
        *("-vf", scale, "-pix_fmt", "gray", "-f", "rawvideo", "-"),
    ]
    frame = np.empty((height, width), np.uint8)
    with _output(command, timeout_s, path) as stream:
        while _fill(stream, frame):
            yield frame


def samples(path: Path, *, filters: str, before: Sequence[str] = (), timeout_s: float = 120.0) -> Iterator[NDArray[np.float32]]:
    """The first sound track, (n, 2) at 48 kHz, full scale ±1, about a second at a time, after ffmpeg's `filters`.

    `before` are options for the input. Raises `UnreadableFilm` or `MissingProgram`.
    """
    command = [
        *("ffmpeg", *_QUIETLY, *before, "-i", str(path), "-map", "0:a:0", "-af", filters),
        *("-ac", str(CHANNELS), "-ar", str(RATE_HZ), "-f", "f32le", "-"),
    ]
    with _output(command, timeout_s, path) as stream:
        while data := stream.read(RATE_HZ * CHANNELS * 4):
            whole = len(data) // (CHANNELS * 4) * CHANNELS
            yield np.frombuffer(data, np.float32, whole).reshape(-1, CHANNELS)


def _fill(stream: IO[bytes], frame: NDArray[np.uint8]) -> bool:
    """Read one whole frame; False at the end (half a frame is none)."""
    view = memoryview(frame.data).cast("B")
    done = 0
    while done < len(view):
        part = stream.readinto(view[done:])  # pyright: ignore[reportAttributeAccessIssue] - a pipe's reader has it
        if not part:
            return False
        done += part
    return True


@contextlib.contextmanager
def _output(command: Sequence[str], timeout_s: float, path: Path) -> Iterator[IO[bytes]]:
    """The standard output of a program that is ended when the block is left or the time is up."""
    with _started(command) as process:
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        watch = threading.Timer(timeout_s, give_up)
        watch.start()
        try:
            stream = process.stdout
            if stream is None:
                raise UnreadableFilm(f"{path.name} cannot be read: no pipe.")
            yield stream
        finally:
            watch.cancel()
            process.kill()
        if late.is_set():
            raise UnreadableFilm(f"{path.name} was not read within {timeout_s:g} s.")


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, bufsize=1 << 20
        )
    except FileNotFoundError as error:
        raise MissingProgram(f"{command[0]} is not installed.", hint="Run: assay doctor") from error


def _ffprobe(path: Path, *options: str) -> str:
    try:
        done = subprocess.run(
            ["ffprobe", "-v", "error", *options, str(path)], capture_output=True, text=True, timeout=_PROBE_S, check=False
        )
    except FileNotFoundError as error:
        raise MissingProgram("ffprobe is not installed.", hint="Run: assay doctor") from error
    except subprocess.TimeoutExpired as error:
        raise UnreadableFilm(f"{path.name} was not read within {_PROBE_S:g} s.") from error
    if done.returncode != 0 and not done.stdout.strip(" \n{}"):
        raise UnreadableFilm(f"{path.name} cannot be read: {done.stderr.strip()[-300:]}")
    return done.stdout
