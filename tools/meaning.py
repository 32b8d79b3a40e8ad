"""Likeness of two texts in meaning, by the sentence encoder that is a dependency already (sixteen languages, no network)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tools.encoder import Encoder, encoder


class Meaning:
    """Compares texts. The encoder is loaded with the first comparison; each text is computed once."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._given = encoder

    @cached_property
    def _encoder(self) -> Encoder:
        return self._given or encoder()

    def likeness(self, text: str, other: str) -> float:
        """Cosine of two texts' vectors, 0–1; 0 where one is empty."""
        if not text.strip() or not other.strip():
            return 0.0
        here, there = self._encoder.encode([text, other])
        return max(0.0, float(here @ there))

    def table(self, rows: Sequence[str], columns: Sequence[str]) -> np.ndarray:
        """Likeness of each of `rows` with each of `columns`."""
        if not rows or not columns:
            return np.zeros((len(rows), len(columns)))
        return np.clip(self._encoder.encode(rows) @ self._encoder.encode(columns).T, 0.0, 1.0)
