"""A keypad of digits and operators calculates."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ShowsAmount, Target
from tools.page.parts import Button
from tools.page.trials import Control, Press, Trial

_SIGNS = {
    "+": "+",
    "＋": "+",
    "-": "-",
    "−": "-",
    "–": "-",
    "×": "*",
    "*": "*",
    "x": "*",
    "✕": "*",
    "÷": "/",
    "/": "/",
    ".": ".",
    ",": ".",
    "=": "=",
}
"""Signs of arithmetic, as keys of calculators show them in any language."""
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
    says=("digits, operators and a decimal point", "a calculator adds, subtracts, multiplies and divides"),
)
class KeypadCalculates:
    """Keys of ten digits, two operators and = bring the result of what was keyed in."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Five tasks that need no order of operations, each on a cleared display."""
        keys = _keys(ground)
        clear = next(
            (one for one in ground.page.buttons if not one.disabled and (does(one, "clear", "reset") or one.name in {"C", "AC"})),
            None,
        )
        if not set("0123456789=") <= keys.keys() or len(set("+-*/") & keys.keys()) < 2:
            return
        begin = (Press(target=Target.of(clear, ground.page)),) if clear else ()
        number = tuple(Press(target=Target.of(keys[key], ground.page)) for key in "47")
        for task, result, said in _TASKS:
            if not set(task) <= keys.keys():
                continue
            yield Trial(
                why=f"the keypad {said}: {task} {result}",
                precondition=begin,
                acts=tuple(Press(target=Target.of(keys[key], ground.page)) for key in task),
                asserts=(ShowsAmount(value=Decimal(result)),),
                control=Control(
                    explains="what is keyed in shows nowhere",
                    acts=(*begin, *number),
                    asserts=(ShowsAmount(value=Decimal(47), yes=False),),
                ),
            )


def _keys(ground: Ground) -> dict[str, Button]:
    found: dict[str, Button] = {}
    for button in ground.page.buttons:
        name = button.name.strip()
        key = name if name.isdigit() and len(name) == 1 else _SIGNS.get(name, "")
        if key and not button.disabled:
            found.setdefault(key, button)
    return found
