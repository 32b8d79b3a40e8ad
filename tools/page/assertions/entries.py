"""Assertions about what was entered: where it stands in lists, how often, and whether it is undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.anywhere import plain_words, says
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, judged, quoted, quoted_list, violated
from tools.page.model import PageModel
from tools.page.parts import Collection, Field, Item

_TELLING = 3
"""Letters from which on a text that was typed is told from what a list shows anyway."""
_ROWS = "li, tbody tr, [role=row], [role=listitem], article"


class ListedAtMost(Frozen):
    """In no list do more than `count` items show all of these texts; with `exact` one of an item's cells is the first of them.

    With `like` as many more are allowed as show that other text: where each thing is listed twice, a second one is none too many.
    """

    kind: Literal["listed at most"] = "listed at most"
    texts: tuple[str, ...]
    count: int = 0
    exact: bool = False
    like: str = ""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where as many stood there before the acts already."""
        before = _most(self._shows, scene.before)[0] if scene.before else 0
        most, where = _most(self._shows, scene.after)
        usual = _most(lambda item: self.like.casefold() in item.text.casefold(), scene.after)[0] if self.like else 0
        limit = max(self.count, usual)
        if most > limit and before > limit:
            return cannot_tell(f"{before} items showed it before already")
        if most > limit and scene.before is not None and self._held_by_a_field(scene.before):
            return cannot_tell("a field held it before already: it may be an item that was being edited")
        if most == 0 and self.count > 0 and all(says(scene.after, plain_words(text)) for text in self.texts):
            return cannot_tell("no list shows it, and the page does elsewhere")
        place = f' of "{where.name}"' if where and where.name else ""
        return judged(most <= limit, f"{most} items{place} show " + " · ".join(f'"{text}"' for text in self.texts))

    def _held_by_a_field(self, page: PageModel) -> bool:
        held_by = {field.value.casefold() for field in page.fields if field.value}
        return any(text.casefold() in held_by for text in self.texts)

    def _shows(self, item: Item) -> bool:
        text, wanted = item.text.casefold(), [each_text.casefold() for each_text in self.texts]
        same = not self.exact or any(cell.text.strip().casefold() == wanted[0] for cell in item.cells)
        return same and all(each_text in text for each_text in wanted)

    def words(self) -> str:
        """One clause."""
        what = " and ".join(f'"{text[:60]}"' for text in self.texts)
        limit = "no item" if self.count == 0 else "at most one item" if self.count == 1 else f"at most {self.count} items"
        more = f', or as many as show "{self.like[:60]}"' if self.like else ""
        return f"{limit} of any list {'is' if self.exact else 'shows'} {what}{more}"

    def playwright(self) -> Lines:
        """As lines of a test. It counts the innermost rows that show the texts."""
        call = f"rows_with(page, {quoted_list(self.texts)}, {self.exact})"
        limit = f"max({self.count}, rows_with(page, {quoted_list([self.like])}))" if self.like else f"{self.count}"
        return Lines(after=(f"assert {call} <= {limit}",), helpers=("rows_with",))


def _most(shows: Callable[[Item], bool], page: PageModel) -> tuple[int, Collection | None]:
    """Of how many of its items at most that is true, and of which list's."""
    counts = [(sum(map(shows, collection.items)), collection) for collection in page.collections]
    return max(counts, key=lambda pair: pair[0], default=(0, None))


