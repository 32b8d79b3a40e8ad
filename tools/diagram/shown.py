"""A diagram as an app shows it: the graph read off the picture, beside what the page itself says about the same place.

Two witnesses that know nothing of each other: the parser sees pixels, the page knows the words of its elements and the ends of
the lines that its SVG draws. A third is the same place, parsed at another size.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tools.diagram.model.graph import Diagram, Frame, Head, Node

REACH_PX = 14.0
"""How far from a box the page's own line may end and still be taken as joined to it: a head and a gap."""
CLOSE_PX = 6.0
"""So near to a box a line must be its own, or was misread."""
SPILL_PX = 3.0
"""How far a word may stand out of the box it belongs to."""


class Word(BaseModel):
    """A text of the page and where it stands, in pixels of the parsed picture."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    box: Frame


class Wire(BaseModel):
    """Both ends of a line that the page's SVG draws, in pixels of the parsed picture."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: tuple[float, float]
    end: tuple[float, float]


class Reading(BaseModel):
    """One parse: the graph, the pairs of ids between which a line was too faint, and nodes at which ink is left unexplained."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    diagram: Diagram
    faint: tuple[tuple[str, str], ...] = ()
    loose: tuple[str, ...] = ()


class ShownDiagram(BaseModel):
    """What is known of one diagram on the page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    where: str
    """For people: `svg#map`, `canvas`, `the window`."""
    whole: bool
    """It was in view from edge to edge."""
    readings: Annotated[tuple[Reading, ...], Field(min_length=1)]
    """Parses of the same picture at different sizes, all in its pixels."""
    words: tuple[Word, ...] = ()
    wires: tuple[Wire, ...] = ()

    def name(self, node: Node) -> tuple[str, bool]:
        """What a node is called, and whether the page's own words say so; else it was read off the picture."""
        inside = [word.text for word in self.words if node.box is not None and _holds(node.box, word.box)]
        if inside:
            return " ".join(inside), True
        return " ".join((node.label, *node.rows)), False

    def read(self) -> Iterable[str]:
        """Every text that was read anywhere, by whomever."""
        for reading in self.readings:
            diagram = reading.diagram
            yield diagram.title
            for node in diagram.nodes:
                yield " ".join((node.label, *node.rows))
            for edge in diagram.edges:
                yield f"{edge.label} {edge.source_label} {edge.target_label}"
            yield from (group.label for group in diagram.groups)
            yield from diagram.remarks
        yield from (word.text for word in self.words)

    def wired(self, first: Frame, other: Frame) -> bool:
        """Whether the page's own drawing has a line from one box to the other, whichever way it runs."""
        return any(
            (_near(first, wire.start) and _near(other, wire.end)) or (_near(other, wire.start) and _near(first, wire.end))
            for wire in self.wires
        )


def reaches(diagram: Diagram, source: str, target: str, *, either_way: bool = False) -> tuple[str, ...]:
    """Ids along the shortest way the drawn links lead from one node or group to another; empty if there is none.

    A line without heads, or with two, leads both ways; a group's lines are its members' (`either_way`: heads don't matter).
    """
    ways: dict[str, list[str]] = {}
    for edge in diagram.edges:
        plain = edge.source_head is Head.none and edge.target_head is Head.none
        forward = plain or either_way or edge.target_head is not Head.none
        backward = plain or either_way or edge.source_head is not Head.none
        if forward:
            ways.setdefault(edge.source, []).append(edge.target)
        if backward:
            ways.setdefault(edge.target, []).append(edge.source)
    parents = {thing.id: thing.parent for thing in (*diagram.nodes, *diagram.groups)}
    starts = _with_groups(source, parents)
    goals = {*_with_groups(target, parents), *(parent for parent in parents if target in _with_groups(parent, parents))}
    starts += [parent for parent in parents if source in _with_groups(parent, parents) and parent not in starts]
    before: dict[str, str] = dict.fromkeys(starts, "")
    queue = list(starts)
    for at in queue:
        for following in ways.get(at, ()):
            if following in goals and following not in starts:
                return _trail(before, at, following)
            if following not in before:
                before[following] = at
                queue.append(following)
    return ()


def passes(diagram: Diagram, thing: str, box: Frame) -> bool:
    """Whether a line that does not end at a thing comes as near to its box as lines that do."""
    return any(
        _touches(box, first, other)
        for edge in diagram.edges
        if thing not in (edge.source, edge.target)
        for first, other in pairwise(edge.path)
    )


def _touches(box: Frame, first: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether a straight piece of a line comes close to a box, looked at every few pixels."""
    steps = max(int(hypot(other[0] - first[0], other[1] - first[1]) / CLOSE_PX), 1)
    return any(
        box.x - CLOSE_PX <= first[0] + (other[0] - first[0]) * at / steps <= box.right + CLOSE_PX
        and box.y - CLOSE_PX <= first[1] + (other[1] - first[1]) * at / steps <= box.bottom + CLOSE_PX
        for at in range(steps + 1)
    )


def _with_groups(thing: str, parents: dict[str, str | None]) -> list[str]:
    found, at = [thing], parents.get(thing)
    while at is not None and at not in found:
        found.append(at)
        at = parents.get(at)
    return found


def _trail(before: dict[str, str], at: str, goal: str) -> tuple[str, ...]:
    trail = [goal]
    while at:
        trail.append(at)
        at = before[at]
    return tuple(reversed(trail))


def _holds(box: Frame, word: Frame) -> bool:
    x, y = word.centre
    return box.x - SPILL_PX <= x <= box.right + SPILL_PX and box.y - SPILL_PX <= y <= box.bottom + SPILL_PX


def _near(box: Frame, point: tuple[float, float]) -> bool:
    x, y = point
    return box.x - REACH_PX <= x <= box.right + REACH_PX and box.y - REACH_PX <= y <= box.bottom + REACH_PX
