"""Queries that are nearly the same: by their words (MinHash), by their meaning (sentence vectors), by their pictures (pHash)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from evaluator.protocols.artifactsbench.tokens import tokens
from tools.encoder import encoder
from tools.queries.protocol import Query

if TYPE_CHECKING:
    from datasketch import MinHash

PERMUTATIONS = 128
SHINGLE = 3
"""Words in a row that are compared."""
WORDS_ALIKE = 0.5
MEANING_ALIKE = 0.9
PICTURE_BITS = 6
"""Of 64 that may differ between pictures of the same thing."""


class Twins(BaseModel):
    """Two queries that are nearly the same, and in which way."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first: str
    second: str
    by: Literal["words", "meaning", "picture"]
    similarity: float
    """0–1: Jaccard of shingles, cosine of vectors, share of equal bits."""


def signature(text: str) -> MinHash:
    """MinHash (Broder 1997) of a text's word shingles; a text shorter than one shingle is one shingle."""
    from datasketch import MinHash  # noqa: PLC0415 - heavy

    words = tokens(text)
    shingles = {" ".join(words[place : place + SHINGLE]) for place in range(max(1, len(words) - SHINGLE + 1))}
    made = MinHash(num_perm=PERMUTATIONS, seed=1)
    made.update_batch([shingle.encode() for shingle in sorted(shingles)])
    return made


def similarity(min_hash: MinHash, other: MinHash) -> float:
    """Estimated Jaccard similarity, 0–1."""
    return float(min_hash.jaccard(other))


def near_duplicates(queries: Sequence[Query], *, threshold: float = WORDS_ALIKE) -> tuple[Twins, ...]:
    """Pairs whose shingles have at least this estimated similarity, found with locality-sensitive hashing."""
    from datasketch import MinHashLSH  # noqa: PLC0415 - heavy

    # The index misses pairs just at its threshold, so it is asked for a little less and every candidate is measured.
    index = MinHashLSH(threshold=max(0.1, threshold * 0.7), num_perm=PERMUTATIONS)
    marks = {query.id: signature(query.brief) for query in queries}
    found: list[Twins] = []
    for name, mark in marks.items():
        found += [
            Twins(first=str(other), second=name, by="words", similarity=alike)
            for other in sorted(map(str, index.query(mark)))
            if (alike := similarity(mark, marks[other])) >= threshold
        ]
        index.insert(name, mark)
    return tuple(sorted(found, key=lambda twins: (-twins.similarity, twins.first, twins.second)))


def same_meaning(queries: Sequence[Query], *, threshold: float = MEANING_ALIKE) -> tuple[Twins, ...]:
    """Pairs whose sentence vectors (multilingual sentence encoder) have at least this cosine, also across languages."""
    unit = encoder().encode([query.brief for query in queries])
    cosines = unit @ unit.T
    pairs = zip(*np.where(np.triu(cosines >= threshold, k=1)), strict=True)
    found = [
        Twins(first=queries[item].id, second=queries[other].id, by="meaning", similarity=float(min(1.0, cosines[item, other])))
        for item, other in pairs
    ]
    return tuple(sorted(found, key=lambda twins: (-twins.similarity, twins.first, twins.second)))


def same_picture(pictures: Mapping[str, Path], *, bits: int = PICTURE_BITS) -> tuple[Twins, ...]:
    """Pairs of pictures (by query id) whose perceptual hashes differ in at most so many of 64 bits."""
    from tools.media.image import decode, hamming, phash  # noqa: PLC0415 - OpenCV

    hashes = {name: phash(decode(path.read_bytes())) for name, path in pictures.items()}
    names = sorted(hashes)
    found: list[Twins] = []
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            differing = hamming(hashes[first], hashes[second])
            if differing <= bits:
                found.append(Twins(first=first, second=second, by="picture", similarity=1 - differing / 64))
    return tuple(sorted(found, key=lambda twins: (-twins.similarity, twins.first, twins.second)))
