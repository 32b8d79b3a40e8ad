"""What stands in an item concerns that item."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.filter_leaves_what_fits import filters_of, fitting_items
from evaluator.relations.paging import says_pages
from evaluator.relations.shape import by_itself, called, filtering, offered, ranked, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Loses, Target
from tools.page.parts import Collection
from tools.page.trials import Agree, Press, Trial


@relation(
    about=("collections", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("delete",),
    says=(
        "an entry can be removed from the list",
        "delete items",
    ),
)
class DeletedIsJustThat:
    """Deleting an item removes that item, and the others stand in their order."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The middle one of three or more, and one while a filter hides others: at an end an index that is wrong may be right."""
        for listed in ground.page.collections:
            if listed.count < 3 or listed.count > len(listed.items) or listed.covered or ranked(listed):
                continue
            middle = listed.items[listed.count // 2]
            mine = [
                each_button
                for each_button in ground.page.buttons
                if (each_button.collection, each_button.item) == (listed.key, listed.count // 2)
            ]
            for button in mine:
                if not usable(button) or not does(button, "delete", page=ground.page):
                    continue
                yield Trial(
                    why=f"{called(button, ground.page)} removes just its item of {called(listed, ground.page)}",
                    acts=(Press(target=Target.of(button, ground.page)), Agree()),
                    asserts=(Loses(target=Target.of(listed, ground.page), item=middle.text),),
                    control=by_itself(listed, ground.page),
                    requirements=ground.asked.about(button, listed),
                )
            if not listed.pages and not says_pages(listed, ground.page):  # in pages, what is back is the first page of all
                yield from self._while_filtered(listed, ground)

    @staticmethod
    def _while_filtered(listed: Collection, ground: Ground) -> Iterator[Trial]:
        """An item that stands at another place once a filter is on: it is deleted there, and missed where all are shown again."""
        page = ground.page
        for choice in filters_of(listed, ground):
            off = next(each_option for each_option in offered(choice) if each_option.name in choice.chosen)
            for option in offered(choice):
                fits = fitting_items(listed, choice, option) or ()
                places = [place for place, item in enumerate(listed.items) if item.text in fits]
                place = next((number for at, number in enumerate(places) if at != number), None)
                if option is off or place is None:
                    continue
                mine = [
                    each_button
                    for each_button in page.buttons
                    if (each_button.collection, each_button.item) == (listed.key, place)
                ]
                button = next(
                    (each_button for each_button in mine if usable(each_button) and does(each_button, "delete", page=page)),
                    None,
                )
                if button is None:
                    continue
                act = Press(target=Target.of(button, page))
                yield Trial(
                    why=f'{called(button, page)} removes just its item of {called(listed, page)} while "{option.name}" is on',
                    acts=(*filtering(choice, option, page), act, Agree(), *filtering(choice, off, page)),
                    asserts=(Loses(target=Target.of(listed, page), item=listed.items[place].text),),
                    control=by_itself(listed, page),
                    requirements=ground.asked.about(button, listed),
                )
                break
