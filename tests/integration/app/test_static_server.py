"""The static server over real sockets: what it sends, and what it keeps to itself."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page

from tools import reaper
from tools.app.serving import Plan, Served, serve
from tools.processes import ProcessList

Get = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site with a secret beside it."""
    (tmp_path / "secret.txt").write_text("secret")
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    (site / "empty").mkdir()
    (site / ".git").mkdir()
    (site / "index.html").write_text("<!doctype html><title>home</title>")
    (site / "about.html").write_text("<!doctype html><title>about</title>")
    (site / "sub" / "index.html").write_text("<!doctype html><title>sub</title>")
    (site / "data.bin").write_bytes(bytes(range(256)) * 4)
    (site / "none.txt").write_bytes(b"")
    (site / "ü ñ.txt").write_text("umlaut")
    (site / ".env").write_text("KEY=1")
    (site / ".git" / "config").write_text("[core]")
    (site / "outward.txt").symlink_to(tmp_path / "secret.txt")
    (site / "outward").symlink_to(tmp_path)
    (site / "inward.bin").symlink_to(site / "data.bin")
    return site


@pytest.fixture
async def served(folder: Path, run_dir: Path, processes: ProcessList) -> Served:
    """That site, served."""
    return await serve(Plan(folder, "index.html"), log=run_dir / "logs" / "static.log", processes=processes)


async def test_media_types(folder: Path, run_dir: Path, processes: ProcessList, get: Get) -> None:
    """Types are those browsers insist on (modules, wasm, fonts, video), and text that is UTF-8 says so."""
    expected = {
        "a.js": "text/javascript", "a.mjs": "text/javascript", "a.wasm": "application/wasm", "a.json": "application/json",
        "a.svg": "image/svg+xml", "a.woff2": "font/woff2", "a.mp4": "video/mp4", "a.webmanifest": "application/manifest+json",
        "a.css": "text/css", "a.html": "text/html", "a.glb": "model/gltf-binary", "a.PNG": "image/png",
        "a.unknown": "application/octet-stream",
    }  # fmt: skip
    for name in expected:
        (folder / name).write_bytes(b"x")
    served = await serve(Plan(folder, "index.html"), log=run_dir / "static.log", processes=processes)
    found = {name: get(served.base_url, f"/{name}").headers["content-type"] for name in expected}
    texts = {name for name, media_type in expected.items() if media_type.startswith("text/") or media_type == "application/json"}
    assert found == {name: f"{told}; charset=utf-8" if name in texts else told for name, told in expected.items()}


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        ("<title>中文</title>".encode(), "utf-8"),
        (b"\xef\xbb\xbf<meta charset=gbk>", "utf-8"),
        ("<meta charset='utf-8'>é".encode(), "utf-8"),
        ("é".encode("latin-1"), ""),
        ("<meta charset=gbk>中文".encode("gbk"), ""),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', ""),
        ("中文".encode("utf-16"), ""),
        (b"a" * 70_000 + "é".encode("latin-1"), ""),
    ],
)
async def test_charset_by_bytes(data: bytes, charset: str, folder: Path, run_dir: Path, processes: ProcessList, get: Get) -> None:
    """UTF-8 is declared unless the bytes say otherwise; the file comes whole all the same."""
    (folder / "page.html").write_bytes(data)
    served = await serve(Plan(folder, "index.html"), log=run_dir / "static.log", processes=processes)
    answer = get(served.base_url, "/page.html")
    assert answer.headers["content-type"] == ("text/html; charset=utf-8" if charset else "text/html")
    assert answer.body == data


async def test_declared_charset(folder: Path, run_dir: Path, processes: ProcessList, get: Get) -> None:
    """Text that Assay wrote itself is declared to be UTF-8; pictures are not."""
    (folder / "x.png").write_bytes(b"x")
    served = await serve(Plan(folder, "index.html", charset="utf-8"), log=run_dir / "static.log", processes=processes)
    assert get(served.base_url).headers["content-type"] == "text/html; charset=utf-8"
    assert get(served.base_url, "/x.png").headers["content-type"] == "image/png"


