"""What pages try on the stage: each is dealt with, written down, and leaves the page usable."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.integration.stage.conftest import Go, Opened, Opener
from tools.browser.tab import TabHung


async def until(holds: Callable[[], bool], limit_s: float = 10.0) -> None:
    """Wait for something to become true."""
    limit = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < limit, "it did not come to pass"
        await asyncio.sleep(0.02)


@pytest.fixture
async def at_guard(opened: Opened, go: Go) -> Opened:
    """The shared stage, newly at the page with the buttons."""
    await go("guard.html")
    opened.stage.logs.drain()
    return opened


async def click(opened: Opened, name: str) -> None:
    """A trusted click that does not wait for its consequences."""
    place = await opened.stage.evaluate(
        "(id) => { const box = document.getElementById(id).getBoundingClientRect(); "
        "return [box.x + box.width / 2, box.y + box.height / 2]; }",
        name,
    )
    for kind in ("mousePressed", "mouseReleased"):
        event = {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        await opened.stage.tab.send("Input.dispatchMouseEvent", event)


async def hang(opened: Opened) -> None:
    """Click the button that never comes back, and ask for something."""
    await click(opened, "hang")
    await opened.stage.evaluate("() => 1")


async def said(opened: Opened) -> list[object]:
    """What the page noted."""
    return list(await opened.stage.page.evaluate("said"))


async def test_dialogs_are_answered_and_written_down(at_guard: Opened) -> None:
    """Alert and confirm are accepted, a prompt gets its default or a word; control characters do not reach the ledger."""
    opened = at_guard
    for name in ("alert", "confirm", "prompt"):
        await click(opened, name)
    assert await said(opened) == ["alert", True, "Assay", "preset"]
    ids = opened.stage.logs.drain().dialogs
    rows = [row.body for row in opened.all_rows() if row.id in ids]
    assert [(row.variety, row.message, row.answer) for row in rows if row.kind == "dialog"] == [
        ("alert", "onetwo", "ok"),
        ("confirm", "sure?", "ok"),
        ("prompt", "name?", "Assay"),
        ("prompt", "again?", "preset"),
    ]


async def test_a_popup_of_the_site_is_looked_at_and_closed(at_guard: Opened) -> None:
    """It gets a picture and a row; the page itself is in front again and answers."""
    opened = at_guard
    await click(opened, "popup")
    await until(lambda: any(row.event == "popup" for row in opened.rows("page_event")))
    await until(lambda: len(opened.stage.tab.context.pages) == 1)
    assert await said(opened) == [True]
    assert any(row.label.startswith("popup-") for row in opened.rows("screenshot"))
    await opened.stage.page.wait_for_function("document.visibilityState === 'visible' && document.hasFocus()", timeout=5000)


async def test_downloads_and_file_choosers(at_guard: Opened) -> None:
    """A download is refused; a chooser is cancelled, and the page is told so."""
    opened = at_guard
    await click(opened, "download")
    await until(lambda: any(row.event == "download" and "a.txt" in row.detail for row in opened.rows("page_event")))
    await click(opened, "file")
    await until(lambda: any(row.event == "file_chooser" for row in opened.rows("page_event")))
    await opened.stage.page.wait_for_function("said.includes('cancelled')", timeout=5000)


async def test_a_file_that_the_page_makes_is_read_and_refused(at_guard: Opened) -> None:
    """Its text is in its row, though the page revokes its address at once; nothing is asked of a server for it."""
    opened = at_guard
    sent = opened.stage.traffic.total
    await click(opened, "export")
    await until(lambda: any(row.event == "download" and "b.csv" in row.detail for row in opened.rows("page_event")))
    row = next(row for row in opened.rows("page_event") if "b.csv" in row.detail)
    assert "read (18 bytes) and refused" in row.detail
    assert row.content == "name,sum\nTea,12.5\n"
    (file,) = [item for item in await opened.stage.guard.downloads() if item.name == "b.csv"]
    assert (file.size, file.text) == (18, "name,sum\nTea,12.5\n")
    assert await opened.stage.guard.downloads() == ()
    assert opened.stage.traffic.total == sent


async def test_the_page_stays_on_its_site(at_guard: Opened) -> None:
    """Links away and to programs do nothing but a row; an empty page is left again; printing does not block."""
    opened = at_guard
    before = await opened.stage.picture()
    for name, words in (("away", "http://example.com/away"), ("program", "assaytest:start"), ("mail", "mailto:somebody")):
        await click(opened, name)
        await until(lambda words=words: any(words in row.detail for row in opened.rows("page_event")))
    await asyncio.sleep(0.4)  # time for a window to appear that must not
    await click(opened, "print")
    assert await said(opened) == ["printed"]
    assert opened.stage.page.url.endswith("guard.html")
    after = await opened.stage.picture()
    assert (after[200:] != before[200:]).any(axis=2).mean() < 0.001, "something lies over the page"
    await click(opened, "blank")
    await until(lambda: any("about:blank" in row.detail for row in opened.rows("page_event")))
    await until(lambda: opened.stage.page.url.endswith("guard.html"))


async def test_permissions_are_denied_without_a_prompt(at_guard: Opened) -> None:
    """Place, camera, notifications: denied at once; the clipboard can be written as in anybody's browser."""
    opened = at_guard
    states = await opened.stage.page.evaluate(
        """async () => { const states = {}; for (const name of ['geolocation', 'notifications', 'camera', 'clipboard-write'])
        states[name] = (await navigator.permissions.query({ name })).state; return states; }"""
    )
    assert states == {"geolocation": "denied", "notifications": "denied", "camera": "denied", "clipboard-write": "granted"}
    await click(opened, "screen")
    await click(opened, "device")
    await opened.stage.page.wait_for_function("said.length === 2", timeout=5000)
    assert set(await said(opened)) == {"NotAllowedError", "NotFoundError"}, "a chooser lies over the page"


