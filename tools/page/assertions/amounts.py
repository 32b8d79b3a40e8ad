"""Assertions about amounts: what they come to, what they count, and that they are amounts at all."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from babel.numbers import get_decimal_symbol

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, judged, quoted, violated
from tools.page.model import PageModel
from tools.page.parts import Collection, Field, Figure, Part, Quantity, Surface, Text
from tools.page.quantities import find_quantity, locale_of, number_of, quantity_of

_LEAKS = re.compile(r"(?<![\w.-])(NaN|undefined|\[object [A-Z]\w*\]|Invalid Date|-?Infinity)(?![\w-])|^(null)$")
"""What JavaScript writes for a value that is none (ECMA-262, ToString)."""
_EXCEPTION = re.compile(r"\b(?:Type|Reference|Syntax|Range|URI|Eval|Aggregate)Error\b")
_PROSE = 80
"""Characters of a text that may talk about such words."""


def amount_of(part: Part | None, language: str) -> Quantity | None:
    """The amount that a figure, a field or a text shows; None where it shows none, or several."""
    if isinstance(part, Figure):
        return part.quantity
    if isinstance(part, Field):
        return quantity_of(part.value, language)
    if isinstance(part, Text) and (found := find_quantity(part.text, language)):
        return found[0]
    return None


class AmountIs(Frozen):
    """A figure or field shows that number, within `slack` and what it is rounded to."""

    kind: Literal["amount is"] = "amount is"
    target: Target
    value: Decimal
    slack: Decimal = Decimal(0)
    language: str = "en"
    """How the page writes numbers, for the exported test."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it shows no number."""
        shown = amount_of(self.target.find(scene.after), scene.after.language)
        if shown is None or shown.value is None:
            return cannot_tell(f"{self.target.words()} shows no number")
        rounding = Decimal(1) / 2 / 10**shown.decimals if shown.decimals or self.value % 1 else Decimal(0)
        return judged(abs(shown.value - self.value) <= self.slack + rounding, f"{self.target.words()} shows {shown.text}")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} shows {self.value.normalize():f}" + (
            f" (± {self.slack.normalize():f})" if self.slack else ""
        )

    def playwright(self) -> Lines:
        """As lines of a test."""
        sign = quoted(get_decimal_symbol(locale_of(self.language)))
        shown = f"amount(value_of({self.target.locator()}), {sign})"
        places = f'Decimal("{self.value.normalize():f}"), Decimal("{self.slack.normalize():f}")'
        return Lines(after=(f"assert near({shown}, {places})",), helpers=("amount", "value_of", "near"))


class CountOf(Frozen):
    """A figure is the number of a list's items, or of those of its boxes that are on, or off."""

    kind: Literal["count of"] = "count of"
    target: Target
    figure: Target
    of: Literal["all", "on", "off"] = "all"

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where list or figure is not there, or the list is cut or paged."""
        listed, figure = self.target.find(scene.after), self.figure.find(scene.after)
        if not isinstance(listed, Collection) or not isinstance(figure, Figure) or figure.quantity.value is None:
            return cannot_tell(f"{self.target.words()} or {self.figure.words()} is not on the page")
        count = counted(listed, scene.after, self.of)
        if count is None:
            return cannot_tell("not all items are shown")
        seen = f"{self.figure.words()} says {figure.quantity.text}, {count} {_OF[self.of]}"
        if figure.quantity.value != count and moved_alike(self._both(scene.before), (figure.quantity.value, Decimal(count))):
            return cannot_tell(f"{seen}, and both changed by the same: it may count more than is shown")
        return judged(figure.quantity.value == count, seen)

    def _both(self, page: PageModel | None) -> tuple[Decimal, Decimal] | None:
        """What the figure said and how many there were; None where that can't be told."""
        listed, figure = (target.find(page) if page else None for target in (self.target, self.figure))
        if page is None or not isinstance(listed, Collection) or not isinstance(figure, Figure):
            return None
        count = counted(listed, page, self.of)
        return None if count is None or figure.quantity.value is None else (figure.quantity.value, Decimal(count))

    def words(self) -> str:
        """One clause."""
        return f"{self.figure.words()} is the number of {_COUNTED[self.of]} {self.target.words()}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        inner = {
            "all": "",
            "on": '.locator("input:checked, [aria-checked=true], [aria-pressed=true]")',
            "off": '.locator("input[type=checkbox]:not(:checked), [aria-checked=false], [aria-pressed=false]")',
        }[self.of]
        return Lines(
            after=(f"assert amount({self.figure.locator()}.inner_text()) == {self.target.items()}{inner}.count()",),
            helpers=("amount",),
        )


_OF = {"all": "are listed", "on": "are on", "off": "are off"}
_COUNTED = {"all": "items of", "on": "boxes on in", "off": "boxes off in"}


def moved_alike(before: tuple[Decimal, Decimal] | None, after: tuple[Decimal, Decimal]) -> bool:
    """Whether a figure and what a list comes to were apart already, and changed by the same: the list shows a part of it."""
    return before is not None and before[0] - after[0] == before[1] - after[1] != 0


