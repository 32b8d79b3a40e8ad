"""Figures of a list that shows a part of what they count, and words that are looked for among its items alone."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tools.evidence.rows import Box
from tools.page.assertions import Appears, CountOf, Target, TotalOf
from tools.page.assertions.base import Scene
from tools.page.model import PageModel

BOX = Box(x=0, y=0, width=9, height=9)
LIST, FIGURE = Target(kind="collections", key="list"), Target(kind="figures", key="units")


def part(key: str, **more: Any) -> dict[str, Any]:
    """A part of a page."""
    return {"key": key, "node": key, "name": key, "selector": f"#{key}", "box": BOX, "in_view": True, **more}


def number(text: str) -> dict[str, Any]:
    """A quantity."""
    return {"measure": "number", "value": Decimal(text), "text": text}


def page(units: int, *pieces: int, told: str = "") -> PageModel:
    """A list of things with so many pieces each, a figure, and maybe words beside them."""
    items = [_item(at, many) for at, many in enumerate(pieces)]
    listed = part("list", kind="table", items=items, count=len(items))
    shown = {"collections": (listed,), "figures": (part("units", quantity=number(f"{units}")),)}
    words = {"texts": (part("told", text=told),)} if told else {}
    return PageModel.model_validate({"url": "http://x/", "viewport": (800, 600), **shown, **words})


def _item(at: int, many: int) -> dict[str, Any]:
    cells = [{"text": f"Thing {many}"}, {"text": f"{many}", "quantity": number(f"{many}")}]
    return {"key": f"{at}", "node": f"{at}", "selector": f"#i{at}", "box": BOX, "cells": cells}


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [
        (page(15, 7, 8), page(8, 8), "held"),
        (page(15, 7, 8), page(15, 8), "violated"),
        (page(99, 7, 8), page(92, 8), "cannot tell"),
        (page(99, 7, 8), page(99, 8), "violated"),
    ],
    ids=["follows", "stands still", "counts more than is shown", "stands still, and counts more"],
)
def test_a_total_of_more_than_is_shown_follows_by_what_changed(before: PageModel, after: PageModel, result: str) -> None:
    """A list that a switch narrows is no total's fault."""
    total = TotalOf(target=LIST, column=1, figure=FIGURE)
    assert total.evaluate(Scene(before=before, after=after)).result == result


def test_so_does_a_count() -> None:
    """Of nine things two are shown."""
    count = CountOf(target=LIST, figure=FIGURE)
    assert count.evaluate(Scene(before=page(9, 1, 2), after=page(8, 2))).result == "cannot tell"
    assert count.evaluate(Scene(before=page(9, 1, 2), after=page(9, 2))).result == "violated"


def test_words_among_the_items_alone() -> None:
    """What tells of a deletion for a while is no item."""
    gone = Appears(target=Target(kind="texts", name="Thing 7"), yes=False, listed=LIST)
    toast = page(8, 8, told="Deleted “Thing 7”")
    assert gone.evaluate(Scene(before=toast, after=page(8, 8))).result == "held"
    assert gone.evaluate(Scene(before=toast, after=page(15, 7, 8))).result == "violated"
    assert gone.evaluate(Scene(before=page(15, 7, 8), after=page(15, 7, 8))).result == "cannot tell"
