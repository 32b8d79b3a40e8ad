"""Situations in which the app is not to blame, or breaks down as a whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.verdict.taxonomy import Blame, Category, Severity
from tests.unit.evaluator.records import PAGE, SITE, Run, aesthetics, claim, functionality, judged, mark, only, promise
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import Phase, ServerLog
from tools.evidence.trial_rows import ActDone

CHART = "https://cdn.jsdelivr.net/npm/chart.js@4.4.0/dist/chart.umd.js"
P5 = "https://cdnjs.cloudflare.com/ajax/libs/p5.js/1.4.0/p5.js"
TAILWIND = "https://cdn.tailwindcss.com/"
CHART_PAGE = """<html><head><style>.card { padding: 8px; }</style></head><body class="card"><canvas id="chart"></canvas>
<button id="add">Add</button>
<script>
const chart = new Chart(document.getElementById('chart'), {});
document.getElementById('add').addEventListener('click', () => chart.update());
</script></body></html>"""


def test_an_act_that_missed_the_page_is_the_agents(tmp_path: Path) -> None:
    """A covered target: its trial stopped and says nothing about the app, the act is listed as the agent's."""
    run = Run(tmp_path)
    run.begin()
    run.act(delivered=False, problem="covered by #overlay")
    run.end("stopped")
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert all(item.blame is Blame.agent for item in verdict.not_counted)
    assert verdict.functionality is not None
    assert verdict.functionality.low == 7.75


def test_a_refused_library_takes_the_blame_for_its_error(tmp_path: Path) -> None:
    """`Chart is not defined` after Chart.js was refused: not the app's error, and the dead control not its failing."""
    run = Run(tmp_path, source=CHART_PAGE)
    run.refused(CHART)
    run.error("ReferenceError: Chart is not defined", line=4)
    run.dead("#add")
    verdict = run.judge()
    assert verdict.failures == ()
    assert verdict.status == "incomplete"
    assert verdict.functionality is None
    assert "chart.js from cdn.jsdelivr.net could not be had" in verdict.reason
    assert claim(verdict.not_counted, "button “Add” does something").blame is Blame.environment


@pytest.mark.parametrize("ahead", [False, True])
def test_a_request_that_was_refused_takes_the_blame_for_its_error(tmp_path: Path, ahead: bool) -> None:
    """`Failed to fetch` after another site was refused, asked ahead with OPTIONS or not; another error beside it is the app's."""
    run = Run(tmp_path, source=CHART_PAGE)
    asked = "https://api.example/openapi.json"
    if ahead:
        first = run.failed(asked, "other", status=None, blocked=True, own=False)
        run.add(first.model_copy(update={"method": "OPTIONS"}), at=49.0, phase=Phase.perceive)
    run.refused(asked, "fetch")
    run.error("Uncaught (in promise) TypeError: Failed to fetch", line=4)
    run.dead("#add")
    assert only(run.judge()).category is Category.dead_control
    run = Run(tmp_path / "own")
    run.refused(asked, "fetch")
    run.error("Uncaught TypeError: items is null", line=5)
    run.dead("#add")
    assert only(run.judge()).category is Category.runtime_error


def test_a_request_without_an_answer_is_the_apps_where_nothing_was_refused(tmp_path: Path) -> None:
    """The same words, and nothing that the environment kept from it."""
    run = Run(tmp_path, source=CHART_PAGE)
    run.error("Uncaught (in promise) TypeError: Failed to fetch", line=4)
    run.dead("#add")
    assert "Failed to fetch" in only(run.judge()).title


def test_a_refused_connection_is_told_once_and_in_words(tmp_path: Path) -> None:
    """`//host:443` is no address people know; where the file itself was refused too, that says it all."""
    run = Run(tmp_path, source=CHART_PAGE)
    run.refused(CHART)
    run.refused("//cdn.jsdelivr.net:443")
    run.refused("//fonts.example:443")
    told = [item.text for item in run.judge().not_counted if item.text.startswith("Not had")]
    assert sorted(told) == ["Not had: fonts.example", f"Not had: {CHART}"]


