"""Line Tracer: from the ink that is neither node nor letter to lines with ends, heads, strokes and labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.diagram.ends.echoes import without_echoes
from tools.diagram.ends.fans import settle_fans, without_doubtful
from tools.diagram.ends.heads import Ending, Ground, ending
from tools.diagram.ends.hollows import filled_hollows
from tools.diagram.ends.seen import likely, seen_ends, settled
from tools.diagram.ends.skirting import skirting_heads
from tools.diagram.lines.remains import Remains, remains
from tools.diagram.model.blackboard import Agent, GroupNote, LineNote, NodeNote, Remark, TextNote
from tools.diagram.model.graph import Frame, Head, Stroke
from tools.diagram.net.beneath import Stack, joined_beneath
from tools.diagram.net.dots import captioned, dots_at_ends, lone_dots
from tools.diagram.net.doubles import is_rim, without_doubles
from tools.diagram.net.labels import Beyond, at_texts, blocks_of, labelled, stray
from tools.diagram.net.oneway import bare_ends, settle_one_way
from tools.diagram.net.ports import net_with_ports
from tools.diagram.net.routes import Route, routes
from tools.diagram.net.signs import settle_signs
from tools.diagram.picture.skeleton import Net, Points, outward, path_length
from tools.diagram.picture.surfaces import Mask, Scene, pieces
from tools.diagram.text.patches import FIRST_FULL, on_patches
from tools.diagram.text.spotter import is_sure

_LATIN = 0.78
"""Height of capitals in that of Chinese signs of one font size; heads and lines are drawn alike beside either."""
_HEAD_AIR_GLYPHS = 4.0
"""How far from a text hollow heads are looked for that point at it."""
_APART_GLYPHS = 1.5
"""How far from all nodes no heads are."""
_BACK = 6.0
"""Pixels over which it is seen whether a line comes nearer to a frame."""
_LEAST_ACROSS = 0.4
"""Sine of the smallest angle at which a line comes to the frame that it ends at."""
_TIP_CONFIDENCE = 0.6
"""How sure it is that broad ink at the end of one line is a head, if no head's profile fits."""


@dataclass(frozen=True)
class Traced:
    """What the tracer found: lines, texts that turned out to be nodes, and what it could not place."""

    lines: tuple[LineNote, ...]
    nodes: tuple[NodeNote, ...]
    remarks: tuple[Remark, ...]


