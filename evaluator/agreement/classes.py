"""Scores as classes, for coefficients that know no distance between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools.errors import UserError

DEFAULT_CLASSES = 5
MOST_AS_THEY_ARE = 11
"""Whole numbers with at most so many different values are classes already (0–10, 1–5, …)."""


@dataclass(frozen=True)
class Classes:
    """`edges` are the upper bounds (exclusive) of all classes but the last."""

    edges: tuple[float, ...]
    words: str

    @property
    def count(self) -> int:
        """Number of classes."""
        return len(self.edges) + 1

    def of(self, value: float) -> int:
        """The class of a score, from 0."""
        return int(np.searchsorted(self.edges, value, side="right"))

    def of_array(self, values: np.ndarray) -> np.ndarray:
        """The classes of an array of scores; NaN falls into the last and is to be masked by the caller."""
        return np.searchsorted(self.edges, values, side="right").astype(float)


def classes_of(values: np.ndarray, count: int | None, top: float) -> Classes:
    """Classes for these scores: whole numbers as they are, else `count` (5 if None) of equal width over 0–`top`."""
    there = np.unique(values[np.isfinite(values)])
    if count is None and len(there) and np.all(there == np.round(there)) and len(there) <= MOST_AS_THEY_ARE:
        whole = np.arange(there[0], there[-1] + 1)
        if len(whole) <= MOST_AS_THEY_ARE:
            return Classes(
                tuple(float(value) - 0.5 for value in whole[1:]), f"the whole numbers from {whole[0]:g} to {whole[-1]:g}"
            )
    wanted = DEFAULT_CLASSES if count is None else count
    if wanted < 2:
        raise UserError(f"{wanted} class leaves nothing to agree on.", hint="Give at least 2.")
    edges = np.linspace(0, top, wanted + 1)[1:-1]
    return Classes(tuple(float(edge) for edge in edges), f"{wanted} classes of equal width from 0 to {top:g}")
