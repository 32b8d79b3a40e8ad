"""Turns a run's ledger and the graph's stream into events. Both modes of watching, from inside and from outside, use it."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.console import events as told
from agent.console.events import Event
from agent.console.follow import Follower
from agent.console.words import changes_in_words, described
from tools.evidence import rows
from tools.evidence.blobs import BlobStore
from tools.evidence.model_rows import ModelCalled
from tools.evidence.page_rows import ConsoleMessage, DialogShown, NetworkFailure, PageError, PageEvent
from tools.evidence.rows import Row
from tools.evidence.trial_rows import ActDone, AssertionJudged

_LEVELS: dict[str, Any] = {
    "debug": "debug",
    "log": "info",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "assert": "error",
}
_GRAVE = frozenset({"crash", "browser_gone", "hang", "dialog_storm"})


class Narrator:
    """Says what each row means. Remembers what later rows are told by: marks, promises, steps."""

    def __init__(self, run_dir: Path) -> None:
        self.run_dir = run_dir
        self._blobs = BlobStore(run_dir / "blobs")
        self._began_s: float | None = None
        self._pictures: dict[str, str] = {}
        self._marks: dict[str, dict[str, Any]] = {}
        """Of the latest observation, by selector."""
        self._found: set[str] = set()
        self._canvases: set[str] = set()
        self._tried: set[str] = set()
        self._promises: dict[str, bool | None] = {}
        self._steps: dict[str, int] = {}
        self._step = 0
        self._stop = ""
        self.last_s = 0.0
        """When the latest row was written, s since the first."""

    def since_s(self) -> float:
        """Wall seconds since the run's first row; 0 before it was read."""
        return round(time.time() - self._began_s, 2) if self._began_s is not None else 0.0

    def of(self, row: Row) -> list[Event]:
        """The events that a row tells of; most rows one, some none."""
        wall_s = datetime.fromisoformat(row.wall_time).timestamp()
        if self._began_s is None:
            self._began_s = wall_s
        self.last_s = round(wall_s - self._began_s, 2)
        at: dict[str, Any] = {"at_s": self.last_s, "app_ms": row.app_ms}
        return [event for event in (tell(row, at) for tell in self._tellers(row)) if event is not None]

    def _tellers(self, row: Row) -> list[Callable[[Row, dict[str, Any]], Event | None]]:  # noqa: PLR0911 - one for each kind of row
        match row.body:
            case rows.RunStarted() | rows.Resumed():
                return [self._opened]
            case rows.Screenshot():
                return [self._picture]
            case rows.Observed():
                return [self._saw, self._coverage]
            case rows.Decided():
                return [self._decided]
            case rows.Acted():
                return [self._did, self._coverage]
            case ActDone():
                return [self._act]
            case AssertionJudged():
                return [self._violated]
            case rows.Outcome():
                return [self._outcome, self._coverage]
            case rows.Finding() | PageError() | NetworkFailure() | PageEvent() | ConsoleMessage() | DialogShown() | rows.Gap():
                return [self._symptom]
            case _:
                return [self._plainly]

    def _opened(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, rows.RunStarted):
            return told.Logged(**at, level="warning", source="assay", text="the run goes on after an interruption")
        budget = body.settings.get("budget", {})
        return told.Opened(
            **at,
            run=str(self.run_dir),
            subject=body.subject,
            brief=body.brief,
            max_steps=int(budget.get("max_steps", 0)),
            began=row.wall_time,
        )

    def _plainly(self, row: Row, at: dict[str, Any]) -> Event | None:
        match row.body:
            case rows.SiteServed(entry=entry, variety=variety):
                return told.Served(**at, url=entry, variety=variety)
            case rows.StageOpened(clock=clock, capture=capture):
                return told.StageUp(**at, clock=clock, capture=capture)
            case rows.Planned(domain=domain, promises=promises, directions=directions):
                self._promises = {promise.id: None for promise in promises}
                return told.PlannedFor(**at, domain=domain, promises=len(promises), directions=len(directions))
            case rows.Steered(wish=wish, text=text):
                return told.SteeredBy(**at, wish=wish, text=text)
            case rows.Covered() as covered:
                return self._covered(covered, at)
            case rows.Sealed(rows=count, complete=complete):
                return told.SealedNow(**at, rows=count, complete=complete, stop=self._stop)
            case ModelCalled() as call:
                names = ("role", "model", "tokens_in", "tokens_out", "tokens_cached", "cost_usd", "seconds", "outcome")
                return told.Asked(**at, **{name: getattr(call, name) for name in names})
            case _:
                return None

    # ---- what is seen, decided, done --------------------------------------------------------------------------------------

    def _picture(self, row: Row, _at: dict[str, Any]) -> Event | None:
        if row.blob is not None:
            self._pictures[row.id] = str(self._blobs.path(row.blob))
        return None

    def _saw(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, rows.Observed):
            return None
        self._marks = {}
        for mark in self._listed(row):
            self._marks.setdefault(f"{mark['frame']}|{mark['selector']}", mark)
            self._found.add(mark["signature"])
            if mark["kind"] == "canvas":
                self._canvases.add(mark["signature"])
        picture = self._pictures.get(body.screenshot, "")
        self._pictures.clear()
        return told.Saw(**at, url=body.url, title=body.title, marks=body.marks, picture=picture)

    def _listed(self, row: Row) -> list[dict[str, Any]]:
        """The observation's marks; none if their blob is not there (yet)."""
        try:
            return json.loads(self._blobs.path(row.blob).read_bytes()) if row.blob is not None else []
        except (OSError, ValueError):
            return []

    def _decided(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, rows.Decided):
            return None
        target = body.action.get("target") or {}
        mark = self._marks.get(f"{target.get('frame', '')}|{target.get('selector')}")
        box = tuple(float(mark["box"][side]) for side in ("x", "y", "width", "height")) if mark else None
        return told.DecidedOn(
            **at,
            step=self._step + 1,
            decider=body.decider,
            skill=body.skill,
            what=described(body.action),
            why=body.why or body.stop,
            expects=body.expectation,
            box=box,  # pyright: ignore[reportArgumentType] - four sides, four numbers
            fallback=body.fallback,
        )

    def _did(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, rows.Acted):
            return None
        self._step = body.step
        self._steps[row.id] = body.step
        aim = body.action.get("target") or {}
        if body.delivered and aim:
            self._tried.add(aim.get("signature") or aim.get("selector", ""))
        if body.delivered and body.action.get("act") == "press":
            self._tried |= self._canvases  # a canvas is played with keys
        return told.Did(
            **at,
            step=body.step,
            what=body.description,
            delivered=body.delivered,
            problem=body.problem,
            changed=changes_in_words(body.changes),
            app_s=round((body.ended_ms - body.started_ms) / 1000, 2),
        )

    # ---- what may be wrong ------------------------------------------------------------------------------------------------

    def _outcome(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, rows.Outcome):
            return None
        if body.promise in self._promises and body.held is not None and self._promises[body.promise] is not False:
            self._promises[body.promise] = body.held
        if body.held is not False:
            return None
        step, text = self._steps.get(row.parent or "", 0), f"{body.expectation} – {body.observed}"
        return told.Suspected(**at, source="oracle", symptom=body.symptom or body.oracle, text=text, step=step)

    def _act(self, row: Row, at: dict[str, Any]) -> Event | None:
        """An act of a trial: numbered on, as the steps are."""
        body = row.body
        if not isinstance(body, ActDone):
            return None
        self._step += 1
        changed = tuple(name for name in ("picture", "storage", "requests") if body.witness.get(name))
        app_s = round((body.ended_ms - body.started_ms) / 1000, 2)
        return told.Did(
            **at,
            step=self._step,
            what=body.words,
            delivered=body.delivered,
            problem=body.problem,
            changed=changed,
            app_s=app_s,
        )

    def _violated(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, AssertionJudged) or body.result != "violated" or body.control:
            return None
        return told.Suspected(**at, source="oracle", symptom="not so", text=f"{body.words} – {body.seen}", step=self._step)

    def _symptom(self, row: Row, at: dict[str, Any]) -> Event | None:
        return self._suspected(row, at) or self._logged(row, at)

    def _suspected(self, row: Row, at: dict[str, Any]) -> Event | None:
        match row.body:
            case rows.Finding(symptom=symptom, message=message):
                return told.Suspected(**at, source="probe", symptom=symptom, text=message)
            case PageError(message=message):
                return told.Suspected(**at, source="page", symptom="uncaught error", text=message, step=self._step)
            case PageEvent(event=event, detail=detail) if event in _GRAVE:
                return told.Suspected(**at, source="page", symptom=event, text=detail, step=self._step)
            case NetworkFailure() as failed if failed.own_site and not failed.blocked:
                text = f"{failed.method} {failed.url}: {failed.status or failed.reason}"
                return told.Suspected(**at, source="page", symptom="request failed", text=text, step=self._step)
            case _:
                return None

    @staticmethod
    def _logged(row: Row, at: dict[str, Any]) -> Event | None:
        match row.body:
            case PageEvent(event=event, detail=detail):
                return told.Logged(**at, level="info", source=event, text=detail)
            case NetworkFailure() as failed:
                text = f"{failed.method} {failed.url}: {failed.reason or failed.status}"
                return told.Logged(**at, level="warning", source="network", text=text)
            case ConsoleMessage(level=level, text=text):
                return told.Logged(**at, level=_LEVELS[level], source="console", text=text)
            case DialogShown() as shown:
                return told.Logged(**at, level="info", source=shown.variety, text=f"{shown.message} → {shown.answer}")
            case rows.Gap() as gap:
                return told.Logged(**at, level="warning", source="no evidence", text=f"{gap.what}: {gap.reason}")
            case _:
                return None

    # ---- how much was tried -----------------------------------------------------------------------------------------------

    def _coverage(self, _row: Row, at: dict[str, Any]) -> Event | None:
        known = list(self._promises.values())
        return told.Coverage(
            **at,
            controls_found=len(self._found),
            controls_tried=len(self._tried & self._found),
            promises=len(known),
            shown=known.count(True),
            broken=known.count(False),
        )

    def _covered(self, covered: rows.Covered, at: dict[str, Any]) -> Event:
        self._stop = covered.stop_reason
        states = list(covered.promises.values())
        return told.Coverage(
            **at,
            controls_found=covered.controls_found,
            controls_tried=covered.controls_tried,
            promises=len(states),
            shown=states.count("shown"),
            broken=states.count("broken"),
            final=True,
        )


