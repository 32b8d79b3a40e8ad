"""What proving changes: only what was met again in a fresh browser, or is static and sealed, takes points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evaluator.findings.settling import settled
from evaluator.scoring.arithmetic import score
from evaluator.scoring.sufficiency import lacking
from evaluator.verdict.model import Claim, Failure, Proof, Score, Verdict
from evaluator.verdict.rubric import Rubric, load_rubric
from evaluator.verdict.taxonomy import Blame, Scale, Severity
from tools.errors import RunError

_GRAVEST_FIRST = {Severity.critical: 0, Severity.major: 1, Severity.minor: 2}


def parted(accused: Iterable[Failure]) -> tuple[tuple[Failure, ...], tuple[Failure, ...]]:
    """Failures, which take points, and suspicions, which do not; each gravest first, in one order for any input."""
    ordered = sorted(
        accused,
        key=lambda failure: (
            _GRAVEST_FIRST[failure.severity],
            failure.scale.value,
            -failure.points,
            failure.category.value,
            failure.id,
        ),
    )
    return tuple(failure for failure in ordered if failure.counts), tuple(failure for failure in ordered if not failure.counts)


def apply_proofs(verdict: Verdict, proofs: Mapping[str, Proof], rubric: Rubric | None = None) -> Verdict:
    """The verdict with its failures' and suspicions' proofs, its arithmetic done anew.

    Confirmed: it takes the points that the judge gave it, its confidence rises, and its steps are those that were enough.
    Explained by its control experiment: it was the evaluator's misreading, and is listed among what does not count. Anything
    else that is not static: it stays, or becomes, a suspicion. Its severity is the judge's in any case. Proofs of
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
    accused = [_proved(each_failure, proofs.get(each_failure.id, each_failure.proof), rubric) for each_failure in verdict.accused]
    explained = tuple(_misread(each_failure) for each_failure in accused if each_failure.proof.status == "explained")
    strangers = sorted(set(proofs) - {each_failure.id for each_failure in accused})
    accused = [each_failure for each_failure in accused if each_failure.proof.status != "explained"]
    failures, suspected = parted(accused)
    unknown = verdict.unknown
    if strangers:
        unknown = (*unknown, f"proofs were given for failures that this verdict does not have: {', '.join(strangers)}")
    return verdict.model_copy(
        update={
            **_standing(verdict, accused, rubric),
            "functionality": _again(Scale.functionality, verdict.functionality, accused, rubric),
            "aesthetics": _again(Scale.aesthetics, verdict.aesthetics, accused, rubric),
            "failures": failures,
            "suspected": suspected,
            "not_counted": (*verdict.not_counted, *explained),
            "items": tuple(settled(item, {failure.id: failure for failure in accused}) for item in verdict.items),
            "unknown": unknown,
        }
    )


def _misread(failure: Failure) -> Claim:
    """A suspicion that its control experiment explained."""
    return Claim(text=failure.title, reason=failure.proof.control, blame=Blame.evaluator, evidence=failure.evidence)


def _standing(verdict: Verdict, accused: list[Failure], rubric: Rubric) -> dict[str, str]:
    """Status and reason anew: whether enough was seen also depends on whether a breakdown was met again."""
    if not verdict.scored:
        return {}
    short = lacking(verdict.coverage, accused, rubric.seen)
    return {"status": "not_enough_seen" if short else "complete", "reason": short}


def _proved(failure: Failure, proof: Proof, rubric: Rubric) -> Failure:
    if failure.unprovable:
        return failure  # whatever a fresh browser showed, it is not this
    proved = failure.model_copy(update={"proof": proof})
    if proof.status != "confirmed":
        return proved
    proved = proved.model_copy(update={"confidence": max(failure.confidence, rubric.confidence.confirmed)})
    return proved.model_copy(update={"step_ids": proof.step_ids, "steps": proof.steps}) if proof.step_ids else proved


def claimed(verdict: Verdict, rubric: Rubric | None = None) -> dict[Scale, Score | None]:
    """What a judge says the scores are, as if all that it accuses were proved: to compare judges, never what a verdict holds."""
    rubric, accused = rubric or load_rubric(), list(verdict.accused)
    return {
        scale: _again(scale, old, accused, rubric, as_claimed=True)
        for scale, old in ((Scale.functionality, verdict.functionality), (Scale.aesthetics, verdict.aesthetics))
    }


def _again(scale: Scale, old: Score | None, accused: list[Failure], rubric: Rubric, *, as_claimed: bool = False) -> Score | None:
    if old is None or (not old.items and not old.limits and not old.doubts):
        return old
    doubts = [doubt for doubt in old.doubts if not doubt.failure]
    bonus = [item for item in old.items if not item.failure]
    return score(
        scale,
        accused,
        rubric,
        bonus=bonus,
        limits=old.limits,
        doubts=doubts,
        baseline=old.baseline,
        as_claimed=as_claimed,
    )
