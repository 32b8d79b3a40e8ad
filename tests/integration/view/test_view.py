"""`assay view` as a reader meets it: the real command, looked at in a real browser."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import httpx
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from agent.run.steering import Steering
from agent.run.wishes import Standing, heeded, standing
from evaluator.reports import recording
from evaluator.reports.as_html import write_html
from evaluator.reports.facts import read_run
from tests.faults.command import announced, command, environment, survivors
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Finding, Observed, Phase, RunStarted, Screenshot
from tools.evidence.trial_rows import TrialBegun
from tools.processes import ProcessList

UP_S = 60.0
HOSTILE_PAGE = """<!doctype html><title>waiting</title><video muted></video><script>
  const said = [], told = (name) => (value) => said.push(`${name}: ${value}`);
  const root = new URLSearchParams(location.hash.slice(1)).get("root");
  try { said.push(`cookie: ${document.cookie}`); } catch { said.push("cookie: refused"); }
  try { localStorage.length; said.push("storage: open"); } catch { said.push("storage: refused"); }
  said.push(`referrer: ${document.referrer || "none"}`, `origin: ${self.origin}`);
  const mark = new URLSearchParams({ failure: "FAILURE", opinion: "right" });
  Promise.all([
    fetch(root).then(told("read"), () => said.push("read: refused")),
    fetch(`${root}marks/tidy-board`, { method: "POST", body: mark, mode: "no-cors" })
      .then(told("mark"), () => said.push("mark: refused")),
    new Promise((done) => {
      const image = new Image();
      image.onload = image.onerror = done;
      image.src = `${root}thumbnails/tidy-board`;
    }).then((event) => said.push(`picture: ${event.type}`)),
  ]).then(() => {
    const form = document.createElement("form");
    form.method = "post"; form.action = `${root}marks/tidy-board`;
    for (const [name, value] of mark) {
      const field = form.appendChild(document.createElement("input"));
      field.name = name;
      field.value = value;
    }
    document.body.append(form);
    form.submit();
    document.title = said.join("; ");
  });
</script>"""


@dataclass
class Server:
    """A view that runs."""

    process: subprocess.Popen[str]
    root: str
    """The address that it printed: ends with the token and a slash."""
    folder: Path


@contextlib.contextmanager
def viewing(folder: Path, mark: str) -> Iterator[Server]:
    """`assay view FOLDER` on a free port of loopback; ended as Ctrl+C does."""
    line = command("view", str(folder), "--port", "0", "--reader", "anna")
    with announced(line, mark, up_s=UP_S) as (process, told):
        assert told.startswith("Runs in "), told
        yield Server(process, told.split(" at ")[1].split()[0], folder)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A view of two runs and a third in a batch; tests of this file change them."""
    folder = tmp_path_factory.mktemp("viewed") / "runs"
    folder.mkdir()
    write_html(make_run(folder / "tidy-board", Plot(video=False)))
    make_run(folder / "clean-board", Plot(video=False, failures=False, steps=3))
    make_run(folder / "garden" / "runs" / "planner-1", Plot(video=False, status="not_enough_seen", steps=3))
    with viewing(folder, f"view-{os.urandom(4).hex()}") as running:
        yield running


@pytest.fixture
async def narrow(browser: Browser) -> AsyncIterator[Page]:
    """A dark page as wide as a phone."""
    context = await browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    yield await context.new_page()
    await context.close()


