"""A ledger that grows becomes events; so does the graph's stream."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agent.console import events as told
from agent.console.events import schema
from agent.console.follow import Follower
from agent.console.narrate import Feed, Narrator, from_stream
from agent.console.scene import Scene
from tools.evidence import rows
from tools.evidence.ledger import LEDGER_FILE, Ledger
from tools.evidence.model_rows import ModelCalled
from tools.evidence.page_rows import ConsoleMessage, DialogShown, NetworkFailure, PageError, PageEvent
from tools.evidence.rows import Phase
from tools.evidence.trial_rows import ActDone, AssertionJudged, PageModelSeen, TrialBegun, TrialEnded

SCHEMA_FILE = Path(__file__).parents[3] / "configs" / "schemas" / "events.schema.json"


def write_run(ledger: Ledger) -> None:
    """One trial of a run, with a bit of everything."""
    ledger.append(
        rows.RunStarted(brief="b", brief_language="en", subject="/a.html", settings={"budget": {"max_acts": 9}}, versions={}),
        producer="assay",
    )
    ledger.append(rows.SiteServed(variety="html", base_url="http://127.0.0.1:1/", entry="http://127.0.0.1:1/a"), producer="site")
    ledger.append(
        rows.StageOpened(browser="b", clock="held", cannot_stop=(), capture="x11", viewport=(1280, 800), sandboxed=True),
        producer="stage",
    )
    ledger.append(rows.Finding(probe="contrast", symptom="contrast.low", message="2 : 1"), producer="probe")
    promise = rows.Promise(id="p1", text="add", aspect="feature", central=True)
    ledger.append(rows.Planned(domain="todo", promises=(promise,), order=("p1",)), producer="plan", phase=Phase.plan)
    picture = ledger.append(
        rows.Screenshot(label="x", width=2, height=2), producer="eyes", blob=ledger.put(b"PNG", "image/png"), phase=Phase.explore
    )
    ledger.append(
        rows.Observed(
            url="http://127.0.0.1:1/a",
            title="Todo",
            screenshot=picture.id,
            fingerprint="f",
            marks=2,
            text_sha256="",
            dom_sha256="",
        ),
        producer="eyes",
    )
    trial = {"why": "what is added is shown", "by": "added_item_appears", "requirements": ["p1"]}
    begun = ledger.append(TrialBegun(trial=trial, words='press the button "Add" → the list grows'), producer="added_item_appears")
    pages = [ledger.append(PageModelSeen(url="http://127.0.0.1:1/a", changed={"n": n}), producer="page").id for n in (1, 2)]
    after = ledger.append(
        rows.Screenshot(label="trial", width=2, height=2), producer="eyes", blob=ledger.put(b"NEW", "image/png")
    )
    region = {"x": 1.0, "y": 2.0, "width": 30.0, "height": 20.0}
    act = ActDone(
        during="acts",
        act={"kind": "press"},
        words='press the button "Add"',
        delivered=True,
        problem="",
        before=pages[0],
        after=pages[1],
        witness={"picture": [region], "requests": ["POST /"]},
        started_ms=1000,
        ended_ms=1500,
        screenshot=after.id,
    )
    ledger.append(act, producer="hands", parent=begun.id)
    judged = AssertionJudged(
        assertion={"kind": "count by"}, words="the list grows", result="violated", seen="it did not", models=()
    )
    ledger.append(judged, producer="assertion", parent=begun.id)
    ledger.append(TrialEnded(result="violated"), producer="trial", parent=begun.id)
    for body in (
        PageError(message="x is undefined", stack=""),
        ConsoleMessage(level="warning", text="careful"),
        NetworkFailure(method="GET", url="/api", resource="fetch", status=500, reason="", blocked=False, own_site=True),
        NetworkFailure(
            method="GET", url="https://e.org/", resource="image", status=None, reason="refused", blocked=True, own_site=False
        ),
        DialogShown(variety="alert", message="hi", answer="accepted"),
        PageEvent(event="hang", detail="no answer"),
        rows.Gap(what="sound", reason="no device", blame="environment"),
        rows.Steered(wish="hint", text="try the menu"),
    ):
        ledger.append(body, producer="page")
    ledger.append(
        rows.Covered(stop_reason="interrupted", controls_found=3, controls_tried=1, promises={"p1": "broken"}, not_tested=()),
        producer="conduct",
    )
    ledger.seal(complete=False)


def told_of(ledger: Ledger) -> list[told.Event]:
    """All events of a run, from outside."""
    found: list[told.Event] = []
    feed = Feed(found.append)
    feed.open(ledger.run_dir)
    feed.look()
    return found


def test_rows_become_events(ledger: Ledger) -> None:
    """In order, each with what it is about."""
    write_run(ledger)
    found = told_of(ledger)
    assert [event.event for event in found] == [
        "opened",
        "served",
        "stage_up",
        "suspected",
        "planned",
        "saw",
        "trying",
        "did",
        "tried",
        "suspected",
        "coverage",
        "suspected",
        "log",
        "suspected",
        "log",
        "log",
        "suspected",
        "log",
        "steered",
        "coverage",
        "sealed",
    ]
    trying = next(event for event in found if isinstance(event, told.Trying))
    assert (trying.number, trying.by, trying.what) == (1, "added_item_appears", 'press the button "Add"')
    assert trying.expects == "the list grows"
    did = next(event for event in found if isinstance(event, told.Did))
    assert did.changed == ("page", "picture", "requests")
    assert (did.app_s, did.region) == (0.5, (1.0, 2.0, 30.0, 20.0))
    assert Path(did.picture).read_bytes() == b"NEW"
    tried = next(event for event in found if isinstance(event, told.Tried))
    assert (tried.number, tried.result, tried.text) == (1, "violated", "it did not")
    coverages = [event for event in found if isinstance(event, told.Coverage)]
    assert [(coverage.trials, coverage.controls_tried, coverage.controls_found, coverage.broken) for coverage in coverages] == [
        (1, 0, 0, 1),
        (1, 1, 3, 1),
    ]
    assert coverages[-1].final
    saw = next(event for event in found if isinstance(event, told.Saw))
    assert Path(saw.picture).read_bytes() == b"PNG"
    assert isinstance(found[-1], told.SealedNow)
    assert found[-1].stop == "interrupted"


def test_events_fit_the_published_schema(ledger: Ledger) -> None:
    """Every line of `--display json`; and the published schema is the classes' own."""
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == schema(), "write it anew: python -m agent.console.schema"
    write_run(ledger)
    validator = Draft202012Validator(schema())
    for event in (*told_of(ledger), told.Ended(at_s=1, status=None), told.Paused(at_s=2)):
        assert validator.is_valid(json.loads(event.model_dump_json())), event
    assert not validator.is_valid({"event": "did", "at_s": 1})


