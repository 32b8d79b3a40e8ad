"""After a pause: the same once more from where it stopped, not from where it would be had it never been paused."""

from __future__ import annotations

from agent.skills.checks.resumed import paused
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts
from tools.browser.actions import Click, Target, Wait

GOES_ON, SHORT_MS = 96.0, 900.0
STOPPED_AGAIN = frozenset({"pause a timer again", "stop a simulation again"})
"""A page that runs on may look as it did when it was stopped first: the same press on the same state, and wanted."""
_RESUMES, _STOPS = frozenset({"resume", "start"}), frozenset({"pause", "stop"})


def resume(survey: Survey, stop: str, skill: str) -> list[Candidate]:
    """A press on what goes on, once, right after what the step called `stop` paused was watched standing."""
    last = survey.last
    again = _stop_again(survey, stop, skill)
    if again:
        return again
    if last is not None and last.decision.skill == skill and last.acted.delivered:
        told = [one for one in last.decision.expectations if one.oracle == "goes_on"]
        open_still = not any(one.oracle == "goes_on" for one in last.outcomes)
        return (
            [candidate(GOES_ON, Wait(ms=SHORT_MS), "it goes on at the next tick", f"watch: {skill}", *told)] if open_still else []
        )
    if survey.count(skill):
        return []
    seen = {one.id: one for one in (*survey.view.past, survey.now)}
    params = paused(survey.steps, seen, stop)
    buttons = [mark for mark in survey.usable if mark_concepts(mark) & _RESUMES and kind_of(mark) is Kind.button]
    if params is None or not buttons:
        return []
    stops = next(step for step in reversed(survey.steps) if step.decision.skill == stop)
    place = survey.steps.index(stops)
    begun = [step.acted_id for step in survey.steps[:place] if step.decision.skill.startswith("start a ")][-1:]
    waited = [step.acted_id for step in survey.steps[place:] if step.acted.action.get("act") == "wait"]
    made_by = " ".join([*begun, *(step.acted_id for step in survey.steps[place - 1 : place]), stops.acted_id, *waited])
    match = survey.promise_about("pause resume go on", frozenset({"feature", "control"}), ("pause",))
    text = "what was paused goes on where it stopped"
    told = expects("goes_on", text, match.id, **params, key="goes on after a pause", made_by=made_by)
    return [candidate(GOES_ON, Click(target=Target.of(buttons[0])), "what was paused can go on", skill, told)]


def _stop_again(survey: Survey, stop: str, skill: str) -> list[Candidate]:
    """Stopped once more after it went on: what comes next, a reset above all, is told only of what stands."""
    last = survey.last
    if last is None or not survey.count(skill) or survey.count(f"{stop} again"):
        return []
    if last.decision.skill == skill and not any(one.oracle == "goes_on" for one in last.outcomes):
        return []  # it is watched first
    if last.decision.skill not in (skill, f"watch: {skill}"):
        return []
    buttons = [mark for mark in survey.usable if mark_concepts(mark) & _STOPS and kind_of(mark) is Kind.button]
    why = "what stands can be set back, and be seen to be"
    return [candidate(GOES_ON, Click(target=Target.of(buttons[0])), why, f"{stop} again")] if buttons else []
