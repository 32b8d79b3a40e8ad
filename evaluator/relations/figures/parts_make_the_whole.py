"""What was seen to be a sum stays one."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.totals_follow import changes_of, narrowing
from evaluator.relations.shape import called, open_lists
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import SumOf, Target
from tools.page.model import PageModel
from tools.page.parts import Figure
from tools.page.trials import Act, Control, Trial, Wait

LATER_MS = 2500
"""App time after which what is counted up, or asked of a server, is there as well."""
MOST_FIGURES = 16
MOST = 2
_SMALL = Decimal(10)
"""Whole numbers below it add up by chance in one state of a few."""
_STATES, _STATES_OF_SMALL = 2, 3
"""So many different states in which it added up make a rule: of amounts, and of small whole numbers."""


@relation(about=("figures",), category=Category.state_not_updated, severity=Severity.major, shows=("calculate",))
class PartsMakeTheWhole:
    """A figure that was the sum of two others in several different states still is: income is what is left and what was spent."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the page stands, and after something in the first list that can be changed was; at most two rules."""
        page = ground.page
        for whole, figure, other in list(_rules(ground))[:MOST]:
            rule = SumOf(
                target=Target.of(whole, page),
                parts=(Target.of(figure, page), Target.of(other, page)),
                each=True,
                language=page.language or "en",
            )
            for acts, said in (((), "as it stands"), *_changes(ground)):
                yield Trial(
                    why=f"{called(whole, page)} is {called(figure, page)} and {called(other, page)} {said}",
                    acts=acts,
                    asserts=(rule,),
                    control=Control(explains="it comes a while later", acts=(Wait(app_ms=LATER_MS),), asserts=(rule,)),
                    requirements=ground.asked.about(whole, figure, other),
                )


def _changes(ground: Ground) -> Iterator[tuple[tuple[Act, ...], str]]:
    for listed in open_lists(ground.page):
        found = list(changes_of(listed, ground))
        if found:
            yield from found
            return


def _rules(ground: Ground) -> Iterator[tuple[Figure, Figure, Figure]]:
    """Wholes with their two parts: added up in each state before this one, in several that differ, narrowed as it is now."""
    page = ground.page
    figures = [figure for figure in page.figures if figure.quantity.value is not None and not figure.covered][:MOST_FIGURES]
    here = _narrowed(page)
    seen = [state for state in ground.earlier if _narrowed(state) == here]
    values = [[_value(state, figure) for state in seen] for figure in figures]
    for at, whole in enumerate(figures):
        like = [place for place, other in enumerate(figures) if place != at and _same_kind(whole, other)]
        for number, other in combinations(like, 2):
            rows = [row for row in zip(values[at], values[number], values[other], strict=True) if None not in row]
            if _adds_up([tuple(value or Decimal(0) for value in row) for row in rows]):
                yield whole, figures[number], figures[other]


def _narrowed(page: PageModel) -> object:
    """How all lists of a page are narrowed: a total may well be of what is not shown now."""
    return page.url, tuple(narrowing(listed, page) for listed in page.collections)


def _value(page: PageModel, figure: Figure) -> Decimal | None:
    found = page.of(figure.key)
    return found.quantity.value if isinstance(found, Figure) and _same_kind(found, figure) else None


def _same_kind(figure: Figure, other: Figure) -> bool:
    same = (figure.quantity.measure, figure.quantity.unit) == (other.quantity.measure, other.quantity.unit)
    return same and figure.quantity.measure in {"number", "money", "quantity", "duration"}


def _adds_up(rows: list[tuple[Decimal, ...]]) -> bool:
    """Whether each row's first is what the others come to, in enough rows that differ: where a part is nothing, any would do.

    Of small whole numbers each must have changed: else a part may have nothing to do with it.
    """
    if any(whole != decimal + other for whole, decimal, other in rows):
        return False
    telling = {row for row in rows if row[1] and row[2]}
    if all(abs(value) < _SMALL and value % 1 == 0 for row in telling for value in row):
        return len(telling) >= _STATES_OF_SMALL and all(len({row[place] for row in telling}) > 1 for place in range(3))
    return len({row[0] for row in telling}) >= _STATES
