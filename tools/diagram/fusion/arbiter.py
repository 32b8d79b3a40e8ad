"""Fusion Arbiter: shapes and texts that lie on each other become nodes and groups; duplicates go; each thing gets one identity.

Where several writers (the deterministic agents and models) claim the same pixels, the surer one wins; a model's claim must lie on
ink or on a surface's border to count at all, which `supported` checks.
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.fusion.actors import find_actors
from tools.diagram.fusion.between import drop_between
from tools.diagram.fusion.captions import captioned, freed, gap
from tools.diagram.fusion.fields import without_fields
from tools.diagram.fusion.grounds import (
    bordered,
    is_bare_paper,
    is_cut_out,
    is_dot_read,
    is_ground,
    is_ground_beside,
    stands_out,
    without_nodes,
)
from tools.diagram.fusion.naming import node_note, notes_of
from tools.diagram.fusion.piece import Piece, give, inside, union
from tools.diagram.fusion.ruled import ruled_boxes
from tools.diagram.fusion.tables import drop_buttons, is_stack, merge_compartments, rule_tables, swallow
from tools.diagram.model.blackboard import GroupNote, NodeNote, ShapeNote, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.discs import is_bulging, is_roundish
from tools.diagram.picture.surfaces import Scene
from tools.diagram.shapes.lids import lid_height
from tools.diagram.text import lookalikes
from tools.diagram.text.patches import lettered
from tools.diagram.text.spotter import reread

_MOST_RING_GLYPHS = 1.6
_LEAST_SHARED = 0.75
"""Share of what two boxes cover that both cover where they are one node's."""
_LEAST_BORDER = 0.5
"""Share of an outline with ink along it from which on it is drawn."""
_ROUND_OR_POINTED = frozenset({Shape.ellipse, Shape.circle, Shape.diamond})
_MOST_OBLONG = 5.0
_MOST_BARE = 0.7
"""Share of a label's patch that may be without letters: a line that crosses it takes some of them along."""
_ANY_SHAPE = frozenset({Shape.polygon, Shape.triangle, Shape.unknown})
"""What any few lines that cross may enclose."""
_LEAST_CROSSED = 0.96
"""How well a hexagon, a trapezium or a parallelogram fits that lines run on from and that is a node all the same."""
_PLAIN = frozenset({Shape.rectangle, Shape.rounded, Shape.stadium, Shape.circle, Shape.ellipse, Shape.diamond})


def ground(
    scene: Scene, shapes: tuple[ShapeNote, ...], texts: tuple[TextNote, ...], *, reading: bool = True
) -> tuple[list[NodeNote], list[GroupNote], list[TextNote]]:
    """Nodes, groups, and the texts that belong to neither. `reading`: shapes without a text are read once more, closely."""
    possible = without_fields(scene, shapes)
    pieces = [Piece(note) for note in sorted(possible, key=lambda note: (note.pixels.area, note.id)) if _plausible(scene, note)]
    free = _hand_out(pieces, texts)
    if reading:
        free += _hand_out(pieces, tuple(_lone_letters(scene, pieces, texts)))
    free = find_actors(scene, pieces, free)
    _nest(pieces)
    drop_buttons(scene, pieces)
    ruled_boxes(scene, pieces)
    rule_tables(scene, pieces)
    merge_compartments(scene, pieces)
    _absorb_parts(scene, pieces)
    merge_compartments(scene, pieces)
    swallow(pieces)
    _add_caps(scene, pieces)
    _decide(scene, pieces)
    _drop_heads(scene, pieces)
    drop_between(pieces)
    free = captioned(scene, pieces, free + freed(pieces))
    nodes, groups, rest = notes_of(scene, pieces, free)
    return lookalikes.settled(nodes), groups, rest


