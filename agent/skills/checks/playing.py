"""What a game owes its player: who does nothing loses, and a new round is not over."""

from __future__ import annotations

from agent.skills.checks.case import VISIBLE, Case, Told, effect, lack
from agent.skills.checks.labelled import figures
from agent.words import says
from tools.browser.marks import Observation

_HEARTS = "♥❤💖💗🖤❣"


def lost(case: Case) -> Told:
    """Left alone, the game is lost, or a life is: no such thing in two long watches is `wrong_result`.

    It can be told only while something happens at all: a game that waits for its first key stands still.
    """
    if says("game_over", case.after.text) and not says("game_over", case.before.text):
        return Told(True, "the game is over")
    before, after = _lives(case.before), _lives(case.after)
    if before is not None and after is not None and after != before:
        return Told(True, f"{before:g} lives became {after:g}")
    if case.changes.dialogs or case.changes.errors:
        return Told(None, "the page reported something", attempts=0)
    if case.changes.text and (before is None or after is None):
        return Told(None, effect(case).definite or "the text changed", attempts=0)
    ran = case.before.moving > VISIBLE or case.after.moving > VISIBLE or (case.changes.picture or 0.0) > VISIBLE
    if not ran:
        return Told(None, "the game stands still", attempts=0)
    seconds = (case.after.app_ms - case.before.app_ms) / 1000
    held = f"{after:g} lives are left" if after is not None else "the game goes on as if nothing had happened"
    return lack(case, "wrong_result", f"left alone for {seconds:.0f} s, nobody loses: {held}")


def _lives(page: Observation) -> float | None:
    """Lives that are shown, as a number or as hearts; None where they are not."""
    hearts = sum(page.text.count(sign) for sign in _HEARTS)
    if hearts:
        return float(hearts)
    found = [value for label, value in figures(page).items() if says("lives", label)]
    return found[0] if len(found) == 1 else None


def restarted(case: Case) -> Told:
    """After a restart the round is no longer over; twice still over: `state_not_updated`."""
    if not says("game_over", case.before.text):
        return Told(None, "the round was not over", attempts=0)
    if not says("game_over", case.after.text):
        return Told(True, "a new round runs")
    return lack(case, "state_not_updated", "the round is still over")
