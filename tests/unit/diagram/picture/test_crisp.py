"""Copies of drawings get steep rims: borders beside heads stay whole, grounds flat, lines thin, and dark ones are negatives."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image

from tools.diagram.model.graph import Shape
from tools.diagram.picture.crisp import crisp
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
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
    border, gaps = round(200 * _SIZE * scene.scale), []
    for number in range(4):
        x = round((column + 180 * _SIZE * number) * scene.scale)
        gaps.append(int((scene.ink[border - 2 : border + 4, x - 12 : x + 13].max(axis=0) == 0).sum()))
    return gaps


def test_pale_borders_stay_whole_beside_heads() -> None:
    """At the tip of a dark head the border of its node has no gap of more than two pixels."""
    assert max(_gaps(*_scaled())) <= 2


def test_steep_rims_keep_thin_lines_and_level_their_sides() -> None:
    """A blurred line of two pixels is as dark as before, its sides are the ground's colour, and flat ground is untouched."""
    picture = np.full((60, 80, 3), 235, np.uint8)
    picture[29:31] = 40
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)
    sharp = crisp(soft, 2.0, 0.0)
    assert sharp[29:31, 40].max() <= soft[29:31, 40].max()
    assert (np.abs(sharp[:26, 40].astype(int) - 235) <= 9).all()
    assert np.array_equal(sharp[:20], picture[:20])


def test_a_dark_picture_is_worked_on_as_its_negative() -> None:
    """Ink, grounds and scale are those of the light picture; that it was dark is remembered."""
    picture, _ = _scaled()
    light, dark = prepare(picture), prepare(np.asarray(255 - picture, np.uint8))
    assert (light.dark, dark.dark) == (False, True)
    assert np.array_equal(light.ink, dark.ink)
    assert dark.scale == light.scale


def _flat_diamonds() -> Picture:
    """Four diamonds hardly higher than their names, packed as JPEG of quality 60."""
    picture = np.full((420, 900, 3), 255, np.uint8)
    for row in range(2):
        for column in range(2):
            x, y = 225 + 450 * column, 105 + 210 * row
            points = np.array([(x - 150, y), (x, y - 24), (x + 150, y), (x, y + 24)])
            cv2.polylines(picture, [points], True, (110, 30, 30), 2, cv2.LINE_AA)
            cv2.putText(picture, "Feature Flags ok?", (x - 72, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 60])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _diamonds(picture: Picture) -> int:
    return sum(note.shape is Shape.diamond and note.pixels.width > 250 for note in hunt(prepare(picture)))


def test_names_do_not_cut_up_flat_diamonds() -> None:
    """All four are found in a packed picture."""
    assert _diamonds(_flat_diamonds()) == 4
