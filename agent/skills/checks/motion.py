"""Things that move: games, animations, timers, and the keys that steer them."""

from __future__ import annotations

from agent.skills.checks.case import VISIBLE, Case, Told, effect, lack, shown_numbers
from agent.words import clock_times


def moves(case: Case) -> Told:
    """Something moves by itself after the act or during the wait. Twice not: `symptom` (default `animation_frozen`)."""
    if case.after.moving > VISIBLE or case.after.animated:
        return Told(True, f"{case.after.moving * 100:.1f} % of the picture moves by itself")
    if case.action.act == "wait" and ((case.changes.picture or 0.0) > VISIBLE or case.changes.text):
        return Told(True, "the page changed while it was watched")
    return lack(case, case.word("symptom", "animation_frozen"), "nothing moves")


def ticks(case: Case) -> Told:
    """A running time or count changes while it is watched. Two watches without: `state_not_updated`."""
    before, after = clock_times(case.before.text), clock_times(case.after.text)
    if before != after:
        return Told(True, f"{_first(before)} became {_first(after)}")
    if shown_numbers(case.before) != shown_numbers(case.after):
        return Told(True, "a number counts on")
    if case.changes.text:
        return Told(True, effect(case).definite or effect(case).doubtful or "the text changed")
    if not before and ((case.changes.picture or 0.0) > VISIBLE or case.after.moving > VISIBLE):
        return Told(True, "the picture moves on")
    return lack(case, "state_not_updated", f"{_first(before) or 'the page'} stands still")


def still(case: Case) -> Told:
    """What was paused stands still while watched: the time shown, or the picture of a page that was still at first."""
    before, after = clock_times(case.before.text), clock_times(case.after.text)
    if before or after:
        if before == after:
            return Told(True, f"{_first(before)} stands still")
        return lack(case, "state_not_updated", f"it runs on: {_first(before)} became {_first(after)}")
    if not case.number("still_at_first"):
        return Told(None, "the page moved by itself from the start, so standing still cannot be told", attempts=0)
    quiet = (case.changes.picture or 0.0) <= VISIBLE and case.after.moving <= VISIBLE and case.before.moving <= VISIBLE
    if quiet and not case.changes.text:
        return Told(True, "nothing moves")
    return lack(case, "state_not_updated", "it moves on")


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
    return lack(case, "keyboard_ignored", "the keys change nothing")


def _first(times: tuple[str, ...]) -> str:
    return times[0] if times else ""
