"""A number that can be stepped can be typed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, usable
from evaluator.relations.steppers import steppers
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Target, Unchanged
from tools.page.parts import Field
from tools.page.trials import Control, Fill, Keys, Press, Trial

MOST, KINDS = 2, frozenset({"number", "text", "tel"})


@relation(
    about=("buttons", "fields"),
    category=Category.input_ignored,
    severity=Severity.major,
    says=("the number can be typed or changed with plus and minus",),
)
class TypedAsStepped:
    """A number typed into a field between a plus and a minus button stays there, where plus brings the very same number.

    Only of a field that was seen to go by one: of one that goes by five, 26 may well become 25.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a field, at most two: one more than it holds. Where plus brings nothing, it may not go higher."""
        page = ground.page
        fields = (stepper for stepper in steppers(page) if isinstance(stepper.shown, Field))
        for stepper in islice(fields, MOST):
            field = stepper.shown
            if (
                not isinstance(field, Field)
                or field.read_only
                or not usable(field)
                or field.kind not in {"number", "text", "tel"}
            ):
                continue
            if not _goes_by_one(field, ground):
                continue
            target, more = Target.of(field, page), str(int(field.value.strip()) + 1)
            yield Trial(
                why=f"{more} can be typed into {called(field, page)}",
                acts=(Fill(target=target, value=more), Keys(keys=("Tab",), target=target)),
                asserts=(HasValue(target=target, value=more),),
                control=Control(
                    explains="it does not go higher",
                    acts=(Press(target=Target.of(stepper.plus, page)),),
                    asserts=(Unchanged(target=target),),
                ),
                requirements=ground.asked.about(field, stepper.plus),
            )


def _goes_by_one(field: Field, ground: Ground) -> bool:
    """Whether it was seen with two whole numbers that lie one apart."""
    held = (part.value.strip() for page in ground.earlier if isinstance(part := page.of(field.key), Field))
    values = {int(text) for text in held if text.isdecimal()}
    return any(value + 1 in values for value in values)
