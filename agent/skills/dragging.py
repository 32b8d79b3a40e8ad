"""Things that can be dragged: onto a place that takes them, into another column, or past their neighbours."""

from __future__ import annotations

from agent.skills.survey import Candidate, Survey, because, candidate, expects
from tools.browser.actions import Drag, Target
from tools.browser.marks import Mark

BASE = 60.0
TRIES = 3


def propose(survey: Survey) -> list[Candidate]:
    """The next drag of the first draggable thing; another target after one without effect."""
    things = [mark for mark in survey.usable if mark.draggable and mark.in_view and mark.tag not in ("a", "img")]
    drags = [step for step in survey.steps if step.decision.skill == "drag a thing" and step.acted.delivered]
    worked = any(told.held for step in drags for told in step.outcomes if told.oracle == "dropped")
    if worked and len(drags) == 1 and things:
        return _onwards(survey, things)
    if not things or len(drags) >= (1 if worked else TRIES):
        return []
    thing = things[0] if len(drags) < 2 else things[min(1, len(things) - 1)]
    match = survey.match(thing, ("drag",))
    if not match.id:
        match = survey.promise_about("drag and drop", frozenset({"feature", "control"}), ("drag",))
    act = _drag(survey, thing, things, len(drags))
    if act is None:
        return []
    undecided = bool(drags) and any(told.held is None and told.attempts for told in drags[-1].outcomes)
    told = expects("dropped", f'"{thing.name}" lies elsewhere', match.id, key="dragging")
    base = BASE + (20 if undecided else 0)
    return [candidate(survey.worth(base, thing, match), act, because(match, survey, "it can be dragged"), "drag a thing", told)]


def _onwards(survey: Survey, things: list[Mark]) -> list[Candidate]:
    """One more thing into the last column, where the share of what is done was wrong once: then it has to change."""
    told = [one for step in survey.steps for one in step.outcomes if one.oracle == "share_agrees"]
    right = max(thing.box.centre[0] for thing in things)
    last = [thing for thing in things if right - thing.box.centre[0] <= thing.box.width / 2]
    others = [thing for thing in things if thing not in last]
    doubted = bool(told) and told[-1].held is None and bool(told[-1].attempts)
    if not (doubted and last and others):
        return []
    thing = max(others, key=lambda one: one.box.centre[0])
    wish = expects("dropped", f'"{thing.name}" lies elsewhere', survey.match(thing, ("drag",)).id, key="dragging on")
    act = Drag(target=Target.of(thing), to=Target.of(last[0]))
    return [candidate(BASE + 20, act, "what is done is another share then", "drag a thing", wish)]


def _drag(survey: Survey, thing: Mark, things: list[Mark], tries: int) -> Drag | None:
    """Onto a drop zone, else onto a thing of another column, else past the neighbour after the next."""
    zones = [mark for mark in survey.usable if {"drop", "dragover"} & set(mark.listeners) and not _inside(thing, mark)]
    columns = [
        mark for mark in things if abs(mark.box.centre[0] - thing.box.centre[0]) > thing.box.width * 0.8 and mark is not thing
    ]
    below = [
        mark for mark in things if mark is not thing and abs(mark.box.centre[0] - thing.box.centre[0]) <= thing.box.width * 0.8
    ]
    others = [mark for mark in columns if abs(mark.box.centre[0] - columns[0].box.centre[0]) > thing.box.width * 0.8]
    places = [*zones, *columns[:1], *(others or columns[1:])[:1], *below[1:2], *below[:1]]
    if tries < len(places):
        goal = places[tries]
        return Drag(target=Target.of(thing), to=Target.of(goal, dy=0.3 if goal in below else 0.0))
    sideways = thing.box.width * 1.3
    room = thing.box.x + thing.box.width + sideways < survey.now.viewport[0]
    return Drag(target=Target.of(thing), by=(sideways if room else -sideways, 12.0)) if tries < TRIES else None


def _inside(thing: Mark, zone: Mark) -> bool:
    x, y = thing.box.centre
    return zone.box.x <= x <= zone.box.x + zone.box.width and zone.box.y <= y <= zone.box.y + zone.box.height
