"""What is typed and not yet sent, while something else is done: what the relations on it share."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import Filled, fill_whole, forms_that
from evaluator.relations.base import Ground
from evaluator.relations.shape import choosing, offered, usable
from evaluator.requirements.deeds import does
from tools.page.assertions import Target
from tools.page.parts import Choice, Collection
from tools.page.trials import Act, Press


def unsent(ground: Ground) -> Iterator[tuple[Filled, Collection]]:
    """Forms that add to a list beside them, with words in them that would be shown there: beside a dialog nothing can be done."""
    for form, sender in forms_that(ground):
        if form.layer:
            continue
        listed, filled = ground.page.fed_by(form), fill_whole(ground, form, sender)
        if filled is not None and filled.typed and isinstance(listed, Collection):
            yield filled, listed


def meanwhile(listed: Collection, ground: Ground) -> Iterator[tuple[Act, str]]:
    """What may be done beside: another choice of what is listed, an item's toggle, the deletion of an item."""
    page = ground.page
    for choice in page.choices:
        if choice.key in listed.filters and usable(choice) and isinstance(choice, Choice):
            option = next((each_option for each_option in offered(choice) if not each_option.chosen), None)
            if option is not None:
                yield choosing(choice, option, page), f'"{option.name}" is chosen'
                break
    toggle = next(
        (each_toggle for each_toggle in page.toggles if each_toggle.collection == listed.key and usable(each_toggle)), None
    )
    if toggle is not None:
        yield Press(target=Target.of(toggle, page)), f'"{toggle.name or "the toggle"}" of an item is pressed'
    buttons = (
        button
        for button in page.buttons
        if button.collection == listed.key and button.item == listed.count - 1 and usable(button)
    )
    delete = next((button for button in buttons if does(button, "delete", page=page)), None)
    if delete is not None:
        yield Press(target=Target.of(delete, page)), "an item is deleted"
