"""Who does how well, how surely, and against whom.

A model's figure is the mean over queries of its scores, each query's trials averaged first; intervals are percentile bootstraps
over queries, all models on the same resamples, so that a hard query is hard for everybody at once. Jobs without a score are left
out of means and counted beside them; `if_nought` and `if_full` say where the mean would lie had they all scored 0, or 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from evaluator.results.grid import FACETS, MEASURES, Facet, Grid, Measure, grid
from evaluator.results.rows import Scored
from evaluator.statistics.bootstrap import FEWEST_UNITS, RESAMPLES, Figure, draws, interval

TOP = 8.0


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Standing(_Frozen):
    """One model on one measure over one slice of the queries."""

    model: str
    measure: Measure
    facet: Facet | None = None
    """None: all queries."""
    slice: str = ""
    mean: Figure
    """0–8; `n` is the number of queries with a score."""
    jobs: int
    incomplete: int
    failed: int
    if_nought: float | None
    if_full: float | None
    win_rate: Figure | None = None
    """Mean over the other models of the share of common queries on which this one is better, ties half. Only over all queries."""
    rank: int | None = None
    rank_low: int | None = None
    """With `rank_high` the ranks that 95 % of the resamples give."""
    rank_high: int | None = None


class Duel(_Frozen):
    """One model against another over the queries on which both have a score."""

    model: str
    other: str
    measure: Measure
    better: int
    equal: int
    worse: int
    share: Figure
    """(better + equal/2) / all."""


class Leaderboard(_Frozen):
    """Everything comparative that a table of verdicts says."""

    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
    resamples: int
    seed: int

    def over_all(self, measure: Measure) -> list[Standing]:
        """A measure's standings over all queries, the best first; models without a score last."""
        mine = [standing for standing in self.standings if standing.measure == measure and standing.facet is None]
        return sorted(mine, key=lambda standing: (standing.rank is None, standing.rank or 0, standing.model))

    def by(self, facet: Facet, measure: Measure) -> dict[str, dict[str, Standing]]:
        """Slice → model → standing."""
        found: dict[str, dict[str, Standing]] = {}
        for standing in self.standings:
            if standing.facet == facet and standing.measure == measure:
                found.setdefault(standing.slice, {})[standing.model] = standing
        return found


def leaderboard(rows: Sequence[Scored], *, resamples: int = RESAMPLES, seed: int = 0) -> Leaderboard:
    """All standings and duels of a table of verdicts."""
    board = grid(rows)
    drawn = (
        draws(len(board.queries), resamples=resamples, seed=seed).astype(float) if len(board.queries) >= FEWEST_UNITS else None
    )
    standings: list[Standing] = []
    duels: list[Duel] = []
    for measure in MEASURES:
        fights = _duels(board, measure, drawn)
        duels += fights[0]
        standings += _standings(board, measure, drawn, fights[1])
        for facet in FACETS:
            for name, mask in board.slices(facet).items():
                standings += _standings(board, measure, drawn, None, facet, name, mask)
    return Leaderboard(standings=tuple(standings), duels=tuple(duels), resamples=resamples, seed=seed)


def _standings(
    board: Grid,
    measure: Measure,
    drawn: np.ndarray | None,
    wins: dict[str, Figure] | None,
    facet: Facet | None = None,
    name: str = "",
    mask: np.ndarray | None = None,
) -> list[Standing]:
    chosen = np.ones(len(board.queries), dtype=bool) if mask is None else mask
    values = board.values[measure][:, chosen]
    means = _means(values, None)[0]
    redrawn = _means(values, drawn[:, chosen]) if drawn is not None else None
    ranks = _ranks(means, redrawn)
    found: list[Standing] = []
    for place, model in enumerate(board.models):
        count = int(np.isfinite(values[place]).sum())
        sums = {
            "scored": int(board.scored[place, chosen].sum()),
            "incomplete": int(board.open_jobs[place, chosen].sum()),
            "failed": int(board.failed[place, chosen].sum()),
        }
        found.append(
            Standing(
                model=model,
                measure=measure,
                facet=facet,
                slice=name,
                mean=_figure(means[place], None if redrawn is None else redrawn[:, place], count, "no job was scored"),
                jobs=sum(sums.values()),
                incomplete=sums["incomplete"],
                failed=sums["failed"],
                if_nought=_had_they_been(values[place], board.open_jobs[place, chosen], 0.0),
                if_full=_had_they_been(values[place], board.open_jobs[place, chosen], TOP),
                win_rate=None if wins is None else wins[model],
                **ranks[place],
            )
        )
    return found


