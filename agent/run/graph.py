"""The state machine of an evaluation: nodes and edges, nothing else.

    launch → perceive → plan → explore (a trial a visit) ─┐
       │         │                 ▲                      │
       │         │                 └──────────────────────┤
       └─────────┴────────────────────────────────────────┴→ seal → score → prove → report

A node that fails or takes too long leads to `seal`, too (`conclude`): the evidence so far is kept and judged as incomplete.

Every node that needs the page can open it again (`recover`), so a run that was killed goes on at the node it was killed in.
"""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy, TimeoutPolicy

from agent.run.context import RunContext
from agent.run.nodes.conclude import conclude
from agent.run.nodes.explore import explore
from agent.run.nodes.launch import launch
from agent.run.nodes.perceive import perceive
from agent.run.nodes.plan import plan
from agent.run.nodes.prove import prove
from agent.run.nodes.report import report
from agent.run.nodes.score import score
from agent.run.nodes.seal import seal
from agent.run.state import State
from tools.errors import AssayError

RETRY = RetryPolicy(
    max_attempts=2, initial_interval=0.5, retry_on=lambda error: isinstance(error, AssayError) and error.retryable
)
"""Only what says of itself that it may succeed the second time is tried again."""


NODE_S = 600.0
"""Wall seconds of the watchdog of one node. It is there for what is stuck: a trial takes some 2 s, ten times that on a machine
with ten times the work, one that waits for a timer of the page up to a minute, and a model that is asked two."""
CONCLUDE: Any = conclude
"""LangGraph hands a failed node's error to a handler by the type of its parameter, which its own annotations do not cover."""


def _go_on(state: State) -> str:
    return "seal" if state.get("stop") else "next"


def _explored(state: State) -> str:
    return "seal" if state.get("stop") else "explore"


def build() -> StateGraph[State, RunContext, State, State]:
    """The graph, not yet compiled: the caller adds the checkpointer."""
    graph: StateGraph[State, RunContext, State, State] = StateGraph(State, context_schema=RunContext)
    graph.add_node("launch", launch, retry_policy=RETRY)
    graph.add_node("perceive", perceive, timeout=TimeoutPolicy(run_timeout=NODE_S), error_handler=CONCLUDE)
    graph.add_node("plan", plan, timeout=TimeoutPolicy(run_timeout=NODE_S), error_handler=CONCLUDE)
    graph.add_node("explore", explore, timeout=TimeoutPolicy(run_timeout=NODE_S), error_handler=CONCLUDE)
    graph.add_node("seal", seal)
    graph.add_node("score", score, retry_policy=RETRY)
    graph.add_node("prove", prove)
    graph.add_node("report", report)
    graph.add_edge(START, "launch")
    graph.add_conditional_edges("launch", _go_on, {"next": "perceive", "seal": "seal"})
    graph.add_conditional_edges("perceive", _go_on, {"next": "plan", "seal": "seal"})
    graph.add_conditional_edges("plan", _go_on, {"next": "explore", "seal": "seal"})
    graph.add_conditional_edges("explore", _explored, {"explore": "explore", "seal": "seal"})
    graph.add_edge("seal", "score")
    graph.add_edge("score", "prove")
    graph.add_edge("prove", "report")
    graph.add_edge("report", END)
    return graph


graph = build().compile(name="assay")
"""For LangGraph Studio (`langgraph.json`), which brings its own checkpointer."""
