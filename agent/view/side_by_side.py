"""Two runs side by side: what was asked for and what fails, each line once, as far as it can be told to be the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agent.view.summaries import Summary, promises_of
from evaluator.comparison.about import About, about_all
from evaluator.comparison.pairing import pairs
from evaluator.record.sealed import Reading
from evaluator.reports.facts import read_run
from evaluator.verdict.model import Failure, Verdict
from tools.errors import RunError
from tools.evidence.received import refuse_foreign


@dataclass(frozen=True)
class Line:
    """One requirement: its words, and what each run says of it; empty where a run has not read it."""

    text: str
    a: str
    b: str


@dataclass(frozen=True)
class Couple:
    """One failure or suspicion of either run, or of both."""

    a: Failure | None
    b: Failure | None


@dataclass(frozen=True)
class SideBySide:
    """What the page of two runs shows."""

    a: Summary
    b: Summary
    requirements: tuple[Line, ...]
    failures: tuple[Couple, ...]
    problems: tuple[str, ...]
    """Why a run's failures are not among them."""


def side_by_side(a: Summary, path_a: Path, b: Summary, path_b: Path) -> SideBySide:
    """Two runs against each other; reads their records, which takes a second for large ones. Nothing is tried on their apps."""
    problems: list[str] = []
    verdicts: list[Verdict | None] = []
    abouts: list[dict[str, About]] = []
    for summary, path in ((a, path_a), (b, path_b)):
        try:
            refuse_foreign(path)
            record, verdict = read_run(path)
        except RunError as error:
            problems.append(f"{summary.name}: {error.message}")
            verdicts.append(None)
            abouts.append({})
            continue
        verdicts.append(verdict)
        abouts.append(about_all(Reading(record), verdict.accused))
    mine, theirs = (verdict.accused if verdict is not None else () for verdict in verdicts)
    found = [Couple(*couple) for couple in pairs(mine, theirs, *abouts)]
    found.sort(key=lambda each_couple: (each_couple.a is None, each_couple.b is None))
    lines = _lines(_requirements(path_a, verdicts[0]), _requirements(path_b, verdicts[1]))
    return SideBySide(a, b, lines, tuple(found), tuple(problems))


def _requirements(path: Path, verdict: Verdict | None) -> dict[str, str]:
    """What was asked for → what became of it; a checklist's items where there is one."""
    if verdict is not None and verdict.items:
        return {item.text: item.outcome for item in verdict.items}
    return {entry["text"]: entry["status"] for entry in promises_of(path)} if verdict is not None else {}


def _lines(a: dict[str, str], b: dict[str, str]) -> tuple[Line, ...]:
    texts = [*a, *(text for text in b if text not in a)]
    return tuple(Line(text, a.get(text, ""), b.get(text, "")) for text in texts)
