"""Notes that are shown with their frequencies (`C5 – 523.3 Hz`): equal temperament says which belongs to which."""

from __future__ import annotations

import math
import re

from agent.skills.checks.case import Case, Told

_PAIR = re.compile(
    r"(?<![A-Za-z0-9])([A-G])\s?([#♯b♭]?)\s?(-?\d)[\s\-–—:：·•|=(（,，/~≈]{0,6}(\d{2,5}(?:[.,]\d{1,3})?)\s*Hz\b"
    r"|(\d{2,5}(?:[.,]\d{1,3})?)\s*Hz[\s\-–—:：·•|=(（,，/~≈]{1,6}([A-G])\s?([#♯b♭]?)\s?(-?\d)(?![A-Za-z0-9])"
)
_STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_A4, _A4_HZ, _OCTAVE = 69, 440.0, 12
_APART = 0.55
"""Semitones: another pitch for A (432, 442 Hz) is within it, and so is what a tuner calls by its nearest note."""


def pairs(text: str) -> list[tuple[str, int, float]]:
    """`(note as shown, its key as MIDI counts them, frequency shown in Hz)` of each note with a frequency in one line."""
    found = []
    for line in text.splitlines():
        for one in _PAIR.findall(line):
            letter, sign, octave, hertz = one[:4] if one[0] else (*one[5:8], one[4])
            key = _OCTAVE * (int(octave) + 1) + _STEPS[letter] + (1 if sign in ("#", "♯") else -1 if sign else 0)
            found.append((f"{letter}{sign}{octave}", key, float(hertz.replace(",", "."))))
    return [one for one in found if one[2] > 0]


def in_tune(case: Case) -> Told:
    """A note's frequency is that of its name, whatever octave it is counted in; another one: `wrong_result`."""
    shown = pairs(case.after.text)
    if not shown:
        return Told(None, "no note is shown with its frequency", attempts=0)
    for note, key, hertz in shown:
        off = _OCTAVE * math.log2(hertz / _A4_HZ) - (key - _A4)
        apart = (off + _OCTAVE / 2) % _OCTAVE - _OCTAVE / 2
        if abs(apart) > _APART:
            right = _A4_HZ * 2 ** ((key - _A4) / _OCTAVE)
            return Told(False, f'"{note}" is shown with {hertz:g} Hz; it is {right:.1f} Hz', "wrong_result")
    return Told(True, f'"{shown[0][0]}" has {shown[0][2]:g} Hz')
