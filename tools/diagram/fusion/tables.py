"""Boxes that are ruled into compartments: records, classes, entities. Each becomes one node with its title and its rows."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np

from tools.diagram.fusion.cells import lines_of_cells, texts_by_cells
from tools.diagram.fusion.piece import Piece, give, inside, union
from tools.diagram.model.blackboard import ShapeNote, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import Scene

_MOST_CELL = 0.85
"""Share of its table's box that a compartment fills at most."""
_CELLS = frozenset({Shape.rectangle, Shape.rounded})
_CORNERED = frozenset({Shape.hexagon, Shape.stadium})
"""What else a low compartment at the rounded corners of a small box is taken for."""
_LEAST_FILLED = 0.85
"""Share of its box that such a cell fills."""
_THICK_GLYPHS, _LEAST_WALL = 0.9, 0.85
"""Thickest wall in heights of letters, and the share of it that is no flat ground."""
_LEAST_BUTTONS = 3
_BLURRED = 1.25
_MOST_BUTTON_GLYPHS = 3.6
_LEAST_EMPTY, _MOST_UNLIKE = 4, 2.0
"""Cells of a record with nothing in it, at the least, and pixels by which one may be wider or higher than the others."""
_WALL = 2
"""Pixels at a cell's border that may be the soft rim of its walls."""
_WALLED = 4.0
"""Pixels between a frame's side and a node's that is the same line."""
_MOST_OVERLAP = 2.0
"""Pixels by which two boxes that share a wall overlap, where each has it."""


def rule_tables(scene: Scene, pieces: list[Piece]) -> None:
    """Boxes that are ruled into compartments from wall to wall become tables, with everything in them; largest first."""
    reach = max(0.45 * scene.glyph, 4.5)
    for piece in reversed(pieces):
        if piece.role != "candidate" or piece.note.fit < 0.9 or piece.note.shape not in _CELLS:
            continue
        if any(_staggered(piece.note, other.note, reach) for other in pieces if other.role == "candidate"):
            continue
        frames = _frames_in(piece, pieces, reach)
        inner = [p for p in _below(piece, frames) if p.role == "candidate" and p.note.fit >= 0.88 and p.note.source != "frame"]
        cornered = _CORNERED if piece.note.shape is Shape.rounded else frozenset[Shape]()
        inner = [p for p in inner if p.note.shape in _CELLS | cornered]
        # The box's ground, told apart from its frame, is no compartment.
        most = _MOST_CELL * piece.note.pixels.area
        cells = [p for p in inner if p.note.pixels.area < most]
        rows = [p for p in cells if p.note.pixels.width >= piece.note.pixels.width - 2.5 * reach]
        if len({round(p.note.pixels.y / reach) for p in rows}) < 2 or not (piece.everything() or any(p.texts for p in inner)):
            continue
        if _covered(piece.note.pixels, cells, reach) < 0.93 or any(_roomy(p) for p in inner):
            continue
        for part in inner:
            part.role = "part"
        for frame in frames:
            if sum(inside(cell.note.pixels, frame.note.pixels) for cell in cells) > 1:
                frame.role = "part"
        piece.parts = sorted(inner, key=lambda p: p.note.pixels.area >= most)
        _titled(piece, cells, reach)


def _staggered(first: ShapeNote, other: ShapeNote, reach: float) -> bool:
    """Both are frames of a few rows of one box: what they are part of is told by its rows."""
    if first.source != "frame" or other.source != "frame":
        return False
    a, b = first.pixels, other.pixels
    in_line = max(abs(a.x - b.x), abs(a.right - b.right)) <= reach
    above, below = sorted((a, b), key=lambda frame: frame.y)
    return in_line and above.y + reach < below.y < above.bottom - reach and above.bottom + reach < below.bottom


def _is_cell(piece: Piece) -> bool:
    """It fills its box: at the rounded ends of a record a cell has two corners rounded off, and is taken for a hexagon, say."""
    note = piece.note
    area = float(cv2.contourArea(np.array(note.outline, np.float32)))
    return note.shape in _CELLS or area >= _LEAST_FILLED * note.pixels.area


def _is_wall(scene: Scene, a: Frame, b: Frame) -> bool:
    """Nothing between the two boxes is flat ground: one thick wall."""
    left, right = sorted((a, b), key=lambda frame: frame.x)
    above, below = sorted((a, b), key=lambda frame: frame.y)
    if right.x - left.right > below.y - above.bottom:
        rows, columns = (max(a.y, b.y), min(a.bottom, b.bottom)), (left.right, right.x)
    else:
        rows, columns = (above.bottom, below.y), (max(a.x, b.x), min(a.right, b.right))
    strip = scene.surfaces[round(rows[0]) : round(rows[1]), round(columns[0]) : round(columns[1])]
    return bool(strip.size) and float((strip == 0).mean()) >= _LEAST_WALL


def _descendants(piece: Piece) -> list[Piece]:
    return [below for child in piece.inside for below in (child, *_descendants(child))]


