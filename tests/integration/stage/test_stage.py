"""The stage on real pages: pictures, size, rest, documents, frames, logs, and the time each takes."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

from configs.settings import Size
from tests.integration.stage.conftest import Go, Opened, Opener
from tools.browser.snapshots import decode_png
from tools.browser.tab import CommandRefused, FrameGone, ScriptError, TabBusy

DESKTOP = Size(width=1280, height=800)


async def test_pictures_are_true_to_the_pixel(opened: Opened, go: Go) -> None:
    """The red edge lies on the outermost pixels, a 1 px dot where CSS put it; the screenshot row holds the same picture."""
    await go("ruler.html")
    picture = await opened.stage.picture()
    assert picture.shape == (800, 1280, 3)
    assert picture.dtype == np.uint8
    red = (picture == [255, 0, 0]).all(axis=2)
    assert all(line.all() for line in (red[0], red[-1], red[:, 0], red[:, -1]))
    assert red.sum() == 2 * 1280 + 2 * 798
    assert np.argwhere((picture == [0, 0, 255]).all(axis=2)).tolist() == [[222, 333]]
    green = np.argwhere((picture == [10, 200, 30]).all(axis=2))
    assert (green.min(axis=0).tolist(), green.max(axis=0).tolist()) == ([400, 640], [449, 739])
    row = await opened.stage.screenshot("ruler")
    assert row.blob is not None
    assert np.array_equal(decode_png(opened.ledger.blobs.get(row.blob)), picture)


def _press_on(name: str, key: str) -> None:
    display = Display(name)
    try:
        code = display.keysym_to_keycode(XK.string_to_keysym(key))
        for event in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(display, event, code)
        display.sync()
    finally:
        display.close()


async def test_keys_reach_the_page_from_the_first_moment(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """A key pressed on the display, before any click, arrives in the page and not in a hidden address bar."""
    site = serve(pages)
    stage = (await open_stage(site)).stage
    assert await stage.goto(site + "still.html")
    await stage.page.evaluate("window.keys = []; addEventListener('keydown', (event) => keys.push(event.key))")
    assert stage.display is not None
    await asyncio.to_thread(_press_on, stage.display, "a")
    await stage.page.wait_for_function("keys.length > 0", timeout=10_000)
    assert await stage.page.evaluate("keys") == ["a"]


async def test_sizes(opened: Opened, go: Go) -> None:
    """A phone's width with one pixel a CSS pixel and no touch; back again the window is what it was."""
    await go("phone.html")
    look = "() => [innerWidth, innerHeight, devicePixelRatio, 'ontouchstart' in window]"
    assert await opened.stage.evaluate(look) == [1280, 800, 1, False]
    await opened.stage.resize(Size(width=390, height=844))
    assert await opened.stage.evaluate(look) == [390, 844, 1, False]
    row = await opened.stage.screenshot("mobile")
    assert (row.body.kind, getattr(row.body, "width", 0), getattr(row.body, "height", 0)) == ("screenshot", 390, 844)
    assert (await opened.stage.picture()).shape == (844, 390, 3)
    await opened.stage.resize(DESKTOP)
    assert await opened.stage.evaluate(look) == [1280, 800, 1, False]
    assert (await opened.stage.picture()).shape == (800, 1280, 3)


async def test_a_full_page_is_taken_without_a_trace(opened: Opened, go: Go) -> None:
    """The whole height, the scroll position and the layout as before."""
    await go("rich.html")
    await opened.stage.evaluate("() => scrollTo(0, 700)")
    look = "() => [scrollX, scrollY, innerWidth, innerHeight, document.documentElement.scrollHeight]"
    before = await opened.stage.evaluate(look)
    row = await opened.stage.screenshot("full", full_page=True)
    assert getattr(row.body, "height", 0) == before[4] > 3000
    assert getattr(row.body, "full_page", False)
    assert await opened.stage.evaluate(look) == before


async def test_webgl_works(opened: Opened, go: Go) -> None:
    """A triangle in WebGL 1 and a context in WebGL 2, without a graphics card."""
    await go("rich.html")
    pixel = await opened.stage.page.evaluate(
        """() => {
          const gl = document.getElementById('gl').getContext('webgl', { preserveDrawingBuffer: true });
          const shader = (kind, code) => {
            const made = gl.createShader(kind);
            gl.shaderSource(made, code); gl.compileShader(made);
            return made;
          };
          const program = gl.createProgram();
          gl.attachShader(program, shader(gl.VERTEX_SHADER, 'attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }'));
          gl.attachShader(program, shader(gl.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }'));
          gl.linkProgram(program); gl.useProgram(program);
          gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
          gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
          gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
          gl.drawArrays(gl.TRIANGLES, 0, 3);
          const pixel = new Uint8Array(4); gl.readPixels(32, 32, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          return [...pixel, !!document.createElement('canvas').getContext('webgl2')];
        }"""
    )
    assert pixel == [0, 255, 0, 255, True]


