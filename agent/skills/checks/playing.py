"""What a game owes its player: who does nothing loses, and a new round is not over."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.skills.checks.case import VISIBLE, Case, Told, effect, lack, threw
from agent.skills.checks.labelled import figures
from agent.words import clock_times, concepts, says
from tools.browser.marks import BAND_PX, Drawing, Observation

_HEARTS = "♥❤💖💗🖤❣"
_TIME = re.compile(
    r"\b(?:time|timer|seconds?|secs?|zeit|sekunden|temps|secondes?|tiempo|segundos)\b|时间|用时|计时|秒", re.IGNORECASE
)
NEEDED = 5
_RANGE = re.compile(r"(\d+)–(\d+)")
LOWER = 0.6
"""From so far down a canvas on a paddle or a basket may lie."""
LOST = "; a life was lost"
FIRST_SIGHT = 4
"""Presses at each of which the same band changed: that is no ball."""
LINE_SHARE, LINE_TIMES = 0.1, 3.0
"""A line of changes is at most so high for the canvas, and so many times as long as high."""


def lost(case: Case) -> Told:
    """Left alone, the game is lost, or a life is: no such thing in two long watches is `wrong_result`.

    It can be told only while something happens at all: a game that waits for its first key stands still. One that throws an
    error then and stands still is no longer one: `animation_frozen`.
    """
    if says("game_over", case.after.text) and not says("game_over", case.before.text):
        return Told(True, "the game is over")
    before, after = _lives(case.before), _lives(case.after)
    if before is not None and after is not None and after != before:
        return Told(True, f"{before:g} lives became {after:g}")
    if case.changes.errors and not (case.after.moving > VISIBLE or case.after.animated):
        return lack(case, "animation_frozen", "left alone, it ends in an error and stands still, and is not over", needs=1)
    if case.changes.dialogs or threw(case):
        return Told(None, "the page reported something", attempts=0)
    if case.changes.text and (before is None or after is None):
        return Told(None, effect(case).definite or "the text changed", attempts=0)
    ran = case.before.moving > VISIBLE or case.after.moving > VISIBLE or (case.changes.picture or 0.0) > VISIBLE
    if not ran:
        return Told(None, "the game stands still", attempts=0)
    seconds = (case.after.app_ms - case.before.app_ms) / 1000
    held = f"{after:g} lives are left" if after is not None else "the game goes on as if nothing had happened"
    return lack(case, "wrong_result", f"left alone for {seconds:.0f} s, nobody loses: {held}")


def bricks_count(case: Case) -> Told:
    """A ball has hit a brick by the time it is lost. Not a point in the round, and a life gone: `state_not_updated`.

    Told only where one score is shown, which is 0 since the round began, and where no score was ever seen to change.
    """
    before, after = (_score(page) for page in (case.before, case.after))
    was, now = _lives(case.before), _lives(case.after)
    ended = says("game_over", case.after.text) and not says("game_over", case.before.text)
    went = was is not None and now is not None and now < was
    if after is None or not (ended or went):
        return Told(None, "no score is shown, or no ball was lost", attempts=0)
    scored = any(one.oracle == "score_changes" and one.held for step in case.history for one in step.outcomes)
    if before or after or scored:
        return Told(True, f"the score is {after:g}")
    return lack(case, "state_not_updated", "a ball was lost, and nothing it hit was counted: the score is still 0", needs=1)


def _score(page: Observation) -> float | None:
    """The score of a round, where one is shown."""
    found = [value for label, value in figures(page).items() if "score" in concepts(label) and not says("counter_kept", label)]
    found = found if len(found) < 2 else [value for label, value in figures(page).items() if label == "score"]
    return found[0] if len(found) == 1 else None


def _lives(page: Observation) -> float | None:
    """Lives that are shown, as a number or as hearts; None where they are not."""
    hearts = sum(page.text.count(sign) for sign in _HEARTS)
    if hearts:
        return float(hearts)
    found = [value for label, value in figures(page).items() if says("lives", label)]
    return found[0] if len(found) == 1 else None


def time_stands(case: Case) -> Told:
    """The time of a round that is over stands still while it is watched. It runs on: `wrong_result`."""
    if not (says("game_over", case.before.text) and says("game_over", case.after.text)):
        return Told(None, "the round is not over", attempts=0)
    before, after = round_times(case.before), round_times(case.after)
    same = [label for label in before if label in after]
    if not same:
        return Told(None, "no time of the round is shown", attempts=0)
    ran = [label for label in same if before[label] != after[label]]
    if not ran:
        return Told(True, f"{before[same[0]]} stands")
    return Told(False, f"the round is over, and {before[ran[0]]} became {after[ran[0]]}", "wrong_result")


def round_times(page: Observation) -> dict[str, str]:
    """Times that are shown: clocks by their place, figures by a label that speaks of time; none of a record's."""
    clocks = {f"clock {place}": one for place, one in enumerate(clock_times(page.text))}
    named = {
        label: f"{value:g}" for label, value in figures(page).items() if _TIME.search(label) and not says("record_figure", label)
    }
    return clocks | named


