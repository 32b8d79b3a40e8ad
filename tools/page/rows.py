"""Page models in the ledger: the first whole, each later one as its difference from the one before.

A kind's list of parts is told as steps: `[from, to]` takes those parts of the earlier list as they were, `{"at": n, …}` takes
one with the named fields set anew, and `{"new": {…}}` is a part that was not there.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Row
from tools.evidence.trial_rows import PageModelSeen
from tools.page.model import KINDS, PageModel

_REMEMBERED = 60
"""Models that are known by what they are without being compared."""
_WORTH = 0.6
"""A difference that is larger than this share of the whole is no saving."""


def values_of(page: PageModel) -> dict[str, Any]:
    """As JSON values, without what is left at its default."""
    return page.model_dump(mode="json", exclude_defaults=True)


def difference_of(earlier: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """What must be known besides the earlier model's values to have the later one's."""
    changed: dict[str, Any] = {}
    for name in earlier.keys() | later.keys():
        before, after = earlier.get(name), later.get(name)
        if before == after:
            continue
        changed[name] = _steps(before or [], after or []) if name in KINDS else after
    return changed


def _steps(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[Any]:
    places = {part["key"]: at for at, part in enumerate(before)}
    steps: list[Any] = []
    for part in after:
        at = places.get(part["key"])
        if at is None:
            steps.append({"new": part})
        elif (patch := _patch(before[at], part)) or not steps or not isinstance(steps[-1], list) or steps[-1][1] != at:
            steps.append({"at": at, **patch} if patch else [at, at + 1])
        else:
            steps[-1][1] = at + 1
    return steps


def _patch(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Fields that differ; None for one that is at its default again."""
    return {name: after.get(name) for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def applied(earlier: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    """The later model's values."""
    later = dict(earlier)
    for name, told in changed.items():
        value = _followed(earlier.get(name, []), told) if name in KINDS else told
        if value is None or value == []:
            later.pop(name, None)
        else:
            later[name] = value
    return later


def _followed(before: list[dict[str, Any]], steps: list[Any]) -> list[dict[str, Any]]:
    after: list[dict[str, Any]] = []
    for step in steps:
        if isinstance(step, list):
            after += before[step[0] : step[1]]
        elif "new" in step:
            after.append(step["new"])
        else:
            patch = {name: value for name, value in step.items() if name != "at"}
            whole = {**before[step["at"]], **patch}
            after.append({name: value for name, value in whole.items() if not (name in patch and value is None)})
    return after


class ModelWriter:
    """Writes the page models of one run. `write` returns the row's id; the same model twice is one row."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._last: tuple[str, dict[str, Any]] | None = None
        self._known: deque[tuple[str, PageModel]] = deque(maxlen=_REMEMBERED)

    def write(self, page: PageModel) -> str:
        """The id of the row that says what this page is."""
        for row_id, known in self._known:
            if known is page:
                return row_id
        values = values_of(page)
        if self._last is not None and self._last[1] == values:
            row_id = self._last[0]
        else:
            row_id = self._row(page, values).id
            self._last = (row_id, values)
        self._known.append((row_id, page))
        return row_id

    def _row(self, page: PageModel, values: dict[str, Any]) -> Row:
        whole = page.model_dump_json(exclude_defaults=True).encode("utf-8", "replace")
        if self._last is not None:
            told = PageModelSeen(url=page.url, since=self._last[0], changed=difference_of(self._last[1], values))
            if len(told.model_dump_json()) < _WORTH * len(whole):
                return self._ledger.append(told, producer="page")
        return self._ledger.append(PageModelSeen(url=page.url), producer="page", blob=self._ledger.put(whole, "application/json"))


def read_model(record: Record, row_id: str) -> PageModel:
    """The page model that a row tells. Raises `KeyError` where there is no such row."""
    return PageModel.model_validate(_values(record, row_id))


def _values(record: Record, row_id: str) -> dict[str, Any]:
    later: list[dict[str, Any]] = []
    while True:
        row = record.row(row_id)
        if row is None or not isinstance(row.body, PageModelSeen):
            raise KeyError(row_id)
        if row.blob is not None:
            break
        later.append(row.body.changed)
        row_id = row.body.since
    values = PageModel.model_validate_json(record.blobs.get(row.blob)).model_dump(mode="json", exclude_defaults=True)
    for changed in reversed(later):
        values = applied(values, changed)
    return values
