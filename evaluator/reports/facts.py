"""Gathers a sealed run and its verdict into one `Report`. Reads the run's folder and nothing else, so it always says the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from evaluator.reports.model import (
    AuditFacts,
    EvidenceFacts,
    FindingFacts,
    GapFacts,
    OutcomeFacts,
    PictureFacts,
    PromiseFacts,
    RecordingFacts,
    Report,
    RunFacts,
    StepFacts,
)
from evaluator.reports.short import log_line, one_line
from evaluator.reports.words import headline
from evaluator.verdict import Failure, Verdict
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import (
    Acted,
    Audited,
    Changes,
    Covered,
    Decided,
    Finding,
    Gap,
    Observed,
    Outcome,
    Planned,
    Recorded,
    Resumed,
    Row,
    Screenshot,
    Sealed,
    SiteServed,
    StageOpened,
)
from tools.evidence.trial_rows import ActDone, TrialBegun

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
    """Everything the reports say, from the record and the verdict."""
    at = _positions(record)
    steps = tuple(_steps(record, verdict, at))
    return Report(
        headline=headline(verdict),
        run=_run(record),
        verdict=verdict,
        promises=tuple(_promises(record, verdict, steps)),
        steps=steps,
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
    return next((at(row.body.started_ms, row) for row in rows if isinstance(row.body, Acted)), None)


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


def _steps(record: Record, verdict: Verdict, at: Position) -> Iterator[StepFacts]:
    outcomes = _outcomes_by_action(record)
    decided: tuple[Row, Decided] | None = None
    number = 1
    for row in record.rows:
        if isinstance(row.body, Decided):
            decided = row, row.body
        if isinstance(row.body, ActDone):
            yield _act_of_a_trial(record, verdict, at, row, row.body, number)
            number += 1
        if not isinstance(row.body, Acted):
            continue
        number = row.body.step + 1
        act = row.body
        named = record.row(row.parent) if row.parent else None
        if named is not None and isinstance(named.body, Decided):
            decided = named, named.body
        why = decided[1] if decided else None
        yield StepFacts(
            number=act.step,
            id=row.id,
            decision=decided[0].id if decided else "",
            decider=why.decider if why else "",
            skill=why.skill if why else "",
            why=why.why if why else "",
            expectation=why.expectation if why else "",
            description=act.description,
            action=act.action,
            delivered=act.delivered,
            problem=act.problem,
            hit=act.hit,
            before=_screenshot_of(record, act.before),
            after=_screenshot_of(record, act.after),
            changes=act.changes,
            outcomes=tuple(outcomes.get(row.id, [])),
            failures=tuple(failure.id for failure in verdict.accused if row.id in failure.step_ids),
            started_ms=act.started_ms,
            ended_ms=act.ended_ms,
            video_s=at(act.started_ms, row),
            video_end_s=at(act.ended_ms, row),
        )
        decided = None


def _changes(act: ActDone) -> Changes:
    """What came of an act of a trial, as far as its row says it."""
    seen = act.witness
    return Changes(
        dom=act.before != act.after,
        network=len(seen.get("requests") or ()),
        storage=bool(seen.get("storage")),
        errors=len(seen.get("console") or ()),
    )


def _act_of_a_trial(record: Record, verdict: Verdict, at: Position, row: Row, act: ActDone, number: int) -> StepFacts:
    """An act of a trial as a step, numbered on from the steps before it."""
    begun = record.row(row.parent) if row.parent else None
    trial = begun.body if begun is not None and isinstance(begun.body, TrialBegun) else None
    return StepFacts(
        number=number,
        id=row.id,
        decision=begun.id if begun is not None else "",
        decider="trial",
        skill=str(trial.trial.get("by", "")) if trial else "",
        why=str(trial.trial.get("why", "")) if trial else "",
        expectation=trial.words if trial else "",
        description=act.words,
        action=act.act,
        delivered=act.delivered,
        problem=act.problem,
        hit="",
        before="",
        after=act.screenshot,
        changes=_changes(act),
        outcomes=(),
        failures=tuple(failure.id for failure in verdict.accused if row.id in failure.step_ids),
        started_ms=act.started_ms,
        ended_ms=act.ended_ms,
        video_s=at(act.started_ms, row),
        video_end_s=at(act.ended_ms, row),
    )


def _outcomes_by_action(record: Record) -> dict[str, list[OutcomeFacts]]:
    """Outcomes under the action they hang on: their parent, else the last of the actions they name."""
    found: dict[str, list[OutcomeFacts]] = {}
    for row, outcome in record.of(Outcome):
        parent = record.row(row.parent) if row.parent else None
        named = outcome.steps[-1] if outcome.steps else ""
        action = parent.id if parent is not None and isinstance(parent.body, Acted) else named
        found.setdefault(action, []).append(
            OutcomeFacts(
                id=row.id,
                oracle=outcome.oracle,
                expectation=outcome.expectation,
                observed=outcome.observed,
                held=outcome.held,
                symptom=outcome.symptom,
                promise=outcome.promise,
            )
        )
    return found


def _screenshot_of(record: Record, observation_id: str) -> str:
    observation = record.row(observation_id)
    if observation is None or not isinstance(observation.body, Observed):
        return ""
    picture = record.row(observation.body.screenshot)
    return picture.id if picture is not None and isinstance(picture.body, Screenshot) else ""


def _promises(record: Record, verdict: Verdict, steps: tuple[StepFacts, ...]) -> Iterator[PromiseFacts]:
    planned, covered = record.last(Planned), record.last(Covered)
    listed = covered[1].promises if covered else {}
    kept = {body.promise for _, body in record.of(Outcome) if body.held}
    bearing = {failure.id: _bears_on(record, failure) for failure in verdict.accused}
    broken = {promise for failure in verdict.failures for promise in bearing[failure.id]}
    for promise in planned[1].promises if planned else ():
        yield PromiseFacts(
            id=promise.id,
            text=promise.text,
            aspect=promise.aspect,
            central=promise.central,
            status=_status(broken=promise.id in broken, shown=promise.id in kept or listed.get(promise.id) == "shown"),
            steps=tuple(
                step.number for step in steps if any(found.promise == promise.id and found.held for found in step.outcomes)
            ),
            failures=tuple(failure.id for failure in verdict.accused if promise.id in bearing[failure.id]),
        )


def _status(*, broken: bool, shown: bool) -> Literal["shown", "broken", "not_tested"]:
    """As the verdict counts it: what a failure bears on is broken, however often it was seen to work besides."""
    return "broken" if broken else "shown" if shown else "not_tested"


def _bears_on(record: Record, failure: Failure) -> set[str]:
    """The promises that a failure is about: its own, and those of the sightings that were folded into it."""
    rows = (record.row(row_id) for row_id in failure.evidence)
    seen = {row.body.promise for row in rows if row is not None and isinstance(row.body, Outcome) and row.body.held is False}
    return (seen | {failure.promise}) - {""}


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
