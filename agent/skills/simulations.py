"""Simulations: run one, watch it, stop it and see it stand, set it back; then its parameters can be tried."""

from __future__ import annotations

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.counters import as_lines
from agent.skills.controls import Kind, kind_of
from agent.skills.defaults import set_back
from agent.skills.resuming import resume
from agent.skills.survey import Candidate, Match, Survey, because, candidate, expects, mark_concepts
from agent.words import keywords, says
from tools.browser.actions import Click, Scroll, Target, Wait
from tools.browser.marks import Mark

START, WATCH, STOP, RESET = 74.0, 95.0, 90.0, 88.0
RUN_MS, STILL_MS = 1600.0, 1300.0
_STARTS, _STOPS, _RESETS = frozenset({"start"}), frozenset({"pause", "stop"}), frozenset({"reset", "restart"})
_OF_PARTS = frozenset({"view", "zoom", "camera", "setting", "filter", "default", "parameter", "视图", "参数"})
MOVING = 0.0005
OTHERS, LOOK_ON, MOST_LOOKS, TOP_PX, LEAST_REST_PX = 91.0, 95.7, 2, 60.0, 40.0
_LOOK, _LOOK_ON = "look at another drawing", "watch another drawing"
_GOES_ON = "let a simulation go on"


def propose(survey: Survey) -> list[Candidate]:
    """The next step of start → watch → stop → watch → reset, where the brief names a simulation and a button starts it."""
    if survey.domain != "simulation":
        return []
    last = survey.last
    if last is not None and last.acted.delivered:
        following = _following(survey, last)
        if following:
            return following
    return [*_other_drawing(survey), *_start(survey), *_stop(survey), *_reset(survey)]


def _other_drawing(survey: Survey) -> list[Candidate]:
    """While it runs: a drawing that was never in view as a whole is brought there, and watched."""
    last = survey.last
    if not _running(survey):
        return []
    told = last.outcomes if last is not None else ()
    undecided = any(one.oracle == "drawings_run" and one.held is None and one.attempts for one in told)
    looked = last is not None and last.acted.delivered and last.decision.skill == _LOOK
    if looked or (undecided and survey.count(_LOOK_ON) < MOST_LOOKS):
        return [candidate(LOOK_ON, Wait(ms=STILL_MS), "whether this drawing goes on, too", _LOOK_ON)]
    rest = survey.now.page_size[1] - survey.now.viewport[1] - survey.now.scroll[1]
    if survey.count(_LOOK) or rest < LEAST_REST_PX:
        return []
    seen = {one.selector for page in (*survey.view.past, survey.now) for one in page.drawings if one.digest}
    for mark in survey.now.marks:
        if kind_of(mark) is Kind.canvas and not mark.frame and mark.selector not in seen and mark.box.y > TOP_PX:
            act = Scroll(dy=min(mark.box.y - TOP_PX, rest))
            return [candidate(OTHERS, act, "a drawing that was not in view as a whole may stand still", _LOOK)]
    return []


def _following(survey: Survey, last: Step) -> list[Candidate]:
    """What has to come right after a step, before anything else is done."""
    skill, undecided = last.decision.skill, any(told.held is None and told.attempts > 0 for told in last.outcomes)
    if skill == "start a simulation" and not _stop_now(survey):
        return [_watch(survey)]
    if skill == "watch a simulation" and undecided and survey.count(skill) < 3:
        return [_watch(survey)]
    if skill == "stop a simulation" or (skill == "watch a stopped simulation" and undecided and survey.count(skill) < 2):
        return [_watch_stopped(survey)]
    if skill not in ("watch a stopped simulation", "resume a simulation", "watch: resume a simulation"):
        return []
    return _go_on(survey) or resume(survey, "stop a simulation", "resume a simulation")


def _button(survey: Survey, wanted: frozenset[str], *, untried: bool = False) -> Mark | None:
    for mark in survey.usable:
        fits = mark_concepts(mark) & wanted and kind_of(mark) is Kind.button
        if fits and not (untried and survey.tried(mark)) and not _OF_PARTS & set(keywords(mark.name)):
            return mark
    return None


def _promise(survey: Survey, mark: Mark, concept: str) -> Match:
    return survey.match(mark, (concept,))


