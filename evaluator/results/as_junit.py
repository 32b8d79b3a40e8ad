"""`junit.xml`: a batch as continuous integration reads it. One suite a model, one case a job.

A case fails when its functionality lies below what was asked for; it is an error when it has no score. Follows the schema of
Jenkins' xUnit plugin (junit-10.xsd), which other readers accept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from evaluator.results.rows import Scored

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def junit(rows: Sequence[Scored], *, fail_under: float | None = None, name: str = "assay") -> str:
    """The document; without `fail_under` (0–8) no case fails, since nothing was asked for."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for row in rows:
        groups[row.model].append(row)
    root = ET.Element("testsuites", name=_text(name))
    totals = {"tests": 0, "failures": 0, "errors": 0}
    seconds = 0.0
    for model in sorted(groups):
        suite, counts, spent = _suite(model, groups[model], fail_under)
        root.append(suite)
        totals = {key: totals[key] + counts[key] for key in totals}
        seconds += spent
    for key, value in totals.items():
        root.set(key, str(value))
    root.set("time", f"{seconds:.3f}")
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(model: str, rows: Sequence[Scored], fail_under: float | None) -> tuple[ET.Element, dict[str, int], float]:
    suite = ET.Element("testsuite", name=_text(model))
    failures = errors = 0
    for row in rows:
        case = ET.SubElement(suite, "testcase", name=_text(f"{row.query_id} (trial {row.trial})"), classname=_text(model))
        case.set("time", f"{row.wall_s or 0.0:.3f}")
        if row.status != "scored":
            errors += 1
            who = row.blame.value if row.blame else "user"
            told = f"{row.status}: {row.reason}" if row.reason else row.status
            ET.SubElement(case, "error", type=who, message=_text(told)).text = _text(told)
            continue
        value = row.functionality.value if row.functionality else 0.0
        if not row.enough and fail_under is not None:
            errors += 1
            told = f"not enough seen: {row.reason}"
            ET.SubElement(case, "error", type="unsure", message=_text(told)).text = _text(told)
        elif fail_under is not None and value < fail_under:
            failures += 1
            told = f"functionality {value:g} of 8 is below {fail_under:g}"
            ET.SubElement(case, "failure", type="below", message=told).text = _text(_failures(row)) or told
        ET.SubElement(case, "system-out").text = _text(_output(row))
    counts = {"tests": len(rows), "failures": failures, "errors": errors}
    seconds = sum(row.wall_s or 0.0 for row in rows)
    for key, count in counts.items():
        suite.set(key, str(count))
    suite.set("time", f"{seconds:.3f}")
    return suite, counts, seconds


def _failures(row: Scored) -> str:
    return "\n".join(
        f"{one.severity.value} {one.category.value.replace('_', ' ')} (-{one.points:g} {one.scale.value}): {one.title}"
        for one in sorted(row.counted, key=lambda one: -one.points)
    )


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
