"""What has one cause is told once: the same pair, parts of the same two groups, things that one line of the script made.

A panel over four lines of a list is one defect and not four; so are ten labels that one loop made too wide for their ten boxes,
and a row of boxes that reaches over both sides of the frame.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence

from tools.manim.suspicion import Sighting
from tools.manim.units import Unit

Group = list[Sighting]
"""Sightings of one pair, or of one thing by itself."""
_AXIS = {"left": "x", "right": "x", "top": "y", "bottom": "y"}


def by_cause(groups: Sequence[Group]) -> list[list[Group]]:
    """Groups of one cause together, in the order in which the first of them was seen."""
    leaders = list(range(len(groups)))

    def leader(place: int) -> int:
        while leaders[place] != place:
            place = leaders[place]
        return place

    def join(this: int, two: int) -> None:
        first, second = sorted((leader(this), leader(two)))
        leaders[second] = first

    known: dict[Hashable, int] = {}
    for place, group in enumerate(groups):
        for link in _links(group):
            join(known.setdefault(link, place), place)
    for this, two in _within(groups):
        join(this, two)
    causes: dict[int, list[Group]] = {}
    for place, group in enumerate(groups):
        causes.setdefault(leader(place), []).append(group)
    return list(causes.values())


def _links(group: Group) -> set[Hashable]:
    """What a group shares with others of its cause; groups of the script are joined and dissolved as a scene goes on."""
    found: set[Hashable] = set()
    sides = {side for sighting in group for side in sighting.suspicion.sides}
    ways = {_AXIS[side] for side in sides} or {""}
    for suspicion in {id(sighting.suspicion): sighting.suspicion for sighting in group}.values():
        first, second = suspicion.first, suspicion.second
        if second is not None:
            found.add(("pair", frozenset(_branches(first, second))))
            found.add(("alike", frozenset((made_by(first), made_by(second)))))
            continue
        found.add((suspicion.kind, "alike", made_by(first), frozenset(sides)))
        if first.above:
            found |= {(suspicion.kind, "group", first.above[-1].id, way) for way in ways}
    return found


def made_by(unit: Unit) -> Hashable:
    """Key of the family that a thing belongs to.

    Things with equal keys have role, kind and lines of the script in common (their own lines, or those of the nearest group above
    them). Where no line is known the key is the thing's own id.
    """
    lines = unit.head.lines or next((group.lines for group in unit.above if group.lines), ())
    return (unit.role, unit.head.kind, lines) if lines else unit.id


def _branches(first: Unit, second: Unit) -> tuple[int, int]:
    """The largest groups that hold one of two things and not the other."""
    this, two = ([unit.id, *(group.id for group in unit.above)] for unit in (first, second))
    shared = set(this) & set(two)
    return tuple(next((number for number in reversed(line) if number not in shared), line[0]) for line in (this, two))  # type: ignore[return-value]


def _within(groups: Sequence[Group]) -> Iterator[tuple[int, int]]:
    """What is joined pair by pair.

    A text that several things cross where it stands; one that leaves the frame with the box it stands in; one that is both
    crossed and of its ground's colour.
    """
    yield from _crossed(groups)
    alone = [(place, group) for place, group in enumerate(groups) if group[0].suspicion.second is None]
    for place, group in alone:
        text = group[0].suspicion.first
        if text.role != "text":
            continue
        seen = {sighting.snapshot.index for sighting in group}
        for other_place, other in enumerate(groups):
            if other_place == place or seen.isdisjoint(sighting.snapshot.index for sighting in other):
                continue
            suspicion = other[0].suspicion
            box = suspicion.first
            if group[0].suspicion.kind == "invisible":
                if suspicion.second is not None and box.id == text.id:
                    yield place, other_place
            elif suspicion.kind == "out_of_bounds" and box.closed and _shares_a_side(group, other) and _holds(box, text):
                yield place, other_place


def _crossed(groups: Sequence[Group]) -> Iterator[tuple[int, int]]:
    """One text that suffers from several things at one time: it stands in a wrong place, and moving it mends all."""
    texts: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        if group[0].suspicion.second is not None and group[0].suspicion.first.role == "text":
            texts.setdefault(group[0].suspicion.first.id, []).append(place)
    for places in texts.values():
        for each_place, two in itertools.combinations(places, 2):
            if {sighting.snapshot.index for sighting in groups[each_place]} & {
                sighting.snapshot.index for sighting in groups[two]
            }:
                yield each_place, two


def _shares_a_side(first: Group, two: Group) -> bool:
    return bool(set(first[0].suspicion.sides) & set(two[0].suspicion.sides))


def _holds(box: Unit, text: Unit) -> bool:
    return not text.body.is_empty and box.body.covers(text.body.centroid)
