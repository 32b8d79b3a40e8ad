"""What is left of the ink when nodes, letters and frames are taken away: the lines."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.lines.bulges import MOST_BULGE_GLYPHS, bulge, contacts, entrances, passing
from tools.diagram.lines.frames import without_frame
from tools.diagram.lines.handles import nearest_taken, with_handles
from tools.diagram.model.blackboard import GroupNote, NodeNote, TextNote
from tools.diagram.model.graph import Shape
from tools.diagram.picture.dashes import made_whole
from tools.diagram.picture.masks import line_width
from tools.diagram.picture.skeleton import Points
from tools.diagram.picture.surfaces import Mask, Scene, pieces
from tools.diagram.shapes.corners import spikes

_HIGHER_GLYPHS, _MOST_HEAD_GLYPHS = 1.5, 1.2
"""What stands upright on a node and is this much higher than letters and no wider is a line's last piece with its head."""


@dataclass(frozen=True)
class Remains:
    """The ink of the lines and what surrounds it.

    `owners`: number of the node at each pixel (its border included), 0 outside; `reach`, `nearest`: distance to the nearest node
    in pixels and its number, at each pixel.
    """

    ink: Mask
    owners: NDArray[np.int32]
    reach: NDArray[np.float32]
    nearest: NDArray[np.int32]
    width: float
    """Median width of the lines."""
    cut: Mask
    """Where frames were taken out, and lines with them."""
    caps: Mask
    """Handles, rings and pins outside the nodes' borders; they may lie over the tips of heads."""
    filled: Mask
    """What was drawn between the dashes and dots of lines."""
    spiked: Mask | None = None
    """What was taken for the sharp ends of nodes' borders, and heads with them."""


_MOST_ENTRANCES, _MOST_PAIRED = 40, 14
"""Places where ink comes to a text's box beyond which lines through it are not looked for; of fewer, so many are paired."""
_LEAST_DASH_GLYPHS, _DASH_APART_GLYPHS = 0.3, 1.2
"""Length of the shortest piece at a node that may be a dash, and how far from it the next dash or the head begins."""
_LEAST_OUTWARD = 0.6
"""Sine of the smallest angle between such a dash and its node's border."""
_LEAST_FARTHEST, _FARTHEST_GLYPHS = 10, 0.9
"""How far outside a node's outline its second border ends: in pixels at the least, and in heights of letters."""
_ANGLED = frozenset({Shape.diamond, Shape.hexagon, Shape.parallelogram, Shape.trapezium, Shape.triangle})
_UPRIGHT, _BUMP_GLYPHS = frozenset({Shape.rectangle, Shape.rounded, Shape.subroutine}), 1.0
"""Shapes of level and upright sides, and the width in heights of letters up to which what sticks out of one is no part of it."""
_LEAST_AROUND = 0.7
"""Share of a ring around a node that is ink if it is a second border: lines that leave the node cross it here and there only."""


def remains(
    scene: Scene,
    nodes: list[NodeNote],
    groups: list[GroupNote],
    frames: dict[str, Points],
    texts: list[TextNote],
    patched: frozenset[str] = frozenset(),
) -> Remains:
    """Takes nodes, frames of groups and letters out of the ink.

    `frames`: outline (n, 2) of each group by its id; `patched`: ids of the texts that stand on patches.
    """
    spiked = np.zeros_like(scene.ink)
    bare = _owners(scene, nodes, spiked)
    ink = scene.ink & (bare == 0).astype(np.uint8)
    cut = np.zeros_like(ink)
    for group in groups:
        ink = without_frame(scene, ink, frames[group.id], cut)
    owners = with_handles(scene, ink, bare, len(nodes), texts)
    ink = ink & (owners == 0).astype(np.uint8)
    ink = _without_letters(scene, ink, texts, owners, patched)
    whole = _whole_dashes(scene, ink, owners, cut, texts)
    broken = ink
    ink = _without_specks(_without_rims(_without_crumbs(ink, owners, scene.glyph), owners), scene.glyph)
    width = line_width(ink)
    ink |= whole
    free = (owners == 0).astype(np.uint8)
    distance, labels = nearest_taken(free)
    nearest = np.zeros_like(owners)
    if owners.any():
        table = np.zeros(int(labels.max()) + 1, np.int32)
        inside = owners.ravel() > 0
        table[labels.ravel()[inside]] = owners.ravel()[inside]
        nearest = table[labels]
    caps = ((owners > 0) & (bare == 0)).astype(np.uint8)
    return Remains(ink, owners, distance, nearest, width, cut, caps, whole & (1 - broken), spiked)


