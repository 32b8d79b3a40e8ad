"""By behaviour: which components a requirement concerns, and what of a trial would show whether it is met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaluator.requirements.classes import Behaviour


@dataclass(frozen=True)
class Showing:
    """Kinds of parts (`tools.page.model.KINDS`), of assertions and of acts (`kind` of each)."""

    concerns: tuple[str, ...] = ()
    asserts: tuple[str, ...] = ()
    """One of these must have been judged; none: no assertion shows it."""
    acts: tuple[str, ...] = ()
    """One of these must have been done; none: any will do."""
    lists: Literal["grow", "shrink", ""] = ""
    """Which way a list goes that shows it."""


def _showing(concerns: str, asserts: str, acts: str = "", lists: Literal["grow", "shrink", ""] = "") -> Showing:
    return Showing(*(tuple(filter(None, map(str.strip, words.split(",")))) for words in (concerns, asserts, acts)), lists=lists)


_DONE = "press, fill form, keys, choose, switch, point"
_TYPED = f"{_DONE}, fill, paste"
_STATE = "is on, chosen, has value, changes, moves, gone, appears, contains, loses"
_LEFT = "subset, contains, count, count by, same items, lists, new items"
SHOWINGS: dict[Behaviour, Showing] = {
    "add": _showing(
        "forms, fields, buttons, collections, choices",
        "contains, count by, count, appears, kept after reload, listed at most",
        _DONE,
        "grow",
    ),
    "edit": _showing(
        "buttons, fields, choices, collections, links",
        "contains, has value, amount is, chosen, changes, same items, replaces, only item",
        f"{_DONE}, fill",
    ),
    "delete": _showing("buttons", "loses, lists, gone, count by, count, contains, only item", _DONE, "shrink"),
    "mark": _showing("buttons, toggles", f"{_STATE}, count by, only item", _DONE),
    "search": _showing("fields, forms", _LEFT, "fill, fill form, keys, paste"),
    "filter": _showing("choices, fields, toggles, buttons", _LEFT, f"{_DONE}, fill"),
    "sort": _showing("choices, fields, buttons, toggles", "order, same items"),
    "show": _showing(
        "collections, texts, figures, surfaces, links",
        "appears, contains, count, has value, in view, legible, makes sense, changes, changes beside, noticed",
    ),
    "calculate": _showing(
        "figures, fields",
        "has value, total of, count, amount is, count of, shows amount, sensible, makes sense, changes beside",
    ),
    "validate": _showing(
        "fields, forms", "says error, unchanged, enabled, count by, count, contains, none added, refused, in range", _TYPED
    ),
    "persist": _showing("", "kept after reload, stays, stores"),
    "navigate": _showing("links, buttons, choices", "navigates, appears, in view, changes, noticed", f"{_DONE}, back"),
    "choose": _showing(
        "fields, choices, toggles, buttons", "chosen, has value, is on, changes, changes beside, noticed", f"{_DONE}, fill"
    ),
    "open": _showing("buttons, links", "appears, gone, changes, noticed", f"{_DONE}, hover"),
    "play": _showing("buttons", "moves, still, changes, has value, appears, gone, pace, goes on, noticed, unchanged", _DONE),
    "drag": _showing("collections, surfaces", "order, contains, loses, changes, chosen", "point"),
    "draw": _showing("surfaces", "changes, unchanged, still, drawn at", "point, press"),
    "sound": _showing("buttons, toggles, fields", "sounds"),
    "keyboard": _showing(
        "", f"{_STATE}, noticed, unchanged, still, navigates, count by, count, order, says error, enabled", "keys"
    ),
    "animate": _showing("surfaces", "moves, still, changes, pace, goes on"),
    "theme": _showing("buttons, toggles, choices, fields", "changes, is on, chosen, noticed, legible, kept after reload", _DONE),
    "language": _showing("buttons, choices, links, fields", "changes, appears, chosen, has value", _DONE),
    "responsive": _showing("", "in view, appears, legible", "resize"),
    "transfer": _showing("buttons, links, fields", "appears, contains, changes, count by, noticed", f"{_DONE}, upload, paste"),
    "undo": _showing("buttons", "restored, unchanged, contains, same items, has value, count, count by", _DONE),
    "account": _showing("buttons, links, forms, fields", "appears, gone, navigates, says error", _DONE),
    "notify": _showing("toggles", "appears, says error"),
    "chart": _showing("surfaces", "appears, changes, in view, makes sense"),
    "timer": _showing("figures", "moves, still, has value, changes, pace, goes on"),
    "submit": _showing(
        "forms, buttons, fields", "appears, contains, navigates, says error, count by, changes, gone, noticed", _DONE
    ),
    "style": Showing(),
    "technique": Showing(),
    "whole": _showing("", "appears, contains, count by, changes, moves, has value, navigates, chosen, is on"),
}
