"""Whether the brief asks that something is kept."""

from __future__ import annotations

from evaluator.relations.base import Ground
from evaluator.relations.shape import likeness, usable
from evaluator.requirements.classes import role
from evaluator.requirements.deeds import does
from evaluator.requirements.splitting import words_of
from tools.page.assertions import Assertion, Target
from tools.page.parts import Part
from tools.page.trials import Act, Control, Press, Wait

KEPT = (
    "It is still there after a reload",
    "Survives a reload of the page",
    "Kept until the next visit",
    "Saved in the browser",
    "Remembered when I come back later",
    "Stored in localStorage",
    "No data is lost when the page is reloaded",
)
EVERYTHING = (
    "Everything must survive a reload",
    "Everything is remembered",
    "All data is still there after a refresh",
    "Everything is kept in the browser",
    "All of it is saved in the browser",
    "The list is still there after a reload",
    "Items survive a reload",
    "Entries are still there after a reload",
    "State persists between sessions",
    "Alles ist nach dem Neuladen noch da",
    "Todo se conserva al recargar la página",
    "Tout est encore là après un rechargement",
    "刷新后所有内容都还在",
)
ONE_THING = (
    "The cart must survive a reload",
    "The high score is kept",
    "A half-filled form survives a reload",
    "The theme is remembered",
    "The draft is still there after a refresh",
    "The settings are saved in the browser",
    "Der Warenkorb ist nach dem Neuladen noch da",
    "El récord se conserva al recargar",
    "Le panier est encore là après un rechargement",
    "刷新后购物车还在",
    "Keep everything on one page",
    "Everything in a single file",
    "Mark everything as done",
    "Delete everything",
    "Everything works on a phone",
    "Everything is updated at once",
    "Everything is easy to read",
)
SURE, WHOLE, APART = 0.5, 0.5, 0.1
"""How near words must be to asking to keep something, and everything; by how much nearer to that than to keeping one thing, or to
saying something else of everything."""
SHORTEST = 3
"""A word that names a thing has so many letters, at least."""
_KEEPING = frozenset(word.casefold().removesuffix("s") for phrase in (*KEPT, "Survive") for word in words_of(phrase))
"""What asking to keep is said with names no thing."""
STORED_LATER_MS = 10_000
"""App time after which also what waits for a pause is stored."""


def asked_to_keep(ground: Ground, *parts: Part) -> tuple[str, ...]:
    """Ids of requirements that surely ask to keep what these parts hold, or everything.

    Most apps that store nothing keep their things in memory by design; one whose brief asks for it does not. What asks for one
    thing (a high score) asks for no other.
    """
    words, about = ground.asked.words(), set(ground.asked.about(*parts))
    sure = {name for name in ground.asked.of("persist") if likeness(words[name], *KEPT) >= SURE}
    things = frozenset[str]().union(*(_things(words[name]) for name in about))
    meant = {name for name in sure if name in about or ((named := _things(words[name])) and named <= things)}
    return tuple(name for name in words if name in meant or _everything(words[name]))


def _things(text: str) -> frozenset[str]:
    """What a requirement names: "notes" of "add notes" is what "notes are saved in localStorage" is about, too."""
    words = {word.casefold() for word in words_of(text) if len(word) >= SHORTEST and role(word) == "thing"}
    return frozenset(word.removesuffix("s") for word in words) - _KEEPING


def _everything(words: str) -> bool:
    whole = likeness(words, *EVERYTHING)
    return whole >= WHOLE and whole - likeness(words, *ONE_THING) >= APART


def kept_later(ground: Ground, acts: tuple[Act, ...], kept: Assertion) -> Control:
    """The control where keeping is asked for: whether it is kept once somebody has pressed what saves, if that is, and waited."""
    return Control(
        explains="it is stored a while later, or when it is saved", acts=(*acts, *saved_and_waited(ground)), asserts=(kept,)
    )


def saved_and_waited(ground: Ground) -> tuple[Act, ...]:
    """Press what saves, if that is, and wait for what stores later. What sends a form is no such thing."""
    page, sends = ground.page, {form.submit for form in ground.page.forms}
    free = (
        button for button in page.buttons if usable(button) and button.item < 0 and not button.layer and button.key not in sends
    )
    saves = next((button for button in free if does(button, "save", page=page)), None)
    save = (Press(target=Target.of(saves, page)),) if saves is not None else ()
    return (*save, Wait(app_ms=STORED_LATER_MS))
