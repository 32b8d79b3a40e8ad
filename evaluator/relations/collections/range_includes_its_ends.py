"""From a first day to a last one both days are meant."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.shape import called, likeness, open_lists
from evaluator.relations.spans import day_of, spans
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, Target
from tools.page.model import PageModel
from tools.page.parts import Collection, Field, Part
from tools.page.trials import Control, Fill, FillForm, Trial

_APPLIES, SURE = ("Apply", "Apply the filter", "Show", "Update"), 0.6
_BOTH = ("From", "From date", "Start date", "Since", "To", "To date", "Until", "End date")
_ONLY_ONE = ("Before", "After", "Earlier than", "Later than", "Check-in", "Check-out", "Arrival", "Departure")
"""Names of ends that may be left out: what is before a day is not on it, and nobody stays the night of the departure."""


@relation(
    about=("collections", "fields"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("filter",),
    says=("only what lies between two dates is shown", "a date range can be chosen"),
)
class RangeIncludesItsEnds:
    """What is listed of a first and of a last day is listed from the one to the other, too, where it is in a wider range."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One for each end of a pair of dates, by two days that a list shows."""
        page = ground.page
        for fields in spans(page):
            if not all(means(field.name, _BOTH, unlike=_ONLY_ONE) for field in fields):
                continue
            form = next((each_form for each_form in page.forms if fields[0].key in each_form.fields), None)
            submit = page.of(form.submit) if form is not None and form.submit else None
            if submit is not None and does(submit, "add", "send", "save", "order", page=page):
                continue
            if submit is not None and not (does(submit, "search", page=page) or likeness(submit.name, *_APPLIES) >= SURE):
                submit = None  # a button for another range stands with the fields, and what is chosen counts at once
            listed, days = next(
                ((collection, days) for collection in open_lists(page) if len(days := _days_in(collection, fields)) > 1),
                (None, {}),
            )
            if listed is None:
                continue
            target, first, last = Target.of(listed, page), min(days), max(days)
            for day in (last, first):
                yield Trial(
                    why=f"from {first} to {last} {called(listed, page)} lists {days[day]}",
                    acts=_between(fields, (first, last), submit, page),
                    asserts=(Contains(target=target, texts=(days[day],)),),
                    control=Control(
                        explains="the dates are not about this list",
                        acts=_between(fields, (first - timedelta(days=1), last + timedelta(days=1)), submit, page),
                        asserts=(Contains(target=target, texts=(days[day],), yes=False),),
                    ),
                    requirements=ground.asked.about(*fields, listed),
                )


def _days_in(listed: Collection, fields: tuple[Field, Field]) -> dict[date, str]:
    """Days that only one item shows, each with its text, within the range that is chosen now; without the outermost ones.

    Of those nothing tells whether a wider range may be chosen at all.
    """
    low, high = (day_of(field.value) for field in fields)
    years = [each_date.year for each_date in (low, high) if each_date is not None]
    shown: dict[date, list[str]] = {}
    for item in listed.items:
        for cell in item.cells:
            day = day_of(cell.quantity.when, *years) if cell.quantity is not None and cell.quantity.measure == "date" else None
            if day is not None and (low is None or low < day) and (high is None or day < high):
                shown.setdefault(day, []).append(cell.text)
                break
    inner = sorted(shown)[1:-1]
    texts = [text for seen in shown.values() for text in seen]
    return {day: shown[day][0] for day in inner if len(shown[day]) == 1 and texts.count(shown[day][0]) == 1}


def _between(fields: tuple[Field, Field], days: tuple[date, date], submit: Part | None, page: PageModel) -> tuple[FillForm, ...]:
    """The acts that choose a range, and send it where a button does."""
    fills = tuple(Fill(target=Target.of(field, page), value=day.isoformat()) for field, day in zip(fields, days, strict=True))
    return (FillForm(fills=fills, submit=Target.of(submit, page) if submit is not None else None),)
