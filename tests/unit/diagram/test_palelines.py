"""In a picture made smaller a pale line is ink up to the dark head it ends in, and so is the border at the head's tip."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image

from tools.diagram import surfaces
from tools.diagram.masks import Mask
from tools.diagram.palelines import by_heads, middles
from tools.diagram.surfaces import prepare
from tools.media.image import Picture

_SIZE = 0.6


def _scaled() -> tuple[Picture, float]:
    """Four boxes with a pale border below heads at the end of grey hairlines, at 0.6 times its size; and the heads' column."""
    picture = np.full((420, 760, 3), 255, np.uint8)
    for column in range(4):
        x = 100 + 180 * column
        cv2.rectangle(picture, (x - 60, 200), (x + 60, 260), (236, 236, 236), cv2.FILLED)
        cv2.rectangle(picture, (x - 60, 200), (x + 60, 260), (153, 153, 153), 1)
        cv2.line(picture, (x, 60), (x, 190), (102, 102, 102), 1, cv2.LINE_AA)
        cv2.fillPoly(picture, [np.array([(x, 200), (x - 5, 190), (x + 5, 190)])], (40, 40, 40), cv2.LINE_AA)
        cv2.putText(picture, "Feature", (x - 32, 235), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        cv2.putText(picture, "Flags", (x - 22, 320), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    size = round(picture.shape[1] * _SIZE), round(picture.shape[0] * _SIZE)
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS), np.uint8), 100 * _SIZE


def _gaps(picture: Picture, column: float) -> list[int]:
    """Columns in which the border beside each head's tip has no ink."""
    scene = prepare(picture)
    assert scene.copied
    border, gaps = round(200 * _SIZE * scene.scale), []
    for number in range(4):
        x = round((column + 180 * _SIZE * number) * scene.scale)
        gaps.append(int((scene.ink[border - 2 : border + 4, x - 12 : x + 13].max(axis=0) == 0).sum()))
    return gaps


def _step() -> tuple[np.ndarray, np.ndarray]:
    """A dark block with a soft rim, a pale line that ends in it, and what ink is asked for about them."""
    beyond = np.zeros((40, 60), np.int16)
    beyond[10:30, 30:50] = 200
    beyond[10:30, 29] = 70
    beyond[19:21, 5:30] = 70
    asked = 0.45 * np.asarray(cv2.dilate(beyond, np.ones((5, 5), np.uint8)), np.float32)
    return beyond, asked


def test_a_pale_line_has_a_middle_and_a_soft_rim_has_none() -> None:
    """Right beside the block the line is found, and of the block's own side nothing that far from its corners."""
    beyond, asked = _step()
    found = middles(beyond, asked, 14)
    assert beyond[20, 28] <= asked[20, 28]
    assert found[19:21, 5:29].any(axis=0).all()
    assert not found[13:17, 29].any()
    assert not found[23:27, 29].any()


def test_what_rings_beside_strong_ink_is_no_line() -> None:
    """The same line where it is a fifth of what is asked."""
    beyond, asked = _step()
    beyond[19:21, 5:29] = 18
    assert not middles(beyond, asked, 14)[19:21, 28].any()


def test_only_heads_are_broad() -> None:
    """Near a triangle, but not along a line of two pixels."""
    ink: Mask = np.zeros((60, 120), np.uint8)
    ink[29:31, :90] = 1
    cv2.fillPoly(ink, [np.array([(110, 30), (96, 23), (96, 37)])], (1,))
    near = by_heads(ink, 12)
    assert near[30, 96]
    assert not near[30, :80].any()


def test_borders_reach_the_tips_of_heads_in_a_small_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gaps that a node's ground runs out through are closed but for a pixel, and are open without this."""
    picture, column = _scaled()
    assert max(_gaps(picture, column)) <= 1
    monkeypatch.setattr(surfaces, "middles", lambda beyond, *_: np.zeros(beyond.shape, np.bool_))
    assert min(_gaps(picture, column)) > 2
