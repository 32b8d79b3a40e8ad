"""Ratings from files: of people, of judges, of batches. What agreement is computed on.

long     one rating a row        query_id, model, rater, score
wide     one column a rater      query_id, model, alice, bob, …
batch    a table of verdicts     the judge is the rater; on the measure asked for
pairs    one comparison a row    query_id, a, b, rater, winner (a, b or tie)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from evaluator.results.grid import Measure, measured
from evaluator.results.table import read_table
from tools.errors import UserError
from tools.queries.records import Row, read_records

Item = tuple[str, str]
"""What is rated: one model's answer to one query."""

_QUERIES = ("query_id", "query", "data_id", "index", "item", "id")
_MODELS = ("model", "system", "answer")
_RATERS = ("rater", "annotator", "judge", "user")
_SCORES = ("score", "rating", "label", "value")
_TRIALS = ("trial", "run", "repeat")


class Rating(BaseModel):
    """One rater's score of one answer, once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query_id: str
    model: str
    rater: str
    value: float
    trial: int = 1

    @property
    def item(self) -> Item:
        """What is rated."""
        return self.query_id, self.model


class Preference(NamedTuple):
    """One rater's comparison of two answers to one query: 1 the first is better, −1 the second, 0 neither."""

    query_id: str
    first: str
    second: str
    rater: str
    sign: int


