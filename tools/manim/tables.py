"""Tables over many checks, like PRISM's Tables 1 and 2, each figure with a bootstrap interval over scripts.

A *group* is a folder that `assay manim check` wrote: one model's answers, say. Scripts that the environment kept from running are
counted apart and in no rate. Spatial failures are rates over all scripts, as in the paper: a script that does not run has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.errors import UserError, why

RESAMPLES = 4000
LEVEL = 0.95
MEASURES = ("executed", "minutes", "padvc_centred", "td_centred", "spatial", "overlap", "leak", "out_of_bounds", "gap")
FAILURES = ("failed", "api_hallucination", "api_misuse", "text_rendering", "formatting_pollution", "syntax_error", "other")


@dataclass(frozen=True)
class Figure:
    """A mean, its interval and over how many scripts it is."""

    mean: float | None
    low: float | None = None
    high: float | None = None
    count: int = 0


def documents_of(folder: Path) -> list[dict[str, Any]]:
    """All results in a folder. Raises `UserError` if there are none."""
    found = []
    for path in sorted(folder.rglob("check.json")):
        try:
            found.append(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise UserError(f"{path} can't be read: {why(error)}.") from error
    if not found:
        raise UserError(f"There are no results in {folder}.", hint="assay manim check SCRIPTS --out FOLDER makes them.")
    return found


def generation_table(groups: Mapping[str, Sequence[Mapping[str, Any]]], *, seed: int = 0) -> dict[str, dict[str, Figure]]:
    """Table 1: execution, time, PADVC, TD, spatial pass and its three failures; `gap` is execution less spatial pass."""
    return {name: {measure: _figure(_column(found, measure), seed) for measure in MEASURES} for name, found in groups.items()}


def failure_table(groups: Mapping[str, Sequence[Mapping[str, Any]]], *, seed: int = 0) -> dict[str, dict[str, Figure]]:
    """Table 2: shares of scripts that fail, by primary category."""
    return {name: {kind: _figure(_column(found, kind), seed) for kind in FAILURES} for name, found in groups.items()}


def _column(documents: Sequence[Mapping[str, Any]], measure: str) -> list[float]:
    """A figure of every script that has it."""
    judged = [document for document in documents if document["outcome"]["status"] != "environment"]
    values = [_value(document, measure) for document in judged]
    return [value for value in values if value is not None]


def _value(document: Mapping[str, Any], measure: str) -> float | None:
    rendered = document["outcome"]["status"] == "rendered"
    match measure:
        case "executed":
            return float(rendered)
        case "failed":
            return float(not rendered)
        case "minutes":
            return document["outcome"]["usage"]["wall_s"] / 60 if rendered else None
        case "spatial":
            return float(document["spatial_pass"])
        case "gap":
            return float(rendered) - float(document["spatial_pass"])
        case "overlap" | "leak" | "out_of_bounds":
            kinds = ("overlap", "occluded") if measure == "overlap" else (measure,)
            findings = [finding for audit in document["audits"] for finding in audit["findings"] if finding["stable"]]
            return float(rendered and any(finding["kind"] in kinds for finding in findings))
        case "padvc_centred" | "td_centred":
            return document["metrics"].get(measure)
        case _:
            return float(document["category"] == measure)


def _figure(values: Sequence[float], seed: int) -> Figure:
    if not values:
        return Figure(None)
    array = np.asarray(values, np.float64)
    low, high = bootstrap(array, seed=seed)
    return Figure(float(array.mean()), low, high, len(values))


def bootstrap(values: NDArray[np.float64], *, seed: int = 0) -> tuple[float, float]:
    """Percentile interval of the mean at `LEVEL`."""
    rng = np.random.default_rng(seed)
    # In slices, so that many scripts do not take much memory.
    size = max(1, 2_000_000 // len(values))
    means = np.concatenate(
        [
            values[rng.integers(0, len(values), (min(size, RESAMPLES - done), len(values)))].mean(axis=1)
            for done in range(0, RESAMPLES, size)
        ]
    )
    low, high = np.percentile(means, (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    return float(low), float(high)


def as_json(table: Mapping[str, Mapping[str, Figure]]) -> dict[str, dict[str, dict[str, float | int | None]]]:
    """Plain values."""
    return {name: {measure: dict(vars(figure)) for measure, figure in row.items()} for name, row in table.items()}


def as_text(table: Mapping[str, Mapping[str, Figure]]) -> str:
    """Columns for people: mean and interval."""
    measures = list(next(iter(table.values()), {}))
    width = max([len(name) for name in table] + [5])
    lines = [" " * width + "  n    " + " ".join(measure[:18].ljust(20) for measure in measures)]
    for name, row in table.items():
        count = max(figure.count for figure in row.values())
        lines.append(f"{name:{width}}  {count:<4} " + " ".join(_said(row[measure]).ljust(20) for measure in measures))
    return "\n".join(lines)


def _said(figure: Figure) -> str:
    return "–" if figure.mean is None else f"{figure.mean:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
