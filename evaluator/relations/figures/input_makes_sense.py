"""Whatever is typed in a field that is reckoned with, what is shown for it is a value."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.learning import entering, number_fields
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Sensible
from tools.page.trials import Trial


@relation(
    about=("fields",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("calculate",),
    says=("invalid input is answered with a hint",),
)
class InputMakesSense:
    """A field that is reckoned with, blank or at zero, brings up no NaN, undefined or Infinity.

    Two common numbers are typed first: what the page shows for them teaches the law that later trials hold it to.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a field, of three fields at most."""
        page = ground.page
        for field, form in list(number_fields(page))[:3]:
            common = tuple(act for value in ("8", "20") for act in entering(field, form, value, ground))
            for value, said in (("", "nothing"), ("0", "zero")):
                yield Trial(
                    why=f"{said} in {called(field, page)} brings up values",
                    acts=(*(common if not value else ()), *entering(field, form, value, ground)),
                    asserts=(Sensible(),),
                    requirements=ground.asked.about(field),
                )
