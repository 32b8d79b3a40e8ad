"""What every assertion is made of: the scene it looks at, what it names, what it found, and the lines it is exported as."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.changes import Change, Witness, difference
from tools.page.model import KINDS, PageModel
from tools.page.parts import Choice, Collection, Field, Part, Text

_STEP = " >>> "
_BY_ROLE = {"buttons", "links", "toggles", "layers"}
_SINGULAR = {
    "fields": "field", "forms": "form", "buttons": "button", "links": "link", "choices": "choice", "toggles": "toggle",
    "collections": "list", "figures": "figure", "surfaces": "drawing", "layers": "layer", "processes": "process", "texts": "text",
    "errors": "error",
}  # fmt: skip


class Scene(Frozen):
    """What there is to judge by. What was not observed is None, and an assertion that needs it cannot tell."""

    after: PageModel
    before: PageModel | None = None
    later: PageModel | None = None
    """Some app time after `after`, with no act in between."""
    reloaded: PageModel | None = None
    """After a reload that followed `after`."""
    witness: Witness = Witness()
    """What the other instruments saw from `before` to `after`."""

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
    return "".join(one if one.isprintable() else _escaped(one) for one in json.dumps(text, ensure_ascii=False))


def _escaped(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


class Target(Frozen):
    """Which part of the page is meant. Make it with `Target.of(part, page)`, or by hand with a kind and a name."""

    kind: str
    """One of `model.KINDS`."""
    key: str = ""
    name: str = ""
    role: str = ""
    selector: str = ""
    frame: str = ""
    item_path: str = ""
    by_name: bool = False
    """Its role and name mean only it on the page it was seen on."""

    @classmethod
    def of(cls, part: Part, page: PageModel) -> Target:
        """The target that means this part of this page."""
        kind = next(kind for kind in KINDS if part in getattr(page, kind))
        name = part.text if isinstance(part, Text) else part.name
        return cls(
            kind=kind, key=part.key, name=name, role=part.role, selector=part.selector, frame=part.frame,
            item_path=part.item_path if isinstance(part, Collection) else "", by_name=_by_name(part, page, kind),
        )  # fmt: skip

    def find(self, page: PageModel) -> Part | None:
        """The part on another observation of the page: the same key, else the only one of its kind and name, or in its place."""
        parts: tuple[Part, ...] = getattr(page, self.kind)
        if self.kind == "texts":
            words = self.name.casefold()
            return next((part for part in page.texts if words in part.text.casefold()), None)
        if self.key and (found := next((part for part in parts if part.key == self.key), None)):
            return found
        named = [part for part in parts if self.name and part.name == self.name and self.role in {"", part.role}]
        if len(named) == 1:
            return named[0]
        if self.key and self.selector and self.kind not in {"layers", "errors"}:
            return next((part for part in parts if (part.selector, part.frame) == (self.selector, self.frame)), None)
        return None

    def words(self) -> str:
        """`the button "Save"`."""
        kind = _SINGULAR[self.kind]
        return f'the {kind} "{self.name[:60]}"' if self.name else f"the {kind} at {self.selector}"

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
        for step in self.selector.split(_STEP):
            root += f".locator({quoted(step)})"
        return root

    def items(self) -> str:
        """The Playwright expression that finds a collection's shown items."""
        return f"{self.locator()}.locator({quoted(f':scope {self.item_path}')}).filter(visible=True)"


def _by_name(part: Part, page: PageModel, kind: str) -> bool:
    name = part.name.casefold()
    if not name or len(name) > 60:
        return False
    if isinstance(part, Field):
        others = [*page.fields, *page.toggles, *page.buttons, *page.choices]
        # A select's choice has the name of its field.
        like = [
            one
            for one in others
            if name in one.name.casefold() and not (isinstance(one, Choice) and one.selector == part.selector)
        ]
        return not part.inferred and like == [part] and part.kind != "search" and name != part.placeholder.casefold()
    if kind not in _BY_ROLE or not part.role or part.item >= 0:
        return False
    others = [one for one in page.parts() if one.role == part.role and one.name.casefold() == name]
    return others == [part]
