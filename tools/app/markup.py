"""Reading HTML as text with positions: tags, comments, raw-text elements; where a document ends and what it refers to.

A regular expression cannot do this: `</html>` inside a script string, an attribute or a comment ends nothing. The scanner follows
the HTML standard's tokenizer where it matters for that (section 13.2.5): comments, quoted attributes, raw text of `script`,
`style`, `title` and the like. It never fails and takes time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

RAW_TEXT = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
RAW_IN_SVG = frozenset({"script", "style"})
"""Inside an SVG, `title` holds ordinary markup."""

_TAG_NAMES = (
    "html head body main header footer nav section article aside div span p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody"
    " tfoot tr td th caption form fieldset legend label input button select option optgroup textarea output progress meter canvas"
    " svg img picture video audio source a b i u s em strong small sub sup code pre kbd samp var q blockquote cite hr br"
    " figure figcaption details summary dialog template slot script style link meta title base noscript iframe object embed"
    " center font marquee map area datalist menu address time mark abbr bdi bdo ruby rt rp wbr data hgroup search"
)
KNOWN_TAGS = frozenset(_TAG_NAMES.split())
"""Elements by which a text is recognised as HTML."""

_NAME = re.compile(r"[a-zA-Z][^\s/>\x00]*")
_COMMENT_END = re.compile(r"--!?>")
_ATTRIBUTE = re.compile(r"""[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?""")


@dataclass(frozen=True)
class Tag:
    """One piece of markup: `text[start:end]`. `content` is the raw text span of a raw-text element's opening tag."""

    kind: Literal["open", "close", "comment", "doctype", "other"]
    name: str
    """Lower case; empty for comments and other declarations."""
    start: int
    end: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case, values without quotes, character references untouched."""
    content: tuple[int, int] | None = None
    self_closing: bool = False


def tags(text: str, start: int = 0) -> Iterator[Tag]:
    """Every piece of markup from `start` on, in order. Raw text (scripts, styles) is stepped over as a whole."""
    at, svg_depth = start, 0
    while (at := text.find("<", at)) >= 0:
        tag = _read(text, at, svg_depth > 0)
        if tag is None:
            at += 1
            continue
        yield tag
        if tag.name == "svg":
            svg_depth += 1 if tag.kind == "open" and not tag.self_closing else -1 if tag.kind == "close" and svg_depth else 0
        at = tag.content[1] if tag.content is not None else tag.end


def _read(text: str, at: int, in_svg: bool) -> Tag | None:
    """The piece of markup that begins with the `<` at `at`; None if that is only a less-than sign."""
    following = text[at + 1 : at + 2]
    if following == "!":
        return _declaration(text, at, in_svg)
    if following == "?":
        return Tag("other", "", at, _after(text, ">", at + 2))
    if following == "/":
        match = _NAME.match(text, at + 2)
        return Tag("close", match.group().lower(), at, _after(text, ">", match.end())) if match else None
    match = _NAME.match(text, at + 1)
    if match is None:
        return None
    return _opening(text, at, match.group().lower(), match.end(), in_svg)


def _declaration(text: str, at: int, in_svg: bool) -> Tag:
    if text.startswith("<!--", at):
        if text.startswith((">", "->"), at + 4):
            return Tag("comment", "", at, text.index(">", at + 4) + 1)
        closing = _COMMENT_END.search(text, at + 4)
        return Tag("comment", "", at, closing.end() if closing else len(text))
    if in_svg and text.startswith("<![CDATA[", at):
        return Tag("other", "", at, _after(text, "]]>", at + 9))
    kind: Literal["doctype", "other"] = "doctype" if text[at + 2 : at + 9].lower() == "doctype" else "other"
    return Tag(kind, "", at, _after(text, ">", at + 2))


def _opening(text: str, at: int, name: str, after_name: int, in_svg: bool) -> Tag:
    attributes: dict[str, str] = {}
    cursor = after_name
    while (match := _ATTRIBUTE.match(text, cursor)) is not None:
        value = match.group(2) or ""
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        attributes.setdefault(match.group(1).lower(), value[1:-1] if quoted else value)
        cursor = match.end()
    end = _after(text, ">", cursor)
    self_closing = text[max(cursor - 1, at) : end].rstrip(">").endswith("/")
    raw = name in (RAW_IN_SVG if in_svg else RAW_TEXT) and not (in_svg and self_closing)
    content = None
    if raw:
        closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, end)
        content = (end, closing.start() if closing else len(text))
    return Tag("open", name, at, end, attributes, content, self_closing)


def _after(text: str, mark: str, start: int) -> int:
    """The position after the next `mark`; the end of the text if there is none."""
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


@dataclass(frozen=True)
class Extent:
    """Where an HTML document or an SVG picture ends, and whether its closing tag is there."""

    end: int
    complete: bool


def document_extent(text: str, start: int) -> Extent:
    """Extent of the HTML document that begins at `start`. A second document's beginning ends it too, as incomplete."""
    doctype = html = False
    body_end = 0
    for tag in tags(text, start):
        if tag.kind == "close" and tag.name == "html":
            return Extent(tag.end, complete=True)
        if tag.kind == "close" and tag.name == "body":
            body_end = tag.end
        again = (tag.kind == "doctype" and (doctype or html)) or (tag.kind == "open" and tag.name == "html" and html)
        if again:
            return Extent(body_end or tag.start, complete=bool(body_end))
        doctype = doctype or tag.kind == "doctype"
        html = html or (tag.kind == "open" and tag.name == "html")
    # The standard lets a document go without </html>; </body> tells as well that the author had finished.
    return Extent(body_end, complete=True) if body_end else Extent(len(text), complete=False)


def svg_extent(text: str, start: int) -> Extent:
    """Extent of the SVG picture that begins at `start`."""
    depth = 0
    for tag in tags(text, start):
        if tag.name != "svg":
            continue
        if tag.kind == "close":
            depth -= 1
        elif not tag.self_closing:
            depth += 1
        if depth <= 0:
            return Extent(tag.end, complete=True)
    return Extent(len(text), complete=False)


def document_starts(text: str, *, limit: int = 200) -> list[int]:
    """Positions where HTML documents begin: a doctype, else `<html`. What a document contains is not searched again."""
    starts: list[int] = []
    opening = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
    at = 0
    while len(starts) < limit and (match := opening.search(text, at)) is not None:
        starts.append(match.start())
        at = max(document_extent(text, match.start()).end, match.end())
    return starts


@dataclass(frozen=True)
class Reference:
    """An address a page names in its markup, and what it wants there."""

    kind: Literal["style", "script", "module", "media", "page"]
    address: str
    as_source: bool = False
    """A script that another script of the page compiles as it comes up."""

    @property
    def local_path(self) -> str:
        """The path without query and fragment if it leads into the page's own site; empty for anything else."""
        try:
            parts = urlsplit(self.address.strip())
        except ValueError:
            return ""
        if parts.scheme or parts.netloc or not parts.path or "{" in self.address or "$" in self.address:
            return ""
        return unquote(parts.path)


_COMPILED_THERE = frozenset({"text/jsx", "text/babel", "text/typescript", "text/coffeescript"})
_ADDRESSES = {"img": "src", "video": "src", "audio": "src", "source": "src", "iframe": "src", "embed": "src", "object": "data"}


def references(text: str) -> list[Reference]:
    """What a page's markup loads or links to, in order. Addresses made by scripts cannot be known."""
    found: list[Reference] = []
    for tag in tags(text):
        if tag.kind != "open":
            continue
        values = tag.attributes
        if tag.name == "script" and values.get("src"):
            sort = values.get("type", "").lower()
            found.append(Reference("module" if sort == "module" else "script", values["src"], sort in _COMPILED_THERE))
        elif tag.name == "link" and values.get("href"):
            relations = values.get("rel", "").lower().split()
            found.append(Reference("style" if "stylesheet" in relations else "media", values["href"]))
        elif tag.name == "a" and values.get("href"):
            found.append(Reference("page", values["href"]))
        elif tag.name in _ADDRESSES and values.get(_ADDRESSES[tag.name]):
            found.append(Reference("media", values[_ADDRESSES[tag.name]]))
    return found


def insert_before_close(text: str, name: str, addition: str) -> str:
    """`text` with `addition` before the last real closing tag of `name`; appended if there is none."""
    closing = [tag for tag in tags(text) if tag.kind == "close" and tag.name == name]
    at = closing[-1].start if closing else len(text)
    return text[:at] + addition + text[at:]


def insert_in_head(text: str, addition: str) -> str:
    """`text` with `addition` at the end of its head; before the body or, with neither, after the doctype."""
    after_doctype = 0
    for tag in tags(text):
        if (tag.kind == "close" and tag.name == "head") or (tag.kind == "open" and tag.name == "body"):
            return text[: tag.start] + addition + text[tag.start :]
        if tag.kind == "doctype" or (tag.kind == "open" and tag.name in {"html", "head"}):
            after_doctype = tag.end
    return text[:after_doctype] + addition + text[after_doctype:]