def _start(survey: Survey) -> list[Candidate]:
    """Once; a second time when what was started had come to its end before it could be stopped."""
    starts = survey.count("start a simulation")
    mark = _button(survey, _STARTS)
    again = starts == 1 and not survey.count("stop a simulation") and not _running(survey) and _button(survey, _STOPS) is not None
    if mark is None or starts >= 2 or (starts and not again) or _running(survey):
        return []
    match = _promise(survey, mark, "start")
    told = expects("responds", f'"{mark.name}" has an effect', match.id)
    why = because(match, survey, "a simulation has to be started") if not starts else "it had ended before it could be stopped"
    act = Click(target=Target.of(mark))
    return [
        candidate(survey.worth(START, mark, match) + 20 * starts, act, why, "start a simulation", *(() if starts else (told,)))
    ]


def _running(survey: Survey) -> bool:
    return survey.now.moving > MOVING


def _runs_by_itself(survey: Survey) -> bool:
    """Whether it ran from the start and nothing offers to start it."""
    first = survey.view.past[0] if survey.view.past else survey.now
    return first.moving > MOVING and _running(survey) and _button(survey, _STARTS, untried=True) is None


def _go_on(survey: Survey) -> list[Candidate]:
    """What was stopped goes on by the same button, or by the one that stands there now."""
    stopped = next((step for step in reversed(survey.steps) if step.decision.skill == "stop a simulation"), None)
    if stopped is None or survey.count("start a simulation") or survey.count(_GOES_ON):
        return []
    mark = _button(survey, frozenset({"resume"})) or _button(survey, _STARTS)
    if mark is None:
        return []
    told = expects("moves", "the simulation goes on", symptom="state_not_updated", key="resumed simulation")
    return [candidate(WATCH - 1, Click(target=Target.of(mark)), "the stopped simulation goes on", _GOES_ON, told)]


def _stop_now(survey: Survey) -> bool:
    """Whether what was started a second time is to be stopped at once, for it ends soon."""
    return survey.count("start a simulation") >= 2 and not survey.count("stop a simulation")


def _watch(survey: Survey) -> Candidate:
    match = survey.promise_about("simulation runs start motion", frozenset({"feature", "control", "motion"}), ("start",))
    told: list[Expectation] = []
    if not _ended(survey):
        told.append(expects("moves", "the simulation moves", match.id, key="running simulation"))
    if says("slows", f"{survey.view.brief}\n{survey.now.text[:3000]}"):
        told.append(expects("energy_falls", "what slows it down takes energy away", match.id, key="energy"))
    return candidate(WATCH, Wait(ms=RUN_MS), "whether the simulation runs", "watch a simulation", *told)


def _ended(survey: Survey) -> bool:
    """Whether it ran and stands again: a throw that has landed."""
    return not _running(survey) and any(seen.moving > MOVING for seen in survey.view.past[-2:])


def _stop(survey: Survey) -> list[Candidate]:
    if survey.count("stop a simulation") or not (survey.count("start a simulation") or _runs_by_itself(survey)):
        return []
    mark = _button(survey, _STOPS)
    if mark is None or not (_running(survey) or _stop_now(survey)):
        return []
    match = _promise(survey, mark, "pause")
    why = because(match, survey, "what runs can be stopped")
    return [candidate(STOP, Click(target=Target.of(mark)), why, "stop a simulation")]


def _watch_stopped(survey: Survey) -> Candidate:
    match = survey.promise_about("pause stop", frozenset({"feature", "control"}), ("pause",))
    first = survey.view.past[0] if survey.view.past else survey.now
    still_at_first = first.moving <= MOVING and not first.animated
    told = expects(
        "still",
        "a stopped simulation stands still",
        match.id,
        still_at_first=float(still_at_first),
        drawn=1.0,
        ends=float(survey.count("start a simulation") >= 2),
        key="stopped simulation",
    )
    return candidate(WATCH, Wait(ms=STILL_MS), "whether it really stands", "watch a stopped simulation", told)


def _reset(survey: Survey) -> list[Candidate]:
    """Back to the beginning, once it has run."""
    mark = _button(survey, _RESETS)
    if mark is None or survey.count("reset a simulation") or not survey.count("start a simulation"):
        return []
    if not survey.count("stop a simulation") and _button(survey, _STOPS) is not None:
        return []
    match = _promise(survey, mark, "reset")
    first = survey.view.past[0] if survey.view.past else survey.now
    told = [
        expects("responds", f'"{mark.name}" has an effect', match.id),
        expects("begins_anew", "time begins anew", match.id, first=as_lines(first), key="reset simulation"),
        *set_back(survey, mark),
    ]
    why = because(match, survey, "a simulation can be set back")
    return [candidate(RESET, Click(target=Target.of(mark)), why, "reset a simulation", *told)]
