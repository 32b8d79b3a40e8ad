"""Rows as arrays: models × queries, trials averaged. What leaderboards and plots are computed from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluator.results.rows import Scored
from evaluator.verdict.taxonomy import Scale

Measure = Literal["functionality", "aesthetics", "total"]
MEASURES: tuple[Measure, ...] = ("functionality", "aesthetics", "total")
Facet = Literal["domain", "difficulty", "language"]
FACETS: tuple[Facet, ...] = ("domain", "difficulty", "language")
UNKNOWN = "not given"
_TIERS = {"easy": 0, "medium": 1, "medium-hard": 2, "hard": 3}


@dataclass(frozen=True)
class Grid:
    """Scores of a batch.

    `values[measure]` is models × queries, 0–8, the mean over the trials that were scored, NaN where none was. `open_jobs` and
    `failed` count the jobs of each cell that ended incomplete or failed, `scored` those with a score.
    """

    models: tuple[str, ...]
    queries: tuple[str, ...]
    values: dict[Measure, np.ndarray]
    scored: np.ndarray
    open_jobs: np.ndarray
    failed: np.ndarray
    facets: dict[Facet, tuple[str, ...]]
    """What each query is, in the queries' order."""

    def slices(self, facet: Facet) -> dict[str, np.ndarray]:
        """Which queries (a mask) have each of a facet's values; tiers from easy to hard, others by name, the unknown last."""
        words = np.array(self.facets[facet])
        names = sorted(set(self.facets[facet]), key=lambda name: (name == UNKNOWN, _TIERS.get(name, 9), name))
        return {name: words == name for name in names}


def measured(row: Scored, measure: Measure) -> float | None:
    """A row's score on a measure."""
    return row.value("total" if measure == "total" else Scale(measure))


def grid(rows: Sequence[Scored]) -> Grid:
    """The rows as arrays; models and queries by name, so that the order in which jobs ended does not matter."""
    models = tuple(sorted({row.model for row in rows}))
    queries = tuple(sorted({row.query_id for row in rows}))
    at_model = {name: place for place, name in enumerate(models)}
    at_query = {name: place for place, name in enumerate(queries)}
    shape = (len(models), len(queries))
    cells = np.array([(at_model[row.model], at_query[row.query_id]) for row in rows], dtype=int).reshape(-1, 2)

    def count(chosen: Callable[[Scored], bool]) -> np.ndarray:
        counts = np.zeros(shape, dtype=int)
        picked = cells[np.array([chosen(row) for row in rows], dtype=bool)]
        np.add.at(counts, (picked[:, 0], picked[:, 1]), 1)
        return counts

    return Grid(
        models=models,
        queries=queries,
        values={measure: _means(rows, cells, shape, measure) for measure in MEASURES},
        scored=count(lambda row: row.status == "scored"),
        open_jobs=count(lambda row: row.status == "incomplete"),
        failed=count(lambda row: row.status == "failed"),
        facets=_facets(rows, queries),
    )


def _means(rows: Sequence[Scored], cells: np.ndarray, shape: tuple[int, int], measure: Measure) -> np.ndarray:
    told = np.array([np.nan if (value := measured(row, measure)) is None else value for row in rows], dtype=float)
    there = np.isfinite(told)
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (cells[there, 0], cells[there, 1]), told[there])
    np.add.at(counts, (cells[there, 0], cells[there, 1]), 1)
    return np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)


def _facets(rows: Sequence[Scored], queries: Sequence[str]) -> dict[Facet, tuple[str, ...]]:
    first: dict[str, Scored] = {}
    for row in rows:
        first.setdefault(row.query_id, row)
    return {
        "domain": tuple(first[name].domain[0] if first[name].domain else UNKNOWN for name in queries),
        "difficulty": tuple(first[name].difficulty or UNKNOWN for name in queries),
        "language": tuple(first[name].language or UNKNOWN for name in queries),
    }
