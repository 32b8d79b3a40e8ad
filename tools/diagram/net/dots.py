"""Dots that lines begin and end at: start and end of a state machine, junctions without a name.

They are ink like the lines, so no outline is found for them; a line's loose end is much thicker there than the line is, and
round. In a copy a hair's breadth may part such a dot from its line, or not even part it from the line's head.
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.fusion.captions import gap
from tools.diagram.lines.remains import Remains
from tools.diagram.model.blackboard import Agent, NodeNote, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.discs import blobs
from tools.diagram.picture.skeleton import Net, outward
from tools.diagram.picture.surfaces import Mask, Scene, pieces
from tools.diagram.text.patches import lettered
from tools.diagram.text.spotter import SURE_SCORE

_LEAST_RADIUS_GLYPHS, _SMALL_GLYPHS, _MOST_RADIUS_GLYPHS = 0.16, 0.24, 1.2
_LEAST_LINE_GLYPHS = 4.0
"""Length of the shortest line that a small dot begins: shorter ones are rests of a node's sharp corner."""
_MOST_CORNER_INK = 0.34
"""Share of ink in a ring around the dot beyond which it is a head or a crossing: only lines may leave it."""
_DOTS_GLYPHS = 2.5
_LONE_GLYPHS, _APART_GLYPHS = (0.9, 2.2), 1.2
"""Smallest and largest lone dot, and its least distance from a node, in heights of letters: nearer it is a head."""
_LEAST_OFF_ROUND = 3.0
"""Pixels that the rim of a disc may be nearer to its middle at one place than at another."""
_HEAD_GLYPHS = 2.4
"""How far before a dot a line may end that looks at it."""
_LEAST_DOTS = 2
"""Other dots within that reach."""


