"""A page tries every way out that a browser has, to a server of ours on loopback: nothing of it arrives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.async_api import async_playwright

from tests.conftest import CHROMIUM
from tests.faults.security.serving import Silent, serving
from tests.faults.security.ways import PAGE, WAYS
from tests.integration.stage.conftest import opener

LATE_S = 2.0
"""Wall seconds in which what was begun may still arrive."""
LEAST = 55
"""Ways that lead out of a browser that nothing holds back, at least."""


@dataclass
class Canary:
    """Listens on every address of this machine, by TCP and UDP, and writes down what arrives."""

    port: int = 0
    heard: list[str] = field(default_factory=list)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While inside, it does."""
        with closing(socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)) as tcp:
            self.port = tcp.getsockname()[1]
            with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as udp:
                udp.bind(("127.0.0.1", self.port))
                tcp.settimeout(0.1)
                udp.settimeout(0.1)
                ended = threading.Event()
                threads = [threading.Thread(target=self._hear, args=(item, ended)) for item in (tcp, udp)]
                for thread in threads:
                    thread.start()
                try:
                    yield
                finally:
                    ended.set()
                    for thread in threads:
                        thread.join()

    def _hear(self, listener: socket.socket, ended: threading.Event) -> None:
        while not ended.is_set():
            try:
                if listener.type == socket.SOCK_DGRAM:
                    self.heard.append(f"datagram {listener.recvfrom(200)[0]!r}")
                    continue
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            with closing(connection):
                connection.settimeout(1.0)
                try:
                    self.heard.append(unquote(connection.recv(300).decode("latin-1")) or "connected")
                except OSError:
                    self.heard.append("connected")


@contextmanager
def site(page: str) -> Iterator[str]:
    """The attacker's own site: its page, a service worker that fetches, and a redirect to wherever is asked."""

    class Handler(Silent, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Serve."""
            parts = urlsplit(self.path)
            if parts.path == "/away":
                self.send_response(302)
                self.send_header("Location", unquote(parts.query))
                self.end_headers()
                return
            worker = parts.path == "/sw.js"
            body = f"fetch({json.dumps(unquote(parts.query))}, {{mode: 'no-cors'}}).catch(() => 0)" if worker else page
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if worker else "text/html; charset=utf-8")
            self.end_headers()
            with contextlib.suppress(BrokenPipeError):
                self.wfile.write(body.encode())

    with serving(Handler) as port:
        yield f"http://127.0.0.1:{port}/"


@dataclass(frozen=True)
class Tried:
    """What the page says of each way, and what arrived."""

    told: dict[str, str]
    heard: tuple[str, ...]


@pytest.fixture(scope="module", name="tried")
async def _tried(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tried]:
    """All ways at once, on the stage of an evaluation."""
    canary = Canary()
    async with AsyncExitStack() as stack:
        stack.enter_context(canary.listening())
        # It hears what does reach it.
        with closing(socket.create_connection(("127.0.0.1", canary.port), timeout=2)) as proof:
            proof.sendall(b"GET /works HTTP/1.0\r\n\r\n")
        base = stack.enter_context(site(PAGE % {"port": canary.port, "ways": json.dumps(WAYS)}))
        opened = await opener(stack, tmp_path_factory.mktemp("stage"))(base, capture="none", command_s=30.0)
        await opened.stage.goto(base)
        await opened.stage.clock.release()
        told = await opened.stage.page.evaluate("begin()")
        await asyncio.sleep(LATE_S)
        heard = list(canary.heard)
        yield Tried(told, tuple(heard))


def test_the_canary_hears() -> None:
    """Otherwise its silence would say nothing."""
    canary = Canary()
    with canary.listening():
        for host in ("127.0.0.1", "::1"):
            with closing(socket.create_connection((host, canary.port), timeout=2)) as connection:
                connection.sendall(b"GET /works HTTP/1.0\r\n\r\n")
                connection.recv(10)
    assert [item.split()[1] for item in canary.heard] == ["/works", "/works"]


def test_there_are_many_ways(tried: Tried) -> None:
    """Each is told of by the page."""
    assert len(WAYS) >= 55
    assert set(tried.told) == set(WAYS)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_gets_out(way: str, tried: Tried) -> None:
    """It was tried, and the canary has not heard of it."""
    assert tried.told[way] != "begun"
    assert [item for item in tried.heard if f"/{way}" in item] == []


def test_nothing_else_arrives_either(tried: Tried) -> None:
    """Connections without a word and datagrams count, too."""
    assert [item for item in tried.heard if not item.startswith("GET /works")] == []


async def test_without_assay_they_do_get_out(tmp_path: Path) -> None:
    """The control: the same page in a browser that nothing holds back reaches the canary by most of these ways."""
    canary = Canary()
    with canary.listening(), site(PAGE % {"port": canary.port, "ways": json.dumps(WAYS)}) as base:
        async with async_playwright() as playwright:
            options = {"headless": True, "executable_path": str(CHROMIUM), "args": ["--no-sandbox"]}
            context = await playwright.chromium.launch_persistent_context(tmp_path, **options)
            page = context.pages[0]
            await page.goto(base)
            await page.evaluate("void begin()")
            for _ in range(60):
                if len(_ways_in(canary.heard)) >= LEAST:
                    break
                await asyncio.sleep(0.5)
            await context.close()
    assert len(_ways_in(canary.heard)) >= LEAST


def _ways_in(heard: list[str]) -> set[str]:
    lines = [item.partition("\r\n")[0] for item in list(heard)]
    found = {way for way in WAYS if any(f"/{way} " in line for line in lines)}
    return found | ({"peer connection"} if any(line.startswith("datagram") for line in lines) else set())
