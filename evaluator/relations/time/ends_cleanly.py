"""A time that runs down ends at zero."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, shown_times, starter
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import InRange, Target
from tools.page.assertions.running import seconds_of
from tools.page.trials import Press, Trial, Wait

LONGEST_S = 180


@relation(
    about=("figures", "buttons"),
    category=Category.wrong_result,
    severity=Severity.minor,
    shows=("timer",),
    says=("the countdown ends at zero",),
)
class EndsCleanly:
    """A time that runs down never shows less than nothing."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a shown time of at most three minutes, until after its end."""
        page, start = ground.page, starter(ground.page)
        for figure in shown_times(page)[:2] if start else ():
            left = seconds_of(figure) or Decimal(0)
            if start is None or not 0 < left <= LONGEST_S:
                continue
            yield Trial(
                why=f"{called(figure, page)} ends at zero",
                acts=(Press(target=Target.of(start, page)), Wait(app_ms=int(left * 1000) + 3500)),
                asserts=(InRange(target=Target.of(figure, page), low=0),),
                requirements=ground.asked.about(figure, start),
            )