async def test_dom_accessibility_and_sources(opened: Opened, go: Go) -> None:
    """Shadow roots of both kinds and every frame are in the DOM; the tree has the heading; the site's own files are kept."""
    await go("rich.html")
    stage, blobs = opened.stage, opened.ledger.blobs
    dom = await stage.dom()
    assert dom.blob is not None
    html = blobs.get(dom.blob).decode()
    assert "inside the open shadow" in html
    assert "inside the closed shadow" in html
    assert html.count('id="mark"') == 4
    assert "<!-- frame #away >>> html > body > iframe" in html
    tree = await stage.accessibility()
    assert tree.blob is not None
    frames = json.loads(blobs.get(tree.blob))
    assert {frame["frame"] for frame in frames} >= {"", "#bordered", "#away"}
    names = [node.get("name", {}).get("value") for frame in frames for node in frame["nodes"]]
    assert "Rich" in names
    sources = {getattr(row.body, "path", ""): (getattr(row.body, "language", ""), row.blob) for row in await stage.sources()}
    assert {path: language for path, (language, _) in sources.items()} == {
        "/rich.html": "html",
        "/rich.css": "css",
        "/rich.js": "javascript",
        "/rich-module.js": "javascript",
        "/frame.html": "html",
        "/nest.html": "html",
    }
    blob = sources["/rich.js"][1]
    assert blob is not None
    assert blobs.get(blob) == b"window.rich = 'script';\n"


async def test_frames_lie_where_they_are_seen(opened: Opened, go: Go) -> None:
    """In every iframe (bordered, scaled, zoomed, cross-site, nested) the mark's computed place is where its colour is seen."""
    await go("rich.html")
    stage = opened.stage
    views = {view.path: view for view in await stage.tab.frames()}
    assert set(views) == {"", "#bordered", "#scaled", "#zoomed", "#away", "#away >>> html > body > iframe"}
    assert {path for path, view in views.items() if view.cross_site} == {"#away"}
    picture = await stage.picture()
    pink = (picture == [255, 0, 200]).all(axis=2)
    for path in ("#bordered", "#scaled", "#zoomed", "#away >>> html > body > iframe"):
        view = views[path]
        box = await stage.evaluate(
            """() => {
              const box = document.getElementById('mark').getBoundingClientRect();
              return [box.left, box.top, box.right, box.bottom];
            }""",
            frame=view,
        )
        left, top = view.place(box[0], box[1])
        right, bottom = view.place(box[2], box[3])
        assert pink[round(top) + 1 : round(bottom) - 1, round(left) + 1 : round(right) - 1].all(), path
        around = pink[round(top) - 4 : round(bottom) + 4, round(left) - 4 : round(right) + 4].sum()
        assert around == pytest.approx((right - left) * (bottom - top), rel=0.15), path


async def test_scripts_run_where_the_page_cannot_lie(opened: Opened, go: Go) -> None:
    """Patched prototypes do not reach Assay's world; values and errors come back as they are; frames too, gone ones say so."""
    await go("rich.html")
    stage = opened.stage
    await stage.page.evaluate("Array.prototype.map = () => 'a lie'; document.querySelector = () => null; window.secret = 5")
    assert await stage.evaluate("() => [1, 2].map((n) => n + 1)") == [2, 3]
    assert await stage.evaluate("() => [document.querySelector('h1').textContent, typeof secret]") == ["Rich", "undefined"]
    assert await stage.evaluate("async (value) => value", {"a": [1, None, "ü"]}) == {"a": [1, None, "ü"]}
    assert await stage.evaluate("() => undefined") is None
    assert np.isnan(await stage.evaluate("() => NaN"))
    with pytest.raises(ScriptError, match="on purpose"):
        await stage.evaluate("() => { throw new Error('on purpose'); }")
    with pytest.raises(CommandRefused):
        await stage.tab.send("DOM.getBoxModel", {"backendNodeId": 10**8})
    with pytest.raises(TabBusy) as busy:
        await stage.evaluate("() => new Promise(() => {})", timeout_s=0.2)
    assert stage.state == "live"
    assert busy.value.waited_s == 0.2
    view = await stage.tab.frame_at("#bordered")
    assert view is not None
    assert await stage.evaluate("() => document.title", frame=view.frame) == "Frame"
    await stage.evaluate("() => document.getElementById('bordered').remove()")
    with pytest.raises(FrameGone):
        await stage.evaluate("() => 1", frame=view)


