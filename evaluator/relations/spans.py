"""Pairs of dates from which to which something goes."""

from __future__ import annotations

from datetime import date

from evaluator.relations.meanings import means
from tools.page.model import PageModel
from tools.page.parts import Field

STARTS, ENDS = ("start date", "from date", "check-in"), ("end date", "until date", "check-out")
_FROM, _TO = ("From", "Start", "Start date", "Arrival", "Since"), ("To", "Until", "End", "End date", "Departure")


def starts(field: Field) -> bool:
    """Whether a field is surely for the day on which something starts."""
    return means(field.name, (*STARTS, *_FROM), unlike=(*ENDS, *_TO))


def ends(field: Field) -> bool:
    """Whether a field is surely for the day on which something ends."""
    return means(field.name, (*ENDS, *_TO), unlike=(*STARTS, *_FROM))


def spans(page: PageModel) -> list[tuple[Field, Field]]:
    """Two fields for days in one part of the page, and no third one there: the first for a beginning, the second for an end."""
    days = [
        field
        for field in page.fields
        if field.kind == "date" and field.item < 0 and not (field.covered or field.disabled or field.read_only)
    ]
    found = []
    for place in dict.fromkeys((day.section, day.layer) for day in days):
        both = [day for day in days if (day.section, day.layer) == place]
        if len(both) == 2 and starts(both[0]) and ends(both[1]):
            found.append((both[0], both[1]))
    return found


def day_of(text: str, *years: int) -> date | None:
    """The day that an ISO 8601 date gives, one without a year (`--01-25`) in `years` if they are one; else None."""
    if text.startswith("--") and len(set(years)) == 1:
        text = f"{years[0]}{text[1:]}"
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