async def test_only_the_own_site_is_reachable(at_guard: Opened) -> None:
    """Another port of this machine is not reached by any road, and each attempt is a row that says it was refused."""
    opened = at_guard
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other.settimeout(0.2)
        port = other.getsockname()[1]
        results = await opened.stage.page.evaluate(
            """async (port) => {
              const fetched = (url) => fetch(url, { mode: 'no-cors' }).then(() => 'reached', () => 'refused');
              const image = (url) => new Promise((done) => {
                const image = new Image();
                image.onload = () => done('reached'); image.onerror = () => done('refused'); image.src = url;
              });
              const socket = (url) => new Promise((done) => {
                const socket = new WebSocket(url); socket.onopen = () => done('reached'); socket.onerror = () => done('refused');
              });
              const code = (url) => `fetch('${url}', { mode: 'no-cors' })
                .then(() => postMessage('reached'), () => postMessage('refused'))`;
              const worker = (url) => new Promise((done) => {
                new Worker(URL.createObjectURL(new Blob([code(url)]))).onmessage = (event) => done(event.data);
              });
              const frame = document.createElement('iframe');
              frame.src = `http://127.0.0.1:${port}/frame`;
              document.body.append(frame);
              const soon = (answer) => Promise.race([answer, new Promise((done) => setTimeout(done, 5000, 'no answer'))]);
              return Promise.all([
                fetched(`http://127.0.0.1:${port}/a`), fetched(`http://localhost:${port}/b`), fetched(`http://[::1]:${port}/c`),
                fetched('http://10.0.0.1/d'), fetched('https://cdn.jsdelivr.net/npm/vue'), image(`http://127.0.0.1:${port}/e.png`),
                socket(`ws://127.0.0.1:${port}/f`), worker(`http://127.0.0.1:${port}/g`),
                fetched(location.origin + '/still.html'),
              ].map(soon));
            }""",
            port,
        )
        assert results == ["refused"] * 8 + ["reached"]
        with pytest.raises(TimeoutError):
            other.accept()
    rows = opened.rows("network")
    for url in (
        f"http://127.0.0.1:{port}/a",
        f"http://[::1]:{port}/c",
        "https://cdn.jsdelivr.net/npm/vue",
        f"ws://127.0.0.1:{port}/f",
    ):
        assert any(row.url == url and row.blocked and not row.own_site for row in rows), url


async def test_storms_of_dialogs(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """Thirty alerts in a row are a storm, and the page goes on; alerts without end are the tab's end, within seconds."""
    site = serve(pages)
    opened = await open_stage(site)
    assert await opened.stage.goto(site + "guard.html")
    await click(opened, "burst")
    await opened.stage.page.wait_for_function("said.includes('through')", timeout=20_000)
    assert opened.stage.state == "live"
    assert len(opened.rows("dialog")) == 20
    assert [row.event for row in opened.rows("page_event")] == ["dialog_storm"]
    began = time.monotonic()
    await click(opened, "storm")
    await until(lambda: opened.stage.state == "hung", 30)
    assert time.monotonic() - began < 20
    assert opened.rows("page_event")[-1].event == "hang"
    assert len(opened.rows("dialog")) <= 30, "the same words again and again are counted only"
    with pytest.raises(TabHung):
        await opened.stage.evaluate("() => 1")


async def test_a_stuck_page_is_found_and_ended(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """`while (true)` on a click: hung within the bound of one command, its process gone, a picture still to be had."""
    site = serve(pages)
    opened = await open_stage(site, command_s=2.0)
    assert await opened.stage.goto(site + "guard.html")
    began = time.monotonic()
    with pytest.raises(TabHung):
        await hang(opened)
    assert 1.5 < time.monotonic() - began < 6
    assert opened.stage.state == "hung"
    assert [row.event for row in opened.rows("page_event")] == ["hang"]
    began = time.monotonic()
    with pytest.raises(TabHung):
        await opened.stage.settle(5)
    assert time.monotonic() - began < 0.5, "a tab that is gone is not waited for"
    assert (await opened.stage.screenshot("after")).body.kind == "screenshot"
    renderers = [child for child in psutil.Process(opened.stage.browser_pid).children(recursive=True) if _renders(child, site)]
    assert renderers == []


def _renders(process: psutil.Process, site: str) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.cpu_percent(0.1) > 50
    except psutil.Error:
        return False


async def test_a_crash_is_seen_at_once(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """A renderer that dies: a command under way ends at once, the state and a row say so, and so does every later command."""
    site = serve(pages)
    opened = await open_stage(site)
    assert await opened.stage.goto(site + "guard.html")
    waiting = asyncio.ensure_future(opened.stage.evaluate("() => new Promise(() => {})"))
    await asyncio.sleep(0)
    crash = asyncio.ensure_future(opened.stage.tab.cdp.send("Page.crash"))
    began = time.monotonic()
    with pytest.raises(Exception, match="gone"):
        await waiting
    assert time.monotonic() - began < 5
    assert opened.stage.state == "crashed"
    assert [row.event for row in opened.rows("page_event")] == ["crash"]
    assert not await opened.stage.goto(site + "still.html")
    crash.cancel()  # Chromium never answers this one