def restarted(case: Case) -> Told:
    """After a restart the round is no longer over; twice still over: `state_not_updated`."""
    if not says("game_over", case.before.text):
        return Told(None, "the round was not over", attempts=0)
    if not says("game_over", case.after.text):
        return Told(True, "a new round runs")
    return lack(case, "state_not_updated", "the round is still over")


def steered(case: Case) -> Told:
    """What the keys steer moves with them, told from where the canvas (`surface`) changed, while the game runs.

    `axis` rows (of the lower part) or columns: of five presses, this way and that, the same band changes at four or more; no
    band does: `keyboard_ignored`. `axis` line: turns lead off the line it goes along; twice not: the same.
    """
    before, after = (_drawn(page, case.word("surface")) for page in (case.before, case.after))
    if before is None or after is None or len(before.rows) != len(after.rows):
        return Told(None, "the canvas is not in sight as a whole", attempts=0)
    if case.word("axis") == "line":
        return _turned(case, _changed(before.rows, after.rows), _changed(before.columns, after.columns))
    lost = _broken_off(case)
    if not case.before.moving or not case.after.moving or (lost and not _went_on(case)):
        return Told(None, "the game stands still, or the round was broken off", attempts=0)
    axis = case.word("axis")
    bands = _changed(getattr(before, axis), getattr(after, axis))
    if axis == "rows":  # where such games have what is steered; bricks that go one after the other are above
        bands = frozenset(band for band in bands if band >= LOWER * len(before.rows))
    past = [_bands_of(one.observed) for step in case.history for one in step.outcomes if one.oracle == "steered" and one.attempts]
    return _goes_along(case, [*past, bands], LOST if lost else "")


def _went_on(case: Case) -> bool:
    """Whether the press right before was no new beginning, so that what is steered did not stand where it begins."""
    last = case.history[-1] if case.history else None
    told = [one.observed for one in last.outcomes if one.oracle == "steered"] if last is not None else []
    return bool(told) and not told[0].endswith(LOST)


def _goes_along(case: Case, presses: list[frozenset[int]], note: str) -> Told:
    count = max((sum(band in one for one in presses) for one in presses for band in one), default=0)
    if count == len(presses) >= FIRST_SIGHT or (len(presses) >= NEEDED and count >= len(presses) - 1):
        return Told(True, f"the same part of the picture changed at {count} of {len(presses)} presses")
    if len(presses) < NEEDED:
        return Told(None, _in_words(presses[-1]) + note)
    told = f"at {len(presses)} presses, this way and that, nothing went with the keys"
    return lack(case, "keyboard_ignored", told, needs=NEEDED)


def _turned(case: Case, rows: frozenset[int], columns: frozenset[int]) -> Told:
    """Whether the changes lie along one line although two turns were pressed."""
    if not rows or not columns:
        return Told(None, "nothing on the canvas changed", attempts=0)
    high, wide = ((max(one) - min(one) + 1) * BAND_PX for one in (rows, columns))
    canvas = _drawn(case.before, case.word("surface"))
    least = min(len(canvas.rows), len(canvas.columns)) * BAND_PX if canvas is not None else 0
    if min(high, wide) <= LINE_SHARE * least and max(high, wide) >= LINE_TIMES * min(high, wide):
        return lack(case, "keyboard_ignored", f"it goes on along its line, {wide} × {high} px, whatever is pressed")
    if says("game_over", case.after.text):
        return Told(None, "the round ended meanwhile", attempts=0)
    return Told(True, "it left its line")


def _broken_off(case: Case) -> bool:
    """Whether a life or a level came or went, so that everything may stand where it began."""
    if _lives(case.before) != _lives(case.after):
        return True
    before, after = figures(case.before), figures(case.after)
    changed = (label for label, value in before.items() if after.get(label, value) != value)
    return any(says("lives", label) or says("round", label) for label in changed)


def _drawn(page: Observation, selector: str) -> Drawing | None:
    return next((one for one in page.drawings if one.selector == selector and one.rows), None)


def _changed(before: Sequence[int], after: Sequence[int]) -> frozenset[int]:
    return frozenset(place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)


def _in_words(bands: frozenset[int]) -> str:
    """Where a canvas changed, as `_bands_of` reads it: `the canvas changed at 24–40, 392–424 px`."""
    if not bands:
        return "the canvas is as before where the player is"
    starts = [band for band in sorted(bands) if band - 1 not in bands]
    ends = [band + 1 for band in sorted(bands) if band + 1 not in bands]
    parts = (f"{start * BAND_PX}–{end * BAND_PX}" for start, end in zip(starts, ends, strict=True))
    return f"the canvas changed at {', '.join(parts)} px"


def _bands_of(observed: str) -> frozenset[int]:
    found = _RANGE.findall(observed)
    return frozenset(band for start, end in found for band in range(int(start) // BAND_PX, int(end) // BAND_PX))
