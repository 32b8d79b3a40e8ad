"""The spatial audit of a recording: every snapshot searched, what rules explain taken back, the rest told over its whole time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tools.manim.contract import Exempted, SceneAudit, SceneRecord, Snapshot
from tools.manim.contrast import Legibility
from tools.manim.findings import findings
from tools.manim.geometry import Geometry
from tools.manim.recording import Outlines
from tools.manim.rules import exempting
from tools.manim.suspect import EDGE, suspicions
from tools.manim.suspicion import Sighting, Surroundings, Suspicion
from tools.manim.units import Unit, units
from tools.manim.visibility import Canvas, visible_shares

EXEMPTED_MOST = 400
"""Kept of one scene, each pair and rule once."""


@dataclass
class _Scene:
    """What is gathered over a scene's snapshots."""

    sightings: list[Sighting] = field(default_factory=list)
    exempted: dict[tuple[Any, ...], Exempted] = field(default_factory=dict)
    dirty: set[int] = field(default_factory=set)
    shows: bool = False


def audit(
    record: SceneRecord, outlines: Outlines, folder: Path | None = None, compat: Literal["assay", "prism"] = "assay"
) -> SceneAudit:
    """Audit one scene. `folder` is the recording's, for what is measured on pictures; without it that is left out.

    `compat="prism"` gives what the released auditor's rules say (`compat.py`).
    """
    if compat == "prism":
        from tools.manim.compat import audit_like_prism  # noqa: PLC0415 - rarely asked for

        return audit_like_prism(record, outlines)
    geometry = Geometry(outlines)
    canvas = Canvas(geometry, record.view_width, record.view_height)
    view = (record.view_width, record.view_height)
    legibility = Legibility(geometry, folder, record) if folder is not None else None
    seen_inside = _seen_inside(record)
    gathered = _Scene()
    last: tuple[Any, list[tuple[Suspicion, str]], bool] | None = None
    for snapshot in record.snapshots:
        look = _look(snapshot)
        if last is None or last[0] != look:
            shown = tuple(units(snapshot, geometry))
            # Lines and grids hide next to nothing, and nobody asks how much of them is hidden.
            visible = visible_shares(canvas, [(unit.id, unit.members) for unit in shown if unit.role not in ("line", "axes")])
            around = Surroundings(snapshot, shown, visible, view, _at_home(snapshot, record), record.background, seen_inside)
            judged = [
                (suspicion, rule.name if (rule := exempting(suspicion, around)) else "") for suspicion in suspicions(around)
            ]
            if snapshot.stable and legibility is not None:
                judged += [(suspicion, "") for suspicion in legibility.unreadable(around)]
            last = (look, judged, _shows(shown, visible))
        _gather(gathered, snapshot, last[1], record)
        gathered.shows = gathered.shows or (snapshot.stable and last[2])
    stable = [snapshot for snapshot in record.snapshots if snapshot.stable]
    told = findings(gathered.sightings, record)
    dirty = {snapshot for finding, snapshots in told if finding.stable for snapshot in snapshots}
    return SceneAudit(
        scene=record.name,
        audited=bool(stable),
        stable_frames=len(stable),
        clean_frames=sum(snapshot.index not in dirty for snapshot in stable),
        sampled_frames=len(record.snapshots) - len(stable),
        findings=tuple(finding for finding, _ in told),
        exempted=tuple(gathered.exempted.values())[:EXEMPTED_MOST],
        empty=bool(stable) and not gathered.shows,
        doubts=record.doubts,
    )


def _gather(gathered: _Scene, snapshot: Snapshot, judged: Sequence[tuple[Suspicion, str]], record: SceneRecord) -> None:
    for suspicion, rule in judged:
        if not rule:
            gathered.sightings.append(Sighting(snapshot, suspicion))
            continue
        parties = (suspicion.first,) if suspicion.second is None else (suspicion.first, suspicion.second)
        key = (rule, suspicion.kind, *(unit.id for unit in parties))
        if key not in gathered.exempted and len(gathered.exempted) < EXEMPTED_MOST:
            gathered.exempted[key] = Exempted(
                rule=rule,
                kind=suspicion.kind,
                scene=record.name,
                parties=tuple(unit.party() for unit in parties),
                amount=round(suspicion.amount, 4),
                snapshot=snapshot.index,
            )


def _look(snapshot: Snapshot) -> tuple[Any, ...]:
    """What the judgement of a snapshot depends on; two snapshots of one look are judged once."""
    camera = snapshot.camera
    return (
        snapshot.stable,
        snapshot.still if snapshot.stable else "",
        camera.center,
        camera.width,
        *(
            (
                state.id,
                state.parent,
                state.outline,
                state.order,
                state.fill_opacity,
                state.stroke_opacity,
                state.fill,
                state.animation,
            )
            for state in snapshot.objects
        ),
    )


def _at_home(snapshot: Snapshot, record: SceneRecord) -> bool:
    """Whether the camera stands where Manim puts it: around the origin, at the frame's own size."""
    camera = snapshot.camera
    near = math.dist(camera.center[:2], (0.0, 0.0)) < 0.02 * record.view_width
    return near and abs(camera.width / record.view_width - 1) < 0.02


def _seen_inside(record: SceneRecord) -> frozenset[int]:
    found: set[int] = set()
    half_width, half_height = record.view_width / 2 + EDGE, record.view_height / 2 + EDGE
    for snapshot in record.snapshots:
        for state in snapshot.objects:
            if state.box is not None and snapshot.stable:
                left, bottom, right, top = state.box
                if left >= -half_width and right <= half_width and bottom >= -half_height and top <= half_height:
                    found.add(state.id)
    return frozenset(found)


def _shows(shown: Sequence[Unit], visible: dict[int, float]) -> bool:
    """Whether anything can be seen."""
    return any(
        unit.strength > 0.05 and visible.get(unit.id, 1.0 if unit.role in ("line", "axes") else 0.0) > 0.01 for unit in shown
    )
