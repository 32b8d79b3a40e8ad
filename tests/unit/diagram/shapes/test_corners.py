"""Sharp corners whose border sticks out, and grounds that letters dent."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import Scene, prepare
from tools.diagram.shapes.corners import spikes, undented
from tools.diagram.shapes.hunter import hunt
from tools.diagram.shapes.outlines import classify
from tools.media.image import Picture

WIDE = np.array([(60, 100), (280, 76), (500, 100), (280, 124)], np.int32)


def _diamond(words: str, thick: int = 3) -> Picture:
    picture = np.full((200, 560, 3), 255, np.uint8)
    cv2.polylines(picture, [WIDE], isClosed=True, color=(120, 20, 20), thickness=thick)
    cv2.putText(picture, words, (245, 114), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    for row in range(3):
        cv2.putText(picture, "words here", (20, 20 + 20 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)
    return picture


def _ground(scene: Scene) -> int:
    """The surface to the left of the words."""
    return int(scene.surfaces[100, 160])


def test_letters_that_touch_the_border_take_nothing_from_the_shape() -> None:
    """Its outline goes round them; its hull does not, and nothing but letters lies in between."""
    scene = prepare(_diamond("WWWWWWWW"))
    label = _ground(scene)
    contours, _ = cv2.findContours((scene.surfaces == label).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = np.asarray(max(contours, key=cv2.contourArea), np.int32)
    assert classify(outline).fit < 0.9
    whole = classify(undented(scene, label, outline))
    assert (whole.shape, whole.fit >= 0.9) == (Shape.diamond, True)
    assert [note.clean for note in hunt(scene) if note.shape is Shape.diamond and note.pixels.width > 300] == [True]


def test_a_ground_with_other_things_in_its_bay_keeps_its_outline() -> None:
    """A ground in the form of an L: the paper lies in its bay, not letters."""
    picture = np.full((300, 300, 3), 255, np.uint8)
    cv2.fillPoly(
        picture, [np.array([(40, 40), (100, 40), (100, 200), (260, 200), (260, 260), (40, 260)], np.int32)], (200, 220, 250)
    )
    scene = prepare(picture)
    label = int(scene.surfaces[230, 60])
    contours, _ = cv2.findContours((scene.surfaces == label).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = np.asarray(contours[0], np.int32)
    assert undented(scene, label, outline) is outline


def test_the_border_sticks_out_at_sharp_corners_only() -> None:
    """At a wide diamond's ends by many times its width; at a box's corners not. Blunted ends are sharp, too."""
    bare = np.zeros((200, 560), np.uint8)
    ends = sorted((tuple(spike[1]) for spike in spikes(WIDE.astype(np.float64), bare)), key=lambda tip: tip[0])
    assert len(ends) == 2
    assert ends[0][0] < 60 - 30
    assert ends[1][0] > 500 + 30
    blunt = np.array([(66, 99), (66, 101), (280, 124), (494, 101), (494, 99), (280, 76)], np.float64)
    assert len(spikes(blunt, bare)) == 2
    assert not spikes(np.array([(0, 0), (90, 0), (90, 40), (0, 40)], np.float64), bare)


def test_a_line_that_passes_by_is_no_border() -> None:
    """The border's sharp end is as long as its ink; a few pixels farther on another line comes down."""
    ink = np.zeros((200, 600), np.uint8)
    cv2.polylines(ink, [WIDE], isClosed=True, color=(1,), thickness=3)
    drawn = int(np.nonzero(ink[100])[0].max())
    cv2.line(ink, (drawn + 12, 20), (drawn + 12, 180), (1,), 2)
    inner = np.array([(76, 100), (280, 79), (484, 100), (280, 121)], np.float64)
    tips = sorted(int(spike[1][0]) for spike in spikes(inner, ink))
    assert abs(tips[1] - drawn) <= 3


def test_a_flat_diamond_is_seen_though_its_name_takes_most_of_its_ground() -> None:
    """The name touches the border: within the outline of the ground there is hardly more than a third of its box."""
    picture = np.full((200, 560, 3), 255, np.uint8)
    cv2.polylines(picture, [WIDE], isClosed=True, color=(120, 20, 20), thickness=3)
    cv2.putText(picture, "WWWWWWWW", (245, 110), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    for row in range(3):
        cv2.putText(picture, "words here", (20, 20 + 20 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)
    assert [note.shape for note in hunt(prepare(picture)) if note.pixels.width > 300 and note.fit > 0.9] == [Shape.diamond]
