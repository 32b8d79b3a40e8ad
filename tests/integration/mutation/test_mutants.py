"""Mutants served, replayed and kept only if they show, in real Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agent.calibration.making import Wish, make
from configs.settings import Settings
from evaluator.calibration.mutants import Made, table_of
from tools.errors import SubjectError
from tools.mutation.mutant import mutants_of
from tools.mutation.serving import MutantServer

PAGE = """<!doctype html><html lang="en"><title>Counter</title>
<p id="out">0</p><button id="more">More</button><small id="chance"></small>
<script src="app.js"></script></html>"""
SCRIPT = """
const out = document.getElementById('out');
document.getElementById('chance').textContent = crypto.randomUUID();
document.getElementById('more').addEventListener('click', () => { out.textContent += '0'; });
function never() { const a = 100 * 3; return a - 1; }
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small app: a counter, something that differs from run to run, and a function that is never called."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "counter").mkdir()
    (folder / "counter" / "index.html").write_text(PAGE, encoding="utf-8")
    (folder / "counter" / "app.js").write_text(SCRIPT, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
async def made(desk: Path) -> Made:
    """All mutants of the counter that show."""
    return await make(Wish(str(desk / "counter"), count=9, acts=3, jobs=2), desk / "out", Settings())


async def test_mutants_that_show_are_kept_with_the_difference_that_was_seen_first(made: Made) -> None:
    """The truth names the act, the place and the values; what never differs, and what never runs, is set aside."""
    by_operator = {item.mutant.operator: item for item in made.tried if item.mutant.file == "/app.js"}
    unheard = by_operator["handler-not-attached"]
    assert unheard.fate == "observable"
    assert unheard.truth is not None
    assert unheard.truth.act.label == "More"
    first = unheard.truth.found[0]
    assert (first.aspect, first.before, first.after) == ("figure", "00", "0")
    assert first.place.endswith("p:nth-of-type(1)")
    assert unheard.truth.takes == "act"
    assert all("chance" not in found.place for item in made.kept if item.truth for found in item.truth.found)
    assert made.never_ran >= 3
    assert all(item.mutant.function != "never" for item in made.tried)
    figures = table_of([made])
    assert figures["all"]["kept"] == len(made.kept) >= 2
    assert figures["operators"]["handler-not-attached"]["share_observable"] == 1.0


async def test_the_same_wish_again_tries_nothing_twice(made: Made, desk: Path) -> None:
    """What is done is kept: files are not written anew and the result is the same."""
    before = {path: path.stat().st_mtime_ns for path in (desk / "out" / "mutants").iterdir()}
    again = await make(Wish(str(desk / "counter"), count=9, acts=3, jobs=2), desk / "out", Settings())
    assert again == made
    assert {path: path.stat().st_mtime_ns for path in (desk / "out" / "mutants").iterdir()} == before


async def test_an_app_without_code_of_its_own_is_refused(tmp_path: Path) -> None:
    """One line says what is wrong."""
    (tmp_path / "plain.html").write_text("<!doctype html><title>Plain</title><p>Text</p>", encoding="utf-8")
    with pytest.raises(SubjectError, match="no scripts or styles of its own"):
        await make(Wish(str(tmp_path / "plain.html"), count=1, acts=2), tmp_path / "out", Settings())


@asynccontextmanager
async def upstream() -> AsyncIterator[str]:
    """A server with a script, a page that asks for keeping, and a socket that echoes after an upgrade."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            if "upgrade: echo" in head.lower():
                writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
                writer.write(await reader.readexactly(4))
            else:
                body = b"let n = 1;" if head.startswith("GET /a.js") else head.encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


def read(url: str) -> str:
    """What is served at an address."""
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own loopback server
        return answer.read().decode()


async def test_only_the_mutated_text_is_changed() -> None:
    """Its query does not matter; everything else, and the host that the app's server is asked by, is as it was."""
    mutant = mutants_of("/a.js", "let n = 1;")[0]
    async with upstream() as url, MutantServer(url, mutant) as server:
        assert await asyncio.to_thread(read, server.url + "a.js?v=3") == "let n = 2;"
        assert (server.served, server.missed) == (1, 0)
        other = await asyncio.to_thread(read, server.url + "b?x=1")
        assert other.startswith("GET /b?x=1 ")
        assert f"host: {url.removeprefix('http://').strip('/')}" in other


async def test_a_text_that_is_another_one_by_now_is_served_as_it_is() -> None:
    """And the server says so, for such a run says nothing about the mutant."""
    mutant = mutants_of("/a.js", "var other = 1;")[0]
    async with upstream() as url, MutantServer(url, mutant) as server:
        assert await asyncio.to_thread(read, server.url + "a.js") == "let n = 1;"
        assert (server.served, server.missed) == (0, 1)


async def test_a_socket_is_passed_through() -> None:
    """A dev server's web socket works as without the server in between."""
    async with upstream() as url, MutantServer(url) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
        assert b" 101 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        writer.write(b"ping")
        assert await asyncio.wait_for(reader.readexactly(4), 10) == b"ping"
        writer.close()
