"""Failures, replays and comparisons as tests need them: no run behind them."""

from __future__ import annotations

from evaluator.comparison.model import Comparison, Difference, Item, OutcomeOf, Replay, RunFacts, Side, State
from evaluator.results.rows import Span
from evaluator.verdict.model import Failure, Place, Proof
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity


def failure(name: str, *, counts: bool = True, severity: str = "major", **more: object) -> Failure:
    """A failure of that id; a suspicion where it does not count."""
    values: dict[str, object] = {
        "id": name, "category": Category.wrong_result, "severity": Severity(severity), "scale": Scale.functionality,
        "blame": Blame.app, "title": f"{name} is wrong", "expected": "right", "observed": "wrong", "origin": "new",
        "place": Place(), "steps": ("press the button",), "step_ids": (), "evidence": ("e000001",), "confidence": 0.9,
        "points": 1.0, "proof": Proof(status="confirmed" if counts else "not_reproduced"),
    }  # fmt: skip
    return Failure.model_validate(values | more)


def replay(outcome: OutcomeOf, on: Side = "a", reason: str = "3 acts in a fresh browser") -> Replay:
    """What came of it there."""
    return Replay(on=on, outcome=outcome, reason=reason)


def item(state: State, name: str = "f-1", **more: object) -> Item:
    """One of that state, on the side that shows it."""
    first = failure(name)
    values: dict[str, object] = {
        "state": state, "a": None if state in {"new", "not_seen_before", "seen_only_in_b"} else first,
        "b": None if state in {"gone", "not_seen_again", "seen_only_in_a"} else first, "by": "added_appears",
    }  # fmt: skip
    return Item.model_validate(values | more)


def apart(a: tuple[float, float, float], b: tuple[float, float, float]) -> Difference:
    """Value, low, high of either side."""
    spans = [Span(value=value, low=low, high=high) for value, low, high in (a, b)]
    return Difference(
        scale=Scale.functionality, a=spans[0], b=spans[1], value=b[0] - a[0], low=b[1] - a[2], high=b[2] - a[1],
    )  # fmt: skip


def comparison(*items: Item, name: str = "", **more: object) -> Comparison:
    """Of two runs that are no folders."""
    sides = {
        side: RunFacts(run=f"runs/{side}", subject=f"/apps/{side}.html", headline="complete: 5 acts", judge="rubric 1")
        for side in "ab"
    }
    return Comparison.model_validate({"a": sides["a"], "b": sides["b"], "items": items, "name": name, **more})
