"""Pictures made smaller or packed as JPEG are prepared so that their ink is as thin, and their faces as whole, as before."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from tools.diagram.model.graph import Shape
from tools.diagram.picture import copies, surfaces
from tools.diagram.picture.copies import Look
from tools.diagram.picture.surfaces import Scene, letter_height, prepare
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture


def _drawn() -> Picture:
    """Six ellipses with a word each, joined by lines one pixel wide."""
    picture = np.full((420, 560, 3), 255, np.uint8)
    for row in range(3):
        for column in range(2):
            x, y = 130 + 290 * column, 70 + 140 * row
            cv2.ellipse(picture, (x, y), (90, 26), 0, 0, 360, (250, 225, 225), cv2.FILLED, cv2.LINE_AA)
            cv2.ellipse(picture, (x, y), (90, 26), 0, 0, 360, (120, 20, 20), 1, cv2.LINE_AA)
            cv2.putText(picture, "Encoder", (x - 36, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        cv2.line(picture, (221, 70 + 140 * row), (329, 70 + 140 * row), (120, 20, 20), 1, cv2.LINE_AA)
    return picture


def _scaled(picture: Picture, scale: float) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _packed(picture: Picture) -> Picture:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 60])
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _ellipses(scene: Scene) -> int:
    return sum(note.shape is Shape.ellipse and note.fit >= 0.95 and note.pixels.width > 72 * scene.scale for note in hunt(scene))


def test_small_letters_are_measured_and_enlarged() -> None:
    """At 0.55 times the size the letters are found as much smaller, and the picture is worked on at twice its size."""
    whole, small = _drawn(), _scaled(_drawn(), 0.55)
    assert 0.45 <= letter_height(small) / letter_height(whole) <= 0.65
    assert prepare(whole).scale == 1
    assert prepare(small).scale == 2


def test_small_pictures_keep_their_faces_and_thin_lines() -> None:
    """Every ellipse is found, and the line between two stays thin: at most four pixels of the enlarged picture."""
    scene = prepare(_scaled(_drawn(), 0.55))
    assert _ellipses(scene) == 6
    column = round(275 * 0.55 * scene.scale)
    assert 1 <= scene.ink[: round(140 * 0.55 * scene.scale), column].sum() <= 4


def test_ringing_is_no_ink() -> None:
    """JPEG of quality 60 adds hardly any ink, and the faces stay."""
    drawn, packed = prepare(_drawn()), prepare(_packed(_drawn()))
    assert _ellipses(packed) == 6
    large = cv2.resize(drawn.ink, packed.ink.shape[::-1], interpolation=cv2.INTER_NEAREST)
    assert 0.6 <= packed.ink.sum() / large.sum() <= 1.1
    reach = cv2.dilate(large, np.ones((5, 5), np.uint8))
    assert (packed.ink & (1 - reach)).sum() <= 0.02 * packed.ink.sum()


def test_a_packed_picture_with_little_in_it_rings_all_the_same() -> None:
    """Six words on a large sheet leave hardly any of its ground trembling, which says nothing of how much that part does."""
    sheet = np.full((2000, 2600, 3), 255, np.uint8)
    sheet[:420, :560] = _drawn()
    assert copies._tremble(_packed(sheet)) == (0.0, 0.0)
    look = copies.look_of(_packed(sheet))
    assert (look.noise > 0.5, look.scaled) == (True, False)
    small = Image.fromarray(sheet).resize((1560, 1200), Image.Resampling.LANCZOS)
    assert copies.look_of(np.asarray(small)).scaled
    assert not copies.look_of(sheet).scaled


def test_a_drawn_picture_is_left_as_it_is() -> None:
    """Pixels of a picture that was neither scaled nor packed are taken as they are, with all that leaves its ground as ink."""
    picture = _drawn()
    scene = prepare(picture)
    assert np.array_equal(scene.picture, picture)
    assert not scene.noise


@pytest.mark.parametrize(("letters", "scale"), [(8.0, 2.0), (20.0, 1.0)])
def test_copies_are_enlarged_unless_their_letters_are_high(letters: float, scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters eight pixels high are legible, but in a copy the lines beside them have become faint."""
    monkeypatch.setattr(surfaces, "letter_height", lambda _: letters)
    assert prepare(_packed(_drawn())).scale == scale


def test_pale_lines_are_no_noise() -> None:
    """Thin grey lines on white, made smaller, are told from grain: the picture is a scaled one, not a packed one."""
    picture = np.full((400, 600, 3), 255, np.uint8)
    for row in range(12):
        cv2.line(picture, (20, 20 + 30 * row), (580, 32 + 30 * row), (177, 177, 183), 2, cv2.LINE_AA)
    assert copies._tremble(_scaled(picture, 0.6))[0] < 0.3
    grain = np.random.default_rng(1).normal(0, 9, picture.shape)
    assert copies._tremble(np.clip(picture + grain, 0, 255).astype(np.uint8))[0] > 3
    assert copies._tremble(_packed(_drawn()))[0] > 0.5


@pytest.mark.parametrize(
    ("look", "scaled"),
    [
        (Look(noise=0.012, stir=0.02, ripple=0.3, shaken=0.001), False),
        (Look(noise=0.012, stir=0.02, ripple=0.3, shaken=0.01), True),
        (Look(noise=0.0, stir=0.0, ripple=0.3, shaken=0.01), False),
        (Look(noise=0.0, stir=0.0, ripple=0.4, shaken=0.01), True),
        (Look(noise=0.7, stir=0.9, ripple=0.4, shaken=0.2), False),
    ],
    ids=["soft-shadows", "scaled", "sharp", "scaled-and-sparse", "packed"],
)
def test_scaled_copies_shake_beside_their_edges(look: Look, scaled: bool) -> None:
    """Soft shadows ripple as much, but are slopes all along."""
    assert look.scaled is scaled


def test_letters_on_a_strong_ground_leave_it_whole_where_colours_were_washed_out() -> None:
    """Black words on green and yellow, packed: paper, three grounds and a few letters' insides, no patches about the letters."""
    picture = np.full((420, 560, 3), 255, np.uint8)
    for row, colour in enumerate(((119, 255, 119), (255, 255, 119), (119, 255, 119))):
        y = 40 + 130 * row
        cv2.rectangle(picture, (60, y), (420, y + 80), colour, cv2.FILLED)
        cv2.rectangle(picture, (60, y), (420, y + 80), (0, 0, 0), 1)
        for line in (32, 62):
            cv2.putText(picture, "Debayer /dev/video3", (90, y + line), cv2.FONT_HERSHEY_COMPLEX, 0.8, (0, 0, 0), 1, cv2.LINE_AA)
    data = io.BytesIO()
    Image.fromarray(picture).save(data, "JPEG", quality=60)
    scene = prepare(np.asarray(Image.open(data).convert("RGB"), np.uint8))
    assert len(scene.boxes) - 1 < 20