async def test_ranges(served: Served, get: Get) -> None:
    """The bytes asked for come, with their place; what is not understood gives the whole file."""
    whole = bytes(range(256)) * 4
    wanted = [
        ("bytes=0-9", 206, 0, 9),
        ("bytes=1000-", 206, 1000, 1023),
        ("bytes=-24", 206, 1000, 1023),
        ("bytes=1020-5000", 206, 1020, 1023),
        ("bytes=-5000", 206, 0, 1023),
        ("bytes=0-0", 206, 0, 0),
        ("bytes=0-1,5-6", 200, 0, 1023),
        ("items=0-1", 200, 0, 1023),
        ("bytes=9-2", 200, 0, 1023),
    ]
    for header, status, first, last in wanted:
        reply = get(served.base_url, "/data.bin", Range=header)
        assert (reply.status, reply.body) == (status, whole[first : last + 1]), header
        assert reply.headers.get("content-range") == (f"bytes {first}-{last}/1024" if status == 206 else None), header


async def test_range_outside(served: Served, get: Get) -> None:
    """A range past the end is refused with the size."""
    reply = get(served.base_url, "/data.bin", Range="bytes=1024-")
    assert reply.status == 416
    assert reply.headers["content-range"] == "bytes */1024"
    assert get(served.base_url, "/none.txt", Range="bytes=-5").status == 416


async def test_validators(served: Served, folder: Path, get: Get) -> None:
    """An unchanged file is not sent twice; a changed one is; an outdated If-Range gives the whole file."""
    tag = get(served.base_url, "/data.bin").headers["etag"]
    assert get(served.base_url, "/data.bin", If_None_Match=tag).status == 304
    assert get(served.base_url, "/data.bin", Range="bytes=0-1", If_Range='"old"').status == 200
    (folder / "data.bin").write_bytes(b"new")
    changed = get(served.base_url, "/data.bin", If_None_Match=tag)
    assert (changed.status, changed.body) == (200, b"new")


async def test_kept_back(served: Served, get: Get) -> None:
    """Nothing outside the folder, nothing hidden, no listing is ever sent."""
    paths = [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/sub/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..\\secret.txt",
        "/outward.txt",
        "/outward/secret.txt",
        "/.env",
        "/.git/config",
        "//../secret.txt",
        "/%00",
        "/index.html%00.txt",
        "/empty/",
        "/nothing",
        "/data.bin/x",
    ]
    for path in paths:
        reply = get(served.base_url, path)
        assert reply.status == 404, path
        assert b"secret" not in reply.body, path
        assert b"KEY" not in reply.body, path


async def test_paths_that_work(served: Served, get: Get) -> None:
    """Indexes, pages without their suffix, links inside the folder, names with odd signs, queries."""
    assert b"home" in get(served.base_url).body
    assert get(served.base_url, "/sub").headers["location"] == "/sub/"
    assert get(served.base_url, "/sub").status == 301
    assert b"sub" in get(served.base_url, "/sub/?a=1").body
    assert b"about" in get(served.base_url, "/about").body
    assert len(get(served.base_url, "/inward.bin").body) == 1024
    assert get(served.base_url, "/%C3%BC%20%C3%B1.txt").body == b"umlaut"
    assert get(served.base_url, "/none.txt").body == b""


async def test_an_address_that_code_made_is_answered_when_it_is_loaded_again(served: Served, get: Get) -> None:
    """With the first page, as hosts of single-page apps do; a link to nowhere, a file and a script's request find nothing."""
    again = {"Sec-Fetch-Mode": "navigate", "Cache-Control": "max-age=0"}
    assert b"home" in get(served.base_url, "/orders/12", **again).body
    assert get(served.base_url, "/orders/12", **{"Sec-Fetch-Mode": "navigate"}).status == 404
    assert get(served.base_url, "/orders/12.json", **again).status == 404
    assert get(served.base_url, "/orders/12", **{"Cache-Control": "max-age=0", "Sec-Fetch-Mode": "cors"}).status == 404


async def test_head_and_other_methods(served: Served, get: Get) -> None:
    """HEAD sends the length without the body; writing is not supported."""
    head = get(served.base_url, "/data.bin", method="HEAD")
    assert (head.status, head.headers["content-length"], head.body) == (200, "1024", b"")
    assert get(served.base_url, "/data.bin", method="POST").status == 501


async def test_foreign_host_name_is_refused(served: Served, get: Get) -> None:
    """A name that somebody made resolve to this machine cannot read the site."""
    assert get(served.base_url, "/", Host="evil.test").status == 403
    assert get(served.base_url, "/", Host=f"localhost:{urlsplit(served.base_url).port}").status == 200


