"""The state machine's shape, and what its working memory is read back from."""

from __future__ import annotations

from typing import get_type_hints

from agent.deciders.protocol import Decision, Expectation
from agent.graph import build
from agent.history import decided_row, decision_of, read_steps
from agent.state import State
from tools.browser.actions import Click, Target
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Acted, Changes, Outcome, Phase

ORDER = ("launch", "perceive", "plan", "observe", "decide", "act", "seal", "score", "prove", "report")


def a_decision() -> Decision:
    """A decision with everything in it."""
    return Decision(
        action=Click(target=Target(selector="#add", role="button", name="Add"), count=2),
        why="it is named in the brief",
        skill="buttons",
        expectations=(Expectation("responds", "something happens", {"times": 2.0, "word": "milk", "strict": True}, "p1"),),
    )


def test_every_node_of_the_design_is_there() -> None:
    """Nodes and the order of the straight way through."""
    graph = build()
    assert set(ORDER) <= set(graph.nodes)
    assert {("act", "observe"), ("seal", "score"), ("score", "prove"), ("prove", "report")} <= graph.edges


def test_the_state_carries_only_small_values() -> None:
    """Ids, numbers and words: nothing that could make a checkpoint large."""
    for name, kind in get_type_hints(State).items():
        assert kind in {bool, int, str} or "Literal" in str(kind), name


def test_a_decision_survives_the_ledger() -> None:
    """Written and read back, a decision is the same."""
    assert decision_of(decided_row(a_decision(), "curious")) == a_decision()


def test_a_wish_to_stop_survives_the_ledger() -> None:
    """A decision without an action does, too."""
    stop = Decision(action=None, why="nothing is left", stop="covered")
    assert decision_of(decided_row(stop, "curious")) == stop


def test_steps_are_read_back_with_their_outcomes(ledger: Ledger) -> None:
    """What a resumed run knows is what the interrupted one knew."""
    decided = ledger.append(decided_row(a_decision(), "curious"), producer="decider", phase=Phase.explore)
    acted = Acted(
        step=1,
        action={},
        description="click",
        delivered=True,
        before="e000001",
        after="e000002",
        changes=Changes(),
        started_ms=1,
        ended_ms=2,
    )
    row = ledger.append(acted, producer="hands", parent=decided.id)
    outcome = Outcome(oracle="responds", expectation="something happens", observed="nothing", held=False, symptom="dead_control")
    ledger.append(outcome, producer="oracle.responds", parent=row.id)
    ledger.sync()
    (step,) = read_steps(Record.read(ledger.run_dir))
    assert (step.number, step.decision, step.acted, step.acted_id, step.outcomes) == (1, a_decision(), acted, row.id, (outcome,))
