"""Failures put together by what they come from."""

from __future__ import annotations

from evaluator.reports.causes import by_cause
from evaluator.verdict.model import Cause, Failure
from evaluator.verdict.taxonomy import Category, Scale
from tests.unit.reports.failures import failure


def _ids(*failures: Failure) -> list[list[str]]:
    return [[item.id for item in group] for group in by_cause(failures)]


def test_one_line_of_the_source_is_one_cause() -> None:
    """Failures from one line stand together, in the order they came; the line next to it is another cause."""
    here, there = Cause(known=True, file="app.js", line=9), Cause(known=True, file="app.js", line=10)
    found = [failure("a", cause=here), failure("b", cause=there), failure("c", cause=here)]
    assert _ids(*found) == [["a", "c"], ["b"]]


def test_what_was_measured_goes_by_its_kind_and_what_was_tried_stands_alone() -> None:
    """Two audits of one kind are one thing to mend; two dead buttons may be dead for two reasons."""
    measured = [failure(name, sealed=True) for name in ("a", "b")]
    tried = [failure(name, category=Category.dead_control) for name in ("c", "d")]
    assert _ids(measured[0], tried[0], measured[1], tried[1]) == [["a", "b"], ["c"], ["d"]]


def test_a_minified_file_is_one_line_and_many_causes() -> None:
    """Two rules on one line are two things to mend; the same rule met twice is one."""
    dim, narrow = (Cause(known=True, file="main.css", line=1, excerpt=rule) for rule in (".a {color:#ccc}", ".b {width:900px}"))
    found = [failure("a", cause=dim), failure("b", cause=narrow), failure("c", cause=dim)]
    assert _ids(*found) == [["a", "c"], ["b"]]


def test_a_rule_that_sets_a_colour_and_a_width_is_two_causes() -> None:
    """What was measured there is of two kinds and mended twice; what one line of a script breaks in use is one."""
    here = Cause(known=True, file="index.html", line=6)
    faint = {"cause": here, "sealed": True, "category": Category.low_contrast, "scale": Scale.aesthetics}
    wide = {**faint, "category": Category.not_responsive}
    assert _ids(failure("a", **faint), failure("b", **wide), failure("c", **faint)) == [["a", "c"], ["b"]]
    dead, wrong = ({"cause": here, "category": kind} for kind in (Category.dead_control, Category.wrong_result))
    assert _ids(failure("d", **dead), failure("e", **wrong)) == [["d", "e"]]