def _whole_dashes(scene: Scene, ink: Mask, owners: NDArray[np.int32], cut: Mask, texts: list[TextNote]) -> Mask:
    """Dashed and dotted lines as unbroken ones, also where frames and letters were taken out of them."""
    hidden = cut.copy()
    for text in texts:
        box = text.pixels
        hidden[max(int(box.y) - 1, 0) : int(box.bottom) + 2, max(int(box.x) - 1, 0) : int(box.right) + 2] = 1
    return made_whole(ink, hidden, (owners > 0).astype(np.uint8), line_width(ink), scene.glyph)


def _owners(scene: Scene, nodes: list[NodeNote], spiked: Mask) -> NDArray[np.int32]:
    """The nodes' numbers, each grown over its own border; where that sticks out is marked in `spiked` (in place)."""
    owners = np.zeros(scene.ink.shape, np.int32)
    height, width = scene.surfaces.shape[:2]
    for number, node in sorted(enumerate(nodes, start=1), key=lambda item: -item[1].pixels.area):
        outline = np.round(np.array(node.outline)).astype(np.int32)
        beyond = spikes(np.array(node.outline, np.float64), scene.ink) if node.shape in _ANGLED else []
        x, y, w, h = cv2.boundingRect(np.concatenate([outline, *beyond]))
        pad = _farthest(scene.glyph) + 4
        left, top, right, bottom = max(x - pad, 0), max(y - pad, 0), min(x + w + pad, width), min(y + h + pad, height)
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [outline - np.array([left, top])], (1,))
        if scene.copied and node.shape in _UPRIGHT:
            mask = _without_bumps(mask, scene.glyph)
        mask = _over_border(mask, scene.ink[top:bottom, left:right], scene.glyph)
        for spike in beyond:
            cv2.fillConvexPoly(mask, spike - np.array([left, top]), (1,))
            cv2.fillConvexPoly(spiked, spike, (1,))
        window = owners[top:bottom, left:right]
        window[mask > 0] = number
    return owners


def _without_bumps(mask: Mask, glyph: float) -> Mask:
    """A box without what sticks out of its sides: ground that runs out where a head at a pale border hides a piece of it."""
    side = min(round(_BUMP_GLYPHS * glyph), min(cv2.boundingRect(mask)[2:]) // 2)
    if side < 3:
        return mask
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), np.uint8)


def _without_rims(ink: Mask, owners: NDArray[np.int32]) -> Mask:
    """Takes out what is left of the nodes' borders: ink within 2 pixels of a node with no ink behind it."""
    distance = cv2.distanceTransform((owners == 0).astype(np.uint8), cv2.DIST_L2, 5)
    behind = ink & ((distance > 2.2) & (distance <= 4.6)).astype(np.uint8)
    # Step by step, straight or slanting: of the border's own row no more is kept than the line needs to reach it.
    around = np.ones((3, 3), np.uint8)
    second = ink & ((distance > 1.2) & (distance <= 2.2)).astype(np.uint8) & np.asarray(cv2.dilate(behind, around), np.uint8)
    first = ink & (distance <= 1.2).astype(np.uint8) & np.asarray(cv2.dilate(second, around), np.uint8)
    return (ink & (distance > 2.2).astype(np.uint8)) | second | first


def _farthest(glyph: float) -> int:
    """Pixels beyond a node's outline at which its second border may end."""
    return max(_LEAST_FARTHEST, round(_FARTHEST_GLYPHS * glyph))


def _over_border(mask: Mask, ink: Mask, glyph: float) -> Mask:
    """Grows the mask ring by ring while most of the ring is ink (the drawn border), and one pixel more.

    What goes all around beyond a gap is a second border.
    """
    distance = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    seen, ended, reach = False, False, 1.0
    for step in range(1, _farthest(glyph) + 1):
        ring = (distance > step - 0.7) & (distance <= step + 0.3)
        share = float(ink[ring].mean()) if ring.any() else 0.0
        ended = ended or (share < 0.4 and (seen or step >= 4))
        seen = seen or share >= 0.4
        if (seen and not ended) or share >= _LEAST_AROUND:
            reach = step + 0.3
    return (distance <= reach + 0.6).astype(np.uint8)


