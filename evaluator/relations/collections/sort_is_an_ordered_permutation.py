"""Sorting puts the same items into an order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import (
    all_shown,
    called,
    choosing,
    in_form_that_adds,
    is_choice,
    is_opened,
    likeness,
    offered,
    open_lists,
    ranked,
    usable,
)
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Ordered, SameItems, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Collection
from tools.page.trials import Press, Trial


@relation(
    about=("collections",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("sort",),
    says=("clicking a column's header sorts the table", "a second click reverses the order"),
)
class SortIsAnOrderedPermutation:
    """A column's head puts the same items in the order of that column, and pressed again in the other order.

    Of a list in pages another page's items may come, but those of each page are in that order.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a head, of three heads at most; two options of a choice by which a list is sorted."""
        page = ground.page
        for listed in open_lists(page):
            if listed.count < 3 or ranked(listed):
                continue
            target = Target.of(listed, page)
            same = (SameItems(target=target),) if all_shown(listed, ground) else ()
            for button, column in heads(listed, page)[:3]:
                press, asked = Press(target=Target.of(button, page)), ground.asked.about(button, listed)
                yield Trial(
                    why=f"{called(button, page)} sorts {called(listed, page)}",
                    acts=(press,),
                    asserts=(*same, _ordered(target, column, page)),
                    requirements=asked,
                )
                yield Trial(
                    why=f"{called(button, page)} pressed again turns the order of {called(listed, page)}",
                    precondition=(press,),
                    acts=(press,),
                    asserts=(*same, _ordered(target, column, page, turned=True)),
                    requirements=asked,
                )
            for choice in sorts_by(listed, ground) if same else ():
                yield from _by_options(choice, listed, ground)


def _by_options(choice: Choice, listed: Collection, ground: Ground) -> Iterator[Trial]:
    """Two options; and the other one of two that speak of one column, "low to high" and "high to low", turns its order."""
    page, target = ground.page, Target.of(listed, ground.page)
    asked, options = ground.asked.about(choice, listed), offered(choice)
    for option in [item for item in options if not item.chosen][:2]:
        column = column_meant(option.name, listed, ground.today, page)
        yield Trial(
            why=f'"{option.name}" sorts {called(listed, page)}',
            acts=(choosing(choice, option, page),),
            asserts=(SameItems(target=target), *([_ordered(target, column, page)] if column >= 0 else [])),
            requirements=asked,
        )
    for each_option, other in pairwise(options):
        column = column_meant(each_option.name, listed, ground.today, page)
        if column < 0 or column_meant(other.name, listed, ground.today, page) != column or each_option.name == other.name:
            continue
        if likeness(each_option.name, other.name) < _BUT_FOR_THE_WAY:
            continue
        yield Trial(
            why=f'"{other.name}" turns the order of {called(listed, page)} that "{each_option.name}" made',
            precondition=(choosing(choice, each_option, page),),
            acts=(choosing(choice, other, page),),
            asserts=(SameItems(target=target), _ordered(target, column, page, turned=True)),
            requirements=asked,
        )
        return


def _ordered(target: Target, column: int, page: PageModel, *, turned: bool = False) -> Ordered:
    return Ordered(target=target, column=column, descending=None, turned=turned, language=page.language or "en")


def heads(listed: Collection, page: PageModel) -> list[tuple[Button, int]]:
    """The buttons in a table's heads, each with its column; those first that would be in another order by their letters."""
    found = []
    for key in listed.sorts:
        part = page.of(key)
        words = _letters(part.name) if part else ""
        columns = [at for at, name in enumerate(listed.columns) if words and _letters(name).startswith(words)]
        if isinstance(part, Button) and usable(part) and len(columns) == 1:
            found.append((part, columns[0]))
    return sorted(found, key=lambda head: not _unlike_by_letters(listed, head[1]))


