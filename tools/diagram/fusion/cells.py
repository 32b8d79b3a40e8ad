"""The order in which the cells of a ruled box are read: band by band, and column by column where columns have rows of their own.

A box is cut where a wall leads from side to side (a recursive X-Y cut: Nagy and Seth, 1984). Bands that are parted into the same
columns belong together: they are rows of a grid if each has one cell a column, else each column is read by itself.
"""

from __future__ import annotations

from tools.diagram.fusion.piece import Piece, inside
from tools.diagram.model.blackboard import TextNote
from tools.diagram.model.graph import Frame

_MOST_LOOSE = 0.34
"""Share of the texts that may stand in no cell."""


def lines_of_cells(cells: list[Piece], reach: float) -> list[list[Piece]]:
    """The cells in reading order; those of a grid's row are together. `reach`: pixels by which what is in line may be off."""
    found: list[list[Piece]] = []
    for block in _blocks(_parted(cells, reach, upright=False), reach):
        if all(len(column) == 1 for band in block for column in _parted(band, reach, upright=True)):
            found += [sorted(band, key=lambda cell: cell.note.pixels.x) for band in block]
            continue
        for column in _parted([cell for band in block for cell in band], reach, upright=True):
            if len(column) == sum(map(len, block)):  # nothing parts them any more
                found += [[cell] for cell in sorted(column, key=lambda cell: (cell.note.pixels.y, cell.note.pixels.x))]
            else:
                found += lines_of_cells(column, reach)
    return found


def texts_by_cells(texts: list[TextNote], cells: list[Piece], reach: float) -> list[list[TextNote]]:
    """The texts of each line of cells, in the order in which these are read; all in one where many texts stand in no cell.

    What letters dent is no cell: a few such texts stand for theirs.
    """
    lowest = [
        cell
        for cell in cells
        if not any(each_cell is not cell and inside(each_cell.note.pixels, cell.note.pixels) for each_cell in cells)
    ]
    loose = [text for text in texts if not any(_holds(cell.note.pixels, text) for cell in lowest)]
    if len(loose) > _MOST_LOOSE * len(texts):
        return [texts]
    lowest += [Piece(lowest[0].note.model_copy(update={"pixels": text.pixels})) for text in loose]
    found, left = [], list(texts)
    for line in lines_of_cells(lowest, reach):
        own = [text for text in left if any(_holds(cell.note.pixels, text) for cell in line)]
        left = [text for text in left if text not in own]
        found.append(own)
    return [own for own in found if own]


def _holds(box: Frame, text: TextNote) -> bool:
    x, y = text.pixels.centre
    return box.x <= x <= box.right and box.y <= y <= box.bottom


def _parted(cells: list[Piece], reach: float, *, upright: bool) -> list[list[Piece]]:
    """The cells in parts that a wall parts: columns if the walls are upright, else bands; in their order."""
    parts: list[list[Piece]] = []
    end = 0.0
    for cell in sorted(cells, key=lambda cell: cell.note.pixels.x if upright else cell.note.pixels.y):
        box = cell.note.pixels
        first, last = (box.x, box.right) if upright else (box.y, box.bottom)
        if not parts or first >= end - reach:
            parts.append([])
        parts[-1].append(cell)
        end = max(end, last)
    return parts


def _blocks(bands: list[list[Piece]], reach: float) -> list[list[list[Piece]]]:
    """Bands below each other that are parted into the same columns."""
    found: list[list[list[Piece]]] = []
    for band in bands:
        if found and _same(_walls(found[-1][-1], reach), _walls(band, reach), reach):
            found[-1].append(band)
        else:
            found.append([band])
    return found


def _walls(band: list[Piece], reach: float) -> list[float]:
    return [min(cell.note.pixels.x for cell in column) for column in _parted(band, reach, upright=True)]


def _same(first: list[float], other: list[float], reach: float) -> bool:
    return len(first) == len(other) > 1 and all(abs(a - b) <= reach for a, b in zip(first, other, strict=True))
