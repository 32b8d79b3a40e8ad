"""Whether a name means one of several things, surely, and rather than others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tools.meaning import Meaning

SURE = 0.55
APART = 0.05


@cache
def _meaning() -> Meaning:
    return Meaning()


@cache
def means(name: str, examples: Sequence[str], unlike: Sequence[str] = (), sure: float = SURE) -> bool:
    """Whether the name is near enough to one of the examples, and nearer by a margin than to any of `unlike`."""
    if not any(letter.isalpha() for letter in name):
        return False
    row = _meaning().table([name], [*examples, *unlike])[0]
    best, other = float(row[: len(examples)].max()), float(row[len(examples) :].max(initial=0.0))
    return best >= sure and best - other >= (APART if unlike else 0.0)
