"""Referees side by side, never mixed, and the partial order they share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.judges.chat import ChatJudge
from evaluator.judges.ordering import common_order, covering, order_of
from evaluator.judges.panel import Panel, Referee
from evaluator.judges.rubric import RubricJudge
from evaluator.verdict.model import Interval
from tests.unit.evaluator.records import aesthetics, proved
from tests.unit.judges.looks import Looked, Scripted, found, impression, problem
from tests.unit.judges.test_claims import scored_as_listed
from tools.errors import UserError
from tools.models.trouble import ModelTrouble


def exactly(value: float) -> Interval:
    """A score without doubt."""
    return Interval(value=value, low=value, high=value)


def judge(*problems: dict[str, Any], confidence: float = 0.8) -> ChatJudge:
    """A judge whose model finds those problems."""

    def scorer(ask: Any) -> dict[str, Any]:
        values = scored_as_listed(ask)
        values["functionality"]["confidence"] = values["aesthetics"]["confidence"] = confidence
        return values

    return ChatJudge(Scripted(static_reader=impression(), problem_finder=found(*problems), scorer=scorer))


async def test_referees_are_reported_apart(tmp_path: Path) -> None:
    """Each referee keeps its score; the board says what all name, what some name, and how far they lie apart."""
    run = Looked(tmp_path)
    referee, two = run.changes("#add"), run.changes("#clear")
    both = problem(
        "layout_overlap", "The total is wrong", [run.shot_after(referee)], steps=[referee.id], severity="critical", target="#add"
    )
    other = problem(
        "layout_overlap", "Clearing keeps a line", [run.shot_after(two)], steps=[two.id], severity="minor", target="#clear"
    )
    panel = Panel((Referee("strict", judge(both, other)), Referee("mild", judge(both)), Referee("rubric", RubricJudge())))
    verdict = await panel.judge(run.seal())
    board = verdict.board
    assert board is not None
    assert verdict.judge == "panel, led by strict (chat)"
    values = [referee.aesthetics.value if referee.aesthetics else None for referee in board.referees]
    assert values == [2.5, 3.0, 5.0]
    assert aesthetics(verdict) == 5.0, "nothing is proved yet"
    assert aesthetics(proved(verdict)) == 2.5
    assert board.shared == ()
    assert len(board.disputed) == 2
    assert board.distance["aesthetics"] == 2.5
    two_only = await Panel((Referee("strict", judge(both, other)), Referee("mild", judge(both)))).judge(run.seal_again())
    assert two_only.board is not None
    assert len(two_only.board.shared) == 1


async def test_referees_share_an_order_of_failures(tmp_path: Path) -> None:
    """What all find heavier is stated; scores are not needed for it."""
    run = Looked(tmp_path)
    item, two = run.changes("#add"), run.changes("#clear")
    heavy = problem(
        "layout_overlap", "The total is wrong", [run.shot_after(item)], steps=[item.id], severity="critical", target="#add"
    )
    light = problem("layout_overlap", "A line stays", [run.shot_after(two)], steps=[two.id], severity="minor", target="#clear")
    board = (await Panel((Referee("a", judge(heavy, light)), Referee("b", judge(light, heavy)))).judge(run.seal())).board
    assert board is not None
    assert len(board.shared) == 2
    first, second = board.heavier[0]
    titles = board.referees[0].titles
    assert (titles[first], titles[second]) == ("The total is wrong", "A line stays")
    assert board.contradicted == ()


async def test_a_referee_that_abstains_or_fails_has_no_score(tmp_path: Path) -> None:
    """Abstained and failed referees are shown without a score, and the next one leads."""
    run = Looked(tmp_path)
    act = run.changes()
    said = problem("layout_overlap", "The total is wrong", [run.shot_after(act)], steps=[act.id])
    trouble = ModelTrouble("timeout", "late")
    broken = ChatJudge(Scripted(static_reader=trouble, problem_finder=trouble, scorer=trouble))
    panel = Panel((Referee("unsure", judge(said, confidence=0.1)), Referee("broken", broken), Referee("sure", judge(said))))
    verdict = await panel.judge(run.seal())
    assert verdict.board is not None
    told = {referee.name: (referee.status, referee.functionality) for referee in verdict.board.referees}
    assert told["unsure"] == ("abstained", None)
    assert told["broken"] == ("failed", None)
    assert told["sure"][0] == "not_enough_seen"
    assert verdict.judge.startswith("panel, led by sure")
    assert aesthetics(proved(verdict)) == 4.0


def test_a_panel_needs_two_different_referees() -> None:
    """One referee, or the same name twice, is refused with a word of what to do."""
    with pytest.raises(UserError, match="two or more referees"):
        Panel((Referee("rubric", RubricJudge()),))
    with pytest.raises(UserError, match="different names"):
        Panel((Referee("rubric", RubricJudge()), Referee("rubric", RubricJudge())))


def test_constraints_that_two_referees_share() -> None:
    """By hand: both put a before b and b before c; they differ over c and d; e is ranked by one alone."""
    first = {"a": exactly(7), "b": exactly(5), "c": exactly(3), "d": exactly(2), "e": exactly(1)}
    second = {"a": exactly(8), "b": exactly(6), "c": exactly(1), "d": exactly(4)}
    order = common_order({"first": first, "second": second})
    assert order.things == ("a", "b", "c", "d")
    assert set(order.shared) == {("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")}
    assert order.contradicted == (("c", "d"),)
    assert set(order.covering) == {("a", "b"), ("b", "c"), ("b", "d")}
    assert order.agreement == pytest.approx(5 / 6)


def test_overlapping_intervals_order_nothing() -> None:
    """A referee whose intervals overlap does not say which is better."""
    scores = {"a": Interval(value=6, low=5, high=7), "b": Interval(value=5.5, low=5, high=6)}
    assert order_of(scores) == frozenset()
    assert common_order({"one": scores, "two": scores}).open == (("a", "b"),)


SCORES = st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 8, allow_nan=False).map(lambda value: exactly(round(value, 2))))


@given(st.dictionaries(st.sampled_from(["r1", "r2", "r3"]), SCORES, min_size=2))
def test_shared_constraints_are_a_partial_order(referees: dict[str, dict[str, Interval]]) -> None:
    """Shared constraints are never turned round, are disjoint from the contradicted, and follow from their covering pairs."""
    order = common_order(referees)
    shared = set(order.shared)
    assert not any((other, item) in shared for item, other in shared)
    assert not shared & set(order.contradicted)
    if all(set(scores) == set(next(iter(referees.values()))) for scores in referees.values()):
        assert reachable(set(covering(shared))) == shared


def reachable(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The transitive closure."""
    closed = set(edges)
    while more := {(item, last) for item, middle in closed for start, last in closed if middle == start} - closed:
        closed |= more
    return closed
