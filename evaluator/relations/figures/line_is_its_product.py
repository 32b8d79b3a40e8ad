"""What a line comes to is so many times so much."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from evaluator.relations.base import Ground, relation
from evaluator.relations.learning import leaving
from evaluator.relations.shape import called, open_lists
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ProductOf, Target
from tools.page.assertions.sums import is_product, rows_of
from tools.page.parts import Collection
from tools.page.trials import Fill, Trial

LEAST, MOST_COLUMNS = 2, 8
"""Lines of unlike numbers that show what a column is; so many columns are looked at."""
_CHEAPER = (
    "a discount from ten pieces on",
    "bulk prices for larger quantities",
    "buy two, get one free",
    "every third one is free",
    "a discount on an item",
)


@relation(
    about=("collections",),
    category=Category.state_not_updated,
    severity=Severity.major,
    shows=("calculate",),
    says=("each line shows quantity times price", "the amount of a line follows its quantity"),
)
class LineIsItsProduct:
    """Where each line of a list showed two numbers and what they come to multiplied, each line does so after a change, too.

    Not where the brief speaks of what is cheaper by the dozen.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the list stands, where a line is wrong; else with another number typed into one of its first line's."""
        if ground.asked.saying(_CHEAPER):
            return
        page = ground.page
        for listed in open_lists(page):
            for one, other, column in _laws(listed, ground):
                says = ProductOf(
                    target=Target.of(listed, page), column=column, factors=(one, other), language=page.language or "en"
                )
                why = f"what a line of {called(listed, page)} comes to is so many times so much"
                asked = ground.asked.about(listed)
                if any(not is_product(*row) for row in rows_of(listed, (one, other, column))):
                    yield Trial(why=why, acts=(), asserts=(says,), requirements=asked)
                    break
                for field in page.fields:
                    cell = listed.items[0].cells[one].text
                    mine = (field.collection, field.item) == (listed.key, 0) and field.value == cell and not field.covered
                    if mine and not (field.disabled or field.read_only):
                        fill = Fill(target=Target.of(field, page), value="7")
                        yield Trial(why=why, acts=(fill, leaving(field, page)), asserts=(says,), requirements=asked)
                        break
                break


def _laws(listed: Collection, ground: Ground) -> Iterator[tuple[int, int, int]]:
    """Columns of which the third was the product of the first two in every line that was ever seen before."""
    seen = [part for page in (*ground.earlier, ground.page) if isinstance(part := page.of(listed.key), Collection) and part.items]
    width = min((len(item.cells) for part in seen for item in part.items), default=0)
    for one, other, column in permutations(range(min(width, MOST_COLUMNS)), 3):
        if one < other and column > one and _is_law(seen, (one, other, column)):
            yield one, other, column


def _is_law(seen: list[Collection], columns: tuple[int, int, int]) -> bool:
    """Whether some observation shows it in lines of unlike numbers, and none before that one denies it."""
    for part in seen:
        rows = rows_of(part, columns)
        if not rows or any(not is_product(*row) for row in rows):
            return False
        telling = {(one.value, other.value) for one, other, _ in rows if {one.value, other.value}.isdisjoint({0, 1})}
        if len(telling) >= LEAST:
            return True
    return False
