"""A long word: an entry is added whose text has no place to break, and has to stay within its box."""

from __future__ import annotations

from agent.skills.checks.fits import ORACLE
from agent.skills.controls import FIELDS, Form, Kind, forms, kind_of
from agent.skills.forms import enter
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.skills.values import field_kind, option_for, value_for
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

LONG = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenfabrikantenwitwe"
"""67 letters, wider than most cards; a name people know for being long, so that no text is taken for nonsense."""
BASE, BEGUN, MOST_FIELDS, TURN = 26.0, 83.0, 7, 2
LEAST = 24
"""Letters that a field has to take for the word to be a long one."""
FILLS, SENDS = "fill in a long word", "send a long word"
_TAKEN = frozenset({"accepted", "text_appears"})
_FREE = frozenset({"text", "name", "title", "task", "message"})


def propose(survey: Survey) -> list[Candidate]:
    """The next field of a form that took an entry before, one of them with a long word; then its button. Once."""
    if survey.count(SENDS) or survey.domain in ("game", "quiz", "calculator"):
        return []
    for form in forms(survey.usable):
        field = next((mark for mark in form.fields if _takes_any_text(mark)), None)
        if field is not None and form.button is not None and not form.stepwise and _took(survey, form):
            return _next(survey, form, form.button, field)
    return []


def _takes_any_text(mark: Mark) -> bool:
    free = kind_of(mark) is Kind.text and mark.input_type in ("", "text") and not mark.pattern
    return free and field_kind(mark) in _FREE


def _took(survey: Survey, form: Form) -> bool:
    """Whether it took an entry, as was seen."""
    sent = [step for step in survey.steps if step.decision.skill == f"submit form {form.key}"]
    return any(one.oracle in _TAKEN and one.held for step in sent for one in step.outcomes)


def _next(survey: Survey, form: Form, button: Mark, field: Mark) -> list[Candidate]:
    why, base = "a word that does not break has to fit as well", BEGUN if survey.count(FILLS) else BASE
    for mark in form.fields[:MOST_FIELDS]:
        tried = [step for step in survey.acts_on(mark) if step.decision.skill == FILLS]
        if mark.signature == field.signature or mark.value or tried or kind_of(mark) not in FIELDS:
            continue
        if kind_of(mark) is not Kind.select or option_for(mark):
            return [candidate(base, enter(mark, value_for(mark, survey.now, turn=TURN)), why, FILLS)]
    held = field.value if field.value.startswith(LONG[:LEAST]) and LONG.startswith(field.value) else ""  # it may be cut short
    if not held:
        tried = [step for step in survey.acts_on(field) if step.decision.skill == FILLS]
        return [] if tried else [candidate(base, enter(field, LONG), why, FILLS)]
    if button.disabled:
        return []
    made_by = " ".join(step.acted_id for step in survey.steps if step.decision.skill == FILLS)
    told = expects(ORACLE, "a long word stays within its box", word=held, made_by=made_by, key="long word")
    return [candidate(BEGUN, Click(target=Target.of(button)), why, SENDS, told)]
