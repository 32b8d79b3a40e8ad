"""Whether enough of an app was seen for its score to mean something. Pure arithmetic on the coverage."""

from __future__ import annotations

from collections.abc import Iterable

from evaluator.verdict.model import Coverage, Failure
from evaluator.verdict.rubric import SeenFigures
from evaluator.verdict.taxonomy import Blame, Category, Severity
from tools.text import how_many


def lacking(seen: Coverage, accused: Iterable[Failure], figures: SeenFigures) -> str:
    """Why the verdict's status is *not enough seen*, in words; empty where it is not.

    An app that broke down, or shows nothing to use, is seen as far as it goes: there is no more of it. One that is in the wrong
    language is not: whoever reads that could have gone on.
    """
    if any(_decisive(failure) for failure in accused):
        return ""
    reasons = too_little(seen, figures)
    return f"only {', '.join(reasons)}" if reasons else ""


def _decisive(failure: Failure) -> bool:
    if failure.blame is not Blame.app or failure.proof.status == "not_reproduced":
        return False
    grave = failure.sealed and failure.severity is Severity.critical and failure.category is not Category.language_mismatch
    return failure.category is Category.crash_or_hang or grave


def too_little(seen: Coverage, figures: SeenFigures) -> tuple[str, ...]:
    """What was seen too little of, one reason each; empty where enough was seen.

    A share is only asked for where there is something to take it of: a page without controls is seen whole by looking, a brief
    without requirements asks for nothing, and code that was not measured, or not told from libraries, says nothing either way.
    Where a checklist was decided, what is asked for is its items, and the exploration ended for that.
    """
    reasons: list[str] = []
    if seen.requirements and seen.requirements_exercised < figures.requirements * seen.requirements:
        reasons.append(f"{seen.requirements_exercised} of {how_many(seen.requirements, 'requirement')} exercised")
    if seen.stop_reason == "decided":
        return tuple(reasons)
    if seen.controls_found and seen.controls_tried < figures.controls * seen.controls_found:
        reasons.append(f"{seen.controls_tried} of {how_many(seen.controls_found, 'control')} tried")
    if seen.code_share is not None and not seen.code_mixed and seen.code_share < figures.code:
        reasons.append(f"{seen.code_share:.0%} of the app's own code run")
    return tuple(reasons)
