"""Division by zero is an error."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.keypad import calculator_keys, clearing, keyed, shows_nowhere
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Shown, Target, Tells
from tools.page.trials import Trial

PROGRAMS_WORDS = ("Infinity", "NaN", "undefined")


@relation(
    about=("buttons",),
    category=Category.wrong_result,
    severity=Severity.minor,
    only_asked=True,
    says=("dividing by zero says Error", "division by zero shows an error message", "division by zero is handled gracefully"),
)
class ZeroIsTold:
    """Where the brief asks for it, a calculator says that a number can't be divided by zero."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One; any word will do for what is wrong, but a program's word for no value."""
        page, keys = ground.page, calculator_keys(ground.page)
        if "/" not in keys or page.fields:
            return  # what a field shows is no text: that it says something new would not be seen
        yield Trial(
            why="8/0= is an error",
            precondition=clearing(ground),
            acts=keyed("8/0=", keys, page),
            asserts=(Tells(), *(Shown(target=Target(kind="texts", name=word), yes=False) for word in PROGRAMS_WORDS)),
            control=shows_nowhere(keys, ground),
        )
