"""A calculator by the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.keypad import calculator_keys, clearing
from evaluator.relations.shape import usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ShowsAmount, Target
from tools.page.trials import Control, Keys, Reload, Trial


@relation(
    about=("buttons",),
    category=Category.input_ignored,
    severity=Severity.major,
    only_asked=True,
    says=(
        "the keyboard works too",
        "keyboard input is supported",
        "can be operated with the keyboard as well",
        "numbers can be entered with the keyboard",
    ),
)
class KeypadByKeyboard:
    """Where the brief asks for the keyboard, what is typed on it calculates as the calculator's keys do."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One sum, typed into the display where that takes typing; it may want "=" for Enter, or a click first."""
        page = ground.page
        if not calculator_keys(page):
            return
        into = next(
            (field for field in page.fields if usable(field) and not field.read_only and field.kind in {"text", "number"}), None
        )
        target = Target.of(into, page) if into is not None else None
        typed, asserts = ("4", "7", "+", "3", "6"), (ShowsAmount(value=Decimal(83)),)
        yield Trial(
            why="the keyboard adds: 47+36 83",
            acts=(Keys(keys=(*typed, "Enter"), target=target),),
            asserts=asserts,
            control=Control(
                explains="= is its Enter, or it listens once it was clicked on",
                precondition=(Reload(), *clearing(ground)),
                acts=(Keys(keys=(*typed, "="), target=target),),
                asserts=asserts,
            ),
        )