def unfused(shapes: tuple[ShapeNote, ...], texts: tuple[TextNote, ...]) -> list[NodeNote]:
    """What there is without an arbiter: every good outline is a node and takes every text in it, doubles and groups included."""
    pieces = [Piece(note) for note in shapes if note.fit >= 0.9]
    for piece in pieces:
        piece.texts = [text for text in texts if _covers(piece.note, text.pixels.centre)]
    return [node_note(piece, f"n{index}", None) for index, piece in enumerate(pieces, start=1)]


def _plausible(scene: Scene, note: ShapeNote) -> bool:
    height, width = scene.ink.shape
    whole = note.pixels.width >= 0.985 * width and note.pixels.height >= 0.985 * height
    return note.fit >= (0.6 if note.filled else 0.7) and not whole


def _covers(note: ShapeNote, point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(np.array(note.outline, np.float32), point, measureDist=False) >= 0


def _overlap(a: Frame, b: Frame) -> float:
    """Area that both frames share."""
    return max(min(a.right, b.right) - max(a.x, b.x), 0.0) * max(min(a.bottom, b.bottom) - max(a.y, b.y), 0.0)


def _hand_out(pieces: list[Piece], texts: tuple[TextNote, ...]) -> list[TextNote]:
    """Gives each text to the smallest shape around it; returns those that lie in none."""
    free = []
    for text in texts:
        owner = next((piece for piece in pieces if _covers(piece.note, text.pixels.centre) and _holds(piece, text)), None)
        if owner is None:
            free.append(text)
        else:
            owner.texts.append(text)
    return free


def _holds(piece: Piece, text: TextNote) -> bool:
    """Most of the text lies in the piece, or the text's box covers a piece hardly smaller than itself: a tight ground."""
    frame, box = piece.note.pixels, text.pixels
    shared = _overlap(frame, box)
    return shared >= 0.72 * box.area or (shared >= 0.85 * frame.area and frame.area >= 0.5 * box.area)


def _lone_letters(scene: Scene, pieces: list[Piece], texts: tuple[TextNote, ...]) -> list[TextNote]:
    """Letters that detection passed over: what stands in a good small shape without text is read once more, closely."""
    places = []
    for piece in pieces:
        note = piece.note
        small = max(note.pixels.width, note.pixels.height) <= 14 * scene.glyph
        if (
            piece.texts
            or note.fit < 0.88
            or not small
            or not note.clean
            or min(note.pixels.width, note.pixels.height) < scene.glyph
        ):
            continue
        box = _ink_inside(scene, note)
        if box is not None and not any(_meets(box, text.pixels) for text in texts):
            places.append(box)
    read = [note for note in reread(scene, places[:200]) if not is_dot_read(scene, note)]
    return [note.model_copy(update={"id": f"l{index}"}) for index, note in enumerate(read, start=1)]


def _meets(box: tuple[float, float, float, float], frame: Frame) -> bool:
    return min(box[2], frame.right) - max(box[0], frame.x) > 2 and min(box[3], frame.bottom) - max(box[1], frame.y) > 2


def _ink_inside(scene: Scene, note: ShapeNote) -> tuple[float, float, float, float] | None:
    x, y, w, h = (int(v) for v in (note.pixels.x, note.pixels.y, note.pixels.width, note.pixels.height))
    mask = np.zeros((h, w), np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(note.outline) - np.array([x, y])).astype(np.int32)], (1,))
    inner = np.asarray(cv2.erode(mask, np.ones((5, 5), np.uint8)), np.uint8)
    ys, xs = np.nonzero(scene.ink[y : y + h, x : x + w] & inner)
    if len(ys) < 5 or ys.max() - ys.min() < 0.5 * scene.glyph:
        return None
    return x + float(xs.min()) - 3, y + float(ys.min()) - 3, x + float(xs.max()) + 4, y + float(ys.max()) + 4


def _nest(pieces: list[Piece]) -> None:
    """Hangs each piece into the smallest one around it (pieces come in order of area)."""
    for index, piece in enumerate(pieces):
        for other in pieces[index + 1 :]:
            around = inside(piece.note.pixels, other.note.pixels) and other.note.pixels.area > 1.02 * piece.note.pixels.area
            if around and _covers(other.note, piece.note.pixels.centre) and other.note.fit >= 0.85:
                piece.parent = other
                other.inside.append(piece)
                break


