"""Assertions about the items of a list one by one: which are listed, which one changed, which are new."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import (
    Lines,
    Outcome,
    Scene,
    Target,
    buttons_of_items,
    cannot_tell,
    held,
    judged,
    new_sentence,
    quoted,
    violated,
)
from tools.page.assertions.lists import both_lists, item_texts, list_of, says_none
from tools.page.model import PageModel
from tools.page.parts import Collection

_NAME = 2
"""Letters that a name has at least to be known in other words."""


def the_item(words: str, items: list[str]) -> str:
    """The item of those words; of what a person wrote the only one that has them."""
    having = [item for item in items if words.casefold() in item.casefold()]
    return having[0] if words not in items and words and len(having) == 1 else words


class Loses(Frozen):
    """Just that item is gone: the others stand in their order, behind them at most what moved up from the next page."""

    kind: Literal["loses"] = "loses"
    target: Target
    item: str
    """Its text, as `Item.text` says it."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it was not there, or where nothing is gone and the page newly says something: it may be refused."""
        both = both_lists(self.target, scene)
        if isinstance(both, Outcome):
            return both
        before, after = item_texts(both[0]), item_texts(both[1])
        item = the_item(self.item, before)
        if item not in before:
            return cannot_tell(f'"{self.item[:80]}" was not in {self.target.words()}')
        index = before.index(item)
        others = before[:index] + before[index + 1 :]
        if after == others or (before.count(item) > 1 and sorted([*after, item]) == sorted(before)):
            return held(f'"{item[:80]}" is gone, the other {len(after)} stand as before')
        if others and after[: len(others)] == others and item not in after:
            return held(
                f'"{item[:80]}" is gone, the others stand as before; from the next page {len(after) - len(others)} moved up'
            )
        lost, new = Counter(before) - Counter(after), Counter(after) - Counter(before)
        seen = f"gone: {', '.join(lost) or 'nothing'}; new: {', '.join(new) or 'nothing'}"
        if list(lost.elements()) == [item] and any(words.startswith(f"{item} | ") for words in new):
            return cannot_tell(f"it still stands there, with more words: {', '.join(new)}"[:240])
        if not (lost or new) and buttons_of_items(scene.before, both[0]) != buttons_of_items(scene.after, both[1]):
            return cannot_tell("it still stands there, and its buttons are called otherwise: it may be a switch")
        if not (lost or new) and (answer := new_sentence(scene)):
            return cannot_tell(f'it may be refused: the page says "{answer[:120]}"')
        return violated(seen[:240] if lost or new else "the items stand as before")

    def words(self) -> str:
        """One clause."""
        return f'{self.target.words()} loses "{self.item[:60]}" and nothing else'

    def playwright(self) -> Lines:
        """As lines of a test."""
        items, words = self.target.items(), quoted(self.item)
        return Lines(
            before=(f"before = item_texts({items})",),
            after=(
                f"after = item_texts({items})",
                f"assert after[: len(before) - 1] == without(before, {words})",
                f"assert after.count({words}) < before.count({words})",
            ),
            helpers=("item_texts", "without"),
        )  # fmt: skip


class Lists(Frozen):
    """It lists just these items, in whatever order."""

    kind: Literal["lists"] = "lists"
    target: Target
    items: tuple[str, ...]
    """Their texts, as `Item.text` says them."""

    def evaluate(self, scene: Scene) -> Outcome:
        """A collection that is not there lists nothing. Cannot tell where it is cut."""
        new = list_of(self.target, scene.after)
        if new is None and self.items:
            return cannot_tell(f"{self.target.words()} is not on the page")
        if new is not None and new.count > len(new.items):
            return cannot_tell(f"{self.target.words()} is too long to be compared")
        old = list_of(self.target, scene.before)
        none = new is None or (old is not None and says_none(old, new))
        shown, wanted = Counter(item_texts(new) if new and not none else ()), Counter(self.items)
        if missing := wanted - shown:
            return violated(f'"{next(iter(missing))[:100]}" is missing')
        if more := shown - wanted:
            return violated(f'"{next(iter(more))[:100]}" is listed, too')
        return held(f"just the {len(self.items)} items are listed")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} lists just " + (" · ".join(f'"{item[:30]}"' for item in self.items[:6]) or "nothing")

    def playwright(self) -> Lines:
        """As lines of a test."""
        wanted = ", ".join(map(quoted, self.items))
        check = f"assert sorted(map(plain, item_texts({self.target.items()}))) == sorted(map(plain, [{wanted}]))"
        return Lines(after=(check,), helpers=("item_texts", "plain"))


