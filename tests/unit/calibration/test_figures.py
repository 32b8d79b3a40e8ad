"""The figures of a calibration, against values worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

from evaluator.calibration.figures import Outcome, figures, new_failures, pairs
from evaluator.calibration.floor import FloorFinding, FloorPage
from evaluator.calibration.suite import Edit, Fault, Kind
from evaluator.calibration.suite_report import as_json, write
from evaluator.scoring.proofs import parted
from evaluator.verdict.families import related
from evaluator.verdict.model import Failure, Place, Proof, Score, Verdict
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity, scale_of


def _failure(category: Category, selector: str, *, proof: str = "confirmed", severity: Severity = Severity.major) -> Failure:
    return Failure.model_validate(
        {
            "id": f"f-{category.value}-{selector}",
            "category": category,
            "severity": severity,
            "scale": scale_of(category),
            "blame": Blame.app,
            "title": f"{category.value} at {selector}",
            "expected": "",
            "observed": "",
            "origin": "new",
            "place": Place(selector=selector),
            "steps": (),
            "step_ids": (),
            "evidence": ("e1",),
            "confidence": 1.0,
            "proof": Proof.model_validate({"status": proof}),
        }
    )


def _verdict(functionality: float, aesthetics: float, *failures: Failure) -> Verdict:
    scores = [
        Score(value=value, value_100=value * 12.5, baseline=8.0, items=(), low=value, high=value)
        for value in (functionality, aesthetics)
    ]
    counting, suspected = parted(failures)
    return Verdict(
        status="complete",
        seal="",
        judge="rubric",
        rubric="1",
        functionality=scores[0],
        aesthetics=scores[1],
        failures=counting,
        suspected=suspected,
    )


def _fault(name: str, category: Category, place: str) -> Fault:
    edits = (Edit(find="a", replace="b"),)
    return Fault(name=name, about="", category=category, severity=Severity.major, place=place, notice="act", edits=edits)


def _outcome(kind: Kind, verdict: Verdict | None, fault: Fault | None = None, floor: tuple[str, ...] | None = None) -> Outcome:
    """With the floor's findings, as messages of errors: none thrown is an empty tuple, not run is None."""
    name = fault.name if fault else kind
    told = tuple(FloorFinding(kind="error", what=what) for what in floor or ())
    page = None if floor is None else FloorPage(app="app", kind=kind, name=name, findings=told, seconds=17.0, fault=fault)
    return Outcome(app="app", kind=kind, name=name, verdict=verdict, seconds=10.0, fault=fault, floor=page)


_OLD = _failure(Category.inaccessible, "html", severity=Severity.minor)


def test_pairs_compare_on_the_faults_own_scale_and_forget_what_the_clean_app_has() -> None:
    """A dead control found lowers functionality; the old failure is not new; an aesthetic drop does not count for it."""
    dead = _fault("dead", Category.dead_control, "#go")
    hit = _verdict(6.5, 5.0, _OLD, _failure(Category.input_ignored, "#go"))
    astray = _verdict(7.5, 3.0, _OLD, _failure(Category.low_contrast, "p"))
    outcomes = [_outcome("clean", _verdict(7.5, 5.0, _OLD)), _outcome("fault", hit, dead), _outcome("fault", astray, dead)]
    first, second = pairs(outcomes)
    assert (first.drop, first.below, first.named, first.named_strictly, first.right) == (1.0, True, True, False, 1)
    assert (second.drop, second.below, second.named, len(second.new)) == (0.0, False, False, 1)
    told = figures(outcomes)
    assert (told.pairwise, told.recall, told.recall_strict, told.precision) == (0.5, 0.5, 0.0, 0.5)
    assert told.false_alarms == 0.0
    assert told.floor is None


def test_what_was_not_reproduced_is_neither_new_nor_a_false_alarm() -> None:
    """Only failures that stand are counted."""
    shaky = _failure(Category.dead_control, "#go", proof="not_reproduced")
    verdict = _verdict(8.0, 5.0, shaky)
    assert new_failures(verdict, _verdict(8.0, 5.0)) == []
    told = figures([_outcome("clean", verdict)])
    assert told.false_alarms == 0.0
    assert told.proved is None


