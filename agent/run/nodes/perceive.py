"""Perceive: the first impression, passive only – no input is sent (spec: stage 1)."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime

from agent.run.context import RunContext
from agent.run.nodes.launch import recover
from agent.run.state import State
from configs.settings import Size
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed, TabHung
from tools.evidence.rows import Audited, Gap, Phase
from tools.probes.page import audit_page
from tools.probes.protocol import Result


async def perceive(state: State, runtime: Runtime[RunContext]) -> State:
    """Pictures at desktop and mobile width, DOM, accessibility, source, audits. Returns a stop reason if the page is gone."""
    del state
    context = runtime.context
    await recover(context, "perceive")
    context.ledger.phase = Phase.perceive
    stage = context.stage
    if stage is None:
        return {"stop": "crashed"}
    if stage.state != "live":
        return {"stop": stop_for(stage.state)}
    try:
        await _look(context, stage)
    except (TabHung, TabCrashed) as fault:
        context.notebook.stage_trouble = fault.message
        context.ledger.append(Gap(what="static perception", reason=fault.message, blame=stage.blame), producer="perceive")
        return {"stop": stop_for(stage.state)}
    finally:
        context.ledger.sync()
    return {"observation": context.notebook.first.id if context.notebook.first else ""}


def stop_for(stage_state: str) -> Literal["hung", "crashed"]:
    """The stop reason that belongs to a stage that is no longer live."""
    return "hung" if stage_state == "hung" else "crashed"


async def _look(context: RunContext, stage: Stage) -> None:
    settings = context.settings
    context.notebook.see(await stage.look("first"))
    await stage.dom()
    await stage.accessibility()
    await stage.sources()
    await _audit(context, stage, "desktop")
    await stage.screenshot("full", full_page=True)
    await stage.resize(settings.mobile)
    await stage.settle(settings.timeouts.settle_action_s)
    await stage.screenshot("mobile")
    await _audit(context, stage, "mobile")
    await stage.resize(Size(width=settings.viewport.width, height=settings.viewport.height))
    await stage.settle(settings.timeouts.settle_action_s)


async def _audit(context: RunContext, stage: Stage, viewport: str) -> None:
    results = await audit_page(
        stage, viewport="mobile" if viewport == "mobile" else "desktop", brief_language=context.brief_language
    )
    for result in results:
        write_result(context, result, viewport)


def write_result(context: RunContext, result: Result, viewport: str) -> None:
    """A probe's result as rows: the audit, and each finding as its child."""
    ledger = context.ledger
    audited = ledger.append(
        Audited(
            probe=result.probe,
            viewport=viewport,
            measured=result.measured,
            reason=result.reason,
            findings=len(result.findings),
            values=result.values,
        ),
        producer=f"probe.{result.probe}",
    )
    for finding in result.findings:
        ledger.append(finding, producer=f"probe.{result.probe}", parent=audited.id)
