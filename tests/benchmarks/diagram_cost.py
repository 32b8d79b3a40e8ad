"""What a parse takes: processor and wall seconds, where they go, memory, and how they grow with the number of nodes.

Every picture is laid on a canvas of 1280×800 pixels where it is smaller, and made to fit where it is larger, so that figures of
different families can be compared. Processor seconds are the whole process's (reading of text included); those of a step are its
thread's. On a busy machine wall seconds say little: the load is printed beside them.
"""

from __future__ import annotations

import os
import resource
import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tools.diagram.formats.convert import read_file
from tools.diagram.parser import parse_fully
from tools.diagram.picture.opening import open_picture
from tools.media.image import Picture

WIDTH, HEIGHT = 1280, 800
BANDS = (10, 20, 30)
"""Numbers of nodes between which pictures are put together."""


@dataclass(frozen=True)
class Spent:
    """One parse. `steps`: processor seconds of each step's thread."""

    picture: str
    nodes: int
    cpu_s: float
    wall_s: float
    steps: dict[str, float]


def measured(folders: Iterable[Path]) -> list[Spent]:
    """Parses the picture of each folder once, after one parse that loads the models and is not counted."""
    spent: list[Spent] = []
    for number, folder in enumerate(folders):
        picture = fitted(open_picture(folder / "picture.png"))
        if not number:
            parse_fully(picture)
        steps: dict[str, float] = {}

        def watch(name: str, seconds: float, steps: dict[str, float] = steps) -> None:
            steps[name] = steps.get(name, 0.0) + seconds

        cpu, wall = time.process_time(), time.perf_counter()
        parse_fully(picture, watch=watch)
        nodes = len(read_file(folder / "gold.json").nodes)
        spent.append(Spent(folder.name, nodes, time.process_time() - cpu, time.perf_counter() - wall, steps))
    return spent


def fitted(picture: Picture) -> Picture:
    """The picture on a canvas of 1280×800, its ground in the colour of its corner; a larger one is scaled down to fit."""
    height, width = picture.shape[:2]
    scale = min(WIDTH / width, HEIGHT / height, 1.0)
    if scale < 1:
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    canvas = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    canvas[:] = picture[0, 0]
    height, width = picture.shape[:2]
    top, left = (HEIGHT - height) // 2, (WIDTH - width) // 2
    canvas[top : top + height, left : left + width] = picture
    return canvas


def cost_table(spent: list[Spent]) -> str:
    """The figures as lines. Raises `ValueError` where nothing was measured."""
    if not spent:
        raise ValueError("no picture was parsed")
    cpu, wall = sorted(item.cpu_s for item in spent), sorted(item.wall_s for item in spent)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    lines = [
        f"{len(spent)} pictures of {WIDTH}×{HEIGHT} px, {os.cpu_count()} processors, load {load}",
        f"processor seconds: median {statistics.median(cpu):.2f}, nine of ten {_tenth(cpu):.2f}, most {cpu[-1]:.2f}",
        f"wall seconds:      median {statistics.median(wall):.2f}, nine of ten {_tenth(wall):.2f}, most {wall[-1]:.2f}",
        f"memory: {memory:.0f} MB at most",
        "",
        "where the time goes (median processor seconds of the step, share of all)",
    ]
    total = sum(sum(item.steps.values()) for item in spent)
    names = sorted(
        {name for item in spent for name in item.steps}, key=lambda name: -sum(item.steps.get(name, 0) for item in spent)
    )
    for name in names:
        each = [item.steps.get(name, 0.0) for item in spent]
        lines.append(f"  {name:22} {statistics.median(each):6.3f}  {sum(each) / total:5.0%}")
    lines += ["", "growth with the number of nodes (median processor seconds)"]
    for low, high in zip((0, *BANDS), (*BANDS, 1_000_000), strict=True):
        band = [item for item in spent if low <= item.nodes < high]
        if band:
            told = f"{low}–{high - 1}" if high < 1_000_000 else f"{low} and more"
            lines.append(f"  {told:12} {len(band):4} pictures {statistics.median(item.cpu_s for item in band):6.2f}")
    return "\n".join(lines)


def _tenth(ordered: list[float]) -> float:
    return ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