def trace(
    scene: Scene,
    nodes: list[NodeNote],
    groups: list[GroupNote],
    frames: dict[str, Points],
    texts: list[TextNote],
    titles: list[TextNote],
) -> Traced:
    """Traces all lines between the nodes and groups.

    `frames`: outline of each group; `texts`: those that belong to nothing yet; `titles`: those of groups.
    """
    patched = on_patches(scene, texts)
    # One sign by itself has no direction that it could be turned to: a hollow head was read as a letter.
    texts = [text for text in texts if not text.turned or len(text.text) > 1]
    scene = _as_beside_latin(scene, [*(node.label for node in nodes), *(text.text for text in texts)])
    alone = lone_dots(scene, nodes, texts)
    nodes = [*nodes, *alone]
    texts = _real_texts(scene, texts, patched, nodes)
    left = _cut_by_titles(remains(scene, nodes, groups, frames, [*texts, *titles], patched), titles)
    texts = [text for text in texts if _is_word(text) or text.id in patched or not _is_line_ink(scene, left, text)]
    labels = patched
    near = (left.reach < 3 * scene.glyph).astype(np.uint8)
    for text in texts:
        box, air = text.pixels, _HEAD_AIR_GLYPHS * scene.glyph
        near[max(int(box.y - air), 0) : int(box.bottom + air), max(int(box.x - air), 0) : int(box.right + air)] = 1
    solid, holes = filled_hollows(left.ink, near, (left.owners > 0).astype(np.uint8), scene.glyph)
    left = replace(left, ink=solid)
    blocked = (left.owners > 0).astype(np.uint8)
    ground = Ground(left.ink & (1 - blocked), holes, blocked)
    net, numbered, headed = net_with_ports(scene, left, texts, ground, labels)
    ports = {vertex: nodes[number - 1].id for vertex, number in numbered.items()}
    ports |= _at_frames(net, ports, groups, frames, left, scene.glyph)
    beyond = Beyond(ground, left, tuple(node.id for node in nodes), labels)
    text_nodes, led_to = at_texts(net, ports, texts, scene.glyph, beyond)
    ports |= led_to
    dots, at_dots = dots_at_ends(net, ports, left, [*texts, *titles], scene.glyph, blocked)
    ports |= at_dots
    spoken_for = {name for node in text_nodes for name in node.texts} | {name for arc in net.arcs.values() for name in arc.texts}
    dots = [*alone, *dots]
    dots = captioned(dots, [text for text in texts if text.id not in spoken_for and not text.turned], scene.glyph)
    ground = Ground(left.ink & (1 - blocked), holes, blocked)
    endings = _endings(scene, net, ports, headed, ground, left)
    found = _found_routes(scene, net, ports, endings, left, _holders(nodes, groups))
    bare = bare_ends(net, found, endings, ground, left, scene.glyph)
    stack = Stack({node.id: node.pixels for node in (*nodes, *text_nodes)}, left.filled, scene.ink, bare, bool(groups))
    found = joined_beneath(found, ports, endings, scene.glyph, stack)
    told = settle_one_way(net, found, ports, endings, ground, left, scene.glyph)
    signs = settle_signs(found, ports, endings, nodes)
    lines = [
        _line_note(net, route, ports, endings | changes | signed, left, f"l{i}")
        for i, (route, changes, signed) in enumerate(zip(found, told, signs, strict=True), start=1)
    ]
    doubtful = {dot.id for dot in dots if not dot.label} & _undirected_ends(lines)
    sure = [index for index, line in enumerate(lines) if not {line.source, line.target} & doubtful]
    lines, found = [lines[index] for index in sure], [found[index] for index in sure]
    used = {text for node in (*text_nodes, *dots) for text in node.texts}
    blocks = blocks_of([text for text in texts if text.id not in used])
    lines, unplaced = labelled(lines, found, blocks, scene.glyph)
    remarks = tuple(stray(block) for block in unplaced)
    joined_to = {end for line in lines for end in (line.source, line.target)}
    return Traced(tuple(lines), (*text_nodes, *(dot for dot in dots if dot.id in joined_to)), remarks)


def _as_beside_latin(scene: Scene, texts: list[str]) -> Scene:
    """The scene of an enlarged picture with the height that capitals had, where most signs fill the line: Chinese, say."""
    signs = [sign for sign in "".join(texts) if not sign.isspace()]
    full = sum(sign >= FIRST_FULL for sign in signs) > 0.5 * len(signs)
    return replace(scene, glyph=_LATIN * scene.glyph) if full and scene.scale > 1 else scene


def _endings(
    scene: Scene, net: Net, ports: dict[int, str], headed: frozenset[int], ground: Ground, left: Remains
) -> dict[int, Ending]:
    """What lines end in at each vertex where they come to a node."""
    endings = {v: ending(ground, net.onward(v, 3 * scene.glyph), scene.glyph, left.width) for v in ports}
    seen = seen_ends(net, ground, sorted(ports), scene.glyph, left.width)
    endings |= {v: Ending(Head.arrow, _TIP_CONFIDENCE) for v in likely(headed, seen) if endings[v].head is Head.none}
    endings |= skirting_heads(net, ports, endings, scene.ink, left, scene.glyph)
    _share_heads(net, ports, endings, scene.glyph)
    settle_fans(net, ports, endings, ground, scene.glyph)
    without_doubtful(net, ports, endings, scene.glyph)
    without_echoes(net, endings, ground, scene.glyph, left.width)
    settled(net, endings, seen, scene.glyph)
    without_echoes(net, endings, ground, scene.glyph, left.width)
    return endings


