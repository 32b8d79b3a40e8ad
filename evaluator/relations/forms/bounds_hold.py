"""What a field states about its values holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from evaluator.relations.adding import SENDS, fill_whole, forms_that, open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.refusing import listed_unsent, not_shown
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import InRange, ListedAtMost
from tools.page.parts import Field
from tools.page.trials import Trial


@relation(
    about=("forms", "fields"),
    category=Category.validation_missing,
    severity=Severity.major,
    shows=("validate",),
    says=("only numbers within the limits are accepted",),
)
class BoundsHold:
    """A value outside of what its field states (least, most, pattern, e-mail) is not accepted.

    A number must be seen as it was typed beside what else was typed: one that the page brings back into its bounds is no fault.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most three a form, each with another field beyond its bounds."""
        for form, submit in forms_that(ground, SENDS):
            made = 0
            for field in open_fields(form, page := ground.page):
                for value in _outside(field):
                    filled = fill_whole(ground, form, submit, instead={field.key: value})
                    if filled is None or made >= 3 or not any(getattr(fill, "value", None) == value for fill in filled.act.fills):
                        continue
                    texts = (value,) if not filled.typed else (filled.typed, value) if field.kind == "number" else (filled.typed,)
                    made += 1
                    yield Trial(
                        why=f'{called(submit, page)} refuses "{value}" as {called(field, page)}, beyond what the field states',
                        acts=(filled.act,),
                        asserts=(ListedAtMost(texts=texts), *_below(field, value, ground)),
                        control=listed_unsent(form, submit, ground, {field.key: value}),
                        requirements=ground.asked.about(form, field),
                    )


def _below(field: Field, value: str, ground: Ground) -> tuple[InRange, ...]:
    """That what shows the field's number by itself shows none below its least."""
    try:
        least, typed = Decimal(field.minimum), Decimal(value)
    except InvalidOperation:
        return ()
    return not_shown(field, least, ground) if field.kind == "number" and typed < least else ()


def _outside(field: Field) -> Iterator[str]:
    """Values that break what the field states, one for each of its bounds."""
    if field.kind == "number":
        for bound, by in ((field.minimum, -731), (field.maximum, 731)):
            try:
                yield format(Decimal(bound) + by, "f")
            except InvalidOperation:
                continue
    elif field.kind == "date":
        for bound, by in ((field.minimum, -9), (field.maximum, 9)):
            try:
                yield (date.fromisoformat(bound) + timedelta(days=by)).isoformat()
            except ValueError:
                continue
    elif field.kind in {"email", "url"}:
        yield "harbour tulip"
    elif field.pattern:
        yield from [text for text in ("?", "xx?", "harbour tulip?") if _breaks(field.pattern, text)][:1]
    elif field.min_length > 1:
        yield "q" * (field.min_length - 1)


def _breaks(pattern: str, text: str) -> bool:
    try:
        return re.fullmatch(pattern, text) is None
    except re.error:  # JavaScript's expressions know more than Python's
        return False
