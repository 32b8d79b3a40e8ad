"""Undo brings back what was, where it was."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import by_itself, called
from evaluator.requirements.deeds import Deed, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Restored, Target
from tools.page.model import PageModel
from tools.page.parts import Collection
from tools.page.trials import Act, Agree, Press, Trial


@relation(
    about=("collections",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("undo",),
    says=("a toast with undo brings the deleted item back where it was",),
)
class UndoRestores:
    """As many undos as there were changes bring a list back as it was, each item in its place.

    An undo that does nothing to the list may be about something else, and is not held against it.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One change and one undo, then two and two; where an undo has been seen."""
        undo = button_for("undo", ground)
        if undo is None:
            return
        for listed in ground.page.collections:
            if listed.count > len(listed.items) or listed.count < 1 or listed.covered:
                continue
            done = changes(listed, ground, brought_by(undo, ground))
            asserts = (Restored(target=Target.of(listed, ground.page), items=tuple(item.text for item in listed.items)),)
            for first in done:
                yield Trial(
                    why=f"undo brings {called(listed, ground.page)} back",
                    precondition=first,
                    acts=(Press(target=undo),),
                    asserts=asserts,
                    control=by_itself(listed, ground.page),
                    requirements=ground.asked.about(listed),
                )
            if len(done) > 1:
                yield Trial(
                    why=f"two undos take two changes of {called(listed, ground.page)} back",
                    precondition=(*done[0], *done[-1], Press(target=undo)),
                    acts=(Press(target=undo),),  # one that takes back a single change does nothing the second time
                    asserts=asserts,
                    control=by_itself(listed, ground.page),
                    requirements=ground.asked.about(listed),
                )


def button_for(deed: str, ground: Ground) -> Target | None:
    """The button that undoes or redoes: of this page, else one that came up before after a change."""
    for page in (ground.page, *reversed(ground.earlier)):
        for button in page.buttons:
            if (
                (page is not ground.page or not button.covered)
                and does(button, "undo" if deed == "undo" else "redo")
                and button.item < 0
            ):
                return Target.of(button, page)
    return None


def brought_by(undo: Target, ground: Ground) -> frozenset[Deed]:
    """After which kinds of change an undo comes up: any where it stays on the page, else what was seen to bring it."""
    here, page = undo.find(ground.page), ground.page
    if here is not None and not any(layer.key == here.layer and layer.kind == "toast" for layer in page.layers):
        return frozenset[Deed](("delete", "add"))
    found = set[Deed]()
    for before, after in ground.steps():
        if undo.find(after) is None or undo.find(before) is not None:
            continue
        counts = [
            (old.count, collection.count)
            for collection in after.collections
            if (old := _as_it_was(collection, before)) is not None
        ]
        if any(new < old for old, new in counts):
            found.add("delete")
        if any(new > old for old, new in counts):
            found.add("add")
    return frozenset(found)


def _as_it_was(listed: Collection, page: PageModel) -> Collection | None:
    old = page.of(listed.key)
    return old if isinstance(old, Collection) else None


def changes(listed: Collection, ground: Ground, kinds: frozenset[Deed]) -> list[tuple[Act, ...]]:
    """Ways to change a list: delete its second item, add one."""
    page, found = ground.page, list[tuple[Act, ...]]()
    where = min(1, listed.count - 1)
    mine = [button for button in page.buttons if (button.collection, button.item) == (listed.key, where) and not button.disabled]
    delete = [button for button in mine if does(button, "delete", page=page)]
    if len(delete) == 1 and "delete" in kinds:
        found.append((Press(target=Target.of(delete[0], page)), Agree()))
    for form, submit in forms_that(ground, SENDS) if "add" in kinds else ():
        if (filled := fill_whole(ground, form, submit)) is not None and not form.layer:
            found.append((filled.act,))
            break
    return found
