"""Words of Mermaid that several of its diagram kinds share: escaped labels, safe ids, notes in comments.

Mermaid can't say everything a `Diagram` holds (a hollow diamond on a flowchart's line, a table's rows, "no common direction").
What it can't say is written in comments of the form `%% @node n4 shape=table`, which Mermaid passes over and our reader takes in.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from html.entities import html5

RESERVED = frozenset(
    [
        "end",
        "graph",
        "flowchart",
        "subgraph",
        "style",
        "linkstyle",
        "classdef",
        "class",
        "click",
        "call",
        "href",
        "interpolate",
        "default",
        "direction",
        "state",
        "note",
        "as",
        "statediagram",
        "classdiagram",
        "erdiagram",
        "namespace",
        "title",
        "acctitle",
        "accdescr",
        "o",
        "x",
        "v",
        "u",
        "root",
        "default",
        "tb",
        "bt",
        "lr",
        "rl",
        "td",
        "br",
    ]
)
_PLAIN_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_ESCAPED = frozenset('"#<>&`\\;$%|~*_^[]{}@:')
_NAMED = {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;"}
_ENTITY = re.compile(r"#(\d{1,7}|[A-Za-z][A-Za-z0-9]*);")
_BREAK = re.compile(r"<br\s*/?>|\\n|\n", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_NOTE = re.compile(r"\s*%% @(node|edge|group|flow|title)\b\s*(.*)\Z")
_PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)')


def quoted(label: str) -> str:
    """A label as a Mermaid string, with its quotes. Line breaks become `<br/>`, signs that mean something become entities."""
    lines = ["".join(_sign(character) for character in line) for line in label.split("\n")]
    return '"' + "<br/>".join(_no_list(line) for line in lines) + '"'


def bare(label: str) -> str:
    """A label where Mermaid wants no quotes (behind a colon): the same entities, in one line."""
    return "<br/>".join("".join(_sign(character) for character in line) for line in label.split("\n"))


def _sign(character: str) -> str:
    if character in _ESCAPED:
        return _NAMED.get(character, f"#{ord(character)};")
    return max(character, " ")


def _no_list(line: str) -> str:
    """Mermaid takes `1. text` and `- text` for Markdown lists, which it can't draw."""
    number = re.match(r"\s*(\d+)([.)])(?=\s)", line)
    if number:
        at = number.start(2)
        return f"{line[:at]}#{ord(line[at])};{line[at + 1 :]}"
    bullet = re.match(r"\s*([-+])(?=\s)", line)
    return f"{line[: bullet.start(1)]}#{ord(bullet.group(1))};{line[bullet.end(1) :]}" if bullet else line


def plain(label: str) -> str:
    r"""What a Mermaid label says: without quotes, Markdown back-ticks, tags and entities; line breaks as `\n`."""
    text = label.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        text = text[1:-1]
    if len(text) >= 2 and text[0] == text[-1] == "`":
        text = re.sub(r"(\*\*|__)(.+?)\1", r"\2", text[1:-1])
        text = re.sub(r"(?<!\w)[*_](.+?)[*_](?!\w)", r"\1", text)
    text = html.unescape(_TAG.sub("", _BREAK.sub("\0", text)))
    text = _ENTITY.sub(_entity, text)
    return "\n".join(" ".join(line.split()) for line in text.split("\0")).strip("\n")


def _entity(match: re.Match[str]) -> str:
    """Mermaid's own entities: `#35;` and `#quot;`, HTML's with another first sign. Unknown ones stay as they are."""
    name = match.group(1)
    if name.isdigit():
        number = int(name)
        return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else match.group(0)
    return html5.get(f"{name};", match.group(0))


class Ids:
    """Ids as Mermaid can write them; those it can't are replaced and kept in a note."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._given: dict[str, str] = {}
        taken = {name for name in ids if _fits(name)}
        number = 1
        for name in ids:
            if _fits(name):
                self._given[name] = name
                continue
            while f"id{number}" in taken:
                number += 1
            taken.add(f"id{number}")
            self._given[name] = f"id{number}"

    def __getitem__(self, original: str) -> str:
        """The id to write."""
        return self._given[original]

    def changed(self, original: str) -> bool:
        """Whether it had to be replaced."""
        return self._given[original] != original


def _fits(name: str) -> bool:
    return bool(_PLAIN_ID.match(name)) and name.lower() not in RESERVED and len(name) <= 60


def note(kind: str, subject: str, values: Mapping[str, str]) -> str:
    """A comment line that carries what Mermaid can't say."""
    pairs = " ".join(f"{key}={json.dumps(value, ensure_ascii=True)}" for key, value in values.items())
    return f"%% @{kind} {subject} {pairs}".rstrip()


def read_note(line: str) -> tuple[str, str, dict[str, str]] | None:
    """Kind, subject and values of such a comment, or `None` if the line is none."""
    match = _NOTE.match(line)
    if match is None:
        return None
    subject, _, rest = match.group(2).partition(" ")
    values: dict[str, str] = {}
    for key, value in _PAIR.findall(rest):
        try:
            values[key] = str(json.loads(value)) if value.startswith('"') else value
        except ValueError:
            continue
    return match.group(1), subject, values