class Feed:
    """One run's events in order, from inside (`hear` the graph's stream) or from outside (`look` again and again).

    From outside the graph's nodes are not seen; the phase that rows were written in stands for them.
    """

    def __init__(self, sink: Callable[[Event], None], *, outside: bool = False, past: bool = True) -> None:
        self.trouble = ""
        """What went wrong first in showing the run."""
        self._sink = sink
        self._past = past
        """What was written before a run was taken up again is told, too."""
        self._phase = "" if outside else None
        self._follower: Follower | None = None
        self._narrator: Narrator | None = None

    def open(self, run_dir: Path) -> None:
        """Follow the run in this folder."""
        self._follower, self._narrator = Follower(run_dir), Narrator(run_dir)

    def look(self) -> None:
        """Tell what was written since the last look."""
        with self._costing_nothing():
            self._look()

    def hear(self, streamed: dict[str, Any]) -> None:
        """One part of the graph's stream: what the ledger holds by now is told first."""
        with self._costing_nothing():
            if streamed["event"] == "opened":
                self.open(Path(streamed["run"]))
            self._look()
            self._past = True
            event = from_stream(streamed, self.since_s())
            if event is not None:
                self._sink(event)

    def _look(self) -> None:
        if self._follower is None or self._narrator is None:
            return
        for row in self._follower.rows():
            events = self._narrator.of(row)
            if self._phase is not None and row.phase != self._phase:
                self._phase = str(row.phase)
                events.insert(0, told.Entered(at_s=self._narrator.last_s, node=self._phase))
            for event in events:
                if self._past or isinstance(event, told.Opened):
                    self._sink(event)

    @contextlib.contextmanager
    def _costing_nothing(self) -> Iterator[None]:
        """Inside the block a mistake in showing the run, or a pipe that was closed, is noted once and costs the run nothing."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the boundary between a run and those who watch it
            if not self.trouble:
                self.trouble = f"{type(error).__name__}: {error}"
                with contextlib.suppress(OSError):
                    sys.stderr.write(f"assay: the display failed, the run goes on: {self.trouble}\n")

    def since_s(self) -> float:
        """Wall seconds since the run began."""
        return self._narrator.since_s() if self._narrator is not None else 0.0

    @property
    def last_s(self) -> float:
        """When the latest row was written, s since the run began."""
        return self._narrator.last_s if self._narrator is not None else 0.0


def from_stream(streamed: dict[str, Any], at_s: float) -> Event | None:
    """The event in a part of the graph's stream that the ledger does not tell of; None for one that it does tell of."""
    at: dict[str, Any] = {"at_s": at_s}
    match streamed:
        case {"event": "entered", "node": str(node)}:
            return told.Entered(**at, node=node)
        case {"event": "node", "node": str(node)}:
            return told.Left(**at, node=node)
        case {"event": "paused"}:
            return told.Paused(**at)
        case {"event": "went_on"}:
            return told.WentOn(**at)
        case {"event": "scored", "failures": int(failures)}:
            return told.Scored(**at, failures=failures)
        case {"event": "proved", "confirmed": int(confirmed), "of": int(of)}:
            return told.Proved(**at, confirmed=confirmed, of=of)
        case {"event": "report", "path": str(path)}:
            return told.Reported(**at, path=path)
        case _:
            return None


def ended(run_dir: Path, at_s: float) -> told.Ended:
    """How a run ended, from its verdict; without one it was interrupted."""
    from evaluator.reports.words import seen  # noqa: PLC0415 - only at the end
    from evaluator.verdict import Verdict  # noqa: PLC0415

    try:
        verdict = Verdict.model_validate_json((run_dir / "verdict.json").read_bytes())
    except (OSError, ValidationError):
        return told.Ended(at_s=at_s, status=None)
    scores = {"functionality": verdict.functionality, "aesthetics": verdict.aesthetics}
    return told.Ended(
        at_s=at_s,
        status=verdict.status,
        intervals={name: (score.low, score.high) for name, score in scores.items() if score is not None},
        seen=seen(verdict.coverage) if verdict.scored else "",
        functionality=verdict.functionality.value if verdict.functionality else None,
        aesthetics=verdict.aesthetics.value if verdict.aesthetics else None,
        failures=len(verdict.failures),
    )