def _found_routes(
    scene: Scene, net: Net, ports: dict[int, str], endings: dict[int, Ending], left: Remains, around: dict[str, frozenset[str]]
) -> list[Route]:
    """The ways through the net that are lines of their own. `around`: the groups that hold each thing."""
    heads = {vertex for vertex, found in endings.items() if found.head is not Head.none}
    found = [r for r in routes(net, sorted(ports), heads, scene.glyph, ports) if _is_line(r, ports, scene.glyph)]
    found = without_doubles([r for r in found if not is_rim(r, ports, left, scene.glyph)], ports, endings, scene.glyph)
    return [r for r in found if not _within(ports[r.start], ports[r.stop], around)]


def _cut_by_titles(left: Remains, titles: list[TextNote]) -> Remains:
    """Letters taken out leave gaps in lines, as frames do: titles of groups stand where lines cross the frame."""
    cut = left.cut.copy()
    for title in titles:
        box = title.pixels
        cut[max(int(box.y) - 1, 0) : int(box.bottom) + 2, max(int(box.x) - 1, 0) : int(box.right) + 2] = 1
    return replace(left, cut=cut)


def _share_heads(net: Net, ports: dict[int, str], endings: dict[int, Ending], glyph: float) -> None:
    """Lines that run into one head all end in it: the surest ending at a spot is that of every port there (in place)."""
    surest = dict(endings)
    for vertex, owner in ports.items():
        for other, its_owner in ports.items():
            found = endings[other]
            if other == vertex or its_owner != owner or found.head is Head.none:
                continue
            apart = float(np.hypot(*(np.array(net.places[vertex]) - np.array(net.places[other]))))
            better = surest[vertex].head is Head.none or surest[vertex].confidence < found.confidence
            if apart <= 0.35 * glyph and better:
                surest[vertex] = found
    endings.update(surest)


def _undirected_ends(lines: list[LineNote]) -> set[str]:
    """What lines with no head, or with one at each end, lead to: dots begin or end directed lines only."""
    one_way = [(line.source_head is Head.none) != (line.target_head is Head.none) for line in lines]
    return {end for line, single in zip(lines, one_way, strict=True) if not single for end in (line.source, line.target)}


def _real_texts(scene: Scene, texts: list[TextNote], patched: frozenset[str], nodes: list[NodeNote]) -> list[TextNote]:
    """The texts without those of one or two signs whose ink is part of something larger: heads that were read as letters.

    Letters on a patch of their own may touch the line that it interrupts, and letters away from all nodes, where no heads are,
    the line that they stand beside. Where a sign was read with doubt, something larger that reaches into its box is enough.
    """
    if not texts:
        return []
    _, labels, stats = pieces(scene.ink)
    kept = []
    for text in texts:
        x, y = max(int(text.pixels.x), 0), max(int(text.pixels.y), 0)
        within = labels[y : int(text.pixels.bottom) + 1, x : int(text.pixels.right) + 1]
        counts = np.bincount(within[within > 0], minlength=1)
        found = np.flatnonzero(counts)
        beyond = [n for n in found if max(stats[n, 2] - text.pixels.width, stats[n, 3] - text.pixels.height) > 0.5 * scene.glyph]
        part = float(counts[beyond].sum()) / max(float(counts.sum()), 1.0)
        # In a copy a dark head stands off its pale line by a pixel or two.
        loose = part <= 0.7 and (is_sure(text) or not beyond)
        if _is_word(text) or loose or text.id in patched or _is_letter_apart(text, nodes, scene.glyph):
            kept.append(text)
    return kept


def _is_letter_apart(text: TextNote, nodes: list[NodeNote], glyph: float) -> bool:
    """Surely read, upright, and farther from every node than a head is long."""
    box = text.pixels
    gaps = (
        max(node.pixels.x - box.right, box.x - node.pixels.right, node.pixels.y - box.bottom, box.y - node.pixels.bottom)
        for node in nodes
    )
    return text.text.isalnum() and is_sure(text) and not text.turned and min(gaps, default=0.0) > _APART_GLYPHS * glyph


