"""Evidence binds verdicts: what does not exist, does not fit, or lies in the wrong time or region proves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluator.attribution.citations import check, unverifiable
from evaluator.attribution.symptoms import load_taxonomy
from evaluator.judges.rubric import RubricJudge
from evaluator.record.sealed import Reading
from evaluator.verdict.model import Failure, Verdict
from evaluator.verdict.taxonomy import Category, Scale
from tests.unit.evaluator.records import Run, judged, only
from tools.evidence.record import Record
from tools.evidence.rows import Box
from tools.evidence.trial_rows import AssertionJudged, Noted

HERE = Box(x=220, y=60, width=60, height=30)
ELSEWHERE = Box(x=900, y=700, width=60, height=30)


@dataclass(frozen=True)
class Proven:
    """A run in which the page hung after an act, and the failure that it gave."""

    run: Run
    record: Record
    verdict: Verdict
    acts: tuple[str, str]

    @property
    def failure(self) -> Failure:
        """The failure as the judge made it."""
        return only(self.verdict)

    def problems(self, **changes: Any) -> list[str]:
        """What is wrong with the failure after some changes."""
        return check(self.failure.model_copy(update=changes), Reading(self.record), load_taxonomy())


@pytest.fixture
def proven(tmp_path: Path) -> Proven:
    """Two acts, after the second of which the page hung, a note, and a finding elsewhere."""
    run = Run(tmp_path)
    run.finding("contrast.low", "faint", selector="p.note", box=ELSEWHERE)
    begun = run.begin()
    first, second = run.act(selector="#clear"), run.act()
    run.add(Noted(what="the page grows slow"), parent=begun.id)
    run.event("hang", "no answer", at=run.now_ms + 100)
    record = run.seal()
    verdict = judged(record)
    hung = next(failure for failure in verdict.accused if failure.category is Category.crash_or_hang)
    hung = hung.model_copy(update={"place": hung.place.model_copy(update={"box": HERE})})
    return Proven(run, record, verdict.model_copy(update={"failures": (hung,), "suspected": ()}), (first.id, second.id))


def test_the_judges_own_failures_pass(proven: Proven) -> None:
    """What the rubric judge cites exists, fits and lies where it says."""
    assert proven.problems() == []


def test_ids_must_exist(proven: Proven) -> None:
    """An invented id, or none at all, is no evidence."""
    assert proven.problems(evidence=("e999999",)) == ["e999999 is not in the ledger"]
    assert proven.problems(evidence=("nonsense",)) == ["nonsense is not in the ledger"]
    assert proven.problems(evidence=()) == ["it cites no evidence"]


def test_opinions_and_the_seal_are_no_evidence(proven: Proven) -> None:
    """What a model noted and the closing row prove nothing."""
    noted = next(row.id for row in proven.record.rows if isinstance(row.body, Noted))
    assert "what the agent thought" in proven.problems(evidence=(*proven.failure.evidence, noted))[0]
    assert "complete" in proven.problems(evidence=(proven.record.rows[-1].id,))[0]


def test_kinds_must_fit_the_category(proven: Proven) -> None:
    """A dead control needs an assertion; acts alone show nothing; an act must be named."""
    dead = {"category": Category.dead_control}
    assert "no assertion row is cited" in proven.problems(**dead, evidence=proven.acts)[0]
    assert any("no act is named" in problem for problem in proven.problems(**dead, step_ids=()))
    assert any("no page_error or network row" in problem for problem in proven.problems(category=Category.runtime_error))


def test_steps_must_be_acts_in_order(proven: Proven) -> None:
    """Steps that are no acts, or in another order than they were done, are refused."""
    finding = next(row.id for row in proven.record.rows if row.kind == "finding")
    assert any("is no act" in problem for problem in proven.problems(step_ids=(finding,)))
    assert any("after" in problem for problem in proven.problems(step_ids=tuple(reversed(proven.acts))))


def test_the_region_must_meet_what_is_cited(proven: Proven) -> None:
    """A region far from everything that the evidence points at is refused."""
    place = proven.failure.place
    assert proven.problems(place=place.model_copy(update={"box": ELSEWHERE})) == [
        "its region meets none of the regions that its evidence points at"
    ]


def test_the_moment_must_not_lie_after_the_evidence(proven: Proven) -> None:
    """A moment later than everything cited is refused."""
    place = proven.failure.place.model_copy(update={"app_ms": 9e6})
    assert "after all of its evidence" in proven.problems(place=place)[0]


@pytest.mark.parametrize(
    ("result", "control", "problem"),
    [("held", False, "that it held"), ("cannot tell", False, "could not be told"), ("violated", True, "asked as a control")],
)
def test_an_assertion_that_was_not_violated_proves_no_failure(tmp_path: Path, result: Any, control: bool, problem: str) -> None:
    """What held, could not be told or was a control's question cannot be cited for a failure."""
    run = Run(tmp_path)
    run.begin()
    act = run.act()
    row = run.asserted(result, control=control)
    run.end("held")
    run.dead("#clear")
    record = run.seal()
    assert isinstance(row.body, AssertionJudged)
    (failure,) = judged(record).accused
    changed = failure.model_copy(update={"evidence": (row.id, act.id), "step_ids": (act.id,)})
    assert any(problem in item for item in check(changed, Reading(record), load_taxonomy()))


def test_the_claim_keeps_only_ids_that_exist(proven: Proven) -> None:
    """A failure turned into a claim does not carry invented ids on."""
    failure = proven.failure.model_copy(update={"evidence": ("e999999", *proven.acts)})
    made = unverifiable(failure, ["e999999 is not in the ledger"], Reading(proven.record))
    assert made.evidence == proven.acts
    assert made.reason == "e999999 is not in the ledger"


def test_boxes_meet_at_their_edges() -> None:
    """Touching counts, a gap does not; a box without an area is a point."""
    assert HERE.meets(Box(x=280, y=60, width=5, height=5))
    assert HERE.meets(Box(x=230, y=70, width=0, height=0))
    assert not HERE.meets(Box(x=281, y=60, width=5, height=5))


def test_the_judge_has_the_protocols_name() -> None:
    """The judge is called rubric, and every failure lies on its category's scale."""
    assert RubricJudge().name == "rubric"
    assert Scale.functionality != Scale.aesthetics
