"""Which languages a run reads words in, besides English and Chinese, which are known always: those of its brief and of its page.

Short words collide ("die", "on", "no", "comment"), so that the words of a further language count only where the brief or the page
is in it. That is told once a run, from the brief and the first observation, and is part of the plan in the ledger; whoever reads
words asks `spoken`, which each run (exploration and proofs alike) answers from its own plan.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from importlib.resources import files
from typing import NamedTuple, Protocol, TypeVar, TypeVarTuple

ALWAYS = ("en", "zh")
FURTHER = ("de", "fr", "es")
LEAST_DECLARED, LEAST_UNDECLARED, LEAST_AGAINST = 1, 4, 6
"""Telling words that a text must have, each counted once: where its author says it is in this language, nothing, or English."""
SAMPLE = 6000
_WORD = re.compile(r"[^\W\d_]+")

_In = TypeVarTuple("_In")
_Out = TypeVar("_Out")


class Tongues(NamedTuple):
    """Languages beside English and Chinese: those whose words count, and which of them the page is in."""

    further: tuple[str, ...] = ()
    page: str = ""
    """Decides how figures are written (`1.234,56`) and what is typed into fields."""


class Speaker(Protocol):
    """A run, or whatever else knows which languages are spoken."""

    @property
    def tongues(self) -> Tongues:
        """The languages."""
        ...


class _Fixed(NamedTuple):
    tongues: Tongues


_NOBODY = _Fixed(Tongues())
_SPEAKER: ContextVar[Speaker] = ContextVar("speaker", default=_NOBODY)


def spoken() -> Tongues:
    """The languages of the run that asks."""
    return _SPEAKER.get().tongues


@contextmanager
def speaking(who: Speaker | Tongues) -> Iterator[None]:
    """Inside, and in tasks and threads begun inside, words are read as this run (or in these languages) reads them."""
    token = _SPEAKER.set(_Fixed(who) if isinstance(who, Tongues) else who)
    try:
        yield
    finally:
        _SPEAKER.reset(token)


def by_tongues(maxsize: int) -> Callable[[Callable[[*_In], _Out]], Callable[[*_In], _Out]]:
    """`lru_cache` for what depends on the languages spoken: each has its own."""

    def decorate(work: Callable[[*_In], _Out]) -> Callable[[*_In], _Out]:
        kept: dict[Tongues, Callable[[*_In], _Out]] = {}

        @wraps(work)
        def answer(*given: *_In) -> _Out:
            tongues = _SPEAKER.get().tongues
            known = kept.get(tongues)
            if known is None:
                known = kept[tongues] = lru_cache(maxsize=maxsize)(work)
            return known(*given)

        return answer

    return decorate


def tongues_of(brief: str, language: str, page: str = "", declared: str = "") -> Tongues:
    """The further languages of a brief and of a page's text; `language` and `declared` are their codes, "" if unknown."""
    of_brief, of_page = tongue_of(brief, language), tongue_of(page, declared)
    return Tongues(tuple(sorted({of_brief, of_page} - {""})), of_page)


def tongue_of(text: str, declared: str = "") -> str:
    """Which of the further languages a text is in; "" for none of them, and where it cannot be told.

    A declaration alone is not believed: pages keep the `lang` of the template they were made from.
    """
    base = declared.casefold().replace("_", "-").split("-")[0]
    if base not in ("", *ALWAYS, *FURTHER):
        return ""  # one of their relatives, which has most of their short words
    words = frozenset(_WORD.findall(text[:SAMPLE].casefold()))
    told = {name: len(words & telling) for name, telling in _telling().items()}
    best = max(FURTHER, key=lambda name: (told[name], name == base))
    if base in FURTHER and told[base] >= max(LEAST_DECLARED, told["en"], told[best]):
        return base
    least = LEAST_AGAINST if base in ALWAYS else LEAST_UNDECLARED
    return best if told[best] >= max(least, 3 * told["en"] + 1) else ""


@cache
def _telling() -> dict[str, frozenset[str]]:
    """By language: words that none of the others has."""
    folder = files("configs") / "lexicon"
    books = {name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) for name in ("en", *FURTHER)}
    return {name: frozenset(book["telling"]) for name, book in books.items()}