def _is_word(text: TextNote) -> bool:
    """Three signs or more, or two letters that were surely read and that no strokes are taken for."""
    return len(text.text) > 2 or (len(text.text) == 2 and text.text.isalpha() and is_sure(text))


def _is_line_ink(scene: Scene, left: Remains, text: TextNote) -> bool:
    """What was read as a letter is mostly a piece of a line, an arrow's head for example."""
    x, y = max(int(text.pixels.x), 0), max(int(text.pixels.y), 0)
    part = np.s_[y : int(text.pixels.bottom) + 1, x : int(text.pixels.right) + 1]
    return float(left.ink[part].sum()) >= 0.6 * max(float(scene.ink[part].sum()), 1.0)


def _is_line(route: Route, ports: dict[int, str], glyph: float) -> bool:
    """Long enough, and no little hook from a node to itself."""
    length = path_length(route.points)
    if ports[route.start] == ports[route.stop]:
        return length >= 2.2 * glyph and not route.shared and _far_out(route.points, glyph)
    return length >= 0.6 * glyph


def _holders(nodes: list[NodeNote], groups: list[GroupNote]) -> dict[str, frozenset[str]]:
    """By id, the groups that hold each node and group, itself included if it is one."""
    parents = {note.id: note.parent for note in (*nodes, *groups)}
    names = {group.id for group in groups}
    found = {}
    for name, parent in parents.items():
        holders, at = set(), name if name in names else parent
        for _ in range(len(groups)):
            if at is None:
                break
            holders.add(at)
            at = parents.get(at)
        found[name] = frozenset(holders)
    return found


def _within(first: str, other: str, around: dict[str, frozenset[str]]) -> bool:
    """One is a group that holds the other, or both are the same group: what joins them is a remnant of a frame."""
    return first in around.get(other, frozenset()) or other in around.get(first, frozenset())


def _far_out(points: Points, glyph: float) -> bool:
    """A loop leaves the node for more than a hair's breadth."""
    chord = points[-1] - points[0]
    spread = np.abs(points - points[0] - np.linspace(0, 1, len(points))[:, None] * chord).max()
    return float(spread) >= 0.7 * glyph


def _at_frames(
    net: Net, ports: dict[int, str], groups: list[GroupNote], frames: dict[str, Points], left: Remains, glyph: float
) -> dict[int, str]:
    """Loose ends on the frame of a group end there, if they come to it across and nothing goes on behind it."""
    found = {}
    for vertex in net.ends():
        if vertex in ports or net.arcs[net.meeting[vertex][0]].length < glyph:
            continue
        way = outward(net, vertex, 1.5 * glyph)
        for group in reversed(groups):
            frame = frames[group.id].astype(np.float32)
            place = np.array(net.places[vertex])
            off = _off_frame(frame, place)
            if off <= 8 + 0.3 * glyph:
                if way is not None and _comes_across(frame, place, way) and not _goes_on(left, place, way, off, glyph):
                    found[vertex] = group.id
                break
    return found


def _off_frame(frame: np.ndarray, place: Points) -> float:
    return abs(cv2.pointPolygonTest(frame, (float(place[0]), float(place[1])), measureDist=True))


def _comes_across(frame: np.ndarray, place: Points, way: Points) -> bool:
    """The line does not run along the frame."""
    x, y = place, place - _BACK * way
    inside = [cv2.pointPolygonTest(frame, (float(p[0]), float(p[1])), measureDist=True) for p in (x, y)]
    return abs(inside[0] - inside[1]) >= _LEAST_ACROSS * _BACK


