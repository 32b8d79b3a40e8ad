"""What a person reads of a check: a page with the timeline, every finding with its marked-up frame, and the film."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tools.manim.contract import Check, Finding, SceneAudit, SceneRecord, Snapshot
from tools.manim.geometry import Geometry
from tools.manim.overview import place_of, rows, summary
from tools.manim.recording import read_picture, still_path
from tools.manim.rules import RULES
from tools.manim.runner import Recording
from tools.manim.visibility import Canvas, drawing
from tools.text import printable

REPORT_FILE = "report.html"
INDEX_FILE = "index.html"
MARKS = {
    "overlap": (12, 65, 235),
    "occluded": (18, 45, 160),
    "leak": (7, 160, 230),
    "out_of_bounds": (235, 110, 40),
    "invisible": (220, 60, 160),
}
"""Colours of the boxes, as OpenCV has them (BGR)."""
MARGIN = 0.06
"""Of the frame's width, drawn around it so that what is outside can be marked."""
LINES_MOST = 4


def write_report(check: Check, recording: Recording, source: str, folder: Path) -> Check:
    """Write stills and `report.html`; returns the check with the stills' names in its findings."""
    records = {record.name: record for record in recording.outcome.scenes}
    geometry = Geometry(recording.outlines)
    audits = tuple(_with_stills(entry, records[entry.scene], geometry, folder) for entry in check.audits)
    check = check.model_copy(update={"audits": audits})
    lines = source.splitlines()
    html = _render(
        "report.html.j2",
        check=check,
        word=verdict(check),
        figures=figures(check),
        scenes=[_scene(entry, records[entry.scene], lines, folder) for entry in check.audits],
        reasons={rule.name: rule.reason for rule in RULES},
    )
    (folder / REPORT_FILE).write_text(html, encoding="utf-8", errors="replace")
    return check


def write_index(documents: dict[str, dict[str, Any]], folder: Path) -> None:
    """Write `index.html`: a row a script, with its error's category, what was found and its measures. `documents`: by name."""
    table = [
        {**row, "page": (place_of(row["script"]) / REPORT_FILE).as_posix(), "told": _counted(row)} for row in rows(documents)
    ]
    html = _render("index.html.j2", table=table, total=summary(documents))
    (folder / INDEX_FILE).write_text(html, encoding="utf-8", errors="replace")


def _counted(row: dict[str, Any]) -> str:
    found = [f"{row[kind]} {kind.replace('_', ' ')}" for kind in MARKS if row[kind]]
    return ", ".join([*found, *([f"{row['passing']} in motion"] if row["passing"] else [])])


