"""Fits what the reader of briefs knows of behaviours and of words' roles, from `examples.toml` to `learned.npz`.

    .venv/bin/python -m evaluator.requirements.learning

Two linear classifiers over the encoder's vectors, each class against the rest by ridge regression, classes weighted alike. Run it
after `examples.toml` was changed; a test compares.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tools.meaning import DIMENSIONS, encoder

RIDGE = {"behaviours": 2.0, "words": 2.0}
"""Of five values tried (0.3–10) the one that does best in five-fold cross-validation over the examples."""


OBJECTS = 7
"""How many objects each pattern is filled with."""


def examples() -> dict[str, Any]:
    """What stands in `examples.toml`."""
    return tomllib.loads((files("evaluator.requirements") / "examples.toml").read_text(encoding="utf-8"))


def labelled() -> dict[str, list[tuple[str, str]]]:
    """`(text, class)` of both classifiers."""
    book = examples()
    words = {name: [one.strip() for one in text.replace("\n", ";").split(";")] for name, text in book["words"].items()}
    found = {
        kind: [(text, name) for name, texts in classes.items() for text in texts if text]
        for kind, classes in {"behaviours": book["behaviours"], "words": words}.items()
    }
    found["behaviours"] += [pair for spoken in book["patterns"].values() for pair in _filled(spoken)]
    return found


def _filled(spoken: dict[str, list[str]]) -> list[tuple[str, str]]:
    """One language's patterns with its objects in turn."""
    objects, turn = spoken["objects"], 0
    found: list[tuple[str, str]] = []
    for name, patterns in spoken.items():
        for pattern in patterns if name != "objects" else ():
            found += [(pattern.replace("{}", objects[(turn + step) % len(objects)]), name) for step in range(OBJECTS)]
            turn += OBJECTS
    return found


def fitted(vectors: np.ndarray, names: Sequence[str], ridge: float) -> tuple[np.ndarray, list[str]]:
    """Weights of shape (dimensions + 1, classes), the last row the offsets; and the classes' names in their order."""
    classes = list(dict.fromkeys(names))
    targets = np.array([[1.0 if name == one else -1.0 for one in classes] for name in names])
    sizes = {one: names.count(one) for one in classes} if isinstance(names, list) else {}
    weights = np.array([len(names) / (len(classes) * sizes[name]) for name in names]) if sizes else np.ones(len(names))
    inputs = np.c_[vectors, np.ones(len(vectors))]
    penalty = ridge * np.eye(DIMENSIONS + 1)
    penalty[-1, -1] = 0
    return np.linalg.solve((inputs.T * weights) @ inputs + penalty, (inputs.T * weights) @ targets), classes


def learn() -> dict[str, np.ndarray]:
    """Weights and classes of both classifiers, as they stand in `learned.npz`."""
    found: dict[str, np.ndarray] = {}
    for kind, pairs in labelled().items():
        weights, classes = fitted(encoder().encode([text for text, _ in pairs]), [name for _, name in pairs], RIDGE[kind])
        found[kind] = weights.astype(np.float32)
        found[f"{kind}_names"] = np.array(classes)
    return found


if __name__ == "__main__":
    np.savez_compressed(Path(__file__).with_name("learned.npz"), **learn())  # pyright: ignore[reportArgumentType]
