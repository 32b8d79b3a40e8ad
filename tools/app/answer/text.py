"""A model's answer as text: repaired where transport broke it, its thinking set apart, its wrappings taken off."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

MAX_CHARACTERS = 4_000_000
"""No app a model writes in one answer comes near this; longer texts are cut, and it is said."""

_OPENING_THOUGHT = re.compile(
    r"\s*(?:<(think|thinking|thought|reasoning|reflection|analysis)>|(◁)think▷|<\|(begin_of_thought)\|>)", re.IGNORECASE
)
_CLOSING_THOUGHT = re.compile(
    r"</(?:think|thinking|thought|reasoning|reflection|analysis)>|◁/think▷|<\|end_of_thought\|>", re.IGNORECASE
)
_FINAL_CHANNEL = "<|channel|>final<|message|>"
_END_OF_TURN = ("<|end|>", "<|return|>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "</s>", "<end_of_turn>")
_REAL_MARKUP = re.compile(r"<(?:!doctype|html|head|body|div|main|section|svg|script|style|template|canvas)\b", re.IGNORECASE)
_ESCAPED_MARKUP = re.compile(r"&lt;(?:!doctype|html|head|body|div|main|section|svg)\b", re.IGNORECASE)
_FILE_NAME = re.compile(r"[\w@./\\ -]{1,200}\.[A-Za-z0-9]{1,12}\Z")


def clean(text: str) -> tuple[str, list[str]]:
    r"""The text without what transport left in it, and what was done. Nothing an author may have written is changed.

    Byte order marks, null characters and a chat template's end-of-turn marks go, line ends become `\n`, lone surrogates become
    the replacement sign, and control characters U+0080–U+009F, which are Windows-1252 bytes read as Latin-1, what they were.
    """
    notes: list[str] = []
    if len(text) > MAX_CHARACTERS:
        text = text[:MAX_CHARACTERS]
        notes.append(f"the answer was cut after {MAX_CHARACTERS:,} characters")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    for _ in range(8):
        mark = next((mark for mark in _END_OF_TURN if text[-200:].rstrip().endswith(mark)), "")
        text = text.rstrip().removesuffix(mark) if mark else text
    if "\x00" in text:
        text = text.replace("\x00", "")
        notes.append("null characters were removed")
    if any("\x80" <= sign <= "\x9f" for sign in text):
        text = re.sub("[\x80-\x9f]", lambda match: _windows_1252(match.group()), text)
        notes.append("Windows-1252 control characters were turned into the signs they stood for")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        text = text.encode("utf-8", "replace").decode("utf-8")
        notes.append("half characters (lone surrogates) were replaced")
    return text, notes


def _windows_1252(sign: str) -> str:
    try:
        return sign.encode("latin-1").decode("cp1252")
    except UnicodeDecodeError:
        return "\ufffd"


@dataclass(frozen=True)
class Spoken:
    """The answer proper and the thinking before it; either may be empty."""

    answer: str
    thinking: str
    open_ended: bool
    """The thinking was begun and never closed, so `answer` is empty and what there is lies in `thinking`."""


def split_thinking(text: str) -> Spoken:
    """Set the thinking at the head of an answer apart.

    Thinking that was opened ends at the first closing tag: a later one belongs to the app (a page about such tags). Thinking
    whose opening tag the chat template swallowed ends at the first one that stands outside every fence and every document.
    """
    opening = _OPENING_THOUGHT.match(text)
    if opening is not None:
        closing = _CLOSING_THOUGHT.search(text, opening.end())
        if closing is None:
            return Spoken("", text[opening.end() :], open_ended=True)
        rest = split_thinking(text[closing.end() :])
        return Spoken(rest.answer, text[opening.end() : closing.start()] + rest.thinking, rest.open_ended)
    final = text.rfind(_FINAL_CHANNEL)
    if final >= 0 and "<|channel|>" in text[:200]:
        return Spoken(text[final + len(_FINAL_CHANNEL) :], text[:final], open_ended=False)
    for closing in _CLOSING_THOUGHT.finditer(text):
        before, line_end = text[: closing.start()], text[closing.end() :].partition("\n")[0]
        if line_end.strip() and not before.endswith("\n"):
            continue
        if before.count("```") % 2 == 0 and "<!doctype" not in before.lower() and "<html" not in before.lower():
            return Spoken(text[closing.end() :], before, open_ended=False)
    return Spoken(text, "", open_ended=False)


def unescape_whole(text: str) -> str | None:
    """The text with character references resolved, if its markup was escaped as a whole; None where any real markup stands.

    A page that shows code has `&lt;` in it rightly; only a text whose every tag is escaped was escaped by its transport.
    """
    if _REAL_MARKUP.search(text) or not _ESCAPED_MARKUP.search(text):
        return None
    return html.unescape(text)


def unescape_literal(text: str) -> str | None:
    r"""The text with `\n` and `\"` resolved, if it is one line of markup as a JSON string writes it; None otherwise."""
    stripped = text.strip()
    if stripped.count("\n") > 2 or stripped.count("\\n") < 3 or not _REAL_MARKUP.match(stripped.lstrip('"')):
        return None
    body = stripped.removeprefix('"').removesuffix('"')
    try:
        decoded = json.loads('"' + body.replace("\n", "\\n") + '"', strict=False)
    except ValueError:
        return None
    return decoded if isinstance(decoded, str) else None


@dataclass(frozen=True)
class Unwrapped:
    """What a JSON answer held: files by name, or one text that is itself an answer."""

    files: Mapping[str, str]
    text: str


_PARTS = {"html": "index.html", "markup": "index.html", "css": "style.css", "style": "style.css", "styles": "style.css"} | {
    "js": "script.js", "javascript": "script.js", "script": "script.js", "svg": "image.svg", "jsx": "App.jsx", "tsx": "App.tsx",
    "vue": "App.vue",
}  # fmt: skip
_INNER = (
    "answer",
    "content",
    "code",
    "output",
    "result",
    "response",
    "artifact",
    "text",
    "completion",
    "message",
    "choices",
    "data",
)


def unwrap_json(text: str) -> Unwrapped | None:
    """What a JSON answer holds: `{"html": …}`, `{"files": …}`, a map of file names, or a chat reply. None otherwise."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[", '"')):
        return None
    try:
        value = json.loads(stripped, strict=False)
    except (ValueError, RecursionError):
        return None
    return _unwrap(value, depth=0)


