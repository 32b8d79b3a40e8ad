"""What every assertion is made of: the scene it looks at, what it names, what it found, and the lines it is exported as."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.by_name import found_by_name, pictured
from tools.page.changes import Beat, Change, Witness, difference
from tools.page.model import KIND_OF, PageModel
from tools.page.parts import Button, Choice, Collection, Field, Part, Text

_STEP = " >>> "
_NUMBER = re.compile(r"\d+")
_BY_ROLE = {"buttons", "links", "toggles", "layers"}
SINGULAR = {
    "fields": "field", "forms": "form", "buttons": "button", "links": "link", "choices": "choice", "toggles": "toggle",
    "collections": "list", "figures": "figure", "surfaces": "drawing", "layers": "layer", "processes": "process", "texts": "text",
    "errors": "error",
}  # fmt: skip


_PRESSED = ("buttons", "links", "toggles")
"""What a person calls a button may be any of these."""
_USUAL_ROLE = {"buttons": "button", "links": "link", "toggles": "checkbox", "layers": "dialog"}
_ANY = (
    "buttons",
    "links",
    "toggles",
    "fields",
    "choices",
    "collections",
    "layers",
    "surfaces",
    "figures",
    "forms",
    "errors",
    "processes",
)


class Scene(Frozen):
    """What there is to judge by. What was not observed is None, and an assertion that needs it cannot tell."""

    after: PageModel
    before: PageModel | None = None
    at_once: PageModel | None = None
    """Right after the acts, where `after` is a later look: for what is said and goes by itself."""
    later: PageModel | None = None
    """Some app time after `after`, with no act in between."""
    reloaded: PageModel | None = None
    """After a reload that followed `after`."""
    way: tuple[PageModel, ...] = ()
    """What else was seen of the app on the way here: for what must be looked for everywhere."""
    witness: Witness = Witness()
    """What the other instruments saw from `before` to `after`."""
    idle: Beat | None = None
    """How often the app's own functions ran when it was last left alone before these acts."""
    others: Scene | None = None
    """The same of another person's page, while somebody else is there."""

    @cached_property
    def change(self) -> Change | None:
        """From `before` to `after`."""
        return difference(self.before, self.after, self.witness) if self.before else None


class Outcome(Frozen):
    """What an assertion found."""

    result: Literal["held", "violated", "cannot tell"]
    seen: str
    """What was seen, or why it cannot be told; one line."""


def held(seen: str) -> Outcome:
    """The assertion holds."""
    return Outcome(result="held", seen=seen)


def violated(seen: str) -> Outcome:
    """It does not."""
    return Outcome(result="violated", seen=seen)


def cannot_tell(reason: str) -> Outcome:
    """Not enough was seen."""
    return Outcome(result="cannot tell", seen=reason)


def judged(holds: bool, seen: str) -> Outcome:
    """Held or violated."""
    return held(seen) if holds else violated(seen)


def _said(page: PageModel) -> list[str]:
    """What a page says outside of its lists' items: its texts, its layers and what stands in place of items."""
    texts = [text.text for text in page.texts if text.item < 0]
    return [
        *texts,
        *(layer.text for layer in page.layers),
        *(collection.says for collection in page.collections if collection.says),
    ]


def new_words(scene: Scene) -> list[str]:
    """What the page says that it did not say before the acts."""
    known = _said(scene.before) if scene.before is not None else []
    return [text for text in _said(scene.after) if text not in known]


def buttons_of_items(page: PageModel | None, collection: Collection) -> dict[int, list[str]]:
    """What the buttons in each item are called, in their order."""
    found: dict[int, list[str]] = {}
    for button in page.buttons if page else ():
        if button.collection == collection.key and button.item >= 0:
            found.setdefault(button.item, []).append(button.name)
    return found


def new_sentence(scene: Scene) -> str:
    """The first thing that the page says anew and that is no figure counted anew: three words at least; empty if none is."""
    return next((text for text in new_words(scene) if len(text.split()) > 2), "")


class Lines(Frozen):
    """An assertion as lines of a Playwright test (sync Python; `page`, `expect` and `re` are there)."""

    before: tuple[str, ...] = ()
    """Before the acts: what must be remembered."""
    after: tuple[str, ...]
    """After them."""
    helpers: tuple[str, ...] = ()
    """Names of functions of `tools.page.exporting` that they call."""


def quoted(text: str) -> str:
    """A Python string literal with double quotes, whatever the text holds; what would not be seen in it is escaped."""
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in json.dumps(text, ensure_ascii=False))


