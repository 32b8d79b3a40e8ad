"""Which columns of a query set mean what: declared in `configs/queries/forms.toml`, a user's file or a command."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tools.errors import UserError, why
from tools.queries.protocol import CheckItem, Query
from tools.queries.records import Row

Names = tuple[str, ...]
"""Columns tried in turn; a dot goes into a record."""

_LANGUAGES = {
    "english": "en", "chinese": "zh", "french": "fr", "spanish": "es", "japanese": "ja", "german": "de", "korean": "ko",
    "portuguese": "pt", "italian": "it", "russian": "ru", "arabic": "ar", "hindi": "hi", "turkish": "tr", "polish": "pl",
    "dutch": "nl", "中文": "zh", "英文": "en", "zh-cn": "zh", "en-us": "en", "cn": "zh", "other": "", "mixed": "",
}  # fmt: skip


class Item(BaseModel):
    """Which keys of a checklist's entry mean what."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = "id"
    title: str = "title"
    text: str = "text"
    points: str = "points"


class Mapping(BaseModel):
    """How records of one query set become queries."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Names = ("id",)
    brief: Names = Field(min_length=1)
    language: Names = ()
    difficulty: Names = ()
    domain: tuple[Names, ...] = ()
    """From general to special."""
    split_domain: str = ""
    """A single column holds the whole path, its parts separated by this."""
    checklist: Names = ()
    item: Item = Item()
    points: float = 10.0
    """What an item is worth that does not say so."""
    known_by: Names = ()
    """Columns whose presence tells this form from others."""

    @field_validator("id", "brief", "language", "difficulty", "checklist", "known_by", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @field_validator("domain", mode="before")
    @classmethod
    def _parts(cls, value: Any) -> Any:
        parts = (value,) if isinstance(value, str) else value
        return tuple((part,) if isinstance(part, str) else part for part in parts)


@cache
def forms() -> dict[str, Mapping]:
    """The mappings that come with Assay, by name."""
    text = (files("configs") / "queries" / "forms.toml").read_text(encoding="utf-8")
    return {name: Mapping.model_validate(table) for name, table in tomllib.loads(text).items()}


def mapping_of(form: str | None, mapping: str | None, rows: list[Row]) -> Mapping:
    """The mapping to use: a file or `column=name,…` pairs, else the form asked for, else the one the columns tell."""
    if mapping:
        return _given(mapping, form)
    known = forms()
    if form is None:
        columns = set(rows[0].record)
        fitting = [entry for entry in known.values() if entry.known_by and set(entry.known_by) <= columns]
        return max(fitting, key=lambda entry: len(entry.known_by), default=known["assay"])
    if form not in known:
        raise UserError(f"There is no query form called {form!r}.", hint=f"Forms: {', '.join(known)}; or give --mapping.")
    return known[form]


def _given(mapping: str, form: str | None) -> Mapping:
    if mapping.endswith(".toml"):
        table = _read_toml(Path(mapping))
    else:
        pairs = [part.partition("=") for part in mapping.split(",")]
        if any(not sign or not name or not column for name, sign, column in pairs):
            raise UserError(
                f"The mapping {mapping!r} is not understood.", hint="For example id=data_id,brief=query, or FILE.toml."
            )
        table = {name.strip(): column.strip() for name, _, column in pairs}
    base = forms().get(form or "assay", forms()["assay"]).model_dump()
    try:
        return Mapping.model_validate({**base, **table})
    except ValidationError as error:
        first = error.errors()[0]
        wanted = ", ".join(name for name in Mapping.model_fields if name != "known_by")
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(f"The mapping's {where}: {first['msg']}.", hint=f"It may set: {wanted}.") from error


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"The mapping {path} can't be read: {why(error)}.") from error
    tables = [value for value in table.values() if isinstance(value, dict) and "brief" in value]
    return tables[0] if len(tables) == 1 and len(table) == 1 else table


def query_of(row: Row, mapping: Mapping) -> Query:
    """The query in a record. Raises `UserError` that names the place and the columns looked for."""
    record, place = row
    brief = found(record, mapping.brief)
    if not isinstance(brief, str) or not brief.strip():
        columns = " or ".join(repr(name) for name in mapping.brief)
        raise UserError(f"{place}: no brief in column {columns}.", hint="Fill it in, or say where it is: --mapping brief=COLUMN")
    name = found(record, mapping.id)
    if name is None or not str(name).strip():
        columns = " or ".join(repr(text) for text in mapping.id)
        raise UserError(f"{place}: no id in column {columns}.", hint="Fill it in, or say where it is: --mapping id=COLUMN")
    used = {path.partition(".")[0] for path in _columns(mapping)}
    return Query(
        id=str(name).strip(),
        brief=brief.strip(),
        language=_language(found(record, mapping.language)),
        difficulty=str(found(record, mapping.difficulty) or "").strip().lower(),
        domain=_domain(record, mapping),
        checklist=_checklist(found(record, mapping.checklist), mapping, place),
        meta={key: value for key, value in record.items() if key not in used},
    )


def _columns(mapping: Mapping) -> set[str]:
    return {
        *mapping.id, *mapping.brief, *mapping.language, *mapping.difficulty, *mapping.checklist,
        *(name for part in mapping.domain for name in part),
    }  # fmt: skip


def found(record: dict[str, Any], names: Names) -> Any:
    """The first of the columns that is there; None if none is. 0 and False are values."""
    for name in names:
        value: Any = record
        for key in (name,) if name in record else name.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if value not in (None, "", [], {}):
            return value
    return None


def _language(value: Any) -> str:
    word = str(value or "").strip().lower()
    return _LANGUAGES.get(word, word)


def _domain(record: dict[str, Any], mapping: Mapping) -> tuple[str, ...]:
    values = [found(record, part) for part in mapping.domain]
    if len(values) == 1 and isinstance(values[0], str) and values[0].startswith("["):
        values = [_unpacked(values[0])]
    if len(values) == 1 and isinstance(values[0], list | tuple):
        values = list(values[0])
    if mapping.split_domain and len(values) == 1 and isinstance(values[0], str):
        values = list(values[0].split(mapping.split_domain, 1))
    return tuple(str(value).strip() for value in values if value is not None and str(value).strip())


def _unpacked(text: str) -> Any:
    """JSON inside a cell of a table that knows text only; the text itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _checklist(value: Any, mapping: Mapping, place: str) -> tuple[CheckItem, ...]:
    if isinstance(value, str):
        value = _unpacked(value)
        value = [line.strip("-• ").strip() for line in value.splitlines()] if isinstance(value, str) else value
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise UserError(f"{place}: the checklist is a {type(value).__name__}.", hint="A list of texts or of objects is wanted.")
    items: list[CheckItem] = []
    for entry in value:
        items += _items(entry, mapping, place, len(items))
    return tuple(items)


def _items(entry: Any, mapping: Mapping, place: str, before: int) -> list[CheckItem]:
    if isinstance(entry, str):
        return [CheckItem(id=str(before + 1), text=entry, points=mapping.points)] if entry.strip() else []
    if not isinstance(entry, dict):
        raise UserError(f"{place}: item {before + 1} of the checklist is a {type(entry).__name__}.")
    keys = mapping.item
    text, title = entry.get(keys.text), str(entry.get(keys.title) or "")
    name = str(entry.get(keys.id, before + 1))
    if isinstance(text, list | tuple):
        return [
            CheckItem(id=f"{name}.{number}", title=title, text=str(item), points=mapping.points)
            for number, item in enumerate(text, 1)
            if str(item).strip()
        ]
    if not isinstance(text, str) or not text.strip():
        raise UserError(f"{place}: item {before + 1} of the checklist has no {keys.text!r}.")
    points = entry.get(keys.points, mapping.points)
    if isinstance(points, bool) or not isinstance(points, int | float) or points <= 0:
        raise UserError(f"{place}: item {before + 1} of the checklist is worth {points!r}.", hint="A number above 0 is wanted.")
    return [CheckItem(id=name, title=title, text=text, points=float(points))]
