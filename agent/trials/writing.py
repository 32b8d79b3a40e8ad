"""A trial in the ledger: itself, the page models it saw, its acts, its assertions, what it came to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.browser.coverage.watch import Reading
from tools.browser.coverage.watch import write as write_code
from tools.browser.snapshots import encode_png
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Screenshot
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded
from tools.page.assertions import NotBoth, Scene, SeenByOther
from tools.page.rows import ModelWriter
from tools.page.trial_records import ActSeen, Judged, TrialRecord
from tools.page.trials import Trial, plain


class TrialWriter:
    """Writes the trials of one stage, one after the other."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.models = ModelWriter(ledger)
        self._trial = ""

    def begin(self, trial: Trial, acts_of: str = "") -> str:
        """The id of the trial's row. `acts_of`: the trial by whose acts it is judged."""
        body = TrialBegun(trial=plain(trial), words=trial.words(), acts_of=acts_of)
        self._trial = self.ledger.append(body, producer=trial.by or "trial").id
        return self._trial

    def act(self, seen: ActSeen, ran: Sequence[Reading] = (), picture: NDArray[np.uint8] | None = None) -> str:
        """The id of the act's row. `ran`: what of the app's own code did; `picture`: of the page after it."""
        body = ActDone(
            during=seen.during, act=plain(seen.act),
            words=seen.act.words(), delivered=seen.delivered, problem=seen.problem, before=self.models.write(seen.before),
            after=self.models.write(seen.after), witness=seen.witness.model_dump(mode="json", exclude_none=True),
            started_ms=seen.started_ms, ended_ms=seen.ended_ms, screenshot=self._picture(picture),
        )  # fmt: skip
        row = self.ledger.append(body, producer="hands", parent=self._trial, app_ms=seen.ended_ms).id
        for reading in ran:
            if reading.seen is not None or reading.ran.ran or not reading.ran.measured:
                write_code(self.ledger, reading, parent=row)
        return row

    def _picture(self, picture: NDArray[np.uint8] | None) -> str:
        """The id of the picture's row; empty where none was taken."""
        if picture is None:
            return ""
        body = Screenshot(label="trial", width=picture.shape[1], height=picture.shape[0])
        return self.ledger.append(body, producer="eyes", blob=self.ledger.put(encode_png(picture), "image/png")).id

    def assertion(self, judged: Judged, scene: Scene, *, control: bool) -> str:
        """The id of the assertion's row."""
        each_assertion = judged.assertion
        pages = [scene.before, scene.after, scene.later, scene.reloaded]
        if scene.others is not None and isinstance(each_assertion, SeenByOther | NotBoth):
            pages += [scene.others.before, scene.others.after, scene.others.later]
        body = AssertionJudged(
            control=control, assertion=plain(each_assertion), words=each_assertion.words(),
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
