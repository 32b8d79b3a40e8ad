"""`results.sarif`: failures as code scanning reads them (SARIF 2.1.0, OASIS standard).

A rule is a category of the taxonomy, a result a failure that costs an app something. Where the cause in the source is known the
result points there, as a path relative to the app's own files; else it names the query as a logical location.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Literal
from urllib.parse import quote

from evaluator.results.rows import FailureRow, Scored
from evaluator.verdict.taxonomy import Category, Severity, scale_of

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.critical: "error", Severity.major: "warning", Severity.minor: "note"}
BaselineState = Literal["new", "unchanged", "updated"]
"""Of a result, against an earlier run (SARIF 2.1.0, 3.27.24)."""
NO_STATES: Mapping[tuple[str, str], BaselineState] = {}


def sarif(rows: Sequence[Scored], states: Mapping[tuple[str, str], BaselineState] = NO_STATES) -> str:
    """The document as JSON, one run with every failure of every job. The same rows give the same bytes.

    `states`: of what was compared with an earlier run, by query and failure.
    """
    rules = [category.value for category in Category]
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Assay",
                        "semanticVersion": version("assay"),
                        "rules": [_rule(category) for category in Category],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(rows)],
                "results": [
                    _result(row, failure, rules, states.get((row.query_id, failure.id)))
                    for row in rows
                    for failure in row.counted
                ],
            }
        ],
    }
    return json.dumps(document, ensure_ascii=False) + "\n"


def _rule(category: Category) -> dict[str, Any]:
    words = category.value.replace("_", " ")
    return {
        "id": category.value,
        "name": "".join(part.capitalize() for part in category.value.split("_")),
        "shortDescription": {"text": words[0].upper() + words[1:]},
        "properties": {"scale": scale_of(category).value},
    }


def _invocation(rows: Sequence[Scored]) -> dict[str, Any]:
    lacking = [row for row in rows if row.status != "scored"]
    return {
        "executionSuccessful": not lacking,
        "toolExecutionNotifications": [
            {
                "level": "error" if row.status == "failed" else "warning",
                "message": {"text": f"{row.model}, {row.query_id}, trial {row.trial}: {row.status}: {row.reason or 'no score'}"},
                "properties": {"blame": row.blame.value if row.blame else "user"},
            }
            for row in lacking
        ],
    }


def _result(row: Scored, failure: FailureRow, rules: Sequence[str], state: BaselineState | None) -> dict[str, Any]:
    return {
        **({"baselineState": state} if state is not None else {}),
        "ruleId": failure.category.value,
        "ruleIndex": rules.index(failure.category.value),
        "level": _LEVELS[failure.severity],
        "message": {"text": failure.title},
        "locations": [_location(row, failure)],
        "partialFingerprints": {"assayFailure/v1": _fingerprint(row, failure)},
        "properties": {
            "model": row.model,
            "query": row.query_id,
            "trial": row.trial,
            "scale": failure.scale.value,
            "points": failure.points,
            "confidence": failure.confidence,
            "proof": failure.proof,
            "run": row.run,
        },
    }


def _location(row: Scored, failure: FailureRow) -> dict[str, Any]:
    location: dict[str, Any] = {
        "logicalLocations": [{"name": row.query_id, "fullyQualifiedName": f"{row.model}/{row.query_id}", "kind": "module"}]
    }
    if failure.file:
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(failure.file.lstrip("/"))}}
        if failure.line > 0:
            physical["region"] = {"startLine": failure.line}
        location["physicalLocation"] = physical
    return location


def _fingerprint(row: Scored, failure: FailureRow) -> str:
    """The same failure of the same app keeps it from batch to batch, whatever its trial or its place in the list."""
    parts = (row.model, row.query_id, failure.category.value, failure.file, failure.title)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
