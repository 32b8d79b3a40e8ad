"""A filter shows some of all."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.paging import on_first_page
from evaluator.relations.shape import (
    all_shown,
    called,
    filtering,
    in_form,
    is_choice,
    is_opened,
    offered,
    open_lists,
    ranked,
    search_button,
    searches,
    senders,
    shows_all,
)
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Lists, SameItems, Subset, Target
from tools.page.model import PageModel
from tools.page.parts import Choice, Collection, Field, Form, Option
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


def in_form_that_adds(choice: Choice, page: PageModel) -> bool:
    """It is sent with other things by a button, and not to search."""
    if search_button(choice, page) is not None:
        return False
    if not in_form(choice, page):
        return False
    sent = senders(page)
    sending = (form for form in page.forms if choice.key in form.choices and form.key in sent and len(form.fields) > 1)
    return any(not _searches(form, page) for form in sending)


def _searches(form: Form, page: PageModel) -> bool:
    """Whether a search stands among what it sends: those are filters, whatever their button is called."""
    fields = (page.of(key) for key in form.fields)
    return any(isinstance(field, Field) and searches(field) for field in fields)


def _telling(choice: Choice, off: Option, listed: Collection) -> list[Option]:
    """Two options: one that some items fit first, and the last."""
    rest = [option for option in offered(choice) if option is not off and not shows_all(option.name, choice)]
    rest.sort(key=lambda option: not fitting_items(listed, choice, option))
    return rest[:1] + (rest[-1:] if len(rest) > 1 else [])


def fitting_items(listed: Collection, choice: Choice, option: Option) -> tuple[str, ...] | None:
    """The items that say in one cell that they are of an option's kind; None where not every item says just one option."""
    names = {each_option.name.casefold() for each_option in offered(choice) if not shows_all(each_option.name, choice)}
    told: list[tuple[str, str]] = []
    for item in listed.items:
        kinds = {cell.text.casefold() for cell in item.cells} & names
        if len(kinds) != 1:
            return None
        told.append((kinds.pop(), item.text))
    return tuple(text for kind, text in told if kind == option.name.casefold())
