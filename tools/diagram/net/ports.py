"""The lines as a net with its gaps closed, and the places where they enter nodes.

A gap is closed where two loose ends look at each other: between dashes and dots, across a frame, and across a label that
interrupts its line.
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.ends.grazing import joined_past
from tools.diagram.ends.heads import Ground, is_headed
from tools.diagram.ends.interrupted import across_texts, is_led_to
from tools.diagram.ends.meetings import one_port_a_head, part_at_nodes
from tools.diagram.ends.resumed import resumed_at_crossings
from tools.diagram.lines.apexes import cut_at_apexes, node_behind
from tools.diagram.lines.barbs import without_barbs
from tools.diagram.lines.remains import Remains
from tools.diagram.lines.tips import seated, tips_of
from tools.diagram.model.blackboard import TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.skeleton import Arc, Net, Points, direction, facing, net_of, outward, smooth, thin, turn_degrees
from tools.diagram.picture.surfaces import Mask, Scene, pieces

_DASH_GAP_GLYPHS = 1.7
"""Longest gap between dashes in heights of letters."""
_FRAME_GAP = 14.0
_CORNER_GAP_GLYPHS = 0.7
_CROSSED_GAP = 8.0
"""Longest gap that a frame taken out leaves in a line that bends there."""
_LEAST_CROSSED = 0.05
"""Share of it that the frame is: dashes leave gaps of their own, and thinning shortens loose ends."""
_CUT_GAP_GLYPHS = 5.0
"""Longest gap that a frame taken out leaves in a line along it."""
_CUT_DEGREES = 24.0
"""How far a line may bend at either end of such a gap."""
_LEAST_CUT = 0.6
_INKED_GAP_GLYPHS, _LEAST_INKED = 3.0, 0.9
"""Longest gap that a head leaves in the line that it lies over, and the share of it that is the head's ink."""
_MOST_PINHOLE = 6
"""Pixels of the largest hole that is none."""
_MOST_NAME_GLYPHS = 14.0
"""Longest stretch of a line that a name may cover."""
_MOST_ROUNDS = 3
_BARE_GLYPHS = 1.2
"""How much of the way to the node may be neither covered nor drawn."""
_BOX_AIR = 4.0
"""Pixels outside a node's box within which a line still ends at the box."""


def net_with_ports(
    scene: Scene, left: Remains, texts: list[TextNote], ground: Ground, labels: frozenset[str]
) -> tuple[Net, dict[int, int], frozenset[int]]:
    """The net of the lines with gaps closed and spurs cut, which node (by number) each port touches, and which have a broad tip.

    `ground`: where heads are looked for; a line that ends at a text with a head is not interrupted by it, unless its id is among
    `labels`.
    """
    tips = tips_of(_without_pinholes(left.ink), left, scene.glyph)
    net = net_of(thin(tips.thin), contraction=max(1.3 * left.width + 2.0, 4.0))
    near = max(4.0, 1.2 * left.width + 2.0)
    cut_at_apexes(net, left, near, scene.glyph)
    ports, headed = seated(net, tips, left, scene.glyph)
    ports |= {vertex: number for vertex, number in _touching(net, left, near).items() if vertex not in ports}
    one_port_a_head(net, ports, scene.glyph)
    part_at_nodes(net, ports, left, scene.glyph)
    for vertex in joined_past(net, ports, left, ground, scene.glyph):
        smooth(net, vertex)
    _bridge(net, ports, scene, left, texts, ground, labels)
    bared, barbed = without_barbs(net, ports, scene.glyph)
    for vertex in bared:
        smooth(net, vertex)
    _cut_spurs(net, ports, scene, left)
    # A head by itself has corners in the net until then, and no end that looks at the last dash.
    _bridge(net, ports, scene, left, [], ground, labels)
    loose = [v for v in net.ends() if v not in ports]
    resumed_at_crossings(net, loose, scene.glyph)
    for vertex in loose:
        smooth(net, vertex)
    ports |= _reaching(net, ports, scene, left)
    return net, ports, (headed | barbed) & ports.keys()


def _without_pinholes(ink: Mask) -> Mask:
    """The ink with its smallest holes filled, which would be rings in the net: overlapping heads have some."""
    _, labels, stats = pieces((1 - ink).astype(np.uint8), 4)
    tiny = (stats[:, cv2.CC_STAT_AREA] <= _MOST_PINHOLE).astype(np.uint8)
    tiny[0] = 0
    return ink | tiny[labels]


def _touching(net: Net, left: Remains, near: float) -> dict[int, int]:
    ports = {}
    height, width = left.ink.shape
    for vertex in net.ends():
        x, y = net.places[vertex]
        column, row = min(max(round(x), 0), width - 1), min(max(round(y), 0), height - 1)
        if left.reach[row, column] <= near and left.nearest[row, column]:
            ports[vertex] = int(left.nearest[row, column])
    return ports


