"""Builds real sealed runs, row by row, as the agent writes them: a page with controls, trials of them, what these came to."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from evaluator.judges.rubric import RubricJudge
from evaluator.scoring.proofs import apply_proofs
from evaluator.verdict.model import Claim, Failure, Proof, Verdict
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import (
    Audited,
    Body,
    Box,
    ConsoleMessage,
    Covered,
    DomSnapshot,
    Finding,
    Gap,
    NetworkFailure,
    Observed,
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
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded, WayKnown
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Button, Text
from tools.page.rows import ModelWriter
from tools.page.trials import Act, Fill, Keys, Press, Reload, plain

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


def target(selector: str) -> Target:
    """A part of the page as a trial aims at it."""
    role, name = NAMES.get(selector, ("button", selector.strip("#.")))
    return Target(kind="links" if role == "link" else "buttons", role=role, name=name, selector=selector)


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
        subject: str = "index.html",
        kind: str = "",
        settings: Mapping[str, Any] | None = None,
        checklist: tuple[str, ...] = (),
    ) -> None:
        """`subject`, of that `kind`, is what the run says it was made of; `settings` go over those it was made with."""
        self.ledger = Ledger.create(folder)
        self.folder = folder
        self.now_ms = 0.0
        self.models = ModelWriter(self.ledger)
        self.count = itertools.count(1)
        self.said = "nothing yet"
        """What the page says; another text after each act that changes it."""
        self.url = SITE + "index.html"
        self.begun: Row | None = None
        """The trial that is being carried out."""
        self.marks = tuple(dict(mark) for mark in marks)
        self.complete = True
        self.phase = Phase.launch
        told = {"viewport": {"width": 1280, "height": 800}, "mobile": {"width": 390, "height": 844}, **(settings or {})}
        begun = RunStarted(brief=brief, brief_language=language, subject=subject, variety=kind, settings=told, versions={})
        self.add(begun.model_copy(update={"checklist": checklist}))
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

    def observe(self) -> Row:
        """The first look."""
        shot = self.add(Screenshot(label="step", width=1280, height=800), blob=self.ledger.put(PIXEL, "image/png"))
        blob = self.ledger.put(json.dumps(list(self.marks)).encode(), "application/json")
        self.last = self.add(
            Observed(
                url=self.url,
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

    def page(self) -> PageModel:
        """What the page is now: its marks as buttons, and what it says."""
        buttons = tuple(
            Button(
                key=mark["selector"], node=mark["selector"], role=mark["role"], name=mark["name"], selector=mark["selector"],
                box=Box(**mark["box"]), in_view=True,
            )
            for mark in self.marks
        )  # fmt: skip
        where = Box(x=10, y=300, width=300, height=20)
        text = Text(key="said", node="said", selector="#list", box=where, in_view=True, text=self.said)
        return PageModel(url=self.url, viewport=(1280, 800), at_ms=self.now_ms, buttons=buttons, texts=(text,))

    def begin(
        self,
        *,
        by: str = "does_something",
        why: str = "",
        requirements: tuple[str, ...] = (),
        way: tuple[str, ...] = (),
        **more: Any,
    ) -> Row:
        """A trial, of which acts and assertions are added until it is ended."""
        self.phase = Phase.explore
        trial = {"by": by, "why": why, "requirements": list(requirements), **more}
        self.begun = self.add(TrialBegun(trial=trial, words=why or "something is tried"))
        if way:
            self.add(WayKnown(way=(), history=(), words=way), parent=self.begun.id)
        return self.begun

    def act(
        self,
        done: Act | None = None,
        *,
        selector: str = "#add",
        delivered: bool = True,
        problem: str = "",
        changed: bool = False,
        url: str | None = None,
        marks: Iterable[Mapping[str, Any]] | None = None,
        during: Iterable[Body] = (),
        stage: Literal["precondition", "acts", "control"] = "acts",
        pictured: bool = True,
        **witness: Any,
    ) -> Row:
        """One act (a press of `selector` by default) of the open trial, else of one of the stubborn tester's.

        `changed`: the page says something else after it; `during` is written to the ledger while it happens.
        """
        alone = self.begun is None
        begun = self.begun or self.begin(by="stubborn_tester", why="everything is pressed once")
        done = done or Press(target=target(selector))
        before = self.page()
        started = self.now_ms = self.now_ms + 1000.0
        for body in during:
            self.add(body, at=started + 100.0)
        self.now_ms = started + 300.0
        self._go_on(url=url, marks=marks, changed=changed)
        row = self.add(
            ActDone(
                during=stage, act=plain(done), words=done.words(), delivered=delivered, problem=problem,
                before=self.models.write(before), after=self.models.write(self.page()), witness=witness,
                started_ms=started, ended_ms=started + 300.0, screenshot=self.picture() if pictured else "",
            ),
            parent=begun.id,
        )  # fmt: skip
        if alone:
            self.end("held")
        return row

    def _go_on(self, *, url: str | None, marks: Iterable[Mapping[str, Any]] | None, changed: bool) -> None:
        self.url = url or self.url
        if marks is not None:
            self.marks = tuple(dict(mark) for mark in marks)
        if changed:
            self.said = f"state {next(self.count)}"

    def picture(self) -> str:
        """Id of the row of a picture of the page as it is now."""
        return self.add(Screenshot(label="trial", width=1280, height=800), blob=self.ledger.put(PIXEL, "image/png")).id

    def asserted(
        self,
        result: Literal["held", "violated", "cannot tell"],
        *,
        selector: str = "#add",
        kind: str = "changes",
        words: str = "something changes",
        seen: str = "nothing changed",
        control: bool = False,
        models: tuple[str, ...] = (),
    ) -> Row:
        """An assertion of the open trial; `models`: what it was judged by."""
        assert self.begun is not None
        assertion = {"kind": kind, "target": plain(target(selector))}
        body = AssertionJudged(control=control, assertion=assertion, words=words, result=result, seen=seen, models=models)
        return self.add(body, parent=self.begun.id)

    def end(self, result: Literal["held", "violated", "explained", "cannot tell", "stopped"], stopped: str = "") -> Row:
        """The open trial is over. Its row."""
        assert self.begun is not None
        begun, self.begun = self.begun, None
        self.add(TrialEnded(result=result, stopped=stopped), parent=begun.id)
        return begun

    def tried(
        self,
        result: Literal["held", "violated", "explained", "cannot tell", "stopped"] = "violated",
        selector: str = "#add",
        *,
        by: str = "does_something",
        why: str = "",
        requirements: tuple[str, ...] = (),
        way: tuple[str, ...] = (),
        changed: bool = False,
        during: Iterable[Body] = (),
        done: Act | None = None,
        **assertion: Any,
    ) -> Row:
        """A trial of one press and one assertion; the trial's row."""
        role, name = NAMES.get(selector, ("button", selector.strip("#.")))
        self.begin(by=by, why=why or f"{role} “{name}” does something", requirements=requirements, way=way)
        self.act(done, selector=selector, changed=changed, during=during)
        found: Any = {"explained": "violated", "stopped": "cannot tell"}.get(result, result)
        self.asserted(found, selector=selector, **assertion)
        if result == "explained":
            self.asserted("held", selector=selector, control=True, words="it was chosen already", seen="it was")
        return self.end(result)

    def dead(self, selector: str = "#add", promise: str = "", **more: Any) -> Row:
        """A control that did nothing: the trial that shows it."""
        return self.tried("violated", selector, requirements=(promise,) if promise else (), **more)

    def works(self, selector: str = "#clear", promise: str = "", **more: Any) -> Row:
        """A control that did what it should: the trial that shows it."""
        about = (promise,) if promise else ()
        return self.tried("held", selector, requirements=about, changed=True, seen="the page changed", **more)

    def type(self, text: str, selector: str = "#item", **more: Any) -> Row:
        """Type into a field."""
        return self.act(Fill(target=target(selector), value=text), **more)

    def press(self, *keys: str, **more: Any) -> Row:
        """Press keys."""
        return self.act(Keys(keys=keys), **more)

    def reload(self, **more: Any) -> Row:
        """Load the page again."""
        return self.act(Reload(), **more)

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
    return apply_proofs(verdict, {failure.id: Proof(status="confirmed") for failure in verdict.accused})


def only(verdict: Verdict) -> Failure:
    """The one failure of a verdict."""
    assert len(verdict.failures) == 1, [f"{failure.category}: {failure.title}" for failure in verdict.failures]
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
    found = [item for item in claims if words in item.text or words in item.reason]
    assert len(found) == 1, [f"{item.text} | {item.reason}" for item in claims]
    return found[0]
