"""What a control is there for, by the meaning of its name: in any of the encoder's languages, from a closed list of deeds."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal, get_args

import numpy as np

from tools.meaning import Meaning
from tools.page.model import PageModel
from tools.page.parts import Button, Collection, Layer, Link, Part

Deed = Literal[
    "add", "delete", "edit", "save", "cancel", "undo", "redo", "clear", "reset", "start", "pause", "stop", "resume", "next",
    "previous", "search", "sort", "play sound", "mute", "log in", "log out", "sign up", "export", "share", "close", "agree",
    "play again", "theme", "send", "order", "settings",
    "more", "less", "play", "move up", "move down",
]  # fmt: skip

SURE = 0.5
"""Least likeness of a name with the nearest example of a deed."""
APART = 0.06
"""By which the deed must be nearer than the next one; deeds that are said alike count as one here."""

_EXAMPLES: dict[Deed, tuple[str, ...]] = {
    "add": ("Add", "Add a new item", "Create", "New entry", "Add to the list", "Add a song", "Add a book", "Enter hours worked"),
    "delete": ("Delete", "Remove this item", "Trash", "Discard", "Remove the song", "Delete the entry"),
    "edit": ("Edit", "Change", "Rename"),
    "save": ("Save", "Save changes", "Update"),
    "cancel": ("Cancel", "Never mind"),
    "undo": ("Undo", "Take back the last step"),
    "redo": ("Redo", "Do it again after undo"),
    "clear": ("Clear", "Clear all", "Empty the list"),
    "reset": ("Reset", "Reset to the start", "Restore defaults"),
    "start": ("Start", "Begin", "Start the game", "Start the timer"),
    "pause": ("Pause", "Hold on"),
    "stop": ("Stop", "End now"),
    "resume": ("Resume", "Continue"),
    "next": ("Next", "Next page", "Go on"),
    "previous": ("Previous", "Previous page", "Back"),
    "search": ("Search", "Find"),
    "sort": ("Sort by", "Order by"),
    "play sound": ("Play sound", "Play the music", "Listen"),
    "mute": ("Mute", "Sound off"),
    "log in": ("Log in", "Sign in"),
    "log out": ("Log out", "Sign out"),
    "sign up": ("Sign up", "Register", "Create an account"),
    "export": ("Download", "Export", "Print", "Save as a file"),
    "share": ("Share", "Copy", "Copy the link"),
    "close": ("Close", "Dismiss"),
    "agree": ("OK", "Yes", "Confirm", "Yes, do it"),
    "play again": ("Play again", "New game", "Try again", "Restart"),
    "theme": ("Dark mode", "Switch the theme", "Light mode", "Dark theme", "Light theme"),
    "send": ("Send", "Submit", "Post a comment", "Publish"),
    "order": ("Book now", "Reserve", "Buy", "Order"),
    "settings": ("Settings", "Preferences", "Options"),
    "more": ("Load more", "Show more"),
    "less": ("Show less", "Show fewer", "Collapse"),
    "play": ("Play", "Run", "Play the animation"),
    "move up": ("Move up", "Move this item up", "One place up"),
    "move down": ("Move down", "Move this item down", "One place down"),
}
"""`play` goes on as well as begins: what was counted need not be nothing after it, as it is after `start`."""
_PLACES = ("List", "Grid", "Board", "Table", "Today", "Home", "Items", "Overview", "Left", "Right")
"""Names of views and of days, which lead somewhere and do nothing else: "list" was near to *Empty the list*."""
_ALIKE: tuple[frozenset[Deed], ...] = (
    frozenset({"start", "play again", "resume", "play"}),
    frozenset({"play", "play sound"}),
    frozenset({"delete", "clear"}),
    frozenset({"send", "save", "add", "order"}),
    frozenset({"cancel", "close"}),
    frozenset({"next", "more"}),
)
_SAID: dict[str, Deed] = {
    **{text.casefold(): deed for deed, texts in _EXAMPLES.items() for text in texts},
    "up": "move up", "down": "move down", "play/pause": "play", "播放": "play sound", "再生": "play sound",
    "login": "log in", "logout": "log out", "log off": "log out", "signup": "sign up", "anmelden": "log in",
    "abmelden": "log out", "abbrechen": "cancel", "annuler": "cancel", "rückgängig": "undo", "rückgängig machen": "undo",
    "deshacer": "undo", "撤销": "undo",
    "清除": "clear", "清空": "clear", "清除筛选": "clear", "重置": "reset",
    "anlegen": "add", "eintragen": "add", "neu": "add", "log entry": "add", "übernehmen": "save", "enregistrer": "save",
    "anhalten": "pause", "weiter": "next", "start over": "play again", "new round": "play again", "empty cart": "clear",
    "checkout": "order", "check out": "order", "place order": "order", "order now": "order", "pay now": "order",
}  # fmt: skip
"""What is said in these very words needs no likeness: "Sign up" and "Sign out" are nearer to each other than what is apart. Words
of other languages stand here where the encoder takes them for something else; as examples they would draw their neighbours along:
with "Anmelden" (log in) "Send report" was near to nothing."""
_FIRST: dict[str, Deed] = {
    "add": "add", "delete": "delete", "remove": "delete", "edit": "edit", "rename": "edit", "pause": "pause", "undo": "undo",
    "redo": "redo",
}  # fmt: skip
"""What a name that begins so is for where the whole is near to nothing, or only to what is done so to: "Add timer"."""
_SIGNS: dict[str, Deed] = {
    "+": "add", "＋": "add", "➕": "add", "🗑": "delete", "✎": "edit", "✏": "edit", "🖉": "edit", "💾": "save",
    "↶": "undo", "⟲": "undo", "↷": "redo", "⟳": "redo", "▶": "start", "⏵": "start", "⏸": "pause", "⏹": "stop", "🔍": "search",
    "↑": "move up", "↓": "move down",
    "🔇": "mute", "🔊": "mute", "🌙": "theme", "☀": "theme", "⚙": "settings", "⬇": "export",
}  # fmt: skip
"""Signs that stand for one deed wherever they are a control's whole name. A cross is not here: it closes or deletes."""
_CROSSES = frozenset("×✕✖✗✘⨯╳xX")
"""In an item of a list they take it away."""

