"""What a line comes to is so many times so much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import saved_and_waited
from evaluator.relations.learning import leaving
from evaluator.relations.shape import called, open_lists, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ProductOf, Target
from tools.page.assertions.sums import is_product, rows_of
from tools.page.model import PageModel
from tools.page.parts import Collection, Quantity
from tools.page.trials import Act, Control, Fill, Trial

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

    Only for numbers between those for which it was so: many pieces may be cheaper. Not where the brief speaks of that.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the list stands, where a line is wrong; else with another line's number typed into the first one."""
        if ground.asked.saying(_CHEAPER):
            return
        page = ground.page
        for listed in open_lists(page):
            for law in _laws(listed, ground):
                acts = () if _is_broken(listed, law) else _changed(listed, law, page)
                if acts is not None:
                    says = ProductOf(
                        target=Target.of(listed, page), column=law.column, factors=law.factors, language=page.language or "en"
                    )
                    yield Trial(
                        why=f"what a line of {called(listed, page)} comes to is so many times so much",
                        acts=acts,
                        asserts=(says,),
                        control=Control(
                            explains="it follows when it is saved, or a while later",
                            acts=(*acts, *saved_and_waited(ground)),
                            asserts=(says,),
                        ),
                        requirements=ground.asked.about(listed),
                    )
                break


@dataclass(frozen=True)
class _Law:
    """A column and the two of which it was the product, with the least and the most that these were then."""

    factors: tuple[int, int]
    column: int
    spans: tuple[tuple[Decimal, Decimal], tuple[Decimal, Decimal]]

    def covers(self, one: Quantity, other: Quantity) -> bool:
        """Whether both numbers lie between those for which it was so."""
        pairs = zip((one.value, other.value), self.spans, strict=True)
        return all(value is not None and low <= value <= high for value, (low, high) in pairs)


def _is_broken(listed: Collection, law: _Law) -> bool:
    rows = rows_of(listed, (*law.factors, law.column))
    return any(not is_product(*row) and law.covers(row[0], row[1]) for row in rows)


def _changed(listed: Collection, law: _Law, page: PageModel) -> tuple[Act, ...] | None:
    """Another line's number typed into the first line's field for it; None where there is no such field or number."""
    first, others = listed.items[0], listed.items[1:]
    for column in law.factors:
        text = first.cells[column].text
        values = [item.cells[column].text for item in others if item.cells[column].text not in {text, "0", "1"}]
        for field in page.fields:
            mine = (field.collection, field.item, field.value) == (listed.key, 0, text) and usable(field) and not field.read_only
            if mine and values:
                return Fill(target=Target.of(field, page), value=values[0]), leaving(field, page)
    return None


def _laws(listed: Collection, ground: Ground) -> Iterator[_Law]:
    """What columns were the product of two others in every line that was seen until the first telling observation."""
    seen = [part for page in (*ground.earlier, ground.page) if isinstance(part := page.of(listed.key), Collection) and part.items]
    width = min((len(item.cells) for part in seen for item in part.items), default=0)
    for one, other, column in permutations(range(min(width, MOST_COLUMNS)), 3):
        if one < other and column > one and (law := _law_of(seen, (one, other), column)) is not None:
            yield law


def _law_of(seen: list[Collection], factors: tuple[int, int], column: int) -> _Law | None:
    """The law, where an observation shows it in lines of unlike numbers and none before that one denies it."""
    for part in seen:
        rows = rows_of(part, (*factors, column))
        if not rows or any(not is_product(*row) for row in rows):
            return None
        told = [(one.value or Decimal(0), other.value or Decimal(0)) for one, other, _ in rows]
        if len({pair for pair in told if set(pair).isdisjoint({0, 1})}) >= LEAST:
            first, second = zip(*told, strict=True)
            return _Law(factors, column, ((min(first), max(first)), (min(second), max(second))))
    return None
