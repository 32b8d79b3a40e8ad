"""Elements of the recorded DOM: enough of selectors to find again what a probe or a trial pointed at.

Read from the `dom` row's blob. Understands what `tools/browser` writes: tags, ids, classes, attributes, `:nth-of-type`,
`:nth-child`, child and descendant combinators. Anything else (a shadow root, another frame) finds nothing rather than the
wrong thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"))
LONGEST_DOM = 1_500_000
"""Characters; a larger snapshot is not read, because parsing it would take longer than a verdict may."""
_COMPOUND = re.compile(
    r"""(?P<tag>^[a-zA-Z][\w-]*|^\*)|\#(?P<id>(?:\\.|[\w-])+)|\.(?P<cls>(?:\\.|[\w-])+)
    |\[(?P<attr>[\w:-]+)(?:=(?P<quote>["']?)(?P<value>(?:\\.|[^\\])*?)(?P=quote))?\]|:nth-(?P<how>of-type|child)\((?P<n>\d+)\)""",
    re.VERBOSE,
)
_PARTS = re.compile(r"""((?:\[(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\]"'])*\]|\([^)]*\)|\\.|[^\s>\[(\\])+)|(\s*>\s*|\s+)""")


@dataclass(eq=False)
class Element:
    """One element of the snapshot."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None = field(repr=False)
    children: list[Element] = field(default_factory=list, repr=False)
    text: str = ""
    """Text directly inside, white space kept."""

    @property
    def id(self) -> str:
        """Its id attribute."""
        return self.attributes.get("id", "")

    @property
    def classes(self) -> frozenset[str]:
        """Its classes."""
        return frozenset(self.attributes.get("class", "").split())


@dataclass(frozen=True)
class Compound:
    """One step of a selector: what an element must have."""

    tag: str = ""
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str | None], ...] = ()
    nth_of_type: int = 0
    nth_child: int = 0
    child: bool = False
    """Directly inside what the step before matched."""

    def fits(self, element: Element) -> bool:
        """Whether the element has all of it."""
        if self.tag not in {"", "*", element.tag} or (self.id and self.id != element.id) or not self.classes <= element.classes:
            return False
        for name, value in self.attributes:
            if name not in element.attributes or (value is not None and element.attributes[name] != value):
                return False
        siblings = element.parent.children if element.parent else [element]
        if self.nth_child and siblings.index(element) + 1 != self.nth_child:
            return False
        alike = [sibling for sibling in siblings if sibling.tag == element.tag] if self.nth_of_type else []
        return not self.nth_of_type or alike.index(element) + 1 == self.nth_of_type


class Dom:
    """The tree of one snapshot."""

    def __init__(self, html: str) -> None:
        builder = _Builder()
        if len(html) <= LONGEST_DOM:
            # Not closed: what a torn end of the snapshot might hold is dropped, as searching it can take for ever.
            builder.feed(html)
        self.elements = builder.elements

    def find(self, selector: str) -> Element | None:
        """The first element that a selector names; None if there is none or the selector says what is not understood here."""
        steps = compounds(selector)
        if not steps:
            return None
        return next((element for element in self.elements if matches(element, steps)), None)

    def text(self, limit: int = 200_000) -> str:
        """Text of the page without scripts and styles, at most `limit` characters."""
        pieces: list[str] = []
        room = limit
        for element in self.elements:
            if element.tag in {"script", "style", "template", "noscript"} or not element.text.strip():
                continue
            pieces.append(element.text.strip()[:room])
            room -= len(pieces[-1])
            if room <= 0:
                break
        return "\n".join(pieces)


def compounds(selector: str) -> list[Compound]:
    """The steps of a selector; empty if something in it is not understood."""
    steps: list[Compound] = []
    child = False
    position = 0
    for match in _PARTS.finditer(selector.strip()):
        if match.start() != position:
            return []
        position = match.end()
        if match.group(2) is not None:
            child = ">" in match.group(2)
            continue
        step = _compound(match.group(1), child=child)
        if step is None:
            return []
        steps.append(step)
    return steps if position == len(selector.strip()) else []


def _compound(text: str, *, child: bool) -> Compound | None:
    tag, identity, classes = "", "", set[str]()
    attributes: list[tuple[str, str | None]] = []
    nth = {"of-type": 0, "child": 0}
    position = 0
    for match in _COMPOUND.finditer(text):
        if match.start() != position:
            return None
        position = match.end()
        found = match.groupdict()
        if found["tag"]:
            tag = found["tag"].lower()
        elif found["id"]:
            identity = _plain(found["id"])
        elif found["cls"]:
            classes.add(_plain(found["cls"]))
        elif found["attr"]:
            attributes.append((found["attr"].lower(), None if found["value"] is None else _plain(found["value"])))
        elif found["n"]:
            nth[found["how"]] = int(found["n"])
    if position != len(text):
        return None
    return Compound(tag, identity, frozenset(classes), tuple(attributes), nth["of-type"], nth["child"], child)


def _plain(text: str) -> str:
    """Without the escapes of CSS."""
    text = re.sub(r"\\([0-9a-fA-F]{1,6})\s?", lambda match: chr(min(int(match.group(1), 16), 0x10FFFF)), text)
    return re.sub(r"\\(.)", r"\1", text)


def matches(element: Element, steps: list[Compound]) -> bool:
    """Whether a selector, given by its steps, names the element."""
    if not steps[-1].fits(element):
        return False
    rest = steps[:-1]
    if not rest:
        return True
    above = element.parent
    while above is not None:
        if matches(above, rest):
            return True
        if steps[-1].child:
            return False
        above = above.parent
    return False


class _Builder(HTMLParser):
    """Builds the tree; the snapshot was serialised by a browser, so it is well formed but for void elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        parent = self._open[-1] if self._open else None
        element = Element(tag, {name: value or "" for name, value in attrs}, parent)
        if parent is not None:
            parent.children.append(element)
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element closed in itself (SVG)."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close up to the innermost open element of that tag."""
        for position in range(len(self._open) - 1, -1, -1):
            if self._open[position].tag == tag:
                del self._open[position:]
                return

    def handle_data(self, data: str) -> None:
        """Text directly inside the innermost open element."""
        if self._open:
            self._open[-1].text += data