def test_a_refusal_that_little_hangs_on_leaves_the_run_scored(tmp_path: Path) -> None:
    """One block of the page's script dies with the library, the larger rest works: scored, the interval wider."""
    rest = "\n".join(f"function step{n}() {{ return {n}; }}" for n in range(60))
    page = CHART_PAGE.replace("</body>", f"<script>document.getElementById('clear').onclick = step1;\n{rest}</script></body>")
    run = Run(tmp_path, source=page)
    run.refused(CHART)
    run.error("ReferenceError: Chart is not defined", line=4)
    run.dead("#add")
    run.works("#clear")
    run.works("#help")
    run.dead("#item")
    verdict = run.judge()
    assert verdict.scored
    assert [failure.place.selector for failure in verdict.failures] == ["#item"]
    assert functionality(verdict) == 7.0
    assert verdict.functionality is not None
    assert verdict.functionality.low <= 6.0


def test_the_same_error_without_a_refusal_is_the_apps(tmp_path: Path) -> None:
    """Nothing was refused, `Chart` is still not defined: the app forgot to load it."""
    run = Run(tmp_path, source=CHART_PAGE)
    run.error("ReferenceError: Chart is not defined", line=4)
    run.dead("#add")
    assert only(run.judge()).category is Category.runtime_error


def test_an_error_of_the_apps_own_beside_a_refused_font(tmp_path: Path) -> None:
    """A refused font explains no script error."""
    run = Run(tmp_path)
    run.refused("https://fonts.googleapis.com/css2?family=Inter", "stylesheet")
    run.error("TypeError: list is null", line=18)
    run.dead("#add")
    verdict = run.judge()
    assert only(verdict).category is Category.runtime_error
    assert verdict.scored


def test_a_sketch_whose_library_was_refused_stays_blank(tmp_path: Path) -> None:
    """p5 calls setup and draw; refused, nothing is thrown and nothing is drawn. Incomplete, not low."""
    run = Run(tmp_path, source="<html><body><script>function setup() { }\nfunction draw() { }</script></body></html>", marks=())
    run.refused(P5)
    run.finding("blank.page", "nothing is shown")
    verdict = run.judge()
    assert verdict.status == "incomplete"
    assert (verdict.functionality, verdict.aesthetics, verdict.failures) == (None, None, ())
    assert "p5" in verdict.reason


def test_a_module_with_a_refused_import_never_runs(tmp_path: Path) -> None:
    """The import map leads to a refused address: the module is dead, its controls are not the app's failing."""
    page = """<html><body><button id="add">Add</button>
<script type="importmap">{"imports": {"three": "https://unpkg.com/three@0.158.0/build/three.module.js"}}</script>
<script type="module">
import * as THREE from 'three';
document.getElementById('add').onclick = () => new THREE.Scene();
</script></body></html>"""
    run = Run(tmp_path, source=page)
    run.refused("https://unpkg.com/three@0.158.0/build/three.module.js")
    run.dead("#add")
    verdict = run.judge()
    assert verdict.failures == ()
    assert verdict.status == "incomplete"


def test_a_refused_style_framework_makes_aesthetics_unknowable(tmp_path: Path) -> None:
    """Tailwind was refused and all classes are its own: aesthetics is not judged, functionality is."""
    page = (
        '<html><body class="p-4"><button id="add" class="rounded bg-blue-500">Add</button><p class="text-lg">x</p></body></html>'
    )
    run = Run(tmp_path, source=page)
    run.refused(TAILWIND)
    run.finding("unstyled.page", "the page looks as browsers draw it")
    run.works("#add")
    verdict = run.judge()
    assert verdict.aesthetics is None
    assert functionality(verdict) == 8.0
    assert verdict.status == "incomplete"
    assert "100% of the page's elements get no style" in verdict.reason


