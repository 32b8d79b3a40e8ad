"""What can't be is refused, also where no field states it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from evaluator.relations.adding import SENDS, fill_whole, forms_that, open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.refusing import goes, listed_unsent, not_shown, refused, takes_what_is_right, typed
from evaluator.relations.shape import called
from evaluator.relations.spans import ENDS, STARTS
from evaluator.relations.values import purpose
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ListedAtMost
from tools.page.parts import Field, Form
from tools.page.trials import Trial

NEGATIVE = "-731"
_POSITIVE = (
    "number of guests", "quantity, how many", "number of copies", "age in years", "duration in minutes", "price",
    "amount of money", "budget", "weight in kg", "distance in km",
)  # fmt: skip
_SIGNED_TOO = (
    "temperature", "balance", "latitude", "change, difference", "offset", "year", "number of a room", "score",
    "account movement, income or expense", "negative expense, positive income",
)  # fmt: skip
_TO_COME = ("appointment date", "reservation date", "travel date", "date of arrival", "day of the booking")
_GONE_BY = (
    "due date",
    "deadline",
    "date of birth",
    "purchase date",
    "date of the expense",
    "publication date",
    "date of the log entry",
    "date",
)


@relation(about=("forms", "fields"), category=Category.validation_missing, severity=Severity.minor, shows=("validate",))
class NonsenseIsRefused:
    """A negative quantity, letters for a number, a day gone by for what is to come are refused.

    Only of fields whose name says surely what they are for: a balance may be negative, a task overdue.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most three a form."""
        for form, submit in forms_that(ground, SENDS):
            for field, value, words in list(_nonsense(form, ground))[:3]:
                instead = {field.key: value} | _start_for(field, form, ground)
                filled = fill_whole(ground, form, submit, instead=instead)
                if filled is None or not any(getattr(fill, "value", None) == value for fill in filled.act.fills):
                    continue
                # What a form that goes takes need not be listed in sight; a number may well be brought into its bounds there.
                control = takes_what_is_right(form, submit, ground) if goes(form, ground) and value != NEGATIVE else None
                told = control is not None and bool(typed(filled, ground.page))
                if not filled.typed and field.kind == "date" and not told:
                    continue
                shown = not_shown(field, Decimal(0), ground) if value == NEGATIVE else ()
                texts = tuple(filter(None, (filled.typed, "" if field.kind == "date" else value)))
                yield Trial(
                    why=f'{called(submit, ground.page)} refuses "{value}" as {called(field, ground.page)}: {words}',
                    acts=(filled.act,),
                    asserts=(refused(filled, ground.page) if told else ListedAtMost(texts=texts), *shown),
                    control=control if told else listed_unsent(form, submit, ground, instead),
                    requirements=ground.asked.about(form, field),
                )


def _nonsense(form: Form, ground: Ground) -> Iterator[tuple[Field, str, str]]:
    for field in open_fields(form, ground.page):
        aim, positive = purpose(field.name), _counts(field)
        if positive and not field.minimum and not _negative_shown(ground):
            yield field, NEGATIVE, "it can't be negative"
        if positive and field.kind == "text":
            yield field, "harbour", "it is no number"
        if field.kind == "text" and aim == "email address":
            yield field, "anna@", "it is no address"
        if field.kind == "text" and aim == "phone number":
            yield field, "harbour tulip", "it is no number"
        if field.kind == "date" and not field.minimum and means(field.name, _TO_COME, unlike=_GONE_BY):
            yield field, (ground.today - timedelta(days=40)).isoformat(), "that day has gone by"
        if field.kind == "date" and _start_for(field, form, ground):
            yield field, (ground.today + timedelta(days=2)).isoformat(), "it ends before it starts"


def _counts(field: Field) -> bool:
    """Whether it holds what cannot be less than nothing, by its name and by what stands in it for an example."""
    signed = means(f"{field.name} {field.placeholder}", _SIGNED_TOO[-1:], sure=0.45)
    return field.kind in {"number", "text"} and not signed and means(field.name, _POSITIVE, unlike=_SIGNED_TOO)


def _start_for(field: Field, form: Form, ground: Ground) -> dict[str, str]:
    """For the day on which something ends, a later one on which it starts."""
    dates = [each_field for each_field in open_fields(form, ground.page) if each_field.kind == "date"]
    starts = [date for date in dates if date != field and means(date.name, STARTS, unlike=ENDS)]
    if len(dates) != 2 or len(starts) != 1 or not means(field.name, ENDS, unlike=STARTS):
        return {}
    return {starts[0].key: (ground.today + timedelta(days=30)).isoformat()}


def _negative_shown(ground: Ground) -> bool:
    """Whether the page lists or shows negative amounts: then they are allowed."""
    amounts = [figure.quantity for figure in ground.page.figures]
    amounts += [
        cell.quantity
        for collection in ground.page.collections
        for item in collection.items
        for cell in item.cells
        if cell.quantity
    ]
    return any(amount.value is not None and amount.value < 0 for amount in amounts)
