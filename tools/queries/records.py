"""Records of a table file with the place of each: JSON, JSON Lines, CSV, TSV, Parquet. Knows nothing of what they mean."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tools.errors import UserError
from tools.extras import missing_for

MAX_BYTES = 2_000_000_000
SUFFIXES = frozenset({".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"})
_LISTS = ("data", "queries", "items", "records", "rows", "answers")
"""Keys under which a JSON document may hold its list of records."""


class Row(NamedTuple):
    """A record and where it stands, `file:line` (`file:row N` where there are no lines)."""

    record: dict[str, Any]
    place: str


def read_records(path: Path) -> list[Row]:
    """All records of a file. Raises `UserError` with the place of what cannot be read."""
    if not path.is_file():
        raise UserError(f"There is no file {path}.")
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UserError(f"{path} is no table that can be read.", hint=f"Kinds: {', '.join(sorted(SUFFIXES))}.")
    if path.stat().st_size > MAX_BYTES:
        raise UserError(f"{path} is larger than {MAX_BYTES // 10**9} GB.", hint="Split it.")
    rows = list(_parquet(path) if suffix == ".parquet" else _of_text(path, suffix))
    if not rows:
        raise UserError(f"{path} holds no record.")
    return rows


def _of_text(path: Path, suffix: str) -> Iterator[Row]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 (byte {error.start}).", hint="Convert it: iconv -t UTF-8") from error
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}.") from error
    if suffix in {".csv", ".tsv"}:
        return _table(text, path, "\t" if suffix == ".tsv" else ",")
    if suffix == ".json":
        return _document(text, path)
    return _lines(text, path)


def _lines(text: str, path: Path) -> Iterator[Row]:
    # Not splitlines(): it also breaks at U+2028 and others that JSON strings may hold.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _row(_parsed(line, f"{path}:{number}"), f"{path}:{number}")


def _document(text: str, path: Path) -> Iterator[Row]:
    """One JSON document: a list, an object with a list, an object of objects by id – or JSON Lines called .json."""
    try:
        document = json.loads(text)
    except ValueError:
        if "\n" in text.strip():
            yield from _lines(text, path)
            return
        document = _parsed(text, str(path))
    if isinstance(document, dict):
        inner = next((document[key] for key in _LISTS if isinstance(document.get(key), list)), None)
        if inner is not None:
            document = inner
        elif document and all(isinstance(value, dict) for value in document.values()):
            document = [{"id": key, **value} for key, value in document.items()]
        else:
            document = [document]
    if not isinstance(document, list):
        raise UserError(f"{path} holds a {type(document).__name__}, not records.", hint="A list of objects is wanted.")
    for number, record in enumerate(document, 1):
        yield _row(record, f"{path}:row {number}")


def _table(text: str, path: Path, separator: str) -> Iterator[Row]:
    csv.field_size_limit(min(MAX_BYTES, 2**31 - 1))
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        names = reader.fieldnames or []
        if len(set(names)) != len(names):
            raise UserError(f"{path}:1: two columns have the same name.", hint="Rename one.")
        before = reader.line_num
        for record in reader:
            place = f"{path}:{before + 1}"
            before = reader.line_num
            if None in record:
                raise UserError(f"{place}: more cells than columns.", hint="Quote cells that hold the separator.")
            yield Row({key: value for key, value in record.items() if value not in (None, "")}, place)
    except csv.Error as error:
        raise UserError(f"{path}:{reader.line_num}: {error}.", hint="Quote cells that hold quotes or line breaks.") from error


def _parquet(path: Path) -> Iterator[Row]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - heavy, and only for this kind
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing_for(f"{path}, as a Parquet file,", "pyarrow") or error from error

    try:
        table = parquet.read_table(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise UserError(f"{path} is no Parquet file that can be read: {str(error).splitlines()[0]}") from error
    number = 0
    for batch in table.to_batches():
        for record in batch.to_pylist():
            number += 1
            yield Row({key: value for key, value in record.items() if value is not None}, f"{path}:row {number}")


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        told = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise UserError(f"{place}: no valid JSON: {told}.", hint="One JSON object a line.") from error
    except RecursionError as error:
        raise UserError(f"{place}: JSON nested too deep.") from error


def _row(record: Any, place: str) -> Row:
    if not isinstance(record, dict):
        raise UserError(f"{place}: a {type(record).__name__} where an object is wanted.")
    return Row(record, place)
