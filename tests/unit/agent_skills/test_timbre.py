"""Another waveform sounds otherwise: one note, another sound, the same note, told from what was heard of them."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import timbre
from agent.skills.checks.film import after_the_film
from agent.skills.checks.instruments import PLAYED_BACK
from agent.skills.checks.timbre import CHOSEN, PLAYED
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, view
from tools.browser.actions import Click, Select
from tools.browser.marks import Mark, Observation
from tools.evidence.film_rows import SoundTrack

BRIEF = "A small synthesizer with sound: piano keys, four waveforms and a volume."
KEYS = tuple(mark(f"{name}4", at=(100 + 50 * place, 300)) for place, name in enumerate("CDE"))
NAMES = ("Triangle", "Sine", "Square", "Sawtooth")
WAVE = mark("Waveform", "select", value="sine", options=tuple(name.casefold() for name in NAMES), option_names=NAMES)
SINE, SQUARE, SAW = (0, 40, 40, 40), (0, 40, 10, 14), (0, 6, 10, 12)


def track(*tones: tuple[int, ...]) -> SoundTrack:
    """A sound track with these tones, two seconds apart from 300 ms on."""
    moments = [2000.0 * place + 300.0 for place in range(len(tones))]
    return SoundTrack(
        window_ms=10,
        silence_dbfs=-60,
        audible_s=1.0,
        audible_spans=tuple((at - 100, at + 200) for at in moments),
        peak_dbfs=-6,
        loudest_dbfs=-12,
        onsets=len(tones),
        first_onsets_ms=(),
        tones=tuple(zip(moments, tones, strict=True)),
    )


def session(*marks: Mark, brief: str = BRIEF) -> list[Step]:
    """What the skill proposes on a page with these marks, one after another, a step a second."""
    steps, seen = list[Step](), list[Observation]()
    now = page(*marks)
    for number in range(1, 8):
        found = timbre.propose(see(*now.marks, brief=brief, steps=tuple(steps), past=tuple(seen)))
        if not found:
            break
        act = found[0].decision.action
        set_to = getattr(act, "value", "")
        after = page(
            *(one.model_copy(update={"value": set_to}) if set_to and one.options else one for one in now.marks), number=number
        )
        steps.append(did(found[0].decision, now, after, *steps))
        seen.append(now)
        now = after
    return steps


def test_one_note_is_played_at_three_sounds() -> None:
    """The note, a wave, the note, another wave, the note; a triangle, which is nearly a sine, is left for last."""
    steps = session(*KEYS, WAVE)
    assert [step.decision.skill for step in steps] == [PLAYED, CHOSEN, PLAYED, CHOSEN, PLAYED]
    chosen = [step.decision.action for step in steps if step.decision.skill == CHOSEN]
    assert [act.value for act in chosen if isinstance(act, Select)] == ["square", "sawtooth"]
    played = {act.target.name for step in steps if isinstance(act := step.decision.action, Click)}
    assert played == {"C4"}


def test_waves_may_be_buttons() -> None:
    """A row of buttons called by their waves; with two of them there is too little to compare."""
    row = [mark(name, at=(100 + 100 * place, 100)) for place, name in enumerate(("Sine", "Square", "Sawtooth"))]
    assert [step.decision.skill for step in session(*KEYS, *row)] == [PLAYED, CHOSEN, PLAYED, CHOSEN, PLAYED]
    assert not session(*KEYS, *row[:2])


def test_other_apps_are_left_alone() -> None:
    """No instrument, no select of sounds, no time, or something that sounds by itself."""
    assert not session(*KEYS, WAVE, brief="A page about waveforms in physics with a quiz.")
    assert not session(*KEYS, mark("Key", "select", options=("a", "b", "c"), option_names=("A", "B", "C")))
    assert not timbre.propose(see(*KEYS, WAVE, brief=BRIEF, seconds_left=5.0))
    beat = mark("Metronome", at=(100, 500))
    begun = did(decided(on(beat)), page(beat, *KEYS, WAVE), page(beat, *KEYS, WAVE, number=1))
    play = mark("▶ Start", at=(100, 500))
    heard = did(decided(on(play), skill=PLAYED_BACK), page(play, *KEYS, WAVE), page(play, *KEYS, WAVE, number=1))
    assert timbre.propose(see(play, *KEYS, WAVE, brief=BRIEF, steps=(heard,)))
    assert not timbre.propose(see(beat, *KEYS, WAVE, brief=BRIEF, steps=(begun,)))


@pytest.mark.parametrize(
    ("tones", "held"),
    [
        ((SINE, SINE, (0, 40, 39, 40)), False),
        ((SINE, SQUARE, SAW), True),
        ((SINE, SINE, SAW), True),
        ((SINE, (0, 36, 36, 40), SINE), None),
        ((SINE, SINE), None),
    ],
)
def test_sounds_that_are_made_up_alike_are_one_sound(tones: tuple[tuple[int, ...], ...], held: bool | None) -> None:
    """Three alike are an ignored choice; one that differs tells it is heard; in between, or with one unheard, nothing is said."""
    steps = session(*KEYS, WAVE)
    told = [
        one
        for one in after_the_film(view(page(), brief=BRIEF, steps=steps), track(*tones), None)
        if one.oracle == "timbre_followed"
    ]
    assert [one.held for one in told] == ([] if held is None else [held])
    for one in told:
        assert (one.selector, one.symptom) == (WAVE.selector, "" if held else "input_ignored")
        assert one.steps == (steps[3].acted_id, steps[4].acted_id)