def _without_letters(scene: Scene, ink: Mask, texts: list[TextNote], owners: NDArray[np.int32], patched: frozenset[str]) -> Mask:
    """Takes out the pieces of ink that lie within a line of text; what runs on beyond it stays, for it is a line.

    So does what stands upright on a node's border: the detector may take in the head below a label.
    """
    if not texts:
        return ink
    glyph = scene.glyph
    _, labels, stats = pieces(ink)
    gone = np.zeros(len(stats), np.uint8)
    at_nodes = _at_nodes(labels, stats, owners, glyph)
    height, width = ink.shape
    for text in texts:
        box = text.pixels
        pad = max(2.0, 0.12 * min(box.width, box.height))
        left, top = max(int(box.x - pad), 0), max(int(box.y - pad), 0)
        right, bottom = min(int(box.right + pad) + 1, width), min(int(box.bottom + pad) + 1, height)
        for label in np.unique(labels[top:bottom, left:right]):
            x, y, w, h, _ = stats[label]
            if (
                label
                and label not in at_nodes
                and x >= left
                and y >= top
                and x + w <= right
                and y + h <= bottom
                and h <= max(3.5 * glyph, box.height)
            ):
                gone[label] = 1
    left = ink & (1 - gone[labels])
    for text in texts:
        _cut_letters(left, _label_ground(scene, text, on_patch=text.id in patched), owners, glyph)
    return left | (np.isin(labels, sorted(at_nodes)).astype(np.uint8) & ink)


def _at_nodes(labels: NDArray[np.int32], stats: NDArray[np.int32], owners: NDArray[np.int32], glyph: float) -> frozenset[int]:
    """The pieces of ink that touch a node and are higher than letters, but hardly wider than heads."""
    near = np.asarray(cv2.dilate((owners > 0).astype(np.uint8), np.ones((5, 5), np.uint8)), np.uint8)
    slim = (stats[:, cv2.CC_STAT_HEIGHT] >= _HIGHER_GLYPHS * glyph) & (stats[:, cv2.CC_STAT_WIDTH] <= _MOST_HEAD_GLYPHS * glyph)
    return frozenset(int(n) for n in np.unique(labels[near > 0]) if n and slim[n])


def _label_ground(scene: Scene, text: TextNote, *, on_patch: bool) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the text, or of the patch that it was set on."""
    height, width = scene.ink.shape
    box = text.pixels
    left, top = max(int(box.x) - 2, 0), max(int(box.y) - 2, 0)
    right, bottom = min(int(box.right) + 3, width), min(int(box.bottom) + 3, height)
    beneath = scene.surfaces[top:bottom, left:right]
    counts = np.bincount(beneath[beneath > 0], minlength=1)
    if not on_patch or counts.sum() == 0:
        return left, top, right, bottom
    x, y, w, h, _ = (int(v) for v in scene.boxes[int(counts.argmax())])
    air = 1.3 * scene.glyph
    if x >= left - air and y >= top - air and x + w <= right + air and y + h <= bottom + air:
        left, top, right, bottom = min(left, x - 2), min(top, y - 2), max(right, x + w + 2), max(bottom, y + h + 2)
    return max(left, 0), max(top, 0), min(right, width), min(bottom, height)


def _cut_letters(ink: Mask, box: tuple[int, int, int, int], owners: NDArray[np.int32], glyph: float) -> None:
    """Where lines run through a text and touch its letters, keeps the lines alone (in place)."""
    left, top, right, bottom = box
    window = ink[top:bottom, left:right]
    if min(window.shape) < 5 or not window.any():
        return
    ways = entrances(ink, box)
    if len({way.piece for way in ways}) > _MOST_ENTRANCES:
        return
    thick = np.asarray(cv2.dilate(window, np.ones((3, 3), np.uint8)), np.uint8)
    keep = passing(ink, box)
    straight: set[int] = set()
    middles = [way for index, way in enumerate(ways) if way.piece not in {other.piece for other in ways[:index]}]
    for middle, other in itertools.combinations(middles[:_MOST_PAIRED], 2):
        line = _chord(thick, middle.place, other.place, glyph)
        if line is not None:
            cv2.line(keep, line[0], line[1], (1,), 3)
            straight |= {middle.piece, other.piece}
    for each_way, other in itertools.combinations(ways[:_MOST_PAIRED], 2):
        if {each_way.piece, other.piece} <= straight:
            continue
        apart, by = float(np.hypot(*(each_way.place - other.place))), each_way.beyond and other.beyond
        if (apart >= 0.8 * glyph or each_way.piece == other.piece) and (by or apart <= MOST_BULGE_GLYPHS * glyph):
            keep |= bulge(window, each_way.place, other.place, passing_by=by)
    # A line may come to a node beneath the text: it leaves the box at one place only.
    for place in contacts(window, owners[top:bottom, left:right]):
        for way in ways[:_MOST_PAIRED]:
            if way.beyond:
                keep |= bulge(window, place, way.place, passing_by=True)
    window &= keep | _beside_rim(window, keep)


def _chord(thick: Mask, p: Points, q: Points, glyph: float) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The ends of the straight way between two places on a box's border, if it is ink all along; `None` if not."""
    length = float(np.hypot(*(p - q)))
    if length < 0.8 * glyph:
        return None
    xs = np.round(np.linspace(p[0], q[0], round(length) + 1)).astype(int)
    ys = np.round(np.linspace(p[1], q[1], round(length) + 1)).astype(int)
    if thick[ys, xs].mean() <= 0.97 or _along_rim(xs, ys, thick.shape):
        return None
    return (int(xs[0]), int(ys[0])), (int(xs[-1]), int(ys[-1]))


