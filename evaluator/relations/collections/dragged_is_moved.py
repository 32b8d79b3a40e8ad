"""What is dragged goes where it is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import by_itself, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, CountIs, Target, Unchanged
from tools.page.model import PageModel
from tools.page.parts import Button, Collection, Item, Part, Text
from tools.page.trials import Control, Drag, Trial


@dataclass(frozen=True)
class Drags:
    """An item of a list that can be dragged, and where to: a list that stands beside its own, or another item's place in it."""

    listed: Collection
    item: Item
    words: str
    """Of it, and of nothing else on the page."""
    handle: Target
    """By what it is taken: these words, or all of it where it is a button."""
    place: Collection
    """Its own list where it is only put elsewhere in it."""
    to: Target


def drags(page: PageModel) -> Iterator[Drags]:
    """Each item that says that it can be dragged, with each list beside its own, or another place in a list that stands alone.

    Lists of one name can't be told apart once what is in them changes.
    """
    whole = [
        collection for collection in page.collections if usable(collection) and 0 < collection.count == len(collection.items)
    ]
    shown = [
        collection for collection in whole if collection.key not in {other.collection for other in whole}
    ]  # not the row of columns
    lists = [
        collection for collection in shown if collection.name and [other.name for other in shown].count(collection.name) == 1
    ]
    texts = [item.text for collection in shown for item in collection.items]
    for listed in lists:
        handles = [_handle(listed, at, texts, page) if item.drags else None for at, item in enumerate(listed.items)]
        beside = [collection for collection in lists if _beside(collection, listed)]
        for at, (item, found) in enumerate(zip(listed.items, handles, strict=True)):
            if found is None:
                continue
            yield from (Drags(listed, item, *found, collection, Target.of(collection, page)) for collection in beside)
            other = handles[(at + 2) % len(handles)]
            if not beside and other is not None and other is not found:
                yield Drags(listed, item, *found, listed, other[1])


@relation(
    about=("collections",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("drag",),
    says=("entries can be moved by dragging",),
)
class DraggedIsMoved:
    """An item that is dragged from one list to another stands there, and in the first one no more."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One item of each list to each list beside it; if the brief speaks of dragging, also within one that stands alone.

        Where only one list takes nothing, that something else can be dragged shows that it would have been. What can be dragged
        nowhere is fixed, or cannot be dragged by the pointer.
        """
        page = ground.page
        every, asked = list(drags(page)), ground.asked.of("drag")
        for each_drags in every:
            first = next(other for other in every if other.listed is each_drags.listed)
            control = (
                by_itself(each_drags.listed, page)
                if each_drags.place is each_drags.listed
                else _elsewhere(each_drags, every, page)
            )
            if each_drags.item is not first.item or control is None or (each_drags.place is each_drags.listed and not asked):
                continue
            listed, place = Target.of(each_drags.listed, page), Target.of(each_drags.place, page)
            there = Contains(target=place, texts=(each_drags.words,), refusable=True)
            # The others may be numbered anew: nothing is said of them.
            away = Contains(target=listed, texts=(each_drags.words,), yes=False, refusable=True)
            once = CountIs(target=listed, count=each_drags.listed.count)
            yield Trial(
                why=f'"{each_drags.item.key}" is dragged from "{each_drags.listed.name}" to {each_drags.to.words()}',
                acts=(Drag(target=each_drags.handle, to=each_drags.to),),
                asserts=(there, once if each_drags.place is each_drags.listed else away),
                control=control,
                requirements=asked,
            )


def _elsewhere(tried: Drags, every: list[Drags], page: PageModel) -> Control | None:
    """The control: whether nothing comes of it where an item of that list goes elsewhere, or one from there comes to it.

    Another item than the one that was tried, which may be gone, if there is one.
    """
    elsewhere = [drags for drags in every if drags.listed is tried.listed and drags.place is not tried.place]
    back = [drags for drags in every if drags.listed is tried.place and drags.place is tried.listed]
    others = sorted(elsewhere, key=lambda drags: drags.item is tried.item) or back
    if not others:
        return None
    other = others[0]
    return Control(
        explains="nothing can be dragged there and back",
        acts=(Drag(target=other.handle, to=other.to),),
        asserts=(Unchanged(target=Target.of(tried.listed, page)),),
    )


def _handle(listed: Collection, at: int, texts: list[str], page: PageModel) -> tuple[str, Target] | None:
    """Words of the item at this place and of no other of `texts`, and by what it can be taken: itself where it is a button."""
    own = (cell.text for cell in listed.items[at].cells if cell.text)
    words = next(
        (each_text for each_text in own if page.text.count(each_text) < 2 and sum(each_text in text for text in texts) == 1), ""
    )
    mine: list[Part] = [
        each_text for each_text in (*page.texts, *page.buttons) if (each_text.collection, each_text.item) == (listed.key, at)
    ]
    whole = [button for button in mine if isinstance(button, Button) and button.selector == listed.items[at].selector]
    text = [each_text for each_text in mine if isinstance(each_text, Text) and words in each_text.text]
    part = next(iter(whole or text), None)
    return None if part is None or part.covered or not words else (words, Target.of(part, page))


def _beside(collection: Collection, other: Collection) -> bool:
    """Whether two lists stand side by side, as the columns of a board do."""
    a, b = collection.box, other.box
    apart = a.x + a.width <= b.x or b.x + b.width <= a.x
    return apart and a.y < b.y + b.height and b.y < a.y + a.height
