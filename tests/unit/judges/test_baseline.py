"""The yardsticks: one screenshot, and three with a checklist on a hundred points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluator.judges.chat import ChatJudge
from evaluator.judges.rescore import rescore
from evaluator.scoring.proofs import apply_proofs
from evaluator.verdict.model import Proof
from tests.unit.evaluator.records import functionality
from tests.unit.judges.looks import Looked, Scripted, judged
from tools.models.trouble import ModelTrouble

ITEMS = [
    {"title": f"Item {number}", "description": "What earns ten, five and no points.", "orientation": kind}
    for number, kind in enumerate(["vision"] * 4 + ["code"] * 4 + ["vision", "code"], start=1)
]


def marks(points: float, *, total: float | None = None) -> dict[str, Any]:
    """The same points for each item."""
    given = [{"item": number, "points": points, "reason": "seen"} for number in range(1, 11)]
    return {"marks": given, "total": points * 10 if total is None else total, "confidence": 0.7}


def used(tmp_path: Path, acts: int = 5) -> Looked:
    """A run with some acts that each change the picture."""
    run = Looked(tmp_path)
    for _ in range(acts):
        run.changes()
    return run


async def test_three_screenshots_and_a_checklist(tmp_path: Path) -> None:
    """Before, amid, after; ten items of ten points; a total of 100 and both scales, each the sum of its items."""
    run = used(tmp_path)
    models = Scripted(checklist_writer={"items": ITEMS}, scorer=marks(7.0))
    verdict = await judged(run.seal(), models, inputs="three-screenshots")
    assert len(models.pictures_shown("scorer")) == 3
    assert "addItem" in models.words("scorer")
    assert verdict.staging is not None
    assert verdict.staging.total_100 == 70.0
    assert len(verdict.staging.checklist) == 10
    assert functionality(verdict) == pytest.approx(5.6)
    assert verdict.functionality is not None
    assert sum(item.points for item in verdict.functionality.items) == pytest.approx(5.6)
    assert verdict.failures == ()
    assert "yardstick" in verdict.unknown[0]


async def test_the_total_is_computed_again(tmp_path: Path) -> None:
    """A stated total that its points do not come to is told and not used."""
    models = Scripted(checklist_writer={"items": ITEMS}, scorer=marks(5.0, total=95))
    verdict = await judged(used(tmp_path).seal(), models, inputs="three-screenshots")
    assert verdict.staging is not None
    assert verdict.staging.total_100 == 50.0
    assert verdict.staging.arithmetic == ("vote 1: it says 95, its own points come to 50",)


async def test_a_checklist_is_written_by_rule_where_no_model_does(tmp_path: Path) -> None:
    """The checklist's writer may fail by itself; the verdict says who wrote it."""
    models = Scripted(checklist_writer=ModelTrouble("refused", "no"), scorer=marks(6.0))
    verdict = await judged(used(tmp_path).seal(), models, inputs="three-screenshots")
    assert verdict.staging is not None
    assert verdict.staging.summary == "The checklist was written by rules: the model failed: refused"
    assert verdict.staging.total_100 == 60.0


async def test_one_screenshot(tmp_path: Path) -> None:
    """Only the untouched page is shown; votes give median and interval; problems are told and cost nothing."""
    run = used(tmp_path)

    def scorer(ask: Any) -> dict[str, Any]:
        value = [6.0, 5.0, 7.0][ask.sample]
        return {
            "functionality": value,
            "functionality_reason": "a list is there",
            "aesthetics": 4.0,
            "aesthetics_reason": "plain",
            "problems": ["no way to sort"],
            "confidence": 0.5,
        }

    models = Scripted(scorer=scorer)
    verdict = await judged(run.seal(), models, inputs="screenshot", votes=3)
    assert len(models.pictures_shown("scorer")) == 3
    assert len({picture.data for picture in models.pictures_shown("scorer")}) == 1
    assert "addItem" not in models.words("scorer")
    assert functionality(verdict) == 6.0
    assert verdict.functionality is not None
    assert (verdict.functionality.low, verdict.functionality.high) == (5.0, 7.0)
    assert verdict.unverifiable[0].text == "no way to sort"


@pytest.mark.parametrize("inputs", ["screenshot", "three-screenshots"])
async def test_without_a_reply_there_is_no_score(tmp_path: Path, inputs: str) -> None:
    """A yardstick has nothing to fall back on: the verdict is incomplete and says why."""
    models = Scripted(checklist_writer={"items": ITEMS}, scorer=ModelTrouble("timeout", "late"))
    verdict = await judged(used(tmp_path).seal(), models, inputs=inputs)
    assert verdict.status == "incomplete"
    assert verdict.functionality is None
    assert "timeout" in verdict.reason


async def test_proofs_do_not_touch_a_yardstick(tmp_path: Path) -> None:
    """Its points are earned, not deducted, so there is nothing to prove or to add up anew."""
    run = used(tmp_path)
    record = run.seal()
    judge = ChatJudge(Scripted(checklist_writer={"items": ITEMS}, scorer=marks(7.0)), inputs="three-screenshots")
    verdict = await rescore(record.run_dir, judge)
    assert apply_proofs(verdict, {"f-000000": Proof(status="confirmed")}) == verdict
