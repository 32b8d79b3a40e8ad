"""How fast PADVC and TD are measured, apart from OCR. `python -m tests.benchmarks.film_dynamics [--json FILE]`.

Films are made by ffmpeg: 854 × 480 at 15, 30 and 60 frames a second. Wall and processor time of the whole call, decoding
included; text is looked for by a finder that finds none, so that everything but the network is in the figure.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.media.padvc import measure_dynamics

SECONDS = 40
DRAWING = (
    "drawbox=x='mod(t*90,800)':y=100:w=40:h=40:color=white:t=fill,drawbox=x=300:y='mod(t*50,440)':w=60:h=20:color=yellow:t=3"
)


def no_text(picture: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
    """Finds nothing."""
    return []


def main() -> None:
    """Print a line a film."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for fps in (15, 30, 60):
            path = Path(folder) / f"{fps}.mp4"
            source = f"color=black:s=854x480:r={fps}:d={SECONDS}"
            line = [
                "ffmpeg",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                source,
                "-vf",
                DRAWING,
                "-c:v",
                "libx264",
                "-preset",
                "veryfast",
                str(path),
            ]
            subprocess.run(line, check=True, timeout=300)
            began, own = time.perf_counter(), os.times()
            found = measure_dynamics(path, find_text=no_text)
            wall, now = time.perf_counter() - began, os.times()
            cpu = (
                now.user
                + now.system
                + now.children_user
                + now.children_system
                - own.user
                - own.system
                - own.children_user
                - own.children_system
            )
            rows.append(
                {
                    "fps": fps,
                    "frames": found.frames,
                    "wall_s": wall,
                    "frames_per_s": found.frames / wall,
                    "frames_per_cpu_s": found.frames / cpu,
                }
            )
            speed = f"{found.frames / wall:7.0f} frames/s wall  {found.frames / cpu:7.0f} frames/s of processor time"
            sys.stdout.write(f"{fps:3} fps  {found.frames} frames  {speed}\n")
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
