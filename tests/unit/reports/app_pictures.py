"""Pictures of a made-up task board, and a recording whose every frame carries its own number, for runs made by tests."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

FPS = 30
BITS = 12
BLOCK_PX = 40
INK, PALE, WHITE, BLUE = (46, 38, 30), (244, 240, 236), (255, 255, 255), (168, 92, 36)


def board(state: int, width: int = 1280, height: int = 800) -> Pixels:
    """The board after `state` steps; the same state gives the same pixels."""
    image = np.full((height, width, 3), PALE, np.uint8)
    cv2.rectangle(image, (0, 0), (width, 64), INK, -1)
    _write(image, "Tidy board", (24, 42), 0.9, WHITE)
    if width > 600:
        cv2.rectangle(image, (width - 190, 16), (width - 24, 48), BLUE, -1)
        _write(image, "Archive done", (width - 178, 39), 0.6, WHITE)
    columns = ("To do", "Doing", "Done") if width > 600 else ("To do",)
    wide = (width - 24 * (len(columns) + 1)) // len(columns)
    for column, name in enumerate(columns):
        x = 24 + column * (wide + 24)
        cv2.rectangle(image, (x, 96), (x + wide, height - 60), (232, 226, 220), -1)
        _write(image, name, (x + 16, 130), 0.7, INK)
        for card in range(max(1, (state * (3 - column) + 5 * column) % 6)):
            y = 150 + card * 82
            cv2.rectangle(image, (x + 12, y), (x + wide - 12, y + 68), WHITE, -1)
            _write(image, f"Task {card + 1} of {name}", (x + 26, y + 30), 0.55, INK)
            _write(image, "due in 3 days", (x + 26, y + 54), 0.45, (200, 196, 190))
    _write(image, f"{7 + state} tasks, {state % 5} done", (24, height - 22), 0.55, (120, 112, 104))
    return image


@cache
def board_png(state: int, width: int, height: int) -> bytes:
    """The board as PNG."""
    return png(board(state, width, height))


def png(image: Pixels) -> bytes:
    """The picture as PNG."""
    return cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


def numbered(image: Pixels, number: int) -> Pixels:
    """The picture with a number as black and white blocks along its lower edge, most significant first."""
    marked = image.copy()
    for bit in range(BITS):
        value = 255 if number >> (BITS - 1 - bit) & 1 else 0
        marked[-BLOCK_PX:, bit * BLOCK_PX : (bit + 1) * BLOCK_PX] = value
    return marked


def number_in(image: Pixels) -> int:
    """The number a frame carries; the picture may have been scaled."""
    height, width = image.shape[:2]
    block = BLOCK_PX * width / 640
    row = image[int(height - block / 2)]
    return sum(int(row[int((bit + 0.5) * block)].mean() > 127) << (BITS - 1 - bit) for bit in range(BITS))


def film(path: Path, seconds: float, state_at: list[int]) -> None:
    """A fragmented MP4 (H.264 and AAC, 640×400, 30 fps) as the recorder makes it.

    Each frame shows the board in the state of its second and carries its number.
    """
    boards = {state: np.asarray(cv2.resize(board(state), (640, 400)), np.uint8) for state in set(state_at)}
    states = (state_at[min(number // FPS, len(state_at) - 1)] for number in range(int(seconds * FPS)))
    command = [
        *("ffmpeg", "-hide_banner", "-loglevel", "error", "-y"),
        *("-f", "rawvideo", "-pix_fmt", "bgr24", "-video_size", "640x400", "-framerate", str(FPS), "-i", "-"),
        *("-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}"),
        *("-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"),
        *("-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "1000000", str(path)),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None
        for number, state in enumerate(states):
            encoder.stdin.write(numbered(boards[state], number).tobytes())
        encoder.stdin.close()
        assert encoder.wait(timeout=60) == 0


def _write(image: Pixels, text: str, at: tuple[int, int], scale: float, colour: tuple[int, int, int]) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1, cv2.LINE_AA)
