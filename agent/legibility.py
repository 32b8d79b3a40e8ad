"""Texts nobody can read, measured when a step asks for it: too little contrast in another theme, too little room."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent.deciders.protocol import Decision
from agent.skills.checks import fits
from agent.skills.checks.legible import ORACLE, UNREADABLE_BELOW
from tools.browser.eyes import Look
from tools.probes.page import audit_page

if TYPE_CHECKING:
    from tools.browser.stage import Stage


SPILLS = frozenset({"overflow.text_spill", "overflow.text_clipped"})


async def with_texts(stage: Stage, decision: Decision, seen: Look) -> Look:
    """The look with what its decision asks to be measured of the page's texts."""
    return await _with_spilled(stage, decision, await with_faint_texts(stage, decision, seen))


async def _with_spilled(stage: Stage, decision: Decision, seen: Look) -> Look:
    """The look with the texts that run out of their boxes, if the decision asks for them and they can be measured."""
    if all(one.oracle != fits.ORACLE for one in decision.expectations):
        return seen
    result = (await audit_page(stage, viewport="desktop", brief_language="", only=["overflow"]))[0]
    if not result.measured:
        return seen
    words = tuple(one.message for one in result.findings if one.symptom in SPILLS)
    return replace(seen, observation=seen.observation.model_copy(update={"spilled": words}))


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
