"""When two labels say the same. Embeddings alone don't tell: "Image Encoder" and "Text Encoder" are nearer than true paraphrases.

So words are compared first: equal text agrees; a few wrong letters agree if no number and no word becomes another; a paraphrase
agrees only if the encoder says so *and* every word that carries meaning has a counterpart.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy

from tools.encoder import Encoder

PARAPHRASE = 0.6
"""Least cosine of a paraphrase with the sentence encoder (true ones measured: .61–.87; unrelated ones: .04–.31)."""
WORD = 0.72
"""Least cosine of two single words that may stand for each other."""
ACROSS_SCRIPTS = 0.75
"""The same for texts in two scripts, whose words can't be compared (true ones measured: .64–.87)."""
LETTERS_A_SLIP = 6
"""One wrong letter is allowed for so many right ones: reading errors, not other words."""

_GENERIC = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "for",
        "to",
        "in",
        "on",
        "and",
        "or",
        "by",
        "with",
        "module",
        "block",
        "layer",
        "unit",
        "network",
        "net",
        "component",
        "service",
        "system",
        "step",
        "stage",
        "node",
        "process",
        "模块",
        "层",
        "单元",
        "网络",
        "系统",
        "服务",
        "步骤",
        "阶段",
    ]
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")
_ENDINGS = ("ations", "ation", "ings", "ing", "ers", "er", "ors", "or", "ies", "ed", "es", "s", "e")


@lru_cache(maxsize=20_000)
def words(label: str) -> tuple[str, ...]:
    """Lower-case words and numbers of a label; `TextEncoder` is two words; ideographs stay together."""
    return tuple(_WORDS.findall(_CAMEL.sub(" ", unicodedata.normalize("NFKC", label)).casefold()))


@lru_cache(maxsize=20_000)
def squeezed(label: str) -> str:
    """A label without spaces and line breaks, in one case; signs are kept."""
    return "".join(unicodedata.normalize("NFKC", label).casefold().split())


def numbers(label: str) -> tuple[str, ...]:
    """The numbers in a label, in order: `Layer 1` is not `Layer 2`."""
    return tuple(word for word in words(label) if word[0].isdigit())


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


_OPPOSITE_WORDS = """
encoder/decoder encode/decode input/output in/out up/down left/right start/stop start/end begin/end first/last open/close
add/remove enable/disable positive/negative read/write send/receive upload/download min/max import/export login/logout
teacher/student client/server frontend/backend public/private image/text query/key query/value key/value train/test
training/inference before/after request/response true/false yes/no success/failure pass/fail buy/sell push/pull
source/target parent/child local/global internal/external encrypt/decrypt create/delete show/hide lock/unlock approve/reject
accept/reject hot/cold high/low male/female north/south east/west audio/video actor/critic
"""
_OPPOSITES = tuple(tuple(_stem(word) for word in pair.split("/")) for pair in _OPPOSITE_WORDS.split())


def agreement(first: str, other: str, encoder: Encoder | None = None) -> float:
    """How far two labels say the same, 0–1; 0 means they don't. Two empty labels agree, an empty one and a text don't."""
    left, right = squeezed(first), squeezed(other)
    if left == right:
        return 1.0
    if not left or not right:
        return 0.0
    if numbers(first) != numbers(other):
        return 0.0
    bare_left, bare_right = "".join(words(first)), "".join(words(other))
    if bare_left and bare_left == bare_right:
        return 0.99
    slips = distance(left, right, min(len(left), len(right)) // LETTERS_A_SLIP)
    if slips is not None:
        return 1 - slips / max(len(left), len(right))
    if encoder is None:
        return 0.0
    return _paraphrase(first, other, encoder)


def _paraphrase(first: str, other: str, encoder: Encoder) -> float:
    cosine = _cosine(encoder, " ".join(words(first)) or first, " ".join(words(other)) or other)
    if _ideographs(first) != _ideographs(other):
        # Words of two scripts can't be compared one by one.
        return min(cosine, 0.98) if cosine >= ACROSS_SCRIPTS else 0.0
    if cosine < PARAPHRASE or _opposed(words(first), words(other)):
        return 0.0
    left, right = _meaning(first), _meaning(other)
    return min(cosine, 0.98) if _all_met(left, right, encoder) and _all_met(right, left, encoder) else 0.0


def _ideographs(label: str) -> bool:
    return any("\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3" for letter in label)


def _opposed(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """One label has a word whose opposite the other has in its stead: encoders take opposites for near relations."""
    lone_left, lone_right = {_stem(word) for word in left}, {_stem(word) for word in right}
    lone_left, lone_right = lone_left - lone_right, lone_right - lone_left
    return any(
        (first in lone_left and other in lone_right) or (other in lone_left and first in lone_right)
        for first, other in _OPPOSITES
    )


def _meaning(label: str) -> tuple[str, ...]:
    kept = tuple(word for word in words(label) if word not in _GENERIC)
    return kept or words(label)


def _all_met(left: tuple[str, ...], right: tuple[str, ...], encoder: Encoder) -> bool:
    """Every word on the left has one on the right: of the same stem, its short form, or of nearly the same meaning."""
    joined = " ".join(right)
    for word in left:
        if any(_stem(word) == _stem(candidate) or _shortened(word, candidate) for candidate in right):
            continue
        if len(word) <= 2 and word.isascii():
            return False
        if all(_cosine(encoder, word, candidate) < WORD for candidate in (*right, joined)):
            return False
    return True


def _shortened(first: str, other: str) -> bool:
    """Whether one is the other without some letters, none of its own a vowel: `db`, `mgr`, `cfg`."""
    short, long = sorted((first, other), key=len)
    if len(short) < 2 or short[0] != long[0] or any(letter in "aeiou" for letter in short) or len(short) * 4 < len(long):
        return False
    at = iter(long)
    return all(letter in at for letter in short)


def _cosine(encoder: Encoder, first: str, other: str) -> float:
    vectors = encoder.encode([first, other])
    return float(numpy.clip(vectors[0] @ vectors[1], -1, 1))


def distance(first: str, other: str, limit: int) -> int | None:
    """Fewest letters to change, add or take away; `None` if more than `limit`."""
    if limit <= 0 or abs(len(first) - len(other)) > limit:
        return None
    row = list(range(len(other) + 1))
    for at, letter in enumerate(first, start=1):
        before, row[0] = row[0], at
        for index, candidate in enumerate(other, start=1):
            before, row[index] = row[index], min(row[index] + 1, row[index - 1] + 1, before + (letter != candidate))
        if min(row) > limit:
            return None
    return row[-1] if row[-1] <= limit else None
