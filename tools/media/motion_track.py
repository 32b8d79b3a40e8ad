"""What moves in a film: how much of the picture changes from frame to frame, where, and where nothing does.

Reads the film once, frame after frame, on a grid half as fine as the usual viewport; what is kept is a line of figures a frame.
A pixel has changed when its luma differs by more than `TOLERANCE` levels: H.264 as the recorder makes it changes a still picture
by at most 4 on this grid, also where a key frame paints it anew (measured on three pages, 2026-11).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.media.sound_track import spans
from tools.media.video import grey_frames, packets, probe

TOLERANCE = 8
GRID_WIDTH = 640
JOIN_S = 0.3
"""Changes less than this apart are one motion."""
STALL_S = 0.1
"""A pause inside a motion that is longer than this is seen: three frames of thirty a second."""


@dataclass(frozen=True)
class Motion:
    """A line for each frame, in the order of the film."""

    at_s: NDArray[np.float64]
    """Position."""
    changed: NDArray[np.float32]
    """Share of pixels that differ from the frame before, 0–1."""
    difference: NDArray[np.float32]
    """Mean difference of luma from the frame before, in levels of 255."""
    boxes: NDArray[np.int16]
    """Around all that changed: x, y, width, height in pixels of the film; width 0 where nothing did."""

    def as_json(self, app_ms: NDArray[np.float64]) -> dict[str, Any]:
        """For a blob: columns, one entry a frame; `app_ms` (NaN: none) is the app time of each."""
        return {
            "version": 1,
            "tolerance": TOLERANCE,
            "at_s": np.round(self.at_s, 4).tolist(),
            "app_ms": [None if np.isnan(moment) else round(moment, 1) for moment in app_ms.tolist()],
            "changed": _short(self.changed),
            "difference": _short(self.difference),
            "boxes": [box if box[2] else 0 for box in self.boxes.tolist()],
        }


@dataclass(frozen=True)
class Course:
    """The same, summed up over a stretch of time in which every frame has its moment (s)."""

    frames: int
    distinct: int
    distinct_fps: float
    """Distinct frames a second while there is motion; 0 without any."""
    moving: tuple[tuple[float, float], ...]
    """(from, to) in s."""
    freeze: tuple[float, float]
    """The longest time without change: (from, to) in s."""
    stalls: int
    longest_stall_s: float


def measure_motion(path: Path, *, timeout_s: float = 120.0) -> Motion:
    """The motion in a film. Raises `UnreadableFilm` or `MissingProgram`."""
    film = probe(path)
    at_s = packets(path, "v").at_s
    width = min(GRID_WIDTH, film.width)
    grid = width, max(2, round(film.height * width / film.width))
    changed: list[float] = []
    difference: list[float] = []
    boxes: list[tuple[int, int, int, int]] = []
    before: NDArray[np.uint8] | None = None
    scratch = np.empty((grid[1], grid[0]), np.uint8)
    for frame in grey_frames(path, grid, pixels=film.pixels, timeout_s=timeout_s):
        if before is None:
            before = frame.copy()
        cv2.absdiff(frame, before, dst=scratch)
        difference.append(float(cv2.mean(scratch)[0]))
        # Most frames of most sessions repeat the one before to the bit.
        if difference[-1]:
            _, mask = cv2.threshold(scratch, TOLERANCE, 1, cv2.THRESH_BINARY)
            changed.append(cv2.countNonZero(mask) / mask.size)
            boxes.append(_box(mask, film.width / grid[0], film.height / grid[1]) if changed[-1] else (0, 0, 0, 0))
        else:
            changed.append(0.0)
            boxes.append((0, 0, 0, 0))
        np.copyto(before, frame)
    count = min(len(changed), len(at_s))
    return Motion(
        at_s[:count],
        np.array(changed[:count], np.float32),
        np.array(difference[:count], np.float32),
        np.array(boxes[:count], np.int16).reshape(-1, 4),
    )


def course(at_s: NDArray[np.float64], changed: NDArray[np.float32]) -> Course:
    """Sum up frames whose moments ascend; `changed` as in `Motion`."""
    if len(at_s) == 0:
        return Course(0, 0, 0.0, (), (0.0, 0.0), 0, 0.0)
    new = changed > 0
    moments = at_s[new]
    # A change is seen from the frame before, which still shows the old picture.
    edges = np.append(at_s, at_s[-1] + (at_s[-1] - at_s[0]) / max(len(at_s) - 1, 1))
    moving = spans(new, edges, JOIN_S)
    moving = [span for span in moving if np.count_nonzero((moments >= span[0]) & (moments < span[1])) > 1]
    pauses = np.diff(moments)
    stalls = pauses[(pauses > STALL_S) & (pauses <= JOIN_S)]
    busy_s = sum(end - start for start, end in moving)
    inside = sum(int(np.count_nonzero((moments >= start) & (moments < end))) for start, end in moving)
    marks = np.concatenate([[at_s[0]], moments, [edges[-1]]])
    longest = int(np.argmax(np.diff(marks)))
    return Course(
        frames=len(at_s),
        distinct=int(np.count_nonzero(new)),
        distinct_fps=inside / busy_s if busy_s > 0 else 0.0,
        moving=tuple(moving),
        freeze=(float(marks[longest]), float(marks[longest + 1])),
        stalls=len(stalls),
        longest_stall_s=float(stalls.max(initial=0.0)),
    )


def _box(mask: NDArray[Any], across: float, down: float) -> tuple[int, int, int, int]:
    x, y, width, height = cv2.boundingRect(mask)
    left, top = int(x * across), int(y * down)
    return left, top, int(np.ceil((x + width) * across)) - left, int(np.ceil((y + height) * down)) - top


def _short(values: NDArray[np.float32]) -> list[float | int]:
    """Rounded; zeros, of which there are many, as one character."""
    return [round(value, 5) if value else 0 for value in values.astype(np.float64).tolist()]
