"""Numbers that stand between a plus and a minus button: what several relations need to know of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.relations.meanings import means
from evaluator.relations.shape import usable
from evaluator.requirements.deeds import bare_name
from tools.page.model import PageModel
from tools.page.parts import Button, Collection, Field, Figure

_PLUS, _MINUS = frozenset("+＋➕"), frozenset("-−–－➖")
_MORE = ("Increase", "Increase quantity", "One more", "Plus", "Increment", "More people", "More servings")
_LESS = ("Decrease", "Decrease quantity", "One less", "Minus", "Decrement", "Fewer people", "Fewer servings")
_NOT = ("Zoom in", "Zoom out", "Larger text", "Volume up", "Volume down", "Add an item", "Remove the item")
_ROW, _LOW, _NEAR = 16.0, 70.0, 220.0
"""CSS pixels: by which both may lie off one line, of a row's height, and between both."""


@dataclass(frozen=True)
class Stepper:
    """A whole number with its buttons."""

    plus: Button
    minus: Button
    shown: Figure | Field | Collection
    """What shows it; in an item of a list without a field the list, one of whose cells does."""


def steppers(page: PageModel) -> Iterator[Stepper]:
    """Those of a page whose plus can be pressed, in its order."""
    for plus in page.buttons:
        minus = _opposite(plus, page) if usable(plus) and _is(plus, page, _PLUS, _MORE, _LESS) else None
        shown = _between(plus, minus, page) if minus is not None else None
        if minus is not None and shown is not None:
            yield Stepper(plus, minus, shown)


def _is(button: Button, page: PageModel, signs: frozenset[str], like: tuple[str, ...], unlike: tuple[str, ...]) -> bool:
    name = bare_name(button, page)
    return name.strip() in signs or means(name, like, (*unlike, *_NOT), sure=0.5)


def _opposite(plus: Button, page: PageModel) -> Button | None:
    """The minus button in the same row and item, the nearest; none of another item lies nearer."""
    found = [
        button
        for button in page.buttons
        if (button.collection, button.item, button.layer) == (plus.collection, plus.item, plus.layer)
        and abs(button.box.centre[1] - plus.box.centre[1]) < _ROW
        and abs(button.box.centre[0] - plus.box.centre[0]) < _NEAR
        and _is(button, page, _MINUS, _LESS, _MORE)
    ]
    return min(found, key=lambda button: abs(button.box.x - plus.box.x), default=None)


def _between(plus: Button, minus: Button, page: PageModel) -> Figure | Field | Collection | None:
    """The whole number that stands between them: a figure, a field; in an item of a list the list, whose cells hold it."""
    low, high = sorted((plus.box.centre[0], minus.box.centre[0]))
    for part in (*page.figures, *page.fields):
        (x, y), box = part.box.centre, part.box
        whole = part.value.strip().isdecimal() if isinstance(part, Field) else _whole(part)
        around = box.x <= low and high <= box.x + box.width and box.height < _LOW  # a row with its label and both buttons
        if whole and (low < x < high or around) and abs(y - plus.box.centre[1]) < _ROW and part.item == plus.item:
            return part
    listed = page.of(plus.collection) if plus.collection else None
    return listed if isinstance(listed, Collection) and _cell_changes(listed, plus.item) else None


def _whole(figure: Figure) -> bool:
    quantity = figure.quantity
    return quantity.value is not None and quantity.decimals == 0 and quantity.measure in {"number", "quantity"}


def _cell_changes(listed: Collection, at: int) -> bool:
    """Whether the item has a cell that is a whole number and nothing else."""
    return 0 <= at < len(listed.items) and any(cell.text.strip().isdecimal() for cell in listed.items[at].cells)
