"""What was read with doubt is read again, closely; only a certain second reading counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tools.diagram.picture.surfaces import prepare
from tools.diagram.text import spotter as texts
from tools.media import ocr

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOX = ((90.0, 60.0), (190.0, 60.0), (190.0, 100.0), (90.0, 100.0))


def _line(text: str, score: float, corners: tuple[tuple[float, float], ...] = BOX) -> ocr.TextLine:
    return ocr.TextLine(text, score, corners, 0, tuple((index + 0.5) / len(text) for index in range(len(text))))


@pytest.mark.parametrize(
    ("first", "again", "told"),
    [(0.95, 0.99, "Journey"), (0.95, 0.97, "Joumey"), (0.99, 1.0, "Joumey")],
)
def test_a_certain_second_reading_counts(first: float, again: float, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is shown the ink alone; what was sure at first, or is no surer now, stays."""
    picture = np.full((200, 300, 3), 255, np.uint8)
    cv2.putText(picture, "Journey", (100, 88), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
    shown: list[NDArray[np.float32]] = []

    def read_quads(_: object, quads: list[NDArray[np.float32]]) -> list[ocr.TextLine]:
        shown.extend(quads)
        return [_line("Journey", again)]

    monkeypatch.setattr(ocr, "read_text", lambda *_, **__: (_line("Joumey", first),))
    monkeypatch.setattr(ocr, "read_quads", read_quads)
    (found,) = texts.spot(prepare(picture))
    assert (found.text, found.id) == (told, "t1")
    for quad in shown:
        assert quad[:, 1].min() > 65
        assert quad[:, 0].max() < 190
