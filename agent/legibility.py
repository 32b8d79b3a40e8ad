"""Texts that cannot be read for lack of contrast, measured when a step asks for it: after a switch to another theme."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent.deciders.protocol import Decision
from agent.skills.checks.legible import ORACLE, UNREADABLE_BELOW
from tools.browser.eyes import Look
from tools.probes.page import audit_page

if TYPE_CHECKING:
    from tools.browser.stage import Stage


async def with_faint_texts(stage: Stage, decision: Decision, seen: Look) -> Look:
    """The look with the texts whose contrast is under 2.2:1, if the decision asks for them and they can be measured."""
    if all(one.oracle != ORACLE for one in decision.expectations):
        return seen
    result = (await audit_page(stage, viewport="desktop", brief_language="", only=["contrast"]))[0]
    if not result.measured:
        return seen
    faint = [one for one in result.findings if float(one.measured.get("ratio", 21.0)) < UNREADABLE_BELOW]
    words = tuple(one.message for one in faint)
    return replace(seen, observation=seen.observation.model_copy(update={"faint": words}))
