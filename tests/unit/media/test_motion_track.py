"""The motion track: a film whose motion is known, and the sums of made-up frames."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tools.browser.recorder.tracks import motion_row
from tools.evidence.rows import MotionTrack, Recorded
from tools.evidence.timeline import app_ms
from tools.media.motion_track import Motion, course, measure_motion


def film(path: Path) -> None:
    """4 s, 320 × 200: a white square crosses the lower half from 1 s to 2 s; at 3 s the upper left turns grey."""
    left = "10+200*clip(T-1,0,1)"
    square = f"between(Y,120,139)*between(X,{left},{left}+19)"
    moving = f"geq=lum='if({square},235,if(gte(T,3)*lt(X,40)*lt(Y,40),120,16))':cb=128:cr=128"
    subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=c=black:size=320x200:rate=30:duration=4", "-vf", moving),
            *("-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-g", "30", "-pix_fmt", "yuv420p", str(path)),
        ],
        check=True,
        timeout=60,
    )


def test_motion_of_a_film(tmp_path: Path) -> None:
    """Which frames changed, where, and what stood still in between; compression and key frames are no motion."""
    path = tmp_path / "square.mp4"
    film(path)
    motion = measure_motion(path)
    assert len(motion.at_s) == len(motion.changed) == len(motion.boxes) == 120
    busy = motion.at_s[motion.changed > 0]
    assert busy[:-1].min() == pytest.approx(1.03, abs=0.05)
    assert busy[:-1].max() == pytest.approx(2.0, abs=0.05)
    assert busy[-1] == pytest.approx(3.0, abs=0.04)
    x, y, width, height = motion.boxes[int(np.argmin(np.abs(motion.at_s - 1.5)))]
    assert 90 <= x <= 112
    assert (y, height) == (pytest.approx(120, abs=3), pytest.approx(20, abs=5))
    assert width < 40
    summed = course(motion.at_s, motion.changed)
    assert len(summed.moving) == 1
    assert summed.moving[0] == pytest.approx((1.03, 2.03), abs=0.06)
    assert summed.distinct_fps == pytest.approx(30, abs=2)
    assert summed.freeze == pytest.approx((0.0, 1.03), abs=0.05)
    assert json.loads(json.dumps(motion.as_json(np.full(120, np.nan))))["app_ms"] == [None] * 120


def test_stalls_and_freezes_are_told_apart() -> None:
    """A pause of 0.2 s inside motion is a stall, one of 0.5 s ends the motion, one change alone is none."""
    at_s = np.arange(180, dtype=np.float64) / 30
    changed = np.zeros(len(at_s), np.float32)
    changed[(at_s >= 1) & (at_s < 2)] = 0.1
    changed[(at_s >= 2.2) & (at_s < 3)] = 0.1
    changed[(at_s >= 3.5) & (at_s < 4)] = 0.1
    changed[int(5.5 * 30)] = 0.5
    summed = course(at_s, changed)
    assert [span[0] for span in summed.moving] == pytest.approx([1.0, 3.5], abs=0.04)
    assert summed.stalls == 1
    assert summed.longest_stall_s == pytest.approx(0.23, abs=0.04)
    assert summed.freeze[1] - summed.freeze[0] == pytest.approx(1.5, abs=0.07)
    assert course(at_s[:0], changed[:0]).frames == 0


def test_what_is_filmed_while_time_stands_does_not_count() -> None:
    """Under a clock that leaves the film running, a hold is neither motion nor a freeze."""
    at_s = np.arange(240, dtype=np.float64) / 30
    # App time stands from position 2 to 5; the picture moves all the while (an animated image that cannot be held).
    recorded = Recorded(
        file="f", sha256="", size=0, duration_s=8, frames=240, fps=30, width=1, height=1, sound=False,
        timeline=((0.0, 0.0), (2000.0, 2.0), (2000.0, 5.0), (5000.0, 8.0)),
    )  # fmt: skip
    moments = np.array([app_ms(recorded.timeline, at) or 0.0 for at in at_s.tolist()])
    changed = ((at_s > 2.01) & (at_s < 4.9)).astype(np.float32)
    boxes = np.zeros((len(at_s), 4), np.int16)
    row = motion_row(Motion(at_s, changed, changed, boxes), moments)
    assert isinstance(row, MotionTrack)
    assert row.distinct == 0
    assert row.longest_freeze_s == pytest.approx(5.0, abs=0.1)
    assert row.frames == pytest.approx(150, abs=3)
