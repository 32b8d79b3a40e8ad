"""What the pieces of an answer are: page, fragment, style, script, component, picture; told by content first, then by label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tools.app.answer.fences import Block, name_in_comment
from tools.app.answer.text import unescape_whole
from tools.app.markup import KNOWN_TAGS, document_extent, document_starts, svg_extent, tags

Sort = Literal["page", "fragment", "style", "script", "react", "vue", "svg", "data", "foreign"]

_HTML = frozenset({"html", "htm", "xhtml", "markup", "xml", ""})
_SCRIPT = frozenset({"js", "javascript", "mjs", "ts", "typescript", "es6", "ecmascript", "node"})
_JSX = frozenset({"jsx", "tsx", "react", "javascriptreact", "typescriptreact"})
_STYLE = frozenset({"css", "scss", "less", "sass"})
_BY_SUFFIX: dict[str, str] = {
    "html": "html", "htm": "html", "xhtml": "html", "css": "css", "scss": "scss", "sass": "sass", "less": "less", "js": "js",
    "mjs": "js", "cjs": "js", "ts": "ts", "mts": "ts", "jsx": "jsx", "tsx": "tsx", "vue": "vue", "svg": "svg", "json": "json",
}  # fmt: skip
_JSX_RETURN = re.compile(r"(?:\breturn\s{0,40}\(?|=>\s{0,40}\(?|[=(?:,&])\s{0,80}<(?:[A-Za-z][\w.]*[\s/>]|>)")
_REACT_SIGN = re.compile(
    r"""from\s+["']react|require\(["']react|\bReact\.|\buse(?:State|Effect|Ref|Memo|Reducer|Callback)\s*\(|export\s+default|className="""
    r"""|(?:function|const)\s+[A-Z]\w*"""
)
_MODULE_SIGN = re.compile(
    r"^[ \t]*(?:import\s+[^;\n]*?\bfrom\s*[\"']|import\s*[\"']|export\s+(?:default|const|function|class)\b)", re.MULTILINE
)
FOREIGN = {
    "python": "Python", "py": "Python", "svelte": "a Svelte component", "java": "Java", "php": "PHP", "rust": "Rust", "go": "Go",
    "c": "C", "cpp": "C++", "c++": "C++", "csharp": "C#", "cs": "C#", "ruby": "Ruby", "swift": "Swift", "kotlin": "Kotlin",
    "dart": "Dart", "astro": "an Astro page", "angular": "Angular",
}  # fmt: skip
UNSERVED = frozenset({"svelte", "astro", "angular"})
"""Of these, what runs in a browser once somebody has built it."""


@dataclass(frozen=True)
class Piece:
    """One piece of an answer, in the order it came."""

    sort: Sort
    name: str
    """Path as the answer calls it; empty if it does not."""
    text: str
    language: str
    complete: bool
    """The page has its end, the fence was closed."""
    fitting: bool = True
    """False for a page found where none belongs (inside Python code, say): taken only if there is nothing else."""

    @property
    def weight(self) -> float:
        """How much it looks like what was asked for: size, less if it is cut off or out of place."""
        return len(self.text.strip()) * (1.0 if self.complete else 0.35) * (1.0 if self.fitting else 0.1)


def pieces_of(block: Block) -> Iterator[Piece]:
    """The pieces in a code block. Several documents in one block are several pieces."""
    text = block.text
    if not text.strip():
        return
    suffix = block.name.rsplit(".", 1)[-1].lower() if "." in block.name else ""
    language = _BY_SUFFIX.get(suffix, suffix) or block.language
    if (unescaped := unescape_whole(text)) is not None and language in _HTML:
        text = unescaped
    if language in _HTML | {"vue", "text", "plaintext", "txt", "svg"} or (
        not suffix and language not in FOREIGN and _leads_with_page(text)
    ):
        yield from _of_markup(block, text, language)
        return
    sort = _sort_of_code(language, text)
    if sort in {"foreign", "data"} and not suffix:
        # A page inside another language's code (a string in a server's source) was not asked for, but is better than nothing.
        yield from (replace(piece, fitting=False) for piece in pages_in(text, closed=False))
    yield Piece(sort, block.name, text, language, block.closed)


def _leads_with_page(text: str) -> bool:
    return re.match(r"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", text, re.IGNORECASE | re.DOTALL) is not None


def _of_markup(block: Block, text: str, language: str) -> Iterator[Piece]:
    pages = list(pages_in(text, closed=block.closed))
    if pages:
        if len(pages) == 1:
            yield replace(pages[0], name=block.name or pages[0].name)
        else:
            yield from pages
        return
    stripped = text.strip()
    if language == "vue" or is_vue(stripped):
        yield Piece("vue", block.name, text, "vue", block.closed)
    elif (picture := _picture(stripped)) is not None:
        yield Piece("svg", block.name, picture[0], "svg", picture[1])
    elif is_fragment(stripped):
        yield Piece("fragment", block.name, text, "html", block.closed)
    elif not language and (sort := _sort_of_code(guess_language(stripped), text)) != "foreign":
        yield Piece(sort, block.name, text, guess_language(stripped), block.closed)


