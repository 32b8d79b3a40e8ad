"""Plus and minus undo each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.relations.steppers import steppers
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Target, Unchanged
from tools.page.trials import Control, Press, Trial

MOST = 2


@relation(
    about=("buttons",),
    category=Category.wrong_result,
    severity=Severity.major,
    says=("plus and minus change the number", "the quantity can be changed"),
)
class PlusAndMinus:
    """A number between a plus and a minus button is what it was once plus and then minus was pressed.

    Of whole numbers only: a zoom that grows by a tenth and shrinks by a tenth is not back, and nobody minds.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a pair, at most two. At its upper end plus does nothing, as the control sees."""
        page = ground.page
        for stepper in islice(steppers(page), MOST):
            target, press = Target.of(stepper.shown, page), Press(target=Target.of(stepper.plus, page))
            yield Trial(
                why=f"{called(stepper.minus, page)} takes back what {called(stepper.plus, page)} did",
                acts=(press, Press(target=Target.of(stepper.minus, page))),
                asserts=(Unchanged(target=target),),
                control=Control(
                    explains=f"{called(stepper.plus, page)} does nothing there",
                    precondition=(press,),
                    acts=(press,),
                    asserts=(Unchanged(target=target),),
                ),
                requirements=ground.asked.about(stepper.plus, stepper.minus, stepper.shown),
            )
