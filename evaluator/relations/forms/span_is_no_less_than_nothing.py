"""What ends before it begins is not reckoned with."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.relations.spans import day_of, spans
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import InRange, SaysError, Target
from tools.page.trials import Control, Fill, Trial

BEFORE = timedelta(days=3)
_COUNTED = {"number", "money", "quantity", "duration"}


@relation(
    about=("fields", "figures"),
    category=Category.validation_missing,
    severity=Severity.major,
    shows=("validate", "calculate"),
    says=("the end must lie after the beginning",),
)
class SpanIsNoLessThanNothing:
    """For an end before its beginning nothing less than nothing is shown, unless the page says what is wrong."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a pair of dates and figure above nothing, at most three; what the end's field refuses itself is not asked."""
        page = ground.page
        figures = [
            one
            for one in page.figures
            if one.item < 0 and one.quantity.measure in _COUNTED and one.quantity.value is not None and one.quantity.value > 0
        ]
        for first, last in spans(page):
            begins, ends = day_of(first.value), day_of(last.value)
            if begins is None or ends is None or ends <= begins or last.minimum:
                continue
            for figure in figures[:3]:
                yield Trial(
                    why=f"{called(figure, page)} is not less than nothing for an end before the beginning",
                    acts=(Fill(target=Target.of(last, page), value=(begins - BEFORE).isoformat()),),
                    asserts=(InRange(target=Target.of(figure, page), low=0),),
                    control=Control(explains="the page says what is wrong", acts=(), asserts=(SaysError(),)),
                    requirements=ground.asked.about(first, last, figure),
                )
