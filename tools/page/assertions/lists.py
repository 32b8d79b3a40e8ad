"""Assertions about collections: what stands in them, how many, in what order, what they add up to."""

from __future__ import annotations

import unicodedata
from collections import Counter
from decimal import Decimal
from typing import Literal

from babel.numbers import get_decimal_symbol

from tools.evidence.frozen import Frozen
from tools.page.assertions.amounts import moved_alike
from tools.page.assertions.base import (
    Lines,
    Outcome,
    Scene,
    Target,
    cannot_tell,
    held,
    judged,
    new_sentence,
    quoted,
    violated,
)
from tools.page.model import PageModel
from tools.page.parts import Collection, Figure, Quantity
from tools.page.quantities import in_order, locale_of


def list_of(target: Target, page: PageModel | None) -> Collection | None:
    """The collection that is meant, where it is on that page."""
    found = target.find(page) if page else None
    return found if isinstance(found, Collection) else None


def both_lists(target: Target, scene: Scene) -> tuple[Collection, Collection] | Outcome:
    """It before and after the acts; an outcome where they cannot be compared."""
    old, new = list_of(target, scene.before), list_of(target, scene.after)
    if old is None:
        return cannot_tell(f"{target.words()} was not seen before")
    if new is None:
        return cannot_tell(f"{target.words()} is not on the page any more")
    if max(old.count, new.count) > max(len(old.items), len(new.items)):
        return cannot_tell(f"{target.words()} is too long to be compared")
    return old, new


def item_texts(collection: Collection) -> list[str]:
    """The words of each item read."""
    return [item.text for item in collection.items]


class Contains(Frozen):
    """One item shows all of these texts (or, `yes=False`, none does). What stands in two cells side by side is one text, too."""

    kind: Literal["contains"] = "contains"
    target: Target
    texts: tuple[str, ...]
    yes: bool = True
    refusable: bool = False
    """What is to move here or away may stay where it was, and the page say why."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the list is cut, or where it may be refused: the texts stand on the page, and new words do."""
        new = list_of(self.target, scene.after)
        if new is None:
            return cannot_tell(f"{self.target.words()} is not on the page")
        found = self._in(new)
        if found is None and new.count > len(new.items):
            return cannot_tell(f"only {len(new.items)} of {new.count} items were read")
        if found is not None and self.yes:
            return held(f'{self.target.words()} has "{found[:120]}"')
        if self.refusable and all(_stands(text, scene.after) for text in self.texts) and (answer := new_sentence(scene)):
            return cannot_tell(f'it may be refused: the page says "{answer[:120]}"')
        seen = (
            f'{self.target.words()} has "{found[:120]}"'
            if found
            else f"none of {new.count} items of {self.target.words()} has it"
        )
        return judged((found is not None) == self.yes, seen)

    def _in(self, collection: Collection) -> str | None:
        wanted = [text.casefold() for text in self.texts]
        shown = ((text, f"{text}\n{text.replace(' | ', ' ')}".casefold()) for text in item_texts(collection))
        return next((text for text, either in shown if all(each_text in either for each_text in wanted)), None)

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} {'contains' if self.yes else 'does not contain'} " + " · ".join(
            f'"{text}"' for text in self.texts
        )

    def playwright(self) -> Lines:
        """As lines of a test."""
        items = self.target.items() + "".join(f".filter(has_text={quoted(text)})" for text in self.texts)
        check = f"expect({items}).not_to_have_count(0)" if self.yes else f"expect({items}).to_have_count(0)"
        return Lines(after=(check,))


def _stands(text: str, page: PageModel) -> bool:
    """Whether the page shows it anywhere, in items that are buttons, too."""
    return text in page.text or any(text in item for collection in page.collections for item in item_texts(collection))


