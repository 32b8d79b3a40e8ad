"""A calculator by the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.keypad import calculator_keys
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ShowsAmount
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
        """One sum; Enter may be its "=" and "=" none."""
        if not calculator_keys(ground.page):
            return
        typed, asserts = ("4", "7", "+", "3", "6"), (ShowsAmount(value=Decimal(83)),)
        yield Trial(
            why="the keyboard adds: 47+36 83",
            acts=(Keys(keys=(*typed, "=")),),
            asserts=asserts,
            control=Control(
                explains="Enter is its =", precondition=(Reload(),), acts=(Keys(keys=(*typed, "Enter")),), asserts=asserts
            ),
        )
