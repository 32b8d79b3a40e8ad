"""`report.html`: one file that shows what was found, when, where and why, and works from disk without a server or a network."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from evaluator.marks.model import ReaderMark
from evaluator.record.code_run import code_run
from evaluator.record.sealed import Reading
from evaluator.reports import wording
from evaluator.reports.app_map import app_map
from evaluator.reports.assets import asset, palette, policy_hash
from evaluator.reports.by_hand import steps_by_hand
from evaluator.reports.causes import by_cause
from evaluator.reports.facts import gather, moment_s, read_run
from evaluator.reports.model import EvidenceFacts, Report
from evaluator.reports.pictures import Album, Cut, Picture
from evaluator.reports.recording import Footage, footage
from evaluator.reports.shown import picture_of
from evaluator.reports.source import CodeLine, code_lines
from evaluator.reports.templates import page_environment
from evaluator.reports.timeline import lanes, moments, stretches
from evaluator.reports.visible import shortened, visible, visible_values
from evaluator.reports.whole import write_whole
from evaluator.verdict.model import Failure, Verdict
from tools.evidence.record import Record
from tools.evidence.rows import Phase, Row, Screenshot

HTML_FILE = "report.html"
_HERE = "evaluator.reports"
PAGE_BYTES = 35_000_000
DRAWER_CHARS = 1_500_000
"""The evidence drawer holds at most this much JSON; rows that a verdict cites come first."""
TILES = 6
"""Causes that the first screen shows in short, each with its picture."""
CAUSES_OPEN = 3
"""Causes whose failures lie open in full; those of the others are a click away."""
CLIP_S = 5.0
BEFORE_S = 1.5
"""How long a clip of a failure is, and how much of it comes before its moment."""
SCRIPT_BYTES = 16_000
"""Tests that are longer are a link to their file and nothing more."""
LOG_LINES = 200
"""Log lines shown of one kind; the rest are counted."""


@dataclass(frozen=True)
class Card:
    """A failure with all that its card shows."""

    failure: Failure
    points: float
    at_s: float | None
    clip: tuple[float, float] | None
    """From–to in the recording (s)."""
    picture: Picture | Cut | None
    code: tuple[CodeLine, ...]
    evidence: tuple[EvidenceFacts, ...]
    step_numbers: tuple[int, ...]
    by_hand: tuple[str, ...]
    """What a person does to see it, in sentences."""
    script: str
    """Path of the proof's script if it lies in the run's folder, else empty."""
    played_by: str
    """The program that plays it: a trial's is a test of pytest's."""
    script_text: str
    """The script itself; empty where it is too long for the page."""
    mark: ReaderMark | None = None
    """What a reader said of it."""


def write_html(run_dir: Path) -> Path:
    """Write `report.html` into a sealed and judged run's folder; returns its path. Raises `RunError`."""
    record, verdict = read_run(run_dir)
    page = _render(record, gather(record, verdict))
    return write_whole(Path(run_dir) / HTML_FILE, page)


def _render(record: Record, report: Report) -> str:
    album = Album(record.blobs)
    values = _page_values(record, report, album)
    film = footage(record.run_dir, report.recording, report.gaps, PAGE_BYTES)
    template = _environment().get_template("report.html.j2")
    page = template.render(**values, **_sealed_in(film), film=film)
    room = PAGE_BYTES - (len(page.encode()) - len(film.base64))
    if film.mode == "embedded" and len(film.base64) > room:
        film = footage(record.run_dir, report.recording, report.gaps, room)
        page = template.render(**values, **_sealed_in(film), film=film)
    return page


