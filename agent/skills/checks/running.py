"""Drawings of what runs by itself run along with the figures they are named after."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.labelled import figures
from agent.words import folded, keywords, says
from tools.browser.marks import Observation


def drawings_run(case: Case) -> Told:
    """A drawing that is named after figures which go on in a wait goes on as well. As it was, twice: `animation_frozen`.

    Only of drawings in view as a whole, and of figures that changed; a drawing of something else may rightly stand.
    """
    if case.action.act != "wait" or case.before.url != case.after.url or says("game_over", case.after.text):
        return Told(None, "nothing was watched", attempts=0)
    going = _going(case.before, case.after)
    before, names = {one.selector: one.digest for one in case.before.drawings if one.digest}, _names(case.after)
    pairs = [
        (one.selector, one.digest, before[one.selector]) for one in case.after.drawings if one.digest and one.selector in before
    ]
    named = [(selector, now == was) for selector, now, was in pairs if going & names.get(selector, frozenset())]
    if not named:
        return Told(None, "no drawing of what goes on is in view", attempts=0)
    frozen = [selector for selector, stands in named if stands]
    if not frozen:
        return Told(True, "what is drawn goes on")
    words = ", ".join(sorted(going & names[frozen[0]]))
    return lack(case, "animation_frozen", f'"{_called(case.after, frozen[0])}" stands while {words} go on')


def _going(before: Observation, after: Observation) -> frozenset[str]:
    """Words of the labels whose figures changed, those of a clock left out: any drawing is one over time."""
    one, other = figures(before), figures(after)
    labels = (label for label, value in one.items() if other.get(label, value) != value and not says("counter_time", label))
    return frozenset(word for label in labels for word in keywords(label))


def _names(page: Observation) -> dict[str, frozenset[str]]:
    """By selector: words that a drawing, or the part of the page it stands in, is called by."""
    drawn = {one.selector for one in page.drawings}
    marks = (mark for mark in page.marks if mark.selector in drawn and not mark.frame)
    return {mark.selector: frozenset(keywords(f"{mark.name} {mark.context}")) for mark in marks}


def _called(page: Observation, selector: str) -> str:
    mark = next((one for one in page.marks if one.selector == selector), None)
    return folded(mark.name or mark.context)[:60] if mark is not None else selector
