"""What is known by its name has it alone."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that, free_text
from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ListedAtMost
from tools.page.trials import Trial

_KEYS = ("category name", "new category", "tag name", "folder name", "rule name", "username", "name of the view", "group name")
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
    says=("each name may be used only once",),
)
class NamesAreUnique:
    """A category, tag, rule or user is not taken twice under one name.

    Two tasks or comments may well say the same: only of things that are picked by their names elsewhere.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form: the same values twice."""
        for form, submit in forms_that(ground, SENDS):
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
