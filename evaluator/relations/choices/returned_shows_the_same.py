"""There and back again shows what was shown."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.paging import says_pages
from evaluator.relations.shape import called, choosing, in_form, is_choice, offered, search_fields, usable
from evaluator.requirements.deeds import Deed, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Assertion, Changes, SameItems, Target, Unchanged
from tools.page.model import PageModel
from tools.page.parts import Button, Part
from tools.page.trials import Act, Control, Press, Reload, Trial

_PARTS = 8
"""Lists and figures that are looked at in one trial."""


@relation(
    about=(),
    category=Category.state_not_updated,
    severity=Severity.major,
    shows=("choose", "navigate"),
    says=("with arrows I switch the month", "previous and next day"),
)
class ReturnedShowsTheSame:
    """What lists and figures show of an option, a month or a day, they show again after a step to another one and back.

    From the page as it is opened, on which nothing was begun: a step in a round that goes on may rightly begin it anew. Not of
    tabs and links: a visit may be what they show ("3 unread").
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a choice and one a pair of buttons for the next and the previous."""
        if not ground.page.layers:
            for acts, said, parts in (*_choices(ground), *_steps(ground)):
                if asserts := _shown(ground.page):
                    yield Trial(
                        why=f"{said} and back shows the same again",
                        precondition=(Reload(),),
                        acts=acts,
                        asserts=asserts,
                        control=Control(
                            explains="the same steps again change the page as well: it moves or is made anew each time",
                            acts=acts,
                            asserts=(Changes(),),
                        ),
                        requirements=ground.asked.about(*parts),
                    )


def _choices(ground: Ground) -> Iterator[tuple[tuple[Act, ...], str, tuple[Part, ...]]]:
    page = ground.page
    searched = any(field.value for field in search_fields(page))
    for choice in page.choices:
        now = next((option for option in offered(choice) if option.chosen), None)
        other = next((option for option in offered(choice) if not option.chosen), None)
        if now is None or other is None or searched or choice.item >= 0 or choice.kind in {"tabs", "links"}:
            continue
        if any(choice.key in listed.filters for listed in page.collections):
            continue  # what filters and sorts a list has relations of its own
        if is_choice(choice, ground) and not in_form(choice, page) and _so_at_first(choice.key, choice.chosen, ground):
            acts = choosing(choice, other, page), choosing(choice, now, page)
            yield acts, f'"{other.name}" of {called(choice, page)}', (choice,)


def _so_at_first(key: str, chosen: tuple[str, ...], ground: Ground) -> bool:
    """Whether it stood on the page, so chosen, when the app was opened: there a reload leads."""
    first = (*ground.earlier, ground.page)[ground.opened_at].of(key)
    return first is not None and getattr(first, "chosen", None) == chosen


def _steps(ground: Ground) -> Iterator[tuple[tuple[Act, ...], str, tuple[Part, ...]]]:
    """The one button for what comes next and the one for what was before; pages of a list have relations of their own."""
    page, first = ground.page, (*ground.earlier, ground.page)[ground.opened_at]
    onward, backward = _only(page, "next"), _only(page, "previous")
    if onward is None or backward is None or any(listed.pages or says_pages(listed, page) for listed in page.collections):
        return
    if first.of(onward.key) is None or first.of(backward.key) is None or not (usable(onward) and usable(backward)):
        return
    there, back = Press(target=Target.of(onward, page)), Press(target=Target.of(backward, page))
    yield (there, back), called(onward, page), (onward, backward)


def _only(page: PageModel, deed: Deed) -> Button | None:
    found = [button for button in page.buttons if button.item < 0 and does(button, deed, page=page)]
    return found[0] if len(found) == 1 else None


def _shown(page: PageModel) -> tuple[Assertion, ...]:
    """That each list has the same items, in whatever order, and each figure outside of lists its value."""
    lists = [SameItems(target=Target.of(listed, page)) for listed in page.collections if not listed.collection and listed.name]
    figures = [Unchanged(target=Target.of(figure, page)) for figure in page.figures if figure.item < 0 and figure.name]
    return (*lists[:_PARTS], *figures[: max(0, _PARTS - len(lists))])
