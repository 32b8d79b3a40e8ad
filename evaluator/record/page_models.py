"""The page models of a record, each read once: as values for comparing, as parts for finding things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.trial_rows import PageModelSeen
from tools.page.model import KINDS, PageModel
from tools.page.parts import Part
from tools.page.rows import applied, values_of

Values = dict[str, Any]
_SHOWN = tuple(kind for kind in KINDS if kind != "processes")
"""Kinds of part that show something. That a process goes on is no change."""
_UNSEEN = frozenset({"key", "node", "box", "in_view", "covered", "focused"})
"""Fields of a part that say nothing of what it shows: where it is, which element it is, whether the caret is in it."""


class PageModels:
    """Reads page models by the ids of their rows.

    Most are told by their difference from an earlier one, so that each is made from that one and kept; `read_model` of
    `tools.page.rows` goes back to the last whole one each time.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._values: dict[str, Values | None] = {}
        self._pages: dict[str, PageModel | None] = {}

    def values(self, row_id: str) -> Values | None:
        """A model's JSON values; None if there is no such row or it cannot be read."""
        chain: list[str] = []
        while row_id not in self._values:
            row = self._record.row(row_id)
            if row is None or not isinstance(row.body, PageModelSeen):
                self._values[row_id] = None
            elif row.blob is not None:
                self._values[row_id] = self._whole(row_id)
            else:
                chain.append(row_id)
                row_id = row.body.since
        for later in reversed(chain):
            earlier, row = self._values[row_id], self._record.row(later)
            told = row.body.changed if row is not None and isinstance(row.body, PageModelSeen) else {}
            self._values[later] = applied(earlier, told) if earlier is not None else None
            row_id = later
        return self._values[row_id]

    def _whole(self, row_id: str) -> Values | None:
        row = self._record.row(row_id)
        if row is None or row.blob is None:
            return None
        try:
            return values_of(PageModel.model_validate_json(self._record.blobs.get(row.blob)))
        except (ValidationError, RunError):
            return None

    def page(self, row_id: str) -> PageModel | None:
        """The model that a row tells; None if there is no such row or it cannot be read."""
        if row_id not in self._pages:
            values = self.values(row_id)
            try:
                self._pages[row_id] = None if values is None else PageModel.model_validate(values)
            except ValidationError:
                self._pages[row_id] = None
        return self._pages[row_id]

    def parts(self, row_id: str) -> tuple[Part, ...]:
        """Its parts, kind after kind; empty if there is no such model."""
        page = self.page(row_id)
        return tuple(page.parts()) if page is not None else ()


def shown(values: Mapping[str, Any]) -> Values:
    """What a model's values show to a person, without where things stand and without time."""
    told: Values = {"url": values.get("url", ""), "title": values.get("title", "")}
    return told | {kind: _shown(values.get(kind, [])) for kind in _SHOWN}


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _shown(item) for name, item in value.items() if name not in _UNSEEN}
    return [_shown(item) for item in value] if isinstance(value, list) else value


def differ(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Whether two models show anything else."""
    return shown(first) != shown(second)