def _unwrap(value: object, depth: int) -> Unwrapped | None:
    if depth > 6:
        return None
    if isinstance(value, str):
        return Unwrapped({}, value) if value.strip() else None
    if isinstance(value, list):
        files = _file_list(value)
        if files:
            return Unwrapped(files, "")
        return next((inner for entry in value[:20] if (inner := _unwrap(entry, depth + 1)) is not None), None)
    if not isinstance(value, dict):
        return None
    return _unwrap_object({str(key): entry for key, entry in value.items()}, depth)


def _unwrap_object(value: dict[str, object], depth: int) -> Unwrapped | None:
    inner_files = value.get("files")
    if isinstance(inner_files, dict | list):
        found = _file_map(inner_files) if isinstance(inner_files, dict) else _file_list(inner_files)
        if found:
            return Unwrapped(found, "")
    if isinstance(value.get("scripts"), dict) or "dependencies" in value:
        return None  # a package.json, not a wrapper
    named = _file_map(value)
    if named:
        return Unwrapped(named, "")
    parts = {_PARTS[key.lower()]: text for key, text in value.items() if key.lower() in _PARTS and isinstance(text, str)}
    parts = {name: text for name, text in parts.items() if text.strip()}
    if parts:
        return Unwrapped(parts, "")
    for key in _INNER:
        if key in value and (inner := _unwrap(value[key], depth + 1)) is not None:
            return inner
    return None


def _file_map(value: dict[str, object]) -> dict[str, str]:
    """A map of file names to texts, or to objects that hold the text."""
    found: dict[str, str] = {}
    for name, entry in value.items():
        text = (
            next((entry[key] for key in ("content", "code", "text", "contents") if key in entry), "")
            if isinstance(entry, dict)
            else entry
        )
        if _FILE_NAME.fullmatch(str(name)) and isinstance(text, str) and text.strip():
            found[str(name)] = text
    return found


def _file_list(value: list[object]) -> dict[str, str]:
    """A list of objects with a name and a text each."""
    found: dict[str, str] = {}
    for entry in value:
        if not isinstance(entry, dict):
            continue
        name = next((entry[key] for key in ("path", "name", "filename", "file", "filePath", "file_path") if key in entry), "")
        text = next((entry[key] for key in ("content", "code", "text", "contents", "source") if key in entry), "")
        if isinstance(name, str) and isinstance(text, str) and name and text.strip():
            found[name] = text
    return found
