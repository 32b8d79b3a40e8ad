"""Does another sound sound otherwise: one note before and after another wave or instrument was chosen, told from the film."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step, View
from tools.evidence.film_rows import SoundTrack

PLAYED, CHOSEN = "play a note to compare", "choose another sound"
"""Skills of the steps that are compared: a note, another sound, the same note again."""
NEEDED = 3
SAME_DB, OTHER_DB = 1.5, 3.0
"""Mean difference of the bands: film and noise make a third of the first; a sine and a square differ by ten."""
WAVES = re.compile(r"\b(?:sine|square|saw(?:tooth)?|triangle|pulse)\b|正弦|方波|锯齿|三角波", re.IGNORECASE)
NAMED = re.compile(
    r"\bwave ?(?:form|shape)?s?\b|\boscillator\b|\binstruments?\b|\btimbres?\b|\bvoices?\b|波形|音色|乐器", re.IGNORECASE
)
_NEARLY_SINE = re.compile(r"\btriangle\b|三角", re.IGNORECASE)


def nearly_alike(names: str) -> bool:
    """Whether two waves are hard to tell apart (a sine and a triangle)."""
    return _NEARLY_SINE.search(names) is not None


def timbre_followed(view: View, sound: SoundTrack) -> tuple[Step, Step, bool, str] | None:
    """`(the last note, the last choice, right, what was heard)`; None where it was not tried or could not be heard well.

    Notes of three sounds that are all made up alike are one sound; two that are not tell that the choice is heard.
    """
    notes = [step for step in view.steps if step.decision.skill == PLAYED and step.acted.delivered]
    choices = [step for step in view.steps if step.decision.skill == CHOSEN and step.acted.delivered]
    if len(notes) < NEEDED or len(choices) < NEEDED - 1:
        return None
    heard = [_tone(view, sound, step) for step in notes[:NEEDED]]
    tones = [one for one in heard if one is not None]
    if len(tones) < NEEDED:
        return None
    apart = [_apart(one, other) for place, one in enumerate(tones) for other in tones[place + 1 :]]
    told = f"the same note at {NEEDED} settings: its spectra differ by {min(apart):.1f} to {max(apart):.1f} dB on average"
    if max(apart) >= OTHER_DB:
        return notes[NEEDED - 1], choices[NEEDED - 2], True, told
    return (notes[NEEDED - 1], choices[NEEDED - 2], False, told) if max(apart) <= SAME_DB else None


def _tone(view: View, sound: SoundTrack, step: Step) -> tuple[int, ...] | None:
    """How what a press set off is made up; None where nothing was heard, or more than one sound."""
    later = [one.acted.started_ms for one in view.steps if one.number > step.number]
    until = later[0] if later else step.acted.ended_ms + 1500.0
    found = [below for at, below in sound.tones if step.acted.started_ms <= at <= until]
    return found[0] if len(found) == 1 else None


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / max(len(one), 1)
