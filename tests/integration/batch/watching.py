"""Looking at batches while they run, and comparing what they come to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agent.batch.table import Entry
from evaluator.results.rows import Scored
from evaluator.verdict.model import Verdict


def until(condition: Callable[[], Any], limit_s: float, what: str) -> Any:
    """Wait until something is true and return it."""
    limit = time.monotonic() + limit_s
    while not (value := condition()):
        assert time.monotonic() < limit, f"{what}: not within {limit_s:g} s"
        time.sleep(0.02)
    return value


def signature(home: Path, entry: Entry) -> tuple[Any, ...]:
    """What two evaluations of the same app must agree on: states, scores, and failures with their place and steps.

    Seals, row ids, times and the words made of them differ by nature.
    """
    row = Scored.model_validate_json(entry.result)
    if row.status != "scored":
        return (row.status, row.blame)
    verdict = Verdict.model_validate_json((home / row.run / "verdict.json").read_bytes())
    failures = sorted(
        (failure.category.value, failure.severity.value, failure.scale.value, failure.points, failure.place.selector)
        for failure in verdict.failures
    )
    scores = tuple(score.value if score else None for score in (verdict.functionality, verdict.aesthetics))
    return (verdict.status, scores, tuple(failures))


def signatures(home: Path, entries: Sequence[Entry]) -> dict[str, tuple[Any, ...]]:
    """Signatures by key."""
    return {entry.job.key: signature(home, entry) for entry in entries}
