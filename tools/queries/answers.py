"""Answers of models to a query set: folders, tables of raw answers, tables of addresses.

ANSWERS/                      one folder a model             MODEL=ANSWERS/      one model
  gpt-x/q1.html                                                q1.html  q2/  q3.md
  gpt-x/q2/index.html                                        MODEL=answers.jsonl, answers.jsonl
  gpt-x/trial-2/q1.html                                        {"id": "q1", "answer": "…", "model": "…", "trial": 2}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tools.errors import UserError
from tools.queries.mapping import found
from tools.queries.protocol import Answer, Query, SubjectKind
from tools.queries.records import SUFFIXES, Row, read_records

_IDS = ("query_id", "data_id", "id", "index")
_TEXTS = ("answer", "response", "output", "completion", "content", "text", "prediction")
_MODELS = ("model", "model_name")
_TRIALS = ("trial", "sample", "epoch")
_TRIAL = re.compile(r"trial[-_]?([1-9]\d*)", re.IGNORECASE)
_FILES = frozenset({".html", ".htm", ".xhtml", ".svg", ".md", ".markdown", ".txt", ".json", ".jsx", ".tsx", ".vue"})
EMPTY = "\n"
"""The subject of an answer in which a model said nothing: it is evaluated, and holds no app."""


def file_name(query_id: str) -> str:
    """The name under which an answer to the query is looked for if the id itself cannot be one: percent-encoded."""
    return quote(query_id, safe=" !#$&'()+,;=@[]{}~^").replace("..", "%2E%2E")


def read_answers(sources: Sequence[str], queries: Sequence[Query]) -> tuple[Answer, ...]:
    """The answers to these queries in all sources, sorted by model, query (in the set's order) and trial.

    A source is `[MODEL=]PATH`. Answers to other queries are passed over. Raises `UserError` where a source holds no answer to any
    of the queries, two answers claim one (query, model, trial), or a row is wrong.
    """
    order = {query.id: place for place, query in enumerate(queries)}
    found_all: dict[tuple[str, str, int], Answer] = {}
    for source in sources:
        model, path = _split(source)
        answers = list(_of_folder(path, model, order) if path.is_dir() else _of_table(path, model, order))
        if not answers:
            raise UserError(f"{path} holds no answer to any of the {len(order)} queries.", hint=_hint(path, queries))
        for answer in answers:
            before = found_all.setdefault(answer.key, answer)
            if before is not answer:
                told = (
                    f"{answer.source}: trial {answer.trial} of {answer.model} for {answer.query_id!r} is also in {before.source}."
                )
                raise UserError(told, hint="Give each a trial of its own, or leave one out.")
    return tuple(
        sorted(found_all.values(), key=lambda each_answer: (each_answer.model, order[each_answer.query_id], each_answer.trial))
    )


def missing(queries: Sequence[Query], answers: Sequence[Answer]) -> dict[str, tuple[str, ...]]:
    """Ids of the queries that each model has no answer to, in the set's order; models without gaps are left out."""
    there: dict[str, set[str]] = {}
    for answer in answers:
        there.setdefault(answer.model, set()).add(answer.query_id)
    gaps = {model: tuple(query.id for query in queries if query.id not in ids) for model, ids in there.items()}
    return {model: ids for model, ids in gaps.items() if ids}


def _split(source: str) -> tuple[str | None, Path]:
    name, sign, rest = source.partition("=")
    if sign and rest and "/" not in name and not Path(source).exists():
        model, given = name.strip(), rest
    else:
        model, given = None, source
    path = Path(given).expanduser()
    if not path.exists():
        raise UserError(f"There are no answers at {given}.", hint="[MODEL=]PATH: a folder, or a JSONL, CSV or Parquet file.")
    if model == "":
        raise UserError(f"{source!r} names no model.", hint="MODEL=PATH")
    return model, path.resolve()


def _hint(path: Path, queries: Sequence[Query]) -> str:
    first = queries[0].id if queries else "ID"
    if path.is_dir():
        return f"Wanted: {path}/MODEL/{file_name(first)}.html (or .md, or a folder of that name)."
    return f"Wanted: rows with {_IDS[0]!r} such as {first!r}, and 'answer', 'url' or 'path'."


def _of_folder(path: Path, model: str | None, order: dict[str, int]) -> Iterator[Answer]:
    names = {name: query_id for query_id in order for name in (query_id, file_name(query_id))}
    if model is not None or _holds_answers(path, names):
        yield from _of_model(path, model or path.name, names)
        return
    for folder in sorted(entry for entry in path.iterdir() if entry.is_dir() and not entry.name.startswith(".")):
        yield from _of_model(folder, folder.name, names)
    for table in sorted(entry for entry in path.iterdir() if entry.suffix.lower() in SUFFIXES and entry.stem not in names):
        yield from _of_table(table, None, order)


def _holds_answers(path: Path, names: dict[str, str]) -> bool:
    return any(_named(entry, names) is not None for entry in path.iterdir())


def _of_model(folder: Path, model: str, names: dict[str, str]) -> Iterator[Answer]:
    for entry in sorted(folder.iterdir()):
        trial = _TRIAL.fullmatch(entry.name)
        if trial and entry.is_dir():
            yield from _of_trial(entry, model, int(trial[1]), names)
    yield from _of_trial(folder, model, 1, names)


def _of_trial(folder: Path, model: str, trial: int, names: dict[str, str]) -> Iterator[Answer]:
    for entry in sorted(folder.iterdir()):
        query_id = _named(entry, names)
        if query_id is not None:
            yield Answer(query_id=query_id, model=model, trial=trial, kind="path", subject=str(entry), source=str(entry))


def _named(entry: Path, names: dict[str, str]) -> str | None:
    """The query whose id an entry bears: a folder by its name, a file by its name without a suffix that apps and answers have."""
    if entry.is_dir():
        return names.get(entry.name)
    return names.get(entry.name[: -len(entry.suffix)]) if entry.suffix.lower() in _FILES else None


def _of_table(path: Path, model: str | None, order: dict[str, int]) -> Iterator[Answer]:
    counted: dict[tuple[str, str], int] = {}
    for row in read_records(path):
        query_id = str(found(row.record, _IDS) if found(row.record, _IDS) is not None else "").strip()
        if not query_id:
            raise UserError(f"{row.place}: no query id.", hint=f"It is looked for in: {', '.join(_IDS)}.")
        if query_id not in order:
            continue
        name = model or str(found(row.record, _MODELS) or path.stem)
        nth = counted[query_id, name] = counted.get((query_id, name), 0) + 1
        kind, subject = _subject(row, path)
        yield Answer(query_id=query_id, model=name, trial=_trial(row, nth), kind=kind, subject=subject, source=row.place)


def _trial(row: Row, nth: int) -> int:
    """The trial a row names; rows that name none are counted."""
    value = found(row.record, _TRIALS)
    if value is None:
        return nth
    try:
        number = int(str(value))
    except ValueError:
        number = 0
    if number < 1:
        raise UserError(f"{row.place}: trial {value!r} is no number from 1 on.")
    return number


def _subject(row: Row, table: Path) -> tuple[SubjectKind, str]:
    record = row.record
    for name in ("url", "address"):
        address = record.get(name)
        if isinstance(address, str) and address.strip():
            if not re.match(r"https?://\S+$", address.strip(), re.IGNORECASE):
                raise UserError(f"{row.place}: {address!r} is no http or https address.")
            return "url", address.strip()
    for name in ("path", "file"):
        given = record.get(name)
        if isinstance(given, str) and given.strip():
            path = (table.parent / Path(given).expanduser()).resolve()
            if not path.exists():
                raise UserError(f"{row.place}: there is no file {path}.", hint="Paths are relative to the table's folder.")
            return "path", str(path)
    for name in _TEXTS:
        if name in record:
            return "text", _text(record[name], row) or EMPTY
    raise UserError(f"{row.place}: no answer.", hint=f"It is looked for in: {', '.join((*_TEXTS, 'url', 'path'))}.")


def _text(value: Any, row: Row) -> str:
    """A raw answer: a text, or the parts or messages a chat interface returns."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value if value.strip() else ""
    if isinstance(value, list):
        return "".join(_text(part, row) for part in value)
    if isinstance(value, dict):
        inner = next((value[key] for key in ("content", "text") if key in value), None)
        return _text(inner, row)
    raise UserError(f"{row.place}: the answer is a {type(value).__name__}, not a text.")
