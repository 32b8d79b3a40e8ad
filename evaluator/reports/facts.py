"""Gathers a sealed run and its verdict into one `Report`. Reads the run's folder and nothing else, so it always says the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from evaluator.findings.held import held_trials
from evaluator.marks.file import marks_on
from evaluator.record.sealed import Act, Reading, TrialSeen
from evaluator.record.spending import spent
from evaluator.reports.model import (
    AuditFacts,
    CheckFacts,
    EvidenceFacts,
    FindingFacts,
    GapFacts,
    PictureFacts,
    PromiseFacts,
    RecordingFacts,
    Report,
    RunFacts,
    StepChanges,
    StepFacts,
)
from evaluator.reports.short import log_line, one_line
from evaluator.reports.wording import headline
from evaluator.verdict.model import Failure, Verdict
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import (
    Audited,
    ConsentAnswered,
    Finding,
    Gap,
    LetIn,
    Recorded,
    Resumed,
    Row,
    Screenshot,
    Sealed,
    SiteServed,
    StageOpened,
)
from tools.evidence.trial_rows import ActDone

VERDICT_FILE = "verdict.json"

Position = Callable[[float | None, Row], float | None]
"""Position (s) in the recording that the report shows, at an app time (ms) of the row's stage; None when it does not show it."""


def read_run(run_dir: Path) -> tuple[Record, Verdict]:
    """A sealed record and the verdict on it.

    Raises `RunError` if the folder is no run, is not sealed, was never judged, or its verdict was reached on another record.
    """
    record = Record.read(run_dir)
    seal = record.seal
    path = Path(run_dir) / VERDICT_FILE
    try:
        verdict = Verdict.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise RunError(f"{run_dir} has no verdict yet.", hint=f"Judge it with: assay rescore {run_dir}") from error
    except ValidationError as error:
        raise RunError(f"{path} is not a verdict.", hint=f"Judge again with: assay rescore {run_dir}") from error
    if verdict.seal != seal:
        raise RunError(f"{path} was reached on another record.", hint=f"Judge again with: assay rescore {run_dir}")
    return record, verdict


def gather(record: Record, verdict: Verdict) -> Report:
    """Everything the reports say, from the record and the verdict, with the reader's marks on it.

    Raises `RunError` if there are marks that can't be read.
    """
    at = _positions(record)
    reading = Reading(record)
    steps = tuple(_steps(reading, verdict, at))
    return Report(
        headline=headline(verdict),
        run=_run(record),
        verdict=verdict,
        promises=tuple(_promises(reading, verdict, steps)),
        steps=steps,
        spending=spent(record),
        recording=_recording(record),
        pictures=tuple(_pictures(record)),
        audits=tuple(_audits(record)),
        logs=tuple(line for row in record.rows if (line := log_line(row, at(row.app_ms, row))) is not None),
        gaps=tuple(
            GapFacts(
                id=row.id,
                what=gap.what,
                reason=gap.reason,
                blame=gap.blame,
                app_ms=row.app_ms if gap.from_ms is None else gap.from_ms,
                video_s=at(row.app_ms if gap.from_ms is None else gap.from_ms, row),
                video_end_s=None if gap.to_ms is None else at(gap.to_ms, row),
            )
            for row, gap in record.of(Gap)
        ),
        evidence=tuple(_evidence(record, at)),
        marks=tuple(marks_on(record.run_dir, verdict).values()),
    )


def blob_file(record: Record, row: Row) -> str:
    """Path of a row's blob relative to the run's folder; empty if it has none."""
    return "" if row.blob is None else record.blobs.path(row.blob).relative_to(record.run_dir).as_posix()


def moment_s(record: Record, verdict: Verdict, failure_id: str) -> float | None:
    """Where in the recording a failure shows (s): its own time, else the start of the last step that shows it."""
    failure = next(found for found in verdict.accused if found.id == failure_id)
    at = _positions(record)
    rows = [row for row_id in (*reversed(failure.step_ids), *failure.evidence) if (row := record.row(row_id)) is not None]
    if failure.place.app_ms is not None and rows:
        return at(failure.place.app_ms, rows[0])
    if failure.place.video_s is not None:
        return failure.place.video_s
    return next((at(row.body.started_ms, row) for row in rows if isinstance(row.body, ActDone)), None)


