"""How things on a page are named: for people in a sentence, and for comparing one sighting with another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from tools.page.parts import Part
from tools.text import printable

_POSITION = re.compile(r":nth-(?:last-)?(?:child|of-type)\([^)]*\)|:(?:first|last|only)-(?:child|of-type)")
_QUOTED = re.compile(r""""([^"]*)"(?=\s|$)""")
_DIGITS = re.compile(r"\d+")
TITLE_LENGTH = 160
NAME_LENGTH = 60


def clean(text: str, limit: int = TITLE_LENGTH) -> str:
    """Text of the page made fit for one line of at most `limit` characters; the raw text stays in the ledger."""
    return printable(text[: limit * 8], limit)


def stem(selector: str) -> str:
    """A selector without positions and numbers: equal for the cards of one list, the cells of one board."""
    return _DIGITS.sub("#", _POSITION.sub("", selector)).strip()


def name_stem(name: str) -> str:
    """A name without numbers and case: equal for `Delete item 3` and `Delete item 4`."""
    return unnumbered(clean(name).casefold())


def unnumbered(name: str) -> str:
    """A name with its numbers left open: how many there are makes no other name."""
    return _DIGITS.sub("#", name)


def path_of(url: str) -> str:
    """Path and query of an address, without host and fragment, so that it is the same on every port."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def place_of(thing: Mapping[str, Any] | Part) -> str:
    """Where a part of the page, a mark or a target is: its selector, its frame's before it (`iframe >>> #add`)."""
    if isinstance(thing, Part):
        selector, frame = thing.selector, thing.frame
    else:
        selector, frame = str(thing.get("selector", "")), str(thing.get("frame", ""))
    return f"{frame} >>> {selector}" if frame and selector else selector


def label(role: str, name: str, selector: str) -> str:
    """A thing in words: `button “Add”`; its selector when it has no name."""
    if name.strip():
        return f"{clean(role, 30) or 'element'} “{clean(name, NAME_LENGTH)}”"
    if selector.strip():
        return f"{clean(role, 30) + ' ' if role.strip() else ''}{clean(selector, NAME_LENGTH)}"
    return clean(role, 30) or "the page"


def in_words(description: str) -> str:
    """An act's description with typographic quotation marks, so that it can stand within a sentence."""
    return _QUOTED.sub(r"“\1”", clean(description, 100))


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
