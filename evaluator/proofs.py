"""What proving changes: a failure that was not met again in a fresh browser costs nothing (DESIGN, decision 3)."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.rubric import Rubric, load_rubric
from evaluator.scoring import score
from evaluator.taxonomy import Blame, Scale, Severity
from evaluator.verdict import Claim, Doubt, Failure, Proof, Score, Verdict
from tools.errors import RunError


def apply_proofs(verdict: Verdict, proofs: Mapping[str, Proof], rubric: Rubric | None = None) -> Verdict:
    """The verdict with its failures' proofs, its arithmetic done anew.

    Not reproduced: the failure becomes an unverifiable claim with the reason, and a doubt. Confirmed: its confidence rises, and
    its steps are those that were enough. Replayed and undecided: seen once, so it is minor at most. Proofs of
    failures that the verdict does not have are named among what is unknown.
    Raises `RunError` if the verdict was made with other figures than the rubric's.
    """
    rubric = rubric or load_rubric()
    if verdict.rubric != rubric.version:
        raise RunError(
            f"The verdict was made with rubric {verdict.rubric}, this is {rubric.version}.", hint="Judge again: assay rescore RUN"
        )
    if verdict.staging is not None and verdict.staging.inputs != "whole":
        return verdict  # marks of a checklist or of one look: no failure is deducted, so there is nothing to prove
    kept: list[Failure] = []
    dropped: list[Failure] = []
    lessened: list[tuple[Failure, float]] = []
    for failure in verdict.failures:
        proof = proofs.get(failure.id, failure.proof)
        proved = failure.model_copy(update={"proof": proof})
        if proof.status == "confirmed":
            proved = proved.model_copy(update={"confidence": max(failure.confidence, rubric.confidence.confirmed)})
            if proof.step_ids:
                proved = proved.model_copy(update={"step_ids": proof.step_ids, "steps": proof.steps})
        elif proof.undecided and failure.points > rubric.points.minor:
            proved = _lessened(proved, rubric.points.minor)
            lessened.append((failure, failure.points - rubric.points.minor))
        (dropped if proof.status == "not_reproduced" else kept).append(proved)
    strangers = sorted(set(proofs) - {one.id for one in verdict.failures})
    unknown = verdict.unknown
    if strangers:
        unknown = (*unknown, f"proofs were given for failures that this verdict does not have: {', '.join(strangers)}")
    return verdict.model_copy(
        update={
            "functionality": _again(Scale.functionality, verdict.functionality, kept, _doubts(dropped, lessened, rubric), rubric),
            "aesthetics": _again(Scale.aesthetics, verdict.aesthetics, kept, _doubts(dropped, lessened, rubric), rubric),
            "failures": tuple(kept),
            "unverifiable": _claims(verdict.unverifiable, dropped),
            "unknown": unknown,
        }
    )


def _claims(claims: tuple[Claim, ...], dropped: list[Failure]) -> tuple[Claim, ...]:
    more = [
        Claim(
            text=one.title,
            reason=f"{one.id} was not met again in a fresh browser: {one.proof.reason}".rstrip(": "),
            blame=Blame.ambiguous,
            evidence=one.evidence,
        )
        for one in dropped
    ]
    return tuple(sorted((*claims, *more), key=lambda one: (one.text, one.reason)))


def _lessened(failure: Failure, points: float) -> Failure:
    reason = f"{failure.proof.reason}; seen once, it counts as minor"
    proof = failure.proof.model_copy(update={"reason": reason})
    return failure.model_copy(update={"severity": Severity.minor, "points": points, "proof": proof})


def _doubts(dropped: list[Failure], lessened: list[tuple[Failure, float]], rubric: Rubric) -> list[tuple[Scale, Doubt]]:
    """What the failures may yet be worth that were seen once: all of it where they were not met again, or what they lost."""
    found = [
        (one.scale, one.points * rubric.doubt.unproved_share, f"{one.id} was seen once and not met again") for one in dropped
    ] + [(one.scale, points, f"{one.id} was seen once, and its replay could not tell") for one, points in lessened]
    return [(scale, Doubt(down=round(points, 2), up=0.0, reason=reason)) for scale, points, reason in found]


def _again(
    scale: Scale, old: Score | None, kept: list[Failure], unproved: list[tuple[Scale, Doubt]], rubric: Rubric
) -> Score | None:
    if old is None or (not old.items and not old.limits and not old.doubts):
        return old
    doubts = [one for one in old.doubts if not one.failure]
    doubts += [doubt for of, doubt in unproved if of is scale]
    bonus = [item for item in old.items if not item.failure]
    return score(scale, kept, rubric, bonus=bonus, limits=old.limits, doubts=doubts, baseline=old.baseline)
