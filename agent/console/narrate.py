"""Turns a run's ledger and the graph's stream into events. Both modes of watching, from inside and from outside, use it."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.console import events as told
from agent.console.events import Event
from agent.console.follow import Follower
from evaluator.reports.short import one_line
from tools.evidence import rows
from tools.evidence.blobs import BlobStore
from tools.evidence.model_rows import ModelCalled
from tools.evidence.page_rows import ConsoleMessage, DialogShown, NetworkFailure, PageError, PageEvent
from tools.evidence.rows import Row
from tools.evidence.trial_rows import ActDone, AssertionJudged, Noted, TrialBegun, TrialEnded

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
    """Says what each row means. Remembers what later rows are told by: pictures, promises, the trial under way."""

    def __init__(self, run_dir: Path) -> None:
        self.run_dir = run_dir
        self._blobs = BlobStore(run_dir / "blobs")
        self._began_s: float | None = None
        self._pictures: dict[str, str] = {}
        self._promises: dict[str, bool | None] = {}
        self._trial: TrialBegun | None = None
        self._judged: list[AssertionJudged] = []
        """Of the trial under way."""
        self._trials = 0
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
                return [self._saw]
            case TrialBegun():
                return [self._begun]
            case ActDone():
                return [self._act]
            case AssertionJudged():
                return [self._heard]
            case TrialEnded():
                return [self._ended, self._violated, self._coverage]
            case (
                rows.Finding()
                | PageError()
                | NetworkFailure()
                | PageEvent()
                | ConsoleMessage()
                | DialogShown()
                | Noted()
                | rows.Gap()
            ):
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
            max_acts=int(budget.get("max_acts", 0)),
            began=row.wall_time,
        )

    def _plainly(self, row: Row, at: dict[str, Any]) -> Event | None:  # noqa: PLR0911 - one line for each kind of row
        match row.body:
            case rows.SiteServed(entry=entry, variety=variety):
                return told.Served(**at, url=entry, variety=variety)
            case rows.StageOpened(clock=clock, capture=capture):
                return told.StageUp(**at, clock=clock, capture=capture)
            case rows.LetIn() | rows.ConsentAnswered():
                return told.Logged(**at, level="info", source="access", text=one_line(row.body))
            case rows.Planned(domain=domain, promises=promises):
                self._promises = {promise.id: None for promise in promises}
                return told.PlannedFor(**at, domain=domain, promises=len(promises))
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

    # ---- what is seen and tried -------------------------------------------------------------------------------------------

    def _picture(self, row: Row, _at: dict[str, Any]) -> Event | None:
        if row.blob is not None:
            self._pictures[row.id] = str(self._blobs.path(row.blob))
        return None

    def _shown(self, row_id: str) -> str:
        """Path of a picture; those before it are not asked for any more."""
        picture = self._pictures.get(row_id, "")
        self._pictures.clear()
        return picture

    def _saw(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, rows.Observed):
            return None
        return told.Saw(**at, url=body.url, title=body.title, marks=body.marks, picture=self._shown(body.screenshot))

    def _begun(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, TrialBegun):
            return None
        self._trial, self._judged = body, []
        self._trials += 1
        what, _, expects = body.words.partition(" → ")
        by, why = str(body.trial.get("by", "")), str(body.trial.get("why", ""))
        return told.Trying(**at, number=self._trials, by=by, why=why, what=what, expects=expects)

    def _act(self, row: Row, at: dict[str, Any]) -> Event | None:
        body = row.body
        if not isinstance(body, ActDone):
            return None
        self._step += 1
        regions = body.witness.get("picture") or []
        changed = ["page"] if body.before != body.after else []
        changed += [name for name in ("picture", "storage", "requests", "sound") if body.witness.get(name)]
        return told.Did(
            **at,
            step=self._step,
            what=body.words,
            delivered=body.delivered,
            problem=body.problem,
            changed=tuple(changed),
            app_s=round((body.ended_ms - body.started_ms) / 1000, 2),
            picture=self._shown(body.screenshot),
            region=_sides(regions[0]) if regions else None,
        )

    def _heard(self, row: Row, _at: dict[str, Any]) -> Event | None:
        if isinstance(row.body, AssertionJudged):
            self._judged.append(row.body)
        return None

    def _ended(self, row: Row, at: dict[str, Any]) -> Event | None:
        body, trial = row.body, self._trial
        if not isinstance(body, TrialEnded) or trial is None:
            return None
        wanted = "violated" if body.result in {"violated", "explained"} else body.result
        seen = next((each_row.seen for each_row in self._judged if each_row.result == wanted), "")
        by = str(trial.trial.get("by", ""))
        return told.Tried(**at, number=self._trials, by=by, result=body.result, text=body.stopped or seen)

    # ---- what may be wrong ------------------------------------------------------------------------------------------------

    def _violated(self, row: Row, at: dict[str, Any]) -> Event | None:
        """What a trial showed whose control did not explain it."""
        body = row.body
        each_row = next((item for item in self._judged if item.result == "violated" and not item.control), None)
        if not isinstance(body, TrialEnded) or body.result != "violated" or each_row is None or self._trial is None:
            return None
        by = str(self._trial.trial.get("by", "")) or "trial"
        return told.Suspected(
            **at, source="trial", symptom=by, text=f"not so: {each_row.words} – {each_row.seen}", step=self._step
        )

    def _symptom(self, row: Row, at: dict[str, Any]) -> Event | None:
        return self._suspected(row, at) or self._logged(row, at)

    def _suspected(self, row: Row, at: dict[str, Any]) -> Event | None:
        match row.body:
            case rows.Finding(symptom=symptom, message=message):
                return told.Suspected(**at, source="probe", symptom=symptom, text=message)
            case Noted(what=what):
                return told.Suspected(**at, source="trial", symptom="noted", text=what, step=self._step)
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

    def _coverage(self, row: Row, at: dict[str, Any]) -> Event | None:
        body, trial = row.body, self._trial
        if isinstance(body, TrialEnded) and trial is not None and body.result in {"held", "violated"}:
            for name in set(trial.trial.get("requirements", ())) & self._promises.keys():
                if self._promises[name] is not False:
                    self._promises[name] = body.result == "held"
        known = list(self._promises.values())
        return told.Coverage(**at, trials=self._trials, promises=len(known), shown=known.count(True), broken=known.count(False))

    def _covered(self, covered: rows.Covered, at: dict[str, Any]) -> Event:
        self._stop = covered.stop_reason
        states = list(covered.promises.values())
        return told.Coverage(
            **at,
            trials=self._trials,
            controls_found=covered.controls_found,
            controls_tried=covered.controls_tried,
            promises=len(states),
            shown=states.count("shown"),
            broken=states.count("broken"),
            final=True,
        )


def _sides(box: Mapping[str, float]) -> tuple[float, float, float, float]:
    return float(box["x"]), float(box["y"]), float(box["width"]), float(box["height"])


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
    from evaluator.reports.wording import seen  # noqa: PLC0415 - only at the end
    from evaluator.verdict.model import Verdict  # noqa: PLC0415

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
