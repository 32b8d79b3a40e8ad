"""What a phrase is about and what a word is in its sentence, by the classifiers that `learning.py` fitted."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, get_args

import numpy as np

from evaluator.requirements.learning import STEPS, kernel
from tools.encoder import encoder

Behaviour = Literal[
    "add", "edit", "delete", "mark", "search", "filter", "sort", "show", "calculate", "validate", "persist", "navigate", "choose",
    "open", "play", "drag", "draw", "sound", "keyboard", "animate", "theme", "language", "responsive", "transfer", "undo",
    "account", "notify", "chart", "timer", "submit", "style", "technique", "whole",
]  # fmt: skip
"""What a requirement is about. `show`: contents and parts of the page; `mark`: the state of an item; `calculate`: figures worked
out; `submit`: sent to somebody; `whole`: the app as such; `style` and `technique`: wishes that no trial shows."""
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)
Role = Literal["act", "part", "thing", "other"]
"""A verb; a component of an app; a name of data; what only binds a sentence together."""


@cache
def _learned(kind: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    with (files("evaluator.requirements") / "learned.npz").open("rb") as file:
        book = np.load(file, allow_pickle=False)
        names, weights = [str(name) for name in book[f"{kind}_names"]], book[f"{kind}_weights"]
        return names, book[f"{kind}_vectors"].astype(np.float32) / STEPS, weights


def _scores(kind: str, text: str) -> dict[str, float]:
    names, vectors, weights = _learned(kind)
    scores = kernel(encoder().encode([text]).astype(np.float32), vectors)[0] @ weights - 1
    return {name: float(score) for name, score in zip(names, scores, strict=True)}


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
    return max(get_args(Role), key=lambda item: scores[item])