def _absorb_parts(scene: Scene, pieces: list[Piece]) -> None:
    """Outlines inside outlines of nearly the same size, caps of cylinders, side bars and folded corners go to their node."""
    for piece in pieces:
        if piece.role == "part":
            continue
        while (outer := _ring_around(piece)) is not None and piece.texts and not _tells_more(outer.note, piece.note):
            _take_ring(piece, outer)
        if outer is not None:
            give(piece, outer)
    reach = max(0.5 * scene.glyph, 6.0)
    hosts = [piece for piece in pieces if piece.role == "candidate" and (piece.texts or piece.note.fit >= 0.9)]
    for piece in pieces:
        if piece.role != "candidate" or piece.texts or piece.inside:
            continue
        for host in hosts:
            if host is piece or host.role != "candidate":
                continue
            if host.texts and _lies_on(piece.note.pixels, host.note.pixels):
                give(piece, host)
                break
            if host.note.pixels.area < 1.5 * piece.note.pixels.area:
                continue
            outlines = [host.note, *(part.note for part in host.parts)]
            beside = _is_part(piece.note.pixels, host.frame, reach, scene.glyph) and not is_ground_beside(scene, piece, host)
            if beside and any(_adjoins(piece.note, outline, reach) for outline in outlines):
                give(piece, host)
                break


def _lies_on(first: Frame, other: Frame) -> bool:
    """Both are nearly one box, found twice: by its ground, and by its border, which a head that touches it has dented."""
    shared = _overlap(first, other)
    return shared >= _LEAST_SHARED * (first.area + other.area - shared)


def _ring_around(piece: Piece) -> Piece | None:
    """The outline right around a piece, hardly larger than it, that holds nothing else with a text; `None` if there is none."""
    outer = piece.parent
    if outer is None or outer.texts or any(child.texts for child in outer.inside if child is not piece):
        return None
    return outer if piece.note.pixels.area >= 0.55 * outer.note.pixels.area else None


def _tells_more(outer: ShapeNote, inner: ShapeNote) -> bool:
    """The outer outline is a plain shape, the inner one none: what a wide cylinder's lid leaves of its side."""
    return outer.fit >= 0.9 > inner.fit and outer.clean and outer.shape in _PLAIN


def _take_ring(piece: Piece, outer: Piece) -> None:
    """The outline around a labelled piece is its second border."""
    outer.role = "part"
    piece.parts.append(outer)
    piece.parent = outer.parent
    if outer.parent is not None:
        outer.parent.inside = [piece if child is outer else child for child in outer.parent.inside]
    for child in outer.inside:
        if child is not piece:
            child.parent = piece
            piece.inside.append(child)
    outer.inside = []


def _is_part(part: Frame, host: Frame, reach: float, glyph: float) -> bool:
    """A sliver along one whole side of the host, or something in a corner of its box."""
    near_x = part.x <= host.right + reach and part.right >= host.x - reach
    near_y = part.y <= host.bottom + reach and part.bottom >= host.y - reach
    if not (near_x and near_y):
        return False
    wide = min(part.width, host.width) >= 0.82 * max(part.width, host.width) and abs(part.x - host.x) < 0.1 * host.width + 3
    tall = min(part.height, host.height) >= 0.82 * max(part.height, host.height) and abs(part.y - host.y) < 0.1 * host.height + 3
    if wide and part.height <= max(0.45 * host.height, 1.3 * glyph):
        return True
    if tall and part.width <= max(0.2 * host.width, 1.3 * glyph):
        return True
    return inside(part, host, reach) and part.area < 0.1 * host.area and max(part.width, part.height) < 2.2 * glyph