class Replaces(Frozen):
    """One item shows new words in place of its old ones; the others stand as they did, but for where they name it."""

    kind: Literal["replaces"] = "replaces"
    target: Target
    item: str
    """Its text before."""
    texts: tuple[str, ...]
    """What it shows afterwards."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it was not there."""
        both = both_lists(self.target, scene)
        if isinstance(both, Outcome):
            return both
        before, after = item_texts(both[0]), item_texts(both[1])
        item = the_item(self.item, before)
        if item not in before:
            return cannot_tell(f'"{self.item[:80]}" was not in {self.target.words()}')
        fits = [at for at, text in enumerate(after) if all(each_text.casefold() in text.casefold() for each_text in self.texts)]
        if not fits:
            return violated(f'no item shows "{", ".join(self.texts)[:100]}"')
        before.remove(item)
        rest = [text for at, text in enumerate(after) if at != fits[0]]
        before = [_renamed(text, item, after[fits[0]], self.texts, rest) for text in before]
        lost, new = Counter(before) - Counter(rest), Counter(rest) - Counter(before)
        if lost or new:
            return violated(f"of the others, gone: {', '.join(lost) or 'nothing'}; new: {', '.join(new) or 'nothing'}"[:240])
        return judged(before == rest, f"the other {len(rest)} stand {'as before' if before == rest else 'in another order'}")

    def words(self) -> str:
        """One clause."""
        shows = ", ".join(f'"{text[:40]}"' for text in self.texts)
        return f'in {self.target.words()} just "{self.item[:40]}" changes, to {shows}'

    def playwright(self) -> Lines:
        """As lines of a test."""
        items, words = self.target.items(), f"[{', '.join(map(quoted, self.texts))}]"
        return Lines(
            before=(f"before = item_texts({items})",),
            after=(f"assert replaced(before, item_texts({items}), {quoted(self.item)}, {words})",),
            helpers=("item_texts", "plain", "replaced"),
        )


def _renamed(text: str, old: str, new: str, words: tuple[str, ...], rest: list[str]) -> str:
    """An item's words with the new name of another item where it names that: "after: Buy milk" → "after: Buy oats"."""
    if text in rest:
        return text
    now = new.split(" | ")
    for cell in (
        each_word for each_word in old.split(" | ") if len(each_word) > _NAME and each_word not in now and each_word in text
    ):
        for word in words:
            if (told := text.replace(cell, word)) in rest:
                return told
    return text


def _titles(texts: list[str]) -> list[str]:
    return [text.partition(" | ")[0] for text in texts]


