"""Converted there and back a number is what it was."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.learning import entering, followers, number_fields
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import AmountIs, SaysError, Target, Unchanged
from tools.page.assertions.amounts import amount_of
from tools.page.model import PageModel
from tools.page.parts import Choice, Field, Figure, Form, Quantity
from tools.page.quantities import number_of
from tools.page.trials import Choose, Control, Fill, Trial


@relation(
    about=("fields",), category=Category.wrong_result, severity=Severity.major, shows=("calculate",), says=("swap the two units",)
)
class ThereAndBack:
    """What a converter makes of a number, it makes that number of again, within what is shown of it."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One of two fields that follow each other, and one of two choices with the same units."""
        page = ground.page
        for field, form in list(number_fields(page))[:2]:
            x = number_of(field.value, page.language)
            for result in followers(field, ground):
                y = amount_of(result, page.language)
                if not x or y is None or not y.value:
                    continue
                slack = abs(x) / 1000 + abs(x / y.value) / 10**y.decimals
                refused = Control(explains="the page does not take that number, and says so", acts=(), asserts=(SaysError(),))
                apart = Control(
                    explains="the two fields have nothing to do with each other",
                    acts=(Fill(target=Target.of(field, page), value=format(x * 2 + 3, "f")),),
                    asserts=(Unchanged(target=Target.of(result, page)),),
                )
                for acts, back in _ways(field, form, result, x, y, ground):
                    yield Trial(
                        why=f"{called(field, page)} {x} → {y.text} → {x}",
                        acts=acts,
                        asserts=(AmountIs(target=Target.of(back, page), value=x, slack=slack, language=page.language or "en"),),
                        control=apart if back is field else refused,
                        requirements=ground.asked.about(field, result),
                    )


def _ways(
    field: Field, form: Form | None, result: Figure | Field, x: Decimal, y: Quantity, ground: Ground
) -> Iterator[tuple[tuple, Figure | Field]]:
    """The acts that lead back, and where the number must show."""
    page, back = ground.page, format(y.value or Decimal(0), "f")
    if isinstance(result, Field) and not result.read_only and not result.disabled:
        away = Fill(target=Target.of(field, page), value=format(x * 3 + 1, "f"))
        yield (away, Fill(target=Target.of(result, page), value=back)), field
    elif (pair := _units(page, field)) is not None:
        (choice, here), (other, there) = pair
        swap = (_choose(choice, there, page), _choose(other, here, page))
        yield (*swap, *entering(field, form, back, ground)), result


def _units(page: PageModel, field: Field) -> tuple[tuple[Choice, str], tuple[Choice, str]] | None:
    """Two choices with the same options, of which other ones are chosen: from which unit, and to which.

    Not those that go by one name (a list's filter and a form's field), nor one that is sent with other fields than this one.
    """
    fit = [
        choice for choice in page.choices if not any(_holds(form, choice) and field.key not in form.fields for form in page.forms)
    ]
    for number, each_choice in enumerate(fit):
        for other in fit[number + 1 :]:
            same = len(each_choice.options) > 1 and {option.name for option in each_choice.options} == {
                option.name for option in other.options
            }
            named = each_choice.name and each_choice.name.casefold() == other.name.casefold()
            if same and not named and len(each_choice.chosen) == len(other.chosen) == 1 and each_choice.chosen != other.chosen:
                return (each_choice, each_choice.chosen[0]), (other, other.chosen[0])
    return None


def _holds(form: Form, choice: Choice) -> bool:
    return bool(form.fields) and choice.key in form.choices


def _choose(choice: Choice, option: str, page: PageModel) -> Choose:
    place = next((each_option.selector for each_option in choice.options if each_option.name == option), "")
    how = "select" if choice.kind == "select" else "press"
    return Choose(target=Target.of(choice, page), option=option, how=how, place=place)