class CountIs(Frozen):
    """The collection shows so many items (or, `yes=False`, some other number)."""

    kind: Literal["count"] = "count"
    target: Target
    count: int
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """A collection that is not there has none."""
        new = list_of(self.target, scene.after)
        if new is None and self.count:
            return cannot_tell(f"{self.target.words()} is not on the page")
        count = new.count if new else 0
        return judged((count == self.count) == self.yes, f"{self.target.words()} has {count}")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} has {'' if self.yes else 'not '}{self.count} items"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"expect({self.target.items()}).{'to' if self.yes else 'not_to'}_have_count({self.count})",))


class CountBy(Frozen):
    """The collection has so many more items than before; fewer where negative."""

    kind: Literal["count by"] = "count by"
    target: Target
    by: int

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without what was before."""
        old, new = list_of(self.target, scene.before), list_of(self.target, scene.after)
        if scene.before is None or (old is None and new is None):
            return cannot_tell(f"{self.target.words()} was not seen before and after")
        before, after = (old.count if old else 0), (new.count if new else 0)
        return judged(after - before == self.by, f"{self.target.words()} went from {before} to {after}")

    def words(self) -> str:
        """One clause."""
        if self.by == 0:
            return f"{self.target.words()} keeps its number of items"
        return f"{self.target.words()} {'grows' if self.by > 0 else 'shrinks'} by {abs(self.by)}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        items = self.target.items()
        change = f" {'+' if self.by > 0 else '-'} {abs(self.by)}" if self.by else ""
        return Lines(before=(f"count = {items}.count()",), after=(f"expect({items}).to_have_count(count{change})",))


class TotalOf(Frozen):
    """A figure is the sum of a column (or, `mean`, its average), within what both are rounded to."""

    kind: Literal["total of"] = "total of"
    target: Target
    column: int
    figure: Target
    language: str = "en"
    """How the page writes numbers, for the exported test."""
    mean: bool = False

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where a cell is no number, units differ, or the list is paged or empty."""
        new, figure = list_of(self.target, scene.after), self.figure.find(scene.after)
        if new is None or not isinstance(figure, Figure):
            return cannot_tell(f"{self.target.words()} or {self.figure.words()} is not on the page")
        if new.count > len(new.items) or new.pages:
            return cannot_tell("not all items are shown")
        cells, both = self._cells(new), self._both(scene.after)
        if cells is None or both is None or (self.mean and not cells):
            return cannot_tell("not every cell is a number")
        if len({cell.unit for cell in cells} | {figure.quantity.unit}) > 1:
            return cannot_tell("the units differ")
        (shown, total), slack = both, _rounding([figure.quantity, *cells])
        if self.mean:
            mean, half = total / len(cells), Decimal(1) / 2 / 10**figure.quantity.decimals
            seen = f"{self.figure.words()} says {figure.quantity.text}, the average of {len(cells)} is {mean:.4g}"
            return judged(abs(mean - shown) <= half + slack / len(cells), seen)
        seen = f"{self.figure.words()} says {figure.quantity.text}, the column adds up to {total}"
        holds = abs(total - shown) <= slack
        if not holds and moved_alike(self._both(scene.before), both):
            return cannot_tell(f"{seen}, and both changed by the same: it may be of more than is shown")
        return judged(holds, seen)

    def _cells(self, listed: Collection) -> list[Quantity] | None:
        """The column's quantities; None where a cell is no number."""
        cells = [item.cells[self.column].quantity if self.column < len(item.cells) else None for item in listed.items]
        found = [cell for cell in cells if cell is not None and cell.value is not None]
        return found if len(found) == len(cells) else None

    def _both(self, page: PageModel | None) -> tuple[Decimal, Decimal] | None:
        """What the figure said and what the column came to; None where that can't be told."""
        listed, figure = (list_of(self.target, page), self.figure.find(page)) if page else (None, None)
        cells = self._cells(listed) if listed is not None else None
        if cells is None or not isinstance(figure, Figure) or figure.quantity.value is None:
            return None
        return figure.quantity.value, sum((cell.value for cell in cells if cell.value is not None), Decimal(0))

    def words(self) -> str:
        """One clause."""
        what = "average" if self.mean else "total"
        return f"{self.figure.words()} is the {what} of column {self.column + 1} of {self.target.words()}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        sign = quoted(get_decimal_symbol(locale_of(self.language)))
        total = f"column_total({self.target.items()}, {self.column}, {sign})"
        if self.mean:
            shown, many = f"amount({self.figure.locator()}.inner_text(), {sign})", f"{self.target.items()}.count()"
            return Lines(
                after=(f"assert near({shown}, {total} / {many}, Decimal(0))",), helpers=("amount", "column_total", "near")
            )
        return Lines(
            after=(f"assert amount({self.figure.locator()}.inner_text(), {sign}) == {total}",), helpers=("amount", "column_total")
        )