def _beside_rim(window: Mask, keep: Mask) -> Mask:
    """Lines that only graze the text's box: pieces of its ink that stay within a few pixels of one border."""
    _, labels, stats = pieces(window & (1 - keep))
    height, width = window.shape
    grazing = np.zeros(len(stats), np.uint8)
    for label in range(1, len(stats)):
        x, y, w, h, _ = (int(v) for v in stats[label])
        margin = max(0.16 * min(height, width), 3) + 2
        along_side = x + w <= margin or x >= width - margin
        along_end = y + h <= margin or y >= height - margin
        if along_side or along_end:
            grazing[label] = 1
    return grazing[labels]


def _along_rim(xs: NDArray[np.int_], ys: NDArray[np.int_], size: tuple[int, ...]) -> bool:
    return bool(((xs <= 1) | (ys <= 1) | (xs >= size[1] - 2) | (ys >= size[0] - 2)).mean() > 0.8)


def _without_crumbs(ink: Mask, owners: NDArray[np.int32], glyph: float) -> Mask:
    """Takes out what sticks out of a node's corners; the first dash of a line that goes on stays."""
    _, labels, stats = pieces(ink)
    reach = cv2.distanceTransform((owners == 0).astype(np.uint8), cv2.DIST_L2, 5)
    by_nodes = np.unique(labels[cv2.dilate((owners > 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0])
    gone = np.zeros(len(stats), np.uint8)
    for label in by_nodes:
        small = max(stats[label, cv2.CC_STAT_WIDTH], stats[label, cv2.CC_STAT_HEIGHT]) < 0.8 * glyph
        if label and small and stats[label, cv2.CC_STAT_AREA] < 0.15 * glyph**2:
            gone[label] = not _is_first_dash(labels, stats[label], int(label), reach, glyph)
    return ink & (1 - gone[labels])


def _is_first_dash(labels: NDArray[np.int32], row: NDArray[np.int32], number: int, reach: NDArray[Any], glyph: float) -> bool:
    """The piece leads away from its node, and ahead of it, no farther than dashes stand apart, is more ink."""
    x, y, w, h = (int(v) for v in row[:4])
    ys, xs = np.nonzero(labels[y : y + h, x : x + w] == number)
    off = reach[ys + y, xs + x]
    near, far = int(off.argmin()), int(off.argmax())
    way = np.array([xs[far] - xs[near], ys[far] - ys[near]], np.float64)
    size = float(np.hypot(*way))
    if size < _LEAST_DASH_GLYPHS * glyph or float(off[far] - off[near]) < _LEAST_OUTWARD * size:
        return False
    height, width = labels.shape
    for step in np.arange(2.0, _DASH_APART_GLYPHS * glyph):
        column, line = round(xs[far] + x + way[0] / size * step), round(ys[far] + y + way[1] / size * step)
        if not (0 <= column < width and 0 <= line < height) or reach[line, column] <= 1:
            return False
        if labels[line, column] not in {0, number}:
            return True
    return False


def _without_specks(ink: Mask, glyph: float) -> Mask:
    """Takes out dots that have no dot or dash beside them (a patterned ground): those of a dotted line stand close together."""
    from scipy.spatial import KDTree  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    _, labels, stats = pieces(ink)
    extent = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    small = np.flatnonzero((extent <= 1.5 * glyph) & (np.arange(len(stats)) > 0))
    if len(small) < 2:
        return ink
    places = stats[small, :2] + stats[small, 2:4] / 2
    distance = np.asarray(KDTree(places).query(places, k=2)[0])[:, 1] - extent[small] / 2
    gone = np.zeros(len(stats), np.uint8)
    gone[small[(extent[small] <= 0.45 * glyph) & (distance > 0.95 * glyph)]] = 1
    return ink & (1 - gone[labels])
