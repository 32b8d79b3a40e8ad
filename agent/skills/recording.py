"""Instruments: a key is held while it sounds; what is played is recorded and played back. What was heard the film tells."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.checks.instruments import HELD, PLAYED_BACK, RECORDED, RECORDING, sounds_when_pressed, wants_scope
from agent.skills.controls import Kind, kind_of
from agent.skills.keyboard import named_keys
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from agent.words import says
from tools.browser.actions import Click, Press, Target, Wait
from tools.browser.marks import Mark

RECORD, GO_ON, HOLD = 62.0, 118.0, 60.0
NOTES, HOLD_MS, LONGEST_MS = 3, 2200.0, 6000.0
PLAYS, LISTENS = "play what is recorded", "listen to the recording"
_RECORD = re.compile(r"\brecord(?:ing)?\b|录音|录制", re.IGNORECASE)
_BACK = re.compile(r"\bplay\b|\bplay ?back\b|\breplay\b|播放|回放", re.IGNORECASE)
_ASKS = re.compile(
    r"\brecord\w*\b[^.;]{0,60}\b(?:play|replay|listen)|录(?:音|制|下)[^。；]{0,30}(?:播放|回放|重放)", re.IGNORECASE
)


def propose(survey: Survey) -> list[Candidate]:
    """Holding a key where the sound is to be drawn; recording three notes and playing them back where the brief wants that."""
    keys = [mark for mark in survey.usable if kind_of(mark) is Kind.button and sounds_when_pressed(mark.name)]
    if len(keys) < NOTES:
        return []
    return [*_hold(survey), *_record(survey, keys)]


def _hold(survey: Survey) -> list[Candidate]:
    letters = [key for key, _ in named_keys(survey) if len(key) == 1]
    if not letters or survey.count(HELD) or not wants_scope(survey.view.brief) or (survey.now.focused and _typing(survey)):
        return []
    match = survey.promise_about("oscilloscope waveform 示波器 波形", frozenset({"feature", "control", "content", "motion"}))
    act = Press(keys=(letters[0],), hold_ms=HOLD_MS)
    return [candidate(HOLD, act, because(match, survey, "what is heard is to be drawn"), HELD)]


def _typing(survey: Survey) -> bool:
    mark = survey.now.mark(survey.now.focused)
    return mark is not None and kind_of(mark) in (Kind.text, Kind.number, Kind.select, Kind.date, Kind.range)


def _record(survey: Survey, keys: list[Mark]) -> list[Candidate]:
    """The next step of: record, three notes one after another, stop, play, listen."""
    if _ASKS.search(survey.view.brief) is None:
        return []
    begun = _step(survey, RECORDING)
    if begun is None:
        button = next((mark for mark in survey.usable if _RECORD.search(mark.name) and _pressable(mark)), None)
        match = survey.promise_about("record play back 录音 播放", frozenset({"feature", "control"}))
        if button is None or survey.tried(button):
            return []
        why = because(match, survey, "what is played can be recorded")
        told = expects("responds", "recording begins", match.id)
        return [candidate(RECORD + match.bonus / 2, Click(target=Target.of(button)), why, RECORDING, told)]
    if survey.last is None or survey.last.decision.skill not in {RECORDING, PLAYS, RECORDED, PLAYED_BACK}:
        return []
    return _on(survey, begun, keys)


def _on(survey: Survey, begun: Step, keys: list[Mark]) -> list[Candidate]:
    played = survey.count(PLAYS)
    if played < NOTES:
        key = keys[min(2 * played, len(keys) - 1)]
        return [candidate(GO_ON, Click(target=Target.of(key)), "a note to be recorded", PLAYS)]
    if _step(survey, RECORDED) is None:
        stop = _in_place_of(survey, begun) or next((mark for mark in survey.usable if "stop" in mark_concepts(mark)), None)
        return [candidate(GO_ON, Click(target=Target.of(stop)), "enough is recorded", RECORDED)] if stop is not None else []
    if _step(survey, PLAYED_BACK) is None:
        place = getattr(target_of(begun), "selector", "")
        buttons = [mark for mark in survey.usable if _pressable(mark) and _BACK.search(mark.name) and mark.selector != place]
        buttons = [mark for mark in buttons if not sounds_when_pressed(mark.name) and not says("mute", mark.name)]
        told = expects("responds", "the recording is played")
        return [
            candidate(GO_ON, Click(target=Target.of(one)), "what was recorded is heard", PLAYED_BACK, told) for one in buttons
        ][:1]
    if survey.count(LISTENS):
        return []
    end = _step(survey, RECORDED)
    long = min((end.acted.started_ms if end is not None else 0.0) - begun.acted.ended_ms, LONGEST_MS)
    return [candidate(GO_ON, Wait(ms=max(long, 2000.0)), "whether it is heard as it was played", LISTENS)]


def _in_place_of(survey: Survey, step: Step) -> Mark | None:
    target = target_of(step)
    places = [
        mark for mark in survey.usable if target is not None and (mark.selector, mark.frame) == (target.selector, target.frame)
    ]
    return places[0] if places else None


def _pressable(mark: Mark) -> bool:
    return kind_of(mark) is Kind.button and not mark.disabled


def _step(survey: Survey, skill: str) -> Step | None:
    return next((step for step in reversed(survey.steps) if step.decision.skill == skill and step.acted.delivered), None)
