"""A reader's marks as ratings of single failures: what `assay agree --measure failures` compares.

Rated is one failure or suspicion of one run. The judge says 1 where it takes points and 0 where it is only suspected; the reader
says 1 for `right` and 0 for `wrong`. What is a duplicate is true and told elsewhere, so it says nothing of either.
"""

from __future__ import annotations

from pathlib import Path

from evaluator.agreement.labels import Labels, Rating
from evaluator.calibration.gathered import marked_runs
from evaluator.reports.facts import read_run
from tools.errors import UserError
from tools.evidence.found import is_run

_SAYS = {"right": 1.0, "wrong": 0.0}


def judged_and_marked(judge: Path, reference: Path) -> tuple[Labels, Labels]:
    """What the marks on the runs in `reference` say of failures, and what the verdicts of the same runs in `judge` say of them.

    The two may be one folder, or `judge` holds the same runs judged otherwise; runs are the same by their place in their folders.
    Raises `UserError` if nothing is marked right or wrong, or a marked run is not in `judge`.
    """
    marks: list[Rating] = []
    claims: list[Rating] = []
    for run in marked_runs(reference):
        said = {name: _SAYS[mark.opinion] for name, mark in run.marks.items() if mark.opinion in _SAYS}
        if not said:
            continue
        verdict = run.verdict if judge == reference else read_run(judge if is_run(judge) else judge / run.name)[1]
        marks += [
            Rating(query_id=run.name, model=name, rater=run.marks[name].reader or "reader", value=value)
            for name, value in said.items()
        ]
        claims += [
            Rating(query_id=run.name, model=failure.id, rater=verdict.judge, value=float(failure.counts))
            for failure in verdict.accused
            if failure.id in said
        ]
    if not marks:
        raise UserError(f"In {reference} no failure is marked right or wrong.", hint="Mark some with: assay view FOLDER")
    return Labels(name=judge.name or "judge", ratings=tuple(claims)), Labels(name="marks", ratings=tuple(marks))