class NoneAdded(Frozen):
    """No list that was there has gained an item; with `bare` none that shows less than each of its items did before."""

    kind: Literal["none added"] = "none added"
    bare: bool = False

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without a list before and after."""
        if scene.before is None:
            return cannot_tell("the page was not seen before")
        looked = 0
        for old in scene.before.collections:
            new = Target.of(old, scene.before).find(scene.after)
            if not isinstance(new, Collection) or max(old.count - len(old.items), new.count - len(new.items)) > 0:
                continue
            looked += 1
            if new.count > old.count and (found := self._added(old, new)):
                return violated(f'"{old.name}" has gained "{found[0].text[:100]}"')
        return held("no list has gained an item") if looked else cannot_tell("no list was seen before and after")

    def _added(self, old: Collection, new: Collection) -> list[Item]:
        known = Counter(item.text for item in old.items)
        added = []
        for item in new.items:
            if known[item.text]:
                known[item.text] -= 1
            else:
                added.append(item)
        if not self.bare:
            return added
        least = min((_filled(item) for item in old.items), default=0)
        return [item for item in added if _filled(item) < least]

    def words(self) -> str:
        """One clause."""
        return f"no list gains {'a bare' if self.bare else 'an'} item"

    def playwright(self) -> Lines:
        """As lines of a test."""
        rows = f"page.locator({quoted(_ROWS)}).filter(visible=True)"
        return Lines(before=(f"rows = {rows}.count()",), after=(f"expect({rows}).to_have_count(rows)",))


def _filled(item: Item) -> int:
    return sum(1 for cell in item.cells if cell.text.strip())


class Refused(Frozen):
    """A form that was sent is not accepted: it says what is wrong, or still holds what was typed."""

    kind: Literal["refused"] = "refused"
    fields: tuple[Target, ...]
    values: tuple[str, ...]
    """What was typed into each of them."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Violated where the fields are gone or emptied, and nothing is said or a list gained what was typed.

        A form that was taken and emptied may say the like of "Please fill out this field": what it wants for the next entry.
        Cannot tell where its fields hold something else.
        """
        entry = self._listed(scene)
        known = scene.before.errors if scene.before else ()
        said = [error.text for error in scene.after.errors if error not in known]
        said += [dialog for dialog in scene.witness.dialogs or () if dialog.startswith("alert")]
        found = [target.find(scene.after) for target in self.fields]
        emptied = not any(isinstance(field, Field) and field.value for field in found)
        if said and not (entry and emptied):
            return held(f'the page says "{said[0][:120]}"')
        there = [(field, value) for field, value in zip(found, self.values, strict=True) if isinstance(field, Field)]
        if any(field.value == value or (field.invalid and not entry) for field, value in there):
            return held("the form still holds what was typed")
        if any(field.value for field, _ in there):
            return cannot_tell("its fields hold something else")
        if entry:
            return violated(f'it is listed: "{entry[:120]}"')
        return violated(f"{'its fields are emptied' if there else 'the form is gone'}, and nothing is said of an error")

    def _listed(self, scene: Scene) -> str:
        """A new item of a list that shows words which were typed and stood in none before; empty if there is none."""
        if scene.before is None:
            return ""
        old = {item.text.casefold() for collection in scene.before.collections for item in collection.items}
        words = [value.casefold() for value in self.values if sum(map(str.isalpha, value)) >= _TELLING]
        fresh = [value for value in words if not any(value in text for text in old)]
        new = [
            item.text for collection in scene.after.collections for item in collection.items if item.text.casefold() not in old
        ]
        return next((text for text in new if any(value in text.casefold() for value in fresh)), "")

    def words(self) -> str:
        """One clause."""
        said = ", ".join(f'"{value}"' for value in self.values)
        return f"a form with {said} is not accepted"

    def playwright(self) -> Lines:
        """As lines of a test."""
        pairs = ", ".join(f"({field.locator()}, {quoted(value)})" for field, value in zip(self.fields, self.values, strict=True))
        return Lines(after=(f"assert still_held(page, [{pairs}])",), helpers=("still_held", "value_of"))


class Restored(Frozen):
    """The list reads again as it did at first: just these items, in this order."""

    kind: Literal["restored"] = "restored"
    target: Target
    items: tuple[str, ...]
    """Their texts, as `Item.text` says them."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the acts did nothing to the list: they may be about something else."""
        new = self.target.find(scene.after)
        old = self.target.find(scene.before) if scene.before else None
        if not isinstance(new, Collection) or not isinstance(old, Collection) or new.count > len(new.items):
            return cannot_tell(f"{self.target.words()} was not seen whole before and after")
        before, after = (tuple(item.text for item in collection.items) for collection in (old, new))
        if before == after:
            return cannot_tell(f"the acts did nothing to {self.target.words()}")
        if after == self.items:
            return held(f"{self.target.words()} reads as at first")
        return violated(f"{self.target.words()} reads {' · '.join(after)[:120]}, at first {' · '.join(self.items)[:120]}")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is as it was at first"

    def playwright(self) -> Lines:
        """As lines of a test."""
        wanted = quoted_list(self.items)
        return Lines(
            after=(f"assert same_words(item_texts({self.target.items()}), {wanted})",), helpers=("item_texts", "same_words")
        )
