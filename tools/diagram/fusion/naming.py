"""What the arbiter has decided, written down: nodes and groups with ids, labels and outlines."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.fusion.piece import Piece
from tools.diagram.model.blackboard import Agent, GroupNote, NodeNote, TextNote
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import Scene


def notes_of(scene: Scene, pieces: list[Piece], free: list[TextNote]) -> tuple[list[NodeNote], list[GroupNote], list[TextNote]]:
    """Nodes and groups with their names in reading order, and the texts that belong to none."""
    for piece in pieces:
        if piece.role == "nothing":
            free.extend(piece.everything())
    nodes = sorted((p for p in pieces if p.role == "node"), key=_reading_order)
    groups = sorted((p for p in pieces if p.role == "group"), key=lambda p: (-p.frame.area, p.frame.y, p.frame.x))
    names = {id(p): f"n{i}" for i, p in enumerate(nodes, start=1)} | {id(p): f"g{i}" for i, p in enumerate(groups, start=1)}

    def parent(piece: Piece) -> str | None:
        at, passed = piece.parent, {id(piece)}
        # Boxes ruled into cells that overlap may hold each other, after their parts were put together: then no group does.
        while at is not None and at.role != "group" and id(at) not in passed:
            passed.add(id(at))
            at = at.parent
        return names[id(at)] if at is not None and at.role == "group" else None

    titles = {}
    for piece in groups:
        titles[id(piece)], rest = _title(scene, piece)
        free.extend(rest)
    for piece in reversed(groups):
        if not titles[id(piece)]:
            titles[id(piece)] = _found_title(scene, piece, free, [*nodes, *groups])
            free = [text for text in free if text not in titles[id(piece)]]
    group_notes = []
    for piece in groups:
        title = titles[id(piece)]
        group_notes.append(
            GroupNote(
                writer=Agent.fusion_arbiter, pixels=piece.frame, confidence=piece.note.confidence, id=names[id(piece)],
                label=_joined(title), lane=False, parent=parent(piece), shapes=(piece.note.id,), texts=tuple(t.id for t in title),
            )
        )  # fmt: skip
    return [node_note(piece, names[id(piece)], parent(piece)) for piece in nodes], group_notes, free


def node_note(piece: Piece, name: str, parent: str | None) -> NodeNote:
    """A piece as a node."""
    texts, rows = piece.everything(), ()
    label = _joined(texts)
    if piece.note.shape is Shape.table:
        label = _joined(piece.texts)
        below = (part.everything() for part in piece.parts)
        rows = tuple(line for texts_below in below if texts_below for line in _joined(texts_below).split("\n"))
    sure = min([piece.note.confidence, *(text.confidence for text in texts)])
    outline = piece.note.outline
    if piece.parts:
        points = np.array([point for p in (piece, *piece.parts) for point in p.note.outline], np.float32)
        outline = tuple((float(x), float(y)) for x, y in cv2.convexHull(points)[:, 0])
    return NodeNote(
        writer=Agent.fusion_arbiter, pixels=piece.frame, confidence=sure, id=name, label=label, shape=piece.note.shape,
        outline=outline, rows=rows, parent=parent, shapes=(piece.note.id, *(part.note.id for part in piece.parts)),
        texts=tuple(text.id for text in texts),
    )  # fmt: skip


def _reading_order(piece: Piece) -> tuple[float, float]:
    return round(piece.frame.y / 8), piece.frame.x


def _title(scene: Scene, piece: Piece) -> tuple[list[TextNote], list[TextNote]]:
    """The texts of a group that are its title (along its upper or lower border, or turned along its side), and the others."""
    frame, reach = piece.note.pixels, 3.4 * scene.glyph
    level = [text for text in piece.texts if not text.turned]
    top = sorted((t for t in level if t.pixels.centre[1] - frame.y <= reach), key=lambda t: t.pixels.centre[1])
    bottom = sorted((t for t in level if frame.bottom - t.pixels.centre[1] <= reach), key=lambda t: -t.pixels.centre[1])
    chosen = next((_one_line(texts) for texts in (top, bottom) if texts), [t for t in piece.texts if t.turned][:1])
    return chosen, [text for text in piece.texts if text not in chosen]


def _one_line(texts: list[TextNote]) -> list[TextNote]:
    """The first text and those that stand beside it without a wide gap."""
    line = [texts[0]]
    height = texts[0].pixels.height
    beside = [t for t in texts[1:] if abs(t.pixels.centre[1] - texts[0].pixels.centre[1]) < 0.4 * height]
    for text in sorted(beside, key=lambda t: abs(t.pixels.x - texts[0].pixels.x)):
        if any(max(t.pixels.x - text.pixels.right, text.pixels.x - t.pixels.right) < 0.9 * height for t in line):
            line.append(text)
    return line


def _found_title(scene: Scene, group: Piece, free: list[TextNote], others: list[Piece]) -> list[TextNote]:
    """A text right under the upper border (or right over the lower) that no smaller thing holds, where edges cut the group up."""
    box, reach = group.note.pixels, 2.6 * scene.glyph
    inner = [other.frame for other in others if other is not group and other.frame.area < box.area]

    def fits(text: TextNote) -> bool:
        x, y = text.pixels.centre
        within = box.x < x < box.right and box.y < y < box.bottom and not text.turned
        return within and not any(f.x < x < f.right and f.y < y < f.bottom for f in inner)

    candidates = [text for text in free if fits(text)]
    for far in (lambda t: t.pixels.centre[1] - box.y, lambda t: box.bottom - t.pixels.centre[1]):
        near = sorted((t for t in candidates if far(t) <= reach), key=lambda t: (round(far(t) / (0.5 * scene.glyph)), t.pixels.x))
        if near:
            return _one_line(near)
    return []


def _joined(texts: list[TextNote]) -> str:
    return joined(texts)


def joined(texts: list[TextNote]) -> str:
    """Texts in reading order: a blank between those of one line, a line break between lines."""
    lines: list[list[TextNote]] = []
    for text in sorted(texts, key=lambda t: (t.pixels.centre[1], t.pixels.x)):
        last = lines[-1] if lines else None
        if last and abs(last[0].pixels.centre[1] - text.pixels.centre[1]) < 0.5 * min(last[0].pixels.height, text.pixels.height):
            last.append(text)
        else:
            lines.append([text])
    return "\n".join(" ".join(t.text for t in sorted(line, key=lambda t: t.pixels.x)) for line in lines)
