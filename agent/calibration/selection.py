"""Which works of a corpus are run."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from evaluator.calibration.corpora import Work
from tools.errors import UserError

PARTS = ("all", "open", "held-back")


def select(
    works: Sequence[Work], held: Collection[str], *, only: Sequence[str], limit: int | None, seed: int, part: str
) -> tuple[Work, ...]:
    """Works of some apps, of one part, at most `limit` of them drawn by seed. Raises `UserError` where none is left."""
    if part not in PARTS:
        raise UserError(f"There is no part called {part!r}.", hint=f"There are: {', '.join(PARTS)}.")
    known = {work.app for work in works} | {work.name for work in works}
    for name in only:
        if name not in known:
            raise UserError(f"The corpus has no app called {name!r}.", hint=f"It has: {', '.join(sorted(known)[:8])} …")
    chosen = [work for work in works if not only or work.app in only or work.name in only]
    if part != "all":
        chosen = [work for work in chosen if (work.app in held) == (part == "held-back")]
    if limit is not None and len(chosen) > limit:
        drawn = set(random.Random(seed).sample(range(len(chosen)), limit))  # noqa: S311 - a sample, no secret
        chosen = [work for at, work in enumerate(chosen) if at in drawn]
    if not chosen:
        raise UserError("No work of the corpus is chosen.", hint="--only names apps; --part is all, open or held-back.")
    return tuple(chosen)
