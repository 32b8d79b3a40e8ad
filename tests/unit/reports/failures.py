"""A failure for tests of what is said of failures."""

from __future__ import annotations

from evaluator.verdict.model import Failure, Place
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity


def failure(name: str = "f", /, **changes: object) -> Failure:
    """One of that id and title, with what is given changed."""
    made = Failure(
        id=name,
        category=Category.wrong_result,
        severity=Severity.major,
        scale=Scale.functionality,
        blame=Blame.app,
        title=name,
        expected="",
        observed="The list says 2",
        origin="new",
        place=Place(),
        steps=(),
        step_ids=(),
        evidence=("e000001",),
        confidence=1.0,
    )
    return made.model_copy(update=changes)
