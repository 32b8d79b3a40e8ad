"""Sound: start what the brief says is heard, listen, mute it, listen, stop it, listen. What was heard the finished film tells."""

from __future__ import annotations

from agent.deciders.protocol import Expectation, Step
from agent.planning import promised_sound
from agent.skills.checks.film import AGAIN, MUTING, STOPPING, UNMUTING, WATCHED, silences_all
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from agent.words import concepts, says
from tools.browser.actions import Click, Target, Wait
from tools.browser.marks import Mark
from tools.evidence.rows import Promise

LISTEN, MUTE, STOP = 96.0, 95.0, 94.0
LISTEN_MS = 4500.0
"""App time: six beats at 80 a minute."""
SILENCE_MS = 1800.0
_SILENT = "listen to the silence"
_THEN = {
    MUTING: (_SILENT, "whether it is silent now"),
    STOPPING: (_SILENT, "whether it is silent now"),
    AGAIN: ("listen once more", "whether it is heard again"),
    UNMUTING: ("listen once more", "whether it is heard again"),
}
"""What is listened for after a press."""
_STARTS = frozenset({"start", "play", "sound"})
_STOPS = frozenset({"stop", "pause"})
_PRESSED = frozenset({Kind.button, Kind.checkbox, Kind.other})


def propose(survey: Survey) -> list[Candidate]:
    """After a start: listen; then mute or stop; then listen to the silence. Only where the brief promises sound."""
    last, promise = survey.last, promised_sound(survey.view.plan)
    if promise is None or last is None or not last.acted.delivered:
        return []
    then = _THEN.get(last.decision.skill)
    again = _unmute(survey) or _start_again(survey) if last.decision.skill == _SILENT else []
    if then is not None or again:
        # What ticks slowly needs a while to be heard.
        for_ms = LISTEN_MS if last.decision.skill in (UNMUTING, AGAIN) else SILENCE_MS
        seen = _counted(survey) if last.decision.skill == AGAIN else []
        return again or ([candidate(LISTEN, Wait(ms=for_ms), then[1], then[0], *seen)] if then is not None else [])
    if last.decision.skill in ("listen", WATCHED):
        undecided = any(told.held is None and told.attempts for told in last.outcomes)
        if last.decision.skill == "listen" and survey.count("listen") < 2 and undecided:
            return [candidate(LISTEN, Wait(ms=LISTEN_MS), "a slow one takes longer to be counted", "listen", *_counted(survey))]
        for mark in _mutes(survey):
            if not survey.count(MUTING):  # a press while nothing was heard told nothing
                told = expects("responds", f'"{mark.name}" has an effect', promise.id)
                return [candidate(MUTE, Click(target=Target.of(mark)), "what is heard can be muted", MUTING, told)]
        return _stop(survey, promise)
    if survey.count("listen"):
        return _stop(survey, promise)
    if not _started(last):
        return []
    return [candidate(LISTEN, Wait(ms=LISTEN_MS), "whether it is heard", "listen", *_counted(survey))]


def _stop(survey: Survey, promise: Promise) -> list[Candidate]:
    """What was started, heard and not muted is stopped, once, by what stood nowhere before it was started or is called so."""
    if survey.count(STOPPING) or any(says("unmute", mark.name) for mark in survey.usable):
        return []
    for mark in survey.usable:
        if kind_of(mark) is Kind.button and _STOPS & concepts(mark.name):
            told = expects("responds", f'"{mark.name}" has an effect', promise.id)
            return [candidate(STOP, Click(target=Target.of(mark)), "what is heard can be stopped", STOPPING, told)]
    return []


def _unmute(survey: Survey) -> list[Candidate]:
    """What was muted while it went on, and goes on still, is to be heard again; else all that follows would be silent."""
    muted = survey.steps[-2] if len(survey.steps) > 1 else None
    target = target_of(muted) if muted is not None and muted.decision.skill == MUTING else None
    if target is None or survey.count(UNMUTING):
        return []
    goes_on = any(kind_of(mark) is Kind.button and _STOPS & concepts(mark.name) for mark in survey.usable)
    for mark in survey.usable:
        if goes_on and (mark.selector, mark.frame) == (target.selector, target.frame):
            return [candidate(MUTE, Click(target=Target.of(mark)), "what was muted is to be heard again", UNMUTING)]
    return []


def _start_again(survey: Survey) -> list[Candidate]:
    """What was started, heard and stopped is started once more, by what started it: it may be heard the first time only."""
    stopped = next((step for step in reversed(survey.steps) if step.decision.skill == STOPPING), None)
    if survey.count(AGAIN):
        return []
    started = [step for step in survey.steps if _started(step)]
    target = target_of(started[0]) if started else None
    if stopped is None or survey.last is None or survey.steps[-2:-1] != (stopped,) or target is None:
        return []
    for mark in survey.usable:
        if (mark.selector, mark.frame) == (target.selector, target.frame) and concepts(mark.name) & _STARTS:
            act = Click(target=Target.of(mark))
            return [candidate(STOP, act, "what was heard once is to be heard again", AGAIN)]
    return []


def _mutes(survey: Survey) -> list[Mark]:
    """What silences everything, not one of several tracks."""
    names = [mark.name for mark in survey.usable]
    return [
        mark
        for mark in survey.usable
        if says("mute", mark.name)
        and not says("unmute", mark.name)
        and kind_of(mark) in _PRESSED
        and silences_all(mark.name, names)
    ]


def _counted(survey: Survey) -> list[Expectation]:
    """That bars, beats or loops are counted, and that something shows the beat, where the brief promises so."""
    asked = survey.promise_about("count bars beats loops played 小节 次数", frozenset({"feature", "control", "content"}))
    counted = [expects("counts", "what is played is counted", asked.id, of="rounds", key="rounds counter")] if asked.id else []
    shown = next((one for one in survey.view.plan.promises if says("beat_lights", one.text) and says("beat", one.text)), None)
    if shown is not None:
        counted.append(expects("lights_change", "what shows the beat changes with it", shown.id, key="lights"))
    return counted


def _started(step: Step) -> bool:
    """Whether a press started something: what was pressed is called so, and something came of it."""
    target, changes = target_of(step), step.acted.changes
    responded = changes.text or changes.dom or changes.value or (changes.picture or 0) > 0
    if target is None or target.role == "slider" or not isinstance(step.decision.action, Click):
        return False
    silences = says("mute", target.name) or says("unmute", target.name)
    return bool(responded) and not silences and bool(concepts(target.name) & _STARTS)
