"""What was keyed in can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.keypad import CLEARS, calculator_keys, clearing, keyed, shows_nowhere
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Scene, ShowsAmount, Target
from tools.page.model import PageModel
from tools.page.parts import Button
from tools.page.trials import Control, Press, Trial

BACK = frozenset({"⌫", "←", "⟵", "DEL", "Del", "Backspace", "BACKSPACE", "Backspace ⌫", "⌫ Backspace"})
TURNS = frozenset({"±", "+/-", "+/−", "+/–", "⁺/₋", "⁺∕₋", "plus/minus", "Plus/minus", "Toggle sign", "Negate"})
"""What keys of calculators are called that take the last digit, and that turn the sign."""
_RARE = "5093"
"""What no list of earlier sums shows."""


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
        """One for each of these keys that there is; for the sign once the display was seen to show what is keyed in."""
        page, keys, begin = ground.page, calculator_keys(ground.page), clearing(ground)
        back, sign, clear = (_key(names, ground) for names in (BACK, TURNS, CLEARS))
        if keys and back is not None:
            yield Trial(
                why=f"{called(back, page)} takes the last digit of 471",
                precondition=begin,
                acts=(*keyed("471", keys, page), Press(target=Target.of(back, page))),
                asserts=(ShowsAmount(value=Decimal(47)),),
                control=shows_nowhere(keys, ground),
            )
        if keys and sign is not None and any(_shows_47(seen) for seen in ground.earlier):
            minus = (ShowsAmount(value=Decimal(-47)),)
            yield Trial(
                why=f"{called(sign, page)} turns the sign of 47",
                precondition=begin,
                acts=(*keyed("47", keys, page), Press(target=Target.of(sign, page))),
                asserts=minus,
                # "(-47)", "47-", "negate(47)": what it is shows in the result.
                control=Control(explains="it writes the sign in another way", acts=keyed("=", keys, page), asserts=minus),
            )
        if keys and clear is not None:
            yield Trial(
                why=f"{called(clear, page)} leaves nothing of {_RARE}",
                precondition=keyed(_RARE, keys, page),
                acts=(Press(target=Target.of(clear, page)),),
                asserts=(ShowsAmount(value=Decimal(_RARE), yes=False),),
            )


def _key(names: frozenset[str], ground: Ground) -> Button | None:
    return next((button for button in ground.page.buttons if button.name.strip() in names and not button.disabled), None)


def _shows_47(page: PageModel) -> bool:
    return ShowsAmount(value=Decimal(47)).evaluate(Scene(after=page)).result == "held"
