"""A number that is set governs something."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.learning import entering, governs, number_fields
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ChangesBeside, Enabled, Target
from tools.page.model import PageModel
from tools.page.parts import Field, Form
from tools.page.quantities import number_of
from tools.page.trials import Control, Trial

MOST = 4
_SHARES = tuple(Decimal(text) for text in ("0.8", "0.5", "0.2"))
"""Where between its bounds a field is set: the first two places that are far from where it is."""


@relation(about=("fields",), category=Category.input_ignored, severity=Severity.major, shows=("calculate", "choose"))
class FieldGoverns:
    """A slider or number changes something beside itself where every other one of its part of the page was seen to.

    By itself that nothing follows is no fault: a speed shows once something runs, and a form is reckoned with when it is sent.
    That something follows is seen of any of them.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a field, at most four, with a value far from the one it has; another one for its control.

        What is sent with its form need not follow before.
        """
        page, made = ground.page, 0
        fields = list(_set(page))
        for field, form in fields:
            others = [
                each_field
                for each_field, its in fields
                if each_field.key != field.key and _together(each_field, its, field, form)
            ]
            sent = field.kind == "slider" and form is not None and form.submit != ""
            values = far(field)
            if made >= MOST or (governs(field, ground) and not ground.asked.about(field)):
                continue
            if len(values) < 2:
                continue
            made += 1
            target = Target.of(field, page)
            yield Trial(
                why=f"{called(field, page)} changes more than itself",
                acts=entering(field, form, values[0], ground),
                asserts=(ChangesBeside(target=target),),
                control=Control(
                    explains="it makes no difference between those two values",
                    acts=entering(field, form, values[1], ground),
                    asserts=(ChangesBeside(target=target),),
                )
                if others and not sent and all(governs(other, ground) for other in others)
                else Control(
                    explains="what follows from it need not be seen at once", acts=(), asserts=(Enabled(target=target),)
                ),
                requirements=ground.asked.about(field),
            )


def _together(each_field: Field, its: Form | None, field: Field, form: Form | None) -> bool:
    """Whether two fields are of one form; of none, whether they stand in one part of the page, or dialog."""
    return each_field.layer == field.layer and (its == form if its or form else each_field.section == field.section)


def _set(page: PageModel) -> Iterator[tuple[Field, Form | None]]:
    """Numbers that the page reckons with, and sliders."""
    numbers = list(number_fields(page))
    yield from numbers
    for field in page.fields:
        form = next((each_form for each_form in page.forms if field.key in each_form.fields), None)
        if field.kind == "slider" and not (field.disabled or field.covered or field.item >= 0):
            yield field, form


def far(field: Field) -> list[str]:
    """Values far from the one it has and from each other: between its bounds, else of other sizes."""
    low, high, now = (number_of(text) for text in (field.minimum, field.maximum, field.value))
    if low is None or high is None or high <= low:
        base = now or Decimal(10)
        return [format((base * times).to_integral_value().normalize(), "f") for times in (3, 2)]
    step = number_of(field.step) or (Decimal(1) if high - low >= 8 else (high - low) / 20)
    places = [low + ((high - low) * share / step).to_integral_value() * step for share in _SHARES]
    return [format(place.normalize(), "f") for place in places if now is None or abs(place - now) >= (high - low) / 10]
