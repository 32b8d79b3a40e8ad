"""Figures that must agree with one another wherever a page shows them together: an average with its total and its number."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told, held_before, lack_of_agreement
from agent.words import folded, keywords, numbers, says
from tools.browser.marks import Observation

_PERIODS = frozenset({"day", "week", "month", "year"})
MOST_WORDS = 4
"""A label is short; a sentence that mentions a total is none."""


def average_agrees(case: Case) -> Told:
    """The average shown is the total shown divided by the number shown. Wrong in two states of the page: `wrong_result`.

    It can be told only where the page shows each of the three exactly once, with a number of two or more, and speaks of nothing
    that one of them may leave out (refunds, what was cancelled).
    """
    shown = _shown(case.after)
    if shown is None:
        return Told(None, "total, number and average are not all shown", attempts=0)
    average, total, count = shown
    if _near(average, total / count):
        return Told(True, f"{total:g} / {count:g} = {average:g}")
    if case.earlier and shown == _shown(case.before):
        return Told(None, "the same figures as before", attempts=0)
    words = f"the average shown is {average:g}, but {total:g} / {count:g} = {total / count:.2f}"
    slip = next((f"it is that of {one:g}" for one in (count - 1, count + 1) if one > 0 and _near(average, total / one)), "")
    return lack_of_agreement(case, words, agreed=held_before(case), slip=slip)


def _near(average: float, exact: float) -> bool:
    return abs(average - exact) <= 0.006 + 0.001 * abs(average)


def _shown(page: Observation) -> tuple[float, float, float] | None:
    """`(average, total, number)` where each is shown once; None otherwise."""
    labelled = _labelled(page)
    averages = [(label, value) for label, value in labelled if says("average", label)]
    if len(averages) != 1 or any(says("leaves_out", other) for other, _ in labelled):
        return None
    label, average = averages[0]
    things = {word for word in keywords(label) if not says("average", word)} - {"per", "day", "week", "month", "year"}
    rest = [(other, value) for other, value in labelled if other != label]
    whole = [(other, value) for other, value in rest if not _PERIODS & set(keywords(other))]  # "revenue per day" heads a chart
    totals = [value for other, value in whole if (says("total", other) or says("income", other)) and not says("count", other)]
    counts = [value for other, value in rest if _counts(other, things) and value >= 2 and value == int(value)]
    if len(set(totals)) != 1 or len(set(counts)) != 1 or _PERIODS & set(keywords(label)):
        return None
    return average, totals[0], counts[0]


def _counts(label: str, things: set[str]) -> bool:
    """Whether a label announces how many things there are: it names just them, or says that it counts."""
    words = set(keywords(label))
    return bool(words) and not says("total", label) and (words <= things or (says("count", label) and len(words) <= MOST_WORDS))


def _labelled(page: Observation) -> list[tuple[str, float]]:
    """Short labels with the one number beside or right below them."""
    lines = [line for line in (folded(raw) for raw in page.text.splitlines()) if line]
    found: list[tuple[str, float]] = []
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        words = line.rstrip("0123456789.,:€$£¥ -")
        own = numbers(line)
        value = own if own and words != line else numbers(following) if not own and not keywords(following.strip("€$£¥ ")) else ()
        below = numbers(following) if not own and len(numbers(following)) == 1 and len(following) <= 16 else ()
        chosen = value or below
        if words and len(words.split()) <= MOST_WORDS and len(chosen) == 1:
            found.append((words.strip(" :："), chosen[0]))
    return found
