"""A game of several lives that runs by itself is left to itself until all are lost; a new game begins with all of them again.

The button that goes on after one life lost (`Try again`) has other code than the one that begins a new game, and what a game
forgets to set back shows only there.
"""

from __future__ import annotations

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.labelled import figures
from agent.skills.controls import Kind, kind_of
from agent.skills.playing import MOVING, ROUNDS_FIRST
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts
from agent.words import says
from tools.browser.actions import Click, Target, Wait
from tools.browser.marks import Mark, Observation

PRIORITY, AT_ONCE = 54.0, 91.0
LEFT, ON, ANEW = "lose a life", "go on after a life", "begin a game anew"
ALONE_MS = 6500.0
"""App time: a fall from the top of the picture takes less."""
MOST, LEAST_LIVES, MOST_LIVES = 12, 2, 9


def propose(survey: Survey) -> list[Candidate]:
    """Wait for the next loss, go on after it, and begin anew when none is left; steering comes first."""
    if _begun_anew(survey) or survey.count("steer with keys") < ROUNDS_FIRST or not _drawn_and_moving(survey):
        return []
    begun = _lives(survey.view.past[0] if survey.view.past else survey.now)
    now = _lives(survey.now)
    if begun is None or now is None or not LEAST_LIVES <= begun[1] <= MOST_LIVES or begun[0] != now[0]:
        return []
    done = survey.count(LEFT) + survey.count(ON)
    if done >= MOST or _in_vain(survey):
        return []
    button = _goes_on(survey)
    priority = AT_ONCE if done else PRIORITY
    if button is None:
        if survey.now.moving <= MOVING:
            return []
        return [candidate(priority, Wait(ms=ALONE_MS), "who does nothing loses a life", LEFT, checked=False)]
    if now[1] > 0:
        return [candidate(priority, Click(target=Target.of(button)), "a life is lost, and others are left", ON, checked=False)]
    match = survey.promise_about("restart play again new game lives 重新开始", frozenset({"feature", "control"}), ("restart",))
    told = lives_back(survey, match.id)
    return [candidate(AT_ONCE, Click(target=Target.of(button)), because(match, survey, "a new game can be begun"), ANEW, *told)]


def lives_back(survey: Survey, promise: str) -> list[Expectation]:
    """That a new game begins with the lives of the first one, where none is left now."""
    begun, now = _lives(survey.view.past[0] if survey.view.past else survey.now), _lives(survey.now)
    if begun is None or now is None or begun[0] != now[0] or now[1] > 0 or not LEAST_LIVES <= begun[1] <= MOST_LIVES:
        return []
    text = "a new game begins with as many lives as the first one"
    return [expects("lives_anew", text, promise, of=begun[0], first=begun[1])]


def _begun_anew(survey: Survey) -> bool:
    """Whether a new game was begun after the last life, by whichever skill."""
    return any(one.oracle == "lives_anew" for step in survey.steps for one in step.decision.expectations)


def _drawn_and_moving(survey: Survey) -> bool:
    drawn = any(kind_of(mark) is Kind.canvas for mark in survey.now.marks)
    return drawn and any(page.moving > MOVING for page in (*survey.view.past, survey.now))


def _lives(page: Observation) -> tuple[str, float] | None:
    """The one figure that counts lives, and what it is called."""
    found = [(label, value) for label, value in figures(page).items() if says("lives", label)]
    return found[0] if len(found) == 1 else None


def _in_vain(survey: Survey) -> bool:
    """Whether two waits in a row cost no life: it is not lost by doing nothing."""
    waits = [step for step in survey.steps if step.decision.skill == LEFT][-2:]
    return len(waits) == 2 and all(not _cost(survey, step) for step in waits)


def _cost(survey: Survey, step: Step) -> bool:
    before, after = (survey.observation(one) for one in (step.acted.before, step.acted.after))
    return before is None or after is None or _lives(before) != _lives(after)


def _goes_on(survey: Survey) -> Mark | None:
    """The button that stands there when a life or the game is lost: in a layer, or where nothing moves any more."""
    if survey.now.moving > MOVING and not survey.layered:
        return None
    for wanted in ("restart", "start", "next", "continue"):
        for mark in survey.usable:
            if kind_of(mark) is Kind.button and wanted in mark_concepts(mark) and "pause" not in mark_concepts(mark):
                return mark
    return None
