"""Assertions about what bears some words, whatever was there before: on the page as it is, or anywhere in the app.

They are for whoever wrote the words by hand and did not see the page: several parts of one name are as good as one, and words
that a part of another kind bears accuse nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlsplit

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import SINGULAR, Lines, Outcome, Scene, Target, cannot_tell, held, judged, quoted_list, violated
from tools.page.model import PageModel
from tools.page.parts import Collection, Field, Part, Text

LONGEST_NAME, SHORT_TEXT = 80, 40
"""Signs of a control's name that is one, and not a whole card, and of a text that names something."""
_CONTROLS = ("buttons", "links", "toggles", "choices", "fields", "layers")
_NAMED = (*_CONTROLS, "surfaces", "figures", "forms", "errors", "collections")


def plain_words(text: str) -> str:
    """In one case, with single spaces."""
    return " ".join(text.casefold().split())


def bearing(target: Target, page: PageModel, kinds: tuple[str, ...]) -> list[Part]:
    """The parts of these kinds whose name has the target's words (in its `within`), those of the very name first."""
    words, within = plain_words(target.name), plain_words(target.within)
    if not words:
        return []
    found = [
        part
        for kind in kinds
        for part in getattr(page, kind)
        if words in plain_words(_called(part)) and (not within or _in(part, page, within))
    ]
    return sorted(found, key=lambda part: plain_words(_called(part)) != words)


def _called(part: Part) -> str:
    if isinstance(part, Text):
        return part.text
    return f"{part.name} {part.placeholder}" if isinstance(part, Field) else part.name


def _in(part: Part, page: PageModel, within: str) -> bool:
    """Whether a part stands in an item, a layer or a section of those words."""
    home = next((collection for collection in page.collections if collection.key == part.collection), None)
    if home is not None and 0 <= part.item < len(home.items) and within in plain_words(home.items[part.item].text):
        return True
    layer = next((each_layer for each_layer in page.layers if each_layer.key == part.layer), None)
    return within in plain_words(part.section) or (layer is not None and within in plain_words(layer.name or layer.text[:80]))


def _texts(page: PageModel) -> Iterator[str]:
    """All words of a page, those in fields among them."""
    yield page.text
    yield from (text.text for text in page.texts)
    yield from (item.text for collection in page.collections for item in collection.items)
    yield from (field.value for field in page.fields if field.kind != "password")
    yield from (option.name for choice in page.choices for option in choice.options)
    yield from (_called(part) for kind in _NAMED for part in getattr(page, kind))


def says(page: PageModel, words: str) -> bool:
    """Whether anything on a page bears these words, an option of a choice or what stands in a field as well."""
    return any(words in plain_words(text) for text in _texts(page))


class Shown(Frozen):
    """The page shows something of those words after the acts (or, `yes=False`, nothing), whatever it showed before."""

    kind: Literal["shown"] = "shown"
    target: Target
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """Held if a part or text with the target's words is on the page after the acts, with `yes=False` if none is.

        Where a control is meant, only controls of its kind count; it cannot tell then if only other words bear its name, or, with
        `yes=False`, if all of them lie under a layer.
        """
        told, words = self.target.words(), plain_words(self.target.name)
        meant = self.target.kind not in {"", "texts"}
        parts = bearing(self.target, scene.after, self._kinds(meant))
        # A part is meant by its place only where it has no name: another one may have come to where the named one was.
        if self.target.key and not self.target.name and (found := self.target.find(scene.after)) is not None:
            parts = [found, *parts]
        if meant or self.target.within:
            if parts:
                open_ones = [part for part in parts if not part.covered]
                if not self.yes and not open_ones:
                    return cannot_tell(f"{told} lies under a layer")
                return judged(self.yes, f"{told} is shown: {self._told(parts[0])}")
            if self.yes and meant and says(scene.after, words):
                return cannot_tell(f"{told} is not there, but its words are")
            return judged(not self.yes, f"{told} is not shown")
        there = bool(parts) or says(scene.after, words)
        return judged(there == self.yes, f"{told} is {'' if there else 'not '}shown")

    def _kinds(self, meant: bool) -> tuple[str, ...]:
        if not meant:
            return ("texts", *_NAMED)
        if self.target.kind in _CONTROLS:
            return tuple(dict.fromkeys((self.target.kind, *(_CONTROLS if self.yes else ("buttons", "links", "toggles")))))
        return (self.target.kind,)

    def _told(self, part: Part) -> str:
        return f'"{_called(part).strip()[:60]}"' + (f", {part.count} items" if isinstance(part, Collection) else "")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is {'' if self.yes else 'not '}shown"

    def playwright(self) -> Lines:
        """As lines of a test."""
        if self.yes:
            return Lines(after=(f"expect({self.target.locator()}.first).to_be_visible()",))
        return Lines(after=(f"expect({self.target.locator()}.filter(visible=True)).to_have_count(0)",))


class Somewhere(Frozen):
    """Somewhere in the app, in any state that was seen, something bears one of those words: what was asked for is there.

    Something is a control, an option, a heading or a short text: words in the middle of what people wrote offer nothing.
    """

    kind: Literal["somewhere"] = "somewhere"
    names: tuple[str, ...]
    """All words that it may be called by."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Looks through every page of `way`, the one before the acts, and the one after them."""
        names = [words for name in self.names if (words := plain_words(name))]
        if not names:
            return cannot_tell("no words were given")
        pages = [*scene.way, *([scene.before] if scene.before else []), scene.after]
        for page in reversed(pages):
            for what, words in _offers(page):
                if found := next((name for name in names if _has(words, name)), ""):
                    return held(f'"{found}" is there: the {what} "{words[:60]}" at {urlsplit(page.url).path or "/"}')
        return violated(f"in {len(pages)} views nothing is called {' or '.join(f'“{text}”' for text in names)}")

    def words(self) -> str:
        """One clause."""
        return f"something is called {' or '.join(f'“{name}”' for name in self.names)}"

    def playwright(self) -> Lines:
        """As lines of a test: it looks at the page it ends on."""
        words = "page.get_by_text(word).or_(page.get_by_label(word)).or_(page.get_by_placeholder(word))"
        return Lines(after=(f"assert any({words}.filter(visible=True).count() for word in {quoted_list(self.names)})",))


def _offers(page: PageModel) -> Iterator[tuple[str, str]]:
    """What a page offers, by kind and in plain words: names of controls and of their options, headings and short texts."""
    for kind in _CONTROLS:
        for part in getattr(page, kind):
            if len(called := plain_words(_called(part))) <= LONGEST_NAME:
                yield SINGULAR[kind], called
    yield from (("option", plain_words(option.name)) for choice in page.choices for option in choice.options)
    for text in page.texts:
        if text.level or len(text.text) <= SHORT_TEXT:
            yield "text", plain_words(text.text)


def _has(words: str, name: str) -> bool:
    """Whether words hold a name, as words of their own where there are spaces between words."""
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" if name.isascii() else re.escape(name), words) is not None
