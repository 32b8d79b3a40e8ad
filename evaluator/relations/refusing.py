"""Whether a form was accepted, for relations on what should be refused: it goes, or is emptied, and nothing is said of an error.

For forms whose things are not listed where they are made: in dialogs, in steps, in bookings that end with a word of thanks.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from evaluator.relations.adding import Filled, Sender, fill_whole, opened_again
from evaluator.relations.base import Ground
from tools.page.assertions import Appears, InRange, Refused, Target
from tools.page.model import PageModel
from tools.page.parts import Field, Form
from tools.page.trials import Control, Fill, Reload

FREE = frozenset({"text", "email", "tel", "multiline", "password"})
LEAST = 2
"""Fields of free text, outside of dialogs: a form with a single one is emptied by many pages, whatever was typed."""


def goes(form: Form, ground: Ground) -> bool:
    """Whether a form goes once it is accepted: a dialog's, and one that came up where it was not before, at the same address."""
    page = ground.page
    before = (seen for seen in ground.earlier if seen.url == page.url and seen.of(form.key) is None)
    return bool(form.layer) or any(not any(seen.of(key) for key in form.fields) for seen in before)


def typed(filled: Filled, page: PageModel) -> list[Fill]:
    """What is typed into its fields of free text."""
    fills = [fill for fill in filled.act.fills if isinstance(fill, Fill) and fill.value]
    return [fill for fill in fills if isinstance(part := fill.target.find(page), Field) and part.kind in FREE]


def refused(filled: Filled, page: PageModel) -> Refused:
    """The assertion that the form is not accepted as it is filled."""
    fills = typed(filled, page)
    return Refused(fields=tuple(fill.target for fill in fills), values=tuple(fill.value for fill in fills))


def takes_what_is_right(form: Form, sender: Sender, ground: Ground) -> Control | None:
    """The control: whether it is accepted once it is filled rightly; None where it can't be filled so that one could tell."""
    right = fill_whole(ground, form, sender)
    if right is None or len(typed(right, ground.page)) < (1 if goes(form, ground) else LEAST):
        return None
    again = opened_again(form, ground)
    return Control(
        explains="it does not accept what is right either",
        precondition=again or (Reload(),),
        acts=(right.act,),
        asserts=(refused(right, ground.page),),
    )


def listed_unsent(form: Form, sender: Sender, ground: Ground, instead: Mapping[str, str]) -> Control | None:
    """The control of what is said of a form that the page does not state to be one: what is typed may be listed at once.

    An editor beside a list writes through as one types. None where the page states the form, or it lies over the page.
    """
    other = fill_whole(ground, form, sender, 1, instead)
    if form.native or form.layer or other is None or not other.typed:
        return None
    return Control(
        explains="what is typed is listed as it is typed: nothing is sent",
        precondition=(Reload(),),
        acts=(other.unsent,),
        asserts=(Appears(target=Target(kind="texts", name=other.typed)),),
    )


def not_shown(field: Field, least: Decimal, ground: Ground) -> tuple[InRange, ...]:
    """The assertion that what a figure shows of a field, now or before the form was opened, is no less than that; or none.

    What is set in a form is often not listed anywhere but stands by itself: a budget, a number of guests.
    """
    try:
        value = Decimal(field.value)
    except InvalidOperation:
        return ()
    for page in (ground.page, *reversed(ground.earlier)):
        figures = [figure for figure in page.figures if figure.item < 0 and figure.quantity.value == value and value > 1]
        if page.url == ground.page.url and len(figures) == 1:
            return (InRange(target=Target.of(figures[0], page), low=float(least)),)
    return ()
