"""What happened when, as ticks in lanes under the recording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evaluator.reports.model import LogLine, Report
from evaluator.reports.visible import shortened
from tools.evidence.record import Record
from tools.evidence.rows import MotionTrack, Recorded, SoundTrack
from tools.text import how_many

LEAST_SHARE = 0.004
"""Narrowest tick, as a share of the timeline, so that it can be seen and hit."""


Stretch = tuple[float, float, str]
"""From–to (positions in s) and the row that tells of it."""


@dataclass(frozen=True)
class Tick:
    """One moment or span. `start_s`, `end_s` are positions in the recording, `x` and `width` the same in % of its length."""

    start_s: float
    end_s: float
    x: float
    width: float
    tone: str
    """`plain`, `fault`, `critical`, `major`, `minor`, `warning`, `code`, `gap`."""
    label: str
    goes_to: str
    """Id of the element in the page that says more."""


@dataclass(frozen=True)
class Lane:
    """Ticks of one kind."""

    name: str
    ticks: tuple[Tick, ...]


def lanes(
    report: Report,
    failure_times: dict[str, float | None],
    duration_s: float,
    *,
    heard: tuple[Stretch, ...] = (),
    moved: tuple[Stretch, ...] = (),
    code: Mapping[str, tuple[str, ...]] | None = None,
) -> tuple[Lane, ...]:
    """Lanes that hold anything, from top to bottom; none for a recording without length. `heard`, `moved`: see `stretches`.

    `code`: names of the functions that ran for the first time in an act, by the id of its row.
    """
    if duration_s <= 0:
        return ()
    made = (
        Lane("Steps", tuple(_steps(report, duration_s))),
        Lane("Failures", tuple(_failures(report, failure_times, duration_s))),
        Lane("Code", tuple(_code(report, code or {}, duration_s))),
        Lane("Console", tuple(_logs(report, ("page_error", "console"), duration_s))),
        Lane("Network", tuple(_logs(report, ("network",), duration_s))),
        Lane("Dialogs", tuple(_logs(report, ("dialog", "page_event"), duration_s))),
        Lane("Sound", tuple(_spans(heard, "heard", duration_s))),
        Lane("Motion", tuple(_spans(moved, "moved", duration_s))),
        Lane("Gaps", tuple(_gaps(report, duration_s))),
    )
    return tuple(lane for lane in made if lane.ticks)


def _tick(start_s: float, end_s: float, duration_s: float, tone: str, label: str, goes_to: str) -> Tick:
    width = max((end_s - start_s) / duration_s, LEAST_SHARE)
    x = min(max(start_s / duration_s, 0.0), 1 - width)
    return Tick(start_s, end_s, round(100 * x, 3), round(100 * width, 3), tone, shortened(label, 160), goes_to)


def _steps(report: Report, duration_s: float) -> Iterator[Tick]:
    for step in report.steps:
        if step.video_s is None:
            continue
        broken = step.result == "violated" and step.during != "control"
        tone = "gap" if not step.delivered else "fault" if broken else "plain"
        end_s = step.video_s if step.video_end_s is None else step.video_end_s
        came = " (its trial was violated)" if broken else ""
        label = f"Step {step.number}: {step.description}{came}"
        yield _tick(step.video_s, end_s, duration_s, tone, label, f"step-{step.number}")


def _code(report: Report, code: Mapping[str, tuple[str, ...]], duration_s: float) -> Iterator[Tick]:
    """Where code of the app ran that had not run before."""
    for step in report.steps:
        names = code.get(step.id, ())
        if step.video_s is not None and names:
            end_s = step.video_s if step.video_end_s is None else step.video_end_s
            label = f"Step {step.number} ran {how_many(len(names), 'function')} for the first time: {', '.join(names)}"
            yield _tick(step.video_s, end_s, duration_s, "code", label, f"step-{step.number}")


def _failures(report: Report, times: dict[str, float | None], duration_s: float) -> Iterator[Tick]:
    for failure in report.verdict.accused:
        at_s = times.get(failure.id)
        if at_s is not None:
            label = f"{failure.severity.value}: {failure.title}"
            yield _tick(at_s, at_s, duration_s, failure.severity.value, label, f"failure-{failure.id}")


def _logs(report: Report, kinds: tuple[str, ...], duration_s: float) -> Iterator[Tick]:
    for line in report.logs:
        if line.kind in kinds and line.video_s is not None and _matters(line):
            tone = "warning" if line.level in {"warning", "blocked"} else "fault"
            yield _tick(line.video_s, line.video_s, duration_s, tone, f"{line.level}: {line.text}", f"log-{line.id}")


def _matters(line: LogLine) -> bool:
    return line.kind != "console" or line.level in {"warning", "error", "assert"}


def stretches(record: Record) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """Where the recording that is shown is heard and where it moves, with the row that says so."""
    shown = record.last(Recorded)
    if shown is None:
        return (), ()
    heard: list[Stretch] = []
    moved: list[Stretch] = []
    for row in record.children(shown[0].id):
        body = row.body
        spans = body.audible_spans if isinstance(body, SoundTrack) else body.motion_spans if isinstance(body, MotionTrack) else ()
        for start_ms, end_ms in spans:
            start_s, end_s = record.video_s(start_ms, row), record.video_s(end_ms, row)
            if start_s is not None and end_s is not None:
                (heard if isinstance(body, SoundTrack) else moved).append((start_s, end_s, row.id))
    return tuple(heard), tuple(moved)


def _spans(found: tuple[Stretch, ...], what: str, duration_s: float) -> Iterator[Tick]:
    word = {"heard": "sound", "moved": "motion"}[what]
    for start_s, end_s, row_id in found:
        label = f"{word} for {end_s - start_s:.1f} s ({row_id})"
        yield _tick(start_s, end_s, duration_s, "plain", label, "recording")


def _gaps(report: Report, duration_s: float) -> Iterator[Tick]:
    for gap in report.gaps:
        if gap.video_s is not None:
            end_s = gap.video_s if gap.video_end_s is None else gap.video_end_s
            yield _tick(gap.video_s, end_s, duration_s, "gap", f"{gap.what}: {gap.reason}", f"gap-{gap.id}")


@dataclass(frozen=True)
class Moment:
    """One line of the list under the timeline: a step (with its number) or a failure (0)."""

    at_s: float
    step: int
    tone: str
    label: str
    goes_to: str


def moments(report: Report, failure_times: dict[str, float | None]) -> tuple[Moment, ...]:
    """Steps and failures in the order of the recording; a failure follows the step in which it shows."""
    steps = [
        Moment(step.video_s, step.number, "plain", step.description, f"step-{step.number}")
        for step in report.steps
        if step.video_s is not None
    ]
    failures = [
        Moment(at_s, 0, failure.severity.value, failure.title, f"failure-{failure.id}")
        for failure in report.verdict.accused
        if (at_s := failure_times.get(failure.id)) is not None
    ]
    return tuple(sorted(steps + failures, key=lambda moment: (moment.at_s, not moment.step)))
