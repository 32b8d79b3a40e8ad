"""Code blocks of a Markdown answer and the file names they go by.

CommonMark's rules (section 4.5) with what models do to them: a closing fence missing or glued to the last line, an opening fence
in the middle of a line or with code right behind it, fences in fences, and a page whose own text holds a line of backticks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.app.markup import Extent, document_extent, svg_extent

WEB_SUFFIXES = (
    "html htm xhtml css scss sass less js mjs cjs jsx ts mts tsx vue svg json webmanifest txt md csv xml glsl vert frag wgsl"
    " yml yaml toml py sh bat svelte astro php rb go rs java c cpp env lock"
)
_LANGUAGE_NAMES = "html htm xhtml xml svg css scss less js javascript jsx ts typescript tsx react vue svelte json markdown md mjs"
_LANGUAGES = frozenset(_LANGUAGE_NAMES.split())
_FENCE = re.compile(r"^(?P<indent>[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,3}[.)][ \t]+)?)(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
_MID_LINE = re.compile(r"^(?P<before>[^`]*\S[ \t]*)(?P<mark>`{3,})(?P<info>[A-Za-z]+)[ \t]*$")
_GLUED_CLOSE = re.compile(
    r"(</(?:html|svg|body|template|script|style)>[ \t]*|[;})\]][ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*$", re.IGNORECASE
)
_NAME = r"(?:[\w@~.()\[\]-]+[/\\])*[\w@.()\[\]-]*?[\w)\]]\.(?:" + WEB_SUFFIXES.replace(" ", "|") + r")(?!\w)"
_NAME_TOKEN = re.compile(rf"(?<![\w/\\.@-]){_NAME}(?![\w/\\-]|\.\w)", re.IGNORECASE)
_NAME_IN_INFO = re.compile(
    rf"""(?:^|[\s:,{{=])(?:title|file|filename|file_name|name|path|filepath)?\s*[=:]?\s*["']?({_NAME})["']?""", re.IGNORECASE
)
_NAME_COMMENT = re.compile(
    rf"^\s*(?://|/\*+|<!--|#|\{{/\*)\s*(?:file|filename|path)?\s*:?\s*[`\"']?({_NAME})[`\"']?\s*(?:\([^)]*\)\s*)?(?:\*/\}}?|-->)?\s*$",
    re.IGNORECASE,
)

_LIBRARY_NAMES = (
    "node.js three.js react.js vue.js next.js nuxt.js p5.js chart.js d3.js express.js angular.js alpine.js anime.js matter.js"
    " phaser.js pixi.js babylon.js tone.js plotly.js leaflet.js howler.js moment.js ember.js backbone.js konva.js fabric.js"
    " paper.js ml5.js swiper.js gsap.js deno.js bun.js solid.js preact.js socket.io"
)
_LIBRARIES = frozenset(_LIBRARY_NAMES.split())
"""Names of libraries and engines that look like file names."""


@dataclass(frozen=True)
class Block:
    """One code block: `language` in lower case ("" if none is said), `name` as the answer calls it ("" if it does not)."""

    language: str
    name: str
    text: str
    closed: bool
    line: int
    """Index of its first line of code in the text."""


@dataclass(frozen=True)
class Split:
    """A Markdown text taken apart: code blocks in order, and the prose with the blocks cut out."""

    blocks: tuple[Block, ...]
    prose: str


@dataclass(frozen=True)
class _Opening:
    mark: str
    info: str
    indent: int
    first: str
    """Code on the fence's own line, behind the language."""


def split(text: str) -> Split:
    """Take a Markdown text apart. Never fails; takes time linear in the text for all but hostile inputs."""
    lines = text.split("\n")
    blocks: list[Block] = []
    prose: list[str] = []
    at = 0
    while at < len(lines):
        opening = _opening(lines[at])
        if opening is None:
            prose.append(lines[at])
            at += 1
            continue
        end, last, closed = _closing(lines, at + 1, opening)
        language, _, _ = opening.info.partition(" ")
        language = re.split(r"[:,{\s=]", language.strip().lower())[0].strip(".")
        inner = _unindent(([opening.first] if opening.first else []) + lines[at + 1 : end] + last, opening.indent)
        if language in {"markdown", "md"} and any(_is_inner_opening(line, opening) for line in lines[at + 1 : end]):
            # The outer fence is no longer than the inner ones, so its first inner closing ended it: leave the outer one out.
            at += 1
            continue
        if language in {"markdown", "md", ""} and len(opening.mark) > 3 and any(_opening(line) for line in inner):
            within = split("\n".join(inner))
            blocks += [Block(b.language, b.name, b.text, b.closed, at + 1 + b.line) for b in within.blocks]
        else:
            code = "\n".join(inner)
            name = name_in_info(opening.info) or name_in_prose(prose, language) or name_in_comment(code)
            blocks.append(Block("" if "." in language else language, name, code, closed, at + 1))
        prose.append("")
        at = end + 1
    return Split(tuple(blocks), "\n".join(prose))


def _opening(line: str) -> _Opening | None:
    if "```" not in line and "~~~" not in line:
        return None
    match = _FENCE.match(line)
    if match is None:
        match = _MID_LINE.match(line)
        if match is None or match["info"].lower() not in _LANGUAGES:
            return None
        return _Opening(match["mark"], match["info"], 0, "")
    info, first = match["info"].strip(), ""
    if match["mark"][0] == "`" and "`" in info:
        return None  # inline code written with three backticks
    if "<" in info:
        info, _, first = info.partition("<")
        first = "<" + first
    return _Opening(match["mark"], info.strip(), len(match["indent"]), first)


def _is_inner_opening(line: str, outer: _Opening) -> bool:
    opening = _opening(line)
    return opening is not None and bool(opening.info) and len(opening.mark) <= len(outer.mark)


def _closing(lines: list[str], start: int, opening: _Opening) -> tuple[int, list[str], bool]:
    """Index of the line that closes the block, what of that line is code, and whether there is such a line.

    A page's own text may hold a fence: while the document that the block began is not finished, later fences are tried.
    """
    candidates = _closing_lines(lines, start, opening)
    first = next(candidates, None)
    if first is None:
        return len(lines), [], False
    chosen, tail = first
    if not _unfinished_page([opening.first, *lines[start:chosen], *tail]):
        return chosen, tail, True
    for tried, (later, later_tail) in enumerate(candidates):
        between = lines[chosen:later]
        if tried > 40 or any(
            (o := _opening(line)) is not None and o.info.split(" ")[0].lower() in {"html", "svg"} for line in between
        ):
            break
        if not _unfinished_page([opening.first, *lines[start:later], *later_tail]):
            return later, later_tail, True
    return chosen, tail, True


def _closing_lines(lines: list[str], start: int, opening: _Opening) -> Iterator[tuple[int, list[str]]]:
    """Indices of the lines that may close the block, each with what code it begins with."""
    sign, length = opening.mark[0], len(opening.mark)
    for index in range(start, len(lines)):
        line = lines[index]
        if sign * 3 not in line:
            continue
        bare = line.strip().removeprefix(">").strip()
        indent = len(line) - len(line.lstrip())
        if set(bare) == {sign} and len(bare) >= length and indent <= opening.indent + 3:
            yield index, []
            continue
        glued = _GLUED_CLOSE.search(line)
        if glued is not None and glued["mark"][0] == sign and len(glued["mark"]) >= length:
            yield index, [line[: glued.start("mark")].rstrip()]


def _unfinished_page(lines: list[str]) -> bool:
    """Whether the code begins an HTML document or an SVG picture and does not finish it."""
    text = "\n".join(lines)
    start = re.search(r"<!doctype\s+html|<html[\s>]|<svg[\s>]", text, re.IGNORECASE)
    if start is None:
        return False
    extent: Extent = (svg_extent if start.group().lower().startswith("<svg") else document_extent)(text, start.start())
    return not extent.complete


def _unindent(lines: list[str], indent: int) -> list[str]:
    """Take the fence's own indentation off the code, as far as the code has it."""
    if not indent:
        return lines
    return [line[min(indent, len(line) - len(line.lstrip(" \t>"))) :] for line in lines]


def name_in_info(info: str) -> str:
    """A file name in a fence's info string: `html index.html`, `css:style.css`, `js title="app.js"`, `src/App.jsx`."""
    match = _NAME_IN_INFO.search(info[:300])
    return match.group(1) if match else ""


def name_in_comment(code: str) -> str:
    """A file name that is all the first line's comment says: `// script.js`, `/* style.css */`, `<!-- index.html -->`."""
    for line in code.split("\n", 4)[:3]:
        if line.strip():
            match = _NAME_COMMENT.match(line[:300])
            return match.group(1) if match else ""
    return ""


_SUFFIXES_OF = {
    "html": ("html", "htm", "xhtml"), "css": ("css", "scss", "less", "sass"), "json": ("json", "webmanifest"), "svg": ("svg",),
    "javascript": ("js", "mjs", "cjs", "jsx"), "js": ("js", "mjs", "cjs", "jsx"), "jsx": ("jsx", "js", "tsx"),
    "react": ("jsx", "js", "tsx"), "tsx": ("tsx", "ts", "jsx"), "typescript": ("ts", "mts", "tsx"), "ts": ("ts", "mts", "tsx"),
    "vue": ("vue",), "xml": ("svg", "xml", "html"), "python": ("py",), "py": ("py",), "bash": ("sh",), "sh": ("sh",),
    "shell": ("sh",),
}  # fmt: skip


def name_in_prose(prose: list[str], language: str) -> str:
    """A file name in the heading or sentence right before a fence, if there is exactly one that fits the block's language."""
    before = [line for line in prose[-3:] if line.strip()]
    if not before or len(before[-1]) > 160:
        return ""
    names = {match.group() for match in _NAME_TOKEN.finditer(before[-1]) if match.group().lower() not in _LIBRARIES}
    fitting = [name for name in names if language not in _SUFFIXES_OF or name.rsplit(".", 1)[1].lower() in _SUFFIXES_OF[language]]
    return fitting[0] if len(fitting) == 1 else ""
