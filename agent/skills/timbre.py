"""Instruments with several sounds: one note, another sound, the same note again. Whether it sounds otherwise the film tells."""

from __future__ import annotations

from agent.skills.checks.instruments import PLAYED_BACK, RECORDED, RECORDING, is_note
from agent.skills.checks.timbre import CHOSEN, NAMED, NEEDED, PLAYED, WAVES, nearly_alike
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, target_of
from agent.words import concepts, folded, says
from tools.browser.actions import Action, Click, Select, Target
from tools.browser.marks import Mark

BEGIN, GO_ON = 59.0, 116.0
LEAST_SOUNDS = 3
SECONDS_NEEDED, STEPS_NEEDED = 12.0, 6
_CHOSEN = frozenset({Kind.button, Kind.radio, Kind.tab, Kind.option})


def propose(survey: Survey) -> list[Candidate]:
    """The next of: a note, another sound, the note, a third sound, the note. Not beside something that sounds by itself."""
    notes, choices = survey.count(PLAYED), survey.count(CHOSEN)
    if survey.domain != "music" or notes >= NEEDED or (not notes and not _ready(survey)):
        return []
    key, sounds = _key(survey), _sounds(survey)
    if key is None or len(sounds) < LEAST_SOUNDS - 1 - choices:
        return []
    match = survey.promise_about("waveform wave instrument sounds 波形 音色", frozenset({"feature", "control", "sound"}))
    if notes > choices:
        return [candidate(GO_ON, sounds[0], because(match, survey, "another sound is to be heard"), CHOSEN)]
    why = because(match, survey, "a note to compare sounds by")
    priority = GO_ON if choices else BEGIN + match.bonus / 2
    return [candidate(priority, Click(target=Target.of(key)), why, PLAYED)]


def _ready(survey: Survey) -> bool:
    """Whether there is time for it, and nothing was started that goes on sounding."""
    begun = any(
        (aim := target_of(step)) is not None and (says("metronome", aim.name) or "start" in concepts(aim.name))
        for step in survey.steps
        if step.decision.skill not in (RECORDING, RECORDED, PLAYED_BACK)  # what is recorded and played back comes to an end
    )
    return not begun and survey.view.seconds_left > SECONDS_NEEDED and survey.view.steps_left > STEPS_NEEDED


def _key(survey: Survey) -> Mark | None:
    """The note that was played first, else the first there is."""
    keys = [mark for mark in survey.usable if kind_of(mark) in _CHOSEN | {Kind.other} and is_note(mark.name)]
    played = [target.selector for step in survey.steps if step.decision.skill == PLAYED and (target := target_of(step))]
    same = [mark for mark in keys if played and mark.selector == played[0]]
    return same[0] if same else None if played else next(iter(keys), None)


def _sounds(survey: Survey) -> list[Action]:
    """Acts that choose another sound than those heard so far: options of a select, or buttons called by a wave."""
    done = [step.decision.action for step in survey.steps if step.decision.skill == CHOSEN]
    for mark in survey.usable:
        names = dict(zip(mark.options, mark.option_names, strict=False))
        waves = sum(1 for name in names.values() if WAVES.search(name))
        if kind_of(mark) is Kind.select and len(names) >= LEAST_SOUNDS and (NAMED.search(mark.name) or waves >= LEAST_SOUNDS - 1):
            heard = {getattr(act, "value", "") for act in done} | {mark.value, *_heard_first(survey, mark)}
            fresh = [value for value in mark.options if value and value not in heard]
            fresh.sort(key=lambda value: nearly_alike(folded(names[value])))
            return [Select(target=Target.of(mark), value=value) for value in fresh]
    buttons = [mark for mark in survey.usable if kind_of(mark) in _CHOSEN and WAVES.search(mark.name)]
    if len(buttons) < LEAST_SOUNDS:
        return []
    aims = {getattr(getattr(act, "target", None), "selector", "") for act in done}
    chosen = [mark for mark in buttons if mark.checked or "current" in mark.evidence] or buttons[:1]
    fresh = [mark for mark in buttons if mark.selector not in aims and mark not in chosen]
    return [Click(target=Target.of(mark)) for mark in sorted(fresh, key=lambda mark: nearly_alike(mark.name))]


def _heard_first(survey: Survey, select: Mark) -> list[str]:
    """What a select stood at before another sound was chosen in it."""
    chosen = [step for step in survey.steps if step.decision.skill == CHOSEN][:1]
    seen = [page for step in chosen if (page := survey.observation(step.acted.before)) is not None]
    return [mark.value for page in seen for mark in page.marks if (mark.selector, mark.frame) == (select.selector, select.frame)]
