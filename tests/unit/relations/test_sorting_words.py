"""What an option of a sort says it sorts by."""

from __future__ import annotations

import pytest

from evaluator.relations.collections.sort_is_an_ordered_permutation import column_meant
from tools.evidence.rows import Box
from tools.page.parts import Cell, Collection, Item
from tools.page.quantities import find_quantity

BOX = Box(x=0, y=0, width=9, height=9)


def shop() -> Collection:
    """Products with a name, words and a price."""
    items = []
    for name, price in (("Sunrise", "$18.50"), ("Harvest", "$14.00"), ("Midnight", "$16.25")):
        found = find_quantity(price)
        cells = Cell(text=name), Cell(text="Light roast"), Cell(text=price, quantity=found[0] if found else None)
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
    ],
)
def test_the_only_price_is_meant_by_what_speaks_of_prices_alone(option: str, column: int) -> None:
    """A rating that is sorted in like words is none."""
    assert column_meant(option, shop()) == column