@pytest.mark.quiet
async def test_rest_is_found_quickly_and_honestly(opened: Opened, go: Go) -> None:
    """A still page rests at once, a wheel is set aside, a wild canvas rests by its layout, flying boxes by what they hold.

    Workers' scripts are not waited for; a growing page does not rest.
    """
    stage = opened.stage
    await go("still.html")
    still = await stage.settle(3)
    assert (still.quiet, still.stable, still.moving) == (True, True, 0.0)
    await go("restless.html")
    restless = await stage.settle(3)
    assert restless.stable
    assert 0 < restless.moving < 0.05
    await go("wild.html")
    wild = await stage.settle(3)
    assert wild.stable
    assert wild.moving > 0.9
    for name in ("clock-frame.html", "native.html"):
        began_ms = stage.clock.now_ms()
        await go(name)
        assert stage.clock.now_ms() - began_ms < 4000, name
    await go("still.html")
    # At the top: what grows below the fold is not seen to grow, and two pictures in a row may then be equal.
    await stage.page.evaluate(
        "let n = 0; setInterval(() => document.body.prepend(`${n++} more and more`, document.createElement('br')), 5)"
    )
    growing = await stage.settle(0.8)
    assert not growing.stable
    assert 0.7 < growing.waited_s < 3


async def test_what_fades_in_is_waited_for_whatever_the_pictures_say(opened: Opened, go: Go) -> None:
    """An item that is invisible for its first moments is read when it can be seen; what fades again and again holds nobody up."""
    stage = opened.stage
    await go("still.html")
    begin = """(times) => {
      const fade = () => document.body.lastChild.animate([{opacity: 0}, {opacity: 0, offset: 0.8}, {opacity: 1}], 700);
      document.body.append(document.createElement('p'));
      document.body.lastChild.textContent = 'Saved';
      if (times > 1) setInterval(fade, 200);
      fade();
    }"""
    await stage.page.evaluate(begin, 1)
    settled = await stage.settle(3)
    assert settled.stable
    assert await stage.page.evaluate("document.getAnimations().length") == 0
    await stage.page.evaluate(begin, 2)
    assert (await stage.settle(4)).waited_s < 3


async def test_what_a_page_says_is_written_down(opened: Opened, go: Go) -> None:
    """Console of page, frame and worker, exceptions of all three, failed requests; a flood is counted, not written."""
    stage = opened.stage
    stage.logs.drain()
    await go("noisy.html")
    await asyncio.sleep(0.5)
    ids = stage.logs.drain()
    rows = {row.id: row.body for row in opened.all_rows()}
    console = [(row.level, row.text) for row in (rows[error] for error in ids.console) if row.kind == "console"]
    assert ("log", "plain 1 true null undefined [1, 2] {a: 1}") in console
    assert ("warning", "half is 0 rest") in console
    assert ("assert", "not so") in console
    assert any(level == "error" and text.startswith("Error: shown") for level, text in console)
    assert any(level == "debug" and text.startswith("hid[31mden ") for level, text in console)
    assert ("info", "from a worker") in console
    assert ("log", "from a frame") in console
    errors = [row.message for row in (rows[error] for error in ids.errors) if row.kind == "page_error"]
    for words in ("TypeError: not caught", "Error: not awaited", "Error: in a worker", "Error: in a frame"):
        assert sum(words in message for message in errors) == 1, (words, errors)
    network = [row for row in (rows[error] for error in ids.network) if row.kind == "network"]
    assert {(row.url.rpartition("/")[2], row.status, row.own_site, row.blocked) for row in network} == {
        ("missing.json", 404, True, False),
        ("missing.png", 404, True, False),
    }
    await stage.page.evaluate("flood()")
    await asyncio.sleep(0.3)
    said = stage.logs.drain().console
    assert len(said) <= 210
    assert stage.logs.count("console") >= 2000


