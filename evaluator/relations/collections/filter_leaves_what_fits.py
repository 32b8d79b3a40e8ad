"""A filter shows some of all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from evaluator.relations.base import Ground, relation
from evaluator.relations.paging import on_first_page
from evaluator.relations.shape import (
    all_shown,
    called,
    filtering,
    in_form_that_adds,
    is_choice,
    is_opened,
    offered,
    open_lists,
    ranked,
    shows_all,
)
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Lists, SameItems, Subset, Target
from tools.page.parts import Choice, Collection, Option
from tools.page.trials import Trial


@relation(
    about=("collections", "choices"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("filter",),
    says=("only those of a chosen kind are shown",),
)
class FilterLeavesWhatFits:
    """A filter leaves just the items that fit, where each item says what it is, else some of them; switched off, all are back.

    Of choices near a list that have an option which by its meaning shows all, and have it chosen: else several lists may share
    one place, each with items of its own. Of a list in pages other items than before may come, all of which fit.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two options a choice, each on and off again."""
        page = ground.page
        for listed in open_lists(page):
            if listed.count < 2 or ranked(listed):
                continue
            whole = all_shown(listed, ground)
            back = whole or on_first_page(listed, ground)
            for choice in filters_of(listed, ground):
                off = next(each_option for each_option in offered(choice) if each_option.name in choice.chosen)
                target, asked = Target.of(listed, page), ground.asked.about(choice, listed)
                for option in _telling(choice, off, listed):
                    on = filtering(choice, option, page)
                    fits = fitting_items(listed, choice, option)
                    left = Subset(target=target) if fits is None else Lists(target=target, items=fits)
                    if not whole:
                        left = Subset(target=target, fits=option.name, in_pages=True) if fits is not None else None
                    if left is not None:
                        yield Trial(
                            why=f'"{option.name}" leaves just what fits in {called(listed, page)}',
                            acts=on,
                            asserts=(left,),
                            requirements=asked,
                        )
                    if not back:
                        continue
                    yield Trial(
                        why=f'"{off.name}" brings all of {called(listed, page)} back after "{option.name}"',
                        acts=(*on, *filtering(choice, off, page)),
                        asserts=(SameItems(target=target),),
                        requirements=asked,
                    )


def filters_of(listed: Collection, ground: Ground) -> Iterator[Choice]:
    """Choices that filter a list and show all of it now."""
    page = ground.page
    alone = len([collection for collection in page.collections if not collection.collection and collection.count]) == 1
    for choice in page.choices:
        near = choice.key in listed.filters or alone
        if (
            not near
            or not (is_opened(choice) or is_choice(choice, ground))
            or in_form_that_adds(choice, page)
            or len(choice.chosen) != 1
        ):
            continue
        if any(option.name == choice.chosen[0] for option in offered(choice)) and shows_all(choice.chosen[0], choice):
            yield choice


def _telling(choice: Choice, off: Option, listed: Collection) -> list[Option]:
    """Two options: one that some items fit first, and the last."""
    rest = [option for option in offered(choice) if option is not off and not shows_all(option.name, choice)]
    rest.sort(key=lambda option: not fitting_items(listed, choice, option))
    return rest[:1] + (rest[-1:] if len(rest) > 1 else [])


def fitting_items(listed: Collection, choice: Choice, option: Option) -> tuple[str, ...] | None:
    """The items that say in one cell that they are of an option's kind; None where not every item says just one option."""
    if _is_month(option.value):
        return _of_the_month(listed, option.value)
    names = {each_option.name.casefold() for each_option in offered(choice) if not shows_all(each_option.name, choice)}
    told: list[tuple[str, str]] = []
    for item in listed.items:
        kinds = {cell.text.casefold() for cell in item.cells} & names
        if len(kinds) != 1:
            return None
        told.append((kinds.pop(), item.text))
    found = tuple(text for kind, text in told if kind == option.name.casefold())
    return found if found or not _is_narrower(option, choice) else None


def _is_month(value: str) -> bool:
    """Whether an option's value is a month as HTML writes one, `2025-09`."""
    try:
        date.fromisoformat(f"{value}-01")
    except ValueError:
        return False
    return True


def _of_the_month(listed: Collection, month: str) -> tuple[str, ...] | None:
    """The items whose only day is in a month, `2025-09`; None where not every item says just one day."""
    told: list[tuple[str, str]] = []
    for item in listed.items:
        days = {cell.quantity.when for cell in item.cells if cell.quantity is not None and cell.quantity.when}
        if len(days) != 1:
            return None
        told.append((days.pop(), item.text))
    return tuple(text for day, text in told if day.startswith(month))


def _is_narrower(option: Option, choice: Choice) -> bool:
    """Whether it says another option and more, "Coming, no seat" beside "Coming": items say both only in two places."""
    name, others = option.name.casefold(), (other.name.casefold() for other in offered(choice) if other is not option)
    return any(other in name for other in others)
