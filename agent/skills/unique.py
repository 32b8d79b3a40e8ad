"""What no two entries may share: another entry's value is put into an entry that is open for editing, and must be refused."""

from __future__ import annotations

import re

from agent.skills.checks.listed import contents
from agent.skills.controls import Form, Kind, forms, kind_of, label_of
from agent.skills.opened_forms import opened_to_edit
from agent.skills.survey import Candidate, Survey, because, candidate, expects
from agent.words import folded, keywords
from tools.browser.actions import Click, Target, Type
from tools.browser.marks import Mark

ENTER, SAVE, RIGHT = "enter what another entry has", "save what another entry has", "put back what only this one has"
AT_ONCE = 112.0
_WANTED = (
    re.compile(r"\bno two [\w\s-]{2,40}?\b(?:share|have|use|carry)\b(?P<what>[^.;,]{2,40})", re.IGNORECASE),
    re.compile(
        r"\b(?:unique|distinct|no duplicate|without duplicate|refuses? duplicate)s?\b(?P<what>[^.;,]{2,30})", re.IGNORECASE
    ),
    re.compile(r"(?P<what>\b[\w\s-]{2,30})\b(?:must|has to|have to|should|shall) be unique\b", re.IGNORECASE),
    re.compile(r"(?P<what>\b[\w\s-]{2,30})\b(?:can|may|must) ?not be (?:used|given|taken|entered) twice\b", re.IGNORECASE),
    re.compile(r"(?P<what>[\u4e00-\u9fff]{2,6}?)(?:不能|不可|不得|不允许|不许)(?:重复|相同)"),
    re.compile(r"(?P<what>[\u4e00-\u9fff]{2,6}?)(?:必须|应当?|要)?唯一"),
)
LEAST_VALUE = 3
"""A shorter value stands in too many cells by chance."""


def propose(survey: Survey) -> list[Candidate]:
    """Once: type what another entry has, save, and give back its own value where that was refused."""
    last = survey.last
    if last is None or not last.acted.delivered:
        return []
    if last.decision.skill == SAVE:
        return _right(survey)
    field = _field(survey)
    if field is None:
        return []
    mark, form, sentence = field
    if last.decision.skill == ENTER and form.button is not None:
        match = survey.promise_about(sentence, frozenset({"feature", "control", "content"}))
        told = expects("refused", "what another entry has is refused", match.id, field=mark.signature, shows=mark.value)
        why = because(match, survey, "no two entries may share it")
        return [candidate(AT_ONCE, Click(target=Target.of(form.button)), why, SAVE, told)]
    other = _of_another(survey, mark.value)
    if not opened_to_edit(last) or survey.count(ENTER) or not other:
        return []
    return [candidate(AT_ONCE, Type(target=Target.of(mark), text=other), "no two entries may share it", ENTER)]


def _field(survey: Survey) -> tuple[Mark, Form, str] | None:
    """The field in sight that holds what no two entries may share, and the sentence that says so."""
    found = [(match["what"], match[0]) for pattern in _WANTED for match in pattern.finditer(survey.view.brief)]
    for what, sentence in found:
        wanted = set(keywords(what)) | {folded(what).strip()}
        for form in forms(survey.usable):
            for mark in form.fields:
                named = set(keywords(label_of(mark))) & wanted or any(word and word in folded(label_of(mark)) for word in wanted)
                if kind_of(mark) is Kind.text and named and mark.value and form.button is not None:
                    return mark, form, sentence
    return None


def _of_another(survey: Survey, own: str) -> str:
    """What stands in another row where `own` stands in one."""
    for listing in contents(survey.now):
        for column in range(len(listing.columns)):
            cells = [row[column] for row in listing.items if column < len(row)]
            if sum(folded(cell) == folded(own) for cell in cells) != 1:
                continue
            others = [cell for cell in cells if len(cell) >= LEAST_VALUE and folded(cell) != folded(own)]
            if others and len(set(map(folded, cells))) == len(cells):
                return others[0]
    return ""


def _right(survey: Survey) -> list[Candidate]:
    """Its own value again, where the form still stands with the other's."""
    entered = next((step for step in reversed(survey.steps) if step.decision.skill == ENTER), None)
    before = survey.observation(entered.acted.before) if entered is not None else None
    action = entered.decision.action if entered is not None else None
    if before is None or not isinstance(action, Type) or action.target is None or survey.count(RIGHT):
        return []
    place = (action.target.selector, action.target.frame)
    own = next((mark.value for mark in before.marks if (mark.selector, mark.frame) == place), "")
    field = next((mark for mark in survey.usable if (mark.selector, mark.frame) == place), None)
    if field is None or not own:
        return []
    return [candidate(AT_ONCE, Type(target=Target.of(field), text=own), "the entry gets its own value back", RIGHT)]
