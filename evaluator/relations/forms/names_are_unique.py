"""What is known by its name has it alone."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, Filled, Sender, fill_whole, forms_that, free_text, open_fields, opened_again
from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.shape import called, likeness
from evaluator.requirements.splitting import words_of
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
    """A value typed again in the field that a requirement says no two may share.

    One with a value of its own is added first: where that is listed twice, a second one of the other is none too many.
    """
    key, asked = _key_asked(form, ground)
    again = opened_again(form, ground)
    usual, first = fill_whole(ground, form, submit, 2), fill_whole(ground, form, submit)
    if key is None or again is None or first is None or usual is None:
        return
    value, other = _typed_into(key, first, ground), _typed_into(key, usual, ground)
    second = fill_whole(ground, form, submit, 1, instead={key.key: value}) if value else None
    if second is None or not other:
        return
    yield Trial(
        why=f'{called(submit, ground.page)} takes "{value}" once as {called(key, ground.page)}',
        precondition=(usual.act, *again),
        acts=(first.act, *again, second.act),
        asserts=(ListedAtMost(texts=(value,), count=1, like=other),),
        requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(form, key)))),
        severity="major",
    )


def _typed_into(field: Field, filled: Filled, ground: Ground) -> str:
    """What is typed into a field; empty where nothing is."""
    fills = (fill for fill in filled.act.fills if isinstance(fill, Fill))
    return next((fill.value for fill in fills if fill.target.find(ground.page) == field), "")


def _key_asked(form: Form, ground: Ground) -> tuple[Field | None, tuple[str, ...]]:
    """The form's field that a requirement about uniqueness names, and the ids of such requirements."""
    asked = ground.once("unique", lambda: tuple(_asked_unique(ground)))
    for field in open_fields(form, ground.page):
        named = next((word.casefold() for word in words_of(field.name) if len(word) > 1), "")
        ids = tuple(name for name, words in asked if named in words)
        if ids and field.kind in {"text", "tel", "email", "url"}:  # a number may stand in an item for many things
            return field, ids
    return None, ()


def _asked_unique(ground: Ground) -> Iterator[tuple[str, frozenset[str]]]:
    """Ids of the requirements of which a clause asks that no two share something, with that clause's words."""
    for name, words in ground.asked.words().items():
        for clause in words.replace("，", ",").split(","):
            if likeness(clause, *UNIQUE) >= SURE:
                yield name, frozenset(map(str.casefold, words_of(clause)))