def _rounding(quantities: list[Quantity]) -> Decimal:
    """How far a sum of rounded numbers may lie from the rounded sum: half a last digit each, if their digits differ."""
    places = min(quantity.decimals for quantity in quantities)
    mixed = len({quantity.decimals for quantity in quantities}) > 1
    return Decimal(len(quantities)) / 2 / 10**places if mixed else Decimal(0)


def says_none(old: Collection, new: Collection) -> bool:
    """Whether all that is listed is one new item of a few words, where each item had several: "No quote matches."."""
    only = new.items[0] if new.count == len(new.items) == 1 else None
    if only is None or len(only.cells) != 1 or only.text in item_texts(old):
        return False
    return bool(old.items) and all(len(item.cells) > 1 for item in old.items)


class Ordered(Frozen):
    """The items go up (or down) by a column: numbers and dates by value, else texts by their letters."""

    kind: Literal["order"] = "order"
    target: Target
    column: int
    descending: bool | None = False
    """None: up or down, whichever."""
    turned: bool = False
    """They went the other way before."""
    language: str = "en"

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell for fewer than two items, for a column of mixed kinds, or one whose values are all the same."""
        new = list_of(self.target, scene.after)
        if new is None or len(new.items) < 2:
            return cannot_tell(f"{self.target.words()} has no two items")
        ways = _ways(new, self.column)
        if isinstance(ways, str):
            return cannot_tell(ways)
        shown = " · ".join(item.cells[self.column].text for item in new.items[:8])
        seen = f"{self.target.words()} reads {shown}"[:240]
        if self.turned:
            old = list_of(self.target, scene.before)
            earlier = _ways(old, self.column) if old else "it was not seen before"
            if isinstance(earlier, str) or len(earlier) != 1 or len(ways) == 2:
                return cannot_tell("it was in no order before that could be turned")
            return judged(bool(ways) and ways != earlier, seen)
        return judged(bool(ways) if self.descending is None else self.descending in ways, seen)

    def words(self) -> str:
        """One clause."""
        way = {True: "falls", False: "rises", None: "rises or falls"}[self.descending]
        if self.turned:
            way = "goes the other way"
        return f"{self.target.words()} {way} by column {self.column + 1}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        sign = quoted(get_decimal_symbol(locale_of(self.language)))
        keys = f"column_keys({self.target.items()}, {self.column}, {sign})"
        helpers = ("amount", "column_keys")
        if self.turned:
            turn = f"assert keys != {keys} and {keys} in (sorted(keys), sorted(keys, reverse=True))"
            return Lines(before=(f"keys = {keys}",), after=(turn,), helpers=helpers)
        if self.descending is None:
            return Lines(after=(f"assert (keys := {keys}) in (sorted(keys), sorted(keys, reverse=True))",), helpers=helpers)
        return Lines(after=(f"assert (keys := {keys}) == sorted(keys, reverse={self.descending})",), helpers=helpers)


def _ways(collection: Collection, column: int) -> set[bool] | str:
    """Which ways the items are in order by a column: falling (True), rising (False), both if all are the same; or why none is."""
    cells = [item.cells[column] if column < len(item.cells) else None for item in collection.items]
    shown = [cell.text for cell in cells if cell is not None]
    if len(shown) < len(cells):
        return "not every item has that column"
    quantities = [cell.quantity for cell in cells if cell is not None and cell.quantity is not None]
    if quantities and len(quantities) < len(shown):
        return "the column holds values and words"
    if quantities:
        told = {way: in_order(quantities, descending=way) for way in (True, False)}
        return "the values cannot be compared" if None in told.values() else {way for way, right in told.items() if right}
    if any(ord(sign) > 0x2E80 for text in shown for sign in text):
        return "which order its script has is not known"
    keys = [[each_text.casefold() for each_text in shown], [_letters(each_text) for each_text in shown]]
    return {way for way in (True, False) for key in keys if key == sorted(key, reverse=way)}


def _letters(text: str) -> str:
    """A text as a dictionary sorts it: without accents and signs."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text).casefold() if sign.isalnum())


