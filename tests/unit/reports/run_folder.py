"""Makes sealed and judged run folders as an evaluation leaves them, for the tests of the reports."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.unit.reports import app_pictures
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_verdict import make_verdict
from tools.evidence.code_rows import CodeRan, RanFunction
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import (
    AccessibilityTree,
    Audited,
    Box,
    ConsoleMessage,
    Covered,
    DialogShown,
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
    ServerLog,
    SiteServed,
    SourceFile,
    StageOpened,
)
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded
from tools.page.model import PageModel
from tools.page.parts import Layer, Link, Text
from tools.page.rows import ModelWriter

STEP_MS = 2900.0
FIRST_STEP_MS = 1500.0
RECORDER_MS = 400.0
"""App time at which the recording begins."""

SOURCE = """const board = load();

function count(tasks) {
  return tasks.length;
}

function archiveDone() {
  const done = board.tasks.filter((task) => task.state === 'done');
  done.forEach((task) => task.archived = true);
  // render() is missing
}

document.querySelector('#archive').addEventListener('click', archiveDone);
"""

PRESS = {"kind": "press", "target": {"kind": "buttons", "selector": "#x", "role": "button", "name": "x"}}

BRIEF = (
    "Build a small task board with the columns To do, Doing and Done. Tasks can be added with a title and a due date, dragged "
    "between the columns, edited and deleted. A footer counts all and finished tasks. “Archive done” takes finished tasks "
    "away. Tasks survive a reload."
)

DID = (
    ('click button "Add task"', "The core of the brief: tasks can be added.", True),
    ("type 'Water the plants' into textbox \"Title\"", "A task needs a title.", True),
    ('click button "Save"', "Saves the new task.", True),
    ('drag listitem "Water the plants" onto list "Doing"', "Tasks can be moved between the columns.", True),
    ('click button "Archive done"', "The brief promises that finished tasks go away.", False),
    ('click button "Archive done"', "A second, well-formed attempt before the control counts as dead.", False),
    ('click button "Delete" of listitem "Task 2"', "Tasks can be deleted.", True),
    ("wait 1 s", "The footer may count with a delay.", False),
    ("reload the page", "Tasks must survive a reload.", True),
    ('click button "Add task"', "What does an empty title do?", True),
    ('click button "Save"', "Saves without a title.", None),
    ('hover over listitem "Task 1"', "Are there tooltips?", None),
)


def make_run(run_dir: Path, plot: Plot | None = None, film: Path | None = None) -> Path:
    """Write ledger, blobs, recording, proof script and verdict into `run_dir`; returns it."""
    plot = plot or Plot()
    ledger = Ledger.create(run_dir)
    now = {"ms": 0.0}
    _launch(ledger, plot)
    acted: list[Row] = []
    found: dict[str, Row] = {}
    if plot.status != "no_artifact":
        ledger.app_clock = lambda: now["ms"]
        now["ms"] = 600.0
        found = _perceive(ledger, plot)
        acted = _explore(ledger, plot, now, found)
    _close(ledger, plot, now, film)
    ledger.seal(complete=plot.status not in {"incomplete", "no_artifact"})
    ledger.close()
    record = Record.read(run_dir)
    if plot.status != "no_artifact" and plot.failures and len(acted) > 9:
        (run_dir / "proofs").mkdir()
        (run_dir / "proofs" / "f1.py").write_text("print('a stand-alone script')\n", encoding="utf-8")
    verdict = make_verdict(record, plot, acted, found)
    (run_dir / "verdict.json").write_text(verdict.to_json(), encoding="utf-8")
    return run_dir


def _launch(ledger: Ledger, plot: Plot) -> None:
    ledger.append(
        RunStarted(
            brief=plot.says("brief", BRIEF),
            brief_language="en",
            subject=plot.says("subject", "examples/tidy-board/index.html"),
            settings={"seed": 0, "decider": "library", "judge": "rubric", "budget": {"max_acts": 25, "explore_app_s": 45.0}},
            versions={"assay": "0.1.0", "chromium": "156.0.8078.79", "ffmpeg": "5.1.9", "python": "3.11.7"},
        ),
        producer="launch",
    )
    if plot.status == "no_artifact":
        ledger.append(
            SiteServed(variety="none", base_url="", entry="", notes=("no fence and no element was found in 812 characters",)),
            producer="app",
        )
        return
    ledger.append(
        SiteServed(variety="html", base_url="http://127.0.0.1:41234/", entry="index.html", notes=("served from one file",)),
        producer="app",
    )
    ledger.append(
        StageOpened(
            browser="Chromium 156.0.8078.79",
            clock="page",
            cannot_stop=("GIF", "worker timers"),
            capture="x11",
            viewport=(1280, 800),
            sandboxed=False,
        ),
        producer="stage",
        app_ms=0.0,
    )


def _shot(ledger: Ledger, label: str, state: int, *, width: int = 1280, height: int = 800, full: bool = False) -> Row:
    blob = ledger.put(app_pictures.board_png(state, width, height), "image/png")
    return ledger.append(
        Screenshot(label=label, width=width, height=height, full_page=full), producer="eyes", phase=_phase(label), blob=blob
    )


def _phase(label: str) -> Phase:
    return Phase.explore if label == "trial" else Phase.perceive


def _perceive(ledger: Ledger, plot: Plot) -> dict[str, Row]:
    ledger.phase = Phase.perceive
    found = {
        "first": _shot(ledger, "first", 0),
        "full": _shot(ledger, "full", 0, height=1500, full=True),
        "mobile": _shot(ledger, "mobile", 0, width=390, height=844),
    }
    ledger.append(
        SourceFile(path="app.js", language="javascript"), producer="app", blob=ledger.put(SOURCE.encode(), "text/javascript")
    )
    ledger.append(DomSnapshot(nodes=212, text_length=640), producer="eyes", blob=ledger.put(b"<html></html>", "text/html"))
    ledger.append(AccessibilityTree(nodes=88), producer="eyes", blob=ledger.put(b"{}", "application/json"))
    contrast = ledger.append(Audited(probe="contrast", viewport="desktop", measured=True, findings=2), producer="contrast")
    found["contrast"] = ledger.append(
        Finding(
            probe="contrast",
            symptom="contrast.low",
            message=plot.says("finding", "“due in 3 days” stands out too little"),
            selector="main > section:nth-of-type(1) li:nth-of-type(1) > small",
            box=Box(x=50, y=188, width=96, height=18),
            measured={"ratio": 1.62, "needed_ratio": 4.5},
        ),
        producer="contrast",
        parent=contrast.id,
    )
    overflow = ledger.append(Audited(probe="layout", viewport="mobile", measured=True, findings=1), producer="layout")
    found["overflow"] = ledger.append(
        Finding(
            probe="layout",
            symptom="layout.overflow",
            message="the footer is wider than the screen",
            selector="footer",
            box=Box(x=0, y=800, width=420, height=40),
            viewport="mobile",
            measured={"overflow_px": 30},
        ),
        producer="layout",
        parent=overflow.id,
    )
    ledger.append(
        Audited(probe="blank", viewport="desktop", measured=True, values={"colours": 812, "grey_variance": 1904.2}),
        producer="blank",
    )
    ledger.append(
        Audited(probe="language", viewport="desktop", measured=True, values={"page": "en", "brief": "en", "match": True}),
        producer="language",
    )
    ledger.append(
        Audited(probe="axe", viewport="desktop", measured=False, reason="axe-core did not answer in 8 s"), producer="axe"
    )
    found["refused"] = ledger.append(
        NetworkFailure(
            method="GET",
            url=plot.says("network", "https://tracker.example.org/collect?id=1"),
            resource="script",
            status=None,
            reason="refused by policy",
            blocked=True,
            own_site=False,
        ),
        producer="guard",
    )
    ledger.append(
        Planned(
            domain="productivity",
            promises=(
                Promise(id="p1", text="Tasks can be added with a title and a due date", aspect="feature", central=True),
                Promise(id="p2", text="Tasks can be dragged between the columns", aspect="control", central=True),
                Promise(id="p3", text="“Archive done” takes finished tasks away", aspect="feature", central=False),
                Promise(id="p4", text="A footer counts all and finished tasks", aspect="content", central=False),
                Promise(id="p5", text="Tasks survive a reload", aspect="persistence", central=False),
                Promise(id="p6", text="Tasks can be edited", aspect="feature", central=False),
            ),
            order=("p1", "p2", "p3", "p4", "p5", "p6"),
        ),
        producer="plan",
        phase=Phase.plan,
    )
    return found


def _explore(ledger: Ledger, plot: Plot, now: dict[str, float], found: dict[str, Row]) -> list[Row]:
    """One trial of one act for each step."""
    ledger.phase = Phase.explore
    models = ModelWriter(ledger)
    acted: list[Row] = []
    before = _page(plot, 0)
    _first_look(ledger, plot, found["first"])
    for number in range(1, plot.steps + 1):
        did, why, worked = DID[(number - 1) % len(DID)]
        about = (plot.always if worked else "") or {1: "p1", 3: "p1", 4: "p2", 5: "p3", 9: "p5"}.get(number, "")
        now["ms"] = FIRST_STEP_MS + (number - 1) * STEP_MS
        started = now["ms"]
        begun = ledger.append(
            TrialBegun(trial={"by": "does_something", "why": why, "requirements": [about] if about else []}, words=did),
            producer="does_something",
        )
        now["ms"] += 1200.0
        if number % len(DID) == 7:
            found["error"] = _thrown(ledger, plot)
        now["ms"] += 700.0
        lost = number % len(DID) == 0
        state = number if worked or plot.distinct else number - 1
        after = _page(plot, state if worked else -1, before)
        action = ledger.append(
            ActDone(
                during="acts", act=PRESS, words=plot.says("name", did), delivered=not lost,
                problem="the element was covered by another one" if lost else "", before=models.write(before),
                after=models.write(after),
                witness={
                    "storage": ["local:board"] if number % 3 == 0 else [],
                    "console": ["TypeError"] if number % len(DID) == 7 else [],
                },
                started_ms=started, ended_ms=now["ms"],
                screenshot="" if number % len(DID) == 11 else _shot(ledger, "trial", state).id,
            ),
            producer="hands",
            parent=begun.id,
        )  # fmt: skip
        acted.append(action)
        if plot.code:
            ran = tuple(
                RanFunction(name=name, source="app.js", line=line, column=0, first=number == 2, calls=1)
                for line, name in enumerate(plot.code, start=1)
            )
            ledger.append(CodeRan(step=number, functions=ran, ran=len(ran)), producer="coverage", parent=action.id)
        _came_of(ledger, plot, begun, worked)
        if number % len(DID) == 8:
            _asked(ledger, plot)
        ledger.sync()
        before = after
    return acted


def _came_of(ledger: Ledger, plot: Plot, begun: Row, worked: bool | None) -> None:
    """What the step's trial asserted and came to; None: it stopped."""
    for _ in range(0 if worked is None else plot.checks if worked else 1):
        ledger.append(
            AssertionJudged(
                assertion={"kind": "changes"}, words="the board changes", result="held" if worked else "violated",
                seen="it did" if worked else "nothing changed in 1.5 s", models=(),
            ),
            producer="assertion",
            parent=begun.id,
        )  # fmt: skip
    result = "stopped" if worked is None else "held" if worked else "violated"
    ledger.append(TrialEnded(result=result), producer="trial", parent=begun.id)


