"""Tools of a drawing surface at work: a shape tool draws, and after a zoom a click still falls where it is aimed."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.checks.lands import whole
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Match, Survey, candidate, expects, target_of
from tools.browser.actions import Action, Click, Drag, Target
from tools.browser.marks import Mark

TRY = 93.0
USES, AFTER_A_ZOOM = "draw with a tool", "draw after a zoom"
MOST_TOOLS, MOST_ZOOMED = 3, 2
TRIES = 2
_STRAIGHT = re.compile(
    r"\b(?:lines?|rect(?:angle)?s?|square|ellipses?|circles?|oval|arrow|spray|linie|gerade|rechteck|ellipse|kreis)\b|直线|矩形|椭圆|圆",
    re.IGNORECASE,
)
_FILLS = re.compile(r"\b(?:fill|bucket|paint ?bucket|füllen|fülleimer|farbeimer)\b|填充|油漆桶", re.IGNORECASE)
_NO_TOOL = re.compile(r"\b(?:width|size|thickness|colou?r|style|height|dash|clear|delete|export)\b|粗细|颜色|大小", re.IGNORECASE)
_ZOOM = re.compile(r"\bzoom|vergrö(?:ß|ss)er|verkleiner|放大|缩小", re.IGNORECASE)
_PLACES = ((0.24, -0.2), (-0.27, 0.23), (-0.22, -0.24))
"""Where it is tried, in shares of the canvas' size from its middle, where a wrong scale tells least."""
_BUTTONS = frozenset({Kind.button, Kind.radio, Kind.option, Kind.tab, Kind.other})


def propose(survey: Survey, surface: Mark, promise: Match, *, pen: bool) -> list[Candidate]:
    """A stroke with the shape tool that was just chosen; a click after a zoom (`pen`: a stroke draws now)."""
    last, target = survey.last, target_of(survey.last) if survey.last is not None else None
    if last is None or not last.acted.delivered or survey.layered:
        return []
    if target is not None and isinstance(last.decision.action, Click) and _is_tool(survey, target):
        return _use(survey, surface, promise, target.name, 0)
    if last.decision.skill == USES and _undecided(last, "draws"):
        name = next((str(one.params.get("tool", "")) for one in last.decision.expectations if one.oracle == "draws"), "")
        return _use(survey, surface, promise, name, 1)
    if not pen or not whole(survey.now, surface) or survey.count(AFTER_A_ZOOM) >= MOST_ZOOMED:
        return []
    zoomed = target is not None and _ZOOM.search(target.name) is not None and last.decision.skill != AFTER_A_ZOOM
    if zoomed or (last.decision.skill == AFTER_A_ZOOM and _undecided(last, "lands")):
        return [_dot(survey, surface, promise, survey.count(AFTER_A_ZOOM))]
    return []


def _is_tool(survey: Survey, target: Target) -> bool:
    mark = next((one for one in survey.now.marks if one.selector == target.selector and one.frame == target.frame), None)
    if mark is None or kind_of(mark) not in _BUTTONS or _NO_TOOL.search(mark.name):
        return False
    return bool(_STRAIGHT.search(mark.name) or _FILLS.search(mark.name))


def _undecided(step: Step, oracle: str) -> bool:
    return any(one.oracle == oracle and one.held is None and one.attempts for one in step.outcomes)


def _use(survey: Survey, surface: Mark, promise: Match, tool: str, attempt: int) -> list[Candidate]:
    used = {str(one.params.get("tool")) for step in survey.steps for one in step.decision.expectations if one.params.get("tool")}
    if (tool in used and not attempt) or len(used) > MOST_TOOLS:
        return []
    dx, dy = _PLACES[(len(used) + attempt) % len(_PLACES)]
    aim = Target.of(surface, dx=dx, dy=dy)
    act: Action = Click(target=aim)
    if not _FILLS.search(tool):
        act = Drag(target=aim, by=(-dx * 0.7 * surface.box.width, -dy * 0.6 * surface.box.height))
    text = f'"{tool}" leaves something on the canvas'
    told = expects("draws", text, promise.id, key=f"tool {tool}", tool=tool)
    return [candidate(TRY + attempt, act, f'"{tool}" was chosen, and has to do something', USES, told)]


def _dot(survey: Survey, surface: Mark, promise: Match, attempt: int) -> Candidate:
    dx, dy = _PLACES[attempt % len(_PLACES)]
    last = survey.last
    made_by = last.acted_id if last is not None else ""
    told = expects("lands", "what is drawn falls where the pointer is", promise.id, key="lands zoomed", made_by=made_by)
    act = Click(target=Target.of(surface, dx=dx, dy=dy))
    return candidate(TRY, act, "zoomed, a click has to fall where it is aimed still", AFTER_A_ZOOM, told)
