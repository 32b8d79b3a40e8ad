"""A keypad of digits and operators calculates."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.keypad import calculator_keys, clearing, keyed, shows_nowhere
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ShowsAmount
from tools.page.trials import Trial

_TASKS = (
    ("47+36=", "83", "adds"),
    ("12+30=5+6=", "11", "begins anew after ="),
    ("9.5-0.25=", "9.25", "reckons with fractions"),
    ("64*3=", "192", "multiplies"),
    ("96/4=", "24", "divides"),
)


@relation(
    about=("buttons",),
    category=Category.wrong_result,
    severity=Severity.critical,
    shows=("calculate",),
    says=(
        "digits, operators and a decimal point",
        "a calculator adds, subtracts, multiplies and divides",
        "a simple pocket calculator",
        "digits, plus, minus, times, divided by, decimal point, equals",
        "basic arithmetic operations",
    ),
)
class KeypadCalculates:
    """Keys of ten digits, two operators and = bring the result of what was keyed in."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Five tasks that need no order of operations, each on a cleared display."""
        keys = calculator_keys(ground.page)
        for task, result, said in _TASKS if keys else ():
            if not set(task) <= keys.keys():
                continue
            yield Trial(
                why=f"the keypad {said}: {task} {result}",
                precondition=clearing(ground),
                acts=keyed(task, keys, ground.page),
                asserts=(ShowsAmount(value=Decimal(result)),),
                control=shows_nowhere(keys, ground),
            )
