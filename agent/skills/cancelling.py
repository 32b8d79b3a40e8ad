"""An edit that is given up: an entry is opened once more, its words are changed, and `Cancel` has to leave it as it was."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills.checks.listed import contents
from agent.skills.controls import Form, Kind, forms, kind_of
from agent.skills.forms import enter
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts, target_of
from agent.skills.values import value_for
from agent.words import concepts, folded
from tools.browser.actions import Click, Target, Type
from tools.browser.marks import Mark, Observation

OPEN, CHANGE, CANCEL = 17.0, 95.0, 96.0
_OPENED, _CHANGED, SKILL = "open an entry to cancel", "change what is cancelled", "cancel a change"
LEAST = 3
_OTHER_WORDS = ("Some other words", "别的一句话")
"""What is typed where all that fits the field stands on the page already."""


def propose(survey: Survey) -> list[Candidate]:
    """Open an entry for editing again, type into its first field, cancel; each right after the other, once."""
    last = survey.last
    if last is None or not last.acted.delivered or survey.count(SKILL):
        return []
    if last.decision.skill == _CHANGED:
        return _cancel(survey, last)
    if _opens(last) and survey.count(_CHANGED) == 0 and _edited_before(survey, last):
        return _change(survey)
    return _open(survey)


def _opens(step: Step) -> bool:
    target = target_of(step)
    return isinstance(step.decision.action, Click) and target is not None and "edit" in concepts(target.name)


def _edited_before(survey: Survey, but: Step) -> bool:
    """Whether an edit was seen through already, so that this one may be given up."""
    opened = next((step.number for step in survey.steps if _opens(step) and step is not but), 0)
    return bool(opened) and any(
        step.number > opened and step.decision.skill.startswith("submit form") and step.acted.delivered for step in survey.steps
    )


def _ways_out(page: Observation) -> list[Mark]:
    return [
        mark
        for mark in page.marks
        if kind_of(mark) is Kind.button and "cancel" in mark_concepts(mark) and not mark.covered and not mark.disabled
    ]


def _field(survey: Survey) -> tuple[Form, Mark] | None:
    """The first text field of a form that holds an entry's words, where they stood in a list before."""
    for form in forms(survey.usable):
        mark = next((one for one in form.fields if kind_of(one) is Kind.text), None)
        if mark is not None and len(mark.value.strip()) >= LEAST and _is_an_entry(survey, mark.value):
            return form, mark
    return None


def _is_an_entry(survey: Survey, words: str) -> bool:
    pages = (survey.now, *reversed(survey.view.past[-2:]))
    return any(folded(cell) == folded(words) for page in pages for one in contents(page) for row in one.items for cell in row)


def _change(survey: Survey) -> list[Candidate]:
    found = _field(survey)
    if found is None or not _ways_out(survey.now):
        return []
    _, mark = found
    known = survey.shown + folded(mark.value)
    values = (*(value_for(mark, survey.now, turn=turn) for turn in range(2)), *_OTHER_WORDS)
    value = next((one for one in values if one and folded(one) not in known), "")
    if not value:
        return []
    kept = expects("value_kept", f'the field keeps "{value}"', value=value)
    return [candidate(CHANGE, enter(mark, value), "a change that is then given up", _CHANGED, kept)]


def _cancel(survey: Survey, last: Step) -> list[Candidate]:
    """The way out nearest to the field that was changed."""
    action, before, ways = last.decision.action, survey.observation(last.acted.before), _ways_out(survey.now)
    target = target_of(last)
    if not isinstance(action, Type) or target is None or before is None or not ways:
        return []
    field = next((mark for mark in before.marks if (mark.selector, mark.frame) == (target.selector, target.frame)), None)
    if field is None:
        return []
    near = min(ways, key=lambda mark: abs(mark.box.centre[1] - field.box.centre[1]))
    opened = survey.steps[-2].acted_id if len(survey.steps) > 1 else ""
    match = survey.match(near, ("cancel",))
    told = [
        expects("dialog_closes", f'"{near.name}" closes what was opened', match.id),
        expects(
            "discarded",
            "what was cancelled is as it was",
            match.id,
            old=field.value.strip(),
            new=action.text,
            made_by=f"{opened} {last.acted_id}".strip(),
            key="cancelled edit",
        ),
    ]
    return [candidate(CANCEL, Click(target=Target.of(near)), "a change that is given up is none", SKILL, *told)]


def _open(survey: Survey) -> list[Candidate]:
    """An entry opened by a button that opened one before, where a way out was seen beside its fields."""
    if survey.layered or survey.count(_OPENED):
        return []
    for step in survey.steps:
        target, after = target_of(step), survey.observation(step.acted.after)
        if target is None or after is None or not _opens(step) or not _ways_out(after):
            continue
        if not _edited_before(survey, survey.steps[-1]):
            continue
        alike = [
            mark
            for mark in survey.usable
            if kind_of(mark) is Kind.button and survey.of_any_entry(mark.name) == survey.of_any_entry(target.name)
        ]
        if alike:
            act = Click(target=Target.of(alike[-1]))
            return [candidate(OPEN, act, "a change that is given up was not tried yet", _OPENED)]
    return []