def lone_dots(scene: Scene, nodes: list[NodeNote], texts: list[TextNote]) -> list[NodeNote]:
    """Nodes for discs with a filled middle that stand off all nodes in a copy: a line's end may be near."""
    if not scene.copied:
        return []
    least, most = (share * scene.glyph for share in _LONE_GLYPHS)
    labels, stats = blobs(scene.ink, least, most)
    sides = stats[:, 2:4]
    fits = (sides.max(axis=1) <= most) & (sides.max(axis=1) - sides.min(axis=1) <= _LEAST_OFF_ROUND)
    fits[0] = False
    # Before a node, or before a text that may be one without an outline, it is a round head.
    others = [node.pixels for node in nodes] + [lettered(text, scene.glyph) for text in texts if _is_letter(text)]
    found = []
    # Right before a larger one a smaller one is the head of the line that ends there.
    for label in sorted(np.flatnonzero(fits).tolist(), key=lambda label: -int(sides[label].max())):
        x, y, w, h = (int(value) for value in stats[label, :4])
        spot, radius = (x + w // 2, y + h // 2), max(w, h) / 2
        own = (labels[y : y + h, x : x + w] == label).astype(np.uint8)
        middle = Frame(x=spot[0], y=spot[1], width=0, height=0)
        if any(gap(middle, frame) < radius + _APART_GLYPHS * scene.glyph for frame in others):
            continue
        if _is_disc(own) and scene.ink[spot[1] - 1 : spot[1] + 2, spot[0] - 1 : spot[0] + 2].all():
            found.append(_dot(f"o{len(found) + 1}", spot, radius))
            others.append(found[-1].pixels)
    return found


def dots_at_ends(
    net: Net, ports: dict[int, str], left: Remains, texts: list[TextNote], glyph: float, blocked: Mask
) -> tuple[list[NodeNote], dict[int, str]]:
    """Nodes for the dots at loose ends, and which vertex ends at which; the dots are marked in `blocked` (in place)."""
    depth = np.asarray(cv2.distanceTransform(left.ink, cv2.DIST_L2, 5))
    drawn = left.ink & (1 - left.filled)
    least = max(0.5 * left.width + 0.9, _LEAST_RADIUS_GLYPHS * glyph)
    ends = []
    for vertex in sorted(net.ends()):
        if vertex in ports or net.arcs[net.meeting[vertex][0]].length < glyph:
            continue
        spot = _deepest(depth, net.places[vertex], 0.7 * glyph)
        radius = float(depth[spot[1], spot[0]])
        if left.reach[spot[1], spot[0]] < radius + 1.2 * glyph or any(_holds(text.pixels, spot) for text in texts):
            continue  # so near a node it is a head, in a text a letter
        round_here = least <= radius <= _MOST_RADIUS_GLYPHS * glyph and _corner_ink(left.ink, spot, radius) <= _MOST_CORNER_INK
        length = net.arcs[net.meeting[vertex][0]].length
        round_here = round_here and (radius >= _SMALL_GLYPHS * glyph or length >= _LEAST_LINE_GLYPHS * glyph)
        ends.append((radius if round_here and not _is_dotted(drawn, spot, radius, glyph) else 0.0, vertex, spot))
    nodes: list[NodeNote] = []
    found: dict[int, str] = {}
    # A head before a dot may be round enough for one itself, but is smaller.
    for radius, vertex, spot in sorted(ends, key=lambda end: (-end[0], end[1])):
        name = next((n.id for n in nodes if _holds(n.pixels, spot) or _looks_at(net, vertex, n.pixels, glyph)), "")
        if not name and radius:
            name = f"d{len(nodes) + 1}"
            nodes.append(_dot(name, spot, radius))
            cv2.circle(blocked, spot, round(radius), (1,), cv2.FILLED)
        found |= {vertex: name} if name else {}
    return nodes, found


def _looks_at(net: Net, vertex: int, dot: Frame, glyph: float) -> bool:
    """The dot lies ahead of the loose end, hardly farther than a head is long."""
    way = outward(net, vertex, 1.5 * glyph)
    ahead = () if way is None else np.array(net.places[vertex]) + way * np.arange(0.0, _HEAD_GLYPHS * glyph)[:, None]
    return any(_holds(dot, (round(float(x)), round(float(y)))) for x, y in ahead)


def captioned(nodes: list[NodeNote], texts: list[TextNote], glyph: float) -> list[NodeNote]:
    """The dots with the texts that stand right beside or under them as names, as force layouts are labelled; one to one."""
    pairs = []
    for index, node in enumerate(nodes):
        x, y = node.pixels.centre
        for text in texts:
            box = text.pixels
            beside = abs(box.centre[1] - y) <= 0.5 * glyph and 0 <= box.x - node.pixels.right + 0.3 * glyph <= 1.3 * glyph
            under = abs(box.centre[0] - x) <= 0.5 * glyph and 0 <= box.y - node.pixels.bottom + 0.3 * glyph <= 1.3 * glyph
            if beside or under:
                pairs.append((box.x - x if beside else box.y - y, index, text.id))
    named, used = {}, set()
    for _, index, name in sorted(pairs):
        if index not in named and name not in used:
            named[index] = next(text for text in texts if text.id == name)
            used.add(name)
    return [
        node.model_copy(update={"label": named[i].text, "texts": (named[i].id,), "shape": Shape.circle}) if i in named else node
        for i, node in enumerate(nodes)
    ]


def _deepest(depth: np.ndarray, place: tuple[float, float], reach: float) -> tuple[int, int]:
    """The pixel within reach that lies deepest in ink."""
    height, width = depth.shape
    left, top = max(int(place[0] - reach), 0), max(int(place[1] - reach), 0)
    window = depth[top : min(int(place[1] + reach) + 2, height), left : min(int(place[0] + reach) + 2, width)]
    row, column = np.unravel_index(int(window.argmax()), window.shape)
    return left + int(column), top + int(row)


def _is_dotted(ink: Mask, spot: tuple[int, int], radius: float, glyph: float) -> bool:
    """It stands alone, with others of about its size near: one of the dots that a dotted line is made of."""
    reach = round(_DOTS_GLYPHS * glyph)
    left, top = max(spot[0] - reach, 0), max(spot[1] - reach, 0)
    _, labels, stats = pieces(np.ascontiguousarray(ink[top : spot[1] + reach, left : spot[0] + reach]))
    own = int(labels[spot[1] - top, spot[0] - left])
    sizes = stats[:, 2:4].max(axis=1)
    alike = (sizes <= 2 * radius + 3) & (sizes >= radius)
    return own > 0 and bool(alike[own]) and int(alike[1:].sum()) > _LEAST_DOTS


def _corner_ink(ink: Mask, spot: tuple[int, int], radius: float) -> float:
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    height, width = ink.shape
    shares = []
    for reach in (radius + 2.0, 1.35 * radius + 2.0):
        xs = np.clip(np.round(spot[0] + reach * np.cos(turns)).astype(int), 0, width - 1)
        ys = np.clip(np.round(spot[1] + reach * np.sin(turns)).astype(int), 0, height - 1)
        shares.append(float(ink[ys, xs].mean()))
    return max(shares[0] - 0.04, shares[1])


def _holds(frame: Frame, spot: tuple[int, int]) -> bool:
    return frame.x - 2 <= spot[0] <= frame.right + 2 and frame.y - 2 <= spot[1] <= frame.bottom + 2


def _dot(name: str, spot: tuple[int, int], radius: float) -> NodeNote:
    x, y = spot
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    outline = tuple((x + radius * float(np.cos(t)), y + radius * float(np.sin(t))) for t in turns)
    frame = Frame(x=x - radius, y=y - radius, width=2 * radius, height=2 * radius)
    return NodeNote(writer=Agent.line_tracer, pixels=frame, confidence=0.7, id=name, label="", shape=Shape.point, outline=outline)


def _is_letter(text: TextNote) -> bool:
    """What was read there is a word, or a letter without a doubt."""
    return len(text.text) > 1 or (text.text.isalnum() and text.confidence >= SURE_SCORE)


def _is_disc(own: Mask) -> bool:
    """The piece's outer border is about equally far from its middle all around."""
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = max(contours, key=len)[:, 0].astype(np.float64)
    far = np.hypot(*(rim - (np.array(own.shape[::-1]) - 1) / 2).T)
    return float(far.max() - far.min()) <= _LEAST_OFF_ROUND
