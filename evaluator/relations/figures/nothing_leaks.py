"""What a page shows are values, not a program's words for none."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Sensible
from tools.page.assertions.amounts import leaks
from tools.page.trials import Trial


@relation(about=("texts",), category=Category.wrong_result, severity=Severity.major)
class NothingLeaks:
    """No NaN, undefined, [object Object] or Invalid Date is shown, unless the page speaks of programs."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One of the page as it stands, where there is something to be judged."""
        if leaks(ground.page):
            yield Trial(why="what the page shows are values", acts=(), asserts=(Sensible(new=False),))
