"""An amount is the same in whichever unit it is written."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.field_governs import far
from evaluator.relations.learning import number_fields
from evaluator.relations.shape import called, choosing, is_choice, likeness, offered
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import AmountIs, Target, Unchanged
from tools.page.parts import Choice, Field
from tools.page.quantities import number_of
from tools.page.trials import Control, Fill, Trial

_SIGNS = frozenset(
    {"m", "ft", "km", "mi", "cm", "mm", "in", "yd", "kg", "lb", "lbs", "g", "oz", "l", "gal", "ml", "°c", "°f", "c", "f"}
)
_WORDS = (
    "metres", "feet", "kilometres", "miles", "centimetres", "inches", "kilograms", "pounds", "grams", "ounces", "litres",
    "gallons", "Celsius", "Fahrenheit", "metric", "imperial",
)  # fmt: skip
_SURE, _MOST_OPTIONS = 0.75, 4
_SLACK = Decimal("0.05")
"""Share of a number that may be lost where it is rounded in the other unit."""


@relation(
    about=("fields", "choices"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("calculate",),
    says=("switch between metric and imperial units", "the unit can be changed"),
)
class UnitsKeepTheAmount:
    """A number that was typed in one unit is the same again once the other unit was chosen and that one again."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """In the unit that is not chosen at first, then in the one that is; for the first number beside a choice of units."""
        page = ground.page
        for choice in page.choices:
            if not is_choice(choice, ground) or not _of_units(choice) or len(choice.chosen) != 1:
                continue
            field = next((field for field, _ in number_fields(page) if _belongs(field, choice)), None)
            here = next((option for option in offered(choice) if option.name == choice.chosen[0]), None)
            there = next((option for option in offered(choice) if option is not here), None)
            if field is None or here is None or there is None:
                continue
            target, values = Target.of(field, page), far(field)[:2]
            for first, other in ((there, here), (here, there)) if len(values) > 1 else ():
                turned = choosing(choice, other, page), choosing(choice, first, page)
                value = number_of(values[0]) or Decimal(0)
                yield Trial(
                    why=f'{called(field, page)} {values[0]} in "{first.name}" is that again after "{other.name}"',
                    precondition=(choosing(choice, first, page),) if first is there else (),
                    acts=(Fill(target=target, value=values[0]), *turned),
                    asserts=(AmountIs(target=target, value=value, slack=abs(value) * _SLACK, language=page.language or "en"),),
                    control=Control(
                        explains="another unit brings a number of its own, whatever was typed",
                        acts=(Fill(target=target, value=values[1]), *turned),
                        asserts=(Unchanged(target=target),),
                    ),
                    requirements=ground.asked.about(choice, field),
                )


def _of_units(choice: Choice) -> bool:
    """Whether each of its few options is a unit."""
    names = [option.name for option in offered(choice)]
    return 2 <= len(names) <= _MOST_OPTIONS and all(_is_unit(name) for name in names)


def _is_unit(name: str) -> bool:
    return name.strip().casefold() in _SIGNS or likeness(name, *_WORDS) >= _SURE


def _belongs(field: Field, choice: Choice) -> bool:
    """It stands in the same part of the page, and in no item."""
    return field.item < 0 and (field.section, field.layer) == (choice.section, choice.layer)