def pages_in(text: str, *, closed: bool) -> Iterator[Piece]:
    """The HTML documents in a text; `closed` tells that the text ends where its author ended it.

    A closed text's last page takes what follows its `</html>` with it: browsers read that too. After an open end it is cut.
    """
    starts = document_starts(text)
    for index, start in enumerate(starts):
        extent = document_extent(text, start)
        limit = starts[index + 1] if index + 1 < len(starts) else len(text)
        end = min(extent.end, limit) if extent.complete else limit
        last = index + 1 == len(starts)
        lead = text[: starts[0]] if index == 0 else text[document_extent(text, starts[index - 1]).end : start]
        name = name_in_comment(lead.strip().rsplit("\n", 1)[-1])
        begin = 0 if index == 0 and _only_comments(text[:start]) else start
        if last and closed and is_only_markup(text[end:]):
            end = len(text)
        if text[begin:end].strip():
            yield Piece("page", name, text[begin:end].strip() + "\n", "html", extent.complete)


def _only_comments(text: str) -> bool:
    return not re.sub(r"<!--.*?-->|<\?xml[^>]*>", "", text, flags=re.DOTALL).strip()


def is_only_markup(text: str) -> bool:
    """Whether a text is nothing but tags, what scripts and styles hold, and white space."""
    rest, at = [], 0
    for tag in tags(text):
        rest.append(text[at : tag.start])
        at = tag.content[1] if tag.content is not None else tag.end
    return not "".join([*rest, text[at:]]).strip()


def _picture(text: str) -> tuple[str, bool] | None:
    """The SVG picture that a text is, with or without XML prologue; and whether it has its end."""
    for tag in tags(text):
        if tag.kind == "open":
            if tag.name != "svg" or text[: tag.start].count("\n") > 30:
                return None
            extent = svg_extent(text, tag.start)
            return text[tag.start : extent.end], extent.complete
        if tag.kind == "close":
            return None
    return None


def is_vue(text: str) -> bool:
    """Whether a text is a Vue single-file component: templates, scripts and styles at top level and nothing else."""
    depth, seen = 0, set[str]()
    for tag in tags(text):
        if tag.kind == "open" and depth == 0:
            if tag.name not in {"template", "script", "style"}:
                return False
            seen.add(tag.name + (" setup" if "setup" in tag.attributes else ""))
        if tag.name == "template":
            depth += {"open": 1, "close": -1}.get(tag.kind, 0)
    scripted = any(name.startswith("script") for name in seen)
    return "script setup" in seen or ("template" in seen and scripted and "export default" in text)


def is_fragment(text: str) -> bool:
    """Whether a text is HTML without a document around it: it begins with a known element and has some weight of markup."""
    first = next((tag for tag in tags(text) if tag.kind in {"open", "close"}), None)
    if first is None or first.kind != "open" or first.name not in KNOWN_TAGS or not _only_comments(text[: first.start]):
        return False
    return len(text) >= 20


def is_react(text: str) -> bool:
    """Whether JavaScript or TypeScript is a React component: it has JSX and signs of React."""
    return _JSX_RETURN.search(text) is not None and _REACT_SIGN.search(text) is not None


def guess_language(text: str) -> str:
    """The language of code that nobody labelled; "" if it cannot be told."""
    if text.startswith(("{", "[")) and text.endswith(("}", "]")) and re.search(r'^[{\[]\s*(?:"|\{|\[|[}\]])', text):
        return "json"
    if is_react(text):
        return "jsx"
    if re.search(r"^[ \t]*(?:def \w+\(|from \w[\w.]* import |import \w+$|class \w+(?:\(\w*\))?:)", text, re.MULTILINE):
        return "python"
    if re.search(r"\b(?:const|let|var|function)\s+\w|document\.|=>\s*[{(]", text) or _MODULE_SIGN.search(text):
        return "js"
    if re.search(r"^[^{};\n]*[\w\])*]\s{0,9}\{\s{0,99}[\w-]+\s{0,9}:[^;{}]+;?", text, re.MULTILINE):
        return "css"
    return ""


def _sort_of_code(language: str, text: str) -> Sort:
    if language in _JSX:
        return "react" if is_react(text) or language in {"jsx", "tsx"} else "script"
    if language in _SCRIPT:
        return "react" if is_react(text) else "script"
    if language in _STYLE:
        return "style"
    if language == "json":
        return "data"
    return "foreign"
