"""The page model: what a page is at one instant of app time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from tools.evidence.frozen import Frozen
from tools.page.parts import (
    Button,
    Choice,
    Collection,
    Error,
    Field,
    Figure,
    Form,
    Layer,
    Link,
    Part,
    Process,
    Surface,
    Text,
    Toggle,
)

_COUNT = re.compile(r" #\d+$")
KIND_OF: dict[type[Part], str] = {
    Field: "fields", Form: "forms", Button: "buttons", Link: "links", Choice: "choices", Toggle: "toggles",
    Collection: "collections", Figure: "figures", Surface: "surfaces", Layer: "layers", Process: "processes", Text: "texts",
    Error: "errors",
}  # fmt: skip
KINDS = tuple(KIND_OF.values())


class PageModel(Frozen):
    """All parts of a page, of all its frames, each kind in document order."""

    url: str
    title: str = ""
    language: str = ""
    """Of the document, as it states it (BCP 47), or as its reader was told."""
    viewport: tuple[float, float]
    scroll: tuple[float, float] = (0, 0)
    size: tuple[float, float] = (0, 0)
    document: str = ""
    """Same while the same document is open: differs after a reload."""
    at_ms: float | None = None
    """When it was read, by the page's own clock: differences count, not the value."""
    truncated: bool = False
    """A frame had more than 150,000 elements, 1,500 controls of a kind, 600 texts or 60 drawings; the rest is not here."""
    unread: tuple[str, ...] = ()
    """Frames that went away or did not answer while the page was read, with the reason."""
    hollow: bool = False
    """It states where its main part is (`main`), and nothing is in there."""
    refused: int = 0
    """Status with which the server answered for it where it is 400 or more: its word that there is no such page, or worse."""
    fields: tuple[Field, ...] = ()
    forms: tuple[Form, ...] = ()
    buttons: tuple[Button, ...] = ()
    links: tuple[Link, ...] = ()
    choices: tuple[Choice, ...] = ()
    toggles: tuple[Toggle, ...] = ()
    collections: tuple[Collection, ...] = ()
    figures: tuple[Figure, ...] = ()
    surfaces: tuple[Surface, ...] = ()
    layers: tuple[Layer, ...] = ()
    processes: tuple[Process, ...] = ()
    texts: tuple[Text, ...] = ()
    errors: tuple[Error, ...] = ()

    def parts(self) -> Iterator[Part]:
        """Every part, kind after kind."""
        for kind in KINDS:
            yield from getattr(self, kind)

    def of(self, key: str) -> Part | None:
        """The part with that key, the first one of several."""
        return self._by_key.get(key)

    def counts(self, key: str) -> bool:
        """Whether several parts would have that key, so that they are counted: `button "Add"`, `button "Add" #2`."""
        return self._alike[_COUNT.sub("", key)] > 1

    @cached_property
    def _alike(self) -> Counter[str]:
        return Counter(_COUNT.sub("", part.key) for part in self.parts())

    @cached_property
    def _by_key(self) -> dict[str, Part]:
        # Relations look the parts of all earlier pages up again and again: a third of their time went into walking through them.
        found: dict[str, Part] = {}
        for part in self.parts():
            found.setdefault(part.key, part)
        return found

    def words_of_item(self, collection: str, item: int) -> tuple[str, ...]:
        """Each run of words that stands in an item by itself: a cell may hold several."""
        return tuple(self._item_words.get((collection, item), ()))

    @cached_property
    def _item_words(self) -> dict[tuple[str, int], list[str]]:
        found: dict[tuple[str, int], list[str]] = {}
        for text in self.texts:
            if text.collection:
                found.setdefault((text.collection, text.item), []).append(text.text)
        return found

    @property
    def text(self) -> str:
        """All words outside of controls, a line each."""
        return "\n".join(text.text for text in self.texts)

    def fed_by(self, form: Form) -> Collection | None:
        """The collection that a form most likely adds to: the nearest after it in its own part of the page, else the only one.

        A guess for making trials; that an item appears is what shows it.
        """
        open_ones = [collection for collection in self.collections if not collection.collection]
        same = [collection for collection in open_ones if collection.section and collection.section == form.section]
        below = [collection for collection in same or open_ones if collection.box.y >= form.box.y]
        return (below or same or open_ones or [None])[0]