def _bridge(
    net: Net, ports: dict[int, int], scene: Scene, left: Remains, texts: list[TextNote], ground: Ground, labels: frozenset[str]
) -> None:
    """Closes gaps between loose ends that look at each other, the best pair first."""
    loose = [v for v in net.ends() if v not in ports]
    headed = {v for v in loose if is_headed(net, ground, v, scene.glyph, left.width)}
    # What stands on a patch is a label whatever the ends beside it look like: signs of the line's far ends may be near.
    free = [text for text in texts if text.id not in labels and not is_led_to(net, headed, text, scene.glyph)]
    pairs = across_texts(net, [v for v in loose if v not in headed], free, scene.glyph)
    pairs += across_texts(net, loose, [t for t in texts if t.id in labels], scene.glyph, patched=True)
    pairs += _across_gaps(net, loose, scene, left)
    used: set[int] = set()
    for _, a, b, text in sorted(pairs):
        if a in used or b in used or net.meeting[a] == net.meeting[b]:
            continue
        used |= {a, b}
        points = np.array([net.places[a], net.places[b]])
        net.add(Arc(points, (a, b), 0.0, 1, (text,) if text else ()))
        smooth(net, a)
        smooth(net, b)


def _across_gaps(net: Net, loose: list[int], scene: Scene, left: Remains) -> list[tuple[float, int, int, str]]:
    from scipy.spatial import KDTree  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    if len(loose) < 2:
        return []
    places = np.array([net.places[v] for v in loose])
    longest = max(_DASH_GAP_GLYPHS * scene.glyph, _FRAME_GAP)
    within_reach = max(longest, (_CUT_GAP_GLYPHS if left.cut.any() else _INKED_GAP_GLYPHS) * scene.glyph)
    ways = [outward(net, v, 1.2 * scene.glyph) for v in loose]
    lengths = [net.arcs[net.meeting[v][0]].length for v in loose]
    pairs = []
    for i, j in sorted(KDTree(places).query_pairs(within_reach)):
        gap = places[j] - places[i]
        distance = float(np.hypot(*gap))
        if distance < 0.5:
            pairs.append((0.0, loose[i], loose[j], ""))
            continue
        along = gap / distance
        turns = [
            turn_degrees(way, toward) if way is not None and length > 2.5 else None
            for way, toward, length in ((ways[i], along, lengths[i]), (ways[j], -along, lengths[j]))
        ]
        known = [turn for turn in turns if turn is not None]
        # A head that a line passes beneath was kept out of the net, with the line.
        covered = _was_cut(left, places[i], places[j]) or (
            distance <= _INKED_GAP_GLYPHS * scene.glyph and _is_inked(left, places[i], places[j])
        )
        if distance > longest and (len(known) < 2 or not covered):
            continue
        limit = 38.0 if distance < 0.8 * longest else 28.0 if distance <= longest else _CUT_DEGREES
        # Dashes turn at round corners, and layouts bend lines where groups begin: at the frame that was taken out there.
        near = distance < _CORNER_GAP_GLYPHS * scene.glyph or (
            distance <= _CROSSED_GAP and _was_cut(left, places[i], places[j], _LEAST_CROSSED)
        )
        if any(turn > (70.0 if near else limit) for turn in known):
            continue
        if not known and distance > 0.9 * scene.glyph:
            continue
        if _crosses_node(left, places[i], places[j]):
            continue
        pairs.append((distance * (1 + sum(known) / 45.0 + 0.15 * (2 - len(known))), loose[i], loose[j], ""))
    return pairs


def _was_cut(left: Remains, a: Points, b: Points, least: float = _LEAST_CUT) -> bool:
    """Most of the gap lies where a frame was taken out: a line that crosses a frame at a small angle."""
    xs = np.round(np.linspace(a[0], b[0], 25)).astype(int)
    ys = np.round(np.linspace(a[1], b[1], 25)).astype(int)
    return float(left.cut[ys, xs].mean()) >= least


def _is_inked(left: Remains, a: Points, b: Points) -> bool:
    """All of the gap is ink, but for where a frame was taken out; thinning leaves ends up to a pixel beside the line."""
    height, width = left.ink.shape
    xs = np.round(np.linspace(a[0], b[0], 25)).astype(int)
    ys = np.round(np.linspace(a[1], b[1], 25)).astype(int)
    near = np.arange(-1, 2)
    rows = np.clip(ys[:, None, None] + near[None, :, None], 0, height - 1)
    columns = np.clip(xs[:, None, None] + near[None, None, :], 0, width - 1)
    return float((left.ink[rows, columns] | left.cut[rows, columns]).any(axis=(1, 2)).mean()) >= _LEAST_INKED


def _crosses_node(left: Remains, a: Points, b: Points) -> bool:
    xs = np.round(np.linspace(a[0], b[0], 9)).astype(int)
    ys = np.round(np.linspace(a[1], b[1], 9)).astype(int)
    return bool((left.owners[ys, xs] > 0).any())


