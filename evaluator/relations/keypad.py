"""The keys of a calculator on a page: which button is which sign."""

from __future__ import annotations

from decimal import Decimal

from evaluator.relations.base import Ground
from evaluator.requirements.deeds import does
from tools.page.assertions import ShowsAmount, Target
from tools.page.model import PageModel
from tools.page.parts import Button
from tools.page.trials import Control, Press

SIGNS = {
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
CLEARS = frozenset({"C", "AC"})


def calculator_keys(page: PageModel) -> dict[str, Button]:
    """Its buttons by the sign that a computer's keyboard has for it; empty unless there are ten digits, two operators and "="."""
    found: dict[str, Button] = {}
    for button in page.buttons:
        name = button.name.strip()
        key = name if name.isdigit() and len(name) == 1 else SIGNS.get(name, "")
        if key and not button.disabled:
            found.setdefault(key, button)
    return found if set("0123456789=") <= found.keys() and len(set("+-*/") & found.keys()) > 1 else {}


def clearing(ground: Ground) -> tuple[Press, ...]:
    """The press that clears the display; none where no button does by its name."""
    page = ground.page
    for button in page.buttons:
        if not button.disabled and (does(button, "clear", "reset") or button.name.strip() in CLEARS):
            return (Press(target=Target.of(button, page)),)
    return ()


def keyed(text: str, keys: dict[str, Button], page: PageModel) -> tuple[Press, ...]:
    """The presses that key in a text, sign by sign."""
    return tuple(Press(target=Target.of(keys[sign], page)) for sign in text)


def shows_nowhere(keys: dict[str, Button], ground: Ground) -> Control:
    """Whether what is keyed in shows nowhere at all: then nothing can be said of it."""
    return Control(
        explains="what is keyed in shows nowhere",
        acts=(*clearing(ground), *keyed("47", keys, ground.page)),
        asserts=(ShowsAmount(value=Decimal(47), yes=False),),
    )
