"""Who does what in trials written by hand: `{ press = "Book", as = "other" }`, `{ visit = "/notes" }`; what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tools.page import assertions as a
from tools.page import trials as t
from tools.page.assertions.others import OF_ONE

AS, OTHER = "as", "other"
PEOPLES = ("visit", "forget")
"""Acts that only people write: which addresses a site has, and who its people are, is not for a model to guess at yet."""
_WORD = re.compile(r"[a-z_]{1,20}")
Made = TypeVar("Made")


class NotATrial(Exception):
    """What is wrong with an entry, in one line. `{}` in `words` is where it quotes `given`; `word` is where in the entry."""

    def __init__(self, words: str, word: str = "", given: Any = "") -> None:
        super().__init__(words.replace("{}", str(given)))
        self.word = word
        self.ours = words.replace("{}", given if isinstance(given, str) and _WORD.fullmatch(given) else "that")
        """The same without what was given, which may be anybody's words; a single plain word says nothing to anyone."""


def for_people(entry: Any) -> t.OwnAct | None:
    """An act that only people write, as it stands in a file: to visit an address, to come as a stranger; None for any other."""
    verb = next((text for text in PEOPLES if isinstance(entry, Mapping) and text in entry), "")
    if not verb:
        return None
    if unknown := [name for name in entry if name != verb]:
        raise NotATrial(f"{verb} has no {{}}", unknown[0], unknown[0])
    if verb == "forget":
        return t.Forget()
    address = entry[verb]
    if address is True:
        return t.Visit()
    if not isinstance(address, str) or not address:
        raise NotATrial('visit is an address, or a path as "/notes"; true is the address that the other person has open', "visit")
    return t.Visit(address=address)


def whose(entry: Any, make: Callable[[Any], Made]) -> tuple[Made, bool]:
    """What an entry says without `as`, and whether it is the other person's. Raises `NotATrial`."""
    if not isinstance(entry, Mapping) or AS not in entry:
        return make(entry), False
    if entry[AS] != OTHER:
        raise NotATrial('as is "other", the second person, and nothing else', AS)
    return make({name: value for name, value in entry.items() if name != AS}), True


def act_of(entry: Any, make: Callable[[Any], t.OwnAct]) -> t.Act:
    """An act, the other person's where it says so."""
    act, others = whose(entry, make)
    return t.ByOther(act=act) if others else act


def assert_of(entry: Any, make: Callable[[Any], a.OwnAssertion]) -> a.Assertion:
    """An assertion, about the other person's page where it says so."""
    assertion, others = whose(entry, make)
    if others and isinstance(assertion, OF_ONE):
        raise NotATrial("{} is not asked of the other person's page", next(iter(entry)), next(iter(entry)))
    return a.SeenByOther(that=assertion) if others else assertion


def peoples(trial: t.Trial) -> bool:
    """Whether there is an act in it that only people write."""
    control = (*trial.control.precondition, *trial.control.acts) if trial.control else ()
    return any(isinstance(t.own_act(act), t.Visit | t.Forget) for act in (*trial.precondition, *trial.acts, *control))
