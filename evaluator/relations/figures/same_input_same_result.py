"""A result depends on what was typed, not on what was typed before."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.learning import entering, followers, number_fields
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, Target, Unchanged
from tools.page.trials import Control, Trial


@relation(about=("fields",), category=Category.wrong_result, severity=Severity.major, shows=("calculate",))
class SameInputSameResult:
    """The same number typed again brings the same result, whatever was typed in between.

    A result that changes each time is a random one, or a sum of all so far; the control types the number once more.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a field, for its first figure."""
        page = ground.page
        for field, form in list(number_fields(page))[:3]:
            for result in followers(field, ground)[:1]:
                target = Target.of(result, page)
                first, other = entering(field, form, "16", ground), entering(field, form, "5", ground)
                yield Trial(
                    why=f"{called(result, page)} is the same for the same {called(field, page)}",
                    precondition=first,
                    acts=(*other, *first),
                    asserts=(Unchanged(target=target),),
                    control=Control(
                        explains="it is another one each time",
                        acts=first,
                        asserts=(Changes(target=target),),
                    ),
                    requirements=ground.asked.about(field, result),
                )
