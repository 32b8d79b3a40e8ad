"""A shape on its way to becoming a node."""

from __future__ import annotations

from dataclasses import dataclass, field

from tools.diagram.model.blackboard import ShapeNote, TextNote
from tools.diagram.model.graph import Frame


@dataclass
class Piece:
    """A shape that may become a node, with what lies in it."""

    note: ShapeNote
    texts: list[TextNote] = field(default_factory=list)
    inside: list[Piece] = field(default_factory=list)
    """Pieces whose innermost container it is."""
    parts: list[Piece] = field(default_factory=list)
    """Compartments, caps, flaps and inner outlines that belong to it."""
    role: str = "candidate"
    parent: Piece | None = None

    @property
    def frame(self) -> Frame:
        """Its extent, parts included."""
        return union([self.note.pixels, *(part.frame for part in self.parts)])

    def everything(self) -> list[TextNote]:
        """Its texts and those of its parts."""
        return [*self.texts, *(text for part in self.parts for text in part.everything())]


def union(frames: list[Frame]) -> Frame:
    """The frame around all of them."""
    x, y = min(f.x for f in frames), min(f.y for f in frames)
    return Frame(x=x, y=y, width=max(f.right for f in frames) - x, height=max(f.bottom for f in frames) - y)


def inside(inner: Frame, outer: Frame, slack: float = 2.0) -> bool:
    """The one frame lies in the other, or hardly sticks out."""
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.right <= outer.right + slack
        and inner.bottom <= outer.bottom + slack
    )


def give(part: Piece, host: Piece) -> None:
    """The piece becomes a part of the host; what lay in it lies in the host."""
    part.role = "part"
    host.parts.append(part)
    for child in part.inside:
        child.parent = host
        host.inside.append(child)
    part.inside = []
    if part in host.inside:
        host.inside.remove(part)
