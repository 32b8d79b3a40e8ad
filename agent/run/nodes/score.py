"""Score: hand the sealed record to the judge."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.run.context import RunContext
from agent.run.state import State
from evaluator.judges.rescore import rescore


async def score(state: State, runtime: Runtime[RunContext]) -> State:
    """Judge the sealed evidence and write `verdict.json`. The judge sees the run's folder and nothing else."""
    del state
    context = runtime.context
    verdict = await rescore(context.run_dir, context.judge)
    runtime.stream_writer({"event": "scored", "failures": len(verdict.accused)})
    return {"status": verdict.status}
