"""Conclude: what happens when a node fails or takes too long. The evidence so far is sealed; nothing is lost."""

from __future__ import annotations

import traceback
from typing import Literal

from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.runtime import Runtime
from langgraph.types import Command

from agent.run.context import RunContext
from agent.run.state import State
from tools.errors import AssayError
from tools.evidence.rows import Gap


def conclude(state: State, error: NodeError, runtime: Runtime[RunContext]) -> Command[Literal["seal"]]:
    """Write down why the exploration ended early and go on to sealing. What is meant for the user is raised again."""
    del state
    context, fault = runtime.context, error.error
    if isinstance(fault, AssayError) and error.node == "launch":
        raise fault
    if isinstance(fault, NodeTimeoutError):
        reason, blame, stop = f"{error.node} took longer than {fault.timeout:.0f} s", "ambiguous", "hung"
    elif isinstance(fault, AssayError):
        reason, blame, stop = f"{error.node}: {fault.message}", "environment", "crashed"
    else:
        # A mistake of ours must not cost the user the evidence, nor be taken for a failing of the app.
        reason, blame, stop = f"{error.node}: {type(fault).__name__}: {fault}", "evaluator", "interrupted"
        log = context.run_dir / "logs" / "evaluator.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as stream:
            stream.write("".join(traceback.format_exception(fault)))
    context.notebook.stage_trouble = reason
    context.ledger.append(Gap(what=error.node, reason=reason, blame=blame), producer="conclude")
    context.ledger.sync()
    return Command(update={"stop": stop}, goto="seal")