class OnlyItem(Frozen):
    """What changes in the list is that item, not another one in its stead, nor all of them alike."""

    kind: Literal["only item"] = "only item"
    target: Target
    item: str
    """Its text before."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where several changed, for ranks, shares and exclusive marks do so rightly, or where nothing did."""
        both = both_lists(self.target, scene)
        if isinstance(both, Outcome):
            return both
        before, after = item_texts(both[0]), item_texts(both[1])
        if before.count(self.item) != 1:
            return cannot_tell(f'{self.target.words()} has not just one "{self.item[:80]}"')
        order = _order(before, after)
        if both[0].count == both[1].count and order and (told := self._toggles(scene, before.index(self.item), both, order)):
            return told
        lost = list((Counter(before) - Counter(after)).elements())
        if self.item in lost:
            return held("it changed") if len(lost) == 1 else cannot_tell("others changed with it")
        if not lost:
            told = self._offers(scene, before.index(self.item), both, order) if len(before) == len(after) else None
            return told or cannot_tell("nothing changed")
        return violated(f'"{lost[0][:100]}" changed in its stead') if len(lost) == 1 else cannot_tell("several others changed")

    def _offers(self, scene: Scene, at: int, both: tuple[Collection, Collection], order: dict[int, int]) -> Outcome | None:
        """By what the items' buttons are called: "Close" becomes "Reopen" where the words stay as they are."""
        old, new = buttons_of_items(scene.before, both[0]), buttons_of_items(scene.after, both[1])
        changed = [order[item] for item in order if new.get(item) != old.get(order[item])]
        if changed == [at]:
            return held("what its buttons are called changed")
        if len(changed) == 1:
            return violated(f'the buttons of "{both[0].items[changed[0]].text[:100]}" changed in its stead')
        return cannot_tell("the buttons of several changed") if changed else None

    def _toggles(self, scene: Scene, at: int, both: tuple[Collection, Collection], order: dict[int, int]) -> Outcome | None:
        old = _switches(scene.before, both[0])
        new = {(order[item], name): on for (item, name), on in _switches(scene.after, both[1]).items() if item in order}
        turned = {place: state for place, state in new.items() if place in old and old[place] != state}
        mine = {place: state for place, state in turned.items() if place[0] == at}
        others = {place: state for place, state in turned.items() if place[0] != at}
        if not others:
            return held("it was turned") if mine else None
        words = both[0].items[next(iter(others))[0]].text[:100]
        if not mine:
            return violated(f'"{words}" was turned in its stead')
        alike = set(mine.values()) & set(others.values())
        return violated(f'"{words}" was turned with it') if alike else held("the others were turned the other way")

    def words(self) -> str:
        """One clause."""
        return f'of {self.target.words()} only "{self.item[:60]}" changes'

    def playwright(self) -> Lines:
        """As lines of a test."""
        items = self.target.items()
        return Lines(
            before=(f"before = item_faces({items})",),
            after=(f"assert only_item(before, item_faces({items}), {quoted(self.item)})",),
            helpers=("item_texts", "item_faces", "only_item", "plain"),
        )


def _order(before: list[str], after: list[str]) -> dict[int, int]:
    """Place of each item now → its place before, as what is pinned may go to the top; empty where items can't be told apart."""
    if before == after or sorted(before) != sorted(after):
        return {at: at for at in range(len(after))}
    if len(set(before)) < len(before):
        return {}
    return {at: before.index(text) for at, text in enumerate(after)}


def _switches(page: PageModel | None, collection: Collection) -> dict[tuple[int, str], bool | None]:
    """Whether each toggle in an item is on, by item and name."""
    toggles = page.toggles if page else ()
    several = Counter(toggle.item for toggle in toggles if toggle.collection == collection.key)
    # An item's only toggle may be named after its item, or by what it would do next.
    return {
        (toggle.item, "" if several[toggle.item] == 1 else toggle.name): toggle.on
        for toggle in toggles
        if toggle.collection == collection.key
    }


class NewItems(Frozen):
    """Other items are listed than before; with `keeps`, those from before as well, none of them twice."""

    kind: Literal["new items"] = "new items"
    target: Target
    keeps: bool = False

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without what was before, or where items are alike in words."""
        both = both_lists(self.target, scene)
        if isinstance(both, Outcome):
            return both
        before, after = item_texts(both[0]), item_texts(both[1])
        if len(set(before)) < len(before):
            return cannot_tell("several items read alike")
        again = [text for text in after if text in before]
        if not self.keeps:
            if not after:
                return violated("nothing is listed any more")
            if after != before and _titles(after) == _titles(before):
                return cannot_tell("the same items say something else: what was pressed leads on within them")
            return judged(not again, f'"{again[0][:100]}" is listed again' if again else f"{len(after)} other items are listed")
        if lost := [text for text in before if text not in after]:
            return violated(f'"{lost[0][:100]}" is gone')
        twice = [text for text, times in Counter(after).items() if times > 1]
        if twice:
            return violated(f'"{twice[0][:100]}" is listed twice')
        return judged(len(after) > len(before), f"{len(after) - len(before)} items more")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} lists {'more items, none twice' if self.keeps else 'other items than before'}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        items = self.target.items()
        check = (
            f"assert len(set(item_texts({items}))) == {items}.count() > len(before) and set(before) <= set(item_texts({items}))"
            if self.keeps
            else f"assert item_texts({items}) and not set(before) & set(item_texts({items}))"
        )
        return Lines(before=(f"before = item_texts({items})",), after=(check,), helpers=("item_texts",))
