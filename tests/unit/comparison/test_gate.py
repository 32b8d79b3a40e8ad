"""How a comparison ends."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator.comparison.gate import fail_on, rule, rule_works
from evaluator.comparison.model import Comparison, Item, Work, Works
from evaluator.comparison.scores import difference, totals, why_unscored
from evaluator.verdict.model import Score, Verdict
from evaluator.verdict.taxonomy import Scale
from tests.unit.comparison.failures import apart, comparison, failure, item, replay
from tools.errors import UserError

NEW_PART = item("not_seen_before", replay=replay("part missing"))
OPEN = item("not_seen_before", replay=replay("not told"))
LOWER, HARDLY_LOWER = apart((7, 6, 8), (4, 2, 5)), apart((7, 4.5, 8), (4, 2, 5))


@pytest.mark.parametrize(
    ("items", "more", "code"),
    [
        ((), {}, 0),
        ((item("gone"), item("both"), item("better"), item("seen_only_in_a"), item("seen_only_in_b")), {}, 0),
        ((item("not_seen_again"),), {}, 0),
        ((item("new"),), {}, 1),
        ((item("worse"),), {}, 1),
        ((NEW_PART,), {}, 1),
        ((OPEN,), {}, 3),
        ((OPEN, item("new", "f-2")), {}, 1),
        ((), {"functionality": LOWER}, 1),
        ((), {"functionality": HARDLY_LOWER}, 0),
        ((), {"aesthetics": LOWER}, 0),
        ((), {"unscored": "the evaluation of A is incomplete: the browser went away", "whole": False}, 3),
        ((), {"unscored": "A was judged by rubric, B by chat"}, 0),
    ],
)
def test_the_code_says_whether_something_is_worse(items: tuple[Item, ...], more: dict[str, Any], code: int) -> None:
    """1 for what came with B, 3 for what could not be told, and each with a line that says why."""
    ruling = rule([comparison(*items, **more)], "minor")
    assert ruling.exit_code == code
    assert bool(ruling.lines) is (code != 0)


def test_fail_on_asks_for_a_gravity() -> None:
    """A major failure does not fail what asks for critical ones; never fails nothing, not even a lower score."""
    first = comparison(item("new"), OPEN, functionality=LOWER)
    assert [rule([first], least).exit_code for least in ("minor", "major", "critical", "never")] == [1, 1, 1, 0]
    bare = comparison(item("new"), OPEN)
    assert [rule([bare], least).exit_code for least in ("minor", "major", "critical", "never")] == [1, 1, 0, 0]
    with pytest.raises(UserError, match="minor, major, critical, never"):
        fail_on("sometimes")


def test_a_work_that_only_one_side_has_decides_nothing_and_one_that_broke_does() -> None:
    """It is listed; what could not be compared is no pass."""
    here = Work(name="clock", comparison=comparison(name="clock"))
    assert rule_works(Works(a="x", b="y", works=(here, Work(name="game", only_in="b"))), "minor").exit_code == 0
    broken = Works(a="x", b="y", works=(here, Work(name="game", problem="it is not sealed")))
    assert rule_works(broken, "minor").exit_code == 3
    worse = Work(name="list", comparison=comparison(item("new"), name="list"))
    ruling = rule_works(broken.model_copy(update={"works": (*broken.works, worse)}), "minor")
    assert ruling.exit_code == 1
    assert ruling.lines[0].startswith("list: new (major)")


def score(value: float, low: float, high: float) -> Score:
    """A score with its interval."""
    return Score(value=value, value_100=value / 8 * 100, baseline=8.0, items=(), low=low, high=high)


def test_a_difference_lies_where_both_scores_may_lie() -> None:
    """Its interval holds every difference of a value of B's interval and one of A's, and no narrower one does."""
    found = difference(Scale.functionality, score(6, 4, 7), score(5, 4.5, 8))
    assert found is not None
    assert (found.value, found.low, found.high) == (-1.0, -2.5, 4.0)
    corners = [b - a for a in (4, 7) for b in (4.5, 8)]
    assert (found.low, found.high) == (min(corners), max(corners))
    assert not found.lower
    assert difference(Scale.functionality, None, score(5, 4, 6)) is None


def verdict(**more: object) -> Verdict:
    """A verdict without failures."""
    values: dict[str, object] = {
        "status": "complete", "seal": "s", "judge": "rubric", "rubric": "1", "failures": (), "functionality": score(8, 8, 8),
        "aesthetics": None,
    }  # fmt: skip
    return Verdict.model_validate(values | more)


@pytest.mark.parametrize(
    ("more", "says"),
    [({}, ""), ({"judge": "chat"}, "judged by"), ({"rubric": "2"}, "rescore"), ({"status": "incomplete"}, "B is incomplete")],
)
def test_scores_of_different_measures_are_not_compared(more: dict[str, object], says: str) -> None:
    """Another judge, another rubric, an evaluation that is not whole: no difference is made of them."""
    told = why_unscored(verdict(), verdict(**more))
    assert (says in told) if says else not told


def test_the_total_is_a_mean_over_works_with_both_scores() -> None:
    """With a bootstrap over works from two of them on, and the means of what missing evidence leaves open."""
    scored = [comparison(functionality=apart((6, 5, 7), (b, 4, 8))) for b in (5, 6, 7, 8)]
    (total,) = totals([*scored, comparison()])
    assert (total.a, total.b, total.difference.value, total.difference.n) == (6.0, 6.5, 0.5, 4)
    assert total.difference.low is not None
    assert total.difference.high is not None
    assert -1 <= total.difference.low < 0.5 < total.difference.high <= 2
    assert (total.low, total.high) == (-3.0, 3.0)
    (single,) = totals(scored[:1])
    assert single.difference.low is None
    assert totals([comparison()]) == ()


def test_the_lead_is_the_side_that_confirmed_it() -> None:
    """A suspicion of B beside a failure of A: the failure is told."""
    sure, doubtful = failure("f-1"), failure("f-2", counts=False)
    assert Item(state="not_seen_again", a=sure, b=doubtful, by="").lead is sure
    assert Comparison.model_validate(comparison(item("new"), item("gone", "f-2")).model_dump()).of("gone")[0].lead.id == "f-2"
