"""What was keyed in can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.keypad import CLEARS, calculator_keys, clearing, keyed, shows_nowhere
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ShowsAmount, Target
from tools.page.parts import Button
from tools.page.trials import Press, Trial

BACK = frozenset({"⌫", "←", "⟵", "DEL", "Del", "Backspace", "BACKSPACE", "Backspace ⌫", "⌫ Backspace"})
TURNS = frozenset({"±", "+/-", "+/−", "+/–", "⁺/₋", "⁺∕₋", "plus/minus", "Plus/minus", "Toggle sign", "Negate"})
"""What keys of calculators are called that take the last digit, and that turn the sign."""


@relation(
    about=("buttons",),
    category=Category.wrong_result,
    severity=Severity.major,
    says=(
        "a backspace button deletes the last digit",
        "plus/minus changes the sign",
        "C clears the display",
        "a clear button and a delete button on the calculator",
    ),
)
class KeypadCorrects:
    """On a calculator, backspace takes the last digit, plus/minus turns the sign, and C leaves nothing of a number."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One for each of these keys that there is."""
        page, keys, begin = ground.page, calculator_keys(ground.page), clearing(ground)
        if not keys:
            return
        for names, typed, result, said in ((BACK, "471", 47, "takes the last digit"), (TURNS, "47", -47, "turns the sign")):
            key = _key(names, ground)
            if key is not None:
                yield Trial(
                    why=f'"{key.name}" {said}: {result} of {typed}',
                    precondition=begin,
                    acts=(*keyed(typed, keys, page), Press(target=Target.of(key, page))),
                    asserts=(ShowsAmount(value=Decimal(result)),),
                    control=shows_nowhere(keys, ground),
                )
        clear = _key(CLEARS, ground)
        if clear is not None:
            yield Trial(
                why=f'"{clear.name}" leaves nothing of 47',
                precondition=keyed("47", keys, page),
                acts=(Press(target=Target.of(clear, page)),),
                asserts=(ShowsAmount(value=Decimal(47), yes=False),),
            )


def _key(names: frozenset[str], ground: Ground) -> Button | None:
    return next((one for one in ground.page.buttons if one.name.strip() in names and not one.disabled), None)
