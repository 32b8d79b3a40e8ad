"""What free texts are: nodes without an outline that lines lead to, or labels of lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools.diagram.ends.heads import Ground, is_headed
from tools.diagram.ends.seen import is_seen
from tools.diagram.fusion.naming import joined
from tools.diagram.lines.remains import Remains
from tools.diagram.model.blackboard import Agent, LineNote, NodeNote, Remark, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.net.routes import Route
from tools.diagram.picture.skeleton import Arc, Net, Points, facing, outward, smooth, turn_degrees

_TEXT_REACH_GLYPHS, _FAR_GLYPHS = 2.5, 7.0
"""How far a text lies from the end that points at it; the same where a head points at it and nothing is between."""
_LEAST_FREE = 3.0
"""Pixels ahead of an end where its own ink may be."""
_AIR_GLYPHS = 0.6
_LEAST_LINE_GLYPHS = 1.2
"""Shorter lines make a text no node."""
_LABEL_REACH_GLYPHS = 3.2
_NODE_BEYOND_GLYPHS = 1.2
"""How near behind a text a node must lie for the text to be a label that covers the rest of its line."""


_MOST_TURN, _MOST_TURN_OF_TWO = 60.0, 25.0
"""Degrees by which a line may turn where a text interrupts it, and one with heads at both ends."""
_MANY_OUTLINED = 4
"""Nodes with an outline from which on a text that one plain line ends at is no proof of nodes without."""


@dataclass(frozen=True)
class Beyond:
    """What tells a label that interrupts its line from a node that lines lead to: heads, and what lies behind the text."""

    ground: Ground
    left: Remains
    names: tuple[str, ...]
    """Ids of the nodes by their number in `left.owners`, less one."""
    patched: frozenset[str] = frozenset()
    """Ids of the texts that stand on patches: labels, whatever lines do there."""

    def is_patched(self, block: list[TextNote]) -> bool:
        """Some of its lines stand on a patch."""
        return any(text.id in self.patched for text in block)

    def interrupts(self, net: Net, vertices: list[int], glyph: float, *, patched: bool = False) -> bool:
        """Two ends that look at each other across the text, without heads unless it stands on a patch."""
        if len(vertices) != 2:
            return False
        ways = [outward(net, vertex, 1.5 * glyph) for vertex in vertices]
        apart = np.array(net.places[vertices[1]]) - np.array(net.places[vertices[0]])
        size = float(np.hypot(*apart))
        if ways[0] is None or ways[1] is None or size < 1 or net.meeting[vertices[0]] == net.meeting[vertices[1]]:
            return False
        # All in all, a line that turns further is none: both ends look to one side there.
        turns = turn_degrees(ways[0], apart / size), turn_degrees(-ways[1], apart / size), turn_degrees(ways[0], -ways[1])
        if patched:
            return max(turns) <= _MOST_TURN
        # Two lines that lead away from a name in a sharp bend, each to a head of its own, are no line that it interrupts.
        most = _MOST_TURN_OF_TWO if all(self._leads_to_head(net, vertex, glyph) for vertex in vertices) else _MOST_TURN
        return max(turns) <= most and not any(self.headed(net, vertex, glyph) for vertex in vertices)

    def _leads_to_head(self, net: Net, vertex: int, glyph: float) -> bool:
        """The line has a head at its other end."""
        other = net.other(vertex, net.meeting[vertex][0])
        return len(net.meeting[other]) == 1 and self.headed(net, other, glyph)

    def node_behind(self, net: Net, vertices: list[int], box: Frame, glyph: float, *, patched: bool = False) -> str | None:
        """The node right behind the text that the only line there, without a head, leads on to."""
        if len(vertices) != 1 or (not patched and self.headed(net, vertices[0], glyph)):
            return None
        way, place = facing(net, vertices[0], 1.5 * glyph), np.array(net.places[vertices[0]])
        if way is None:
            return None
        height, width = self.left.owners.shape
        entered = False
        for step in np.arange(0.0, 30 * glyph, 1.0):
            x, y = (round(float(v)) for v in place + way * step)
            if not (0 <= x < width and 0 <= y < height):
                return None
            entered = entered or (box.x - 2 <= x <= box.right + 2 and box.y - 2 <= y <= box.bottom + 2)
            if self.left.owners[y, x]:
                gap = max(box.x - x, x - box.right, box.y - y, y - box.bottom, 0.0)
                return self.names[int(self.left.owners[y, x]) - 1] if entered and gap <= _NODE_BEYOND_GLYPHS * glyph else None
        return None

    def is_free(self, place: Points, way: Points, distance: float) -> bool:
        """There is neither a node nor a line ahead within that distance."""
        height, width = self.left.owners.shape
        spots = place + way * np.arange(_LEAST_FREE, max(distance, _LEAST_FREE + 1.0))[:, None]
        xs, ys = (np.clip(np.round(spots[:, k]).astype(int), 0, most - 1) for k, most in ((0, width), (1, height)))
        return not (self.left.owners[ys, xs] | self.left.ink[ys, xs]).any()

    def headed(self, net: Net, vertex: int, glyph: float) -> bool:
        """The loose end has a head, by its profile or by what the network sees there."""
        return is_headed(net, self.ground, vertex, glyph, self.left.width) or is_seen(
            net, self.ground, vertex, glyph, self.left.width
        )


def at_texts(
    net: Net, ports: dict[int, str], texts: list[TextNote], glyph: float, beyond: Beyond
) -> tuple[list[NodeNote], dict[int, str]]:
    """Loose ends that point at a text make it a node without outline, unless it is the label of a line that it interrupts."""
    blocks = blocks_of(texts)
    aimed = _aimed(net, ports, blocks, glyph, beyond)
    # One plain end at a text is a line broken off at a label, unless texts are nodes in this picture.
    named = len(beyond.names) < _MANY_OUTLINED or any(
        any(beyond.headed(net, vertex, glyph) for vertex in vertices) for vertices in aimed.values()
    )
    nodes, found = [], {}
    for index, vertices in sorted(aimed.items()):
        block = blocks[index]
        box, names, patched = box_of(block), tuple(text.id for text in block), beyond.is_patched(block)
        behind = beyond.node_behind(net, vertices, box, glyph, patched=patched)
        if behind is not None:
            found[vertices[0]] = behind
            arc = net.arcs[net.meeting[vertices[0]][0]]
            arc.texts = (*arc.texts, *names)
            arc.bridges += 1
            continue
        if beyond.interrupts(net, vertices, glyph, patched=patched):
            a, b = vertices
            net.add(Arc(np.array([net.places[a], net.places[b]]), (a, b), 0.0, 1, names))
            for vertex in vertices:
                smooth(net, vertex)
            continue
        if patched or (len(vertices) == 1 and not named):
            continue
        name = f"x{len(nodes) + 1}"
        corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
        nodes.append(
            NodeNote(
                writer=Agent.line_tracer, pixels=box, confidence=min(0.9, *(t.confidence for t in block)), id=name,
                label=joined(block), shape=Shape.text, outline=corners, texts=names,
            )
        )  # fmt: skip
        found |= dict.fromkeys(vertices, name)
    return nodes, found


def _aimed(net: Net, ports: dict[int, str], blocks: list[list[TextNote]], glyph: float, beyond: Beyond) -> dict[int, list[int]]:
    """The loose ends that point at each block, by its index; short stubs count at labels on patches only.

    A head points at a name over much air where nothing else is between; so do, then, the other ends at that name.
    """
    bridged = {name for arc in net.arcs.values() for name in arc.texts}
    open_blocks = [index for index, block in enumerate(blocks) if not bridged & {text.id for text in block}]
    loose = [vertex for vertex in net.ends() if vertex not in ports and outward(net, vertex, 1.5 * glyph) is not None]
    aimed: dict[int, list[int]] = {}
    left = []
    for vertex in loose:
        long = net.arcs[net.meeting[vertex][0]].length >= _LEAST_LINE_GLYPHS * glyph
        given = [index for index in open_blocks if long or beyond.is_patched(blocks[index])]
        index = _pointed_at(net, vertex, blocks, given, glyph, beyond)
        if index is None:
            left += [vertex] if long else []
        else:
            aimed.setdefault(index, []).append(vertex)
    bare = [index for index in open_blocks if not beyond.is_patched(blocks[index])]
    for headed in (True, False):
        names = bare if headed else [index for index in bare if any(beyond.headed(net, v, glyph) for v in aimed.get(index, ()))]
        for vertex in [vertex for vertex in left if beyond.headed(net, vertex, glyph) is headed]:
            index = _pointed_at(net, vertex, blocks, names, glyph, beyond, far=True)
            if index is not None:
                aimed.setdefault(index, []).append(vertex)
    return aimed


def _pointed_at(
    net: Net, vertex: int, blocks: list[list[TextNote]], given: list[int], glyph: float, beyond: Beyond, *, far: bool = False
) -> int | None:
    """Index of the first of the given blocks that the loose end points at; none behind anything else if it is far off."""
    way, place = facing(net, vertex, 1.5 * glyph), np.array(net.places[vertex])
    if way is None:
        return None
    reach = (_FAR_GLYPHS if far else _TEXT_REACH_GLYPHS) * glyph
    hits = [(hit, index) for index in given if (hit := _ray(place, way, box_of(blocks[index]), glyph, reach)) is not None]
    if not hits or (far and not beyond.is_free(place, way, min(hits)[0])):
        return None
    return min(hits)[1]


def _ray(place: Points, way: Points, box: Frame, glyph: float, reach: float) -> float | None:
    """Distance at which a ray meets the box and the air that a node without outline has around it; `None` beyond reach."""
    air = _AIR_GLYPHS * glyph
    for step in np.arange(0.0, reach, 1.0):
        x, y = place + way * step
        if box.x - air <= x <= box.right + air and box.y - air <= y <= box.bottom + air:
            return float(step)
    return None


def box_of(texts: list[TextNote]) -> Frame:
    """The upright box around all of them."""
    x, y = min(t.pixels.x for t in texts), min(t.pixels.y for t in texts)
    return Frame(x=x, y=y, width=max(t.pixels.right for t in texts) - x, height=max(t.pixels.bottom for t in texts) - y)


def blocks_of(texts: list[TextNote]) -> list[list[TextNote]]:
    """Lines of text that stand under each other closely are one block."""
    blocks: list[list[TextNote]] = []
    for text in sorted(texts, key=lambda t: (t.pixels.y, t.pixels.x)):
        home = next(
            (block for block in blocks if _continues(block[-1].pixels, text.pixels) and block[-1].turned == text.turned), None
        )
        if home is None:
            blocks.append([text])
        else:
            home.append(text)
    return blocks


def _continues(above: Frame, below: Frame) -> bool:
    gap = below.y - above.bottom
    height = min(above.height, below.height)
    shared = min(above.right, below.right) - max(above.x, below.x)
    return (
        -0.5 * height <= gap <= 0.35 * height
        and shared >= 0.6 * min(above.width, below.width)
        and below.centre[1] > above.bottom - 2
    )


def labelled(
    lines: list[LineNote], found: list[Route], blocks: list[list[TextNote]], glyph: float
) -> tuple[list[LineNote], list[list[TextNote]]]:
    """Gives each block of text to the line it stands at: the one it interrupts, else the nearest that has none yet."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    if not lines or not blocks:
        return lines, blocks
    reach = _LABEL_REACH_GLYPHS * glyph
    costs = np.full((len(blocks), len(lines)), 1e4)
    for i, block in enumerate(blocks):
        names = {text.id for text in block}
        for j, line in enumerate(lines):
            if names & set(line.texts):
                costs[i, j] = -50.0
            else:
                distance = _gap(found[j].points, box_of(block))
                costs[i, j] = distance if distance <= reach else 1e4
    chosen: dict[int, list[int]] = {}
    rows, columns = linear_sum_assignment(costs)
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        if costs[i, j] < 1e4:
            chosen.setdefault(j, []).append(i)
    placed = {i for members in chosen.values() for i in members}
    for i in range(len(blocks)):
        if i not in placed and costs[i].min() <= 1.2 * glyph:
            chosen.setdefault(int(costs[i].argmin()), []).append(i)
            placed.add(i)
    result = [_with_texts(line, [blocks[i] for i in chosen.get(j, [])]) for j, line in enumerate(lines)]
    return result, [block for i, block in enumerate(blocks) if i not in placed]