def _adjoins(part: ShapeNote, host: ShapeNote, reach: float) -> bool:
    """Enough of the part's outline lies in the host or along its border: an arrow's head touches it with its tip only."""
    outline = np.array(host.outline, np.float32)
    rim = np.array(part.outline, np.float64)
    spots = np.vstack([np.linspace(a, b, 12, endpoint=False) for a, b in zip(rim, np.roll(rim, -1, axis=0), strict=True)])
    near = [cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=True) >= -reach for x, y in spots]
    inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=True) >= 0 for x, y in spots]
    along = min(part.pixels.width, part.pixels.height) >= 0.82 * min(host.pixels.width, host.pixels.height)
    return float(np.mean(inside)) >= 0.5 or float(np.mean(near)) >= (0.2 if along or _spans(part, host) else 0.6)


def _spans(part: ShapeNote, host: ShapeNote) -> bool:
    """The part is nearly as wide or as high as the host."""
    return part.pixels.width >= 0.82 * host.pixels.width or part.pixels.height >= 0.82 * host.pixels.height


def _add_caps(scene: Scene, pieces: list[Piece]) -> None:
    """Grows boxes over the lid of a cylinder: a second line that follows the first one closely along one whole side."""
    for piece in pieces:
        holding = any(child.texts for child in piece.inside)
        if piece.role != "candidate" or not piece.texts or holding or piece.note.shape in _ROUND_OR_POINTED:
            continue
        box = piece.frame
        for upwards in (True, False):
            rise = lid_height(scene, box, upwards=upwards)
            if rise:
                y = box.y - rise if upwards else box.bottom + rise
                lid = ((box.x + 0.1 * box.width, y), (box.right - 0.1 * box.width, y))
                points = np.array([*piece.note.outline, *lid], np.float32)
                outline = tuple((float(px), float(py)) for px, py in cv2.convexHull(points)[:, 0])
                frame = Frame(x=box.x, y=min(box.y, y), width=box.width, height=box.height + rise)
                piece.note = piece.note.model_copy(update={"shape": Shape.cylinder, "outline": outline, "pixels": frame})
                break


def _decide(scene: Scene, pieces: list[Piece]) -> None:
    """From small to large: what holds nodes is a group; what holds a centred text, or is a plain shape by itself, is a node."""
    patches = [piece for piece in pieces if piece.role == "candidate" and _is_label_ground(scene, piece)]
    labels = {id(piece) for piece in without_nodes(scene, patches)}
    for piece in pieces:
        if piece.role == "table":
            piece.role = "node"
        if piece.role != "candidate":
            continue
        nodes = [child for child in piece.inside if child.role in {"node", "group"}]
        if nodes:
            piece.role = "group" if _is_frame(piece) and not is_stack(piece, nodes) else "nothing"
        else:
            bars = [child for child in piece.inside if id(child) in labels]
            own = list(piece.texts)
            piece.texts += [text for bar in bars for text in bar.everything()]
            piece.role = "node" if id(piece) not in labels and _is_node(scene, piece) else "nothing"
            if piece.role == "node":
                _take_bars(piece, bars)
            else:
                piece.texts = own
        if piece.role == "nothing":
            for child in piece.inside:
                child.parent = piece.parent
                if piece.parent is not None:
                    piece.parent.inside.append(child)


def _take_bars(piece: Piece, bars: list[Piece]) -> None:
    """Patches of colour within a node are its title or a row of it, and no grounds of labels; their texts are the node's."""
    for bar in bars:
        bar.role, bar.texts, bar.parts = "part", [], []
        piece.parts.append(bar)


def _is_frame(piece: Piece) -> bool:
    note = piece.note
    if note.filled:
        # A part of a group's ground that edges happen to cut out is filled, too, but of no plain shape.
        return note.fit >= 0.85 and note.shape in _PLAIN - {Shape.diamond}
    return note.clean and note.fit >= 0.93 and note.shape in _PLAIN