def _page(plot: Plot, state: int, same: PageModel | None = None) -> PageModel:
    """What the page is in a state; the same as before for -1."""
    if state < 0 and same is not None:
        return same
    where = Box(x=20, y=760, width=230, height=30)
    text = Text(key="footer", node="footer", selector="footer", box=where, in_view=True, text=f"state {state}")
    link = Link(key="help", node="help", selector="a", box=where, in_view=True, name=plot.says("name", "Help"), href="/help")
    asked = Layer(key="new", node="new", selector="dialog", box=where, in_view=True, name=f"Task {state}", kind="dialog")
    return PageModel(
        url="http://127.0.0.1:41234/",
        title=plot.says("title", "Tidy board"),
        viewport=(1280, 800),
        texts=(text,),
        links=(link,),
        layers=(asked,) if state in {3, 4} else (),
    )


def _thrown(ledger: Ledger, plot: Plot) -> Row:
    return ledger.append(
        PageError(
            message=plot.says("console", "TypeError: undefined is not an object (reading 'length')"),
            stack="TypeError: undefined is not an object\n    at count (app.js:4:10)\n    at render (app.js:21:3)",
            url="http://127.0.0.1:41234/app.js",
            line=4,
            column=10,
        ),
        producer="eyes",
    )


def _asked(ledger: Ledger, plot: Plot) -> None:
    ledger.append(
        DialogShown(variety="confirm", message=plot.says("dialog", "Really delete “Task 2”?"), answer="accepted"),
        producer="guard",
    )
    ledger.append(
        ConsoleMessage(level="warning", text=plot.says("console", "deprecated: use count2()"), url="app.js", line=4),
        producer="eyes",
    )