def _gap(points: Points, box: Frame) -> float:
    """Smallest distance between a line and a box, plus a little of the distance between their middles."""
    thinned = points[:: max(len(points) // 200, 1)]
    dx = np.maximum(np.maximum(box.x - thinned[:, 0], thinned[:, 0] - box.right), 0)
    dy = np.maximum(np.maximum(box.y - thinned[:, 1], thinned[:, 1] - box.bottom), 0)
    distance = np.hypot(dx, dy)
    at = int(distance.argmin()) / max(len(thinned) - 1, 1)
    return float(distance.min()) + 2.0 * abs(at - 0.5)


def _with_texts(line: LineNote, blocks: list[list[TextNote]]) -> LineNote:
    """The nearest to the middle is the label; others stand at the ends."""
    if not blocks:
        return line
    points = np.array(line.path)
    middle = points.mean(axis=0)
    ordered = sorted(blocks, key=lambda block: float(np.hypot(*(np.array(box_of(block).centre) - middle))))
    changes: dict[str, object] = {"texts": tuple(text.id for block in blocks for text in block)}
    if len(blocks) == 2 and not set(line.texts) & {t.id for block in blocks for t in block}:
        ordered = [[], *ordered]
    if ordered[0]:
        changes["label"] = joined(ordered[0])
    for block in ordered[1:]:
        centre = np.array(box_of(block).centre)
        at_source = np.hypot(*(centre - points[0])) < np.hypot(*(centre - points[-1]))
        key = "source_label" if at_source and "source_label" not in changes else "target_label"
        changes[key] = joined(block)
    return line.model_copy(update=changes)


def stray(block: list[TextNote]) -> Remark:
    """What is said of texts that belong to nothing."""
    return Remark(writer=Agent.line_tracer, pixels=box_of(block), text=f"text without a place: {joined(block)}")