def _positions(record: Record) -> Position:
    """Of a resumed run the report shows the last recording; moments of the stages before have no position in it."""
    shown = record.last(Recorded)
    return lambda app_ms, row: record.video_s(app_ms, row) if shown is not None and record.film_of(row) == shown else None


def _run(record: Record) -> RunFacts:
    started, first, last = record.started, record.rows[0], record.rows[-1]
    site, stage = record.last(SiteServed), record.last(StageOpened)
    sealed = last.body if isinstance(last.body, Sealed) else None
    return RunFacts(
        id=record.run_dir.resolve().name,
        brief=started.brief,
        brief_language=started.brief_language,
        subject=started.subject,
        started_at=first.wall_time,
        ended_at=last.wall_time,
        wall_s=round((_when(last.wall_time) - _when(first.wall_time)).total_seconds(), 3),
        settings=started.settings,
        versions=started.versions,
        site=site[1] if site else None,
        stage=stage[1] if stage else None,
        let_in=tuple(dict.fromkeys(one_line(row.body) for row in record.rows if isinstance(row.body, LetIn | ConsentAnswered))),
        interruptions=tuple(
            f"taken up again after {again.after_node}" + (f"; {again.repaired}" if again.repaired else "")
            for _, again in record.of(Resumed)
        ),
        complete=sealed is not None and sealed.complete,
        seal=record.seal,
        rows=len(record.rows),
        blobs=sealed.blobs if sealed else 0,
    )


def _when(wall_time: str) -> datetime:
    return datetime.fromisoformat(wall_time)


def _steps(reading: Reading, verdict: Verdict, at: Position) -> Iterator[StepFacts]:
    """The acts of all trials, numbered from 1."""
    for act in reading.acts:
        trial, row = reading.trial_of(act), act.row
        yield StepFacts(
            number=act.number + 1,
            id=row.id,
            trial=trial.row.id if trial is not None else "",
            by=trial.by if trial is not None else "",
            why=trial.why if trial is not None else "",
            result=trial.ended.result if trial is not None and trial.ended is not None else "",
            during=act.body.during,
            description=act.words,
            action=act.body.act,
            delivered=act.delivered,
            problem=act.problem,
            before=_picture(reading, reading.picture_before(act)),
            after=_picture(reading, act.body.screenshot),
            changes=_changes(reading, act),
            checks=tuple(_checks(trial)) if trial is not None and act is trial.acts[-1] else (),
            failures=tuple(failure.id for failure in verdict.accused if row.id in failure.step_ids),
            started_ms=act.started_ms,
            ended_ms=act.ended_ms,
            video_s=at(act.started_ms, row),
            video_end_s=at(act.ended_ms, row),
        )


def _picture(reading: Reading, row_id: str) -> str:
    row = reading.record.row(row_id) if row_id else None
    return row.id if row is not None and isinstance(row.body, Screenshot) else ""


def _changes(reading: Reading, act: Act) -> StepChanges:
    seen = act.body.witness
    before, after = (reading.models.values(text) or {} for text in (act.body.before, act.body.after))
    return StepChanges(
        address=before.get("url") != after.get("url"),
        page=act.shows,
        storage=bool(seen.get("storage")),
        requests=len(seen.get("requests") or ()),
        dialogs=len(seen.get("dialogs") or ()),
        outside=len(seen.get("outside") or ()),
        errors=len(seen.get("console") or ()),
    )


def _checks(trial: TrialSeen) -> Iterator[CheckFacts]:
    for row, body in trial.judged:
        yield CheckFacts(id=row.id, words=body.words, seen=body.seen, result=body.result, control=body.control)


