"""Query sets from files."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from tools.errors import UserError
from tools.queries.mapping import Mapping, mapping_of, query_of
from tools.queries.protocol import Query
from tools.queries.records import Row, read_records

STARTER = "starter"
"""The name of the set that comes with Assay."""


def read_queries(path: str | Path, *, form: str | None = None, mapping: str | None = None) -> tuple[Query, ...]:
    """The queries of a file, in its order.

    `path` is a JSON, JSON Lines, CSV or Parquet file, or `starter`. `form` is one of `mapping.forms()`; None tells it from the
    columns. `mapping` is a TOML file or `id=COLUMN,brief=COLUMN,…` and wins. Raises `UserError` with file, line and remedy for
    the first row that is wrong, and says how many more are.
    """
    if str(path) == STARTER and not Path(path).exists():
        with as_file(files("configs") / "queries" / "starter.jsonl") as shipped:
            return _queries(read_records(shipped), None, None)
    return _queries(read_records(Path(path)), form, mapping)


def _queries(rows: list[Row], form: str | None, mapping: str | None) -> tuple[Query, ...]:
    chosen = mapping_of(form, mapping, rows)
    read, wrong = _all(rows, chosen)
    if wrong:
        more = f" ({len(wrong) - 1} more of {len(rows)} rows are wrong.)" if len(wrong) > 1 else ""
        raise UserError(wrong[0].message + more, hint=wrong[0].hint)
    return tuple(read)


def _all(rows: Sequence[Row], mapping: Mapping) -> tuple[list[Query], list[UserError]]:
    read: list[Query] = []
    wrong: list[UserError] = []
    places: dict[str, str] = {}
    for row in rows:
        try:
            query = query_of(row, mapping)
        except UserError as error:
            wrong.append(error)
            continue
        if query.id in places:
            told = f"{row.place}: id {query.id!r} is already at {places[query.id]}."
            wrong.append(UserError(told, hint="Ids must be unique."))
            continue
        places[query.id] = row.place
        read.append(query)
    return read, wrong
