"""What JPEG's ringing cuts up of one ground is one ground again, and what ink parts stays apart."""

import cv2
import numpy as np
import pytest

from tools.diagram import surfaces
from tools.diagram.graph import Shape
from tools.diagram.ringing import rejoined
from tools.diagram.shapes import hunt
from tools.diagram.surfaces import prepare
from tools.media.image import Picture


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


def test_names_do_not_cut_up_flat_diamonds(monkeypatch: pytest.MonkeyPatch) -> None:
    """All four are found, which they are not while their ground is left in pieces."""
    picture = _flat_diamonds()
    assert _diamonds(picture) == 4
    monkeypatch.setattr(surfaces, "rejoined", lambda labels, colours, *_, **__: (labels, colours))
    assert _diamonds(picture) < 4


def test_only_alike_pieces_of_one_room_are_joined() -> None:
    """Two white pieces of a box are one, its yellow piece is not theirs, and a white one beyond the border is none of them."""
    labels, ink = np.zeros((60, 200), np.int32), np.zeros((60, 200), np.uint8)
    ink[:, 100:102] = 1
    labels[:, 0:30], labels[:, 34:60], labels[:, 64:100], labels[:, 110:200] = 1, 2, 3, 4
    colours = np.array([[0, 0, 0], [255, 255, 255], [250, 250, 250], [250, 250, 120], [255, 255, 255]], np.float32)
    sizes = np.bincount(labels.ravel()).astype(np.int32)
    joined, shades = rejoined(labels, colours, np.where(np.arange(5) == 0, 0, sizes), ink, paper=0, glyph=10, soft=False)
    assert joined[30, 10] == joined[30, 50] != joined[30, 80]
    assert joined[30, 150] not in (joined[30, 10], joined[30, 80])
    assert joined[30, 105] == joined[30, 150]
    assert [shades[joined[30, x]].tolist() for x in (10, 80)] == [[255, 255, 255], [250, 250, 120]]


def test_a_room_with_the_paper_in_it_is_left_alone() -> None:
    """A pale card on the paper has no border to part it from the paper but its soft rim."""
    labels, ink = np.zeros((60, 200), np.int32), np.zeros((60, 200), np.uint8)
    labels[:, 0:90], labels[:, 96:200] = 1, 2
    colours = np.array([[0, 0, 0], [255, 255, 255], [250, 250, 250]], np.float32)
    joined, _ = rejoined(labels, colours, np.array([0, 5400, 6240], np.int32), ink, paper=1, glyph=10, soft=False)
    assert np.array_equal(joined, labels)
