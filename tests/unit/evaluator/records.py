"""Builds real sealed runs, row by row, as the agent writes them: a page with controls, acts on them, what oracles said."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from evaluator.judges.rubric import RubricJudge
from evaluator.proofs import apply_proofs
from evaluator.verdict import Claim, Failure, Proof, Verdict
from tools.browser.actions import Click, Press, Reload, Target, Type, describe
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import (
    Acted,
    Audited,
    Body,
    Box,
    Changes,
    ConsoleMessage,
    Covered,
    Decided,
    DomSnapshot,
    Finding,
    Gap,
    NetworkFailure,
    Observed,
    Outcome,
    PageError,
    PageEvent,
    Phase,
    Planned,
    Promise,
    Recorded,
    Row,
    RunStarted,
    Screenshot,
    SiteServed,
    SourceFile,
    StageOpened,
)

SITE = "http://127.0.0.1:40001/"
PIXEL = b"\x89PNG\r\n\x1a\n"
PAGE = """<!doctype html>
<html lang="en">
<head><title>Shopping list</title>
<style>
body { font: 16px sans-serif; }
.note { color: #bbbbbb; }
.wide { width: 1600px; }
</style></head>
<body>
<h1>Shopping list</h1>
<input id="item" name="item" placeholder="Milk">
<button id="add">Add</button>
<button id="clear" class="tool">Clear all</button>
<p class="note">Everything you need to buy</p>
<a id="help" href="#">Help</a>
<ul id="list"></ul>
<script>
const add = document.getElementById('add');
add.addEventListener('click', addItem);
function addItem() {
  const item = document.getElementById('item');
  const line = document.createElement('li');
  line.textContent = item.value;
  list.append(line);
}
</script>
</body>
</html>
"""


def mark(selector: str, role: str, name: str, box: tuple[float, float, float, float] = (10, 10, 80, 30)) -> dict[str, Any]:
    """A mark as an observation's blob holds it, with the fields that judging reads."""
    x, y, width, height = box
    return {
        "id": f"m-{selector}",
        "selector": selector,
        "frame": "",
        "role": role,
        "name": name,
        "signature": f"{role}:{name}",
        "box": {"x": x, "y": y, "width": width, "height": height},
    }


MARKS = (
    mark("#item", "textbox", "Item", (10, 60, 200, 30)),
    mark("#add", "button", "Add", (220, 60, 60, 30)),
    mark("#clear", "button", "Clear all", (300, 60, 90, 30)),
    mark("#help", "link", "Help", (10, 200, 60, 20)),
)
NAMES = {"#item": ("textbox", "Item"), "#add": ("button", "Add"), "#clear": ("button", "Clear all"), "#help": ("link", "Help")}


def promise(
    promise_id: str, text: str, *, central: bool = False, keywords: tuple[str, ...] = (), aspect: str = "feature"
) -> Promise:
    """A promise of the brief."""
    values: Any = {"id": promise_id, "text": text, "aspect": aspect, "central": central, "keywords": keywords}
    return Promise(**values)


class Run:
    """A run in the making. Every method appends rows; `judge` seals and judges."""

    def __init__(
        self,
        folder: Path,
        *,
        brief: str = "A shopping list where people add items",
        language: str = "en",
        source: str | None = PAGE,
        marks: Iterable[Mapping[str, Any]] = MARKS,
        promises: Iterable[Promise] = (),
        variety: Literal["url", "html", "folder", "project", "answer", "none"] = "html",
        stage: bool = True,
        seen: bool = True,
    ) -> None:
        self.ledger = Ledger.create(folder)
        self.folder = folder
        self.now_ms = 0.0
        self.step = itertools.count(1)
        self.marks = tuple(dict(one) for one in marks)
        self.complete = True
        self.phase = Phase.launch
        settings = {"viewport": {"width": 1280, "height": 800}, "mobile": {"width": 390, "height": 844}}
        self.add(RunStarted(brief=brief, brief_language=language, subject="index.html", settings=settings, versions={}))
        self.add(SiteServed(variety=variety, base_url=SITE, entry=SITE + "index.html"))
        if source is not None:
            self.source("index.html", source)
        if stage:
            self.add(
                StageOpened(
                    browser="Chromium 156",
                    clock="page",
                    cannot_stop=("gif",),
                    capture="x11",
                    viewport=(1280, 800),
                    sandboxed=False,
                )
            )
        self.phase = Phase.perceive
        if seen:
            self.now_ms = 500.0
            self.last = self.observe()
            if source is not None:
                self.dom(source)
        self.plan = tuple(promises)
        if seen or self.plan:
            self.add(Planned(domain="list", promises=self.plan, order=()), phase=Phase.plan)

    def add(
        self, body: Body, *, at: float | None = None, parent: str | None = None, phase: Phase | None = None, blob: Any = None
    ) -> Row:
        """Append a row at an app time (ms); by default now."""
        moment = self.now_ms if at is None else at
        stamped = None if self.phase is Phase.launch and at is None else moment
        return self.ledger.append(body, producer="test", phase=phase or self.phase, parent=parent, blob=blob, app_ms=stamped)

    def source(self, path: str, text: str, language: str = "html") -> Row:
        """A source file."""
        return self.add(SourceFile(path=path, language=language), blob=self.ledger.put(text.encode(), "text/plain"))

    def dom(self, html: str) -> Row:
        """The DOM snapshot."""
        return self.add(DomSnapshot(nodes=20, text_length=100), blob=self.ledger.put(html.encode(), "text/html"))

    def observe(self, url: str = SITE + "index.html", marks: Iterable[Mapping[str, Any]] | None = None) -> Row:
        """What is seen now; becomes the state that the next act is done on."""
        if marks is not None:
            self.marks = tuple(dict(one) for one in marks)
        shot = self.add(Screenshot(label="step", width=1280, height=800), blob=self.ledger.put(PIXEL, "image/png"))
        blob = self.ledger.put(json.dumps(list(self.marks)).encode(), "application/json")
        self.last = self.add(
            Observed(
                url=url,
                title="Shopping list",
                screenshot=shot.id,
                fingerprint="f",
                marks=len(self.marks),
                text_sha256="t",
                dom_sha256="d",
            ),
            blob=blob,
        )
        return self.last

    def finding(
        self,
        symptom: str,
        message: str = "",
        *,
        selector: str = "",
        viewport: str = "desktop",
        box: Box | None = None,
        state: str = "",
        after: str = "",
        **measured: Any,
    ) -> Row:
        """A probe's symptom, on the page as it was opened or in a later state."""
        probe = symptom.partition(".")[0]
        body = Finding(
            probe=probe,
            symptom=symptom,
            message=message or symptom,
            selector=selector,
            viewport=viewport,
            box=box,
            measured=measured,
            state=state,
            after=after,
        )
        return self.add(body, phase=Phase.explore if after else Phase.perceive)

    def audit(self, probe: str, *, measured: bool = True, viewport: str = "desktop", **values: Any) -> Row:
        """A probe's account."""
        return self.add(
            Audited(probe=probe, viewport=viewport, measured=measured, reason="" if measured else "time-out", values=values)
        )

    def act(
        self,
        action: Any = None,
        *,
        selector: str = "#add",
        delivered: bool = True,
        problem: str = "",
        changes: Changes | None = None,
        url: str | None = None,
        marks: Iterable[Mapping[str, Any]] | None = None,
        during: Iterable[Body] = (),
        seen_after: bool = True,
    ) -> Row:
        """One act (a click on `selector` by default); `during` is written to the ledger while it happens."""
        self.phase = Phase.explore
        role, name = NAMES.get(selector, ("button", selector.strip("#.")))
        action = action or Click(target=Target(selector=selector, role=role, name=name, signature=f"{role}:{name}"))
        decided = self.add(
            Decided(decider="curious", skill="", why="", expectation="", action=action.model_dump(mode="json")),
            parent=self.last.id,
        )
        before = self.last
        started = self.now_ms = self.now_ms + 1000.0
        for body in during:
            self.add(body, at=started + 100.0)
        self.now_ms = started + 400.0
        before_url = before.body.url if isinstance(before.body, Observed) else SITE
        after = self.observe(url or before_url, marks) if seen_after else None
        return self.add(
            Acted(
                step=next(self.step),
                action=action.model_dump(mode="json"),
                description=describe(action),
                delivered=delivered,
                problem=problem,
                before=before.id,
                after=after.id if after else "",
                changes=changes or Changes(),
                started_ms=started,
                ended_ms=started + 300.0,
            ),
            parent=decided.id,
        )

    def type(self, text: str, selector: str = "#item", **more: Any) -> Row:
        """Type into a field."""
        role, name = NAMES.get(selector, ("textbox", selector))
        return self.act(Type(target=Target(selector=selector, role=role, name=name), text=text), selector=selector, **more)

    def press(self, *keys: str, **more: Any) -> Row:
        """Press keys."""
        return self.act(Press(keys=keys), **more)

    def reload(self, **more: Any) -> Row:
        """Load the page again."""
        return self.act(Reload(), **more)

    def outcome(
        self,
        acts: Row | tuple[Row, ...],
        symptom: str = "",
        *,
        held: bool | None = False,
        attempts: int = 1,
        oracle: str = "responds",
        promise: str = "",
        selector: str = "",
        observed: str = "nothing changed",
        expectation: str = "something changes",
        box: Box | None = None,
        weak: bool = False,
    ) -> Row:
        """An oracle's word on one or several acts."""
        chain = acts if isinstance(acts, tuple) else (acts,)
        body = Outcome(
            oracle=oracle,
            expectation=expectation,
            observed=observed,
            held=held,
            symptom=symptom if held is False else "",
            promise=promise,
            selector=selector,
            box=box,
            steps=tuple(act.id for act in chain),
            attempts=attempts,
            weak=weak,
        )
        return self.add(body, parent=chain[-1].id)

    def dead(self, selector: str = "#add", **more: Any) -> Row:
        """A control that did nothing in two attempts."""
        return self.outcome((self.act(selector=selector), self.act(selector=selector))[1], "dead_control", attempts=2, **more)

    def works(self, selector: str = "#clear", **more: Any) -> Row:
        """A control that did what it should."""
        act = self.act(selector=selector, changes=Changes(dom=True, text=True))
        return self.outcome(act, held=True, observed="the page changed", **more)

    def error(self, message: str, *, line: int = 0, url: str = SITE + "index.html", at: float | None = None) -> Row:
        """An uncaught exception; while loading unless `at` says otherwise."""
        body = PageError(message=message, stack=f"{message}\n    at {url}:{line}:5", url=url, line=line)
        return self.add(body, at=100.0 if at is None else at, phase=Phase.perceive)

    def refused(self, url: str, resource: str = "script", *, at: float = 50.0) -> Row:
        """A request that policy refused."""
        return self.add(self.failed(url, resource, status=None, blocked=True, own=False), at=at, phase=Phase.perceive)

    @staticmethod
    def failed(url: str, resource: str, *, status: int | None = 404, blocked: bool = False, own: bool = True) -> NetworkFailure:
        """A failed request."""
        reason = "blocked by policy" if blocked else "status"
        return NetworkFailure(
            method="GET", url=url, resource=resource, status=status, reason=reason, blocked=blocked, own_site=own
        )

    def console(self, text: str, level: Literal["error", "warning"] = "error", **more: Any) -> ConsoleMessage:
        """A line of the console (as a body, to be written where it belongs)."""
        return ConsoleMessage(level=level, text=text, **more)

    def event(
        self,
        event: Literal["crash", "browser_gone", "hang", "dialog_storm", "popup"],
        detail: str = "",
        *,
        at: float | None = None,
    ) -> Row:
        """Something that policy deals with."""
        return self.add(PageEvent(event=event, detail=detail), at=at)

    def gap(self, what: str, reason: str, blame: Literal["app", "agent", "environment", "evaluator", "ambiguous"]) -> Row:
        """Missing evidence."""
        return self.add(Gap(what=what, reason=reason, blame=blame))

    def recorded(self, timeline: tuple[tuple[float, float], ...] = ((0.0, 0.25), (60_000.0, 60.25))) -> Row:
        """The recording."""
        return self.add(
            Recorded(
                file="video.mp4", sha256="0" * 64, size=1, duration_s=61.0, frames=1830, fps=30.0, width=1280, height=800,
                sound=True, timeline=timeline,
            )
        )  # fmt: skip

    def seal(self, stop: str | None = "covered", *, promises: Mapping[str, str] | None = None, **covered: Any) -> Record:
        """Say how the exploration ended (None: not at all), close the record and read it back."""
        if stop is not None:
            values: Any = {
                "stop_reason": stop,
                "controls_found": len(self.marks),
                "controls_tried": 0,
                "promises": dict(promises or {}),
                "not_tested": (),
                **covered,
            }
            self.add(Covered(**values), phase=Phase.explore)
        self.ledger.seal(complete=self.complete)
        self.ledger.close()
        return Record.read(self.folder)

    def seal_rows(self, ids: Iterable[str]) -> list[Row]:
        """Rows of the sealed run by id."""
        record = Record.read(self.folder)
        return [row for row in map(record.row, ids) if row is not None]

    def judge(self, stop: str | None = "covered", **covered: Any) -> Verdict:
        """Seal, judge and take all that is accused as met again."""
        return proved(judged(self.seal(stop, **covered)))


def judged(record: Record) -> Verdict:
    """The rubric judge's verdict, before anything is proved."""
    return asyncio.run(RubricJudge().judge(record))


def proved(verdict: Verdict) -> Verdict:
    """The same verdict once a fresh browser showed everything again."""
    return apply_proofs(verdict, {one.id: Proof(status="confirmed") for one in verdict.accused})


def only(verdict: Verdict) -> Failure:
    """The one failure of a verdict."""
    assert len(verdict.failures) == 1, [f"{one.category}: {one.title}" for one in verdict.failures]
    return verdict.failures[0]


def functionality(verdict: Verdict) -> float:
    """The value of functionality; fails when there is none."""
    assert verdict.functionality is not None, verdict.reason
    return verdict.functionality.value


def aesthetics(verdict: Verdict) -> float:
    """The value of aesthetics; fails when there is none."""
    assert verdict.aesthetics is not None, verdict.reason
    return verdict.aesthetics.value


def claim(claims: Iterable[Claim], words: str) -> Claim:
    """The one claim whose text or reason holds these words."""
    found = [one for one in claims if words in one.text or words in one.reason]
    assert len(found) == 1, [f"{one.text} | {one.reason}" for one in claims]
    return found[0]