_SIGN_BESIDE = re.compile(r"^[^\w\s]+\s+|\s+[^\w\s]+$")
"""A sign or two before or after words: `▶ Play`, `Next →`."""

_ICONS: dict[str, Deed] = {
    "trash": "delete", "trash 2": "delete", "trash alt": "delete", "trash can": "delete", "bin": "delete",
    "pencil": "edit", "pen": "edit", "edit": "edit", "edit 2": "edit", "edit 3": "edit", "square pen": "edit", "pen line": "edit",
    "pen square": "edit", "pencil square": "edit", "pen to square": "edit", "pencil alt": "edit", "plus": "add",
    "circle plus": "add", "plus circle": "add", "save": "save", "floppy disk": "save", "search": "search",
    "magnifying glass": "search", "undo": "undo", "undo 2": "undo", "redo": "redo", "redo 2": "redo",
    "play": "start", "pause": "pause", "moon": "theme", "sun": "theme", "volume x": "mute",
    "volume 2": "mute", "settings": "settings", "gear": "settings", "cog": "settings", "download": "export",
    "send": "send", "paper plane": "send", "log out": "log out", "logout": "log out", "sign out alt": "log out",
    "right from bracket": "log out", "arrow right from bracket": "log out", "log in": "log in", "login": "log in",
    "sign in alt": "log in", "right to bracket": "log in",
}  # fmt: skip
"""The same of pictures, by what icon sets call them, for controls that nobody named. "Delete" is not here: some sets draw the key
that takes a letter back."""


@cache
def _meaning() -> Meaning:
    return Meaning()


@cache
def deed_of(name: str) -> Deed | None:
    """The deed that a control of that name is for; None where that is not sure."""
    bare = name.strip().replace("\ufe0f", "")
    if not bare:
        return None
    if bare in _SIGNS:
        return _SIGNS[bare]
    bare = _SIGN_BESIDE.sub("", bare)
    if not any(letter.isalpha() for letter in bare):
        return None
    if bare.casefold() in _SAID:
        return _SAID[bare.casefold()]
    deeds, texts = zip(*((deed, text) for deed, texts in _EXAMPLES.items() for text in texts), strict=True)
    row = _meaning().table([bare], texts)[0]
    if " " not in bare and float(np.max(_meaning().table([bare], _PLACES))) >= float(np.max(row)):
        return None
    nearest = {
        deed: float(np.max(row[[at for at, each_deed in enumerate(deeds) if each_deed == deed]])) for deed in get_args(Deed)
    }
    best = max(nearest, key=lambda deed: nearest[deed])
    alike = next((group for group in _ALIKE if best in group), frozenset({best}))
    other = max(value for deed, value in nearest.items() if deed not in alike)
    sure = nearest[best] >= SURE and nearest[best] - other >= APART
    first = _FIRST.get(bare.split()[0].casefold())
    return first if first is not None and (not sure or first not in alike) else best if sure else None


def does(part: Part, *deeds: Deed, page: PageModel | None = None) -> bool:
    """Whether a control is surely for one of these deeds. With its page, the words of its item are no part of its name."""
    if isinstance(part, Button) and not part.name:
        return _ICONS.get(part.icon) in deeds
    name = part.name if page is None else bare_name(part, page)
    if isinstance(part, Button) and part.item >= 0 and name.strip() in _CROSSES:
        return "delete" in deeds
    return isinstance(part, Button | Link | Layer) and deed_of(name) in deeds


def bare_name(part: Part, page: PageModel) -> str:
    """A control's name without the words of the item that it stands in: `Delete Rain jacket` → `Delete`."""
    listed = page.of(part.collection) if part.collection else None
    if not isinstance(listed, Collection) or not 0 <= part.item < len(listed.items):
        return part.name
    words = (*(cell.text for cell in listed.items[part.item].cells), *page.words_of_item(part.collection, part.item))
    return _without(part.name, tuple(word for word in words if len(word) > 2))


@lru_cache(maxsize=4096)
def _without(whole: str, cells: tuple[str, ...]) -> str:
    """A name without the words of cells, the longest first; the whole name where nothing else is left."""
    name = whole
    for cell in sorted(cells, key=len, reverse=True):
        at = name.casefold().find(cell.casefold())
        if at >= 0 and len(cell) < len(name):
            name = f"{name[:at]} {name[at + len(cell) :]}"
    return " ".join(name.split()).strip(" :–-\"'“”") or whole
