"""What continuous integration reads of a comparison: JUnit's cases, SARIF's results, by the writers that batches have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from evaluator.comparison.gate import FailOn, is_open, is_worse, weighs
from evaluator.comparison.model import Comparison, Item
from evaluator.comparison.wording import GROUP, apart, meaning, tried_there
from evaluator.results.as_junit import Case, Problem, document
from evaluator.results.as_sarif import BaselineState, sarif
from evaluator.results.rows import Scored, failure_row, scored_row
from evaluator.verdict.model import Verdict
from tools.evidence.record import Record
from tools.evidence.rows import SiteServed
from tools.queries.protocol import Query

_STATES: dict[str, BaselineState] = {
    "new": "new",
    "not_seen_before": "new",
    "worse": "updated",
    "changed": "updated",
    "better": "updated",
    "both": "unchanged",
    "seen_only_in_b": "unchanged",
}


def junit_of(compared: Sequence[Comparison], least: FailOn, title: str) -> str:
    """One suite a work: a case for each failure of either version, and one for functionality.

    What came with B fails, as far as `--fail-on` asks for it; what could not be told is an error; everything else passes or,
    where it was not seen again, is skipped.
    """
    suites: dict[str, list[Case]] = {}
    for comparison in compared:
        suites[comparison.name or title] = [_score_case(comparison, least), *(_case(item, least) for item in comparison.items)]
    return document(title, suites)


def _case(item: Item, least: FailOn) -> Case:
    lead, said = item.lead, tried_there(item)
    fails, problem = weighs(item, least), None
    if fails and is_worse(item):
        told = f"Expected: {lead.expected}\nObserved: {lead.observed}\n{said}"
        problem = Problem("failure", item.state, f"{GROUP[item.state].title}: {lead.title}", told)
    elif fails and is_open(item):
        problem = Problem("error", "not told", said)
    elif item.state == "not_seen_again":
        problem = Problem("skipped", "", said)
    kind = f"{item.by or 'assay'}.{lead.category.value}"
    return Case(f"{lead.title} ({lead.id})", kind, problem, f"{GROUP[item.state].title}. {said}")


def _score_case(comparison: Comparison, least: FailOn) -> Case:
    found = comparison.functionality
    if found is None:
        return Case("functionality", "assay.score", Problem("skipped", "", comparison.unscored or "there is no score to compare"))
    told = f"functionality {found.a.value:.2f} → {found.b.value:.2f}, {apart(found)}: {meaning(found)}"
    problem = Problem("failure", "lower", told) if found.lower and least != "never" else None
    return Case("functionality", "assay.score", problem, told)


def sarif_of(compared: Sequence[tuple[Comparison, Verdict, Record]], root: Path) -> str:
    """What B fails in, each with its state against A. What is gone is left out: code scanning would show it as there.

    Paths are those of files below `root`, where the command is given: in continuous integration the repository. A failure whose
    line is not known is put at the page that was opened, for code scanning refuses a result without a file.
    """
    rows: list[Scored] = []
    states: dict[tuple[str, str], BaselineState] = {}
    for comparison, verdict, record in compared:
        name = comparison.name or "app"
        row = scored_row(Query(id=name, brief=record.started.brief.strip() or name), "B", 1, verdict, run=comparison.b.run)
        folder, page = _app_below(record, root)
        beyond = tuple(failure_row(item.lead) for item in comparison.items if item.beyond)
        placed = [
            failure.model_copy(update={"file": f"{folder}{failure.file}" if failure.file else page, "line": failure.line})
            for failure in (*row.failures, *beyond)
        ]
        rows.append(row.model_copy(update={"failures": tuple(placed)}))
        for item in comparison.items:
            if item.b is not None and item.state in _STATES:
                states[name, item.b.id] = _STATES[item.state]
    return sarif(rows, states)


def _app_below(record: Record, root: Path) -> tuple[str, str]:
    """The app's folder below `root`, with `/` behind it, and the page that was opened; empty where the app lies elsewhere."""
    served, subject = record.last(SiteServed), Path(record.started.subject)
    if served is None or served[1].variety not in {"html", "folder", "project"} or not subject.is_absolute():
        return "", ""
    home = subject if served[1].variety != "html" else subject.parent
    try:
        inside = os.path.relpath(home.resolve(), root.resolve())
    except ValueError:
        return "", ""
    if inside.startswith(".."):
        return "", ""
    folder = "" if inside == "." else f"{Path(inside).as_posix()}/"
    if served[1].variety == "html":
        return folder, f"{folder}{subject.name}"
    entry = unquote(urlsplit(served[1].entry).path.lstrip("/")) or "index.html"
    there = [name for name in (entry, "index.html", "package.json") if (home / name).is_file()]
    return folder, f"{folder}{there[0]}" if there else ""
