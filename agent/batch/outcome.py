"""What a finished run means for its job: a row of results, and whether something outside the app disturbed the run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agent.batch.jobs import Ending, Job, State
from evaluator.record.spending import RoleSpent, spent
from evaluator.results.rows import Scored, scored_row, unscored_row
from evaluator.verdict.model import Verdict
from evaluator.verdict.taxonomy import Blame
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import Gap, PageEvent, Resumed

VERDICT_FILE = "verdict.json"
REPORT_FILE = "report.json"


@dataclass(frozen=True)
class Finished:
    """A sealed run with its verdict. `disturbed` says what outside the app may have changed it; empty: nothing did."""

    verdict: Verdict
    disturbed: str
    wall_s: float
    spent: tuple[RoleSpent, ...] = ()
    """What models cost, by role and all together; nothing where none was asked."""

    @property
    def whole(self) -> bool:
        """It was scored and nothing disturbed it: there is no reason for another attempt."""
        return self.verdict.status != "incomplete" and not self.disturbed


def read_finished(run_dir: Path, job: Job) -> Finished | None:
    """A run of that job that was sealed, judged and reported; None when it is another's, or not finished.

    Only what evaluates the same brief and was written to its end counts, so that a folder somebody put there is no verdict.
    """
    try:
        record = Record.read(run_dir)
        cost = spent(record)
        verdict = Verdict.model_validate_json((run_dir / VERDICT_FILE).read_bytes())
        if not (run_dir / REPORT_FILE).is_file() or verdict.seal != record.seal or record.started.brief != job.query.brief:
            return None
    except (RunError, OSError, ValueError):
        return None
    began, ended = (datetime.fromisoformat(record.rows[at].wall_time) for at in (0, -1))
    return Finished(verdict, disturbance(record), round((ended - began).total_seconds(), 2), cost)


def disturbance(record: Record) -> str:
    """What may have changed a run and is not known to be the app's doing; empty when there is nothing of the kind.

    A crash may be the app's: whether it is, a second run tells. A run in two halves and a film with a hole are ours.
    """
    for row in record.rows:
        match row.body:
            case Resumed():
                return "it was interrupted and gone on with"
            case PageEvent(event="browser_gone", detail=detail):
                return detail
            case PageEvent(event="crash", detail=detail):
                return f"the page crashed ({detail})"
            case Gap(what=what, blame="environment" | "evaluator", reason=reason) if what in _DISTURBING:
                return f"{what}: {reason}"
            case _:
                pass
    return ""


_DISTURBING = frozenset({"recording", "sound", "perceive", "plan", "explore", "exploration"})
"""Gaps that another attempt may close: the recorder's, and nodes that failed or took too long."""


def row_of(job: Job, finished: Finished, *, run: str, wall_s: float | None, attempts: int) -> Scored:
    """The row of results of a job whose run ended in a verdict."""
    return scored_row(
        job.query,
        job.answer.model,
        job.answer.trial,
        finished.verdict,
        run=run,
        wall_s=wall_s,
        spent=finished.spent,
        attempts=attempts,
    )


def row_without(job: Job, ending: Ending, *, run: str, attempts: int) -> Scored:
    """The row of a job that ended without a verdict."""
    failed = ending.how == "user_error"
    return unscored_row(
        job.query,
        job.answer.model,
        job.answer.trial,
        status="failed" if failed else "incomplete",
        reason=ending.reason,
        blame=None if failed else ending.blame or Blame.ambiguous,
        run=run,
        wall_s=ending.wall_s,
        attempts=attempts,
    )


def state_of(row: Scored) -> State:
    """The terminal state that a row of results stands for."""
    return State(row.status)
