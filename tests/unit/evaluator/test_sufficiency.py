"""When enough of an app was seen for its score to mean something."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.scoring.sufficiency import lacking, too_little
from evaluator.verdict.model import Coverage, Proof
from evaluator.verdict.rubric import load_rubric
from evaluator.verdict.taxonomy import Blame, Category
from tests.unit.evaluator.records import Run, judged
from tests.unit.evaluator.test_scoring import failure

FIGURES = load_rubric().seen
ENOUGH = Coverage(
    requirements=6, requirements_exercised=5, controls_found=10, controls_tried=9, states=4, steps=12, code_share=0.8
)
TOO_LITTLE = Coverage(requirements=9, requirements_exercised=1, controls_found=10, controls_tried=9, states=2, steps=2)


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        ({}, ()),
        ({"requirements_exercised": 2}, ("2 of 6 requirements exercised",)),
        ({"requirements_exercised": 3}, ()),
        ({"controls_tried": 4}, ("4 of 10 controls tried",)),
        ({"code_share": 0.2}, ("20% of the app's own code run",)),
        ({"code_share": None}, ()),
        ({"requirements": 0, "requirements_exercised": 0, "controls_found": 0, "controls_tried": 0, "code_share": None}, ()),
        (
            {"requirements_exercised": 0, "controls_tried": 0},
            ("0 of 6 requirements exercised", "0 of 10 controls tried"),
        ),
    ],
)
def test_a_share_is_asked_for_where_there_is_something_to_take_it_of(seen: dict[str, object], said: tuple[str, ...]) -> None:
    """Each share below its figure is a reason of its own; what is not there, or could not be measured, is none."""
    assert too_little(ENOUGH.model_copy(update=seen), FIGURES) == said


def test_what_broke_down_is_seen_as_far_as_it_goes() -> None:
    """A crash of the app's, or a page that shows nothing, leaves no more to see – unless a fresh browser did not show it."""
    assert lacking(TOO_LITTLE, [], FIGURES) == "only 1 of 9 requirements exercised"
    crash = failure(1, Category.crash_or_hang, 3.0, proof=Proof())
    assert lacking(TOO_LITTLE, [crash], FIGURES) == ""
    assert lacking(TOO_LITTLE, [failure(2, Category.missing_feature, 4.0, proof=Proof(), sealed=True)], FIGURES) == ""
    foreign = failure(3, Category.language_mismatch, 2.0, proof=Proof(), sealed=True)
    assert lacking(TOO_LITTLE, [foreign], FIGURES), "one can go on in an app that is in another language"
    for other in (
        crash.model_copy(update={"proof": Proof(status="not_reproduced")}),
        crash.model_copy(update={"blame": Blame.environment}),
        failure(3, Category.dead_control, 1.0),
    ):
        assert lacking(TOO_LITTLE, [other], FIGURES), other.title


def test_two_clicks_are_no_complete_verdict(tmp_path: Path) -> None:
    """A run that pressed one of four controls says so, and how far its value may lie from the truth."""
    run = Run(tmp_path)
    run.works("#clear")
    verdict = judged(run.seal(controls_found=4, controls_tried=1))
    assert verdict.status == "not_enough_seen"
    assert verdict.reason == "only 1 of 4 controls tried"
    assert verdict.scored
