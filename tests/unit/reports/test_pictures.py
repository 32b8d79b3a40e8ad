"""Pictures of the page: cut at the right place, within their budget, never from altered files."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from evaluator.record.sealed import Reading
from evaluator.reports import pictures
from evaluator.reports.pictures import Album, Cut, Picture, covers, outlined_on, screenshots_for, where_it_stood
from tests.unit.reports.app_pictures import png
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Box, Observed, Row, RunStarted, Screenshot, Sealed
from tools.evidence.trial_rows import ActDone
from tools.page.model import PageModel
from tools.page.parts import Button
from tools.page.rows import ModelWriter

GREEN = (40, 200, 40)


def _decoded(picture: Picture) -> NDArray[np.uint8]:
    data = base64.b64decode(picture.uri.removeprefix("data:image/webp;base64,"))
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _shot(ledger: Ledger, image: NDArray[np.uint8], label: str = "first", *, css_width: int | None = None) -> Row:
    width = css_width or image.shape[1]
    body = Screenshot(label=label, width=width, height=round(image.shape[0] * width / image.shape[1]))
    return ledger.append(body, producer="eyes", blob=ledger.put(png(image), "image/png"))


def _marked(box: Box, width: int = 1280, height: int = 800, scale: int = 1) -> NDArray[np.uint8]:
    image = np.full((height * scale, width * scale, 3), 235, np.uint8)
    x, y, w, h = (int(value) * scale for value in (box.x, box.y, box.width, box.height))
    image[y : y + h, x : x + w] = GREEN
    return image


def _is_green(pixel: NDArray[np.uint8]) -> bool:
    blue, green, red = (int(value) for value in pixel)
    return green > blue + 80 and green > red + 80


@pytest.mark.parametrize(
    "box",
    [
        Box(x=600, y=400, width=80, height=30),
        Box(x=0, y=0, width=60, height=20),
        Box(x=1200, y=770, width=80, height=30),
        Box(x=10, y=10, width=1260, height=780),
    ],
    ids=["middle", "top left", "bottom right", "nearly all"],
)
@pytest.mark.parametrize("scale", [1, 2])
def test_the_outline_lies_on_what_failed(ledger: Ledger, box: Box, scale: int) -> None:
    """Within the cut, the outlined pixels are those of the box and the pixels around it are not, also on a dense screen."""
    row = _shot(ledger, _marked(box, scale=scale), css_width=1280)
    made = Album(ledger.blobs).cut(row, box)
    assert isinstance(made, Cut)
    assert made.outline is not None
    image = _decoded(made.picture)
    x, y = (int(value) for value in made.outline.centre)
    assert _is_green(image[y, x])
    left, above = int(made.outline.x) - 8, int(made.outline.y) - 8
    if left > 0:
        assert not _is_green(image[y, left])
    if above > 0:
        assert not _is_green(image[above, x])
    assert made.outline.x + made.outline.width <= image.shape[1] + 1
    assert image.shape[1] <= pictures.WIDE_PX


def test_a_box_outside_the_picture_is_not_outlined(ledger: Ledger) -> None:
    """Something below the fold is shown without an outline rather than with a wrong one."""
    row = _shot(ledger, _marked(Box(x=0, y=0, width=1, height=1)))
    made = Album(ledger.blobs).cut(row, Box(x=10, y=2000, width=50, height=20))
    assert isinstance(made, Cut)
    assert made.outline is None
    assert not covers(row, Box(x=10, y=2000, width=50, height=20))


@pytest.mark.parametrize("harm", ["altered", "deleted", "no picture", "none kept"])
def test_a_picture_that_cannot_be_trusted_is_replaced_by_the_reason(ledger: Ledger, harm: str) -> None:
    """An altered, lost or unreadable file never becomes a picture in the report."""
    row = _shot(ledger, _marked(Box(x=5, y=5, width=5, height=5)))
    assert row.blob is not None
    path = ledger.blobs.path(row.blob)
    if harm == "altered":
        path.write_bytes(path.read_bytes()[:-1])
    elif harm == "deleted":
        path.unlink()
    elif harm == "no picture":
        row = row.model_copy(update={"blob": ledger.put(b"not a picture", "image/png")})
    else:
        row = row.model_copy(update={"blob": None})
    album = Album(ledger.blobs)
    for made in (album.cut(row, None), album.wide(row), album.steps([row])[row.id]):
        assert isinstance(made, Picture)
        assert made.uri == ""
        assert made.problem
    assert album.checked == 0


def test_step_pictures_are_small(ledger: Ledger) -> None:
    """A step's picture is at most 640 px wide and keeps its proportions."""
    row = _shot(ledger, _marked(Box(x=5, y=5, width=5, height=5)), "step-001-after")
    picture = Album(ledger.blobs).steps([row])[row.id]
    assert (picture.width, picture.height) == (640, 400)
    assert _decoded(picture).shape[:2] == (400, 640)


