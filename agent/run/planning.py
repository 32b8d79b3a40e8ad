"""From a brief to a plan: what it promises, by its requirements (`evaluator.requirements`), and which of that is central."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from evaluator.requirements import Requirement
from evaluator.requirements import asked as asked_for
from evaluator.requirements.classes import Behaviour, role
from evaluator.requirements.grammar import spaceless
from evaluator.requirements.reader import CENTRAL
from tools.evidence.rows import Planned, Promise

Aspect = Literal["feature", "control", "content", "language", "sound", "keyboard", "persistence", "responsive", "motion", "theme"]
ASPECTS: dict[Behaviour, Aspect] = {
    "language": "language",
    "sound": "sound",
    "keyboard": "keyboard",
    "persist": "persistence",
    "responsive": "responsive",
    "animate": "motion",
    "theme": "theme",
    "show": "content",
}
"""Of what is measured otherwise than by acting, or weighs otherwise; all else is a feature."""
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SHORTEST = 3


def make_plan(brief: str, language: str, checklist: Sequence[str] = ()) -> Planned:
    """The promises of a brief, those that a trial could show, with the ids of their requirements; none without a brief.

    Of a checklist that was given its items are the promises.

    `language` is a code as `en` or `zh-CN`.
    """
    if not brief.strip() and not checklist:
        return Planned(domain="unknown", promises=(), order=("there is no brief: everything on the page is tried",))
    asked = asked_for(brief, language, checklist)
    promises = tuple(_promise(requirement) for requirement in asked.testable)
    ranked = sorted(promises, key=lambda promise: not promise.central)
    order = tuple(
        f"{each_promise.id} ({'central' if each_promise.central else each_promise.aspect}) {each_promise.text[:80]}"
        for each_promise in ranked
    )
    nothing = ("the brief names nothing that could be checked one by one: everything on the page is tried",)
    return Planned(domain=asked.whole[:80] or "app", promises=promises, order=order or nothing)


def _promise(asked: Requirement) -> Promise:
    return Promise(
        id=asked.id,
        text=asked.words[:300],
        aspect=ASPECTS.get(asked.behaviour, "feature"),
        central=asked.central >= CENTRAL,
        keywords=keywords(asked.words),
    )


def keywords(text: str) -> tuple[str, ...]:
    """The words that say something: acts, parts of an app and things, each once; of scripts without spaces pairs of signs."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        found += [word[at : at + 2] for at in range(len(word) - 1)] if spaceless(word) else [word]
    telling = (word for word in found if spaceless(word) or len(word) >= _SHORTEST)
    return tuple(dict.fromkeys(word for word in telling if role(word) != "other"))
