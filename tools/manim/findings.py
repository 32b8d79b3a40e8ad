"""Sightings of one defect in many snapshots become one finding: how long it lasts, when it is worst, how to mend it.

What is seen only inside animations is held to more: things in motion may pass each other, and may come in over the edge.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.manim.contract import Finding, FindingKind, Party, SceneRecord, Snapshot, Span
from tools.manim.folding import Group, by_cause
from tools.manim.suspicion import Sighting, Suspicion
from tools.manim.units import Unit

PASSING_S = 0.45
"""A collision in motion that lasts less is a passing one."""
PASSING_OVER_S = 0.9
"""So is a shape that moves over a text in less: the words were there before and are there again."""
PASSING_AMOUNT = 0.2
"""And so is one that never grows beyond this share."""
MENDABLE_BOX = 0.1
ALIKE_MOST = 20
_GRAVITY: dict[str, int] = {"overlap": 0, "leak": 1, "occluded": 2}


def findings(sightings: Sequence[Sighting], record: SceneRecord) -> list[tuple[Finding, frozenset[int]]]:
    """Findings of a scene with the snapshots each is seen in, in the order of their beginning; one for each cause."""
    groups: dict[tuple[object, ...], Group] = {}
    for sighting in sightings:
        groups.setdefault(_key(sighting.suspicion), []).append(sighting)
    lasting = [group for group in groups.values() if not _passes(group, record)]
    told = []
    for cause in by_cause(lasting):
        together = [sighting for group in cause for sighting in group]
        spans = _spans([sighting.snapshot for sighting in together], record)
        seen = frozenset(sighting.snapshot.index for sighting in together)
        told.append((_finding(len(told) + 1, cause, spans, record), seen))
    return told


def _key(suspicion: Suspicion) -> tuple[object, ...]:
    """Suspicions with the same key are about the same things."""
    family = "pair" if suspicion.kind in _GRAVITY else suspicion.kind
    first, second = suspicion.first, suspicion.second
    return (family, *sorted((first.id, *([] if second is None else [second.id]))))


def _passes(group: Group, record: SceneRecord) -> bool:
    """Whether it is seen only inside animations and nothing but motion."""
    if any(sighting.snapshot.stable for sighting in group):
        return False
    return _passing(group, _spans([sighting.snapshot for sighting in group], record), record)


def _spans(seen: Sequence[Snapshot], record: SceneRecord) -> list[Span]:
    """Stretches of time: from the first snapshot with it to the next one without it."""
    places = {snapshot.index: place for place, snapshot in enumerate(record.snapshots)}
    runs: list[list[int]] = []
    for place in sorted({places[snapshot.index] for snapshot in seen}):
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    spans = []
    for run in runs:
        first, last = record.snapshots[run[0]], record.snapshots[run[-1]]
        following = record.snapshots[run[-1] + 1] if run[-1] + 1 < len(record.snapshots) else last
        begin = _since(first, record)
        spans.append(
            Span(
                begin_s=round(begin, 3),
                end_s=round(max(following.at_s, last.at_s), 3),
                begin_frame=round(begin * record.fps),
                end_frame=max(following.frame, last.frame),
                stable=any(record.snapshots[place].stable for place in run),
            )
        )
    return spans


def _since(snapshot: Snapshot, record: SceneRecord) -> float:
    """When what a snapshot shows began: a wait shows its last frame from its beginning on, unless something moves in it."""
    if snapshot.stable and snapshot.play < len(record.plays):
        play = record.plays[snapshot.play]
        sampled = any(other.play == snapshot.play and not other.stable for other in record.snapshots)
        if play.kind == "wait" and not sampled:
            return play.begin_s
    return snapshot.at_s


def _passing(group: Sequence[Sighting], spans: Sequence[Span], record: SceneRecord) -> bool:
    """Whether what is seen only inside animations is nothing but motion."""
    longest = max(span.end_s - span.begin_s for span in spans)
    worst = max(sighting.suspicion.amount for sighting in group)
    suspicion = group[0].suspicion
    if suspicion.kind == "out_of_bounds":
        return longest < PASSING_S or worst < 0.05 or not _returns(suspicion.first, group, record)
    texts = {suspicion.first.role, suspicion.second.role if suspicion.second is not None else ""} == {"text"}
    return longest < (PASSING_S if texts else PASSING_OVER_S) or worst < PASSING_AMOUNT


def _returns(unit: Unit, group: Sequence[Sighting], record: SceneRecord) -> bool:
    """Whether a thing is in the frame in the stable frames around its excursion: otherwise it is coming in or going out."""
    half = (record.view_width / 2 + 0.06, record.view_height / 2 + 0.06)

    def inside(snapshot: Snapshot | None) -> bool:
        state = next((state for state in snapshot.objects if state.id == unit.id), None) if snapshot is not None else None
        if state is None or state.box is None:
            return False
        left, bottom, right, top = state.box
        return -half[0] <= left and right <= half[0] and -half[1] <= bottom and top <= half[1]

    stable = [snapshot for snapshot in record.snapshots if snapshot.stable]
    for sighting in group:
        before = next((snapshot for snapshot in reversed(stable) if snapshot.index < sighting.snapshot.index), None)
        after = next((snapshot for snapshot in stable if snapshot.index > sighting.snapshot.index), None)
        if inside(before) and inside(after):
            return True
    return False


def _finding(number: int, cause: Sequence[Group], spans: Sequence[Span], record: SceneRecord) -> Finding:
    group = [sighting for part in cause for sighting in part]
    stable = [sighting for sighting in group if sighting.snapshot.stable]
    worst = max(stable or group, key=lambda sighting: (_GRAVITY.get(sighting.suspicion.kind, 0), sighting.suspicion.amount))
    suspicion = worst.suspicion
    parties = _parties(suspicion)
    alike = _alike(cause, parties)
    return Finding(
        id=f"f{number}",
        scene=record.name,
        kind=suspicion.kind,
        parties=parties,
        alike=alike,
        amount=round(suspicion.amount, 4),
        distance=round(suspicion.distance, 3),
        spans=tuple(spans),
        total_s=round(sum(span.end_s - span.begin_s for span in spans), 3),
        stable=bool(stable),
        worst_snapshot=worst.snapshot.index,
        region=suspicion.region,
        sides=tuple(side for side in ("left", "right", "top", "bottom") if side in suspicion.sides),
        message=_message(suspicion) + _as_well(parties, alike),
        mend=_mend(suspicion, record),
    )


def _parties(suspicion: Suspicion) -> tuple[Party, ...]:
    return tuple(unit.party() for unit in (suspicion.first, suspicion.second) if unit is not None)


def _alike(cause: Sequence[Group], told: tuple[Party, ...]) -> tuple[tuple[Party, ...], ...]:
    """The other things of one cause; what was made anew at another time (the same text of the same line) is named once."""
    found: dict[tuple[object, ...], tuple[Party, ...]] = {}
    for group in cause:
        parties = _parties(group[0].suspicion)
        found.setdefault(_names(parties), parties)
    found.pop(_names(told), None)
    return tuple(found.values())[:ALIKE_MOST]


def _names(parties: tuple[Party, ...]) -> tuple[object, ...]:
    return tuple(sorted((party.kind, party.text, party.line or -party.id, party.name) for party in parties))


def _as_well(told: tuple[Party, ...], alike: tuple[tuple[Party, ...], ...]) -> str:
    """A sentence that names what else has the same cause: what suffers, or what else the same thing suffers from."""
    own = {_said(party) for party in told}
    parties = [party for pair in alike for party in (pair[:1] if _said(pair[0]) not in own else pair[1:2])]
    names = [name for name in dict.fromkeys(_said(party) for party in parties) if name not in own]
    if not names:
        return ""
    shown = ", ".join(f"“{name[:30]}”" for name in names[:3])
    return f" The same cause: {shown}" + (f" and {len(names) - 3} more." if len(names) > 3 else ".")


def _said(party: Party) -> str:
    return " ".join(party.text.split()) or party.name or party.kind


def called(unit: Unit) -> str:
    """What to call a thing: by what it says, by its variable, by its class and line."""
    text = " ".join((unit.head.text or "").split())
    name = f"`{unit.name}`" if unit.name else ""
    said = f"“{text[:40]}{'…' if len(text) > 40 else ''}”" if text else ""
    line = unit.party().line
    where = f" (line {line})" if line else ""
    return (" ".join(part for part in (unit.head.kind if not said else "", name, said) if part) or unit.head.kind) + where


def _message(suspicion: Suspicion) -> str:
    first = called(suspicion.first)
    share = f"{suspicion.amount:.0%}"
    second = called(suspicion.second) if suspicion.second is not None else ""
    sides = " and ".join(suspicion.sides)
    sentences: dict[FindingKind, str] = {
        "overlap": f"{first} and {second} run into each other: {share} of the smaller one is affected.",
        "occluded": f"{first} is hidden behind {second}: {share} of it is covered.",
        "leak": f"{first} reaches out of {second}: {share} of it, by {suspicion.distance:.2f} units.",
        "out_of_bounds": f"{first} leaves the frame at the {sides}: {share} of it, by {suspicion.distance:.2f} units.",
        "invisible": f"{first} has the colour of what is behind it and cannot be read.",
    }
    if suspicion.kind == "overlap" and suspicion.cut:
        return f"{second} runs through {first}."
    return sentences[suspicion.kind]


_WAYS = {"left": "RIGHT", "right": "LEFT", "top": "DOWN", "bottom": "UP"}


def _mend(suspicion: Suspicion, record: SceneRecord) -> str:
    unit, other = suspicion.first, suspicion.second
    subject = unit.name or unit.head.kind
    width, height = unit.box[2] - unit.box[0], unit.box[3] - unit.box[1]
    if suspicion.kind == "out_of_bounds":
        room = min((record.view_width - 0.5) / max(width, 1e-6), (record.view_height - 0.5) / max(height, 1e-6))
        if room < 1 and {"left", "right"} <= set(suspicion.sides) | ({"left"} if width > record.view_width else set()):
            return f"Scale it down to fit: {subject}.scale({max(room, 0.01):.2f}), or break it into lines."
        half = {"left": record.view_width, "right": record.view_width, "top": record.view_height, "bottom": record.view_height}
        reach = {"left": -unit.box[0], "right": unit.box[2], "top": unit.box[3], "bottom": -unit.box[1]}
        shifts = " + ".join(f"{max(reach[side] - half[side] / 2, 0) + 0.25:.2f} * {_WAYS[side]}" for side in suspicion.sides)
        return f"Move it into the frame: {subject}.shift({shifts})."
    if suspicion.kind == "invisible":
        return f"Give {subject} another colour, or the area behind it one."
    if other is None:
        return ""
    partner = other.name or other.head.kind
    if suspicion.kind == "leak":
        room_x = (other.box[2] - other.box[0] - 0.2) / max(width, 1e-6)
        room_y = (other.box[3] - other.box[1] - 0.2) / max(height, 1e-6)
        if min(room_x, room_y) < 1:
            scale = max(min(room_x, room_y), 0.01)
            return f"Make {partner} larger (width {width + 0.4:.2f}, height {height + 0.3:.2f}), or {subject}.scale({scale:.2f})."
        return f"Move it into its box: {subject}.move_to({partner})."
    if suspicion.kind == "occluded":
        return f"Draw {subject} above it ({subject}.set_z_index(1)), move one of them, or remove it before {partner} comes."
    apart = _apart(unit.box, other.box)
    return f"Keep them apart: move {subject} {apart[1]:.2f} {apart[0]}, or {subject}.next_to({partner}, {apart[0]})."


def _apart(first: tuple[float, ...], two: tuple[float, ...]) -> tuple[str, float]:
    """The shortest way out, and how far (with a margin)."""
    ways = {"LEFT": first[2] - two[0], "RIGHT": two[2] - first[0], "DOWN": first[3] - two[1], "UP": two[3] - first[1]}
    way = min(ways, key=lambda name: ways[name])
    return way, max(ways[way], 0.0) + MENDABLE_BOX