class Subset(Frozen):
    """Every item was there before; with `fits`, every item shows that text and none that shows it is missing."""

    kind: Literal["subset"] = "subset"
    target: Target
    fits: str = ""
    in_pages: bool = False
    """Only a page of the list is shown: others may come that fit, and go."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without what was before."""
        both = both_lists(self.target, scene)
        if isinstance(both, Outcome):
            if (
                scene.before
                and list_of(self.target, scene.before)
                and list_of(self.target, scene.after) is None
                and not self.fits
            ):
                return held("nothing is listed any more")
            return both
        before, after = Counter(item_texts(both[0])), Counter(item_texts(both[1]))
        if says_none(both[0], both[1]):
            after = Counter[str]()
        if (new := after - before) and not self.in_pages:
            return violated(f'"{next(iter(new))[:100]}" was not there before')
        if self.fits:
            fit = self.fits.casefold()
            if wrong := [text for text in after if fit not in text.casefold()]:
                return violated(f'"{wrong[0][:100]}" does not show "{self.fits}"')
            if self.in_pages:
                return held(f'each of the {sum(after.values())} items shows "{self.fits}"')
            if missing := [text for text in before - after if fit in text.casefold()]:
                return violated(f'"{missing[0][:100]}" shows "{self.fits}" and is missing')
        return held(f"{sum(after.values())} of {sum(before.values())} items are left")

    def words(self) -> str:
        """One clause."""
        rest = f', just those that show "{self.fits}"' if self.fits else ""
        if self.in_pages:
            return f'{self.target.words()} lists only what shows "{self.fits}"'
        return f"{self.target.words()} lists some of what it did before{rest}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        items = self.target.items()
        if self.in_pages:
            return Lines(
                after=(f"assert fitting(item_texts({items}), {quoted(self.fits)}) == item_texts({items})",),
                helpers=("item_texts", "fitting"),
            )
        if not self.fits:
            after = f"assert set(item_texts({items})) <= set(before)"
        else:
            after = f"assert item_texts({items}) == fitting(before, {quoted(self.fits)})"
        return Lines(before=(f"before = item_texts({items})",), after=(after,), helpers=("item_texts", "fitting"))


class SameItems(Frozen):
    """The same items as before, in whatever order."""

    kind: Literal["same items"] = "same items"
    target: Target

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without what was before."""
        both = both_lists(self.target, scene)
        if isinstance(both, Outcome):
            return both
        before, after = Counter(item_texts(both[0])), Counter(item_texts(both[1]))
        lost, new = before - after, after - before
        seen = f"gone: {', '.join(lost) or 'nothing'}; new: {', '.join(new) or 'nothing'}"
        return judged(before == after, seen[:240])

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} lists the same items"

    def playwright(self) -> Lines:
        """As lines of a test."""
        items = self.target.items()
        before, after = f"before = item_texts({items})", f"assert sorted(item_texts({items})) == sorted(before)"
        return Lines(before=(before,), after=(after,), helpers=("item_texts",))
