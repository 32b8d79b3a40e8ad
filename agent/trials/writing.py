"""A trial in the ledger: itself, the page models it saw, its acts, its assertions, what it came to."""

from __future__ import annotations

from tools.evidence.ledger import Ledger
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded
from tools.page.assertions import Scene
from tools.page.records import ActSeen, Judged, TrialRecord
from tools.page.rows import ModelWriter
from tools.page.trials import Trial, plain


class TrialWriter:
    """Writes the trials of one stage, one after the other."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.models = ModelWriter(ledger)
        self._trial = ""

    def begin(self, trial: Trial) -> str:
        """The id of the trial's row."""
        body = TrialBegun(trial=plain(trial), words=trial.words())
        self._trial = self.ledger.append(body, producer=trial.by or "trial").id
        return self._trial

    def act(self, seen: ActSeen) -> str:
        """The id of the act's row."""
        body = ActDone(
            during=seen.during, act=plain(seen.act),
            words=seen.act.words(), delivered=seen.delivered, problem=seen.problem, before=self.models.write(seen.before),
            after=self.models.write(seen.after), witness=seen.witness.model_dump(mode="json", exclude_none=True),
            started_ms=seen.started_ms, ended_ms=seen.ended_ms,
        )  # fmt: skip
        return self.ledger.append(body, producer="hands", parent=self._trial, app_ms=seen.ended_ms).id

    def assertion(self, judged: Judged, scene: Scene, *, control: bool) -> str:
        """The id of the assertion's row."""
        one = judged.assertion
        pages = (scene.before, scene.after, scene.later, scene.reloaded)
        body = AssertionJudged(
            control=control, assertion=plain(one), words=one.words(),
            result=judged.outcome.result, seen=judged.outcome.seen,
            models=tuple(self.models.write(page) for page in pages if page is not None),
        )  # fmt: skip
        return self.ledger.append(body, producer="assertion", parent=self._trial).id

    def end(self, record: TrialRecord) -> None:
        """Write what it came to, and force all of it onto the disk."""
        stopped = f"{record.stopped.why}: {record.stopped.words}" if record.stopped else ""
        body = TrialEnded(result=record.result, stopped=stopped, noted=record.noted)
        self.ledger.append(body, producer="trial", parent=self._trial)
        self.ledger.sync()