def _cut_spurs(net: Net, ports: dict[int, int], scene: Scene, left: Remains) -> None:
    """Cuts short loose ends (corners of heads, serifs that touch a line) and smooths what they hung on.

    At the end of a line they are a head's barbs: all go, except one that goes straight on (the head's own tip).
    """
    most = 1.5 * scene.glyph + left.width
    for limit in (0.6 * scene.glyph + left.width, most):
        # Where a letter's branches have gone, its stem is a spur, too.
        for _ in range(_MOST_ROUNDS):
            if not _cut_once(net, ports, limit, most, scene.glyph):
                break


def _cut_once(net: Net, ports: dict[int, int], limit: float, most: float, glyph: float) -> bool:
    """Looks at every vertex once; whether something was cut."""
    changed = False
    for vertex in list(net.meeting):
        if vertex not in net.meeting or len(net.meeting[vertex]) < 3:
            continue
        spurs = [n for n in dict.fromkeys(net.meeting[vertex]) if _is_spur(net, ports, vertex, n, most)]
        lines = [n for n in net.meeting[vertex] if n not in spurs]
        if len(lines) > 1:
            # Only at a line's end do long and short ones belong together: a barb that stays alone would prolong the line.
            spurs = [n for n in spurs if net.arcs[n].length <= limit]
            lines = [n for n in net.meeting[vertex] if n not in spurs]
        if not spurs or not lines:
            continue
        kept = _straight_on(net, vertex, lines[0], spurs, glyph) if len(lines) == 1 else None
        for number in spurs:
            if number != kept:
                net.drop(number)
                changed = True
        smooth(net, vertex)
    return changed


def _is_spur(net: Net, ports: dict[int, int], vertex: int, number: int, limit: float) -> bool:
    end = net.other(vertex, number)
    return end != vertex and end not in ports and len(net.meeting[end]) == 1 and net.arcs[number].length <= limit


def _straight_on(net: Net, vertex: int, line: int, spurs: list[int], glyph: float) -> int | None:
    """The spur that continues the line, if one turns by less than 25 degrees."""
    way = direction(net.leaving(vertex, line), 1.6 * glyph, 0.3 * glyph)
    turns = []
    for number in spurs:
        onward = direction(net.leaving(vertex, number), glyph)
        if way is not None and onward is not None:
            turns.append((turn_degrees(-way, onward), number))
    return min(turns)[1] if turns and min(turns)[0] < 25 else None


def _reaching(net: Net, ports: dict[int, int], scene: Scene, left: Remains) -> dict[int, int]:
    """Loose ends that stop short of a node but point at it, or that lie in the box around one and point into it.

    Layouts that take every shape for its box end lines at the box, well off the side of a diamond.
    """
    found = {}
    boxes = _boxes(left)
    for vertex in net.ends():
        if vertex in ports:
            continue
        way = facing(net, vertex, 1.5 * scene.glyph)
        if way is None:
            continue
        place = np.array(net.places[vertex])
        number = node_behind(left, place, way, 2.4 * scene.glyph) or _behind_cut(left, place, way, scene.glyph)
        if not number:
            number = _boxed(left, boxes, place, way)
        if number:
            found[vertex] = number
    return found


def _behind_cut(left: Remains, place: Points, way: Points, glyph: float) -> int:
    """Number of the node that the line would come upon if it went on beneath a name that stands beside it; 0 if none."""
    height, width = left.owners.shape
    bare = 0
    for step in np.arange(1.0, _MOST_NAME_GLYPHS * glyph):
        x, y = np.round(place + way * step).astype(int)
        if not (0 <= x < width and 0 <= y < height):
            break
        if left.reach[y, x] <= 1.5:
            return int(left.nearest[y, x]) if step - bare > glyph else 0
        bare += not left.cut[y, x]
        if bare > _BARE_GLYPHS * glyph:
            break
    return 0


def _boxes(left: Remains) -> list[tuple[int, Frame]]:
    """The nodes' numbers and boxes, small ones first."""
    from scipy.ndimage import find_objects  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    found = []
    for number, place in enumerate(find_objects(left.owners), start=1):
        if place is not None:
            rows, columns = place
            frame = Frame(x=columns.start, y=rows.start, width=columns.stop - columns.start, height=rows.stop - rows.start)
            found.append((number, frame))
    return sorted(found, key=lambda item: (item[1].area, item[0]))


def _boxed(left: Remains, boxes: list[tuple[int, Frame]], place: Points, way: Points) -> int:
    """The smallest node whose box holds the place, if the ray comes upon it before it leaves the box; 0 if none."""
    for number, box in boxes:
        across = box.x - _BOX_AIR <= place[0] <= box.right + _BOX_AIR
        within = across and box.y - _BOX_AIR <= place[1] <= box.bottom + _BOX_AIR
        if within and node_behind(left, place, way, max(box.width, box.height)) == number:
            return number
    return 0
