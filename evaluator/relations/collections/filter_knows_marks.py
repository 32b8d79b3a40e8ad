"""A filter for what is done shows just what is marked."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.all_means_all import marks_of
from evaluator.relations.collections.filter_leaves_what_fits import filters_of, fitting_items
from evaluator.relations.meanings import means
from evaluator.relations.shape import all_shown, by_itself, called, filtering, offered, open_lists, ranked, shows_all
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Lists, Target
from tools.page.model import PageModel
from tools.page.parts import Choice, Collection, Option
from tools.page.trials import Press, Trial

_DONE = ("Completed", "Done", "Finished", "Already done", "Ticked off", "Checked", "Erledigt", "Terminées", "Hechas", "已完成")
_ELSE = ("Not done yet", "Still to do", "Incomplete", "Upcoming", "Open")
_OTHERS = ("Delete", "Remove", "Edit", "Rename", "Move up", "Details", "Add to favourites")
SURE = 0.8


@relation(
    about=("collections", "choices", "toggles"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("filter",),
    says=("filter what is done and what is not",),
)
class FilterKnowsMarks:
    """Of items with a box each, a filter for what is done shows those that are marked, and its one counterpart the others.

    Where the brief asks that things are marked: elsewhere boxes may only select. Not where items say themselves what they are, or
    have a button that marks them: then the box is for something else.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """For the done and the others; where all are alike, one is marked first, and the others are looked for."""
        page = ground.page
        for listed in open_lists(page) if ground.asked.of("mark") else ():
            boxes = marks_of(listed, page)
            if len(boxes) < 2 or len(boxes) != listed.count or any(box.role != "checkbox" for box in boxes):
                continue
            if ranked(listed) or not all_shown(listed, ground) or _marked_by_a_button(listed, page):
                continue
            on = [box.item for box in boxes if box.on]
            mixed = 0 < len(on) < listed.count
            first = () if mixed else (Press(target=Target.of(boxes[0], page)),)
            for choice in filters_of(listed, ground):
                for option, marked in _meant(choice):
                    if fitting_items(listed, choice, option) is not None or (not mixed and marked == (not on)):
                        continue
                    shown = _items(listed, on, marked) if mixed else tuple(item.text for item in listed.items[1:])
                    yield Trial(
                        why=f'"{option.name}" leaves just what is {"" if marked else "not "}marked in {called(listed, page)}',
                        precondition=first,
                        acts=filtering(choice, option, page),
                        asserts=(Lists(target=Target.of(listed, page), items=shown),),
                        control=by_itself(listed, page),
                        requirements=ground.asked.about(choice, listed),
                    )


def _items(listed: Collection, on: list[int], marked: bool) -> tuple[str, ...]:
    return tuple(item.text for at, item in enumerate(listed.items) if (at in on) == marked)


def _marked_by_a_button(listed: Collection, page: PageModel) -> bool:
    inside = (button for button in page.buttons if button.collection == listed.key)
    return any(means(button.name, ("Mark as done", "Complete", "Done", "Finish"), _OTHERS) for button in inside)


def _meant(choice: Choice) -> Iterator[tuple[Option, bool]]:
    """The option for what is marked, and its counterpart where there are just these two beside the one that shows all."""
    rest = [option for option in offered(choice) if not shows_all(option.name, choice)]
    done = next((option for option in rest if means(option.name, _DONE, _ELSE, SURE)), None)
    if done is None:
        return
    yield done, True
    if len(rest) == 2:
        yield next(option for option in rest if option is not done), False
