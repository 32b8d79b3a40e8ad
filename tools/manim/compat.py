"""The released auditor's way of judging (PRISM's `audit_single.py`), rebuilt from its description on Assay's recordings.

For comparison only (`--compat prism`). What it does otherwise than Assay, on purpose kept: only the last state of each segment
counts (a segment ends where something is first removed or faded out, and at the end); shares are of control points inside the
polygon through all control points of the other; what is covered by more than 0.98 is passed over; opacity and the order of
drawing play no part; the camera is not followed. Scenes of other classes than `Scene` were not seen by it at all; here they are.
Constants: `probes/seed-implementations.md`, section 3B.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from tools.manim.contract import Finding, FindingKind, ObjectState, Party, SceneAudit, SceneRecord, Snapshot, Span
from tools.manim.recording import Outlines

OUT_UNITS = 0.05
LEAST, MOST = 0.1, 0.98
LEAK_LEAST, LEAK_MOST, WITHIN = 0.10, 0.50, 0.95
TEXT_OVER_WIDTH, TEXT_OVER_HEIGHT = 0.10, 0.20
TEXTS = frozenset(
    {"Text", "Paragraph", "MathTex", "Tex", "Integer", "DecimalNumber", "MarkupText", "MathTexPart", "SingleStringMathTex"}
)
BOXES = frozenset({"Rectangle", "RoundedRectangle", "Circle", "Ellipse"})
STOPS = TEXTS | BOXES | {"ImageMobject"}
SKIPPED = frozenset({"Dot", "TangentLine", "Elbow"})
LINES = frozenset({"Line", "Arrow", "DashedLine", "Arc", "CurvedArrow", "ParametricFunction", "FunctionGraph", "NumberLine"})
CHART = re.compile(r"graph|axes|axis|label|tick|plot", re.IGNORECASE)
FOCUS = re.compile(r"focus|highlight|emphasis|callout|marker|frame", re.IGNORECASE)
REGION = re.compile(r"zone|segment|region|bar|part|block", re.IGNORECASE)
BODY, BAND = re.compile(r"body|base", re.IGNORECASE), re.compile(r"band|stripe|ring", re.IGNORECASE)


@dataclass(frozen=True)
class _Atom:
    state: ObjectState
    parent: int | None
    points: np.ndarray
    name: str

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset((self.state.kind, *self.state.bases))

    @property
    def box(self) -> tuple[float, float, float, float]:
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    @property
    def outline_only(self) -> bool:
        return self.state.fill_opacity <= 0.05 and self.state.stroke_width > 0


def audit_like_prism(record: SceneRecord, outlines: Outlines) -> SceneAudit:
    """The audit of one scene by the released rules."""
    told: dict[tuple[str, int, int], Finding] = {}
    segments = _segments(record)
    dirty = 0
    for snapshot in segments:
        issues = list(_issues(snapshot, outlines, record))
        dirty += bool(issues)
        for kind, first, second, amount in issues:
            key = (kind, first.state.id, second.state.id if second else 0)
            if key not in told:
                told[key] = _finding(len(told) + 1, record, snapshot, kind, first, second, amount)
    return SceneAudit(
        scene=record.name,
        audited=bool(segments),
        stable_frames=len(segments),
        clean_frames=len(segments) - dirty,
        sampled_frames=0,
        findings=tuple(told.values()),
        compat="prism",
    )


def _segments(record: SceneRecord) -> list[Snapshot]:
    """The last stable snapshot before each removal, and the last of all."""
    stable = [snapshot for snapshot in record.snapshots if snapshot.stable]
    locked: list[Snapshot] = []
    for before, after in itertools.pairwise(stable):
        gone = {state.id for state in before.objects if state.outline} - {state.id for state in after.objects if state.outline}
        if gone or "FadeOut" in after.moment:
            locked.append(before)
    return [*locked, stable[-1]] if stable else []


def _atoms(snapshot: Snapshot, outlines: Outlines) -> list[_Atom]:
    """Things down to texts and boxes; their parts are not looked at."""
    children: dict[int | None, list[ObjectState]] = {}
    for state in snapshot.objects:
        children.setdefault(state.parent, []).append(state)
    found: list[_Atom] = []

    def visit(state: ObjectState, name: str) -> None:
        kinds = {state.kind, *state.bases}
        name = state.name or name
        if kinds & SKIPPED or "tick" in name.lower():
            return
        if state.outline:
            found.append(_Atom(state, state.parent, outlines[state.outline].astype(float), name))
        if not kinds & STOPS:
            for child in children.get(state.id, ()):
                visit(child, name)

    for root in children.get(None, ()):
        visit(root, "")
    return found


def _issues(
    snapshot: Snapshot, outlines: Outlines, record: SceneRecord
) -> Iterator[tuple[FindingKind, _Atom, _Atom | None, float]]:
    atoms = _atoms(snapshot, outlines)
    half = (record.view_width / 2, record.view_height / 2)
    for atom in atoms:
        left, bottom, right, top = atom.box
        over = max(-half[0] - left, right - half[0], -half[1] - bottom, top - half[1])
        if over > OUT_UNITS:
            yield "out_of_bounds", atom, None, over
    for place, first in enumerate(atoms):
        for second in atoms[place + 1 :]:
            if _boxes_meet(first.box, second.box):
                yield from _pair(first, second, atoms)


def _pair(first: _Atom, second: _Atom, atoms: list[_Atom]) -> Iterator[tuple[FindingKind, _Atom, _Atom | None, float]]:
    ratio = max(_points_inside(first, second), _points_inside(second, first))
    if first.kinds & TEXTS != second.kinds & TEXTS and (
        (first.kinds & TEXTS and second.kinds & BOXES) or (second.kinds & TEXTS and first.kinds & BOXES)
    ):
        text, box = (first, second) if first.kinds & TEXTS else (second, first)
        outside = 1 - _points_inside(text, box)
        if outside <= LEAK_LEAST or _tolerated(text, box):
            return
        if outside <= LEAK_MOST and 1 - outside <= WITHIN:
            yield "leak", text, box, outside
            return
    if ratio < LEAST or ratio > MOST or _exempt(first, second, ratio, atoms):
        return
    yield "overlap", first, second, ratio


def _points_inside(first: _Atom, other: _Atom) -> float:
    """Share of one's control points in the polygon through all of the other's."""
    if len(other.points) < 4 or not len(first.points):
        return 0.0
    polygon = shapely.Polygon(other.points)
    polygon = polygon if polygon.is_valid else polygon.buffer(0)
    return float(shapely.contains_xy(polygon, first.points).mean())


def _tolerated(text: _Atom, box: _Atom) -> bool:
    left, bottom, right, top = text.box
    out_x = max(box.box[0] - left, right - box.box[2], 0.0)
    out_y = max(box.box[1] - bottom, top - box.box[3], 0.0)
    return out_x <= TEXT_OVER_WIDTH * (right - left) and out_y <= TEXT_OVER_HEIGHT * (top - bottom)


def _exempt(first: _Atom, second: _Atom, ratio: float, atoms: list[_Atom]) -> bool:  # noqa: PLR0911 - a list of constants, in the order of its source
    names = f"{first.name} {second.name}"
    texts = [bool(atom.kinds & TEXTS) for atom in (first, second)]
    lines = [bool(atom.kinds & LINES) for atom in (first, second)]
    if CHART.search(first.name) and CHART.search(second.name):
        return ratio < 0.85
    if "highlight" in names.lower() and ratio < 0.95:
        return True
    if _touching(first, second):
        return True
    if (
        all(lines)
        or (any(lines) and not any(texts))
        or (any(lines) and ratio < 0.8 and any("Arrow" in kind for atom in (first, second) for kind in atom.kinds))
    ):
        return True
    if first.parent is not None and first.parent == second.parent and not any(texts):
        return True
    this, two = _size(first), _size(second)
    similar = first.state.kind == second.state.kind and all(
        abs(a - b) <= 0.2 * max(a, b, 1e-6) for a, b in zip(this, two, strict=True)
    )
    if similar and not any(texts) and ratio < 0.6:
        return True
    if first.state.kind == second.state.kind == "Square" and ratio <= 0.125:
        return True
    if re.search(r"cell|rect", names, re.IGNORECASE) and ratio <= 0.13:
        return True
    if (
        REGION.search(names)
        and not any(texts)
        and max(this[0] * this[1], two[0] * two[1]) >= 1.5 * min(this[0] * this[1], two[0] * two[1])
    ):
        return True
    if (BODY.search(first.name) and BAND.search(second.name)) or (BODY.search(second.name) and BAND.search(first.name)):
        return True
    box = second if texts[0] else first
    if any(texts) and FOCUS.search(box.name) and box.outline_only and ratio < 0.5:
        return True
    repeated = sum(other.state.kind == box.state.kind for other in atoms) >= 4
    return any(texts) and not all(texts) and repeated and ratio < 0.25


def _touching(first: _Atom, second: _Atom) -> bool:
    """Boxes that share an edge and have about the same span along it."""
    a, b = first.box, second.box
    beside = min(abs(a[2] - b[0]), abs(b[2] - a[0])) <= 0.03 and abs((a[3] - a[1]) - (b[3] - b[1])) <= 0.15 * max(
        a[3] - a[1], 1e-6
    )
    above = min(abs(a[3] - b[1]), abs(b[3] - a[1])) <= 0.03 and abs((a[2] - a[0]) - (b[2] - b[0])) <= 0.15 * max(
        a[2] - a[0], 1e-6
    )
    return beside or above


def _size(atom: _Atom) -> tuple[float, float]:
    return atom.box[2] - atom.box[0], atom.box[3] - atom.box[1]


def _boxes_meet(first: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return first[0] < two[2] and two[0] < first[2] and first[1] < two[3] and two[1] < first[3]


def _finding(
    number: int, record: SceneRecord, snapshot: Snapshot, kind: FindingKind, first: _Atom, second: _Atom | None, amount: float
) -> Finding:
    parties = tuple(
        Party(id=atom.state.id, kind=atom.state.kind, name=atom.name, text=atom.state.text, line=atom.state.line, box=atom.box)
        for atom in ([first] if second is None else [first, second])
    )
    words = " and ".join(party.text or party.name or party.kind for party in parties)
    return Finding(
        id=f"p{number}",
        scene=record.name,
        kind=kind,
        parties=parties,
        amount=round(min(amount, 1.0), 4),
        distance=round(amount, 3) if kind == "out_of_bounds" else 0.0,
        spans=(
            Span(begin_s=snapshot.at_s, end_s=snapshot.at_s, begin_frame=snapshot.frame, end_frame=snapshot.frame, stable=True),
        ),
        total_s=0.0,
        stable=True,
        worst_snapshot=snapshot.index,
        message=f"{kind.replace('_', ' ')}: {words} ({amount:.2f})",
        mend="",
    )
