"""What a page reckons follows the rule that its own results show."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.learning import Law, entering, followers, law_of, number_fields, points, takes_decimals
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import AmountIs, SaysError, Target
from tools.page.parts import Field
from tools.page.trials import Control, Trial


@relation(about=("fields",), category=Category.wrong_result, severity=Severity.major, shows=("calculate",))
class LawHolds:
    """Where three results lie on a straight line, one between them does, too: also for a number with a fraction.

    Only between numbers that were typed already: beyond them a discount or a limit may begin.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a field and figure, at most three."""
        page, made = ground.page, 0
        for field, form in number_fields(page):
            for result in followers(field, ground):
                law = law_of(points(field, result, ground))
                if law is None or made >= 3 or (x := _between(law, field)) is None:
                    continue
                made += 1
                yield Trial(
                    why=f"{called(result, page)} for {called(field, page)} {x} lies on the line of those around it",
                    acts=entering(field, form, format(x, "f"), ground),
                    asserts=(
                        AmountIs(
                            target=Target.of(result, page), value=law.at(x), slack=law.slack, language=page.language or "en"
                        ),
                    ),
                    control=Control(explains="the page does not take that number, and says so", acts=(), asserts=(SaysError(),)),
                    requirements=ground.asked.about(field, result),
                )


def _between(law: Law, field: Field) -> Decimal | None:
    """A number between the outer ones that was not typed yet, with a fraction where the field takes one."""
    whole = (law.low + law.high) / 2 // 1 + 1
    x = whole + Decimal("0.75") if takes_decimals(field) else whole
    return x if law.low < x < law.high else None
