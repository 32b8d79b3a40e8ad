"""Pictures of diagrams drawn by hand, and the notes that agents would have left about them."""

from __future__ import annotations

import cv2

from tools.diagram.model.blackboard import Agent, TextNote
from tools.diagram.model.graph import Frame
from tools.media.image import Picture

FONT, SIZE, WEIGHT = cv2.FONT_HERSHEY_SIMPLEX, 0.6, 2


def written(picture: Picture, words: str, at: tuple[int, int], *, on_white: bool = False) -> TextNote:
    """A text drawn with its upper left corner `at`, over a white patch if wished, and its note."""
    (wide, high), _ = cv2.getTextSize(words, FONT, SIZE, WEIGHT)
    x, y = at
    if on_white:
        cv2.rectangle(picture, (x, y), (x + wide, y + high), (255, 255, 255), cv2.FILLED)
    cv2.putText(picture, words, (x, y + high), FONT, SIZE, (0, 0, 0), WEIGHT)
    corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
    frame = Frame(x=x, y=y, width=wide, height=high)
    return TextNote(writer=Agent.text_spotter, pixels=frame, id=words, text=words, corners=corners, turned=0)
