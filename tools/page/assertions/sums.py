"""Assertions about amounts that are reckoned from each other: a whole and its parts."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations
from typing import Literal

from babel.numbers import get_decimal_symbol

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, new_sentence, quoted, violated
from tools.page.model import PageModel
from tools.page.parts import Collection, Figure, Quantity
from tools.page.quantities import locale_of

_MOST_OTHERS = 5
"""Parts beside the first of which any may be left out: 32 ways to add up."""


class SumOf(Frozen):
    """A figure is what some figures come to, less some others, within what they are rounded to."""

    kind: Literal["sum of"] = "sum of"
    target: Target
    """The whole."""
    parts: tuple[Target, ...]
    less: tuple[Target, ...] = ()
    """What is taken away, whichever sign it bears."""
    each: bool = False
    """Each of them is known to count; else any but the first may be in it already, as a tax that is included."""
    language: str = "en"
    """How the page writes numbers, for the exported test."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where one shows no number, units differ, or what is missing is what another figure shows."""
        targets = (self.target, *self.parts, *self.less)
        found = [target.find(scene.after) for target in targets]
        shown = [figure.quantity for figure in found if isinstance(figure, Figure) and figure.quantity.value is not None]
        if len(shown) < len(targets):
            return cannot_tell("not all of these figures are on the page with a number")
        if len({(quantity.measure, quantity.unit) for quantity in shown}) > 1:
            return cannot_tell("the units differ")
        whole, *parts = (quantity.value or Decimal(0) for quantity in shown)
        added, taken = parts[: len(self.parts)], [abs(value) for value in parts[len(self.parts) :]]
        comes_to, slack = sum(added, Decimal(0)) - sum(taken, Decimal(0)), _slack(shown)
        seen = f"{self.target.words()} shows {shown[0].text}, the others come to {comes_to.normalize():f}"
        if abs(whole - comes_to) <= slack:
            return held(seen)
        if not self.each and _some_way(whole, added, taken, slack):
            return cannot_tell(f"{seen}; one of them may be in it already")
        keys = {figure.key for figure in found if figure is not None}
        if other := _explains(abs(whole - comes_to), scene.after, keys, slack):
            return cannot_tell(f"{seen}; {other} may count, too")
        return violated(seen)

    def words(self) -> str:
        """One clause."""
        added = " and ".join(target.words() for target in self.parts)
        taken = " and ".join(target.words() for target in self.less)
        return f"{self.target.words()} is what {added} come to" + (f", less {taken}" if taken else "")

    def playwright(self) -> Lines:
        """As lines of a test."""
        sign = quoted(get_decimal_symbol(locale_of(self.language)))
        whole, *others = (f"amount({target.locator()}.inner_text(), {sign})" for target in (self.target, *self.parts, *self.less))
        added = " + ".join(others[: len(self.parts)])
        taken = "".join(f" - abs({other})" for other in others[len(self.parts) :])
        return Lines(after=(f"assert adds_up({whole}, {added}{taken})",), helpers=("amount", "adds_up"))


class ProductOf(Frozen):
    """In every item one column is the product of two others, within what they are rounded to."""

    kind: Literal["product of"] = "product of"
    target: Target
    column: int
    factors: tuple[int, int]
    language: str = "en"
    """How the page writes numbers, for the exported test."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where an item shows no number in one of them, or the page says something anew: it may refuse a number."""
        listed = self.target.find(scene.after)
        rows = rows_of(listed, (*self.factors, self.column)) if isinstance(listed, Collection) else []
        if not rows:
            return cannot_tell(f"not every item of {self.target.words()} shows these numbers")
        wrong = next((row for row in rows if not is_product(*row)), None)
        if wrong is None:
            return held(f"it is in each of the {len(rows)} items")
        if answer := new_sentence(scene):
            return cannot_tell(f'it may be refused: the page says "{answer[:120]}"')
        one, other, shown = wrong
        return violated(f"{one.text} × {other.text} is {product_of(one, other)}, and the item shows {shown.text}")

    def words(self) -> str:
        """One clause."""
        one, other = self.factors
        return f"in each item of {self.target.words()} column {self.column + 1} is column {one + 1} × column {other + 1}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        sign, items = quoted(get_decimal_symbol(locale_of(self.language))), self.target.items()
        columns = ", ".join(str(column) for column in (*self.factors, self.column))
        return Lines(after=(f"assert multiplied({items}, {columns}, {sign})",), helpers=("amount", "cells_of", "multiplied"))


def rows_of(listed: Collection, columns: tuple[int, ...]) -> list[tuple[Quantity, ...]]:
    """The numbers of these columns, item by item; none where one of them lacks one."""
    rows: list[tuple[Quantity, ...]] = []
    for item in listed.items:
        found = [item.cells[column].quantity for column in columns if column < len(item.cells)]
        row = tuple(quantity for quantity in found if quantity is not None and quantity.value is not None)
        if len(row) < len(columns):
            return []
        rows.append(row)
    return rows


def is_product(one: Quantity, other: Quantity, shown: Quantity) -> bool:
    """Whether a number is that of two others, each of which may be rounded to the digits that it shows."""
    a, b, c = (quantity.value or Decimal(0) for quantity in (one, other, shown))
    slack = _half(shown) + abs(a) * (_half(other) if other.decimals else 0) + abs(b) * (_half(one) if one.decimals else 0)
    return abs(a * b - c) <= slack


def _half(quantity: Quantity) -> Decimal:
    return Decimal(1) / 2 / 10**quantity.decimals


def product_of(one: Quantity, other: Quantity) -> str:
    """What two numbers come to."""
    return f"{((one.value or Decimal(0)) * (other.value or Decimal(0))).normalize():f}"


def _slack(shown: list[Quantity]) -> Decimal:
    """How far a rounded sum may lie from the sum of rounded numbers: half a last digit each; whole numbers are exact."""
    places = min(quantity.decimals for quantity in shown)
    exact = places == 0 and not any(quantity.decimals for quantity in shown)
    return Decimal(0) if exact else Decimal(len(shown)) / 2 / 10**places


def _some_way(whole: Decimal, added: list[Decimal], taken: list[Decimal], slack: Decimal) -> bool:
    """Whether it adds up with some of the others left out."""
    first, others = added[0], [*added[1:], *(-value for value in taken)][:_MOST_OTHERS]
    return any(
        abs(whole - first - sum(some, Decimal(0))) <= slack for many in range(len(others)) for some in combinations(others, many)
    )


def _explains(missing: Decimal, page: PageModel, keys: set[str], slack: Decimal) -> str:
    """Another figure that shows what is missing: its name, or what it shows."""
    for figure in page.figures:
        value = figure.quantity.value
        if figure.key not in keys and value and abs(abs(value) - missing) <= slack:
            return f'"{figure.name or figure.quantity.text}"'
    return ""