@pytest.mark.parametrize(
    ("source", "button", "failures"),
    [
        ('const causes = ["Key value is undefined or null"];', "Add", 0),
        ("cause.textContent = `Key value is ${value} or null`;", "Add", 1),
        ("if (value === undefined) show();", "Add", 1),
        ('const causes = ["Key value is undefined or null"];', "NaN kg", 1),
    ],
    ids=["it is content", "it is made of a value", "only the word stands there", "a value leaked beside it"],
)
def test_words_that_stand_in_the_source_are_no_leaked_value(tmp_path: Path, source: str, button: str, failures: int) -> None:
    """A page about programs says "undefined" and means it."""
    run = Run(tmp_path)
    run.source("app.js", source, "js")
    run.said = "Key value is undefined or null"
    run.begin(by="nothing_leaks", why="what the page shows are values")
    act = run.act(marks=[mark("#add", "button", button)])
    assert isinstance(act.body, ActDone)
    run.asserted("violated", kind="sensible", seen="it shows such a value", models=(act.body.after,))
    run.end("violated")
    verdict = run.judge()
    assert len(verdict.failures) == failures
    assert any("no value that leaked" in item.reason for item in verdict.not_counted) is not bool(failures)


@pytest.mark.parametrize(
    ("ground", "failures"), [("#f9f1e3", 1), ("#ffffff", 1), ("#303030", 2)], ids=["tinted", "white", "dark"]
)
def test_one_ink_on_light_grounds_is_one_defect(tmp_path: Path, ground: str, failures: int) -> None:
    """A badge lies on a card and on the page: its ground measures otherwise, its colour is chosen in one place."""
    run = Run(tmp_path)
    run.finding("contrast.low", "1.97:1", selector="main > p.note", foreground="#f59f0a", background="#fef5e7")
    run.finding("contrast.low", "1.90:1", selector="main > span.badge", foreground="#f59f0a", background=ground)
    run.works("#add")
    assert len(run.judge().failures) == failures


def test_a_refused_decoration_does_not_excuse_the_pages_own_css(tmp_path: Path) -> None:
    """animate.css was refused, but the faint text is styled by the page itself: still its failing."""
    run = Run(tmp_path)
    run.refused("https://cdnjs.cloudflare.com/ajax/libs/animate.css/4.1.1/animate.min.css", "stylesheet")
    run.finding("contrast.low", "1.9:1", selector="body > p.note")
    verdict = run.judge()
    assert only(verdict).category is Category.low_contrast
    assert aesthetics(verdict) == 4.0


def test_a_refused_picture_is_the_environments(tmp_path: Path) -> None:
    """A picture from elsewhere that was refused is not broken media of the app."""
    run = Run(tmp_path)
    run.refused("https://images.unsplash.com/photo-1", "image")
    run.finding("media.broken_image", "did not load", selector="img", source="https://images.unsplash.com/photo-1")
    verdict = run.judge()
    assert verdict.failures == ()
    assert claim(verdict.not_counted, "picture").blame is Blame.environment


def test_a_back_end_that_cannot_be_there_is_not_deducted(tmp_path: Path) -> None:
    """A button that asks a third party's service: what fails in the same act is the environment's."""
    run = Run(tmp_path)
    asked = run.failed("https://api.weather.example/v1", "fetch", status=None, blocked=True, own=False)
    run.tried("violated", by="added_item_appears", words="the weather appears", during=[asked])
    run.works("#clear")
    run.works("#help")
    verdict = run.judge()
    assert verdict.failures == ()
    assert verdict.scored
    assert functionality(verdict) == 8.0


def test_a_missing_address_elsewhere_is_the_apps(tmp_path: Path) -> None:
    """A CDN that answers 404 was asked for something that does not exist: the library's absence is the app's mistake."""
    run = Run(tmp_path, source=CHART_PAGE)
    run.add(run.failed(CHART, "script", status=404, own=False), at=50.0)
    run.error("ReferenceError: Chart is not defined", line=4)
    run.dead("#add")
    verdict = run.judge()
    assert only(verdict).category is Category.runtime_error
    assert only(verdict).blame is Blame.app


def test_no_artifact(tmp_path: Path) -> None:
    """Nothing was found that could be opened: both scores 0, with the reason."""
    run = Run(tmp_path, variety="none", source=None, stage=False, seen=False)
    run.gap("site", "no_artifact: the answer holds no code", "app")
    verdict = run.judge("no_artifact")
    assert verdict.status == "no_artifact"
    assert verdict.reason == "the answer holds no code"
    assert (functionality(verdict), aesthetics(verdict)) == (0.0, 0.0)
    assert verdict.failures == ()