def _escaped(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def quoted_list(texts: Iterable[str]) -> str:
    """A Python list of such literals."""
    return f"[{', '.join(map(quoted, texts))}]"


class Target(Frozen):
    """Which part of the page is meant. Make it with `Target.of(part, page)`, or by hand with a kind and a name."""

    kind: str = ""
    """One of `model.KINDS`; empty where a person only gave a name."""
    key: str = ""
    name: str = ""
    role: str = ""
    selector: str = ""
    frame: str = ""
    item_path: str = ""
    within: str = ""
    """Words of the item that it stands in: which of the many buttons called "Delete"."""
    by_name: bool = False
    """Its role and name mean only it on the page it was seen on."""
    counted: bool = False
    """Others bore the same key but for its count: once one of them is called otherwise, the next one has its key."""
    over: str = ""
    """Selector of what the pointer has to be over for it to come up."""
    called: str = ""
    """How people tell one without a name: by its options, or by the section it stands in. It only tells."""

    @classmethod
    def of(cls, part: Part, page: PageModel) -> Target:
        """The target that means this part of this page."""
        kind = KIND_OF[type(part)]
        name = part.text if isinstance(part, Text) else part.name
        return cls(
            kind=kind, key=part.key, name=name, role=part.role, selector=part.selector, frame=part.frame,
            item_path=part.item_path if isinstance(part, Collection) else "", by_name=_by_name(part, page, kind),
            within=_item_words(part, page), counted=page.counts(part.key), called="" if name else _called(part),
            over=getattr(part, "over", ""),
        )  # fmt: skip

    def find(self, page: PageModel, kinds: tuple[str, ...] = ()) -> Part | None:
        """The part on another observation of the page, or None.

        One that stands in an item is looked for in the item of those words, and nowhere else. Else the same key, the only one of
        its kind and name, or of its place; where keys were counted, of its place first. Keys leave numbers out: of the days
        of a calendar, one of which is called otherwise once it is pressed, the one of that name or place is meant. What a person
        wrote, without a key, is also found by a part of its name, in whatever case, if only one has it; `kinds` are then looked
        through in that order.
        """
        if self.kind == "texts":
            return self._text(page)
        parts: tuple[Part, ...] = getattr(page, self.kind) if self.kind else _of_kinds(page, kinds)
        if self.within:
            return self._in_item(parts, page)
        return self._keyed(parts) if self.key else self._named(parts, page)

    def _text(self, page: PageModel) -> Part | None:
        """The very text that was seen, else one of just these words, else one that has them: "MB" is not "Members"."""
        words = self.name.casefold()
        having = [part for part in page.texts if words in part.text.casefold()]
        same = (part for part in having if self.key and part.key == self.key)
        return next(same, next((part for part in having if part.text.casefold() == words), next(iter(having), None)))

    def _keyed(self, parts: tuple[Part, ...]) -> Part | None:
        """By its key, its name and its place."""
        found = next((part for part in parts if part.key == self.key), None)
        here = [part for part in parts if self.selector and (part.selector, part.frame) == (self.selector, self.frame)]
        placed = next((part for part in here if part.role == self.role), None)
        if self.counted and placed is not None:
            return placed
        if found is not None and (found.name == self.name or not self.name or not self.selector):
            return found
        named = [part for part in parts if self.name and part.name == self.name and self.role in {"", part.role}]
        if len(named) == 1:
            return named[0]
        if found is not None:
            return placed or found
        return here[0] if here and self.kind not in {"layers", "errors"} else None

    def _named(self, parts: tuple[Part, ...], page: PageModel) -> Part | None:
        """What a person named."""
        named = [part for part in parts if self.name and part.name == self.name and self.role in {"", part.role}]
        if len(named) == 1 or (named and not self.kind):
            return named[0]
        found = found_by_name(self.name, self.kind, parts)
        others = _of_kinds(page, _PRESSED) if self.kind in _PRESSED and found is None else ()
        return found or next((part for part in others if part.name == self.name), None)

    def _in_item(self, parts: tuple[Part, ...], page: PageModel) -> Part | None:
        """By its name in the first item that shows those words; of several, and without a name, by its place in it."""
        words, name = self.within.casefold(), self.name.casefold()
        for collection in page.collections:
            for number, item in enumerate(collection.items):
                if words not in item.text.casefold():
                    continue
                inside = [part for part in parts if (part.collection, part.item) == (collection.key, number)]
                named = (
                    [part for part in inside if part.name == self.name]
                    or [part for part in inside if self.name and _uncounted(part.name) == _uncounted(self.name)]
                    or [part for part in inside if name in part.name.casefold()]
                    or [part for part in inside if pictured(part) == name]
                )
                if len(named) == 1 or (named and name):
                    return self._standing(named) or named[0]
                if named and (found := self._standing(named)) is not None:
                    return found
        layers = {layer.key for layer in page.layers if words in (layer.name or layer.text[:60]).casefold()}
        near = [part for part in parts if part.item < 0 and (part.layer in layers or words in part.section.casefold())]
        return found_by_name(self.name, self.kind, tuple(near))

    def _standing(self, parts: list[Part]) -> Part | None:
        """The one of an item's parts whose place in it is most like the target's; None where two are as like."""
        own = self.selector.split(" > ")
        alike = [_common_end(own, part.selector.split(" > ")) for part in parts] if self.selector else []
        best = max(alike, default=0)
        return parts[alike.index(best)] if best and alike.count(best) == 1 else None

    def words(self) -> str:
        """`the button "Save"`."""
        kind = f"the {SINGULAR[self.kind]}" if self.kind else ""
        called = f'"{self.name[:60]}"' if self.name else self.called
        place = f' of "{self.within[:40]}"' if self.within else f" at {self.selector}" if self.selector and not called else ""
        return " ".join(filter(None, (kind, called))) + place

    def locator(self) -> str:
        """The Playwright expression that finds it."""
        root = "page"
        for step in filter(None, self.frame.split(_STEP)):
            root += f".frame_locator({quoted(step)})"
        if self.kind == "texts":
            return f"{root}.get_by_text({quoted(self.name)}).filter(visible=True).first"
        if self.by_name and self.kind == "fields":
            return f"{root}.get_by_label({quoted(self.name)})"
        if self.by_name or (self.kind in _BY_ROLE and self.role and self.name and not self.selector):
            return f"{root}.get_by_role({quoted(self.role)}, name={quoted(self.name)}, exact=True)"
        if not self.selector:
            return self._by_hand(root)
        for step in self.selector.split(_STEP):
            root += f".locator({quoted(step)})"
        return root

    def hovered(self) -> tuple[str, ...]:
        """The line that brings the pointer to where it comes up, if it does so only then."""
        root = "page" + "".join(f".frame_locator({quoted(step)})" for step in filter(None, self.frame.split(_STEP)))
        return (f"{root}.locator({quoted(self.over)}).hover()",) if self.over else ()

    def _by_hand(self, root: str) -> str:
        """Of a target that a person wrote and no page has shown yet."""
        if self.kind == "fields":
            return f"{root}.get_by_label({quoted(self.name)})"
        if self.kind in _USUAL_ROLE:
            return f"{root}.get_by_role({quoted(self.role or _USUAL_ROLE[self.kind])}, name={quoted(self.name)})"
        return f"{root}.get_by_text({quoted(self.name)}).filter(visible=True).first"

    def items(self) -> str:
        """The Playwright expression that finds a collection's shown items."""
        return f"{self.locator()}.locator({quoted(f':scope {self.item_path}')}).filter(visible=True)"


def _uncounted(name: str) -> str:
    """A name whatever the numbers in it: "Water in 2 days" is "Water in 17 days" once it was watered."""
    return _NUMBER.sub("#", name)


def _common_end(first: list[str], second: list[str]) -> int:
    """How many steps of two selectors are the same, counted from their ends."""
    pairs = zip(reversed(first), reversed(second), strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def _of_kinds(page: PageModel, kinds: tuple[str, ...]) -> tuple[Part, ...]:
    return tuple(part for kind in dict.fromkeys((*kinds, *_ANY)) for part in getattr(page, kind))


def _called(part: Part) -> str:
    """`"Day / Week / Month"`, `with the picture "trash"`, `in "Biggest consumers"`; empty where there is none of these."""
    names = [option.name for option in part.options if option.name] if isinstance(part, Choice) else []
    if names:
        return f'"{" / ".join(name[:20] for name in names[:3])}{" / …" if len(names) > 3 else ""}"'
    if isinstance(part, Button) and part.icon:
        return f'with the picture "{part.icon}"'
    return f'in "{part.section[:40]}"' if part.section else ""


def _item_words(part: Part, page: PageModel) -> str:
    """What the item that a part stands in begins with, where no other item of the page begins so; else nothing.

    Nor where that only stands in a field of its own: it is another item's words once somebody types there.
    """
    home = next((collection for collection in page.collections if collection.key == part.collection), None)
    if home is None or not 0 <= part.item < len(home.items):
        return ""
    words = home.items[part.item].key
    if _is_typed(words.casefold(), part, page):
        return ""
    like = [item for collection in page.collections for item in collection.items if words.casefold() in item.text.casefold()]
    return words if len(like) == 1 else ""


def _is_typed(words: str, part: Part, page: PageModel) -> bool:
    here = (part.collection, part.item)
    read = any((text.collection, text.item) == here and words in text.text.casefold() for text in page.texts)
    return not read and any((field.collection, field.item) == here and words in field.value.casefold() for field in page.fields)


def _by_name(part: Part, page: PageModel, kind: str) -> bool:
    name = part.name.casefold()
    if not name or len(name) > 60:
        return False
    if isinstance(part, Field):
        others = [*page.fields, *page.toggles, *page.buttons, *page.choices]
        # A select's choice has the name of its field.
        like = [
            other
            for other in others
            if name in other.name.casefold() and not (isinstance(other, Choice) and other.selector == part.selector)
        ]
        return not part.inferred and like == [part] and part.kind != "search" and name != part.placeholder.casefold()
    if kind not in _BY_ROLE or not part.role or part.item >= 0:
        return False
    others = [each_part for each_part in page.parts() if each_part.role == part.role and each_part.name.casefold() == name]
    return others == [part]