def _frames_in(piece: Piece, pieces: list[Piece], reach: float) -> list[Piece]:
    """Frames in the box, or sticking out of its ground by its border.

    Where a head touches a wall, a class's lower rows may have been framed as well.
    """
    box = piece.note.pixels
    frames = [p for p in pieces if p.role == "candidate" and p.note.source == "frame" and p is not piece]
    around = [frame for frame in frames if any(below is piece for below in _descendants(frame))]
    return [frame for frame in frames if inside(frame.note.pixels, box, reach) and not any(frame is other for other in around)]


def _below(piece: Piece, frames: list[Piece]) -> list[Piece]:
    """What lies in the piece or in those frames, each once."""
    found = {id(below): below for host in (piece, *frames) for below in _descendants(host)}
    return list(found.values())


def _roomy(piece: Piece) -> bool:
    """It holds an outlined thing with a text that does not reach its walls: a group's node, no table's cell."""
    frame = piece.note.pixels
    return any(
        child.texts and child.note.pixels.height < 0.8 * frame.height and child.note.pixels.width < 0.8 * frame.width
        for child in piece.inside
    )


def _covered(box: Frame, inner: list[Piece], reach: float) -> float:
    """Share of the box that the pieces cover, each with its walls."""
    width, height = max(round(box.width), 1), max(round(box.height), 1)
    mask = np.zeros((height, width), np.uint8)
    grow = 0.6 * reach
    for piece in inner:
        frame = piece.note.pixels
        left, top = max(round(frame.x - box.x - grow), 0), max(round(frame.y - box.y - grow), 0)
        mask[top : round(frame.bottom - box.y + grow), left : round(frame.right - box.x + grow)] = 1
    return float(mask.mean())


def _titled(table: Piece, cells: list[Piece], reach: float) -> None:
    """The texts of the topmost row are the table's title; the others stay with their cells, in the order these are read in."""
    texts = sorted(table.everything(), key=lambda text: text.pixels.centre[1])
    rows: list[list[TextNote]] = []
    for text in texts:
        last = rows[-1] if rows else None
        if last and text.pixels.centre[1] - last[0].pixels.centre[1] < 0.5 * min(text.pixels.height, last[0].pixels.height):
            last.append(text)
        else:
            rows.append([text])
    top = min(cells, key=lambda p: p.note.pixels.y).note.pixels
    title = [row for row in rows if row[0].pixels.centre[1] <= top.bottom] or rows[:1]
    table.texts = [text for row in title for text in row]
    for part in table.parts:
        part.texts, part.parts = [], []
    rest = [text for row in rows if row not in title for text in row]
    lines = texts_by_cells(rest, cells, reach)
    for part, line in zip(table.parts, lines, strict=False):
        part.texts = line
    box = table.note.pixels
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    table.role = "table"
    table.note = table.note.model_copy(update={"shape": Shape.table, "outline": corners, "clean": True})


def merge_compartments(scene: Scene, pieces: list[Piece]) -> None:
    """Boxes that share walls and together fill a box are one table (record, class, entity)."""
    reach = max(0.45 * scene.glyph, 4.5)
    # A table of some of a box's rows is a part of it like its other rows.
    cells = [p for p in pieces if p.role == "table" or (p.role == "candidate" and p.note.fit >= 0.88 and _is_cell(p))]
    cells = [p for p in cells if not any(child.role == "candidate" and child.texts for child in p.inside)]
    clusters: dict[int, list[Piece]] = {}
    home = list(range(len(cells)))

    def root(index: int) -> int:
        while home[index] != index:
            index = home[index]
        return index

    pairs = [(i, j) for i in range(len(cells)) for j in range(i)]
    for i, j in pairs:
        a, b = cells[i].note.pixels, cells[j].note.pixels
        if _share_wall(a, b, reach) or (_share_wall(a, b, _THICK_GLYPHS * scene.glyph) and _is_wall(scene, a, b)):
            home[root(i)] = root(j)
    # Pale walls are blurred, and thicker for it: a row may stand a little farther off cells that make up a table already.
    sizes = Counter(root(index) for index in range(len(cells)))
    for i, j in pairs:
        joined = max(sizes[root(i)], sizes[root(j)]) > 1
        if joined and _share_wall(cells[i].note.pixels, cells[j].note.pixels, _BLURRED * reach):
            home[root(i)] = root(j)
    for index, cell in enumerate(cells):
        clusters.setdefault(root(index), []).append(cell)
    for members in clusters.values():
        box = union([cell.note.pixels for cell in members])
        filled = sum(cell.note.pixels.area for cell in members)
        rim = reach * (box.width + box.height) * len(members) * 0.5
        if (
            len(members) > 1
            and (any(cell.texts for cell in members) or _is_record(scene, members))
            and filled + rim >= 0.93 * box.area
            and filled >= 0.75 * box.area
        ):
            _tabulate(members, box, reach)


def _is_record(scene: Scene, cells: list[Piece]) -> bool:
    """Many cells of one size with nothing in them: an array of pointers. Few may be what lines cut out of a ground."""
    sizes = np.array([(cell.note.pixels.width, cell.note.pixels.height) for cell in cells])
    alike = bool((np.abs(sizes - np.median(sizes, axis=0)) <= _MOST_UNLIKE).all())
    return len(cells) >= _LEAST_EMPTY and alike and all(is_bare(scene, cell) for cell in cells)


