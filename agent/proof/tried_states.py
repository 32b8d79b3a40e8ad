"""What was measured in a state that a trial led to, measured again: the same trial in a fresh browser, then the same probes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from agent.proof.tried import Met, ways
from evaluator.attribution.defect_keys import cause_of
from evaluator.verdict.model import Proof
from tools.evidence.record import Record
from tools.evidence.rows import Finding, Row
from tools.evidence.trial_rows import TrialBegun
from tools.page.assertions import Legible, Target
from tools.page.trial_records import TrialRecord
from tools.page.trials import Trial
from tools.probes.protocol import Result
from tools.text import how_many

Again = Callable[[Trial, str, Sequence[str]], Awaitable[tuple[TrialRecord, Sequence[Result]]]]
"""Carries a trial out in a fresh browser, with a ledger of that name, and measures with these probes where it ends."""


def state_of_trial(record: Record, cited: Sequence[Row]) -> Row | None:
    """The trial that led to where a failure was measured; None where it was measured elsewhere, too, or is no measurement."""
    found = [row.body for row in cited if isinstance(row.body, Finding)]
    begun = [record.row(finding.after) if finding.after else None for finding in found]
    if not begun or any(row is None or not isinstance(row.body, TrialBegun) for row in begun):
        return None
    return begun[0]


async def measure_again(record: Record, begun: Row, cited: Sequence[Row], again: Again) -> Met:
    """Whether the cause is there again at the end of the trial; for a pale text with the trial that tells it, to be exported."""
    wanted = {cause_of(row.body): row.body for row in cited if isinstance(row.body, Finding) and row.body.after == begun.id}
    probes = sorted({finding.probe for finding in wanted.values()})
    last = Proof(reason="the trial is not in the ledger")
    for trial, name, _ in ways(record, begun):
        done, results = await again(trial.model_copy(update={"control": None}), name, probes)
        acts = how_many(len(done.acts), "act")
        met = next((finding for result in results for finding in result.findings if cause_of(finding) in wanted), None)
        if met is not None:
            proof = Proof(
                status="confirmed",
                reason=f"{met.symptom} was measured again after {acts} in a fresh browser",
                steps=tuple(act.act.words() for act in done.acts),
            )
            pale = (Legible(target=Target(kind="texts", selector=met.selector)),)
            whole = done.as_carried_out.model_copy(update={"asserts": pale, "why": met.message})
            return Met(proof, whole if met.symptom == "contrast.low" else None)
        if done.stopped is None and results and all(each_result.measured for each_result in results):
            last = Proof(status="not_reproduced", reason=f"it was not there after {acts} in a fresh browser")
        elif last.status != "not_reproduced":
            told = done.stopped.words if done.stopped else "the probes could not measure"
            last = Proof(status="undecided", reason=f"in a fresh browser it could not be told: {told}")
    return Met(last)