def _promises(reading: Reading, verdict: Verdict, steps: tuple[StepFacts, ...]) -> Iterator[PromiseFacts]:
    listed = reading.covered.promises if reading.covered else {}
    keeping = {trial.row.id: trial.requirements for trial in held_trials(reading)}
    bearing = {failure.id: _bears_on(reading, failure) for failure in verdict.accused}
    broken = {promise for failure in verdict.failures for promise in bearing[failure.id]}
    ends = {step.trial: step.number for step in steps if step.checks}
    for promise in reading.promises.values():
        shown = [ends[trial] for trial, about in keeping.items() if promise.id in about and trial in ends]
        yield PromiseFacts(
            id=promise.id,
            text=promise.text,
            aspect=promise.aspect,
            central=promise.central,
            status=_status(broken=promise.id in broken, shown=bool(shown) or listed.get(promise.id) == "shown"),
            steps=tuple(shown),
            failures=tuple(failure.id for failure in verdict.accused if promise.id in bearing[failure.id]),
        )


def _status(*, broken: bool, shown: bool) -> Literal["shown", "broken", "not_tested"]:
    """As the verdict counts it: what a failure bears on is broken, however often it was seen to work besides."""
    return "broken" if broken else "shown" if shown else "not_tested"


def _bears_on(reading: Reading, failure: Failure) -> set[str]:
    """The promises that a failure is about: its own, and those of the trials that show it."""
    trials = (reading.trial(row_id) for row_id in failure.evidence)
    about = {
        requirement for trial in trials if trial is not None and trial.result == "violated" for requirement in trial.requirements
    }
    return (about | {failure.promise}) - {""}


def _recording(record: Record) -> RecordingFacts | None:
    last = record.last(Recorded)
    if last is None:
        return None
    row, recorded = last
    path = record.run_dir / recorded.file
    if path.is_file():
        with path.open("rb") as stream:
            intact = hashlib.file_digest(stream, "sha256").hexdigest() == recorded.sha256
    else:
        intact = None
    return RecordingFacts(
        id=row.id,
        state="missing" if intact is None else "intact" if intact else "altered",
        **recorded.model_dump(exclude={"kind", "timeline"}),
    )


def _pictures(record: Record) -> Iterator[PictureFacts]:
    for row, picture in record.of(Screenshot):
        yield PictureFacts(
            id=row.id,
            label=picture.label,
            width=picture.width,
            height=picture.height,
            full_page=picture.full_page,
            file=blob_file(record, row),
            app_ms=row.app_ms,
        )


def _audits(record: Record) -> Iterator[AuditFacts]:
    loose = [(row, finding) for row, finding in record.of(Finding) if not _under_audit(record, row)]
    for row, audit in record.of(Audited):
        findings = ((child, child.body) for child in record.children(row.id) if isinstance(child.body, Finding))
        yield AuditFacts(
            id=row.id,
            probe=audit.probe,
            viewport=audit.viewport,
            measured=audit.measured,
            reason=audit.reason,
            values=audit.values,
            findings=tuple(_finding(child, body) for child, body in findings),
            state=audit.state,
        )
    for probe in dict.fromkeys(finding.probe for _, finding in loose):
        of_probe = [(row, finding) for row, finding in loose if finding.probe == probe]
        yield AuditFacts(
            id="",
            probe=probe,
            viewport=of_probe[0][1].viewport,
            measured=True,
            reason="",
            values={},
            findings=tuple(_finding(row, finding) for row, finding in of_probe),
        )


def _under_audit(record: Record, row: Row) -> bool:
    parent = record.row(row.parent) if row.parent else None
    return parent is not None and isinstance(parent.body, Audited)


def _finding(row: Row, finding: Finding) -> FindingFacts:
    return FindingFacts(id=row.id, **finding.model_dump(exclude={"kind", "probe"}))


def _evidence(record: Record, at: Position) -> Iterator[EvidenceFacts]:
    for row in record.rows:
        yield EvidenceFacts(
            id=row.id,
            kind=row.kind,
            summary=one_line(row.body),
            phase=row.phase.value,
            producer=row.producer,
            wall_time=row.wall_time,
            app_ms=row.app_ms,
            video_s=at(row.app_ms, row),
            parent=row.parent or "",
            file=blob_file(record, row),
            hash=row.hash,
        )