def is_bare(scene: Scene, piece: Piece) -> bool:
    """There is nothing in it, no text and no ink."""
    frame = piece.note.pixels
    left, top, right, bottom = (round(v) for v in (frame.x, frame.y, frame.right, frame.bottom))
    within = scene.ink[top + _WALL : bottom - _WALL, left + _WALL : right - _WALL]
    return not piece.texts and not within.any()


def is_stack(frame: Piece, nodes: list[Piece]) -> bool:
    """Two sides of the frame are those of the nodes in it, which stand above or beside each other as wide or high as it is.

    A group has air around its nodes; what has none are the nodes' own sides, one after the other.
    """
    box = frame.note.pixels
    for near, far in ((lambda f: f.x, lambda f: f.right), (lambda f: f.y, lambda f: f.bottom)):
        at_walls = [abs(near(n.frame) - near(box)) <= _WALLED and abs(far(n.frame) - far(box)) <= _WALLED for n in nodes]
        if frame.note.source == "frame" and all(at_walls):
            return True
    return False


def swallow(pieces: list[Piece]) -> None:
    """Whatever else lies in a table is part of it: the ground of every other row, a table of some of its rows."""
    for table in sorted((piece for piece in pieces if piece.role == "table"), key=lambda piece: -piece.frame.area):
        box = table.frame
        if table.role != "table":
            continue
        for piece in pieces:
            if piece.role in {"candidate", "table"} and piece is not table and inside(piece.note.pixels, box, _WALLED):
                piece.role = "part"
                table.parts.append(piece)


def drop_buttons(scene: Scene, pieces: list[Piece]) -> None:
    """A bar of three or more small squares with at most a sign in each is a panel of controls: no part of the diagram.

    A bar of squares with nothing in any of them is a record of pointers.
    """
    reach = max(0.45 * scene.glyph, 4.5)
    squares = [p for p in pieces if p.role == "candidate" and _is_button(scene, p)]
    bars: list[list[Piece]] = []
    for square in sorted(squares, key=lambda p: (p.note.pixels.y, p.note.pixels.x)):
        home = next((bar for bar in bars if any(_alike_beside(square, other, reach) for other in bar)), None)
        if home is None:
            bars.append([square])
        else:
            home.append(square)
    for bar in bars:
        if len(bar) < _LEAST_BUTTONS or all(is_bare(scene, square) for square in bar):
            continue
        whole = union([p.note.pixels for p in bar])
        for piece in pieces:
            frame = piece.note.pixels
            within = inside(frame, whole, reach)
            if within or (inside(whole, frame, reach) and frame.area <= 1.4 * whole.area):
                piece.role = "nothing"


def _is_button(scene: Scene, piece: Piece) -> bool:
    frame = piece.note.pixels
    square = 0.8 <= frame.width / max(frame.height, 1.0) <= 1.25
    return square and frame.height <= _MOST_BUTTON_GLYPHS * scene.glyph and sum(len(text.text) for text in piece.texts) <= 1


def _alike_beside(first: Piece, other: Piece, reach: float) -> bool:
    a, b = first.note.pixels, other.note.pixels
    alike = abs(a.width - b.width) <= 0.15 * a.width + 1 and abs(a.height - b.height) <= 0.15 * a.height + 1
    return alike and _share_wall(a, b, reach)


def _share_wall(a: Frame, b: Frame, reach: float) -> bool:
    """The boxes lie side by side with one wall between them, and in line at one of its ends."""
    gap_x, gap_y = max(a.x, b.x) - min(a.right, b.right), max(a.y, b.y) - min(a.bottom, b.bottom)
    if -_MOST_OVERLAP <= gap_y <= reach:
        in_line = min(abs(a.x - b.x), abs(a.right - b.right)) <= reach
        return in_line and -gap_x >= 0.8 * min(a.width, b.width)
    if -_MOST_OVERLAP <= gap_x <= reach:
        in_line = min(abs(a.y - b.y), abs(a.bottom - b.bottom)) <= reach
        return in_line and -gap_y >= 0.8 * min(a.height, b.height)
    return False


def _tabulate(members: list[Piece], box: Frame, reach: float) -> None:
    members = [cell for line in lines_of_cells(members, reach) for cell in line]
    head = next((cell for cell in members if cell.texts), members[0])
    outer = next((c.parent for c in members if c.parent is not None), None)
    if outer is not None and outer.role == "candidate" and outer.note.pixels.area <= 1.15 * box.area:
        outer.role = "part"
        head.parent = outer.parent
        if outer.parent is not None:
            # Else the frame of the whole picture holds no node, and would be one.
            outer.parent.inside = [head if child is outer else child for child in outer.parent.inside]
    for cell in members:
        if cell is not head:
            give(cell, head)
    head.role = "table"
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    head.note = head.note.model_copy(update={"shape": Shape.table, "outline": corners, "pixels": box, "clean": True})
