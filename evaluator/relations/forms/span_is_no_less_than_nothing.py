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
LEAST_DAYS = 2
"""Fewer days are shown by too many other figures."""


@relation(
    about=("fields", "figures"),
    category=Category.validation_missing,
    severity=Severity.major,
    shows=("validate", "calculate"),
    says=("the end must lie after the beginning",),
)
class SpanIsNoLessThanNothing:
    """For an end before its beginning no number of days less than nothing is shown, unless the page says what is wrong."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a pair of dates, by the figure that shows how many days it has, both ends counted or not.

        What a page otherwise shows may well be less than nothing: a change, a balance.
        """
        page = ground.page
        for first, last in spans(page):
            begins, ends = day_of(first.value), day_of(last.value)
            if begins is None or ends is None or (days := (ends - begins).days) < LEAST_DAYS or last.minimum:
                continue
            figures = [
                each_figure
                for each_figure in page.figures
                if each_figure.item < 0 and each_figure.quantity.value in {days, days + 1}
            ]
            for figure in figures[:1]:
                yield Trial(
                    why=f"{called(figure, page)} is not less than nothing for an end before the beginning",
                    acts=(Fill(target=Target.of(last, page), value=(begins - BEFORE).isoformat()),),
                    asserts=(InRange(target=Target.of(figure, page), low=0),),
                    control=Control(explains="the page says what is wrong", acts=(), asserts=(SaysError(),)),
                    requirements=ground.asked.about(first, last, figure),
                )
