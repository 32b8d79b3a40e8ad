"""Deleting what is open deletes that."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import does
from evaluator.relations.shape import by_itself, called, title_column, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Assertion, Contains, Gone, Loses, Target
from tools.page.model import PageModel
from tools.page.parts import Collection
from tools.page.trials import Agree, Press, Trial

_SHORTEST = 3


@relation(about=("buttons",), category=Category.wrong_result, severity=Severity.critical, shows=("delete",))
class OpenedItemIsDeleted:
    """A delete button beside an item that was opened from a list removes that item from the list.

    What is open is known by its title: a heading, a dialog or a field says just what one item of the list does. Where the list is
    not read as one any more (an item of two is being edited in its place) and others of its items are shown, a delete button may
    be theirs.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page: the first such button."""
        page = ground.page
        delete = next((one for one in page.buttons if usable(one) and one.item < 0 and does(one, "delete", page=page)), None)
        if delete is None:
            return
        for seen, listed in _lists(ground):
            title = opened(listed, seen, page)
            if not title or (page.of(listed.key) is None and _shows_another(title, listed, page)):
                continue
            yield Trial(
                why=f'{called(delete, page)} deletes "{title}", which is open',
                acts=(Press(target=Target.of(delete, page)), Agree()),
                asserts=(_gone(title, listed, seen, page),),
                control=by_itself(listed, seen) if page.of(listed.key) is not None else None,
                requirements=ground.asked.about(delete, listed),
            )
            return


def _shows_another(title: str, listed: Collection, page: PageModel) -> bool:
    """Whether the page says the words of another item of the list."""
    column = title_column(listed)
    others = {one.cells[column].text.strip() for one in listed.items if column >= 0} - {title}
    return bool(others & {one.text.strip() for one in page.texts})


def _gone(title: str, listed: Collection, seen: PageModel, page: PageModel) -> Assertion:
    """That the item of that title, and no other one, is gone."""
    target = Target.of(listed, seen)
    item = next((one for one in listed.items if title in one.text), None)
    if item is None:  # the items are nothing but buttons
        kind = "buttons" if any(one.name == title for one in seen.buttons) else "links"
        return Gone(target=Target(kind=kind, name=title))
    if page.of(listed.key) is not None:
        return Loses(target=target, item=item.text)
    return Contains(target=target, texts=(title,), yes=False)


def _lists(ground: Ground) -> Iterator[tuple[PageModel, Collection]]:
    """The lists of the page, else those that were seen last, each with the page it was on."""
    for seen in (ground.page, *reversed(ground.earlier[-6:])):
        found = [one for one in seen.collections if one.count >= 2 and one.count == len(one.items) and not one.collection]
        if found:
            yield from ((seen, one) for one in found)
            return


def opened(listed: Collection, seen: PageModel, page: PageModel) -> str:
    """The title of the only item of the list that a heading, a dialog or a field of the page says; empty where none does."""
    said = {one.text.strip() for one in page.texts if one.level} | {one.value.strip() for one in page.fields if one.item < 0}
    said |= {one.name.strip() for one in page.layers if one.kind == "dialog"}
    column = title_column(listed)
    if column >= 0:
        titles = [one.cells[column].text.strip() for one in listed.items]
    else:
        titles = [one.name.strip() for one in (*seen.buttons, *seen.links) if one.collection == listed.key]
        titles = titles if len(titles) == listed.count else []
    found = [one for one in titles if len(one) >= _SHORTEST and one in said]
    return found[0] if len(found) == 1 else ""
