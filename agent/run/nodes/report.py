"""Report: the verdict for machines and for people."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from agent.run.context import RunContext
from agent.run.state import State
from evaluator.reports.as_html import write_html
from evaluator.reports.as_json import write_json


async def report(state: State, runtime: Runtime[RunContext]) -> State:
    """Write `report.json` and `report.html` beside the ledger."""
    del state
    run_dir = runtime.context.run_dir
    await asyncio.to_thread(write_json, run_dir)
    path = await asyncio.to_thread(write_html, run_dir)
    runtime.stream_writer({"event": "report", "path": str(path)})
    return {}