def test_a_server_that_never_comes_up_is_the_apps(tmp_path: Path) -> None:
    """The app's own server fails: scored 0 on both scales with one critical failure."""
    run = Run(tmp_path, variety="project", source=None, stage=False, seen=False)
    run.gap("site", "server_failed: npm run dev ended with code 1", "app")
    log = run.add(ServerLog(lines=2, excerpt="Error: no such file"))
    run.complete = False
    verdict = run.judge("crashed")
    failure = only(verdict)
    assert (verdict.scored, failure.category, failure.severity) == (True, Category.crash_or_hang, Severity.critical)
    assert (functionality(verdict), aesthetics(verdict)) == (0.0, 0.0)
    assert log.id in failure.evidence


def test_a_registry_that_cannot_be_reached_is_the_environments(tmp_path: Path) -> None:
    """An install that fails for want of a network: incomplete, no score, the reason named."""
    run = Run(tmp_path, variety="project", source=None, stage=False, seen=False)
    run.gap("site", "install_failed: ENOTFOUND", "environment")
    run.complete = False
    verdict = run.judge("crashed")
    assert verdict.status == "incomplete"
    assert (verdict.functionality, verdict.aesthetics) == (None, None)
    assert "ENOTFOUND" in verdict.reason


def test_a_hang_on_click_is_critical(tmp_path: Path) -> None:
    """An endless loop after a click: critical, with the click as its step; scored although the exploration ended there."""
    run = Run(tmp_path)
    run.works("#clear")
    run.begin()
    act = run.act()
    run.event("hang", "no answer within 8 s", at=run.now_ms + 100)
    run.end("stopped")
    run.gap("observation step-002", "no answer within 8 s", "app")
    run.complete = False
    verdict = run.judge("hung")
    failure = only(verdict)
    assert (failure.category, failure.severity, failure.points) == (Category.crash_or_hang, Severity.critical, 3.0)
    assert failure.step_ids == (act.id,)
    assert verdict.scored
    assert functionality(verdict) == 5.0
    assert failure.title == "The page hangs after: press the button “Add”"
    assert verdict.functionality is not None
    assert verdict.functionality.low <= 3.0


def test_a_hang_at_load_leaves_hardly_anything(tmp_path: Path) -> None:
    """The page hangs or floods the user with dialogs right after it was seen: −4 and the anchor 1.0."""
    for event in ("hang", "dialog_storm", "crash"):
        run = Run(tmp_path / event)
        run.event(event, "before the first act")
        run.complete = False
        verdict = run.judge("hung")
        assert only(verdict).points == 4.0
        assert functionality(verdict) == 1.0
        assert verdict.scored


def test_a_page_that_hangs_before_it_can_be_seen_does_not_run(tmp_path: Path) -> None:
    """Nothing of the page was ever seen through its own fault: 0 on both scales, the endless loop named as the cause."""
    run = Run(tmp_path, source="<html><body><script>\nwhile (true) {}\n</script></body></html>", seen=False)
    run.event("hang", "no answer within 8 s", at=100.0)
    run.gap("static perception", "no answer within 8 s", "app")
    run.complete = False
    verdict = run.judge("hung")
    failure = only(verdict)
    assert verdict.scored
    assert (functionality(verdict), aesthetics(verdict)) == (0.0, 0.0)
    assert failure.title == "The page hangs as soon as it is opened"
    assert (failure.cause.line, failure.cause.note) == (2, "a loop without an end")


def test_an_entry_page_that_is_an_error(tmp_path: Path) -> None:
    """The app's own server answers its entry with 500 and nothing to do: the app does not run."""
    run = Run(tmp_path, variety="project", marks=())
    row = run.add(run.failed(SITE + "index.html", "document", status=500), at=50.0)
    verdict = run.judge()
    assert only(verdict).evidence == (row.id,)
    assert functionality(verdict) == 0.0


