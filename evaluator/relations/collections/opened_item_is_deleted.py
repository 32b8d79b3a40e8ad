"""Deleting what is open deletes that."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import does
from evaluator.relations.shape import title_column, usable
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Assertion, Contains, Loses, Target
from tools.page.model import PageModel
from tools.page.parts import Collection, Item
from tools.page.trials import Agree, Press, Trial

_SHORTEST = 3


@relation(about=("buttons",), category=Category.wrong_result, severity=Severity.critical, shows=("delete",))
class OpenedItemIsDeleted:
    """A delete button beside an item that was opened from a list removes that item from the list.

    What is open is known by its title: a heading, a dialog or a field says just what one item of the list does.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page: the first such button."""
        page = ground.page
        delete = next((one for one in page.buttons if usable(one) and one.item < 0 and does(one, "delete", page=page)), None)
        if delete is None:
            return
        for seen, listed in _lists(ground):
            item = opened(listed, page)
            if item is None:
                continue
            title, target = item.cells[title_column(listed)].text, Target.of(listed, seen)
            here = page.of(listed.key) is not None
            gone: Assertion = Loses(target=target, item=item.text) if here else Contains(target=target, texts=(title,), yes=False)
            yield Trial(
                why=f'"{delete.name}" deletes "{title}", which is open',
                acts=(Press(target=Target.of(delete, page)), Agree()),
                asserts=(gone,),
                requirements=ground.asked.about(delete, listed),
            )
            return


def _lists(ground: Ground) -> Iterator[tuple[PageModel, Collection]]:
    """The lists of the page, else those that were seen last, each with the page it was on."""
    for seen in (ground.page, *reversed(ground.earlier[-6:])):
        found = [one for one in seen.collections if one.count >= 2 and one.count == len(one.items) and not one.collection]
        if found:
            yield from ((seen, one) for one in found)
            return


def opened(listed: Collection, page: PageModel) -> Item | None:
    """The only item of the list whose title a heading, a dialog or a field of the page says, and no other item's."""
    column = title_column(listed)
    if column < 0:
        return None
    said = {one.text.strip() for one in page.texts if one.level} | {one.value.strip() for one in page.fields if one.item < 0}
    said |= {one.name.strip() for one in page.layers if one.kind == "dialog"}
    found = [one for one in listed.items if len(one.cells[column].text) >= _SHORTEST and one.cells[column].text.strip() in said]
    return found[0] if len(found) == 1 else None
