"""What is known by its name has it alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.adding import SENDS, Sender, fill_whole, forms_that, free_text, open_fields, opened_again
from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.shape import called, likeness
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ListedAtMost
from tools.page.parts import Field, Form
from tools.page.trials import Fill, Trial

_KEYS = ("category name", "new category", "tag name", "folder name", "rule name", "username", "name of the view", "group name")
UNIQUE = ("each name may be used only once", "no two items may share a number", "the code of each one must be unique")
SURE = 0.64
"""More than for other meanings: "New item" is next to "new category"."""
_NO_KEYS = (
    "task",
    "comment",
    "note",
    "expense",
    "message",
    "item name",
    "product name",
    "event title",
    "full name",
    "song title",
)


@relation(
    about=("forms", "fields"),
    category=Category.validation_missing,
    severity=Severity.minor,
    shows=("validate",),
    says=UNIQUE,
)
class NamesAreUnique:
    """A category, tag, rule or user is not taken twice under one name, nor anything that the brief says no two may share.

    Two tasks or comments may well say the same: only of things that are picked by their names elsewhere.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form: the same values twice; of what no two may share, that value in two things that differ otherwise."""
        for form, submit in forms_that(ground, SENDS):
            yield from _shared(form, submit, ground)
            text, filled = free_text(form, ground.page), fill_whole(ground, form, submit)
            if text is None or filled is None or not filled.typed:
                continue
            names = [name for name in (text.name, text.placeholder, submit.name) if name]
            if not any(means(name, _KEYS, unlike=_NO_KEYS, sure=SURE) for name in names):
                continue
            yield Trial(
                why=f"{called(submit, ground.page)} takes one name once",
                acts=(filled.act, filled.act),
                asserts=(ListedAtMost(texts=(filled.typed,), count=1, exact=True),),
                requirements=ground.asked.about(form, text),
            )


def _shared(form: Form, submit: Sender, ground: Ground) -> Iterator[Trial]:
    """A value typed again in the field that a requirement says no two may share."""
    key, asked = _key_asked(form, ground)
    again, first = opened_again(form, ground), fill_whole(ground, form, submit)
    if key is None or again is None or first is None:
        return
    value = next((fill.value for fill in first.act.fills if isinstance(fill, Fill) and fill.target.find(ground.page) == key), "")
    second = fill_whole(ground, form, submit, 1, instead={key.key: value}) if value else None
    if second is None:
        return
    yield Trial(
        why=f'{called(submit, ground.page)} takes "{value}" once as {called(key, ground.page)}',
        acts=(first.act, *again, second.act),
        asserts=(ListedAtMost(texts=(value,), count=1),),
        requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(form, key)))),
        severity="major",
    )


def _clauses(ground: Ground) -> Iterator[tuple[str, str]]:
    """Each clause of each requirement, with the requirement's id: "no two may share a code, and prices can't be negative"."""
    for name, words in ground.asked.words().items():
        yield from ((name, clause.strip().casefold()) for clause in re.split("[,;:，；：]", words) if clause.strip())


def _key_asked(form: Form, ground: Ground) -> tuple[Field | None, tuple[str, ...]]:
    """The form's field that a requirement about uniqueness names, and the ids of such requirements."""
    asked = ground.once("unique", lambda: [(name, text) for name, text in _clauses(ground) if likeness(text, *UNIQUE) >= SURE])
    for field in open_fields(form, ground.page):
        named = [word.casefold() for word in re.findall(r"\w+", field.name) if len(word) > 1][:1]
        ids = tuple(name for name, text in asked if named and re.search(rf"\b{re.escape(named[0])}\b", text))
        if ids and field.kind in {"text", "tel", "email", "url"}:  # a number may stand in an item for many things
            return field, ids
    return None, ()
