"""The library that converts colours for the recorder, in a real ffmpeg: against full precision, and beside the point."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import FIXTURES
from tests.integration.stage.conftest import Opener, opener
from tools.browser.preloaded import QUICK_COLOUR

WIDTH, HEIGHT, FRAMES = 322, 182, 2
LUMA = np.array([0.114, 0.587, 0.299]) * 219 / 255
BLUE = np.array([0.5, -0.331264, -0.168736]) * 224 / 255
RED = np.array([-0.081312, -0.418688, 0.5]) * 224 / 255


@pytest.fixture
async def open_stage(tmp_path: Path) -> AsyncIterator[Opener]:
    """Opens a stage on a site; closed after the test."""
    async with AsyncExitStack() as stack:
        yield opener(stack, tmp_path)


def converted(pixels: np.ndarray, source: str, target: str, *, preloaded: bool) -> bytes:
    """What ffmpeg makes of raw frames. Shape of `pixels`: (frames, height, width, bytes)."""
    _, height, width, _ = pixels.shape
    command = ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", source, "-s", f"{width}x{height}", "-r", "30", "-i", "-"]
    extra = {"LD_PRELOAD": str(QUICK_COLOUR.library())} if preloaded else {}
    return subprocess.run(
        [*command, "-sws_flags", "neighbor", "-pix_fmt", target, "-f", "rawvideo", "-"],
        input=pixels.tobytes(),
        env={**os.environ, **extra},
        capture_output=True,
        timeout=60,
        check=True,
    ).stdout


def noise(bytes_a_pixel: int) -> np.ndarray:
    """Frames of every colour, black and white among them."""
    made = np.random.default_rng(3).integers(0, 256, (FRAMES, HEIGHT, WIDTH, bytes_a_pixel), dtype=np.uint8)
    made[0, :40] = 255
    made[0, 40:80] = 0
    return made


def test_colours_are_those_of_the_standard() -> None:
    """BT.601 in limited range: luma of each pixel, colour of each block's mean; nothing is off by more than rounding."""
    pixels = noise(4)
    told = np.frombuffer(converted(pixels, "bgr0", "yuv420p", preloaded=True), np.uint8).astype(float).reshape(FRAMES, -1)
    bgr = pixels[..., :3].astype(float)
    luma = told[:, : WIDTH * HEIGHT].reshape(FRAMES, HEIGHT, WIDTH)
    assert np.abs(luma - (16 + bgr @ LUMA)).max() <= 0.51
    means = bgr.reshape(FRAMES, HEIGHT // 2, 2, WIDTH // 2, 2, 3).mean(axis=(2, 4))
    colour = told[:, WIDTH * HEIGHT :].reshape(FRAMES, 2, HEIGHT // 2, WIDTH // 2)
    assert np.abs(colour[:, 0] - (128 + means @ BLUE)).max() <= 0.51
    assert np.abs(colour[:, 1] - (128 + means @ RED)).max() <= 0.51


def test_ffmpeg_uses_it() -> None:
    """Its colours differ from the ones that ffmpeg picks of every other pixel: otherwise nothing was preloaded at all."""
    pixels = noise(4)
    assert converted(pixels, "bgr0", "yuv420p", preloaded=True) != converted(pixels, "bgr0", "yuv420p", preloaded=False)


@pytest.mark.parametrize(("source", "target", "size"), [("rgb24", "yuv420p", 3), ("bgr0", "yuv444p", 4), ("bgr0", "gray", 4)])
def test_other_conversions_are_left_alone(source: str, target: str, size: int) -> None:
    """What it does not know goes to libswscale as if it were not there."""
    pixels = noise(size)
    assert converted(pixels, source, target, preloaded=True) == converted(pixels, source, target, preloaded=False)


def test_odd_sizes_are_left_alone() -> None:
    """A picture that has half a block at its edge is libswscale's."""
    pixels = noise(4)[:, :-1, :-1]
    pixels = np.ascontiguousarray(pixels)
    assert converted(pixels, "bgr0", "yuv420p", preloaded=True) == converted(pixels, "bgr0", "yuv420p", preloaded=False)


async def test_the_recorder_films_with_it(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """The library is in the memory of the ffmpeg that films, whichever account that runs as, and its loading was no failure."""
    opened = await open_stage(serve(FIXTURES / "recorder"), record=True, clock="held")
    filming = [pid for pid, name in opened.processes.running().items() if name == "ffmpeg"]
    assert filming
    maps = Path(f"/proc/{filming[0]}/maps").read_text(encoding="utf-8")
    assert QUICK_COLOUR.library().name in maps
    assert "cannot be preloaded" not in (opened.run_dir / "recording.log").read_text(encoding="utf-8", errors="replace")
