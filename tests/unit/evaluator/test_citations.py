"""Evidence binds verdicts: what does not exist, does not fit, or lies in the wrong time or region proves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluator.citations import check, overlap, unverifiable
from evaluator.judges.rubric import RubricJudge
from evaluator.reading import Reading
from evaluator.symptoms import load_taxonomy
from evaluator.taxonomy import Category, Scale
from evaluator.verdict import Failure, Verdict
from tests.unit.evaluator.records import Run, claim, functionality, judged, only
from tools.evidence.record import Record
from tools.evidence.rows import Box, Decided, Outcome

HERE = Box(x=220, y=60, width=60, height=30)
ELSEWHERE = Box(x=900, y=700, width=60, height=30)


@dataclass(frozen=True)
class Proven:
    """A run with one dead control, and the failure it gave."""

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
    """A dead control with two acts, an outcome, a finding elsewhere, and a console row."""
    run = Run(tmp_path)
    run.finding("contrast.low", "faint", selector="p.note", box=ELSEWHERE)
    first, second = run.act(), run.act()
    run.outcome((first, second), "dead_control", attempts=2, selector="#add", box=HERE)
    record = run.seal()
    verdict = judged(record)
    dead = next(one for one in verdict.accused if one.category is Category.dead_control)
    return Proven(run, record, verdict.model_copy(update={"failures": (dead,), "suspected": ()}), (first.id, second.id))


def test_the_judges_own_failures_pass(proven: Proven) -> None:
    """What the rubric judge cites exists, fits and lies where it says."""
    assert proven.problems() == []


def test_ids_must_exist(proven: Proven) -> None:
    """An invented id, or none at all, is no evidence."""
    assert proven.problems(evidence=("e999999",)) == ["e999999 is not in the ledger"]
    assert proven.problems(evidence=("nonsense",)) == ["nonsense is not in the ledger"]
    assert proven.problems(evidence=()) == ["it cites no evidence"]


def test_opinions_and_the_seal_are_no_evidence(proven: Proven) -> None:
    """The agent's decisions and the closing row prove nothing."""
    decided = next(row.id for row in proven.record.rows if isinstance(row.body, Decided))
    assert "what the agent thought" in proven.problems(evidence=(*proven.failure.evidence, decided))[0]
    assert "complete" in proven.problems(evidence=(proven.record.rows[-1].id,))[0]


def test_kinds_must_fit_the_category(proven: Proven) -> None:
    """A dead control needs an outcome; acts alone show nothing; an act must be named."""
    assert "no outcome row is cited" in proven.problems(evidence=proven.acts)[0]
    assert any("no act is named" in one for one in proven.problems(step_ids=()))
    assert any("no page_error or network row" in one for one in proven.problems(category=Category.runtime_error))


def test_steps_must_be_acts_in_order(proven: Proven) -> None:
    """Steps that are no acts, or in another order than they were done, are refused."""
    finding = next(row.id for row in proven.record.rows if row.kind == "finding")
    assert any("is no act" in one for one in proven.problems(step_ids=(finding,)))
    assert any("after" in one for one in proven.problems(step_ids=tuple(reversed(proven.acts))))


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


def test_an_outcome_that_held_proves_no_failure(tmp_path: Path) -> None:
    """An outcome that says it worked cannot be cited for a failure."""
    run = Run(tmp_path)
    good = run.works("#clear")
    act = run.act()
    run.outcome(act, "dead_control", attempts=2)
    record = run.seal()
    (failure,) = judged(record).accused
    problems = check(failure.model_copy(update={"evidence": (good.id, act.id)}), Reading(record), load_taxonomy())
    assert problems == [f"{good.id} says that it worked"]


def test_an_outcome_before_its_act_is_refused(tmp_path: Path) -> None:
    """The ledger's order counts: an oracle cannot have judged an act that came later. Nothing is deducted."""
    run = Run(tmp_path)
    later = f"e{len(run.ledger) + 5:06d}"
    body = Outcome(
        oracle="responds", expectation="x", observed="y", held=False, symptom="dead_control", steps=(later,), attempts=2
    )
    run.add(body)
    act = run.act()
    assert act.id == later
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert "written before the act" in claim(verdict.unverifiable, "Add").reason


def test_an_outcome_that_points_beside_its_element_is_refused(tmp_path: Path) -> None:
    """The outcome names #add but a region where #add never was: unverifiable, not deducted."""
    run = Run(tmp_path)
    run.outcome(run.act(), "dead_control", attempts=2, selector="#add", box=ELSEWHERE)
    verdict = run.judge()
    assert verdict.failures == ()
    assert "was not" in claim(verdict.unverifiable, "Add").reason
    assert verdict.functionality is not None
    assert verdict.functionality.low == 7.0


def test_the_claim_keeps_only_ids_that_exist(proven: Proven) -> None:
    """A failure turned into a claim does not carry invented ids on."""
    failure = proven.failure.model_copy(update={"evidence": ("e999999", *proven.acts)})
    made = unverifiable(failure, ["e999999 is not in the ledger"], Reading(proven.record))
    assert made.evidence == proven.acts
    assert made.reason == "e999999 is not in the ledger"


def test_boxes_meet_at_their_edges() -> None:
    """Touching counts, a gap does not; a box without an area is a point."""
    assert overlap(HERE, Box(x=280, y=60, width=5, height=5))
    assert overlap(HERE, Box(x=230, y=70, width=0, height=0))
    assert not overlap(HERE, Box(x=281, y=60, width=5, height=5))


def test_the_judge_has_the_protocols_name() -> None:
    """The judge is called rubric, and every failure lies on its category's scale."""
    assert RubricJudge().name == "rubric"
    assert Scale.functionality != Scale.aesthetics