def _goes_on(left: Remains, place: Points, way: Points, off: float, glyph: float) -> bool:
    """There is ink behind the frame where the line would be if it crossed it."""
    height, width = left.ink.shape
    for step in np.arange(3.0 + left.width, off + 1.6 * glyph, 1.0):
        x, y = np.round(place + way * step).astype(int)
        spread = 1 + int(0.25 * step)
        if left.ink[max(y - spread, 0) : min(y + spread + 1, height), max(x - spread, 0) : min(x + spread + 1, width)].any():
            return True
    return False


def _line_note(net: Net, route: Route, ports: dict[int, str], endings: dict[int, Ending], left: Remains, name: str) -> LineNote:
    start, stop, points = route.start, route.stop, route.points
    heads = endings[start], endings[stop]
    if heads[0].head is not Head.none and heads[1].head is Head.none:
        start, stop, points, heads = stop, start, points[::-1], (heads[1], heads[0])
    simple = cv2.approxPolyDP(points.astype(np.float32)[:, None], 1.0, closed=False)[:, 0]
    frame = Frame(
        x=float(points[:, 0].min()),
        y=float(points[:, 1].min()),
        width=float(np.ptp(points[:, 0])),
        height=float(np.ptp(points[:, 1])),
    )
    sure = min(heads[0].confidence, heads[1].confidence) / (1 + 0.05 * route.cost)
    arcs = [net.arcs[number] for number in route.arcs]
    return LineNote(
        writer=Agent.line_tracer,
        pixels=frame,
        confidence=min(max(sure, 0.0), 1.0),
        id=name,
        source=ports[start],
        target=ports[stop],
        source_head=heads[0].head,
        target_head=heads[1].head,
        stroke=_stroke(net, route, left),
        path=tuple((float(x), float(y)) for x, y in simple),
        texts=tuple(text for arc in arcs for text in arc.texts),
    )


def _stroke(net: Net, route: Route, left: Remains) -> Stroke:
    arcs = [net.arcs[number] for number in route.arcs]
    runs, filled = _filled(route.points, left)
    gaps = runs + sum(arc.bridges - len(arc.texts) for arc in arcs)
    total = sum(arc.length for arc in arcs)
    drawn = sum(arc.length * arc.drawn for arc in arcs) - filled * total
    if gaps >= 2 and total / gaps < 40:
        dash = drawn / (gaps + 1)
        return Stroke.dotted if dash <= 1.6 * left.width + 1.0 else Stroke.dashed
    distance = cv2.distanceTransform(_window(left.ink, route.points), cv2.DIST_L2, 3)
    quarter = len(route.points) // 4
    corner = np.maximum(np.floor(route.points.min(axis=0)).astype(int) - 6, 0)
    inner = np.round(route.points[quarter : len(route.points) - quarter]).astype(int) - corner
    height, across = distance.shape
    inner = inner[(inner >= 0).all(axis=1) & (inner[:, 0] < across) & (inner[:, 1] < height)]
    width = 2 * float(np.median(distance[inner[:, 1], inner[:, 0]])) - 0.5 if len(inner) else 0.0
    return Stroke.thick if width >= max(1.9 * left.width, 3.0) else Stroke.solid


def _filled(points: Points, left: Remains) -> tuple[int, float]:
    """How many gaps between dashes were drawn over along a line, and the share of it that they are."""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    at = np.arange(0.0, float(along[-1]) + 0.5, 0.5)
    height, width = left.filled.shape
    xs, ys = (
        np.clip(np.round(np.interp(at, along, points[:, k])).astype(int), 0, most - 1) for k, most in ((0, width), (1, height))
    )
    gaps = left.filled[ys, xs]
    return int((np.diff(gaps.astype(np.int8)) == 1).sum()), float(gaps.mean())


def _window(ink: Mask, points: Points) -> Mask:
    x, y = np.maximum(np.floor(points.min(axis=0)).astype(int) - 6, 0)
    right, bottom = np.ceil(points.max(axis=0)).astype(int) + 7
    return np.ascontiguousarray(ink[y:bottom, x:right])
