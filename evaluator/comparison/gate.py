"""What a comparison says to continuous integration: the code that the command ends with, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from evaluator.comparison.model import Comparison, Item, Works
from evaluator.verdict.taxonomy import Severity
from tools.errors import UserError
from tools.text import how_many, printable

SAME, WORSE, UNKNOWN = 0, 1, 3
"""Exit codes: see README."""
FailOn = Literal["minor", "major", "critical", "never"]
_LEAST = {"minor": 0, "major": 1, "critical": 2, "never": 3}
_GRAVITY = {Severity.minor: 0, Severity.major: 1, Severity.critical: 2}


class Ruling(BaseModel):
    """How the command ends."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exit_code: int
    lines: tuple[str, ...]
    """One for each reason to end otherwise than in 0."""


def fail_on(given: str) -> FailOn:
    """Raises `UserError` for a word that is none."""
    found = next((argument for argument in get_args(FailOn) if argument == given.strip().lower()), None)
    if found is None:
        raise UserError(f"--fail-on {given} is not known.", hint=f"There are: {', '.join(get_args(FailOn))}.")
    return found


def is_worse(item: Item) -> bool:
    """Whether a failure came with B: it holds on A, or A has not what it is about; or it is graver now."""
    return item.state in {"new", "worse"} or (item.state == "not_seen_before" and item.part_missing)


def is_open(item: Item) -> bool:
    """Whether it can't be said if a failure of B came with B."""
    return item.state == "changed" or (item.state == "not_seen_before" and not item.part_missing)


def weighs(item: Item, least: FailOn) -> bool:
    """Whether it is grave enough to end otherwise than in 0."""
    return _GRAVITY[item.lead.severity] >= _LEAST[least]


def rule(compared: Sequence[Comparison], least: FailOn, problems: Sequence[str] = ()) -> Ruling:
    """1 where something got worse, else 3 where something could not be told, else 0.

    `problems`: works that could not be compared at all, in words.
    """
    worse, unknown = list[str](), list(problems)
    for comparison in compared:
        at = f"{comparison.name}: " if comparison.name else ""
        worse += [f"{at}{said}" for said in _worse(comparison, least)]
        unknown += [f"{at}{said}" for said in _unknown(comparison, least)]
    if least == "never":
        return Ruling(exit_code=UNKNOWN if problems else SAME, lines=tuple(problems))
    return Ruling(exit_code=WORSE if worse else UNKNOWN if unknown else SAME, lines=(*worse, *unknown))


def rule_works(works: Works, least: FailOn) -> Ruling:
    """The same of two folders. A work that only one of them has is listed, and decides nothing."""
    return rule(works.compared, least, [f"{work.name}: {work.problem}" for work in works.works if work.problem])


def _worse(comparison: Comparison, least: FailOn) -> list[str]:
    found = [item for item in comparison.items if is_worse(item) and weighs(item, least)]
    lines = [f"{_why(item)}: {printable(item.lead.title, 160)}" for item in found]
    lower = comparison.functionality
    if lower is not None and lower.lower and least != "never":
        lines.append(f"functionality is lower beyond its interval: {lower.value:+.2f} ({lower.low:+.2f} to {lower.high:+.2f})")
    return lines


def _why(item: Item) -> str:
    words = {"new": "new", "worse": "graver than before"}.get(item.state, "new, on a part that A has not")
    return f"{words} ({item.lead.severity.value})"


def _unknown(comparison: Comparison, least: FailOn) -> list[str]:
    lines = [] if comparison.whole else [f"not both evaluations are whole: {comparison.unscored}"]
    open_yet = [item for item in comparison.items if is_open(item) and weighs(item, least)]
    if open_yet:
        lines.append(f"whether {how_many(len(open_yet), 'failure')} of B came with B could not be told")
    return lines
