"""The app's own source as the record holds it: files, the blocks of script in them, and where something stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlsplit

from evaluator.record.naming import clean
from evaluator.record.sealed import Reading
from tools.errors import RunError
from tools.evidence.rows import SourceFile

EXCERPT_LENGTH = 200
LONGEST_FILE = 2_000_000
"""Characters; of a longer file only the beginning is searched."""
SCRIPTS = frozenset({"javascript", "typescript", "jsx", "tsx", "vue", "svelte", "js", "ts", "mjs"})
MARKUP = frozenset({"html", "svg", "vue", "svelte"})


@dataclass(frozen=True)
class Source:
    """One source file with the ledger row that holds it."""

    path: str
    language: str
    text: str
    row_id: str

    @cached_property
    def lines(self) -> list[str]:
        """The file's lines, without their ends."""
        return self.text.split("\n")

    @property
    def minified(self) -> bool:
        """Whether people can't be expected to read it: very long lines."""
        return len(self.text) > 20_000 and len(self.text) / (len(self.lines) or 1) > 400

    @cached_property
    def _ends(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def line_at(self, offset: int) -> int:
        """Number of the line, from 1, in which a character stands."""
        return bisect_left(self._ends, offset) + 1


class Spot(NamedTuple):
    """A line of a source file."""

    source: Source
    line: int

    def excerpt(self, column: int = 0) -> str:
        """The line, at most 200 characters of it around `column` (from 1)."""
        text = self.source.lines[self.line - 1] if 0 < self.line <= len(self.source.lines) else ""
        if len(text) > EXCERPT_LENGTH and column > EXCERPT_LENGTH // 2:
            text = text[column - EXCERPT_LENGTH // 2 :]
        return clean(text, EXCERPT_LENGTH)


@dataclass(frozen=True)
class Block:
    """A piece of script that runs as one: an inline script, or a script file. `line` is its first line in the file."""

    source: Source
    line: int
    text: str
    kind: str
    """`type` attribute of an inline script; empty for a classic one or a file."""

    @property
    def last_line(self) -> int:
        """The line in which it ends."""
        return self.line + self.text.count("\n")

    def holds(self, spot: Spot) -> bool:
        """Whether that line of source is part of it."""
        return spot.source is self.source and self.line <= spot.line <= self.last_line


class Sources:
    """All source files of a run, each distinct content once."""

    def __init__(self, reading: Reading) -> None:
        seen: set[str] = set()
        files: list[Source] = []
        for row, body in reading.of(SourceFile):
            if row.blob is None or row.blob.sha256 in seen:
                continue
            seen.add(row.blob.sha256)
            try:
                data = reading.record.blobs.get(row.blob)
            except RunError:
                # `assay verify` names the blob; here its content is merely not there to search.
                continue
            text = data.decode("utf-8", "replace")[:LONGEST_FILE].replace("\r\n", "\n")
            files.append(Source(body.path, body.language.lower(), text, row.id))
        self.files = tuple(sorted(files, key=lambda source: (source.path.count("/"), source.path, source.row_id)))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every piece of script, in the order of the files."""
        found: list[Block] = []
        for source in self.files:
            if source.language in SCRIPTS - MARKUP:
                found.append(Block(source, 1, source.text, ""))
            if source.language in MARKUP:
                found += [
                    Block(
                        source,
                        source.line_at(inline_text.offset),
                        inline_text.text,
                        inline_text.attributes.get("type", "").lower(),
                    )
                    for inline_text in inline_texts(source.text)
                    if inline_text.tag == "script" and "src" not in inline_text.attributes and inline_text.text.strip()
                ]
        return tuple(found)

    @cached_property
    def styles(self) -> tuple[tuple[Source, int, str], ...]:
        """Every piece of CSS: file, offset of its first character in the file, text."""
        found: list[tuple[Source, int, str]] = []
        for source in self.files:
            if source.language in {"css", "scss", "less"}:
                found.append((source, 0, source.text))
            elif source.language in MARKUP:
                found += [
                    (source, inline_text.offset, inline_text.text)
                    for inline_text in inline_texts(source.text)
                    if inline_text.tag == "style"
                ]
        return tuple(found)

    def resolve(self, url: str) -> Source | None:
        """The file that an address on the app's site, or a path, stands for."""
        path = urlsplit(url).path.lstrip("/")
        names = [path] if path and not path.endswith("/") else [f"{path}index.html", f"{path}index.htm"]
        for name in names:
            exact = [file for file in self.files if urlsplit(file.path).path.lstrip("/") == name]
            ending = [file for file in self.files if file.path.endswith(f"/{name}") or name.endswith(f"/{file.path}")]
            for found in (exact, ending):
                if found:
                    return found[0]
        pages = [file for file in self.files if file.language == "html"]
        return pages[0] if len(pages) == 1 and (not path or path.endswith("/")) else None

    def spot(self, url: str, line: int) -> Spot | None:
        """A line by address and number; None if the file is not among the sources or has no such line."""
        source = self.resolve(url)
        return Spot(source, line) if source is not None and 0 < line <= len(source.lines) else None

    def search(self, pattern: str, *, scripts: bool = False) -> Spot | None:
        """The first line that matches a regular expression; with `scripts` in scripts only."""
        expression = re.compile(pattern)
        if scripts:
            for block in self.blocks:
                match = expression.search(block.text)
                if match:
                    return Spot(block.source, block.line + block.text.count("\n", 0, match.start()))
            return None
        for source in self.files:
            match = expression.search(source.text)
            if match:
                return Spot(source, source.line_at(match.start()))
        return None


_OPENING = re.compile(r"<!--|<(script|style)(?=[\s>/])", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")


class Inline(NamedTuple):
    """The content of a script or style element. `offset` is its first character's place in the file."""

    tag: str
    attributes: dict[str, str]
    offset: int
    text: str


def inline_texts(html: str) -> list[Inline]:
    """Every script and style element of a page; one whose end tag is missing goes to the end of the file.

    A scan in one pass and not a parser: pages under evaluation may be made to keep a parser busy for hours.
    """
    found: list[Inline] = []
    position = 0
    while (match := _OPENING.search(html, position)) is not None:
        if match.group(1) is None:
            closed = html.find("-->", match.end())
        else:
            tag = match.group(1).lower()
            begin = html.find(">", match.end()) + 1
            if not begin:
                break
            end = re.compile(rf"</{tag}", re.IGNORECASE).search(html, begin)
            closed = end.start() if end else -1
            values = _ATTRIBUTE.findall(html[match.end() : min(begin - 1, match.end() + 2000)])
            attributes = {name.lower(): item or two or three for name, item, two, three in values}
            found.append(Inline(tag, attributes, begin, html[begin : closed if closed >= 0 else len(html)]))
        if closed < 0:
            break
        position = closed
    return found
