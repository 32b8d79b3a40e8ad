"""Things that move: games, animations, timers, and the keys that steer them."""

from __future__ import annotations

import re

from agent.skills.checks.case import VISIBLE, Case, Told, effect, held_before, lack, shown_numbers, threw
from agent.skills.checks.labelled import figures
from agent.skills.checks.resumed import seconds
from agent.words import clock_times, concepts, says
from tools.browser.marks import Observation

_LEAST_MOVING, _FAR, _MORE = 0.002, 2.0, 1.3
"""Share of the picture that moves; how many times more of them; how many times more has to move at least."""
_SECONDS = re.compile(r"\b(?:seconds?|secs?|sekunden|secondes?|segundos)\b|秒", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{3}|[\u4e00-\u9fff]{2}")
LEAST_RUN_MS, MOST_RUN_MS = 1600.0, 50_000.0
LEAST_WATCH_S = 3.0
"""A shorter watch cannot tell a clock that is late from one that is slow."""


def moves(case: Case) -> Told:
    """Something moves by itself after the act or during the wait. Twice not: `symptom` (default `animation_frozen`)."""
    if case.after.moving > VISIBLE or case.after.animated:
        return Told(True, f"{case.after.moving * 100:.1f} % of the picture moves by itself")
    if case.action.act == "wait" and ((case.changes.picture or 0.0) > VISIBLE or case.changes.text):
        return Told(True, "the page changed while it was watched")
    if says("game_over", case.after.text) and not says("game_over", case.before.text):
        return Told(None, "the round ended meanwhile", attempts=0)
    if case.word("key") == "resumed game" and threw(case) and not case.changes.errors:
        return Told(None, "the page reported errors before", attempts=0)
    return lack(case, case.word("symptom", "animation_frozen"), "nothing moves")


def ticks(case: Case) -> Told:
    """A running time or count changes while it is watched. Two watches without: `state_not_updated`."""
    before, after = clock_times(case.before.text), clock_times(case.after.text)
    if before != after:
        return _at_rate(case, before, after) or Told(True, f"{_first(before)} became {_first(after)}")
    if shown_numbers(case.before) != shown_numbers(case.after):
        return Told(True, "a number counts on")
    if case.changes.text:
        return Told(True, effect(case).definite or effect(case).doubtful or "the text changed")
    if not before and ((case.changes.picture or 0.0) > VISIBLE or case.after.moving > VISIBLE):
        return Told(True, "the picture moves on")
    return lack(case, "state_not_updated", f"{_first(before) or 'the page'} stands still")


def seconds_run(case: Case) -> Told:
    """Seconds of a countdown go on while something else is done for a while. Twice they stand: `animation_frozen`."""
    passed_ms = case.after.app_ms - case.before.app_ms
    before, after = _shown_seconds(case.before), _shown_seconds(case.after)
    if not before or set(before) != set(after) or not LEAST_RUN_MS <= passed_ms <= MOST_RUN_MS:
        return Told(None, "no running seconds are shown, or not for long enough", attempts=0)
    if before != after:
        return Told(True, "the seconds run")
    return lack(case, "animation_frozen", f"the seconds stand at {next(iter(before.values()))} for {passed_ms / 1000:.1f} s")


def _shown_seconds(page: Observation) -> dict[str, str]:
    clocks = {f"clock {place}": one for place, one in enumerate(clock_times(page.text)) if one.count(":") > 1}
    return clocks | {label: f"{value:g}" for label, value in figures(page).items() if _SECONDS.search(label)}


def _at_rate(case: Case, before: tuple[str, ...], after: tuple[str, ...]) -> Told | None:
    """Whether the one time that changed runs as app time does (`rate` 1 asks for it): off twice is a wrong result.

    A shown second may be up to a second late at either end, and a reading takes a moment; a fifth is allowed on top.
    """
    moved = [(one, other) for one, other in zip(before, after, strict=False) if one != other]
    passed_s = (case.after.app_ms - case.before.app_ms) / 1000
    if not case.number("rate") or len(before) != len(after) or len(moved) != 1 or passed_s < LEAST_WATCH_S:
        return None
    shown_s = abs(seconds(moved[0][1]) - seconds(moved[0][0]))
    if abs(shown_s - passed_s) <= 1.1 + 0.2 * passed_s:
        return None
    told = f"{moved[0][0]} became {moved[0][1]} ({shown_s:g} s) while {passed_s:.1f} s passed"
    return lack(case, "wrong_result", told)


def shows_duration(case: Case) -> Told:
    """A timer's mode shows the minutes that the brief gives it. Another time, changed by this very act: `wrong_result`."""
    wanted, times = case.number("minutes") * 60, clock_times(case.after.text)
    if any(abs(seconds(one) - wanted) < 1.5 for one in times):
        return Told(True, f"{case.number('minutes'):g} minutes are shown")
    if len(times) == 1 and clock_times(case.before.text) != times and not case.moved_before:
        return Told(False, f"{times[0]} is shown instead of {case.number('minutes'):g} minutes", "wrong_result")
    return Told(None, "no time is shown that could be it", attempts=0)


_UNDO, _REDO = frozenset({"control+z"}), frozenset({"control+y", "control+shift+z", "shift+control+z", "shift+z"})
_PAUSED = re.compile(r"\bpaused\b|已暂停|暂停中", re.IGNORECASE)
"""What a page says that has taken the pause; a button is called "Pause"."""


def still(case: Case) -> Told:
    """What was paused stands still while watched: the time shown, or the picture of a page that was still at first.

    One watch must do for what ends by itself soon (`ends` 1).
    """
    before, after = clock_times(case.before.text), clock_times(case.after.text)
    symptom = case.word("symptom", "state_not_updated")
    if says("game_over", case.after.text) and not says("game_over", case.before.text):
        return _ended_meanwhile(case, symptom)
    if before or after:
        if before == after:
            return Told(True, f"{_first(before)} stands still")
        return lack(case, symptom, f"it runs on: {_first(before)} became {_first(after)}")
    if not case.number("still_at_first") and case.number("drawn"):
        return _drawn_still(case)
    if not case.number("still_at_first"):
        return Told(None, "the page moved by itself from the start, so standing still cannot be told", attempts=0)
    quiet = (case.changes.picture or 0.0) <= VISIBLE and case.after.moving <= VISIBLE and case.before.moving <= VISIBLE
    if quiet and not case.changes.text:
        return Told(True, "nothing moves")
    return lack(case, symptom, "it moves on", needs=1 if case.number("ends") else 2)


def _ended_meanwhile(case: Case, symptom: str) -> Told:
    """A paused round does not end: told where the page said that it was paused, or where it was seen to go on."""
    if _PAUSED.search(case.before.text):
        return Told(False, "it says that it is paused, and the round ends", symptom, attempts=2)
    if case.before.moving > VISIBLE:
        return Told(False, "it was seen to move after the pause, and the round ends", symptom, attempts=2)  # two sightings
    return Told(None, "the round ended meanwhile", attempts=0)


def _drawn_still(case: Case) -> Told:
    """The same of a page that moved from the start: its drawings are as they were, whatever else moves."""
    before = {one.selector: one.digest for one in case.before.drawings if one.digest}
    pairs = [(before[one.selector], one.digest) for one in case.after.drawings if one.digest and one.selector in before]
    if not pairs:
        return Told(None, "the page moved by itself from the start, so standing still cannot be told", attempts=0)
    if all(one == other for one, other in pairs):
        return Told(True, "what is drawn stands still")
    return lack(case, "state_not_updated", "what is drawn moves on")


def keyboard_effect(case: Case) -> Told:
    """Keys have an effect. It can be told only on a page that stood still before. Two tries without: `keyboard_ignored`."""
    if case.moved_before:
        return Told(None, "the page moves by itself, so what the keys do cannot be told", attempts=0)
    changes = case.changes
    seen = effect(case)
    if case.after.moving > VISIBLE:
        return Told(True, "things began to move")
    if changes.text or changes.dom or changes.storage or changes.url or changes.dialogs or (changes.picture or 0.0) > VISIBLE:
        if changes.scroll and not (changes.text or changes.dom):
            return Told(None, "the page scrolled, as any page does", attempts=0)
        return Told(True, seen.definite or "the picture changed")
    if changes.scroll or changes.value:
        return Told(None, seen.definite, attempts=0)
    if case.flashed:
        return Told(True, "something changed for a moment")
    if _nothing_to_take_back(case):
        return Told(None, "there may be nothing to take back, or to do again", attempts=0)
    return lack(case, "keyboard_ignored", "the keys change nothing")


def _nothing_to_take_back(case: Case) -> bool:
    """Whether keys for undo or redo may rightly do nothing: their button is off, or redo was not pressed right after an undo."""
    keys = {key.casefold().replace("meta", "control") for key in getattr(case.action, "keys", ())}
    if not keys & (_UNDO | _REDO):
        return False
    redo = bool(keys & _REDO)
    buttons = [mark for mark in case.before.marks if "undo" in concepts(mark.name) and says("redo", mark.name) == redo]
    if any(mark.disabled for mark in buttons):
        return True
    last = case.history[-1].decision.action if case.history else None
    target = getattr(last, "target", None)
    undone = {key.casefold().replace("meta", "control") for key in getattr(last, "keys", ())} & _UNDO
    pressed = target is not None and "undo" in concepts(target.name) and not says("redo", target.name)
    return redo and not undone and not pressed


def lights_change(case: Case) -> Told:
    """While a beat is played, something on the page besides its texts changes by itself. Twice nothing: `animation_frozen`.

    Told from the changes of elements and attributes, however small they are in the picture; a page that draws or animates
    otherwise can't be told of.
    """
    before, after = case.before, case.after
    if min(before.shifts, after.shifts) < 0 or before.url != after.url or after.shifts < before.shifts:
        return Told(None, "changes were not counted", attempts=0)
    if after.shifts > before.shifts:
        return Told(True, f"{after.shifts - before.shifts} changes of elements while it was watched")
    drawn = any(mark.kind == "canvas" for mark in after.marks) or any(one.rows for one in after.drawings)
    if before.animated or after.animated or drawn or (case.changes.picture or 0.0) > VISIBLE:
        return Told(None, "the page draws or moves otherwise", attempts=0)
    # What changed the first time it was played and does not when it is played again needs no third look.
    return lack(case, "animation_frozen", "nothing but figures and words changes", needs=1 if held_before(case) else 2)


def _first(times: tuple[str, ...]) -> str:
    return times[0] if times else ""


def crowds(case: Case) -> Told:
    """Many things that move move more of the picture than few: a control that says how many there are, set far up or down.

    As much of it moves as before, at two such settings: `state_not_updated`. Only of a page that moves before and after; where
    the share went the other way, something else (a trail, another view) tells more.
    """
    if case.mark is None or case.mark_after is None or min(case.before.moving, case.after.moving) < _LEAST_MOVING:
        return Told(None, "nothing moves by itself", attempts=0)
    try:
        few, many = sorted((float(case.mark.value), float(case.mark_after.value)))
    except ValueError:
        return Told(None, "its value is no number", attempts=0)
    if few <= 0 or many / few < _FAR:
        return Told(None, "it was not moved far", attempts=0)
    was, now = case.before.moving, case.after.moving
    rose = float(case.mark_after.value) > float(case.mark.value)
    ratio = now / was if rose else was / now
    if ratio > _MORE:
        return Told(True, f"{was * 100:.1f} % of the picture moved, now {now * 100:.1f} %")
    if ratio < 1 / _MORE:
        return Told(None, "what moves changed, but not as it should by this alone", attempts=0)
    told = f"{case.mark.value} became {case.mark_after.value}, and as much moves as before ({was * 100:.1f} %, {now * 100:.1f} %)"
    return lack(case, "state_not_updated", told)


def halts(case: Case) -> Told:
    """Slides that were stopped stay while they are watched. Words come and go still, twice: `keeps_running`."""
    gone, new = ([line for line in lines if _WORDS.search(line)] for lines in case.lines)
    if gone and new:
        return lack(case, "keeps_running", f'stopped, it runs on: "{new[0][:60]}" came by itself')
    return Told(True, "nothing changes by itself")
