"""Deleting what is open deletes that."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import by_itself, called, searches, title_column, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Assertion, Contains, Gone, Loses, Stays, Target
from tools.page.changes import state_of
from tools.page.model import PageModel
from tools.page.parts import Collection
from tools.page.trials import Agree, Control, Press, Trial

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
        delete = next(
            (button for button in page.buttons if usable(button) and button.item < 0 and does(button, "delete", page=page)), None
        )
        if delete is None:
            return
        for seen, listed in _lists(ground):
            title = opened(listed, seen, page)
            if not title or (page.of(listed.key) is None and _shows_another(title, listed, page)):
                continue
            if page.of(listed.key) is None and _narrows(seen, page):
                continue  # of a list that a filter leaves one of, that one is shown, not opened
            if page.of(listed.key) is None and not all(collection.name for collection in page.collections):
                continue  # nobody could tell whether that list is still shown
            yield Trial(
                why=f'{called(delete, page)} deletes "{title}", which is open',
                acts=(Press(target=Target.of(delete, page)), Agree()),
                asserts=(_gone(title, listed, seen, page),),
                control=by_itself(listed, seen) if page.of(listed.key) is not None else _of_another_list(page),
                requirements=ground.asked.about(delete, listed),
            )
            return


def _of_another_list(page: PageModel) -> Control | None:
    """The control where the page has lists of its own: it may delete from one of those."""
    own = [collection for collection in page.collections if not collection.collection and collection.count]
    if not own:
        return None
    longest = max(own, key=lambda collection: collection.count)
    stays = Stays(target=_wherever(longest, page))
    return Control(explains="it may delete from the list of the page, which is still shown", acts=(), asserts=(stays,))


def _wherever(listed: Collection, page: PageModel) -> Target:
    """A list by its name: another one may stand in its very place."""
    target = Target.of(listed, page)
    return target.model_copy(update={"selector": ""}) if listed.name else target


def _shows_another(title: str, listed: Collection, page: PageModel) -> bool:
    """Whether the page says the words of another item of the list."""
    column = title_column(listed)
    others = {item.cells[column].text.strip() for item in listed.items if column >= 0} - {title}
    return bool(others & {text.text.strip() for text in page.texts})


def _narrows(seen: PageModel, page: PageModel) -> bool:
    """Whether something else is chosen or searched on the page than where the list was seen."""
    sought = (*page.choices, *(field for field in page.fields if searches(field)))
    return any((old := seen.of(part.key)) is not None and state_of(old) != state_of(part) for part in sought)


def _gone(title: str, listed: Collection, seen: PageModel, page: PageModel) -> Assertion:
    """That the item of that title, and no other one, is gone."""
    target = Target.of(listed, seen)
    item = next((each_item for each_item in listed.items if title in each_item.text), None)
    if item is None:  # the items are nothing but buttons
        kind = "buttons" if any(button.name == title for button in seen.buttons) else "links"
        return Gone(target=Target(kind=kind, name=title))
    if page.of(listed.key) is not None:
        return Loses(target=target, item=item.text)
    return Contains(target=_wherever(listed, seen), texts=(title,), yes=False)


def _lists(ground: Ground) -> Iterator[tuple[PageModel, Collection]]:
    """The lists of the page, and those that were seen last and it has not, each with the page it was on."""
    here = [collection for collection in ground.page.collections if _whole(collection)]
    yield from ((ground.page, collection) for collection in here)
    for seen in reversed(ground.earlier[-6:]):
        found = [collection for collection in seen.collections if _whole(collection) and ground.page.of(collection.key) is None]
        if found:
            yield from ((seen, collection) for collection in found)
            return


def _whole(collection: Collection) -> bool:
    return collection.count >= 2 and collection.count == len(collection.items) and not collection.collection


def opened(listed: Collection, seen: PageModel, page: PageModel) -> str:
    """The title of the only item of the list that a heading, a dialog or a field of the page says; empty where none does."""
    said = {text.text.strip() for text in page.texts if text.level} | {
        field.value.strip() for field in page.fields if field.item < 0 and not searches(field)
    }
    said |= {layer.name.strip() for layer in page.layers if layer.kind == "dialog"}
    column = title_column(listed)
    if column >= 0:
        titles = [item.cells[column].text.strip() for item in listed.items]
    else:
        titles = [button.name.strip() for button in (*seen.buttons, *seen.links) if button.collection == listed.key]
        titles = titles if len(titles) == listed.count else []
    found = [title for title in titles if len(title) >= _SHORTEST and title in said]
    # "Rope" is a part of "Rope ladder", and stands there still when it is gone.
    return found[0] if len(found) == 1 and sum(found[0].casefold() in title.casefold() for title in titles) == 1 else ""
