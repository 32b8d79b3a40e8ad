"""The pace of what runs by itself: a control that is to set it is set far up and far down, and each time it is watched."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.checks.film import WATCHED
from agent.skills.checks.pace import gone_on, rates
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, label_follows
from agent.skills.values import range_value
from tools.browser.actions import Click, SetValue, Target, Wait
from tools.browser.marks import Mark

SET, WATCH = 95.4, 95.6
"""Before what runs is muted or stopped, once it was listened to."""
FAST_MS, SLOW_MS, HEARD = 1400.0, 2600.0, 1.5
"""App time; what is only heard takes longer to be told."""
_STOPPED = frozenset({"stop a simulation", "watch a stopped simulation"})
_FAST, _SLOW = "set the pace high", "set the pace low"
_PACE = re.compile(
    r"\b(?:speed|tempo|bpm|fps|frame rate|generations? per|steps per|ticks per|updates per|simulation rate)\b|\bgen/s"
    r"|速度|速率|节奏|帧率|倍速",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:initial|launch|wind|ball|max|maximum|rotation|typing|reading|player|enemy|paddle|light|sound) "
    r"|\b(?:particle|car|boid)s? |初|风|最大",
    re.IGNORECASE,
)
"""A speed that belongs to something in the picture, which may show otherwise."""
_CHIPS = frozenset({Kind.button, Kind.radio, Kind.option, Kind.tab, Kind.other})
_TIMES = re.compile(r"(\d{1,2}(?:[.,]\d{1,2})?)\s*[×x倍]|[×x]\s*(\d{1,2}(?:[.,]\d{1,2})?)", re.IGNORECASE)
MOVING = 0.0005


def propose(survey: Survey) -> list[Candidate]:
    """High, watch, low, watch; once, while something runs that is counted or heard."""
    last = survey.last
    if last is None or not last.acted.delivered or survey.layered:
        return []
    if survey.count(WATCHED) >= 2 or last.decision.skill in _STOPPED:
        return []  # what was stopped is watched first: that it runs on is what a pause that does nothing looks like
    mark = next((one for one in survey.usable if sets_pace(one)), None)
    row = [mark] if mark is not None else speeds(survey.usable)
    if not row:
        return []
    if last.decision.skill in (_FAST, _SLOW):
        return [_watch(survey, row[0])]
    if last.decision.skill == WATCHED:
        return [_set(survey, row[0], high=False)] if _rates_of_last(survey) or _heard(survey) else []
    if survey.count(_FAST) or not _runs(survey):
        return []
    return [_set(survey, row[-1], high=True)]


def speeds(marks: tuple[Mark, ...]) -> list[Mark]:
    """Buttons called after speeds (`1×`, `2×`, `4×`) of which one is at least twice another, the slowest first."""
    found = [mark for mark in marks if kind_of(mark) in _CHIPS and _TIMES.fullmatch(mark.name.strip())]
    found.sort(key=lambda mark: _times(mark.name))
    return found if len(found) > 1 and _times(found[-1].name) >= 2 * _times(found[0].name) > 0 else []


def _times(name: str) -> float:
    told = _TIMES.fullmatch(name.strip())
    return float((told[1] or told[2]).replace(",", ".")) if told else 0.0


def sets_pace(mark: Mark) -> bool:
    """Whether it is a slider called after a pace, and not after the speed of some one thing."""
    return mark.tag == "input" and kind_of(mark) is Kind.range and bool(_PACE.search(mark.name)) and not _OTHER.search(mark.name)


def _runs(survey: Survey) -> bool:
    """Whether what is counted went on by itself while nothing was done, or something was just listened to."""
    if survey.last is not None and survey.last.decision.skill == "listen":
        return True
    for step in reversed(survey.steps[-3:]):
        if isinstance(step.decision.action, Wait):
            before = survey.observation(step.acted.before)
            after = survey.now if step.acted.after == survey.now.id else survey.observation(step.acted.after)
            return before is not None and after is not None and bool(gone_on(before, after))
        if isinstance(step.decision.action, Click):
            return survey.now.moving > MOVING and step is survey.last
    return False


def _heard(survey: Survey) -> bool:
    """Whether what runs is told by the film's sound."""
    return bool(survey.count("listen")) and not survey.count("mute")


def _set(survey: Survey, mark: Mark, *, high: bool) -> Candidate:
    if kind_of(mark) is not Kind.range:
        act = Click(target=Target.of(mark))
        return candidate(SET, act, "whether what runs follows it", _FAST if high else _SLOW)
    value = range_value(mark, high=high)
    kept = expects("value_kept", f"the slider stays at {value}", value=value)
    label = label_follows(survey, mark, survey.match(mark, ("slide",)))
    act, why = SetValue(target=Target.of(mark), value=value), "whether what runs follows it"
    return candidate(SET, act, why, _FAST if high else _SLOW, kept, label)


def _rates_of_last(survey: Survey) -> dict[str, float]:
    last = survey.last
    before = survey.observation(last.acted.before) if last is not None else None
    return rates(before, survey.now) if before is not None else {}


def _watch(survey: Survey, mark: Mark) -> Candidate:
    last, longer = survey.last, HEARD if _heard(survey) else 1.0
    if last is None or last.decision.skill == _FAST:
        return candidate(WATCH, Wait(ms=FAST_MS * longer), "how fast it runs", WATCHED)
    watched = next(step for step in reversed(survey.steps) if step.decision.skill == WATCHED)
    set_high = next(step for step in reversed(survey.steps) if step.decision.skill == _FAST)
    one, other = survey.observation(watched.acted.before), survey.observation(watched.acted.after)
    was = rates(one, other) if one is not None and other is not None else {}
    match = survey.match(mark, ("slide",))
    told = expects(
        "paced",
        f'what runs follows "{mark.name}"',
        match.id,
        value=_set_to(last),
        other=_set_to(set_high),
        rates="\n".join(f"{rate!r} {name}" for name, rate in was.items()),
        made_by=" ".join((set_high.acted_id, watched.acted_id, last.acted_id)),
        key=f"pace {mark.signature}",
    )
    return candidate(WATCH, Wait(ms=SLOW_MS * longer), "how fast it runs now", WATCHED, told)


def _set_to(step: Step) -> float:
    """What a step set the pace to: a slider's value, or what the button pressed is called."""
    action = step.decision.action
    if isinstance(action, Click):
        return _times(action.target.name)
    try:
        return float(str(getattr(action, "value", "")))
    except ValueError:
        return 0.0
