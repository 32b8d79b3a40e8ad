"""Taking the app out of a raw model answer. Pure functions: text in, files out, nothing read, written or run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from tools.app.answer.assembly import assemble
from tools.app.answer.bundles import OPENING, files_added, tagged_files
from tools.app.answer.fences import Block, split
from tools.app.answer.pieces import Piece, guess_language, is_fragment, is_react, is_vue, pages_in, pieces_of
from tools.app.answer.text import clean, split_thinking, unescape_literal, unescape_whole, unwrap_json
from tools.app.artifact import Artifact, nothing
from tools.app.markup import KNOWN_TAGS, document_starts, svg_extent, tags

__all__ = ["Artifact", "extract"]


def extract(answer: str) -> Artifact:
    """The app in an answer. Never raises; an answer without one gives kind `none` with what was seen in the notes."""
    text, notes = clean(answer)
    spoken = split_thinking(text)
    found = _read(spoken.answer, depth=0)
    if found.kind == "none" and spoken.thinking:
        thought = _read(spoken.thinking, depth=0)
        if thought.kind != "none":
            where = "thinking that was never closed" if spoken.open_ended else "the thinking; the answer after it holds no app"
            found = replace(thought, notes=(f"the app was found in {where}", *thought.notes))
    elif found.kind != "none" and spoken.thinking:
        notes.append("thinking before the answer was set aside")
    return replace(found, notes=(*notes, *found.notes))


def _read(text: str, depth: int) -> Artifact:
    """The app in a text whose thinking is off; wrappings are taken off one after another."""
    if not text.strip() or depth > 4:
        return nothing()
    unwrapped = unwrap_json(text)
    if unwrapped is not None and unwrapped.files:
        return _noting("the answer was wrapped in JSON", assemble(list(_of_files(unwrapped.files))))
    if unwrapped is not None:
        return _noting("the answer was wrapped in JSON", _read(unwrapped.text, depth + 1))
    literal = unescape_literal(text)
    if literal is not None:
        return _noting("the answer was written as a JSON string; its escapes were resolved", _read(literal, depth + 1))
    whole = unescape_whole(text)
    if whole is not None:
        return _noting("all markup was escaped (&lt;); it was unescaped once", _read(whole, depth + 1))
    files = _bundled(text)
    if files:
        found = assemble(list(_of_files(files)))
        if found.kind != "none":
            return found
    return _of_markdown(text, depth)


def _noting(note: str, artifact: Artifact) -> Artifact:
    return artifact if artifact.kind == "none" else replace(artifact, notes=(note, *artifact.notes))


def _of_files(files: dict[str, str] | object) -> Iterable[Piece]:
    for name, text in dict(files).items() if isinstance(files, dict) else ():
        yield from pieces_of(Block("", name, text, closed=True, line=0))


def _bundled(text: str) -> dict[str, str]:
    """Tagged or patched files – if their tags stand in the answer itself and not inside a page it contains."""
    files = tagged_files(text)
    if files:
        first = OPENING.search(text)
        starts = document_starts(text, limit=1)
        return {} if starts and first is not None and starts[0] < first.start() else files
    return files_added(text)


def _of_markdown(text: str, depth: int) -> Artifact:
    taken = split(text)
    pieces = [piece for block in taken.blocks for piece in pieces_of(block)]
    wrapped = [block for block in taken.blocks if block.language in {"json", ""}]
    if len(taken.blocks) == len(wrapped) == 1 and (inner := unwrap_json(wrapped[0].text)) is not None:
        return _read(wrapped[0].text, depth + 1) if inner.files or inner.text else nothing()
    shown = {"page", "fragment", "react", "vue", "svg"} & {piece.sort for piece in pieces}
    pieces += _raw_pages(taken.prose, rivals=bool(shown))
    if not shown and not any(piece.sort == "page" for piece in pieces):
        pieces += _raw_pieces(taken.prose)
    return assemble(pieces)


def _raw_pages(prose: str, *, rivals: bool) -> list[Piece]:
    """Pages written into the prose without a fence. Beside fenced code an unfinished one is but a mention of a tag."""
    found: list[Piece] = []
    for piece in pages_in(prose, closed=False):
        at = prose.find(piece.text[:40].rstrip("\n"))
        mentioned = at > 0 and prose[at - 1] == "`"
        elements = sum(1 for tag in tags(piece.text) if tag.kind == "open")
        if mentioned or elements < 2 or (rivals and not piece.complete):
            continue
        found.append(piece)
    return found


def _raw_pieces(prose: str) -> list[Piece]:
    """A picture, component or fragment written without a fence."""
    stripped = prose.strip()
    opening = re.search(r"(?<!`)<svg[\s>]", prose, re.IGNORECASE)
    if is_vue(stripped):
        return [Piece("vue", "", stripped + "\n", "vue", complete=True)]
    code = _code_part(stripped)
    if code and is_react(code) and re.search(r"\bexport\s+default\b|^\s*import\s", code, re.MULTILINE):
        return [Piece("react", "", code + "\n", "tsx" if _typed(code) else "jsx", complete=True)]
    fragment = _raw_fragment(prose)
    if opening is not None and (not fragment or fragment.lower().startswith("<svg")):
        extent = svg_extent(prose, opening.start())
        return [Piece("svg", "", prose[opening.start() : extent.end] + "\n", "svg", extent.complete)]
    if fragment:
        return [Piece("fragment", "", fragment + "\n", "html", complete=True)]
    if (
        guess_language(stripped) == "js"
        and stripped.endswith((";", "}", ")"))
        and re.match(r"(?://|/\*|const|let|var|function|document|window|\()", stripped)
    ):
        return [Piece("script", "", stripped + "\n", "js", complete=True)]
    return []


def _typed(code: str) -> bool:
    return (
        re.search(
            r"\binterface\s+\w+\s*\{|:\s*(?:string|number|boolean|React\.\w+)\b|useState<|\bas\s+const\b|\btype\s+\w+\s*=", code
        )
        is not None
    )


def _code_part(text: str) -> str:
    """A component without a fence: from its first import or declaration to its last closing brace or semicolon."""
    first = re.search(r"^(?:[\"']use client[\"']|import\s|export\s|const\s|function\s)", text, re.MULTILINE)
    if first is None:
        return ""
    body = text[first.start() :]
    last = max(body.rfind("\n}"), body.rfind(";"))
    end = body.find("\n", last + 1)
    return body if last < 0 or end < 0 else body[: end + 1].rstrip()


def _raw_fragment(prose: str) -> str:
    """The markup of an unfenced fragment: from the first known element at a line's start to the last tag."""
    first = last = -1
    for tag in tags(prose):
        if tag.name not in KNOWN_TAGS:
            continue
        at_line_start = not prose[prose.rfind("\n", 0, tag.start) + 1 : tag.start].strip()
        if first < 0 and not (tag.kind == "open" and at_line_start and tag.name not in _INLINE):
            continue
        first = tag.start if first < 0 else first
        last = tag.content[1] if tag.content is not None else tag.end
    fragment = prose[first:last] if first >= 0 else ""
    return fragment if is_fragment(fragment) and fragment.count("</") >= 1 else ""


_INLINE_NAMES = "a b i u s em strong small sub sup code br wbr q mark kbd samp var hr img p"
_INLINE = frozenset(_INLINE_NAMES.split())