def _render(template: str, **values: Any) -> str:
    page = Environment(
        loader=PackageLoader("tools.manim", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    css = Markup((files("tools.manim") / "page" / "report.css").read_text(encoding="utf-8"))  # noqa: S704 - our own file
    return page.get_template(template).render(css=css, **values)


_NO_FILM = "not measured: no film was made (--render)"
_NO_PROMPT = "not measured: it is relative to the prompt (--prompt)"
_NO_CENTRE = "not measured: no centre for this scale (--centres, from assay manim fit)"
_FIGURES = (
    ("padvc", "PADVC", "geometric change against the text on screen and what the prompt asks for", _NO_FILM),
    ("padvc_centred", "PADVC, centred", "1 where reference films lie, towards 0 away from them", _NO_CENTRE),
    ("td", "TD", "temporal density: share of the picture that changes in a second", _NO_FILM),
    ("td_centred", "TD, centred", "1 where reference films lie, towards 0 away from them", _NO_FILM),
    ("events", "Events", "stretches of time in which the picture changes", _NO_FILM),
    ("text_expand", "TextExpand", "different words on screen for each word of the prompt", _NO_PROMPT),
    ("pvd", "PVD", "things and actions that the prompt asks for", _NO_FILM),
    ("film_s", "Film", "seconds of film these were measured on", _NO_FILM),
)


def figures(check: Check) -> list[dict[str, str]]:
    """The measures as rows of a table: name, value or why there is none, what it says."""
    told = []
    for key, name, meaning, lack in _FIGURES:
        value = check.metrics.get(key)
        why = _NO_FILM if key == "padvc_centred" and check.metrics.get("padvc") is None else lack
        if value is not None or key == "text_expand" or check.outcome.status == "rendered":
            told.append({"name": name, "value": why if value is None else f"{value:.4g}", "meaning": meaning})
    if check.outcome.status != "rendered":
        told.append(
            {"name": "PADVC, TD", "value": "not measured: the script did not render", "meaning": "what moves in the film"}
        )
    return told


def verdict(check: Check) -> str:
    """The result in words."""
    status = check.outcome.status
    if status == "environment":
        return "could not be run on this machine"
    if status != "rendered":
        return {"failed": "does not run", "timeout": "does not end in time", "memory": "uses too much memory"}.get(status, status)
    if check.spatial_pass:
        return "passes: every stable frame is clean"
    count = sum(finding.stable for entry in check.audits for finding in entry.findings)
    return f"{count} spatial finding{'s' if count != 1 else ''}" if count else "could not be audited whole"


def _with_stills(entry: SceneAudit, record: SceneRecord, geometry: Geometry, folder: Path) -> SceneAudit:
    found = []
    snapshots = {snapshot.index: snapshot for snapshot in record.snapshots}
    for finding in entry.findings:
        name = f"finding-{record.name}-{finding.id}.png"
        marked = mark(finding, record, snapshots[finding.worst_snapshot], geometry, folder)
        cv2.imwrite(str(folder / name), marked)
        found.append(finding.model_copy(update={"still": name}))
    return entry.model_copy(update={"findings": tuple(found)})


def mark(finding: Finding, record: SceneRecord, snapshot: Snapshot, geometry: Geometry, folder: Path) -> np.ndarray:
    """The frame in which a finding is worst, with boxes around its parties and a margin for what lies outside.

    Manim's own picture where there is one; else (inside animations) a drawing of the recorded geometry.
    """
    path = still_path(folder, record, snapshot)
    shown = read_picture(path) if path is not None else None
    if shown is None:
        canvas = Canvas(geometry, record.view_width, record.view_height, record.pixel_width / record.view_width)
        shown = drawing(canvas, snapshot.objects, record.background)
    picture = np.ascontiguousarray(shown[:, :, ::-1])
    height, width = picture.shape[:2]
    margin = round(width * MARGIN)
    framed = cv2.copyMakeBorder(picture, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(70, 70, 70))
    unit = width / record.view_width
    color = MARKS[finding.kind]

    def corner(x: float, y: float) -> tuple[int, int]:
        across = min(max(x * unit + width / 2 + margin, 1), width + 2 * margin - 2)
        down = min(max(height / 2 - y * unit + margin, 1), height + 2 * margin - 2)
        return round(across), round(down)

    for place, party in enumerate(finding.parties):
        if party.box is not None:
            left, bottom, right, top = party.box
            cv2.rectangle(framed, corner(left, top), corner(right, bottom), color, 2 if place == 0 else 1, cv2.LINE_AA)
    if finding.region is not None and finding.kind in ("overlap", "leak"):
        left, bottom, right, top = finding.region
        veil = framed.copy()
        cv2.rectangle(veil, corner(left, top), corner(right, bottom), color, -1)
        framed = cv2.addWeighted(veil, 0.35, framed, 0.65, 0)
    return framed


def _scene(entry: SceneAudit, record: SceneRecord, source: list[str], folder: Path) -> dict[str, Any]:
    span = max(record.duration_s, 1e-6)

    def across(seconds: float) -> float:
        return round(1000 * min(max(seconds / span, 0.0), 1.0), 1)

    plays = [
        {
            "kind": play.kind,
            "x": across(play.begin_s),
            "width": max(across(play.end_s) - across(play.begin_s) - 1, 0.5),
            "title": printable(", ".join(play.animations)) + (f", line {play.line}" if play.line else ""),
        }
        for play in record.plays
    ]
    bars = [
        {
            "id": f"{record.name}-{finding.id}",
            "kind": finding.kind,
            "stable": finding.stable,
            "x": across(stretch.begin_s),
            "y": 18 + 10 * place,
            "width": max(across(stretch.end_s) - across(stretch.begin_s), 3),
            "title": finding.message,
        }
        for place, finding in enumerate(entry.findings)
        for stretch in finding.spans
    ]
    stills = [
        {"path": str(path.relative_to(folder)), "at_s": snapshot.at_s, "moment": printable(snapshot.moment, 60)}
        for snapshot in record.snapshots
        if snapshot.stable and (path := still_path(folder, record, snapshot)) is not None
    ]
    findings = [{**finding.model_dump(), "lines": _lines(finding, source)} for finding in entry.findings]
    return {
        "record": record,
        "audit": entry,
        "height": 20 + 10 * len(entry.findings),
        "plays": plays,
        "bars": bars,
        "stills": stills,
        "findings": findings,
    }


def _lines(finding: Finding, source: list[str]) -> list[dict[str, Any]]:
    numbers = dict.fromkeys(party.line for party in finding.parties if party.line)
    return [
        {"number": number, "text": source[number - 1].strip()[:200]}
        for number in list(numbers)[:LINES_MOST]
        if number <= len(source)
    ]
