"""What a page says of the pages of a list, and what turns them."""

from __future__ import annotations

from evaluator.relations.base import Ground
from evaluator.relations.shape import usable
from evaluator.requirements.deeds import Deed, does
from tools.page.model import PageModel
from tools.page.parts import Button, Collection, Part, Text
from tools.page.quantities import range_of_all

_SHORT = 60
"""Letters of a text that says which items of how many are shown."""


def shown_of(text: Text) -> tuple[int, int, int]:
    """First, last and how many of all a short text outside of items says are shown, "1–5 of 23"; noughts where it says none."""
    told = range_of_all(text.text) if text.item < 0 and len(text.text) <= _SHORT else None
    return told or (0, 0, 0)


def says_pages(listed: Collection, page: PageModel) -> bool:
    """Whether a text says that so many items of more are shown: the first, the last and all of them."""
    told = (shown_of(text) for text in page.texts)
    return any(last - first + 1 == listed.count and whole >= last > 0 for first, last, whole in told)


def turning(listed: Collection, ground: Ground) -> tuple[Part | None, Part | None]:
    """What turns to the next page and what turns back to this one; only from the first page, where "1" or nothing leads back."""
    page = ground.page
    parts = [part for key in listed.pages if (part := page.of(key)) is not None] or _pair(listed, page)
    numbered = {part.name.strip(): part for part in parts}
    each_part = numbered.get("1")
    onward = next((part for part in parts if usable(part) and does(part, "next", page=page)), None)
    backward = next((part for part in parts if does(part, "previous", page=page)), None)
    leads_back = backward is not None and not backward.disabled
    chosen = any("1" in choice.chosen for choice in page.choices) or (each_part is not None and each_part.disabled)
    if leads_back or not (backward is not None or chosen):
        # From another page, or from who knows which, nothing is known of what "1" leads back to.
        return (onward, None) if each_part is not None else (None, None)
    onward = onward or numbered.get("2")
    return (onward if onward is not None and usable(onward) else None), each_part or backward


def on_first_page(listed: Collection, ground: Ground) -> bool:
    """Whether it surely is the first of several pages that are shown."""
    onward, backward = turning(listed, ground)
    return onward is not None and backward is not None


def _pair(listed: Collection, page: PageModel) -> list[Part]:
    """The one button for the next page and the one for the previous page, where a text says that the list has pages."""
    found = [_only(page, "next"), _only(page, "previous")]
    return [part for part in found if part is not None] if None not in found and says_pages(listed, page) else []


def _only(page: PageModel, deed: Deed) -> Button | None:
    buttons = [button for button in page.buttons if button.item < 0 and not button.covered and does(button, deed, page=page)]
    return buttons[0] if len(buttons) == 1 else None
