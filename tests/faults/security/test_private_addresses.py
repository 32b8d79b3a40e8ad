"""Row 10: a server that takes public addresses only follows nobody into its own network."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from configs.settings import Recording, Settings
from tests.faults.security.serving import Silent, serving
from tools import addresses
from tools.app import http_probe
from tools.app.http_probe import Answer, Silence, ask
from tools.browser.egress import Egress, site_address
from tools.browser.network import Policy
from tools.browser.stage import Stage
from tools.errors import StageFault
from tools.evidence.ledger import Ledger
from tools.processes import ProcessList


@pytest.fixture
def loopback() -> Iterator[tuple[int, list[str]]]:
    """A server on loopback: its port, and the paths that were asked for. `/to/…` redirects there."""
    heard: list[str] = []

    class Listening(Silent, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(302 if self.path.startswith("/to/") else 200)
            if self.path.startswith("/to/"):
                self.send_header("Location", self.path.removeprefix("/to/"))
            self.end_headers()

    with serving(Listening) as port:
        yield port, heard


SPELLINGS = ("127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0.0.0.0", "localhost", "[::ffff:127.0.0.1]")


@pytest.mark.parametrize("host", SPELLINGS)
async def test_no_spelling_of_loopback_is_asked(host: str, loopback: tuple[int, list[str]]) -> None:
    """Numbers of every kind, names, IPv4 inside of IPv6."""
    port, heard = loopback
    answer = await ask(f"http://{host}:{port}/", timeout_s=10, public_only=True)
    assert isinstance(answer, Silence)
    assert heard == []


@pytest.mark.parametrize("host", ["64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe"])
def test_what_routers_take_for_a_private_address_is_one(host: str) -> None:
    """IPv4 inside of IPv6: translated (NAT64), 6to4, Teredo."""
    with pytest.raises(http_probe.Private):
        http_probe.public_addresses(host, 80)


async def test_a_redirects_next_hop_is_checked(loopback: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first address counts as public here; where it leads to does not, and is never connected to."""
    port, heard = loopback
    look_up = socket.getaddrinfo

    def names(host: str, *more: Any, **named: Any) -> Any:
        return look_up("127.0.0.1" if host == "public.example" else host, *more, **named)

    monkeypatch.setattr(http_probe.socket, "getaddrinfo", names)
    once = iter([True])
    checked = addresses.is_private
    monkeypatch.setattr(addresses, "is_private", lambda address: not next(once, False) and checked(address))
    answer = await ask(f"http://public.example:{port}/to/http://localhost:{port}/secret", timeout_s=10, public_only=True)
    assert isinstance(answer, Silence)
    assert "private" in answer.reason
    assert [path.startswith("/to/") for path in heard] == [True]


async def test_the_address_that_was_checked_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is public at the first look-up and loopback at the second: there is no second."""
    asked: list[str] = []
    reached: list[str] = []

    def names(host: str, port: Any, *more: Any, **named: Any) -> Any:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14" if len(asked) == 1 else "127.0.0.1", port))]

    def connect(address: tuple[str, int], *more: Any) -> Any:
        reached.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(http_probe.socket, "getaddrinfo", names)
    monkeypatch.setattr(http_probe.socket, "create_connection", connect)
    assert isinstance(await ask("http://rebinding.example/", timeout_s=10, public_only=True), Silence)
    assert (asked, reached) == (["rebinding.example"], ["93.184.215.14"])


NAMES = ("rebinding.example", "rebinding.local", "metadata.internal", "rebinding.localhost")


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_that_changed_since_the_check_opens_no_browser(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Public when the request was checked, this machine when the browser starts: one line, and nothing is connected to."""
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: [(socket.AF_INET, 1, 6, "", ("127.0.0.1", 80))])
    with pytest.raises(StageFault, match="public ones only"):
        await site_address(Policy(f"http://{name}/"), public_only=True)


@pytest.mark.parametrize("name", NAMES)
async def test_the_browser_is_given_the_address_that_was_checked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks the name up no more: a second answer would have come too late."""
    answers = iter(["93.184.215.14", "127.0.0.1"])
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: [(socket.AF_INET, 1, 6, "", (next(answers), 80))])
    policy = Policy(f"http://{name}/")
    address = await site_address(policy, public_only=True)
    rules = policy.flags(4000, address=address)[-1]
    assert f"MAP {name}:80 93.184.215.14:80" in rules
    assert rules.endswith("MAP * ~NOTFOUND")
    assert name not in rules.replace(f"MAP {name}:80", "").replace(f"MAP {name}:443", "")
    assert await Egress(policy, address=address)._lookup(name, 80) == "93.184.215.14"


async def test_a_browser_goes_where_it_was_sent(
    ledger: Ledger, loopback: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A name that this machine's resolver does not know, with the one address that was checked: the page is loaded from there.

    And as soon as the check says that it is a private one, there is no browser at all.
    """
    port, heard = loopback
    look_up = socket.getaddrinfo

    def names(host: str, *more: Any, **named: Any) -> Any:
        return look_up("127.0.0.1" if host == "public.example" else host, *more, **named)

    monkeypatch.setattr(addresses.socket, "getaddrinfo", names)
    chosen = Settings(network="none", private_addresses=False, recording=Recording(capture="screencast", sound=False))

    async def visit() -> None:
        with ProcessList(tmp_path) as processes:
            stage = await Stage.open(
                ledger=ledger,
                settings=chosen,
                site=f"http://public.example:{port}/",
                run_dir=ledger.run_dir,
                processes=processes,
                record=False,
            )
            try:
                await stage.goto(f"http://public.example:{port}/page")
            finally:
                await stage.close()

    with pytest.raises(StageFault, match="private address"):
        await visit()
    assert heard == []
    monkeypatch.setattr(addresses, "is_private", lambda _: False)
    await visit()
    assert "/page" in heard


async def test_without_the_rule_loopback_is_asked(loopback: tuple[int, list[str]]) -> None:
    """The usual case: a developer's own server."""
    port, heard = loopback
    assert isinstance(await ask(f"http://127.0.0.1:{port}/", timeout_s=10), Answer)
    assert heard == ["/"]