def _unlike_by_letters(listed: Collection, column: int) -> bool:
    """Whether a column's amounts or days stand in another order by their letters than by their values."""
    cells = [item.cells[column] for item in listed.items if column < len(item.cells)]
    told = [(cell.quantity.value, cell.quantity.when, cell.text) for cell in cells if cell.quantity is not None]
    if len(told) < len(listed.items) or len({(value is None, bool(when)) for value, when, _ in told}) > 1:
        return False
    by_value = sorted(told, key=lambda row: (row[0] or 0, row[1]))
    return by_value != sorted(told, key=lambda row: row[2])


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def sorts_by(listed: Collection, ground: Ground) -> Iterator[Choice]:
    """Choices that by their meaning put a list in an order: by their own name, or by what every option of theirs says."""
    page = ground.page
    for choice in page.choices:
        if (
            choice.key not in listed.filters
            or in_form_that_adds(choice, page)
            or not (is_opened(choice) or is_choice(choice, ground))
        ):
            continue
        said = [likeness(option.name, *_ORDERS) for option in offered(choice)]
        if likeness(choice.name, "Sort by", "Order by", "Sort", "Sorting") >= 0.6 or (min(said) >= 0.6 and max(said) >= 0.9):
            yield choice


_ORDERS = ("Price: low to high", "Newest first", "Oldest first", "Name A–Z", "Highest rated first", "Most popular first")
"""What options are called that put things in an order and leave none out."""
_BUT_FOR_THE_WAY = 0.8
"""Least likeness of two options that differ in the way only: "Date added" and "Due date" (.62) are two columns, of which one
need not be shown."""
_MEASURES = (
    ("money", ("Price", "Cost", "Cheapest first", "Price: low to high", "Highest price first")),
    ("date", ("Date", "Newest first", "Oldest first", "Date: newest to oldest")),
)
_CAME, _FALLS_DUE = (
    ("Newest first", "Oldest first", "Latest", "Recently added"),
    ("Date", "Due date", "Deadline", "Earliest due first"),
)
_OTHERS = (
    "Rating: high to low", "Highest rated", "Most popular first", "Discount: high to low", "Quantity low to high", "Size",
    "Name A–Z", "Duration: short to long", "Score high to low", "Priority",
)  # fmt: skip
"""What is said in like words of other columns."""


def column_meant(option: str, listed: Collection, today: date, page: PageModel) -> int:
    """The only column of that name, or whose values are of the kind that an option speaks of, money or dates; -1 for none.

    What came first or last is told by no day that is yet to come: that one is a deadline's. What is chosen in each item, a table,
    a status, may stand in the order in which it is offered.
    """
    named = [at for at, name in enumerate(listed.columns) if name and likeness(option, name) >= 0.75]
    if len(named) == 1 and _is_chosen_in(listed, named[0], page):
        return -1
    if len(named) == 1:
        return named[0]
    for measure, words in _MEASURES:
        like = likeness(option, *words)
        apart = [*_OTHERS, *(word for other, said in _MEASURES if other != measure for word in said)]
        if like < 0.6 or like - likeness(option, *apart) < 0.1:
            continue
        width = min(len(item.cells) for item in listed.items)
        columns = [
            at
            for at in range(width)
            if all((cell := item.cells[at].quantity) and cell.measure == measure for item in listed.items)
        ]
        days = [item.cells[columns[0]].quantity for item in listed.items] if len(columns) == 1 else []
        if likeness(option, *_CAME) > likeness(option, *_FALLS_DUE) and any(day and day.when > today.isoformat() for day in days):
            continue
        if len(columns) == 1 and all(
            sum(1 for cell in item.cells if cell.quantity and cell.quantity.measure == measure) == 1 for item in listed.items
        ):
            return columns[0]
    return -1


def _is_chosen_in(listed: Collection, column: int, page: PageModel) -> bool:
    """Whether a column shows what is chosen in a select of each item."""
    offered_there = {option.name for choice in page.choices if choice.collection == listed.key for option in choice.options}
    texts = {item.cells[column].text for item in listed.items if column < len(item.cells)}
    return bool(offered_there) and texts <= offered_there
