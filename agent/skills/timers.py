"""Timers and stopwatches: start, watch the time run, pause, watch it stand, reset."""

from __future__ import annotations

import re

from agent.skills.controls import Kind, kind_of
from agent.skills.resuming import resume
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts
from agent.words import clock_times
from tools.browser.actions import Click, Target, Wait
from tools.browser.marks import Mark

START, WATCH, PAUSE, RESET, MODE = 70.0, 95.0, 66.0, 56.0, 54.0
WATCH_MS = 5200.0
"""Long enough to tell a clock that runs at another rate; app time, so that it may cost less wall time."""
STILL_MS = 2600.0
"""Longer than two ticks of a clock that shows seconds."""


_FIRST_MOVE = re.compile(
    r"(?:first|1st) (?:move|click|tap|guess|letter|answer|key|cell|reveal|card|turn)|第一(?:步|次|个)|首次", re.IGNORECASE
)
"""A clock that starts with the player."""

_AFTER_A_PAUSE = frozenset({"watch a paused timer", "resume a timer", "watch: resume a timer"})


def propose(survey: Survey) -> list[Candidate]:
    """The next step of start → watch → pause → watch → reset, where the page shows a time or the brief names a timer."""
    if survey.domain != "timer" and not (clock_times(survey.now.text) and _button(survey, "start", untried=False)):
        return []
    if _FIRST_MOVE.search(survey.view.brief):
        return []  # after a start alone it rightly stands
    watch = _watch(survey)
    if watch is not None:
        return [watch]
    if survey.last is not None and survey.last.decision.skill in _AFTER_A_PAUSE:
        resumed = resume(survey, "pause a timer", "resume a timer")
        if resumed:
            return resumed
    return [*_modes(survey), *_press(survey, "start", START), *_press(survey, "pause", PAUSE), *_press(survey, "reset", RESET)]


def _button(survey: Survey, concept: str, *, untried: bool) -> Mark | None:
    also = {"pause": {"pause", "stop"}, "reset": {"reset", "clear"}}.get(concept, {concept})
    for mark in survey.usable:
        if mark_concepts(mark) & also and kind_of(mark) is Kind.button and (not untried or not survey.tried(mark)):
            return mark
    return None


def _press(survey: Survey, concept: str, base: float) -> list[Candidate]:
    skill = f"{concept} a timer"
    running = survey.count("start a timer") > 0
    if (
        survey.count(skill)
        or (concept != "start" and not running)
        or (concept == "reset" and not survey.count("pause a timer") and _button(survey, "pause", untried=False))
    ):
        return []
    mark = _button(survey, concept, untried=concept != "reset")
    if mark is None:
        return []
    match = survey.match(mark, (concept, "timer"))
    told = () if concept == "pause" else (expects("responds", f'"{mark.name}" has an effect', match.id),)
    why = because(
        match, survey, f"a timer can be {'paused' if concept == 'pause' else 'started' if concept == 'start' else 'reset'}"
    )
    return [candidate(survey.worth(base, mark, match), Click(target=Target.of(mark)), why, skill, *told)]


def _watch(survey: Survey) -> Candidate | None:
    """After a start: does the time run? After a pause: does it stand? A second watch when the first could not tell."""
    last = survey.last
    if last is None or not last.acted.delivered:
        return None
    phases = {"start a timer": ("ticks", "watch a running timer"), "pause a timer": ("still", "watch a paused timer")}
    oracle, skill = phases.get(last.decision.skill, ("", ""))
    if not oracle:
        again = next(((name, watch) for name, watch in phases.values() if watch == last.decision.skill), None)
        open_still = again is not None and any(
            told.oracle == again[0] and told.held is None and told.attempts > 0 for told in last.outcomes
        )
        if not open_still or again is None or survey.count(again[1]) >= 2:
            return None
        oracle, skill = again
    wanted = "timer start" if oracle == "ticks" else "pause stop"
    match = survey.promise_about(
        wanted, frozenset({"feature", "control", "motion"}), ("timer", "start" if oracle == "ticks" else "pause")
    )
    text = "the time runs" if oracle == "ticks" else "the paused time stands still"
    told = expects(oracle, text, match.id, key=skill, rate=1.0)
    return candidate(WATCH, Wait(ms=WATCH_MS if oracle == "ticks" else STILL_MS), f"whether {text}", skill, told)


def minutes_asked(brief: str, name: str) -> float | None:
    """Minutes that a brief gives the mode called `name`: "short break (5 min)", "a 25-minute focus"; None if it does not say."""
    words = re.escape(name.strip())
    if len(name.strip()) < 2 or not clock_unit(brief):
        return None
    after = re.search(rf"\b{words}\w*\W{{0,3}}(?:of |for |is |: )?\(?(\d{{1,3}})[\s-]*(?:min|m\b|分)", brief, re.IGNORECASE)
    before = re.search(rf"(\d{{1,3}})[\s-]*(?:min(?:ute)?s?|分钟)\s*(?:of |的)?{words}", brief, re.IGNORECASE)
    found = after or before
    return float(found.group(1)) if found else None


def clock_unit(brief: str) -> bool:
    """Whether a text speaks of minutes at all."""
    return re.search(r"\bmin|分", brief, re.IGNORECASE) is not None


def _modes(survey: Survey) -> list[Candidate]:
    """Each mode whose minutes the brief names, once, while no time runs."""
    if survey.count("start a timer") > survey.count("reset a timer"):
        return []
    found = []
    for mark in survey.usable:
        minutes = minutes_asked(survey.view.brief, mark.name)
        if minutes is None or survey.tried(mark) or kind_of(mark) not in (Kind.button, Kind.tab, Kind.radio, Kind.other):
            continue
        match = survey.match(mark, ("timer",))
        told = [expects("shows_duration", f'"{mark.name}" shows {minutes:g} minutes', match.id, minutes=minutes)]
        if not mark.checked:
            told.append(expects("responds", f'"{mark.name}" has an effect', match.id))
        why = because(match, survey, f"the brief gives it {minutes:g} minutes")
        found.append(
            candidate(survey.worth(MODE, mark, match), Click(target=Target.of(mark)), why, "choose a timer's mode", *told)
        )
    return found
