"""What a model noted as odd while it explored: suspected, and never more, for no trial shows it.

The acts before it lead to where it was seen. What their trial found is no evidence of it: a note is about the page, whatever was
tried there.
"""

from __future__ import annotations

import hashlib

from evaluator.record.naming import clean, name_stem, place_of, sentence
from evaluator.record.sealed import Act, Reading
from evaluator.verdict.model import Failure, Place
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Category, Severity, scale_of
from tools.evidence.rows import Row
from tools.evidence.trial_rows import Noted

UNPROVABLE = "a model noted it while it explored, and no trial shows it"
CATEGORY = Category.wrong_result
EVIDENCE_AT_MOST = 12


def from_notes(reading: Reading, rubric: Rubric) -> list[Failure]:
    """The suspicions that notes make: the same words about the same part once, in the order in which they were noted."""
    groups: dict[tuple[str, str], list[tuple[Row, Noted]]] = {}
    for row, body in reading.of(Noted):
        groups.setdefault((name_stem(body.what), name_stem(body.where)), []).append((row, body))
    return [_failure(key, seen, reading, rubric) for key, seen in groups.items()]


def _failure(key: tuple[str, str], seen: list[tuple[Row, Noted]], reading: Reading, rubric: Rubric) -> Failure:
    row, body = seen[0]
    trial = reading.trial(row.parent or "")
    acts = trial.own_acts if trial is not None else ()
    severity = Severity(body.severity) if body.severity else Severity.minor
    evidence = [*(row for row, _ in seen), *(act.row for act in acts)]
    last = acts[-1] if acts else None
    return Failure(
        id=f"f-{hashlib.sha256(chr(10).join(('noted', *key)).encode()).hexdigest()[:6]}",
        category=CATEGORY,
        severity=severity,
        scale=scale_of(CATEGORY),
        blame=Blame.app,
        title=clean(sentence(body.what)),
        expected="",
        observed=clean(sentence(body.what), 400),
        origin="new",
        place=Place(
            selector=_selector(body.where, last, reading),
            url=reading.url_at(row),
            app_ms=last.started_ms if last is not None else row.app_ms,
            video_s=reading.video_s(last.row, last.started_ms) if last is not None else reading.video_s(row, row.app_ms),
        ),
        steps=tuple(clean(words) for words in (*(trial.way if trial is not None else ()), *(act.words for act in acts))),
        step_ids=tuple(act.row.id for act in acts),
        evidence=tuple(dict.fromkeys(each_row.id for each_row in evidence))[:EVIDENCE_AT_MOST],
        confidence=rubric.confidence.weak,
        promise=body.requirement if body.requirement in reading.promises else "",
        occurrences=len(seen),
        points=rubric.points_of(severity),
        unprovable=UNPROVABLE,
    )


def _selector(where: str, last: Act | None, reading: Reading) -> str:
    """Where the part is that a note names, by its selector or its name, after the trial's last act; empty if it is not there."""
    parts = reading.parts(last.body.after) if last is not None and where else ()
    return next((place_of(part) for part in parts if where in {part.selector, part.name}), "")