def test_many_detailed_pictures_are_graded_down_to_their_budget(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of noise, the worst case, are made smaller together instead of growing the page."""
    monkeypatch.setattr(pictures, "STEP_BYTES", 400_000)
    monkeypatch.setattr(pictures, "PICTURE_BYTES", 400_000)
    noise = np.random.default_rng(1)
    rows = [_shot(ledger, noise.integers(0, 255, (400, 640, 3), np.uint8), f"step-{number}") for number in range(12)]
    made = Album(ledger.blobs).steps(rows)
    assert sum(len(picture.uri) for picture in made.values()) * 3 / 4 <= 400_000
    assert all(picture.uri for picture in made.values())
    assert {picture.width for picture in made.values()} < {480, 320, 200}


def test_what_does_not_fit_at_all_says_so(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """When even the smallest grade is too large, the first pictures stay and the others name the reason."""
    monkeypatch.setattr(pictures, "STEP_BYTES", 20_000)
    monkeypatch.setattr(pictures, "PICTURE_BYTES", 20_000)
    noise = np.random.default_rng(1)
    rows = [_shot(ledger, noise.integers(0, 255, (200, 320, 3), np.uint8), f"step-{number}") for number in range(12)]
    made = list(Album(ledger.blobs).steps(rows).values())
    assert made[0].uri
    assert not made[-1].uri
    assert "small" in made[-1].problem


def test_a_very_long_page_is_cut_off_and_says_so(ledger: Ledger) -> None:
    """The full-page picture is bounded in height."""
    row = _shot(ledger, np.full((9000, 400, 3), 200, np.uint8), "full")
    picture = Album(ledger.blobs).wide(row)
    assert picture.height == pictures.TALLEST_PX
    assert "9000" in picture.note


def test_a_finding_is_shown_on_the_picture_it_was_measured_on(silent_run: Path) -> None:
    """A failure measured at phone width is looked for on the phone's picture, one met in a step on the picture after it."""
    record = Record.read(silent_run)
    labels = {row.id: body.label for row, body in record.of(Screenshot)}
    finding = next(row.id for row in record.rows if row.kind == "finding" and "layout" in str(row.body))
    assert labels[screenshots_for(record, [finding], [], "mobile")[0].id] == "mobile"
    acts = [(row.id, body) for row, body in record.of(ActDone)]
    assert screenshots_for(record, [], [act for act, _ in acts[:7]], "desktop")[0].id == acts[6][1].screenshot
    assert isinstance(record.rows[-1].body, Sealed)


def test_the_place_is_shown_on_the_picture_it_was_measured_on(ledger: Ledger) -> None:
    """A thing that its own act moved away is outlined where it stood, not where nothing is any more."""
    mark = {"selector": "#move", "role": "button", "name": "Move", "box": {"x": 100, "y": 500, "width": 32, "height": 30}}
    ledger.append(RunStarted(brief="", brief_language="", subject="a", settings={}, versions={}), producer="assay")
    models = ModelWriter(ledger)

    def at_first() -> str:
        shot = _shot(ledger, _marked(Box(x=100, y=500, width=32, height=30)), "first")
        body = Observed(
            url="http://a/", title="", screenshot=shot.id, fingerprint="f", marks=1, text_sha256="0" * 64, dom_sha256="0" * 64
        )
        ledger.append(body, producer="eyes", blob=ledger.put(json.dumps([mark]).encode(), "application/json"))
        return shot.id

    def seen(y: float, name: str = "Move") -> str:
        where = Box(x=100, y=y, width=32, height=30)
        shot = _shot(ledger, _marked(where), "trial")
        button = Button(key="b", node="b", role="button", name=name, selector="#move", box=where, in_view=True)
        page = models.write(PageModel(url="http://a/", viewport=(640, 400), buttons=(button,)))
        body = ActDone(
            during="acts", act={"kind": "press"}, words="press", delivered=True, problem="", before="", after=page, witness={},
            started_ms=0.0, ended_ms=1.0, screenshot=shot.id,
        )  # fmt: skip
        ledger.append(body, producer="hands")
        return shot.id

    before, after, next_one = at_first(), seen(240), seen(500, "Another")
    ledger.seal(complete=True)
    record = Record.read(ledger.run_dir)
    rows = [row for item in (next_one, after, before) if (row := record.row(item)) is not None]
    box = Box(x=100, y=500, width=32, height=30)
    assert [row.id for row in where_it_stood(Reading(record), rows, "#move", box)] == [before, next_one, after]
    assert where_it_stood(Reading(record), rows, "", box) == rows
    assert where_it_stood(Reading(record), rows[:1], "#move", box) == rows[:1]
    assert where_it_stood(Reading(record), rows, "#other", box) == rows
    placed = [(row.id, found.y) for row, found in outlined_on(Reading(record), rows, "#move")]
    assert placed == [(next_one, 500), (after, 240)]
    assert list(outlined_on(Reading(record), rows, "#other")) == list(outlined_on(Reading(record), rows, "")) == []


@pytest.mark.parametrize("box", [None, Box(x=1200, y=770, width=80, height=30), Box(x=10, y=10, width=1260, height=780)])
def test_a_small_picture_lies_within_the_cut_and_about_the_place(ledger: Ledger, box: Box | None) -> None:
    """Twice as wide as tall, never beyond the cut's edge, with the middle of the outline in it."""
    row = _shot(ledger, _marked(box or Box(x=0, y=0, width=9, height=9)))
    cut = Album(ledger.blobs).cut(row, box)
    assert isinstance(cut, Cut)
    peek = cut.peek
    assert peek.width == pytest.approx(2 * peek.height)
    assert min(peek.x, peek.y) >= 0
    assert peek.x + peek.width <= cut.picture.width
    assert peek.y + peek.height <= cut.picture.height
    if cut.outline is not None:
        x, y = cut.outline.centre
        assert peek.x <= x <= peek.x + peek.width
        assert peek.y <= y <= peek.y + peek.height
