"""Numbers: sums, counters, values that follow a slider."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, Told, beyond_own_look, effect, lack, shown_numbers, text_lines
from agent.skills.checks.labelled import figures, is_figure, moved
from agent.skills.quiet import excuse
from agent.words import concepts, keywords, numbers, says
from tools.browser.marks import Observation

_ENDLESS = re.compile(r"infinity|∞|\bnan\b", re.IGNORECASE)
_OWN_FIGURE = re.compile(r"[:：=]\s*[-−]?\d[\d,.]*\s*\S{0,4}$")
"""How a label ends that says the value of what it stands by: `Tempo: 120 BPM`."""
_BEFORE_WORDS = re.compile(r"[-−]?\d[\d,.]*\s+([^\d]{2,40})$")
_TOO_COMMON = frozenset({0.0, 1.0})
"""Figures that may well stand for something else."""
MOST_PIECES = 100
"""A quantity is a whole number below."""


def equals(case: Case) -> Told:
    """A calculator shows `value` after the sum `sum` was pressed. Held False only when every key of the sum had an effect.

    `needs`: in how many ways the keys can be pressed, each of which is tried until one gives the value.
    """
    wanted, ways = case.number("value"), int(case.number("needs", 1.0))
    before, after = Counter(shown_numbers(case.before)), Counter(shown_numbers(case.after))
    new = after - before
    if any(abs(number - wanted) < 1e-6 for number in new):
        return Told(True, f"{case.word('sum')} gives {wanted:g}")
    silent = [
        step
        for step in _presses(case)
        if _is_digit(step) and not (step.acted.changes.text or step.acted.changes.value or step.acted.changes.dom)
    ]
    joined = re.sub(r"[^\d.]", "", case.word("sum").rpartition("C")[2])
    if ways == 1 and joined and any(f"{number:g}" == joined for number in after):
        # The digits stand side by side: every one of them arrived, and what stood between them did not.
        return Told(False, f"{case.word('sum')} shows {joined}: the operator is ignored", "operator_ignored")
    if silent:
        return Told(None, "not every digit of the sum showed, so the result tells nothing", attempts=0)
    seen = effect(case)
    if not (seen.definite or seen.doubtful):
        worked = any(told.oracle == "equals" and told.held for step in case.history for told in step.outcomes)
        return lack(case, "wrong_result" if worked else "dead_control", "pressing = changed nothing", needs=max(2, ways))
    if abs(wanted) < 10 and after[wanted] >= before[wanted] > 0 and not new:
        return Told(None, "a result of one digit cannot be told from the keys", attempts=0)
    shown = ", ".join(f"{number:g}" for number in new) or seen.definite or seen.doubtful
    return lack(case, "wrong_result", f"{case.word('sum')} gives {shown} instead of {wanted:g}", needs=ways)


def says_error(case: Case) -> Told:
    """What can't be calculated is answered by a word, not by a figure or by `Infinity`: `wrong_result`."""
    displays = [mark.value for mark in case.after.marks if mark.value and (mark.readonly or mark.disabled)]
    before = Counter(line for line in case.before.text.splitlines() if line.strip())
    new = [line for line in case.after.text.splitlines() if line.strip() and not before[line]] + displays
    shown = " ".join(new)
    if says("calculation_error", shown) or says("validation", shown):
        return Told(True, f'it answers "{shown[:60]}"')
    if _ENDLESS.search(shown):
        return Told(False, f'it shows "{shown[:60]}"', "wrong_result")
    return Told(None, f'it shows "{shown[:60]}"', attempts=0)


def _is_digit(step: Step) -> bool:
    """Whether a digit was pressed: an operator or a point may rightly show nothing."""
    target = getattr(step.decision.action, "target", None)
    return target is not None and target.name.strip().isdigit()


def _presses(case: Case) -> list[Step]:
    """The steps of this sum before its last key."""
    skill = f"calculator {case.word('sum')}"
    return [
        step
        for step in case.history
        if step.decision.skill == skill and all(told.oracle != "equals" for told in step.decision.expectations)
    ]