class Labels(BaseModel):
    """All that one source says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    ratings: tuple[Rating, ...] = ()
    preferences: tuple[Preference, ...] = ()

    @property
    def raters(self) -> tuple[str, ...]:
        """By name."""
        return tuple(sorted({rating.rater for rating in self.ratings} | {preference.rater for preference in self.preferences}))

    def scores(self) -> dict[Item, float]:
        """Each item's mean: over the trials of each rater first, then over raters."""
        by_rater: dict[Item, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for rating in self.ratings:
            by_rater[rating.item][rating.rater].append(rating.value)
        return {
            item: math.fsum(math.fsum(values) / len(values) for values in raters.values()) / len(raters)
            for item, raters in by_rater.items()
        }


def rescaled(labels: Labels, factor: float) -> Labels:
    """The same ratings in other units: people's 0–5 times 8/5 lie on a verdict's 0–8."""
    ratings = tuple(rating.model_copy(update={"value": rating.value * factor}) for rating in labels.ratings)
    return labels.model_copy(update={"ratings": ratings})


def read_labels(path: Path, *, measure: Measure = "functionality", name: str = "") -> Labels:
    """The ratings or comparisons in a file, or in a batch's folder. Raises `UserError` with the place of what is wrong."""
    if path.is_dir():
        return _of_batch(path, measure, name or path.name)
    rows = read_records(path)
    columns = set(rows[0].record)
    if {"model", "status", "attempts"} <= columns:
        return _of_batch(path, measure, name or path.stem)
    if {"a", "b", "winner"} <= columns:
        return Labels(name=name or path.stem, preferences=tuple(_preference(row) for row in rows))
    ratings = tuple(_of_rows(rows, name or path.stem))
    _refuse_twins(ratings, path)
    return Labels(name=name or path.stem, ratings=ratings)


def _of_batch(path: Path, measure: Measure, name: str) -> Labels:
    ratings = [
        Rating(query_id=row.query_id, model=row.model, rater=row.judge or name, value=value, trial=row.trial)
        for row in read_table(path)
        if (value := measured(row, measure)) is not None
    ]
    if not ratings:
        raise UserError(f"{path} holds no {measure} score.", hint="Are all its jobs incomplete?")
    return Labels(name=name, ratings=tuple(ratings))


def _of_rows(rows: Sequence[Row], source: str) -> Iterator[Rating]:
    """Long where there is a column of scores, else wide: every column that is numeric throughout is a rater."""
    columns = list(dict.fromkeys(key for row in rows for key in row.record))
    query = _column(columns, _QUERIES, rows[0], "the query")
    model = next((name for name in _MODELS if name in columns), None)
    score = next((name for name in _SCORES if name in columns), None)
    if score is not None:
        rater = next((name for name in _RATERS if name in columns), None)
        trial = next((name for name in _TRIALS if name in columns), None)
        for row in rows:
            if row.record.get(score) is None:
                continue
            yield Rating(
                query_id=_word(row, query),
                model=_word(row, model) if model else "",
                rater=_word(row, rater) if rater else source,
                value=_number(row, score),
                trial=int(_number(row, trial)) if trial and row.record.get(trial) is not None else 1,
            )
        return
    raters = [name for name in columns if name not in {query, model} and _numeric(rows, name)]
    if not raters:
        raise UserError(
            f"{rows[0].place}: no scores.", hint=f"Wanted: a column {' or '.join(_SCORES)}, or one column of numbers a rater."
        )
    for row in rows:
        for name in raters:
            if row.record.get(name) is not None:
                yield Rating(
                    query_id=_word(row, query), model=_word(row, model) if model else "", rater=name, value=_number(row, name)
                )


def _numeric(rows: Sequence[Row], column: str) -> bool:
    values = [row.record[column] for row in rows if row.record.get(column) is not None]
    return bool(values) and all(_as_number(value) is not None for value in values)


def _preference(row: Row) -> Preference:
    query = _column(list(row.record), _QUERIES, row, "the query")
    first, second = _word(row, "a"), _word(row, "b")
    winner = _word(row, "winner").casefold()
    signs = {"a": 1, "b": -1, "tie": 0, "equal": 0, "draw": 0, "both": 0, "neither": 0}
    signs |= {first.casefold(): 1, second.casefold(): -1}  # a model may be called b
    if winner not in signs or first == second:
        raise UserError(f"{row.place}: winner {winner!r} of {first!r} and {second!r}.", hint="Wanted: a, b or tie.")
    rater = next((_word(row, name) for name in _RATERS if name in row.record), "")
    return Preference(_word(row, query), first, second, rater, signs[winner])


def _column(columns: Sequence[str], names: Sequence[str], row: Row, what: str) -> str:
    there = next((name for name in names if name in columns), None)
    if there is None:
        raise UserError(f"{row.place}: no column for {what}.", hint=f"Wanted: {' or '.join(names)}.")
    return there


def _word(row: Row, column: str) -> str:
    value = row.record.get(column)
    if value is None or not str(value).strip():
        raise UserError(f"{row.place}: column {column!r} is empty.")
    return str(value).strip()


def _number(row: Row, column: str) -> float:
    value = _as_number(row.record.get(column))
    if value is None:
        raise UserError(f"{row.place}: {row.record.get(column)!r} in column {column!r} is no number.")
    return value


def _as_number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _refuse_twins(ratings: Iterable[Rating], path: Path) -> None:
    seen: set[tuple[str, str, str, int]] = set()
    for rating in ratings:
        key = (rating.query_id, rating.model, rating.rater, rating.trial)
        if key in seen:
            told = f"{path}: {rating.rater} rates {rating.model or 'the answer'} to {rating.query_id!r} twice."
            raise UserError(told, hint="Number repeated ratings in a column 'trial'.")
        seen.add(key)


def matrix(ratings: Iterable[Rating]) -> tuple[np.ndarray, tuple[str, ...], tuple[Item, ...]]:
    """Raters × items (NaN: not rated), the raters and the items. A rater's trials are averaged."""
    cells: dict[tuple[str, Item], list[float]] = defaultdict(list)
    for rating in ratings:
        cells[rating.rater, rating.item].append(rating.value)
    raters = tuple(sorted({rater for rater, _ in cells}))
    items = tuple(sorted({item for _, item in cells}))
    table = np.full((len(raters), len(items)), np.nan)
    for (rater, item), values in cells.items():
        table[raters.index(rater), items.index(item)] = math.fsum(values) / len(values)
    return table, raters, items