async def test_list_filter_mark_reload(server: Server, page: Page) -> None:
    """A reader finds a run by what failed, marks a failure with a word, and finds the mark in the run and in the list again."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(server.root)
    runs = page.locator("li.run")
    for name in ("tidy-board", "clean-board", "planner-1"):
        await expect(page.get_by_role("link", name=name)).to_be_visible()
    await page.get_by_label("Status").select_option("not enough seen")
    await expect(runs).to_have_count(1)
    await expect(runs).to_contain_text("planner-1")
    await page.get_by_role("link", name="Show all").click()
    await page.get_by_label("Verdict").select_option("with failures not marked yet")
    await expect(page.get_by_role("link", name="clean-board")).to_have_count(0)
    await page.get_by_role("link", name="tidy-board").click()
    failure = page.locator("article.failure").first
    await failure.get_by_label("wrong").check()
    await failure.get_by_label("A word on it").fill("it is <meant> so")
    await page.keyboard.press("Enter")
    await expect(failure.locator("legend")).to_have_text("Marked wrong it is <meant> so by anna")
    await page.reload()
    await expect(failure.get_by_label("wrong")).to_be_checked()
    await page.get_by_role("link", name="Runs").click()
    await expect(runs.filter(has=page.get_by_role("link", name="tidy-board"))).to_contain_text("1 wrong")
    await page.goto(f"{server.root}runs/tidy-board")
    await failure.get_by_role("button", name="Take back").click()
    await expect(failure.locator("legend")).to_have_text("Is it so?")
    assert complaints == []


async def test_two_runs_stand_side_by_side(server: Server, page: Page) -> None:
    """Ticked in the list, by keys alone."""
    await page.goto(server.root)
    button = page.get_by_role("button", name="Show two side by side")
    await expect(button).to_be_disabled()
    for name in ("tidy-board", "clean-board"):
        await page.get_by_label(f"Put {name} beside another run").focus()
        await page.keyboard.press("Space")
    await button.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Two runs side by side")).to_be_visible()
    verdict = read_run(server.folder / "tidy-board")[1]
    await expect(page.locator("table.two").first.locator("tbody tr")).to_have_count(len(verdict.accused))
    await expect(page.get_by_text("assay compare", exact=False)).to_be_visible()


async def test_it_fits_a_phone(server: Server, narrow: Page) -> None:
    """No page scrolls sideways; what is pressed is large enough; text stands out of the dark."""
    for path in ("", "runs/tidy-board", "compare?run=tidy-board&run=clean-board", "runs/nothing"):
        await narrow.goto(server.root + path)
        assert await narrow.evaluate("document.documentElement.scrollWidth") == 390, path
    await narrow.goto(f"{server.root}runs/tidy-board")
    sizes = await narrow.locator("button:visible, .button:visible").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert min(sizes) >= 34
    assert await narrow.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 18, 20)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_nobody_is_shut_out(server: Server, browser: Browser, scheme: Literal["light", "dark"]) -> None:
    """axe-core finds nothing on any kind of page, in light and in dark."""
    # The page's own policy would keep axe-core's script out.
    context = await browser.new_context(bypass_csp=True, color_scheme=scheme)
    page = await context.new_page()
    for path in ("", "runs/tidy-board", "compare?run=tidy-board&run=clean-board", "runs/nothing"):
        await page.goto(server.root + path)
        found = await Axe().run(page)
        assert [(item["id"], item["nodes"][0]["html"]) for item in found.response["violations"]] == [], path
    await context.close()


async def test_the_report_runs_as_it_lies_there(server: Server, page: Page) -> None:
    """Its script works in an origin of nobody's, and it is told nothing of the page that led there."""
    await page.goto(f"{server.root}runs/tidy-board")
    await page.get_by_role("link", name="Open the report").click()
    await expect(page.locator("html.js")).to_have_count(1)
    assert await page.evaluate("[self.origin, document.referrer]") == ["null", ""]
    assert server.root.split("/")[3] not in page.url


