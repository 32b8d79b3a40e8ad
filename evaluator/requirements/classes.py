"""What a phrase is about and what a word is in its sentence, by the linear classifiers that `learning.py` fitted."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, get_args

import numpy as np

from tools.meaning import encoder

Behaviour = Literal[
    "add", "edit", "delete", "mark", "search", "filter", "sort", "show", "calculate", "validate", "persist", "navigate", "choose",
    "open", "play", "drag", "draw", "sound", "keyboard", "animate", "theme", "language", "responsive", "transfer", "undo",
    "account", "notify", "chart", "timer", "submit", "style", "technique", "whole",
]  # fmt: skip
"""What a requirement is about. `show`: contents and parts of the page; `mark`: the state of an item; `calculate`: figures worked out;
`submit`: sent to somebody; `whole`: the app as such; `style` and `technique`: wishes that no trial shows."""
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)
Role = Literal["act", "part", "thing", "other"]
"""A verb; a component of an app; a name of data; what only binds a sentence together."""


@cache
def _learned() -> dict[str, np.ndarray]:
    with (files("evaluator.requirements") / "learned.npz").open("rb") as file:
        return dict(np.load(file, allow_pickle=False))


def _scores(kind: str, text: str) -> dict[str, float]:
    learned = _learned()
    scores = encoder().encode([text])[0] @ learned[kind][:-1] + learned[kind][-1]
    return {str(name): float(score) for name, score in zip(learned[f"{kind}_names"], scores, strict=True)}


@lru_cache(maxsize=20_000)
def behaviours(text: str) -> dict[str, float]:
    """Score of each behaviour, and of `context` (what asks for nothing), about −1 to 1."""
    return _scores("behaviours", text)


@lru_cache(maxsize=20_000)
def roles(text: str) -> dict[str, float]:
    """Score of each role that a word or short phrase may have, about −1 to 1."""
    return _scores("words", text)


def role(text: str) -> Role:
    """The likeliest."""
    scores = roles(text)
    return max(get_args(Role), key=lambda one: scores[one])
