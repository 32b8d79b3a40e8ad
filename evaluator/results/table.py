"""The table of verdicts: Parquet for analysis, JSON Lines for everything else. Both hold the same rows."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from evaluator.results.rows import Scored
from tools.errors import UserError
from tools.queries.records import read_records

if TYPE_CHECKING:
    import pyarrow as pa

LINES_FILE = "verdicts.jsonl"
PARQUET_FILE = "verdicts.parquet"


def write_table(rows: Sequence[Scored], folder: Path) -> tuple[Path, Path]:
    """`verdicts.parquet` and `verdicts.jsonl` in `folder`, each whole or not at all.

    Raises `UserError` if two rows claim one job.
    """
    import pyarrow as pa  # noqa: PLC0415 - heavy
    from pyarrow import parquet  # noqa: PLC0415

    _refuse_twins(rows)
    folder.mkdir(parents=True, exist_ok=True)
    records = [row.model_dump(mode="json") for row in rows]
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    for_parquet, for_lines = _beside(folder / PARQUET_FILE), _beside(folder / LINES_FILE)
    parquet.write_table(pa.Table.from_pylist(records, schema=schema()), for_parquet, compression="zstd")
    for_lines.write_text(lines, encoding="utf-8")
    return for_parquet.replace(folder / PARQUET_FILE), for_lines.replace(folder / LINES_FILE)


def read_table(path: Path) -> tuple[Scored, ...]:
    """The rows of a table file, or of the one in a batch's folder. Raises `UserError` with the place of a row that is wrong."""
    if path.is_dir():
        there = [path / name for name in (LINES_FILE, PARQUET_FILE) if (path / name).is_file()]
        if not there:
            raise UserError(f"{path} holds no {LINES_FILE}.", hint="Is it a batch's folder? `assay batch` writes one.")
        path = there[0]
    rows: list[Scored] = []
    for record, place in read_records(path):
        try:
            rows.append(Scored.model_validate(record))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise UserError(f"{place}: no row of a batch: {where or 'it'}: {first['msg']}.") from error
    _refuse_twins(rows)
    return tuple(rows)


def _refuse_twins(rows: Iterable[Scored]) -> None:
    seen: set[tuple[str, str, int]] = set()
    for row in rows:
        if row.key in seen:
            told = f"Trial {row.trial} of {row.model} for {row.query_id!r} has two rows."
            raise UserError(told, hint="Each (query, model, trial) ends once.")
        seen.add(row.key)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(3)}")


@cache
def schema() -> pa.Schema:
    """Columns and their types; nested where a row is nested."""
    import pyarrow as pa  # noqa: PLC0415 - heavy

    text, number, whole, yes = pa.string(), pa.float64(), pa.int32(), pa.bool_()
    span = pa.struct([(name, number) for name in ("value", "low", "high")])
    failure_types: dict[str, Any] = {
        "id": text, "category": text, "severity": text, "scale": text, "title": text, "points": number, "confidence": number,
        "proof": text, "counts": yes, "file": text, "line": whole, "video_s": number,
    }  # fmt: skip
    spent_types: dict[str, Any] = {
        "role": text, "models": pa.list_(text), "calls": whole, "recorded": whole, "tokens_in": pa.int64(),
        "tokens_cached": pa.int64(), "tokens_out": pa.int64(), "estimated": yes, "pictures": whole, "seconds": number,
        "cost_usd": number,
    }  # fmt: skip
    types: dict[str, Any] = {
        "query_id": text, "model": text, "trial": whole, "status": text, "reason": text, "blame": text, "enough": yes,
        "seen": text, "language": text, "difficulty": text, "domain": pa.list_(text), "functionality": span, "aesthetics": span,
        "failures": pa.list_(pa.struct(list(failure_types.items()))), "judge": text, "rubric": text, "seal": text, "run": text,
        "wall_s": number, "cost_usd": number, "spent": pa.list_(pa.struct(list(spent_types.items()))), "attempts": whole,
    }  # fmt: skip
    return pa.schema(list(types.items()))