async def test_a_recording_beside_the_report_plays_there_too(tmp_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too large for the page is fetched from the run's folder by the page of nobody's origin; a clip of it runs."""
    monkeypatch.setattr(recording, "EMBED_BYTES", 1000)
    run = make_run(tmp_path / "runs" / "filmed")
    write_html(run)
    with viewing(tmp_path / "runs", tmp_path.name) as served:
        await page.goto(f"{served.root}runs/filmed")
        await page.get_by_role("link", name="Open the report").click()
        await page.locator(".cause .watch").first.click()
        await page.wait_for_function("() => document.querySelector('.cause .clip-video')?.currentTime > 0.3", timeout=20_000)


async def test_a_hostile_report_reaches_nothing(server: Server, page: Page) -> None:
    """Though it is told the token: it reads no page, loads no picture, marks nothing by any way, and keeps nothing."""
    board = server.folder / "clean-board"
    failure = read_run(server.folder / "tidy-board")[1].failures[0].id
    (board / "report.html").write_text(HOSTILE_PAGE.replace("FAILURE", failure), encoding="utf-8")
    await page.goto(f"{server.root}runs/clean-board")
    link = page.get_by_role("link", name="Open the report")
    await link.evaluate("(link, root) => { link.hash = new URLSearchParams({ root }); }", server.root)
    await link.click()
    await expect(page).to_have_title(
        "cookie: refused; storage: refused; referrer: none; origin: null; read: refused; mark: refused; picture: error"
    )
    assert page.url.startswith(server.root.rpartition("/")[0].rpartition("/")[0] + "/files/")
    assert not (server.folder / "tidy-board" / "marks.json").exists() or '"right"' not in (
        server.folder / "tidy-board" / "marks.json"
    ).read_text(encoding="utf-8")


async def test_a_run_going_on_is_followed(server: Server, page: Page) -> None:
    """Its picture, what it tries and why, what it suspects; its end is seen; that it can't be steered is said, where it can't."""
    folder = server.folder / "now"
    ledger = Ledger.create(folder)
    started = RunStarted(
        brief="A tea timer", brief_language="en", subject="tea.html", settings={"budget": {"max_acts": 9}}, versions={}
    )
    ledger.append(started, producer="assay")
    ledger.sync()
    picture = next((server.folder / "tidy-board" / "blobs").rglob("*.png")).read_bytes()
    with ProcessList(folder):
        await page.goto(server.root)
        await expect(page.locator("li.run", has=page.get_by_role("link", name="now", exact=True))).to_contain_text("running")
        await page.get_by_role("link", name="now", exact=True).click()
        await expect(page.get_by_text("cannot be steered from here")).to_be_visible()
        await expect(page.get_by_role("button", name="Pause")).to_have_count(0)
        ledger.phase = Phase.explore
        shot = ledger.append(
            Screenshot(label="trial", width=1280, height=800), producer="eyes", blob=ledger.put(picture, "image/png")
        )
        seen = Observed(
            url="http://127.0.0.1/tea", title="Tea", screenshot=shot.id, fingerprint="f", marks=3, text_sha256="", dom_sha256=""
        )
        ledger.append(seen, producer="eyes")
        trial = TrialBegun(
            trial={"by": "pause_holds", "why": "A pause stops the <clock>"}, words="press Pause → the clock stands"
        )
        ledger.append(trial, producer="explorer")
        ledger.append(Finding(symptom="low_contrast", message="too faint", probe="contrast"), producer="contrast")
        ledger.sync()
        await expect(page.locator(".trying")).to_have_text("1. A pause stops the <clock>")
        await expect(page.get_by_text("too faint")).to_be_visible()
        image = page.locator(".scene img")
        await expect(image).to_be_visible()
        assert await image.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") > 0
        ledger.close()
    await expect(page.get_by_role("heading", name="tea.html")).to_contain_text("interrupted")


async def test_a_run_going_on_is_steered(server: Server, page: Page) -> None:
    """Paused, given a hint, let go on and stopped from the page, as from its console; the page says how it stands to that."""
    folder = server.folder / "steered"
    ledger = Ledger.create(folder)
    ledger.append(RunStarted(brief="", brief_language="", subject="tea.html", settings={}, versions={}), producer="assay")
    ledger.close()
    steering = Steering()
    with ProcessList(folder):
        await page.goto(f"{server.root}runs/steered")
        state = page.locator("#standing")
        await expect(state).to_contain_text("cannot be steered")
        await expect(page.get_by_role("button", name="Pause")).to_be_hidden()
        async with heeded(folder, steering):
            assert standing(folder) == Standing()  # at once: a page that is opened now offers what can be done
            await page.get_by_role("button", name="Pause").click()
            await expect(state).to_contain_text("Pausing")
            steering.standing = True
            await expect(state).to_contain_text("Paused")
            await page.get_by_label("Advice").fill("try the <b>green</b> tea")
            await page.keyboard.press("Enter")
            await expect(state).to_contain_text("try the <b>green</b> tea")
            assert ("hint", "try the <b>green</b> tea") in steering.wishes
            await page.get_by_role("button", name="Go on").click()
            steering.standing = False
            await expect(state).to_contain_text("It goes on")
            await page.set_viewport_size({"width": 390, "height": 844})
            assert await page.evaluate("document.documentElement.scrollWidth") == 390
            await page.get_by_text("Stop …").click()
            await page.get_by_role("button", name="Stop it").click()
            await expect(state).to_contain_text("Stopping")
            assert (steering.stopping, steering.pausing) == (True, False)
        assert sorted(path.name for path in folder.iterdir()) == ["ledger.jsonl", "processes.json"]


def test_ctrl_c_ends_it_and_nothing_is_left(tmp_path: Path) -> None:
    """Also while a client holds a connection; the exit code is 0, nothing is said, no process survives."""
    make_run(tmp_path / "board", Plot(video=False, steps=3))
    mark = f"view-{os.urandom(4).hex()}"
    with viewing(tmp_path, mark) as running, httpx.Client(trust_env=False) as client:
        assert client.get(running.root).status_code == 200
        port = httpx.URL(running.root).port
        taken = subprocess.run(
            command("view", str(tmp_path), "--port", str(port)),
            capture_output=True, text=True, timeout=60, env=environment(mark), check=False,
        )  # fmt: skip
        assert (taken.returncode, taken.stdout, taken.stderr.count("\n")) == (3, "", 1)
        assert f"Port {port} of 127.0.0.1 can't be had: Address already in use" in taken.stderr
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(20) == 0
        assert running.process.stderr is not None
        assert running.process.stderr.read() == ""
    assert survivors(mark) == []
