"""Marks of readers as evidence for trust: an app whose failures a person looked at is labelled as far as they were marked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaluator.calibration.corpora import Work
from evaluator.calibration.gathered import MarkedRun, marked_runs
from evaluator.calibration.items import Judged
from evaluator.calibration.matching import Pairing
from evaluator.scoring.trust import accusers

CORPUS = "marks"


def judged_by_readers(folder: Path) -> list[Judged]:
    """Each marked run of a folder as a judged work. Raises `UserError` if there is no such folder.

    Of runs of one subject a failure is one piece of evidence, however often it was met and marked: the last run's mark counts.
    """
    found: dict[tuple[str, str], tuple[MarkedRun, Pairing]] = {}
    runs: dict[str, MarkedRun] = {}
    for run in sorted(marked_runs(folder), key=lambda marked_run: marked_run.record.rows[0].wall_time):
        subject = run.record.started.subject
        runs[subject] = run
        for pairing in _pairings(run):
            found[subject, pairing.failure] = (run, pairing)
    return [
        Judged(
            work=_work(run, subject),
            scored=run.verdict.scored,
            functionality=run.verdict.functionality.value if run.verdict.functionality is not None else None,
            pairings=tuple(pairing for (about, _), (_, pairing) in found.items() if about == subject),
        )
        for subject, run in runs.items()
    ]


def _work(run: MarkedRun, subject: str) -> Work:
    return Work(corpus=CORPUS, app=subject, name=run.name, brief=run.record.started.brief, labels=(), complete=False)


def _pairings(run: MarkedRun) -> Iterator[Pairing]:
    for failure in run.verdict.accused:
        mark = run.marks.get(failure.id)
        if mark is None:
            continue
        yield Pairing(
            work=run.name,
            failure=failure.id,
            title=failure.title,
            category=failure.category,
            counts=failure.counts,
            accusers=accusers(run.record, failure.evidence),
            label=f"{run.name}/{failure.id}",
            holds=mark.opinion == "wrong",
            # A duplicate is a true sighting, and evidence that was counted where it is told first.
            sure=mark.opinion != "duplicate",
        )