def _is_node(scene: Scene, piece: Piece) -> bool:
    note = piece.note
    least = min(note.pixels.width, note.pixels.height)
    if _is_ring(scene, piece):
        return False
    if piece.texts:
        if least < 0.9 * scene.glyph or (note.source == "frame" and not _centred(piece)):
            return False
        if note.fit >= 0.92 and (note.clean or note.filled) and note.shape in _PLAIN:
            return True
        # Lines that cross and run on enclose a label by chance: what they enclose is of no plain shape.
        least_fit = 0.93 if note.shape in _PLAIN else _LEAST_CROSSED
        whole = note.clean or note.filled or (note.fit >= least_fit and note.shape not in _ANY_SHAPE) or is_bulging(note)
        # Paper between lines and fills is no fill.
        return whole and (note.fit >= 0.9 or (note.filled and not is_ground(scene, piece))) and _centred(piece)
    disc = (
        note.filled
        and (note.shape in {Shape.circle, Shape.ellipse} or is_roundish(note))
        and note.fit >= 0.85
        and least >= 0.55 * scene.glyph
    )
    if disc and max(note.pixels.width, note.pixels.height) <= 1.3 * least and stands_out(scene, note):
        return True
    if least < 0.9 * scene.glyph or note.source == "frame":
        return False
    if note.filled and not is_bare_paper(scene, piece):
        plain = note.fit >= 0.9 and note.shape in _PLAIN and least >= 1.1 * scene.glyph
        return plain and max(note.pixels.width, note.pixels.height) <= 30 * scene.glyph
    large = max(note.pixels.width, note.pixels.height) > 16 * scene.glyph
    # A strip is what lines cut out of the ground between two frames.
    strip = max(note.pixels.width, note.pixels.height) > _MOST_OBLONG * least
    whole = note.clean and note.fit >= 0.95 and note.shape in _PLAIN and not (large or strip)
    return whole and not is_cut_out(scene, note)


def _is_label_ground(scene: Scene, piece: Piece) -> bool:
    """A patch of colour without a border, hardly larger than its text: what a label was set on to be read across its line."""
    note, texts = piece.note, piece.everything()
    if not texts:
        return False
    box = union([lettered(text, scene.glyph) for text in texts])
    room = note.pixels.height - box.height, note.pixels.width - box.width
    if not note.filled or room[0] > 0.9 * scene.glyph or room[1] > max(2.2 * scene.glyph, _MOST_BARE * note.pixels.width):
        return False
    return bordered(scene, note) < _LEAST_BORDER


def _is_ring(scene: Scene, piece: Piece) -> bool:
    """A small hollow circle with nothing in it: a cardinality's sign, or a head."""
    note = piece.note
    small = max(note.pixels.width, note.pixels.height) <= _MOST_RING_GLYPHS * scene.glyph
    empty = not (note.filled or piece.inside or piece.everything()) and _ink_inside(scene, note) is None
    return small and empty and note.shape in {Shape.circle, Shape.ellipse, Shape.rounded, Shape.stadium, Shape.polygon}


def _drop_heads(scene: Scene, pieces: list[Piece]) -> None:
    """Discs without a text that touch a larger node are heads of lines."""
    nodes = [piece for piece in pieces if piece.role == "node"]
    for piece in nodes:
        size = max(piece.frame.width, piece.frame.height)
        if piece.everything() or size > 1.5 * scene.glyph or piece.note.shape not in {Shape.circle, Shape.ellipse}:
            continue
        larger = (other.frame for other in nodes if other is not piece and other.frame.area > 2.5 * piece.frame.area)
        if any(gap(piece.frame, frame) <= 0.6 * scene.glyph for frame in larger):
            piece.role = "nothing"


def _centred(piece: Piece) -> bool:
    box = union([text.pixels for text in piece.texts])
    frame = piece.note.pixels
    (x, y), (cx, cy) = box.centre, frame.centre
    return abs(x - cx) <= 0.16 * frame.width + 3 and abs(y - cy) <= 0.26 * frame.height + 3