def _sealed_in(film: Footage) -> dict[str, object]:
    """Style, script and the policy that lets just these two run. Nothing may be fetched, but for a recording that is linked."""
    # What holds for narrow screens and paper stands at the end of the first sheet, and so has to come last.
    style = palette() + asset(_HERE, "failures.css") + asset(_HERE, "report.css")
    script = asset(_HERE, "report.js")
    media = "blob: 'self' file:" if film.mode == "linked" else "blob:"
    policy = (
        f"default-src 'none'; script-src '{policy_hash(script)}'; style-src '{policy_hash(style)}'; img-src data:; "
        f"media-src {media}; base-uri 'none'; form-action 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "policy": policy, "footage_base64": Markup(film.base64)}  # noqa: S704 - ours


def _page_values(record: Record, report: Report, album: Album) -> dict[str, Any]:
    verdict = report.verdict
    times = {failure.id: moment_s(record, verdict, failure.id) for failure in verdict.accused}
    passive = {body.label: (row, body) for row, body in record.of(Screenshot) if row.phase is Phase.perceive}
    duration_s = report.recording.duration_s if report.recording else 0.0
    heard, moved = stretches(record)
    reading = Reading(record)
    code = code_run(reading)
    cards = {failure.id: _card(reading, report, failure, times[failure.id], album) for failure in verdict.accused}
    pictures = [(body, album.wide(row)) for row, body in passive.values()]
    groups = [[cards[failure.id] for failure in group] for group in by_cause(verdict.failures)]
    return {
        "report": report,
        "run": report.run,
        "verdict": verdict,
        "causes": groups,
        "tiles": TILES,
        "open": CAUSES_OPEN,
        "suspected": [cards[failure.id] for failure in verdict.suspected],
        "titles": {failure.id: failure.title for failure in verdict.accused},
        "last_steps": {failure.id: failure.step_ids[-1] for failure in verdict.accused if failure.step_ids},
        "item_steps": {item.id: _steps_of(item.trials, report) for item in verdict.items},
        "thumbnails": album.steps(_step_screenshots(record, report)),
        "pictures": pictures,
        "map": app_map(reading, code.first_by_act),
        "code": {act: (len(ran), code.first_by_act.get(act, ())) for act, ran in code.by_act.items()},
        "lanes": lanes(report, times, duration_s, heard=heard, moved=moved, code=code.first_by_act),
        "moments": moments(report, times),
        "logs": {kind: _lines(report, kind) for kind in ("console", "network", "dialog", "server_log")},
        "cited": _cited(report),
        "drawer": _inlined({"rows": _packed(_drawer(record, report)), "steps": _step_times(report), "fps": _fps(report)}),
        "checked": album.checked,
        "words": wording,
    }


def _steps_of(trials: Sequence[str], report: Report) -> list[int]:
    """The numbers of the last steps of trials."""
    ends = {step.trial: step.number for step in report.steps if step.checks}
    return [ends[trial] for trial in trials if trial in ends]


def _step_screenshots(record: Record, report: Report) -> list[Row]:
    ids = dict.fromkeys(row_id for step in report.steps for row_id in (step.before, step.after) if row_id)
    return [row for row in map(record.row, ids) if row is not None]


def _card(reading: Reading, report: Report, failure: Failure, at_s: float | None, album: Album) -> Card:
    record = reading.record
    by_id = {entry.id: entry for entry in report.evidence}
    numbers = {step.id: step.number for step in report.steps}
    script = PurePosixPath(failure.proof.script)
    inside = failure.proof.script and not script.is_absolute() and ".." not in script.parts and ":" not in failure.proof.script
    path = record.run_dir / script
    # A link would bring in what lies elsewhere on this machine.
    own = script.as_posix() if inside and path.is_file() and path.resolve() == record.run_dir.resolve() / script else ""
    picture = picture_of(reading, failure, album)
    return Card(
        failure=failure,
        points=wording.points_of(report.verdict, failure),
        at_s=at_s,
        clip=_clip(at_s, report),
        picture=picture,
        code=code_lines(record, failure.cause),
        evidence=tuple(by_id[row_id] for row_id in failure.evidence if row_id in by_id),
        step_numbers=tuple(numbers[step_id] for step_id in failure.step_ids if step_id in numbers),
        by_hand=steps_by_hand(failure, outlined=isinstance(picture, Cut) and picture.outline is not None),
        script=own,
        played_by="pytest --browser chromium" if script.name.startswith("test_") else "python",
        script_text=path.read_text("utf-8", "replace") if own and path.stat().st_size <= SCRIPT_BYTES else "",
        mark=next((mark for mark in report.marks if mark.failure == failure.id), None),
    )


def _clip(at_s: float | None, report: Report) -> tuple[float, float] | None:
    """The stretch of the recording in which a failure is seen. It is played out of the whole, which weighs nothing."""
    length_s = report.recording.duration_s if report.recording else 0.0
    if at_s is None or length_s <= 0:
        return None
    start_s = max(min(at_s - BEFORE_S, length_s - CLIP_S), 0.0)
    return round(start_s, 2), round(min(start_s + CLIP_S, length_s), 2)


def _lines(report: Report, kind: str) -> dict[str, Any]:
    kinds = {"console": ("console", "page_error"), "dialog": ("dialog", "page_event")}.get(kind, (kind,))
    lines = [line for line in report.logs if line.kind in kinds]
    return {"lines": lines[:LOG_LINES], "more": max(len(lines) - LOG_LINES, 0)}


def _cited(report: Report) -> list[EvidenceFacts]:
    """Entries of the rows that the verdict rests on, in the ledger's order."""
    cited = _cited_ids(report.verdict)
    return [entry for entry in report.evidence if entry.id in cited]


def _cited_ids(verdict: Verdict) -> set[str]:
    staged = (*verdict.staging.answered, *verdict.staging.dismissed) if verdict.staging else ()
    claims = (*verdict.unverifiable, *verdict.not_counted, *verdict.injection, *staged)
    sources = [*(failure.evidence for failure in verdict.accused), *(claim.evidence for claim in claims)]
    return {row_id for evidence in sources for row_id in evidence}


def _drawer(record: Record, report: Report) -> dict[str, object]:
    """Rows for the evidence drawer by id: header and body, strings shortened, the recording's timeline left out."""
    cited = _cited_ids(report.verdict)
    entries = sorted(report.evidence, key=lambda entry: entry.id not in cited)
    rows: dict[str, object] = {}
    left = DRAWER_CHARS
    for entry in entries:
        row = record.row(entry.id)
        if row is None:
            continue
        body = row.body.model_dump(mode="json", exclude={"timeline", "kind"})
        shown = visible_values({**entry.model_dump(mode="json", exclude={"id", "summary"}), "body": body}, limit=1500)
        left -= len(json.dumps(shown, ensure_ascii=False))
        if left < 0:
            break
        rows[entry.id] = shown
    return rows


def _packed(values: object) -> str:
    """JSON as gzip in base64, which the page unpacks when somebody asks for a row: a tenth of its size."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode("ascii")


def _step_times(report: Report) -> list[dict[str, object]]:
    return [
        {"number": step.number, "at": step.video_s, "label": shortened(visible(step.description), 200)}
        for step in report.steps
        if step.video_s is not None
    ]


def _fps(report: Report) -> float:
    return report.recording.fps if report.recording and report.recording.fps > 0 else 30.0


def _inlined(values: object) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - every character that means anything to an HTML parser was replaced above


@cache
def _environment() -> Environment:
    """Templates with escaping on; every value a template prints is made visible first, so that none can be forgotten."""
    environment = page_environment(
        "evaluator.reports", lambda value: visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
    )
    environment.filters |= {
        "at_time": wording.at_time,
        "signed": wording.signed,
        "in_words": wording.in_words,
        "bytes": wording.size,
        "span": wording.span,
        "short": shortened,
        "pretty": lambda value: json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True),
    }
    environment.tests["cut"] = lambda value: isinstance(value, Cut)
    return environment
