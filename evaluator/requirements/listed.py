"""A checklist that came with the brief: read from a file, each item one requirement, told by its id (`c1`, `c2` …)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluator.requirements.classes import Behaviour
from evaluator.requirements.grammar import grammar_of
from evaluator.requirements.model import Requirement, Requirements
from evaluator.requirements.reader import LONGEST, also_of, behaviour_of, keys_of, read_requirements
from tools.errors import UserError
from tools.probes.language import detect_language

MOST_ITEMS = 100
CENTRAL = 0.6
"""No item is said to matter more than the others."""
_COLUMNS = ("content", "item", "text")
_KINDS = (".jsonl", ".json", ".csv")


def read_items(path: Path) -> tuple[str, ...]:
    """The items of a file: JSON Lines (objects with `content` or `item`, or strings), a JSON list, or CSV with such a column.

    Raises `UserError`: one line that says what is wrong with it, and where.
    """
    if path.suffix.lower() not in _KINDS:
        raise UserError(f"The checklist {path} is of no known kind.", hint=f"It ends in one of: {', '.join(_KINDS)}.")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"The checklist {path} is no text in UTF-8.") from error
    except OSError as error:
        raise UserError(f"The checklist {path} can't be read: {error.strerror}.") from error
    read = {".csv": _of_csv, ".json": _of_json}.get(path.suffix.lower(), _of_lines)
    items = tuple(read(path, text))
    if not items:
        raise UserError(f"The checklist {path} holds no item.")
    if len(items) > MOST_ITEMS:
        raise UserError(f"The checklist {path} holds {len(items)} items; {MOST_ITEMS} are the most.")
    return items


def _of_lines(path: Path, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                value = json.loads(line)
            except ValueError as error:
                raise UserError(f"{path}:{number}: this line is no JSON.") from error
            yield _item(value, f"{path}:{number}")


def _of_json(path: Path, text: str) -> Iterator[str]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: this is no JSON: {error.msg}.") from error
    if not isinstance(whole, list):
        raise UserError(f"{path} is no list of items.")
    yield from (_item(value, f"{path}, item {number}") for number, value in enumerate(whole, 1))


def _of_csv(path: Path, text: str) -> Iterator[str]:
    rows = csv.reader(text.splitlines())
    head = [name.strip().casefold() for name in next(rows, [])]
    column = next((head.index(name) for name in _COLUMNS if name in head), None)
    if column is None:
        raise UserError(f"{path}:1: no column is called {' or '.join(_COLUMNS)}.", hint=f"Columns: {', '.join(head) or 'none'}.")
    for row in rows:
        if any(cell.strip() for cell in row):
            yield _words(row[column] if column < len(row) else "", f"{path}:{rows.line_num}")


def _item(value: Any, where: str) -> str:
    if isinstance(value, dict):
        found = next((value[name] for name in _COLUMNS if name in value), None)
        if found is None:
            raise UserError(f"{where}: an item has {' or '.join(_COLUMNS)}, this has {', '.join(map(str, value)) or 'nothing'}.")
        value = found
    return _words(value, where)


def _words(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{where}: an item is some words, not {value!r:.60}.")
    return " ".join(value.split())[:LONGEST]


def listed(items: Sequence[str], language: str = "") -> Requirements:
    """Items as requirements, one each, in their order."""
    grammar = grammar_of(language or detect_language(" ".join(items))[0] or "en")
    return Requirements(tuple(_requirement(number, words) for number, words in enumerate(items, 1)), language=grammar.language)


def _requirement(number: int, words: str) -> Requirement:
    behaviour: Behaviour = behaviour_of(words)
    return Requirement(
        id=f"c{number}",
        words=words,
        span=(0, 0),
        behaviour=behaviour,
        also=also_of(words, behaviour),
        central=CENTRAL,
        keys=keys_of(words) if behaviour == "keyboard" else (),
        listed=True,
    )


def asked(brief: str, language: str, checklist: Sequence[str] = ()) -> Requirements:
    """What is asked for: the items of a checklist where there is one, else what the brief says."""
    return listed(checklist, language) if checklist else read_requirements(brief, language)
