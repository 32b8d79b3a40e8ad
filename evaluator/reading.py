"""A sealed record, indexed for judging: acts with their windows of time, what was seen before and after, promises."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel

from evaluator.dom import Dom
from evaluator.naming import name_stem, path_of
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import (
    Acted,
    Audited,
    Covered,
    DomSnapshot,
    Observed,
    Outcome,
    Planned,
    Promise,
    Row,
    SiteServed,
    StageOpened,
)

B = TypeVar("B", bound=BaseModel)


@dataclass(frozen=True)
class Act:
    """One act of the exploration. `number` counts all acts, `stage` the browser it was done in (a resumed run has several)."""

    row: Row
    body: Acted
    number: int
    stage: int

    @property
    def kind(self) -> str:
        """What was done: `click`, `type`, `reload` and so on."""
        return str(self.body.action.get("act", ""))

    @property
    def opens_page(self) -> bool:
        """Whether the act loads a page anew by its nature."""
        return self.kind in {"reload", "goto", "back"}


class Reading:
    """What the judge knows of a run. Raises `RunError` when the record is not sealed."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.seal = record.seal
        self.started = record.started
        self._by_kind: dict[type[BaseModel], list[Row]] = {}
        self._place: dict[str, int] = {}
        self._stage: list[int] = []
        stage = 0
        for index, row in enumerate(record.rows):
            if isinstance(row.body, StageOpened):
                stage += 1
            self._by_kind.setdefault(type(row.body), []).append(row)
            self._place[row.id] = index
            self._stage.append(stage)
        self._marks: dict[str, tuple[dict[str, Any], ...]] = {}

    def of(self, body_type: type[B]) -> Iterator[tuple[Row, B]]:
        """Rows whose body is of that class, in order, each with its body."""
        for row in self._by_kind.get(body_type, []):
            if isinstance(row.body, body_type):
                yield row, row.body

    def last(self, body_type: type[B]) -> B | None:
        """Body of the last row of that class."""
        return next((body for _, body in reversed(list(self.of(body_type)))), None)

    def index(self, row_id: str) -> int:
        """Position of a row in the ledger; -1 if there is none of that id."""
        return self._place.get(row_id, -1)

    def stage_of(self, row: Row) -> int:
        """Which browser of the run the row belongs to: 0 before the first was opened."""
        return self._stage[self._place[row.id]]

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """All acts in order."""
        return tuple(Act(row, body, number, self.stage_of(row)) for number, (row, body) in enumerate(self.of(Acted)))

    @cached_property
    def _act_by_id(self) -> dict[str, Act]:
        return {act.row.id: act for act in self.acts}

    def act(self, row_id: str) -> Act | None:
        """The act of that row id."""
        return self._act_by_id.get(row_id)

    @cached_property
    def _starts(self) -> dict[int, tuple[list[float], list[Act]]]:
        starts: dict[int, tuple[list[float], list[Act]]] = {}
        for act in self.acts:
            times, acts = starts.setdefault(act.stage, ([], []))
            # Held ascending, so that it can be searched even if a clock was read a little late.
            times.append(max(act.body.started_ms, times[-1] if times else act.body.started_ms))
            acts.append(act)
        return starts

    def act_at(self, row: Row) -> Act | None:
        """The act in whose window a log row falls: begun before it, with no later act begun; None while the page loads.

        Rows without app time are placed by their order: they were written while the act after them was accounted for.
        """
        times, acts = self._starts.get(self.stage_of(row), ([], []))
        if row.app_ms is not None:
            position = bisect_right(times, row.app_ms)
            return acts[position - 1] if position else None
        here = self.index(row.id)
        for act in acts:
            if self.index(act.row.id) > here:
                return act if self.index(act.body.before) < here else None
        return None

    @cached_property
    def observations(self) -> tuple[tuple[Row, Observed], ...]:
        """What was seen, in order."""
        return tuple(self.of(Observed))

    def marks(self, observation_id: str) -> tuple[dict[str, Any], ...]:
        """The marks of an observation as JSON values; empty if it has none or they cannot be read."""
        if observation_id not in self._marks:
            row = self.record.row(observation_id)
            values: Any = []
            if row is not None and isinstance(row.body, Observed) and row.blob is not None:
                try:
                    values = json.loads(self.record.blobs.get(row.blob))
                except (ValueError, RunError):
                    values = []
            if isinstance(values, dict):
                values = values.get("marks", [])
            self._marks[observation_id] = tuple(one for one in values if isinstance(one, dict))
        return self._marks[observation_id]

    @property
    def first_marks(self) -> tuple[dict[str, Any], ...]:
        """The marks of the untouched page."""
        return self.marks(self.observations[0][0].id) if self.observations else ()

    def url_at(self, row: Row) -> str:
        """Address of the page when the row was written: of the last observation before it, else of the first after it."""
        index = self.index(row.id)
        places = self._observed_places
        position = bisect_right(places, index)
        if position:
            return self.observations[position - 1][1].url
        if self.observations:
            return self.observations[0][1].url
        site = self.last(SiteServed)
        return site.entry if site else ""

    @cached_property
    def _observed_places(self) -> list[int]:
        return [self.index(row.id) for row, _ in self.observations]

    def page_of(self, row: Row) -> str:
        """The document that was shown when the row was written."""
        return document_of(self.url_at(row))

    def page_before(self, act: Act) -> str:
        """The document that an act was done on."""
        row = self.record.row(act.body.before)
        return document_of(row.body.url) if row is not None and isinstance(row.body, Observed) else self.page_of(act.row)

    def page_after(self, act: Act) -> str:
        """The document that was shown after an act; the one before when nothing could be seen any more."""
        row = self.record.row(act.body.after)
        return document_of(row.body.url) if row is not None and isinstance(row.body, Observed) else self.page_before(act)

    def video_s(self, row: Row, app_ms: float | None) -> float | None:
        """Position of a moment in the recording of the row's stage; None when it was not recorded."""
        position = self.record.video_s(app_ms, row)
        return None if position is None else round(position, 3)

    @cached_property
    def promises(self) -> dict[str, Promise]:
        """What the brief asks for, by id."""
        planned = self.last(Planned)
        return {promise.id: promise for promise in planned.promises} if planned else {}

    def promise_for(self, promise_id: str, words: str) -> Promise | None:
        """The promise a sighting bears on: the one it names, else the first (central ones first) with a keyword in `words`."""
        named = self.promises.get(promise_id)
        if named is not None:
            return named
        text = name_stem(words)
        for promise in sorted(self.promises.values(), key=lambda one: (not one.central, one.id)):
            if any(_stands_in(keyword, text) for keyword in promise.keywords):
                return promise
        return None

    @cached_property
    def dom(self) -> Dom:
        """The first DOM snapshot; an empty tree if there is none or its blob is lost (`assay verify` names that)."""
        for row, _ in self.of(DomSnapshot):
            if row.blob is not None:
                try:
                    return Dom(self.record.blobs.get(row.blob).decode("utf-8", "replace"))
                except RunError:
                    break
        return Dom("")

    @cached_property
    def outcomes(self) -> tuple[tuple[Row, Outcome], ...]:
        """What the oracles said."""
        return tuple(self.of(Outcome))

    @cached_property
    def audits(self) -> tuple[tuple[Row, Audited], ...]:
        """Which probes ran, with their values."""
        return tuple(self.of(Audited))

    @property
    def covered(self) -> Covered | None:
        """How the exploration ended."""
        return self.last(Covered)


def document_of(url: str) -> str:
    """Path of the document at an address; the routes of a single-page app count as one document, `/`."""
    path = path_of(url).partition("?")[0]
    last = path.rpartition("/")[2]
    return path if "." in last and not last.startswith("index.") else "/"


def _stands_in(keyword: str, text: str) -> bool:
    """Whether a stem stands in a text: Latin ones as a word with a common ending (`add` in `Adding`, not in `Address`)."""
    word = keyword.casefold().strip()
    if not word.isascii():
        return len(word) >= 2 and word in text
    return len(word) >= 3 and re.search(rf"(?<!\w){re.escape(word)}(?:e?s|e?d|ing|er|ion|e)?(?!\w)", text) is not None