def counted(listed: Collection, page: PageModel, of: str) -> int | None:
    """How many items of a list there are, or boxes in them that are on or off; None where it is cut, paged, or has no boxes."""
    if listed.count > len(listed.items) or listed.pages:
        return None
    if of == "all":
        return listed.count
    own = [toggle for toggle in page.toggles if toggle.collection == listed.key and toggle.on is not None]
    if len({toggle.item for toggle in own}) != listed.count or len(own) != listed.count:
        return None
    return sum(toggle.on is (of == "on") for toggle in own)


class Sensible(Frozen):
    """No program's word for a value that is none is shown: `NaN`, `undefined`, `[object Object]`, `Invalid Date`."""

    kind: Literal["sensible"] = "sensible"
    new: bool = True
    """Only what was not shown before the acts."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell on a page that shows several of them, or speaks of them: it may be about programs."""
        found = leaks(scene.after)
        known = leaks(scene.before) if self.new and scene.before else {}
        fresh = {text: word for text, word in found.items() if text not in known}
        if not fresh:
            return held("no such value is shown")
        about = {word for text, word in known.items()} if self.new else set(found.values())
        spoken = {
            name for page in (scene.before, scene.after) if page for text in page.texts for name in _EXCEPTION.findall(text.text)
        }
        if len(spoken) > 1:
            return cannot_tell(f"the page speaks of errors of programs: {', '.join(sorted(spoken))}")
        if len(about) > 1 or any(len(text.text) > _PROSE and _LEAKS.search(text.text) for text in scene.after.texts):
            return cannot_tell(f"the page speaks of {', '.join(sorted(about)) or 'such values'}")
        return violated(f'it shows "{next(iter(fresh))[:100]}"')

    def words(self) -> str:
        """One clause."""
        return f"no NaN, undefined, [object …] or Invalid Date is {'to be seen afterwards' if self.new else 'shown'}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        call = "leaked(page)"
        if not self.new:
            return Lines(after=(f"assert {call} == set()",), helpers=("leaked",))
        return Lines(before=(f"known = {call}",), after=(f"assert {call} <= known",), helpers=("leaked",))


def leaks(page: PageModel) -> dict[str, str]:
    """Short texts, names and values that show such a word → the word."""
    shown = [text.text for text in page.texts]
    shown += [part.name for part in (*page.buttons, *page.toggles, *page.links)] + [field.value for field in page.fields]
    shown += [cell.text for collection in page.collections for item in collection.items for cell in item.cells]
    found = {text: _LEAKS.search(text) for text in shown if len(text) <= _PROSE}
    return {text: match[0] for text, match in found.items() if match}


class MakesSense(Frozen):
    """A figure, list or drawing shows something, and no program's word for a value that is none."""

    kind: Literal["makes sense"] = "makes sense"
    target: Target

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it is not there, shows nothing (yet), or the page may be about such words, or about no limits."""
        part, told = self.target.find(scene.after), self.target.words()
        if part is None:
            return cannot_tell(f"{told} is not on the page")
        texts = [text for text in _texts_of(part) if text.strip()]
        wrong = next((text for text in texts if len(text) <= _PROSE and _LEAKS.search(text.strip())), "")
        if wrong and (len(set(leaks(scene.after).values())) > 1 or wrong.strip().strip("-") in {"null", "Infinity"}):
            return cannot_tell(f'{told} shows "{wrong[:100]}", which may be meant')
        if wrong:
            return violated(f'{told} shows "{wrong[:100]}"')
        drawn = isinstance(part, Surface) and part.blank is False
        if not texts and not drawn:
            return cannot_tell(f"{told} shows nothing")
        return held(f'{told} shows "{" | ".join(texts)[:100]}"' if texts else f"something is drawn in {told}")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} shows something that makes sense"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"assert leaked(page, {self.target.locator()}) == set()",), helpers=("leaked",))


def _texts_of(part: Part) -> list[str]:
    match part:
        case Figure():
            return [part.quantity.text]
        case Collection():
            return [cell.text for item in part.items for cell in item.cells]
        case Surface():
            return list(part.texts)
        case Text():
            return [part.text]
        case Field():
            return [part.value]
        case _:
            return []


class ShowsAmount(Frozen):
    """Some figure, text or field shows that number (or, `yes=False`, none does)."""

    kind: Literal["shows amount"] = "shows amount"
    value: Decimal
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it stood there before the acts already."""
        if self.yes and scene.before is not None and self._on(scene.before):
            return cannot_tell(f"{self.value} was shown before already")
        found = self._on(scene.after)
        return judged(bool(found) == self.yes, f'it shows "{found[:60]}"' if found else f"{self.value} is not shown")

    def _on(self, page: PageModel) -> str:
        for part in (*page.figures, *page.fields, *page.texts):
            amount, shown = amount_of(part, page.language), part.value if isinstance(part, Field) else part.name
            if amount is not None and amount.value == self.value:
                return amount.text
            shown = part.text if isinstance(part, Text) else shown
            # "47 + 36 = 83": a result may stand beside what it is of.
            if any(number_of(word, page.language) == self.value for word in re.findall(r"[\d.,]*\d", shown)):
                return shown
        return ""

    def words(self) -> str:
        """One clause."""
        return f"{self.value} {'is' if self.yes else 'is not'} shown"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(
            after=(f'assert shows_amount(page, Decimal("{self.value}")) is {self.yes}',), helpers=("amount", "shows_amount")
        )
