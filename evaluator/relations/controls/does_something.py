"""A button does something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import another_state, called, in_form, senders, usable
from evaluator.requirements.deeds import bare_name, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Clean, Noticed, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Collection, Field, Form
from tools.page.trials import Control, Press, Trial

HOLD_A_VALUE = frozenset({"slider", "color", "select", "combobox"})
"""Kinds of fields in which something stands from the first."""
WHOLE = 0.8
"""Share of an item's area from which on what lies there is the item."""
LEADS: tuple[Literal["edit", "add"], ...] = ("edit", "add")


@relation(about=("buttons",), category=Category.dead_control, severity=Severity.major)
class DoesSomething:
    """A button that can be pressed brings about something that a person could notice, in one state or in another.

    Not of what sends a form that is typed into: the browser itself may refuse it, and relations about forms try it. What there
    was nothing to do for yet (undo, reset, clear, pause) is pressed again after something was begun, filled, chosen, turned,
    drawn. What only looks as if it could be pressed (the pointer's hand, the focus) may be there to be dragged or read: unless
    the brief asks for something of it, it is pressed, and nothing is expected.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a button; of like buttons in the items of a list only in the first item."""
        page = ground.page
        sends = {sender.key for form, sender in senders(page).items() if not is_whole(form, page)}
        for button in distinct(page):
            if not usable(button) or button.key in sends or in_form(button, page):
                continue
            target = Target.of(button, page)
            asked = tuple(dict.fromkeys((*_asked_of(button, ground), *_led_to(button, ground))))
            if not button.stated and not asked:
                yield Trial(
                    why=f"{called(button, page)} is pressed", acts=(Press(target=target),), asserts=(Clean(complaints=False),)
                )
                continue
            yield Trial(
                why=f"{called(button, page)} does something",
                acts=(Press(target=target),),
                asserts=(Noticed(target=target),),
                control=Control(
                    explains="there was nothing to do for it yet",
                    precondition=another_state(page, ground, button),
                    acts=(Press(target=target),),
                    asserts=(Noticed(target=target),),
                    otherwise=(Noticed(target=target, yes=False),),
                ),
                requirements=asked,
            )


def is_whole(form: str, page: PageModel) -> bool:
    """Whether nothing is typed into the form of this key: sliders and choices hold a value from the first."""
    part = page.of(form)
    if not isinstance(part, Form) or not (part.fields or part.choices):
        return False
    fields = [field for key in part.fields if isinstance(field := page.of(key), Field)]
    choices = [choice for key in part.choices if isinstance(choice := page.of(key), Choice)]
    held = all(field.kind in HOLD_A_VALUE and field.value and not field.required for field in fields)
    return held and all(choice.chosen for choice in choices)


def _asked_of(button: Button, ground: Ground) -> tuple[str, ...]:
    """Ids of the requirements about it; about its list, where it is a whole item of that: "press a town"."""
    home = ground.page.of(button.collection) if _is_item(button, ground.page) else None
    return ground.asked.about(button, *((home,) if home is not None else ()))


def _led_to(button: Button, ground: Ground) -> tuple[str, ...]:
    """Ids of the requirements that can be tried only once somebody has pressed it: an edit, or something new, is opened by it."""
    for deed in LEADS:
        if does(button, deed, page=ground.page):
            return ground.asked.of(deed)
    return ()


def distinct(page: PageModel) -> Iterator[Button]:
    """The buttons of a page; of like ones in the items of a list those of the first item in which they stand.

    Those that nobody named are like the ones of their place in other items. Of items that are buttons themselves the first comes
    last: of forty towns it is the one that is shown from the beginning.
    """
    known: set[tuple[str, str]] = set()
    nameless = Counter[tuple[str, int]]()
    for button in sorted(page.buttons, key=lambda button: button.item == 0 and _is_item(button, page)):
        home, name = (button.collection, button.item), bare_name(button, page)
        nameless[home] += not name
        alike = (button.collection, name or f"#{nameless[home]}")
        if button.item >= 0 and alike in known:
            continue
        known.add(alike)
        yield button


def _is_item(button: Button, page: PageModel) -> bool:
    """Whether a button is the whole of the item that it stands in."""
    home = page.of(button.collection) if button.collection else None
    if not isinstance(home, Collection) or not 0 <= button.item < len(home.items):
        return False
    return button.box.area >= WHOLE * home.items[button.item].box.area
