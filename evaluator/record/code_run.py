"""How much of the app's own code the exploration ran, and what never ran. Pure, from the sealed rows of `code_rows`.

The share is by size: characters of the own code as the browser got it, so that one long function weighs more than ten getters.
Functions are counted as far as the browser knows them: those written inside of a function that never ran are part of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluator.record.sealed import Reading
from tools.errors import RunError
from tools.evidence.code_rows import CodeRan, CodeSeen, RanFunction, function_key

NAMED_AT_MOST = 40
UNMEASURED = "which of the app's own code ran was not measured"
_NO_NAME = "anonymous"


@dataclass(frozen=True)
class CodeRun:
    """What of the app's own code ran in a run. `share` is None where that was not measured, and `note` says why."""

    share: float | None = None
    """Ran at least once, 0–1 by size. Of a run with several browsers, the one that saw most."""
    functions: int = 0
    functions_run: int = 0
    never_ran: tuple[str, ...] = ()
    """Names, the largest first, at most `NAMED_AT_MOST`; nameless ones are not listed."""
    note: str = ""
    """Why nothing was measured, or what limits the measurement."""
    mixed: bool = False
    """Libraries may count as the app's own."""
    by_act: Mapping[str, tuple[RanFunction, ...]] = field(default_factory=dict[str, tuple[RanFunction, ...]])
    """What ran in an act, by the id of its row."""
    first_by_act: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Names of what ran for the first time in an act, by the id of its row; acts in which nothing did are left out."""


def code_run(reading: Reading) -> CodeRun:
    """Read the rows about code."""
    rows = list(reading.of(CodeRan))
    measured = [body for _, body in rows if body.measured]
    if not measured:
        reasons = sorted({body.reason for _, body in rows if body.reason})
        return CodeRun(note=f"{UNMEASURED}: {'; '.join(reasons)}" if reasons else UNMEASURED)
    ran = {function.key for body in measured for function in body.functions}
    known = _known(reading)
    most = max(measured, key=lambda body: body.size_run / body.size if body.size else 0.0)
    whole = all(body.ran == len(body.functions) for body in measured) and len(known) >= max(body.known for body in measured)
    by_act = {row.parent: body.functions for row, body in rows if row.parent and body.measured}
    first = {act: tuple(function.name for function in functions if function.first) for act, functions in by_act.items()}
    return CodeRun(
        share=most.size_run / most.size if most.size else None,
        functions=len(known.keys() | ran) if whole else max(body.known for body in measured),
        functions_run=len(ran) if whole else max(body.known_run for body in measured),
        never_ran=_names(known, ran, listed=whole),
        note=_note(reading, rows, measured),
        mixed=any(body.mixed for _, body in reading.of(CodeSeen)),
        by_act=by_act,
        first_by_act={act: names for act, names in first.items() if names},
    )


def _known(reading: Reading) -> dict[str, tuple[str, int]]:
    """Name and size of the own functions that were met, by key."""
    known: dict[str, tuple[str, int]] = {}
    for row, _ in reading.of(CodeSeen):
        if row.blob is None:
            continue
        try:
            listing: Any = json.loads(reading.record.blobs.get(row.blob))
        except (ValueError, RunError):
            continue  # `assay verify` names a blob that is lost
        for name, source, line, column, size in listing:
            known[function_key(name, source, line, column)] = (str(name), int(size))
    return known


def _names(known: Mapping[str, tuple[str, int]], ran: set[str], *, listed: bool) -> tuple[str, ...]:
    """Names of what never ran, the largest first. Where not all that ran is listed, a name could be wrong: none."""
    if not listed:
        return ()
    left = sorted((-size, key, name) for key, (name, size) in known.items() if key not in ran and name != _NO_NAME)
    return tuple(dict.fromkeys(name for _, _, name in left))[:NAMED_AT_MOST]


def _note(reading: Reading, rows: list[Any], measured: list[CodeRan]) -> str:
    notes = dict.fromkeys(note for _, body in reading.of(CodeSeen) for note in body.notes)
    lost = len(rows) - len(measured)
    if lost:
        notes[f"in {lost} of {len(rows)} acts it could not be read"] = None
    acts = [reading.act(row.parent or "") for row, body in rows if body.measured and body.left]
    if any(act is not None and not act.opens_page for act in acts):
        notes["what a page ran right before it was left was not seen"] = None
    return "; ".join(notes)