def _means(values: np.ndarray, drawn: np.ndarray | None) -> np.ndarray:
    """Mean of each model in each resample (one row with every query once if None): resamples × models, NaN where it has none."""
    weights = np.ones((1, values.shape[1])) if drawn is None else drawn
    there = np.isfinite(values)
    sums = weights @ np.where(there, values, 0.0).T
    counts = weights @ there.T.astype(float)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def _figure(value: float, redrawn: np.ndarray | None, count: int, why: str) -> Figure:
    if not np.isfinite(value):
        return Figure(value=None, n=count, why=why)
    span = interval(redrawn) if redrawn is not None and count >= FEWEST_UNITS else None
    if span is None:
        return Figure(value=float(value), n=count, why="too few queries for an interval")
    return Figure(value=float(value), low=span[0], high=span[1], n=count)


def _had_they_been(values: np.ndarray, open_jobs: np.ndarray, score: float) -> float | None:
    """The mean over queries if every query that has only incomplete jobs had got this score."""
    lacking = int((~np.isfinite(values) & (open_jobs > 0)).sum())
    there = values[np.isfinite(values)]
    total = len(there) + lacking
    return float((there.sum() + lacking * score) / total) if total else None


def _ranks(means: np.ndarray, redrawn: np.ndarray | None) -> list[dict[str, Any]]:
    """1 + the number of models that are better; equal means share a rank."""

    def ranked(row: np.ndarray) -> np.ndarray:
        # NaN is better than nobody and nobody is better than it.
        return 1 + (row[..., None, :] > row[..., :, None]).sum(axis=-1)

    here = ranked(means)
    if redrawn is None:
        return [{"rank": int(here[place]) if np.isfinite(mean) else None} for place, mean in enumerate(means)]
    spread = np.where(np.isfinite(redrawn), ranked(redrawn), np.nan)
    found: list[dict[str, Any]] = []
    for place, mean in enumerate(means):
        span = interval(spread[:, place]) if np.isfinite(mean) else None
        found.append(
            {
                "rank": int(here[place]) if np.isfinite(mean) else None,
                "rank_low": None if span is None else int(np.floor(span[0])),
                "rank_high": None if span is None else int(np.ceil(span[1])),
            }
        )
    return found


def _duels(board: Grid, measure: Measure, drawn: np.ndarray | None) -> tuple[list[Duel], dict[str, Figure]]:
    """Every model against every other, and each one's win rate with its interval."""
    values = board.values[measure]
    found: list[Duel] = []
    rates: dict[str, Figure] = {}
    for place, model in enumerate(board.models):
        # models × queries: 1 better, ½ equal, 0 worse, NaN where either has no score.
        outcome = np.where(np.isfinite(values - values[place]), (np.sign(values[place] - values) + 1) / 2, np.nan)
        outcome[place] = np.nan
        shares, redrawn = _means(outcome, None)[0], None if drawn is None else _means(outcome, drawn)
        for other, name in enumerate(board.models):
            if other == place:
                continue
            fought = outcome[other][np.isfinite(outcome[other])]
            found.append(
                Duel(
                    model=model,
                    other=name,
                    measure=measure,
                    better=int((fought == 1).sum()),
                    equal=int((fought == 0.5).sum()),
                    worse=int((fought == 0).sum()),
                    share=_figure(
                        shares[other], None if redrawn is None else redrawn[:, other], len(fought), "no common query was scored"
                    ),
                )
            )
        rates[model] = _rate(shares, redrawn, int(np.isfinite(outcome).any(axis=0).sum()))
    return found, rates


def _rate(shares: np.ndarray, redrawn: np.ndarray | None, queries: int) -> Figure:
    """The mean over opponents, each weighing the same."""
    there = np.isfinite(shares)
    if not there.any():
        return Figure(value=None, n=0, why="there is no other model with a common query")
    means = None
    if redrawn is not None:
        with np.errstate(invalid="ignore"):
            counts = np.isfinite(redrawn[:, there]).sum(axis=1)
            means = np.where(counts > 0, np.nansum(redrawn[:, there], axis=1) / np.maximum(counts, 1), np.nan)
    return _figure(float(shares[there].mean()), means, queries, "")
