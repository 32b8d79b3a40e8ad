"""Parts that somebody named without having seen the page: several of one name, and what is there instead of none."""

from __future__ import annotations

from urllib.parse import urljoin

from agent.trials.stops import Stop
from tools.page.assertions import Target
from tools.page.assertions.anywhere import bearing, plain_words
from tools.page.model import PageModel
from tools.page.parts import Part
from tools.page.trials import Visit
from tools.text import printable

MOST_NAMES = 10
_USED = ("buttons", "links", "toggles", "choices", "fields")


def topmost(target: Target, page: PageModel, kinds: tuple[str, ...]) -> Part | None:
    """Of several parts of the very name the first in what lies on top: a dialog's button, not the one beneath that opened it.

    None where only one has the name, or something else tells which is meant.
    """
    if target.key or target.within:
        return None
    words = plain_words(target.name)
    found = [
        part for part in bearing(target, page, _kinds(target, kinds)) if plain_words(part.name) == words and not part.covered
    ]
    order = {layer.key: number for number, layer in enumerate(page.layers, 1) if layer.kind != "toast"}
    return max(found, key=lambda part: order.get(part.layer, 0)) if len(found) > 1 else None


def first_of_name(target: Target, page: PageModel, kinds: tuple[str, ...]) -> Part | None:
    """Of several parts that are called the same, the first that can be used: which of them is all one to who named it so.

    None where a key means one part, or those that bear its words are called differently.
    """
    if target.key:
        return None
    found = [part for part in bearing(target, page, _kinds(target, kinds)) if not part.covered]
    exact = [part for part in found if plain_words(part.name) == plain_words(target.name)]
    found = exact or found
    return found[0] if found and len({plain_words(part.name) for part in found}) == 1 else None


def worded(target: Target, page: PageModel) -> Part | None:
    """The first text on the page that has the words, for what the pointer rests on."""
    words = plain_words(target.name)
    return next((text for text in page.texts if words and words in plain_words(text.text) and not text.covered), None)


def instead(target: Target, page: PageModel, kinds: tuple[str, ...]) -> str:
    """What is there instead: those whose names have its words, else all of its kind that can be used; begins with `; `."""
    if target.key:
        return ""
    of_kind = _kinds(target, kinds)
    several = [part for part in bearing(target, page, of_kind) if not part.covered]
    there = several or [item for kind in of_kind for item in getattr(page, kind) if not item.covered]
    names = list(dict.fromkeys(f'"{printable(part.name, 40)}"' for part in there if part.name))
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"; {'several bear its name' if several else 'there are'}: {', '.join(names[:MOST_NAMES])}{more}"


def _kinds(target: Target, kinds: tuple[str, ...]) -> tuple[str, ...]:
    own = (target.kind,) if target.kind in _USED else ()
    return tuple(dict.fromkeys((*own, *kinds))) or _USED


def address_of(act: Visit, page: PageModel, followed: str) -> str:
    """The address that is visited from a page; `followed`: the one that the other of two persons has open. Raises `Stop`."""
    address = urljoin(page.url, act.address) if act.address else followed
    if not address:
        raise Stop("target gone", "there is no other person whose address could be opened")
    return address