def number_changes(case: Case) -> Told:
    """A number on the page moves in the direction `up` or `down` (`any`: either). The other way alone: `wrong_result`."""
    before, after = shown_numbers(case.before), shown_numbers(case.after)
    moved = [(one, other) for one, other in zip(before, after, strict=False) if one != other] if len(before) == len(after) else []
    ups, downs = [pair for pair in moved if pair[1] > pair[0]], [pair for pair in moved if pair[1] < pair[0]]
    direction = case.word("direction", "any")
    amount = _amount(ups, downs)
    if direction != "any" and amount:
        one, other = amount
        agrees = (other > one) == (direction == "up")
        return Told(agrees, f"{one:g} became {other:g}", "" if agrees else "wrong_result")
    right, wrong = {"up": (ups, downs), "down": (downs, ups)}.get(direction, (moved, []))
    if right:
        return Told(True, f"{right[0][0]:g} became {right[0][1]:g}")
    if wrong and len(moved) == 1:
        return Told(False, f"{wrong[0][0]:g} became {wrong[0][1]:g}", "wrong_result")
    seen = effect(case)
    if seen.definite:
        return Told(True, seen.definite) if direction == "any" else Told(None, seen.definite, attempts=0)
    if seen.doubtful:
        return Told(None, f"{seen.doubtful}, but the page moves by itself", attempts=0)
    reason = excuse(case)
    return (
        Told(None, f"nothing changed, which need not be a fault: {reason}", attempts=0)
        if reason
        else lack(case, "dead_control", "nothing changed")
    )


def _amount(ups: list[tuple[float, float]], downs: list[tuple[float, float]]) -> tuple[float, float] | None:
    """The quantity among numbers that moved: whole, small, by one; None unless all such moved the same way.

    Sums that follow it may go either way: a higher total can end the shipping fee.
    """
    by_one = [
        pair for pair in (*ups, *downs) if abs(pair[1] - pair[0]) == 1 and pair[0] == int(pair[0]) and max(pair) < MOST_PIECES
    ]
    same = len({pair[1] > pair[0] for pair in by_one}) == 1
    return by_one[0] if same else None


def score_changes(case: Case) -> Told:
    """A number beside a word for a score changed. Never held False: a player may simply not have scored."""
    before, after = (_scores(page) for page in (case.before, case.after))
    if before and after and before != after:
        return Told(True, f"{_listed(before)} became {_listed(after)}")
    return Told(None, "the score is as before" if after else "no score is shown", attempts=0)


def _scores(page: Observation) -> tuple[float, ...]:
    """Figures under a name for a score; else numbers on lines (or right after lines without one) that name it."""
    labelled = {label: value for label, value in figures(page).items() if "score" in concepts(label)}
    if labelled:
        return tuple(labelled[label] for label in sorted(labelled))
    lines = [line for line in page.text.splitlines() if line.strip()]
    pairs = zip(lines, [*lines, ""][1:], strict=True)
    named = [line if numbers(line) else f"{line} {following}" for line, following in pairs if "score" in concepts(line)]
    return tuple(number for line in named for number in numbers(line))


def _listed(found: tuple[float, ...]) -> str:
    return ", ".join(f"{number:g}" for number in found[:4])


_SHOWN_NOW = "is shown now"


def follows(case: Case) -> Told:
    """What depends on a slider or field follows it: text or picture beyond the control itself.

    With `result` 1 a number other than the control's own must change as well (the brief says the result is live, and
    nothing it depends on is empty). Nothing following at two different values: `state_not_updated`; on a page that moves by
    itself no figure at all, where some followed another control.
    """
    if case.mark is None or case.mark_after is None:
        return Told(None, "the control is gone", attempts=0)
    own = {_number(case.mark.value), _number(case.mark_after.value), *_shares(case)}
    before, after = Counter(shown_numbers(case.before)), Counter(shown_numbers(case.after))
    others = [number for number in (after - before) if not any(o is not None and abs(number - o) < 1e-6 for o in own)]
    if others:
        seen = f"{others[0]:g} {_SHOWN_NOW}"
        return Told(None, f"{seen}, but the page moves by itself", attempts=0) if case.moved_before else Told(True, seen)
    if case.number("result") and (after - before) and _result_stands(case, before, after):
        return lack(case, "state_not_updated", "the control's own value follows, but no result does")
    if case.moved_before and not moved(case.before, case.after) and _followed_another(case):
        told = f"no figure on the page follows the value {case.mark_after.value}, as they followed another control's"
        return lack(case, "state_not_updated", told)
    if case.changes.text or beyond_own_look(case) or case.changes.dom:
        seen = effect(case).definite or "the page changed"
        return Told(None, f"{seen}, but the page moves by itself", attempts=0) if case.moved_before else Told(True, seen)
    if concepts(f"{case.mark.name} {case.mark.context}") & {"silent", "sound"}:
        return Told(None, "what it sets need not show at once", attempts=0)
    if case.number("waits"):
        return Told(None, "a button takes its value in", attempts=0)
    return lack(case, "state_not_updated", f"nothing on the page follows the value {case.mark_after.value}")