def test_an_interrupted_exploration_is_incomplete(tmp_path: Path) -> None:
    """A mistake of the evaluator's own ends the run: incomplete with what was seen, never a failure of the app."""
    run = Run(tmp_path)
    run.works("#add")
    run.gap("decide", "decide: KeyError: 'x'", "evaluator")
    run.complete = False
    verdict = run.judge("interrupted")
    assert verdict.status == "incomplete"
    assert functionality(verdict) == 8.0
    assert verdict.functionality is not None
    assert verdict.functionality.low < 8.0
    assert claim(verdict.not_counted, "KeyError").blame is Blame.evaluator


def test_a_browser_that_fails_is_not_the_app(tmp_path: Path) -> None:
    """The stage never opened: incomplete without scores."""
    run = Run(tmp_path, stage=False, seen=False)
    run.gap("launch", "launch: Xvfb did not start", "environment")
    run.complete = False
    verdict = run.judge("crashed")
    assert verdict.status == "incomplete"
    assert verdict.functionality is None
    assert "Xvfb" in verdict.reason


def test_a_browser_that_was_ended_is_not_the_app(tmp_path: Path) -> None:
    """The whole browser went in the middle of the exploration: incomplete, and no failure of the page."""
    run = Run(tmp_path)
    run.act()
    run.event("browser_gone", "the browser is gone")
    run.gap("observation step-001", "The page is gone, a look could not be carried out: the browser is gone.", "environment")
    run.complete = False
    verdict = run.judge("crashed")
    assert (verdict.status, verdict.failures) == ("incomplete", ())
    assert "crashed" in verdict.reason


def test_a_missing_recording_costs_nothing(tmp_path: Path) -> None:
    """Without a video there are no moments in it, and no points are lost for that."""
    run = Run(tmp_path)
    run.dead("#add")
    run.gap("recording", "ffmpeg is not installed", "environment")
    verdict = run.judge()
    assert verdict.scored
    assert only(verdict).place.video_s is None
    assert functionality(verdict) == 7.0


def test_an_unsealed_run_is_not_judged(tmp_path: Path) -> None:
    """Evidence comes first: a record without its seal raises and says how to go on."""
    run = Run(tmp_path)
    run.ledger.close()
    with pytest.raises(RunError, match="--resume"):
        judged(Record.read(tmp_path))


def test_damaged_observations_and_empty_sources_do_not_crash(tmp_path: Path) -> None:
    """A marks blob that is no JSON and a source without text leave less to say, and nothing worse."""
    run = Run(tmp_path, source="")
    run.dead("]]not a selector[[")
    blob = next(path for path in (tmp_path / "blobs").rglob("*.json"))
    blob.write_bytes(json.dumps("no list").encode())
    verdict = run.judge()
    assert only(verdict).category is Category.dead_control
    assert only(verdict).cause.known is False


def test_hostile_names_are_made_harmless(tmp_path: Path) -> None:
    """Control characters and direction overrides of the page do not reach titles."""
    run = Run(tmp_path, promises=[promise("p1", "x")])
    run.finding("contrast.low", "“\x1b[31mred\u202e” is faint\n\nnow", selector="#a\x07")
    failure = only(run.judge())
    assert all(ord(sign) >= 32 and sign != "\u202e" for sign in failure.title + failure.observed)


def test_effects_elsewhere_do_not_count_for_the_agent(tmp_path: Path) -> None:
    """A page that changes by itself does not make a missed act a delivered one."""
    run = Run(tmp_path, source=PAGE)
    run.begin()
    run.act(delivered=False, problem="target gone", changed=True)
    run.end("stopped")
    verdict = run.judge()
    assert functionality(verdict) == 8.0
    assert claim(verdict.not_counted, "target gone").blame is Blame.agent


def test_a_way_that_led_elsewhere_is_nobodys_failing(tmp_path: Path) -> None:
    """It is sought anew or given up, and nothing was to be seen by it."""
    run = Run(tmp_path, source=PAGE)
    run.begin(by="way")
    run.act(delivered=False, problem="target gone", changed=True)
    run.end("stopped")
    assert not [item for item in run.judge().not_counted if "target gone" in item.reason]
