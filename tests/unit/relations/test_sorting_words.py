"""What an option of a sort says it sorts by."""

from __future__ import annotations

from datetime import date

import pytest

from evaluator.relations.collections.sort_is_an_ordered_permutation import column_meant
from tools.evidence.rows import Box
from tools.page.model import PageModel
from tools.page.parts import Cell, Collection, Item
from tools.page.quantities import find_quantity

TODAY = date(2026, 11, 27)
PAGE = PageModel(url="", viewport=(0.0, 0.0))
BOX = Box(x=0, y=0, width=9, height=9)


def shop(third: tuple[str, ...] = ("$18.50", "$14.00", "$16.25")) -> Collection:
    """Products with a name, words and a price."""
    items = []
    for name, value in zip(("Sunrise", "Harvest", "Midnight"), third, strict=True):
        found = find_quantity(value)
        cells = Cell(text=name), Cell(text="Light roast"), Cell(text=value, quantity=found[0] if found else None)
        items.append(Item(key=name, node=name, cells=cells, selector=f"#{name}", box=BOX))
    return Collection(
        key="list shop", node="l", name="Shop", selector="#l", box=BOX, in_view=True, kind="repeated", items=tuple(items), count=3
    )


@pytest.mark.parametrize(
    ("option", "column"),
    [
        ("Price: low to high", 2),
        ("Price: high to low", 2),
        ("Cheapest first", 2),
        ("Preis aufsteigend", 2),
        ("Rating: high to low", -1),
        ("Discount: high to low", -1),
        ("Name A–Z", -1),
        ("Featured", -1),
        ("Newest first", -1),
        ("Most recent first", -1),
        ("Oldest", -1),
    ],
)
def test_the_only_price_is_meant_by_what_speaks_of_prices_alone(option: str, column: int) -> None:
    """A rating that is sorted in like words is none."""
    assert column_meant(option, shop(), TODAY, PAGE) == column


PAST, TO_COME = ("2026-11-20", "2026-10-02", "2026-11-26"), ("2026-11-20", "2026-12-02", "2026-11-26")


@pytest.mark.parametrize(
    ("option", "days", "column"),
    [
        ("Newest first", PAST, 2),
        ("Oldest", PAST, 2),
        ("Newest first", TO_COME, -1),
        ("Due date", TO_COME, 2),
        ("Deadline", TO_COME, 2),
        ("Price: low to high", PAST, -1),
    ],
)
def test_what_came_last_is_told_by_no_day_to_come(option: str, days: tuple[str, ...], column: int) -> None:
    """The only day of each item may be the one on which it falls due, and what was added last is not shown."""
    assert column_meant(option, shop(days), TODAY, PAGE) == column
