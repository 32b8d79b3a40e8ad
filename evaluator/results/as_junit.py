"""`junit.xml`: results as continuous integration reads them; of a batch one suite a model, one case a job.

A job's case fails when its functionality lies below what was asked for; it is an error when it has no score. Follows the
schema of Jenkins' xUnit plugin (junit-10.xsd), which other readers accept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

from evaluator.results.rows import FailureRow, Scored

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


@dataclass(frozen=True)
class Problem:
    """Why a case does not pass: it failed, could not be told (`error`), or was not tried (`skipped`)."""

    tag: Literal["failure", "error", "skipped"]
    kind: str
    message: str
    text: str = ""
    """More than the message; empty: the same."""


@dataclass(frozen=True)
class Case:
    """One case of a suite; without a problem it passes."""

    name: str
    classname: str
    problem: Problem | None = None
    output: str = ""
    seconds: float = 0.0


def document(name: str, suites: Mapping[str, Sequence[Case]]) -> str:
    """The document of these suites, in their order."""
    root = ET.Element("testsuites", name=_text(name))
    everything: list[Case] = []
    for title, cases in suites.items():
        suite = ET.SubElement(root, "testsuite", name=_text(title))
        for case in cases:
            _add(suite, case)
        _count(suite, cases)
        everything += cases
    _count(root, everything)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def junit(rows: Sequence[Scored], *, fail_under: float | None = None, name: str = "assay") -> str:
    """The document of a batch; without `fail_under` (0–8) no case fails, since nothing was asked for."""
    groups: dict[str, list[Case]] = {model: [] for model in sorted({row.model for row in rows})}
    for row in rows:
        groups[row.model].append(_case(row, fail_under))
    return document(name, groups)


def _add(suite: ET.Element, case: Case) -> None:
    element = ET.SubElement(suite, "testcase", name=_text(case.name), classname=_text(case.classname))
    element.set("time", f"{case.seconds:.3f}")
    problem = case.problem
    if problem is not None:
        told = {"message": _text(problem.message)} | ({} if problem.tag == "skipped" else {"type": problem.kind})
        ET.SubElement(element, problem.tag, told).text = _text(problem.text or problem.message)
    if case.output:
        ET.SubElement(element, "system-out").text = _text(case.output)


def _count(element: ET.Element, cases: Sequence[Case]) -> None:
    element.set("tests", str(len(cases)))
    for tag, plural in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        number = sum(case.problem is not None and case.problem.tag == tag for case in cases)
        if number or tag != "skipped":
            element.set(plural, str(number))
    element.set("time", f"{sum(case.seconds for case in cases):.3f}")


def _case(row: Scored, fail_under: float | None) -> Case:
    problem, output = None, _output(row)
    if row.status != "scored":
        told = f"{row.status}: {row.reason}" if row.reason else row.status
        problem, output = Problem("error", row.blame.value if row.blame else "user", told), ""
    elif not row.enough and fail_under is not None:
        problem = Problem("error", "unsure", f"not enough seen: {row.reason}")
    elif fail_under is not None and (value := row.functionality.value if row.functionality else 0.0) < fail_under:
        problem = Problem("failure", "below", f"functionality {value:g} of 8 is below {fail_under:g}", _failures(row))
    return Case(f"{row.query_id} (trial {row.trial})", row.model, problem, output, row.wall_s or 0.0)


def _failures(row: Scored) -> str:
    def told(failure: FailureRow) -> str:
        kind = failure.category.value.replace("_", " ")
        return f"{failure.severity.value} {kind} (-{failure.points:g} {failure.scale.value}): {failure.title}"

    return "\n".join(told(failure) for failure in sorted(row.counted, key=lambda failure: -failure.points))


def _output(row: Scored) -> str:
    spans = [
        f"{word} {span.value:g} of 8 ({span.low:g} to {span.high:g})"
        for word, span in (("functionality", row.functionality), ("aesthetics", row.aesthetics))
        if span is not None
    ]
    said = f"{'complete' if row.enough else 'not enough seen'}: {row.seen}" if row.seen else ""
    return "\n".join(part for part in (said, "; ".join(spans), _failures(row), f"run: {row.run}" if row.run else "") if part)


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