def test_a_growing_ledger_is_read_once(ledger: Ledger) -> None:
    """Whole lines as they come; a torn one when its end has come; calls made after the seal, too."""
    follower = Follower(ledger.run_dir)
    assert follower.rows() == []
    ledger.append(rows.Gap(what="a", reason="r", blame="app"), producer="x")
    ledger.sync()
    assert [row.id for row in follower.rows()] == ["e000001"]
    ledger.append(rows.Gap(what="b", reason="r", blame="app"), producer="x")
    ledger.sync()
    path = ledger.run_dir / LEDGER_FILE
    data = path.read_bytes()
    path.write_bytes(data[:-20])
    assert follower.rows() == []
    path.write_bytes(data)
    assert [row.id for row in follower.rows()] == ["e000002"]
    judging = Ledger.create(ledger.run_dir / "judging")
    judging.append(
        ModelCalled(
            role="scorer",
            stage="judge",
            model="openai:x",
            prompt="p",
            request_sha256="",
            outcome="answered",
            requests=1,
            tokens_in=5,
            tokens_out=2,
            tokens_reported=True,
            cost_usd=None,
            seconds=1.0,
        ),
        producer="models",
    )
    judging.close()
    (call,) = follower.rows()
    (event,) = Narrator(ledger.run_dir).of(call)
    assert isinstance(event, told.Asked)
    assert event.cost_usd is None


def test_rows_of_a_later_version_are_counted(ledger: Ledger) -> None:
    """And passed over."""
    ledger.append(rows.Gap(what="a", reason="r", blame="app"), producer="x")
    ledger.sync()
    path = ledger.run_dir / LEDGER_FILE
    path.write_text('{"id": "e1", "body": {"kind": "telepathy"}}\n' + path.read_text(encoding="utf-8"), encoding="utf-8")
    follower = Follower(ledger.run_dir)
    assert len(follower.rows()) == 1
    assert follower.unread == 1


def test_the_stream_tells_what_the_ledger_does_not(ledger: Ledger) -> None:
    """What has been written is told before it, and nothing twice."""
    found: list[told.Event] = []
    feed = Feed(found.append)
    ledger.append(rows.RunStarted(brief="b", brief_language="en", subject="/a.html", settings={}, versions={}), producer="assay")
    ledger.sync()
    feed.hear({"event": "opened", "run": str(ledger.run_dir), "at_s": 0.0})
    feed.hear({"event": "entered", "node": "launch", "at_s": 0.1})
    feed.hear({"event": "tried", "step": 1, "at_s": 0.1})
    feed.hear({"event": "paused", "at_s": 0.2})
    assert [event.event for event in found] == ["opened", "entered", "paused"]


@pytest.mark.parametrize("streamed", [{"event": "proved", "confirmed": 1, "of": 2}, {"event": "report", "path": "/r"}])
def test_the_end_is_streamed(streamed: dict[str, object]) -> None:
    """After the seal nothing more is written."""
    event = from_stream({**streamed, "at_s": 1.0}, 2.0)
    assert event is not None
    assert event.at_s == 2.0


def test_a_scene_adds_up(ledger: Ledger) -> None:
    """Suspicions by kind, the latest words of each; probes' findings stay out of the log."""
    write_run(ledger)
    scene = Scene()
    for event in told_of(ledger):
        scene.add(event)
    assert scene.suspicions == {
        ("probe", "contrast.low"): 1,
        ("trial", "added_item_appears"): 1,
        ("page", "uncaught error"): 1,
        ("page", "request failed"): 1,
        ("page", "hang"): 1,
    }
    assert scene.latest["page", "request failed"] == "GET /api: 500"
    assert scene.hints == ["try the menu"]
    assert not any("contrast" in line for _, _, line in scene.log)
    assert scene.sealed is not None
    assert (scene.step, scene.max_acts) == (1, 9)
