"""Reads a run's working memory back from its ledger, for runs that go on after an interruption."""

from __future__ import annotations

from collections.abc import Sequence

from agent.context import Notebook
from agent.deciders.protocol import Decision, Expectation, Step
from tools.browser.actions import parse_action
from tools.evidence.record import Record
from tools.evidence.rows import Acted, Decided, Outcome, Planned, Steered


def decision_of(row: Decided) -> Decision:
    """The decision that a ledger row tells of."""
    return Decision(
        action=parse_action(row.action) if row.action else None,
        why=row.why,
        skill=row.skill,
        expectations=tuple(
            Expectation(
                oracle=str(one["oracle"]),
                text=str(one["text"]),
                params=dict(one.get("params", {})),
                promise=str(one.get("promise", "")),
            )
            for one in row.expectations
        ),
        stop=row.stop,
        fallback=row.fallback,
        calls=row.calls,
    )


def decided_row(decision: Decision, decider: str) -> Decided:
    """The ledger row that tells of a decision."""
    return Decided(
        decider=decider,
        skill=decision.skill,
        why=decision.why,
        expectation="; ".join(one.text for one in decision.expectations),
        action=decision.action.model_dump(mode="json") if decision.action else {},
        stop=decision.stop,
        expectations=tuple(
            {"oracle": one.oracle, "text": one.text, "params": one.params, "promise": one.promise}
            for one in decision.expectations
        ),
        fallback=decision.fallback,
        calls=decision.calls,
    )


def read_notebook(record: Record) -> Notebook:
    """Plan and finished steps as the ledger has them. What the page looked like is not read back: the page is gone."""
    planned = record.last(Planned)
    return Notebook(plan=planned[1] if planned else None, steps=read_steps(record))


def read_hints(record: Record) -> list[str]:
    """The advice of whoever watched the run before it was interrupted."""
    return [steered.text for _, steered in record.of(Steered) if steered.wish == "hint"]


def chosen(steps: Sequence[Step], ids: Sequence[str]) -> list[Step]:
    """Those of a run's steps whose acts have these ids, in their order, as the run numbered them; none where one is unknown."""
    known = {step.acted_id: step for step in steps}
    return [known[one] for one in ids] if known.keys() >= set(ids) else []


def read_steps(record: Record) -> list[Step]:
    """The finished steps of a run: each action row with its decision and its outcomes."""
    outcomes: dict[str, list[Outcome]] = {}
    for row, outcome in record.of(Outcome):
        outcomes.setdefault(row.parent or "", []).append(outcome)
    steps: list[Step] = []
    for row, acted in record.of(Acted):
        decided = record.row(row.parent or "")
        if decided is None or not isinstance(decided.body, Decided):
            continue
        steps.append(
            Step(
                number=acted.step,
                decision=decision_of(decided.body),
                acted=acted,
                acted_id=row.id,
                outcomes=tuple(outcomes.get(row.id, [])),
            )
        )
    return steps
