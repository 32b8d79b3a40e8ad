"""Failures of trials: one a defect, however many trials and relations show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.findings.trial_failures import from_trials
from evaluator.record.sealed import Reading
from evaluator.relations.base import relations
from evaluator.verdict.rubric import load_rubric
from tests.unit.evaluator.records import Run
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded


def tried(run: Run, by: str, kind: str, place: str, *done: str) -> None:
    """A trial of a relation that was violated: acts in words, and where its assertion looked."""
    target = {"kind": "figures", "name": place, "selector": place}
    begun = run.add(TrialBegun(trial={"by": by, "why": by}, words=by))
    for words in done:
        run.add(
            ActDone(
                during="acts", act={"kind": "press"}, words=words, delivered=True, problem="", before="", after="", witness={},
                started_ms=1.0, ended_ms=2.0,
            ),
            parent=begun.id,
        )  # fmt: skip
    judged = AssertionJudged(
        assertion={"kind": kind, "target": target}, words="it holds", result="violated", seen="it does not", models=()
    )
    run.add(judged, parent=begun.id)
    run.add(TrialEnded(result="violated"), parent=begun.id)


@pytest.mark.parametrize(
    ("second", "failures"),
    [
        (("start_twice_is_one", "pace", "#clock", "again"), 1),  # another relation about how the same clock runs
        (("pause_holds", "still", "#dial", "start", "pause"), 1),  # the same acts, seen elsewhere
        (("pause_holds", "still", "#dial", "start", "stop"), 2),
        (("totals_follow", "has value", "#clock", "start"), 2),  # the clock's figure, but not how it runs
    ],
)
def test_what_has_one_cause_is_one_failure(tmp_path: Path, second: tuple[str, ...], failures: int) -> None:
    """The same relation and part, the same relation and acts, or anything about how one thing runs."""
    run = Run(tmp_path / "run")
    tried(run, "pause_holds", "still", "#clock", "start", "pause")
    tried(run, second[0], second[1], second[2], *second[3:])
    found = from_trials(Reading(run.seal()), relations(), load_rubric())
    assert len(found) == failures
    assert found[0].occurrences == 3 - failures
