"""Driving the graph to its end: its events are told, a person's pauses are stood through, signals end it in order."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command

from agent.run.checkpoints import saver_of
from agent.run.context import RunContext
from agent.run.graph import build
from agent.run.signals import Signals

VISITS_AN_ACT = 3
"""Visits to `explore` for each act of a trial, at most: a trial without acts counts as one, and so do ways that lead nowhere."""
Listener = Callable[[dict[str, Any]], None]
"""Is told of each event while an evaluation runs: a dict with `event` and small values."""


async def drive(context: RunContext, listener: Listener | None, *, resume: bool) -> bool:
    """Run the graph to its end; True if it was ended before its verdict and can be resumed. See `Signals` for what ends it."""
    tell, signals = listener or (lambda _: None), Signals(context.steering)
    async with saver_of(context.run_dir) as saver, signals.heeded():
        graph = build().compile(checkpointer=saver, name="assay")
        config: Any = {
            "configurable": {"thread_id": context.run_dir.name},
            "recursion_limit": 20 + VISITS_AN_ACT * context.settings.budget.max_acts,
        }
        begin: Any = None if resume else {"step": 0, "stop": ""}
        try:
            return await _to_the_end(graph, begin, config, context, signals, tell)
        except asyncio.CancelledError:
            signals.forgive()
        if context.ledger.sealed:
            return True
        # What was under way is given up; what there is gets sealed and judged.
        signals.control = RunControl()
        context.steering.end(signals.last)
        try:
            return await _to_the_end(graph, None, config, context, signals, tell)
        except asyncio.CancelledError:
            signals.forgive()
            return True


async def _to_the_end(graph: Any, begin: Any, config: Any, context: RunContext, signals: Signals, tell: Listener) -> bool:
    control = signals.control
    try:
        while await _stream(graph, begin, config, context, control, tell):
            await _stand(context, control, tell)
            if control.drain_requested:
                return True
            begin = Command(resume=True)
    except GraphDrained:
        return True
    return False


async def _stream(graph: Any, begin: Any, config: Any, context: RunContext, control: RunControl, tell: Listener) -> bool:
    """Run the graph until it ends or stands at an interrupt: True for the latter."""
    standing = False
    stream = graph.astream(
        begin,
        config,
        context=context,
        stream_mode=["tasks", "updates", "custom"],
        # The default would lose the node that a hard kill interrupts.
        durability="sync",
        control=control,
    )
    async for mode, payload in stream:
        standing = standing or (mode == "updates" and "__interrupt__" in payload)
        event = _event(mode, payload)
        if event is not None:
            tell({**event, "at_s": round(time.monotonic() - context.started_s, 2)})
    return standing


def _event(mode: str, payload: Any) -> dict[str, Any] | None:
    """What is told of one part of the graph's stream; None for parts that say nothing new."""
    match mode:
        case "custom":
            return payload
        case "updates" if "__interrupt__" not in payload:
            return {"event": "node", "node": next(iter(payload), "")}
        case "tasks" if "input" in payload:
            return {"event": "entered", "node": payload["name"]}
        case _:
            return None


async def _stand(context: RunContext, control: RunControl, tell: Listener) -> None:
    """Wait until the person who watches lets the run go on, or it is interrupted; app time stands, and no budget runs."""
    began = context.paused_since_s = time.monotonic()
    context.steering.standing = True
    tell({"event": "paused", "at_s": round(began - context.started_s, 2)})
    try:
        async with context.stage.deliberating() if context.stage is not None else contextlib.nullcontext():
            if not control.drain_requested and context.steering.pausing:
                await context.steering.go()
    finally:
        context.steering.standing = False
        context.paused_since_s = None
        context.paused_s += time.monotonic() - began
    tell({"event": "went_on", "at_s": round(time.monotonic() - context.started_s, 2)})
