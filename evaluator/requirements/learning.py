"""Fits what the reader of briefs knows of behaviours and of words' roles, from `examples.toml` to `learned.npz`.

    .venv/bin/python -m evaluator.requirements.learning [--figures]

Two classifiers over the encoder's vectors: kernel ridge regression with a Gaussian kernel, each class against the rest (Rifkin &
Klautau, JMLR 2004). Run it after `examples.toml` was changed; a test compares. `--figures`: five-fold cross-validation instead.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tools.encoder import encoder

GAMMA, RIDGE = 2.0, 0.3
"""The kernel exp(−γ·d²) and its penalty: of γ 1, 2, 4 and penalties .1, .3, 1 the best, or as good as it, in cross-validation."""
STEPS = 1024
"""Vectors are kept as bytes, in so many steps a unit: their components are hardly ever larger than .12."""
OBJECTS = 5
"""How many objects each pattern is filled with."""


@cache
def examples() -> dict[str, Any]:
    """What stands in `examples.toml`."""
    return tomllib.loads((files("evaluator.requirements") / "examples.toml").read_text(encoding="utf-8"))


def labelled() -> dict[str, list[tuple[str, str]]]:
    """`(text, class)` of both classifiers."""
    book = examples()
    words = {name: [word.strip() for word in text.replace("\n", ";").split(";")] for name, text in book["words"].items()}
    found = {
        kind: [(text, name) for name, texts in classes.items() for text in texts if text]
        for kind, classes in {"behaviours": book["behaviours"], "words": words}.items()
    }
    found["behaviours"] += [pair for spoken in book["patterns"].values() for pair in _filled(spoken)]
    found["words"] += [(what, "thing") for spoken in book["patterns"].values() for what in spoken["objects"]]
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


def kernel(rows: np.ndarray, columns: np.ndarray, gamma: float = GAMMA) -> np.ndarray:
    """How near vectors of length 1 are to each other, 0–1."""
    return np.exp(-2 * gamma * (1 - rows @ columns.T))


def as_bytes(vectors: np.ndarray) -> np.ndarray:
    """Vectors as they are kept."""
    return np.clip(np.rint(vectors * STEPS), -127, 127).astype(np.int8)


def fitted(vectors: np.ndarray, names: Sequence[str], classes: Sequence[str], ridge: float = RIDGE) -> np.ndarray:
    """Weights of shape (texts, classes): what each text adds to each class's score, beside −1."""
    targets = np.array([[2.0 if name == text else 0.0 for text in classes] for name in names])
    return np.linalg.solve(kernel(vectors, vectors) + ridge * np.eye(len(names)), targets)


def learn() -> dict[str, np.ndarray]:
    """What stands in `learned.npz`: of both classifiers the examples' vectors, their weights, and the classes' names."""
    found: dict[str, np.ndarray] = {}
    for kind, pairs in labelled().items():
        names = [name for _, name in pairs]
        classes = list(dict.fromkeys(names))
        vectors = as_bytes(encoder().encode([text for text, _ in pairs]))
        found[f"{kind}_names"], found[f"{kind}_vectors"] = np.array(classes), vectors
        found[f"{kind}_weights"] = fitted(vectors.astype(float) / STEPS, names, classes).astype(np.float32)
    return found


def figures(folds: int = 5) -> Iterator[str]:
    """Share of the examples that the others tell right."""
    for kind, pairs in labelled().items():
        names = np.array([name for _, name in pairs])
        classes = list(dict.fromkeys(names.tolist()))
        vectors = encoder().encode([text for text, _ in pairs])
        order, right = np.random.default_rng(1).permutation(len(names)), 0
        for fold in range(folds):
            left = order[fold::folds]
            rest = np.setdiff1d(order, left)
            scores = kernel(vectors[left], vectors[rest]) @ fitted(vectors[rest], names[rest].tolist(), classes)
            right += sum(classes[best] == name for best, name in zip(scores.argmax(1), names[left], strict=True))
        yield f"{kind}: {right} of {len(names)} right, {right / len(names):.1%}"


if __name__ == "__main__":
    if "--figures" in sys.argv:
        sys.stdout.write("\n".join(figures()) + "\n")
    else:
        np.savez_compressed(Path(__file__).with_name("learned.npz"), **learn())  # pyright: ignore[reportArgumentType]