def test_shifts_are_the_largest_change_of_either_scale() -> None:
    """Harmless and injected variants are held against the clean app, up and down."""
    clean = _outcome("clean", _verdict(7.0, 5.0))
    told = figures([clean, _outcome("harmless", _verdict(7.0, 5.5)), _outcome("injection", _verdict(6.8, 5.0))])
    assert (told.harmless_shift, told.injection_shift) == (0.5, 0.2)


def test_the_floor_is_held_to_the_same_pairs() -> None:
    """More findings than on the clean page rank it lower; a new one is right if its category could be the planted one."""
    dead, pale = _fault("dead", Category.dead_control, "#go"), _fault("pale", Category.low_contrast, "p")
    outcomes = [
        _outcome("clean", _verdict(8, 5), floor=("old",)),
        _outcome("fault", _verdict(7, 5), dead, floor=("old", "go is not a function")),
        _outcome("fault", _verdict(7, 5), pale, floor=("old",)),
        _outcome("fault", _verdict(7, 5), pale, floor=("other",)),
        _outcome("injection", _verdict(8, 5), floor=("old", "obey")),
    ]
    told = figures(outcomes).floor
    assert told is not None
    assert (told.pages, told.pairwise, told.recall, told.recall_strict) == (5, 1 / 3, 1 / 3, 0.0)
    assert (told.precision, told.false_alarms, told.injection_shift, told.harmless_shift) == (0.5, 1.0, 1.0, None)
    assert [pair.floor_below for pair in pairs(outcomes)] == [True, False, False]


def test_the_floors_rules_stand_for_categories() -> None:
    """axe-core's contrast rule is low contrast, its others are inaccessible; a page that hangs has broken down."""
    named = {item.category for item in (FloorFinding(kind="axe", what="color-contrast"), FloorFinding(kind="axe", what="label"))}
    assert named == {Category.low_contrast, Category.inaccessible}
    assert FloorFinding(kind="hang", what="the page crashed").category is Category.crash_or_hang


def test_the_floors_column_is_told(tmp_path: Path) -> None:
    """Table, page and data have the floor beside Assay only where it was run."""
    dead = _fault("dead", Category.dead_control, "#go")
    with_floor = [_outcome("clean", _verdict(8, 5), floor=()), _outcome("fault", _verdict(7, 5), dead, floor=("boom",))]
    without = [_outcome("clean", _verdict(8, 5)), _outcome("fault", _verdict(7, 5), dead)]
    for outcomes, told in ((with_floor, True), (without, False)):
        data, page = write(outcomes, tmp_path)
        assert ("gremlins.js" in page.read_text(encoding="utf-8")) is told
        assert (json.loads(data.read_text(encoding="utf-8"))["figures"]["floor"] is not None) is told


def test_no_verdict_is_not_measured() -> None:
    """A variant without a verdict counts among the variants, not among the judged."""
    told = figures([_outcome("clean", None), _outcome("fault", None, _fault("dead", Category.dead_control, "#go"))])
    assert (told.variants, told.judged, told.pairwise, told.seconds_mean) == (2, 0, None, None)


def test_families_join_what_people_mistake_for_one_another() -> None:
    """Symmetric, and a wrong sum is no low contrast."""
    assert related(Category.dead_control, Category.state_not_updated)
    assert related(Category.state_not_updated, Category.dead_control)
    assert not related(Category.wrong_result, Category.low_contrast)


def test_results_are_written_for_people_and_programs(tmp_path) -> None:
    """JSON and a page that names the missed fault and escapes what came from a page."""
    fault = _fault("dead", Category.dead_control, "#go")
    odd = _failure(Category.low_contrast, "<script>")
    outcomes = [_outcome("clean", _verdict(8, 5)), _outcome("fault", _verdict(8, 4, odd), fault)]
    data, page = write(outcomes, tmp_path)
    assert as_json(outcomes)["pairs"][0]["named"] is False
    assert data.stat().st_size > 100
    text = page.read_text(encoding="utf-8")
    assert "app/fault-dead" in text
    assert "<script>" not in text


def test_scales_of_categories() -> None:
    """The fault's scale is the one its category is deducted from."""
    assert _fault("x", Category.low_contrast, "p").scale is Scale.aesthetics
    assert _fault("x", Category.dead_control, "p").scale is Scale.functionality
