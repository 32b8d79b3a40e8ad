"""What one person booked the other can't book as well."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.people import path_of
from evaluator.relations.shape import usable
from evaluator.requirements.deeds import bare_name, deed_of
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import NotBoth, SeenByOther, StillOffered, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Collection, Link
from tools.page.trials import ByOther, Control, Forget, Press, Trial, Visit

BOOKS = ("Book this hour", "Book a seat", "Reserve", "Reserve a table", "Book now", "Claim this slot")
OTHERWISE = (
    "Buy", "Add to cart", "Add a book", "Order", "Read the book", "Books", "Borrow", "Save", "Select", "Like", "Vote", "Add",
    "Open", "Details", "Cancel", "Cancel booking", "Follow", "Delete", "Share", "Join",
)  # fmt: skip
"""Several people may do these of the same thing."""
_SAID = frozenset({"book", "buchen", "reserve", "reservieren", "réserver", "reservar", "boeken", "boka", "prenota"})
"""Said in a single word, some of these are nearer to what one reads."""
_MANY = frozenset({"number", "quantity", "ratio"})
"""Measures of a cell that may say how many of it there are."""


@relation(
    about=("collections", "buttons"),
    category=Category.validation_missing,
    severity=Severity.major,
    says=(
        "a slot can't be booked twice",
        "nobody can book what another person has booked",
        "a booked seat is not available to others",
    ),
)
class BookedTwice:
    """What one person booked is not given to another as well, who still has a page open on which it is free.

    Only where the other is told of what the first one booked that it is taken, and is told of their own in other words. Nothing
    is said where it is offered to a stranger all the same: then there is more of it, or what one does never reaches the other.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list: its first slot is the first one's own, both ask for its second."""
        page = ground.page
        for listed in page.collections:
            slots = _slots(listed, page) if not listed.collection and usable(listed) else []
            if len(slots) < 2:
                continue
            owned, target = (Target.of(part, page) for part in slots[:2])
            if not owned.within or not target.within:
                continue
            items = [listed.items[part.item] for part in slots[:2]]
            said = [text for item in items for text in (item.text, *(cell.text for cell in item.cells)) if text]
            yield Trial(
                why=f'"{target.within[:40]}" can be booked once',
                precondition=(Press(target=owned),),
                acts=(Press(target=target), ByOther(act=Press(target=target)), ByOther(act=Visit(address=path_of(page)))),
                asserts=(
                    NotBoth(
                        target=target,
                        owned=owned,
                        free=tuple(dict.fromkeys((*said, *(part.name for part in slots[:2])))),
                        places=(items[1].selector, items[0].selector),
                    ),
                ),
                control=Control(
                    explains="there is more of it: it is offered to strangers all the same",
                    acts=(ByOther(act=Forget()),),
                    asserts=(SeenByOther(that=StillOffered(target=target)),),
                ),
                requirements=ground.asked.about(*slots[:2]),
            )


def _slots(listed: Collection, page: PageModel) -> list[Button | Link]:
    """What books an item, one an item; none where items say how many there are of them."""
    found: dict[int, Button | Link] = {}
    for part in page.buttons:
        if (
            part.collection == listed.key
            and 0 <= part.item < len(listed.items)
            and usable(part)
            and _books(bare_name(part, page))
        ):
            found.setdefault(part.item, part)
    cells = [cell for number in found for cell in listed.items[number].cells]
    counted = any(cell.quantity is not None and cell.quantity.measure in _MANY for cell in cells)
    return [] if counted else [found[number] for number in sorted(found)]


def _books(name: str) -> bool:
    return deed_of(name) == "order" and (name.strip().casefold() in _SAID or means(name, BOOKS, unlike=OTHERWISE))
