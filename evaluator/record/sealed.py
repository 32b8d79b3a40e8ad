"""A sealed record, indexed for judging: trials and their acts, page models, what was seen before and after, promises."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel

from evaluator.record.dom import Dom
from evaluator.record.naming import path_of, place_of
from evaluator.record.page_models import PageModels, differ
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Covered, DomSnapshot, Observed, Planned, Promise, Row, SiteServed, StageOpened
from tools.evidence.trial_rows import ActDone, AssertionJudged, PageModelSeen, TrialBegun, TrialEnded, WayKnown, Withdrawn
from tools.page.parts import Part

B = TypeVar("B", bound=BaseModel)
OPENING = frozenset({"reload", "back", "new tab"})
"""Kinds of act that load a page by their nature."""

WALK = "way"
"""Who makes the trials that only lead to where another one begins (`agent.explorer`)."""


@dataclass(frozen=True)
class Act:
    """One act of a trial. `number` counts all acts, `stage` the browser it was done in (a resumed run has several)."""

    row: Row
    body: ActDone
    number: int
    stage: int
    trial: Row | None
    """The row of the trial that it belongs to."""
    models: PageModels = field(repr=False, compare=False)

    @property
    def kind(self) -> str:
        """What was done (`tools.page.trials`): `press`, `fill`, `reload` and so on."""
        return str(self.body.act.get("kind", ""))

    @property
    def target(self) -> dict[str, Any]:
        """What it was aimed at, as JSON values; of a form that is filled, what sends it. Empty for acts without a target."""
        target = self.body.act.get("target") or self.body.act.get("submit")
        return target if isinstance(target, dict) else {}

    @property
    def place(self) -> str:
        """Where its target is, see `place_of`."""
        return place_of(self.target)

    @property
    def words(self) -> str:
        """One clause: `press button "Add"`."""
        return self.body.words

    @property
    def delivered(self) -> bool:
        """Whether it reached the page."""
        return self.body.delivered

    @property
    def problem(self) -> str:
        """What was unusual about it, or why it did not reach the page."""
        return self.body.problem

    @property
    def started_ms(self) -> float:
        """App time."""
        return self.body.started_ms

    @property
    def ended_ms(self) -> float:
        """App time; the page was quiet by then."""
        return self.body.ended_ms

    @property
    def in_control(self) -> bool:
        """Whether it belongs to a control experiment."""
        return self.body.during == "control"

    @property
    def opens_page(self) -> bool:
        """Whether the act loads a page anew by its nature."""
        return self.kind in OPENING

    @cached_property
    def shows(self) -> bool:
        """Whether what the page shows is otherwise after it: its parts or its address."""
        if self.body.before == self.body.after:
            return False
        before, after = self.models.values(self.body.before), self.models.values(self.body.after)
        return before is not None and after is not None and differ(before, after)

    @property
    def changed(self) -> bool:
        """Whether anything came of it: on the page, over the network, in the storage, a dialog, something that left the page."""
        seen = self.body.witness
        return self.shows or any(seen.get(name) for name in ("requests", "storage", "dialogs", "outside"))


@dataclass(frozen=True)
class TrialSeen:
    """One trial as it was carried out."""

    row: Row
    body: TrialBegun
    acts: tuple[Act, ...]
    """All of them, those of its precondition and of its control among them."""
    judged: tuple[tuple[Row, AssertionJudged], ...]
    ended: TrialEnded | None
    """None: it was broken off, and says nothing."""
    way: tuple[str, ...]
    """Words of the acts that led to the state it was tried in."""
    withdrawn: bool = False
    """Whoever made it says that its expectation was wrong."""

    @property
    def why(self) -> str:
        """What was tried, in one sentence."""
        return str(self.body.trial.get("why", ""))

    @property
    def by(self) -> str:
        """The relation that made it, or who else did."""
        return str(self.body.trial.get("by", ""))

    @property
    def requirements(self) -> tuple[str, ...]:
        """Ids of the requirements that it is about."""
        return tuple(str(item) for item in self.body.trial.get("requirements", ()))

    @property
    def severity(self) -> str:
        """How grave whoever made it calls a violation; empty: it does not say."""
        return str(self.body.trial.get("severity", ""))

    def asserted(self, requirement: str) -> Iterator[tuple[Row, AssertionJudged]]:
        """Its assertions about a requirement: those that name it; where only the trial names it, those that name none."""
        if requirement not in self.requirements:
            return
        about: list[list[str]] = list(self.body.trial.get("about", ()))
        own = [(row, each_row) for row, each_row in self.judged if not each_row.control]
        named = any(requirement in names for names in about)
        for number, found in enumerate(own):
            names = about[number] if number < len(about) else []
            if requirement in names or (not named and not names):
                yield found

    @property
    def result(self) -> str:
        """`held`, `violated`, `explained`, `cannot tell` or `stopped`; empty where it was broken off."""
        return self.ended.result if self.ended is not None else ""

    @property
    def own_acts(self) -> tuple[Act, ...]:
        """Its acts without those of the control."""
        return tuple(act for act in self.acts if not act.in_control)

    @property
    def violated(self) -> tuple[tuple[Row, AssertionJudged], ...]:
        """Its violated assertions, without those of the control."""
        return tuple((row, each_row) for row, each_row in self.judged if each_row.result == "violated" and not each_row.control)


class Reading:
    """What the judge knows of a run. Raises `RunError` when the record is not sealed."""

    def __init__(self, record: Record, *, open_yet: bool = False) -> None:
        """`open_yet`: the run goes on, and there is no seal yet."""
        self.record = record
        self.seal = "" if open_yet else record.seal
        self.started = record.started
        self.models = PageModels(record)
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
        """All acts in the order of the ledger, those of controls and of ways to a state among them."""
        return tuple(
            Act(row, body, number, self.stage_of(row), self.record.row(row.parent or ""), self.models)
            for number, (row, body) in enumerate(self.of(ActDone))
        )

    @cached_property
    def _act_by_id(self) -> dict[str, Act]:
        return {act.row.id: act for act in self.acts}

    def act(self, row_id: str) -> Act | None:
        """The act of that row id."""
        return self._act_by_id.get(row_id)

    @cached_property
    def trials(self) -> tuple[TrialSeen, ...]:
        """All trials in the order of the ledger, those that were broken off among them."""
        acts: dict[str, list[Act]] = {}
        for act in self.acts:
            acts.setdefault(act.row.parent or "", []).append(act)
        judged: dict[str, list[tuple[Row, AssertionJudged]]] = {}
        for row, body in self.of(AssertionJudged):
            judged.setdefault(row.parent or "", []).append((row, body))
        ended = {row.parent: body for row, body in self.of(TrialEnded)}
        ways = {row.parent: body.words for row, body in self.of(WayKnown)}
        back = {row.parent for row, _ in self.of(Withdrawn)}
        return tuple(
            TrialSeen(
                row,
                body,
                tuple(
                    each_act for each_act in acts.get(body.acts_of or row.id, ()) if not (body.acts_of and each_act.in_control)
                ),
                tuple(judged.get(row.id, ())),
                ended.get(row.id),
                ways.get(row.id, ()),
                row.id in back,
            )
            for row, body in self.of(TrialBegun)
        )

    @cached_property
    def _trial_by_id(self) -> dict[str, TrialSeen]:
        return {trial.row.id: trial for trial in self.trials}

    def trial(self, row_id: str) -> TrialSeen | None:
        """The trial of that row id."""
        return self._trial_by_id.get(row_id)

    def trial_of(self, act: Act) -> TrialSeen | None:
        """The trial that an act belongs to."""
        return self.trial(act.trial.id) if act.trial is not None else None

    @cached_property
    def _starts(self) -> dict[int, tuple[list[float], list[Act]]]:
        starts: dict[int, tuple[list[float], list[Act]]] = {}
        for act in self.acts:
            times, acts = starts.setdefault(act.stage, ([], []))
            # Held ascending, so that it can be searched even if a clock was read a little late.
            times.append(max(act.started_ms, times[-1] if times else act.started_ms))
            acts.append(act)
        return starts

    @cached_property
    def _ends(self) -> dict[str | None, Row]:
        """The rows that end the trials, by the ids of these."""
        return {row.parent: row for row, _ in self.of(TrialEnded)}

    def act_at(self, row: Row) -> Act | None:
        """The act in whose window a log row falls: begun before it, with no later act begun; None while the page loads.

        What comes after a trial was over belongs to none of its acts: the page may be opened afresh for the next one. Rows
        without app time are placed by their order: they were written while the act after them was carried out.
        """
        times, acts = self._starts.get(self.stage_of(row), ([], []))
        here = self.index(row.id)
        if row.app_ms is None:
            after = next((act for act in acts if self.index(act.row.id) > here), None)
            return after if after is not None and after.trial is not None and self.index(after.trial.id) < here else None
        position = bisect_right(times, row.app_ms)
        act = acts[position - 1] if position else None
        end = self._ends.get(act.row.parent) if act is not None else None
        over = end is not None and self.index(end.id) < here and end.app_ms is not None and row.app_ms > end.app_ms
        return None if over else act

    @cached_property
    def observations(self) -> tuple[tuple[Row, Observed], ...]:
        """What was seen at first, in order."""
        return tuple(self.of(Observed))

    def parts(self, model_id: str) -> tuple[Part, ...]:
        """The parts of the page that a row tells; empty if there is no such row or it cannot be read."""
        return self.models.parts(model_id)

    def picture_before(self, act: Act) -> str:
        """Id of the picture's row of what an act was done on: the one after the act before it, where the page was still so.

        Of the first act it is the first look's. Empty where there is none.
        """
        if act.number == 0:
            return self.observations[0][1].screenshot if self.observations else ""
        earlier = self.acts[act.number - 1]
        before, after = self.models.values(act.body.before), self.models.values(earlier.body.after)
        if before is None or after is None or earlier.stage != act.stage or differ(before, after):
            return ""
        return earlier.body.screenshot

    @cached_property
    def first_marks(self) -> tuple[dict[str, Any], ...]:
        """The marks of the untouched page as JSON values; empty if it has none or they cannot be read."""
        values: Any = []
        for row, _ in self.observations[:1]:
            try:
                values = json.loads(self.record.blobs.get(row.blob)) if row.blob is not None else []
            except (ValueError, RunError):
                values = []
        if isinstance(values, dict):
            values = values.get("marks", [])
        return tuple(value for value in values if isinstance(value, dict))

    def url_at(self, row: Row) -> str:
        """Address of the page when the row was written: as last seen before it, else as first seen after it."""
        places, urls = self._addresses
        position = bisect_right(places, self.index(row.id))
        if urls:
            return urls[max(position - 1, 0)]
        site = self.last(SiteServed)
        return site.entry if site else ""

    @cached_property
    def _addresses(self) -> tuple[list[int], list[str]]:
        """Positions of the rows that tell an address, and the addresses."""
        told = [(self.index(row.id), body.url) for kind in (Observed, PageModelSeen) for row, body in self.of(kind)]
        told.sort()
        return [index for index, _ in told], [url for _, url in told]

    def page_of(self, row: Row) -> str:
        """The document that was shown when the row was written."""
        return document_of(self.url_at(row))

    def page_before(self, act: Act) -> str:
        """The document that an act was done on."""
        row = self.record.row(act.body.before)
        return document_of(row.body.url) if row is not None and isinstance(row.body, PageModelSeen) else self.page_of(act.row)

    def page_after(self, act: Act) -> str:
        """The document that was shown after an act; the one before when nothing could be seen any more."""
        row = self.record.row(act.body.after)
        return document_of(row.body.url) if row is not None and isinstance(row.body, PageModelSeen) else self.page_before(act)

    def video_s(self, row: Row, app_ms: float | None) -> float | None:
        """Position of a moment in the recording of the row's stage; None when it was not recorded."""
        position = self.record.video_s(app_ms, row)
        return None if position is None else round(position, 3)

    @cached_property
    def promises(self) -> dict[str, Promise]:
        """What the brief asks for, by id."""
        planned = self.last(Planned)
        return {promise.id: promise for promise in planned.promises} if planned else {}

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
