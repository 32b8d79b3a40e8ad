"""Instruments, told from the finished film: what was recorded is played back as it was played, and a scope follows the sound."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.deciders.protocol import Step, View
from tools.evidence.film_rows import MotionTrack, SoundTrack

PLAYED_BACK, HELD = "play a recording back", "hold a sounding key"
RECORDING, RECORDED = "start a recording", "stop a recording"
"""Skills between whose steps something is recorded."""
_PITCH = re.compile(r"^\W*[A-Ga-g](?:[#♯b♭]|\s(?:sharp|flat))?\s?-?\d\b", re.IGNORECASE)
_NOTE = re.compile(
    _PITCH.pattern + r""
    r"|\b(?:kick|snare|hi-?hat|clap|tom|cymbal|crash|ride|rim ?shot|cowbell)\b|军鼓|底鼓|踩镲|镲",
    re.IGNORECASE,
)
_SCOPE = re.compile(
    r"\boscilloscope\b|\bwave ?form (?:display|view|visuali[sz]|of the sound)|示波器|波形显示|实时波形", re.IGNORECASE
)
LEAST_NOTES, LEAST_LASTS_MS, SHORT_SHARE = 3, 1500.0, 0.35
_GAP_MS, _EDGE_MS, LEAST_HELD_MS, _LEAST_SOUND = 60.0, 450.0, 1000.0, 0.6


def sounds_when_pressed(name: str) -> bool:
    """Whether a control is called by a note or a drum (`C4`, `F sharp 3, key T`, `Snare`)."""
    return _NOTE.search(name) is not None


def is_note(name: str) -> bool:
    """Whether a control is called by a note (`C4`, `F sharp 3, key T`), which sounds while it is held and no longer."""
    return _PITCH.search(name) is not None


def wants_scope(brief: str) -> bool:
    """Whether the brief asks for the course of the sound to be drawn."""
    return _SCOPE.search(brief) is not None


def beginnings(sound: SoundTrack, from_ms: float, until_ms: float) -> list[float]:
    """When sounds began in a stretch of app time, those closer together than a person can tell taken as one."""
    found = sorted({*sound.first_onsets_ms, *(start for start, _ in sound.audible_spans)})
    kept: list[float] = []
    for at in (one for one in found if from_ms <= one <= until_ms):
        if not kept or at - kept[-1] > _GAP_MS:
            kept.append(at)
    return kept


def played_back(view: View, sound: SoundTrack) -> tuple[Step, bool, str] | None:
    """`(the press on play, right, what was heard)`: notes recorded one after another do not sound all at once."""
    begun, ended, play = (_last(view.steps, skill) for skill in (RECORDING, RECORDED, PLAYED_BACK))
    if begun is None or ended is None or play is None or not begun.number < ended.number < play.number:
        return None
    until = next((one.acted.started_ms for one in view.steps if one.number > play.number and not _waits(one)), view.now.app_ms)
    notes = beginnings(sound, begun.acted.ended_ms, ended.acted.started_ms)
    again = beginnings(sound, play.acted.started_ms, until)
    if len(notes) < LEAST_NOTES or notes[-1] - notes[0] < LEAST_LASTS_MS or not again:
        return None
    lasted, lasts = notes[-1] - notes[0], again[-1] - again[0]
    if until - again[0] < lasted + _EDGE_MS:
        return None  # it was not listened to for long enough
    heard = f"{len(notes)} notes were played within {lasted / 1000:.1f} s, played back they begin within {lasts / 1000:.1f} s"
    return play, lasts >= SHORT_SHARE * lasted, heard


def scope_follows(view: View, sound: SoundTrack, motion: MotionTrack) -> tuple[Step, bool, str] | None:
    """`(the press, right, what was seen)`: while a key was held and sounded, something on the page moved."""
    for step in view.steps:
        start, end = step.acted.started_ms + _EDGE_MS, step.acted.ended_ms - _EDGE_MS
        if step.decision.skill != HELD or not step.acted.delivered or end - start < LEAST_HELD_MS - _EDGE_MS:
            continue
        if _share(sound.audible_spans, start, end) < _LEAST_SOUND:
            continue
        moved = _share(motion.motion_spans, start, end)
        return step, moved > 0, f"it moves for {moved * 100:.0f} % of the {(end - start) / 1000:.1f} s in which a key sounds"
    return None


def _share(spans: Sequence[tuple[float, float]], start: float, end: float) -> float:
    return sum(max(0.0, min(stop, end) - max(begin, start)) for begin, stop in spans) / max(end - start, 1.0)


def _last(steps: Sequence[Step], skill: str) -> Step | None:
    return next((step for step in reversed(steps) if step.decision.skill == skill and step.acted.delivered), None)


def _waits(step: Step) -> bool:
    return step.acted.action.get("act") == "wait"
