"""Failures put together by what they come from, so that one mend is read as one thing."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.verdict.model import Failure

Key = tuple[str, ...]


def by_cause(failures: Sequence[Failure]) -> list[list[Failure]]:
    """The failures in groups of one cause, each group and its members in the order in which they came.

    One cause: the same line of the source, and in it the same rule or statement, for a minified file is one line. What was
    measured on the page is also of one kind of defect, for a rule sets a colour and a width; where no line is known, that is all.
    What was seen in use and has no known line stands alone: two dead buttons may be dead for two reasons.
    """
    groups: dict[Key, list[Failure]] = {}
    for failure in failures:
        groups.setdefault(_cause(failure), []).append(failure)
    return list(groups.values())


def _cause(failure: Failure) -> Key:
    measured = failure.category.value if failure.origin == "static" or failure.sealed else ""
    if failure.cause.known and failure.cause.line:
        return ("line", failure.cause.file, str(failure.cause.line), failure.cause.excerpt, failure.scale.value, measured)
    if measured:
        return ("kind", measured, failure.scale.value)
    return ("alone", failure.id)