def _followed_another(case: Case) -> bool:
    """Whether a number that another control does not hold itself was shown when that one was moved."""
    for step in case.history:
        target = getattr(step.decision.action, "target", None)
        if target is None or case.target is None or target.selector == case.target.selector:
            continue
        if any(one.oracle == "follows" and _SHOWN_NOW in one.observed for one in step.outcomes):
            return True
    return False


def results_follow(case: Case) -> Told:
    """A labelled figure follows a field's value, as others followed the fields beside it. None at two values: `input_ignored`."""
    if case.mark is None or case.mark_after is None or case.mark.value == case.mark_after.value:
        return Told(None, "it holds the value it held", attempts=0)
    followed = moved(case.before, case.after)
    if followed:
        seen = f'"{followed[0]}" follows'
        return Told(None, f"{seen}, but the page moves by itself", attempts=0) if case.moved_before else Told(True, seen)
    if says("validation", " ".join(case.lines[1])):
        return Told(None, "the page objects to the value", attempts=0)
    return lack(case, "input_ignored", f"no figure on the page follows the value {case.mark_after.value}")


def label_follows(case: Case) -> Told:
    """The figure that stands beside a slider is its value. Still the old one, and the new one nowhere: `state_not_updated`.

    `said`: what the brief says of it, by which a figure before words (`100 beats per minute`) is told to be its own.
    """
    mark, now = case.mark, case.mark_after
    old, new = _number(mark.value) if mark else None, _number(now.value) if now else None
    if mark is None or now is None or old is None or new is None or old == new:
        return Told(None, "its value is as before", attempts=0)
    shown = {new, new * 100, new / 100}
    if _any_near(numbers(now.name), shown) or _any_near(shown_numbers(case.after), shown):
        return Told(True, f"{new:g} is shown")
    if mark.name == now.name and _any_near(numbers(now.name), {old}):
        return Told(False, f'it is at {new:g}, and its label still says "{now.name}"', "state_not_updated")
    if mark.name == now.name and _OWN_FIGURE.search(now.name):
        return lack(case, "state_not_updated", f'it is at {new:g}, and its label says "{now.name}"')
    alone = not any(_number(other.value) == old for other in case.before.marks if other.signature != mark.signature)
    kept = text_lines(case.before) & text_lines(case.after)
    said = frozenset(keywords(case.word("said")))
    alone_on_it = (line for line in kept if is_figure(line) or _measured_in(line, said))
    stale = next((line for line in alone_on_it if _any_near(numbers(line), {old})), "")
    if alone and stale and old not in _TOO_COMMON:
        return Told(False, f'it is at {new:g}, and "{stale}" still stands there', "state_not_updated")
    ends = {_number(mark.minimum), _number(mark.maximum)}
    stuck = [line for line in kept if _measured_in(line, said) and not set(numbers(line)) & ends]
    if len(stuck) == 1:  # it may have moved before without its figure
        return lack(case, "state_not_updated", f'it is at {new:g}, and "{stuck[0]}" still stands there')
    return Told(None, "no figure of its value is in sight", attempts=0)


def _measured_in(line: str, said: frozenset[str]) -> bool:
    """Whether a line is one figure and after it only words that the brief has for what the figure measures."""
    found = _BEFORE_WORDS.match(line)
    words = set(keywords(found.group(1))) if found else set[str]()
    return bool(words) and words <= said


def _any_near(found: Iterable[float], wanted: set[float]) -> bool:
    return any(abs(one - other) < 1e-6 for one in found for other in wanted)


def _result_stands(case: Case, before: Counter[float], after: Counter[float]) -> bool:
    """Whether the page shows a result (by its words) with a number that is not 0 and stayed."""
    stayed = [number for number in before & after if number != 0]
    return says("result", case.after.text) and bool(stayed)


def _shares(case: Case) -> tuple[float | None, ...]:
    value = _number(case.mark_after.value) if case.mark_after else None
    return (None,) if value is None else (value * 100, value / 100)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def within_bounds(case: Case) -> Told:
    """More than the `most` that a field takes is refused, corrected or complained of; taken as it is: `validation_missing`."""
    most, mark = case.number("most"), case.mark_after
    shown = numbers(mark.value) if mark is not None else ()
    _, new = case.lines
    if not shown or says("validation", " ".join(new)):
        return Told(None, "the field is gone, or there is a complaint", attempts=0)
    if shown[0] <= most:
        return Told(True, f"it stands at {shown[0]:g}")
    if not (case.changes.text or case.changes.storage):
        return Told(None, "nothing came of it", attempts=0)
    return Told(False, f"{shown[0]:g} is taken, though {most:g} is the most", "validation_missing")