class _Slow(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The page, answers that take 300 ms, and one that never ends."""
        forever = self.path.endswith("forever")
        body = (Path(self.server.page).read_bytes() if "slow" not in self.path else b"done") if not forever else b""  # pyright: ignore[reportAttributeAccessIssue]
        if "slow?" in self.path and not forever:
            time.sleep(0.3)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if forever else "text/html")
        self.send_header("Connection", "close") if forever else self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if forever:
            self.wfile.flush()
            self.server.stopping.wait(20)  # pyright: ignore[reportAttributeAccessIssue]

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def slow_site(pages: Path) -> Iterator[str]:
    """A server with slow answers and an event stream that never ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Slow)
    server.page, server.stopping = pages / "loading.html", threading.Event()  # pyright: ignore[reportAttributeAccessIssue]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.stopping.set()  # pyright: ignore[reportAttributeAccessIssue]
    server.shutdown()
    server.server_close()


async def test_rest_waits_for_requests_but_not_for_streams(open_stage: Opener, slow_site: str) -> None:
    """A chain of three requests is waited for to its end; the event stream that stays open is not."""
    stage = (await open_stage(slow_site)).stage
    began = time.monotonic()
    assert await stage.goto(slow_site)
    assert await stage.evaluate("() => document.getElementById('text').textContent") == "step 3"
    assert time.monotonic() - began < 5.5, "the stream was waited for"
    assert stage.pending_requests == 0


async def test_an_answer_that_nobody_reads_is_not_waited_for(opened: Opened, go: Go) -> None:
    """A page that asks and looks only at the status: its request is over for the stage, whatever the browser says of it."""
    await go("still.html")
    stage = opened.stage
    asked = stage.traffic.total
    await stage.page.evaluate("void fetch('still.html', { cache: 'no-store' }).then((answer) => { window.held = answer })")
    await stage.page.wait_for_function("window.held !== undefined", timeout=15_000)
    for _ in range(300):
        if not stage.traffic.live and not stage.pending_requests:
            break
        await asyncio.sleep(0.05)
    else:
        pytest.fail("the answer is still waited for")
    assert stage.traffic.total == asked + 1


async def test_what_cannot_be_opened_is_evidence(opened: Opened) -> None:
    """A 404, a dead port and a foreign site: False, and rows that say why; the stage stays usable."""
    stage, site = opened.stage, opened.site
    assert not await stage.goto(site + "nowhere.html")
    assert opened.rows("network")[-1].status == 404
    assert not await stage.goto("http://127.0.0.1:1/")
    assert not await stage.goto("http://example.com/")
    assert "example.com" in opened.rows("page_event")[-1].detail
    assert await stage.goto(site + "still.html")
    assert stage.state == "live"


async def test_an_open_network_still_keeps_to_itself(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """Through the egress proxy: the own site works; nothing arrives at another port of this machine, and rows say so."""
    site = serve(pages)
    opened = await open_stage(site, network="open")
    assert await opened.stage.goto(site + "rich.html")
    ask = """(urls) => Promise.all(urls.map((url) => fetch(url, { mode: 'no-cors', signal: AbortSignal.timeout(5000) })
      .then((answer) => answer.status, () => 'failed')))"""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other.settimeout(0.2)
        port = other.getsockname()[1]
        refused = [f"http://127.0.0.1:{port}/a", f"http://localhost:{port}/b", f"https://127.0.0.1:{port}/c"]
        results = await opened.stage.page.evaluate(ask, [site + "still.html", *refused])
        with pytest.raises(TimeoutError):
            other.accept()
    assert results[0] == 200
    assert {row.url for row in opened.rows("network") if row.blocked} >= set(refused)


@pytest.mark.long
async def test_two_stages_at_once_and_nothing_left(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """Each has a display, a sink and a film of its own; closed, no process and no scratch folder of theirs is left."""
    site = serve(pages)
    first, second = await asyncio.gather(open_stage(site, record=True), open_stage(site, record=True))
    assert await first.stage.goto(site + "ruler.html")
    assert await second.stage.goto(site + "wild.html")
    item, two = await first.stage.picture(), await second.stage.picture()
    assert (item != two).any(axis=2).mean() > 0.9
    scratch = [first.stage.scratch, second.stage.scratch]
    began = time.monotonic()
    await asyncio.gather(first.stage.close(), second.stage.close())
    assert time.monotonic() - began < 15
    assert first.stage.state == "closed"
    await first.stage.close()
    for opened in (first, second):
        assert opened.processes.running() == {}
        assert len(opened.rows("recording")) == 1
        assert opened.rows("recording")[0].sound
    assert not any(folder.exists() for folder in scratch)
