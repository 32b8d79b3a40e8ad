"""How many of something that is paid for: the number to try, and the total that has to follow it."""

from __future__ import annotations

from agent.skills.checks.labelled import figures
from agent.skills.checks.prices import counts_pieces, group_discount, names_total
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from tools.browser.actions import Press, Select, Type
from tools.browser.marks import Mark

AT_ONCE = 97.0
LEAVE = "leave the field"
_CHOOSES = frozenset({"tick a box", "choose an option"})


def least_of_many(survey: Survey, mark: Mark) -> str:
    """So many as a brief's discount for many begins with: one too many or too few is where it goes wrong."""
    if kind_of(mark) is not Kind.number or not counts_pieces(mark.name):
        return ""
    discount = group_discount(survey.view.brief)
    return str(discount[0]) if discount is not None and str(discount[0]) != mark.value else ""


def total_that_follows(survey: Survey) -> str:
    """Label of the one total in sight that was seen to change at another choice at once, and is not zero; empty if none."""
    shown = figures(survey.now)
    for label in (one for one in shown if names_total(one) and shown[one] > 0):
        for step in survey.steps:
            before, after = survey.observation(step.acted.before), survey.observation(step.acted.after)
            after = after or (survey.now if step is survey.last else None)
            chooses = step.decision.skill in _CHOOSES or isinstance(step.decision.action, Select)
            if before is None or after is None or not chooses:
                continue
            if figures(before).get(label, shown[label]) != figures(after).get(label, shown[label]):
                return label
    return ""


def propose(survey: Survey) -> list[Candidate]:
    """The field left by Tab, where the total did not follow the number typed into it: some reckon anew only then."""
    last = survey.last
    if last is None or not isinstance(last.decision.action, Type) or not last.acted.delivered or survey.layered:
        return []
    told = next((one for one in last.outcomes if one.oracle == "multiplied" and one.held is None and one.attempts), None)
    wish = next((one for one in last.decision.expectations if one.oracle == "multiplied"), None)
    before, target = survey.observation(last.acted.before), target_of(last)
    if told is None or wish is None or before is None or target is None:
        return []
    field = next((mark for mark in before.marks if (mark.selector, mark.frame) == (target.selector, target.frame)), None)
    total = figures(before).get(str(wish.params.get("label", "")), 0.0)
    try:
        number = float(field.value) if field is not None else 0.0
    except ValueError:
        return []
    if not number or not total:
        return []
    again = expects("multiplied", wish.text, wish.promise, **wish.params, number=number, total=total)
    return [candidate(AT_ONCE, Press(keys=("Tab",)), "a total may be reckoned anew when the field is left", LEAVE, again)]
