"""One fact has one value wherever it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import AmountIs, Target
from tools.page.parts import Figure
from tools.page.trials import Trial

TWO = 2


@relation(about=("figures",), category=Category.state_not_updated, severity=Severity.major, shows=("calculate",))
class SameFactSameValue:
    """Two figures of one name that showed the same number in two different states show the same one now.

    Of just that name: a subtotal is the total until something is sent, and what is left is all until something is done. Not of
    what stands in a row, nor where a third one has that name: of a single row its sum is that of all.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the page stands; at most three pairs."""
        page, made = ground.page, 0
        for figure, other in combinations(page.figures, 2):
            if made >= 3 or figure.quantity.value is None or other.quantity.value is None or not _alike(figure, other):
                continue
            if sum(_alike(figure, each) for each in page.figures) > TWO or not _agreed(figure, other, ground):
                continue
            made += 1
            yield Trial(
                why=f"{called(figure, page)} and {called(other, page)} say the same",
                acts=(),
                asserts=(AmountIs(target=Target.of(figure, page), value=other.quantity.value, language=page.language or "en"),),
                requirements=ground.asked.about(figure, other),
            )


def _alike(figure: Figure, other: Figure) -> bool:
    if (figure.quantity.measure, figure.quantity.unit) != (other.quantity.measure, other.quantity.unit):
        return False
    named = bool(figure.name) and figure.name.casefold() == other.name.casefold()
    return named and figure.item < 0 and other.item < 0


def _agreed(figure: Figure, other: Figure, ground: Ground) -> bool:
    """In each earlier state, of which two had different numbers, both were the same."""
    values = set()
    for page in ground.earlier:
        here, there = page.of(figure.key), page.of(other.key)
        if not isinstance(here, Figure) or not isinstance(there, Figure):
            continue
        if here.quantity.value != there.quantity.value:
            return False
        values.add(here.quantity.value)
    return len(values) >= 2