async def test_only_named_files(folder: Path, run_dir: Path, processes: ProcessList, get: Get) -> None:
    """With a list of files nothing else is there."""
    plan = Plan(folder, "about.html", only=frozenset({"about.html"}))
    served = await serve(plan, log=run_dir / "static.log", processes=processes)
    assert served.entry.endswith("/about.html")
    assert get(served.entry).status == 200
    assert {get(served.base_url, path).status for path in ("/", "/index.html", "/data.bin", "/sub/")} == {404}


async def test_prefix(folder: Path, run_dir: Path, processes: ProcessList, get: Get) -> None:
    """Mounted below a prefix the site is there and nowhere else."""
    served = await serve(Plan(folder, "index.html", prefix="/my app"), log=run_dir / "static.log", processes=processes)
    assert served.entry.endswith("/my%20app/")
    assert b"home" in get(served.entry).body
    assert get(served.base_url, "/index.html").status == 404
    assert get(served.base_url, "/my%20apple/index.html").status == 404
    assert get(served.base_url, "/my%20app/sub").headers["location"] == "/my%20app/sub/"


async def test_loopback_only_and_logged(served: Served, run_dir: Path) -> None:
    """The socket is bound to loopback; each request is a line of the log, control signs kept out."""
    port = urlsplit(served.base_url).port or 0
    with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
        raw.sendall(b"GET /nothing%0Ahere?x=\x1b[31m HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert b"404 Not Found" in raw.makefile("rb").readline()
    assert any(f"0100007F:{port:04X}" in line for line in Path("/proc/net/tcp").read_text().split("\n"))
    log = (run_dir / "logs" / "static.log").read_text()
    assert "GET /nothing%0Ahere?x=?[31m 404" in log
    assert "\x1b" not in log


async def test_it_ends_with_its_process_list(served: Served, processes: ProcessList) -> None:
    """Ending it closes the port."""
    await processes.end(served.pid)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", urlsplit(served.base_url).port or 0), timeout=10)


def test_it_ends_when_the_run_is_killed(folder: Path, tmp_path: Path) -> None:
    """Killed with no chance to clean up, a run leaves no server behind."""
    program = textwrap.dedent(f"""
        import asyncio, sys
        from pathlib import Path
        from tools.app.serving import Plan, serve
        from tools.processes import ProcessList
        run = Path({str(tmp_path / "killed")!r}); run.mkdir()
        served = asyncio.run(serve(Plan(Path({str(folder)!r}), "index.html"), log=run / "s.log", processes=ProcessList(run)))
        print(served.pid, flush=True)
        sys.stdin.read()
    """)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as run:
        assert run.stdout is not None
        pid = int(run.stdout.readline())
        started = reaper.start_time(pid)
        assert reaper.alive(pid, started)
        run.kill()
        run.wait(timeout=10)
    limit = time.monotonic() + 10
    while reaper.alive(pid, started) and time.monotonic() < limit:
        os.sched_yield()
        time.sleep(0.05)
    assert not reaper.alive(pid, started)


async def test_a_video_can_be_sought(folder: Path, run_dir: Path, processes: ProcessList, page: Page) -> None:
    """Chromium seeks in a video from this server: only with working ranges does the position hold."""
    source = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=20"]
    ffmpeg = await asyncio.create_subprocess_exec("ffmpeg", "-v", "error", *source, "-pix_fmt", "yuv420p", str(folder / "v.webm"))
    assert await asyncio.wait_for(ffmpeg.wait(), 60) == 0
    (folder / "index.html").write_text('<!doctype html><video id="v" src="v.webm" preload="metadata" muted></video>')
    served = await serve(Plan(folder, "index.html"), log=run_dir / "static.log", processes=processes)
    await page.goto(served.entry)
    at = await page.evaluate(
        "() => new Promise((done, fail) => { const v = document.getElementById('v'); v.onerror = () => fail(v.error.message);"
        " const go = () => { v.onseeked = () => done([v.currentTime, v.seekable.end(0)]); v.currentTime = 15; };"
        " v.readyState >= 1 ? go() : v.onloadedmetadata = go; })"
    )
    assert at[0] == pytest.approx(15, abs=0.2)
    assert at[1] == pytest.approx(20, abs=0.5)
