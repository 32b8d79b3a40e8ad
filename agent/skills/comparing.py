"""A simulation run again and again from its beginning: twice as it is, then each time with one slider set otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.deciders.protocol import Step
from agent.skills.checks.differing import LEAST_FIGURES, packed, states
from agent.skills.checks.labelled import figures
from agent.skills.checks.relations import live_figures
from agent.skills.controls import Kind, kind_of
from agent.skills.pacing import sets_pace
from agent.skills.survey import Candidate, Survey, candidate, expects, label_follows, mark_concepts
from agent.skills.values import range_value
from agent.words import keywords
from tools.browser.actions import Click, SetValue, Target, Wait
from tools.browser.marks import Mark, Observation

BEGIN, NEXT = 80.0, 97.5
"""Before sliders are swept while it runs, where nothing can be told of what follows them."""
RESTART, START, WATCH, SET = "restart to compare", "start to compare", "run to compare", "set a slider to compare"
RUN_MS = 2000.0
MOVING = 0.0005
MOST_SLIDERS, LEAST_SLIDERS = 3, 2
LEAST_SECONDS = 9.0
"""Wall time that a run with one slider set otherwise takes, and a little more."""
_CHAIN = frozenset({RESTART, START, WATCH, SET})
_FROM_THE_START = frozenset({"restart", "reset"})
_OF_PARTS = frozenset({"view", "zoom", "camera", "setting", "filter", "default", "parameter", "value", "视图", "参数"})


def propose(survey: Survey) -> list[Candidate]:
    """The next step of: restart, run, restart, run; then set a slider, restart, run, for each slider."""
    if survey.domain != "simulation" or survey.layered:
        return []
    button, last = _restart(survey), survey.last
    sliders = _sliders(survey)
    if last is None or len(sliders) < LEAST_SLIDERS:
        return []
    if last.decision.skill in _CHAIN and last.acted.delivered:
        return _next(survey, last, button, sliders)
    short = survey.view.seconds_left < LEAST_SECONDS * 2
    if button is None or survey.count(RESTART) or short or not _runs(survey):
        return []
    return [candidate(BEGIN, Click(target=Target.of(button)), "runs alike are compared, then unlike ones", RESTART)]


def _restart(survey: Survey) -> Mark | None:
    for mark in survey.usable:
        if kind_of(mark) is Kind.button and mark_concepts(mark) & _FROM_THE_START and not _OF_PARTS & set(keywords(mark.name)):
            return mark
    return None


def _sliders(survey: Survey) -> list[Mark]:
    """What sets a parameter of the run; its pace is watched by itself."""
    return [mark for mark in survey.usable if kind_of(mark) is Kind.range and mark.tag == "input" and not sets_pace(mark)]


def _runs(survey: Survey) -> bool:
    """Whether it was seen to run, with figures of its own."""
    pages = [page for page in (*survey.view.past, survey.now) if page.moving > MOVING]
    return len(pages) > 1 and len(states(survey.now)) >= LEAST_FIGURES


def _begin(survey: Survey, button: Mark | None, why: str) -> list[Candidate]:
    """From the beginning: by the button that leads there, which is off where one is there already; then what starts it."""
    if button is not None and (survey.now.moving > MOVING or survey.last is None or survey.last.decision.skill != RESTART):
        return [candidate(NEXT, Click(target=Target.of(button)), why, RESTART)]
    start = next((one for one in survey.usable if kind_of(one) is Kind.button and "start" in mark_concepts(one)), None)
    return [candidate(NEXT, Click(target=Target.of(start)), why, START)] if start is not None else []


def _next(survey: Survey, last: Step, button: Mark | None, sliders: list[Mark]) -> list[Candidate]:
    skill = last.decision.skill
    if skill in (RESTART, START):
        if _set_back(survey):
            return []  # it takes the settings back as well: no run with another one can be had so
        if survey.now.moving <= MOVING and skill == RESTART:
            return _begin(survey, button, "from its beginning")
        return [_watch(survey)]
    if skill == SET:
        return _begin(survey, button, "from its beginning with the new setting")
    ends = _ends(survey)
    if len(ends) == 1:
        return _begin(survey, button, "once more alike: what chance does")
    return _set(survey, sliders) if _alike(ends) else []


def _set_back(survey: Survey) -> bool:
    """Whether the slider that was set last stands otherwise by now."""
    done = next((step.decision.action for step in reversed(survey.steps) if step.decision.skill == SET), None)
    if not isinstance(done, SetValue):
        return False
    mark = next((one for one in survey.now.marks if one.selector == done.target.selector), None)
    try:
        return mark is None or float(mark.value) != float(done.value)
    except ValueError:
        return True


def _ends(survey: Survey) -> list[Observation]:
    """What was seen at the end of each run."""
    watched = [step for step in survey.steps if step.decision.skill == WATCH and step.acted.delivered]
    pages = (survey.now if step is survey.last else survey.observation(step.acted.after) for step in watched)
    return [page for page in pages if page is not None]


def _repeat(ends: list[Observation]) -> dict[str, float]:
    """By how much each figure differs between the two runs alike."""
    one, other = states(ends[0]), states(ends[1])
    return {label: abs(one[label] - other[label]) for label in one if label in other}


def _alike(ends: list[Observation]) -> bool:
    """Whether two runs alike end alike, so that a difference tells something."""
    return len(ends) > 1 and sum(1 for apart in _repeat(ends).values() if apart == 0.0) >= LEAST_FIGURES


def _set(survey: Survey, sliders: list[Mark]) -> list[Candidate]:
    """The slider that was not told yet to its far end; the one that seemed ignored to its other end first."""
    if survey.view.seconds_left < LEAST_SECONDS or survey.count(SET) >= MOST_SLIDERS + 2:
        return []
    done = [step for step in survey.steps if step.decision.skill == SET and step.acted.delivered]
    last = survey.last
    open_still = last is not None and any(one.oracle == "differs" and one.held is None and one.attempts for one in last.outcomes)
    if open_still and done:
        target = getattr(done[-1].decision.action, "target", None)
        mark = next((one for one in sliders if target is not None and one.selector == target.selector), None)
        if mark is not None:
            return [_slide(survey, mark, high=False)]
    known = {getattr(step.decision.action, "target", Target(selector="")).selector for step in done}
    fresh = [mark for mark in sliders if mark.selector not in known]
    best = max(fresh, key=lambda mark: (survey.match(mark, ("slide",)).bonus, -survey.place(mark)), default=None)
    return [_slide(survey, best, high=True)] if best is not None and len(known) < MOST_SLIDERS else []


def _slide(survey: Survey, mark: Mark, *, high: bool) -> Candidate:
    value = range_value(mark, high=high)
    match = survey.match(mark, ("slide",))
    kept = expects("value_kept", f"the slider stays at {value}", match.id, value=value)
    act, why = SetValue(target=Target.of(mark), value=value), "what a run from the start makes of it"
    return candidate(NEXT, act, why, SET, kept, label_follows(survey, mark, match))


def _watch(survey: Survey) -> Candidate:
    """A run; after a slider was set it has to end otherwise than the one before."""
    act, why = Wait(ms=RUN_MS), "how a run from the beginning ends"
    ends, since = _ends(survey), [step for step in survey.steps if step.decision.skill in (SET, WATCH)]
    if len(ends) < 2 or since[-1].decision.skill != SET:
        return candidate(NEXT, act, why, WATCH)
    target = getattr(since[-1].decision.action, "target", None)
    mark = next((one for one in survey.now.marks if target is not None and one.selector == target.selector), None)
    if mark is None:
        return candidate(NEXT, act, why, WATCH)
    begun = next(place for place, step in enumerate(survey.steps) if step.decision.skill == RESTART)
    walked = " ".join(step.acted_id for step in survey.steps[begun:] if step.decision.skill in _CHAIN)
    told = expects(
        "differs",
        f'a run follows "{_name(mark)}"',
        survey.match(mark, ("slide",)).id,
        name=_name(mark),
        was=packed(states(ends[-1])),
        repeat=packed(_repeat(ends)),
        made_by=walked,
        key=f"compared {mark.selector}",
    )
    return candidate(NEXT, act, why, WATCH, told)


def _name(mark: Mark) -> str:
    """A slider's name without the value that some show in it."""
    return mark.name.partition(":")[0].strip()


def still_figures(steps: Sequence[Step], seen: Mapping[str, Observation]) -> set[str]:
    """Labels of the figures that stood when the page was last watched running: they do not run on their own.

    `seen`: the observations by their ids, as far as they are known.
    """
    for step in reversed(steps):
        before, after, action = seen.get(step.acted.before), seen.get(step.acted.after), step.decision.action
        if isinstance(action, Wait) and action.ms >= RUN_MS and before and after and after.moving > MOVING:
            return set(figures(before)) & set(figures(after)) - set(live_figures(before, after))
    return set()