def _first_look(ledger: Ledger, plot: Plot, shot: Row) -> Row:
    return ledger.append(
        Observed(
            url="http://127.0.0.1:41234/",
            title=plot.says("title", "Tidy board"),
            screenshot=shot.id,
            fingerprint=hashlib.sha256(b"0").hexdigest(),
            marks=23,
            text_sha256="0" * 64,
            dom_sha256="1" * 64,
        ),
        producer="eyes",
        blob=ledger.put(b"[]", "application/json"),
    )


def _close(ledger: Ledger, plot: Plot, now: dict[str, float], film: Path | None) -> None:
    stop = {"no_artifact": "no_artifact", "incomplete": "crashed", "complete": "covered", "not_enough_seen": "covered"}[
        plot.status
    ]
    if plot.status != "no_artifact":
        now["ms"] += 900.0
        if plot.status == "incomplete":
            ledger.append(PageEvent(event="crash", detail="the renderer was killed"), producer="guard")
        ledger.append(ServerLog(lines=2, excerpt="GET / 200\nGET /app.js 200"), producer="app")
        ledger.append(
            Gap(what="sound of step 4", reason="the audio server restarted", blame="environment"),
            producer="recorder",
            app_ms=11_000.0,
        )
    ledger.append(
        Covered(
            stop_reason=stop,  # pyright: ignore[reportArgumentType]
            controls_found=23 if plot.steps else 0,
            controls_tried=min(plot.steps, 19),
            promises={"p1": "shown", "p2": "shown", "p3": "broken", "p4": "shown", "p5": "shown", "p6": "not_tested"},
            not_tested=("editing a task: no control for it was found", "sign-in: needs a back end"),
        ),
        producer="decide",
        phase=Phase.explore,
    )
    if not plot.video or plot.status == "no_artifact":
        ledger.append(
            Gap(what="recording", reason="capture was switched off", blame="evaluator"), producer="recorder", phase=Phase.seal
        )
        return
    path = ledger.run_dir / "video.mp4"
    length_s = video_length_s(plot.steps)
    if film is None:
        app_pictures.film(path, length_s, [_step_at(second) for second in range(int(length_s) + 1)])
    else:
        path.write_bytes(film.read_bytes())
    ledger.append(
        Recorded(
            file="video.mp4",
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
            size=path.stat().st_size,
            duration_s=length_s,
            frames=int(length_s * app_pictures.FPS),
            fps=float(app_pictures.FPS),
            width=640,
            height=400,
            sound=True,
            timeline=((RECORDER_MS, 0.0), (RECORDER_MS + length_s * 1000, length_s)),
        ),
        producer="recorder",
        phase=Phase.seal,
    )


def video_length_s(steps: int) -> float:
    """Length of the recording of a run with so many steps."""
    return round((FIRST_STEP_MS + steps * STEP_MS + 1000) / 1000)


def _step_at(second: int) -> int:
    return max(0, int((second * 1000 + RECORDER_MS - FIRST_STEP_MS) / STEP_MS))
