"""Names that stand for something else than they did, or never stood for anything public."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import FIXTURES
from tools.addresses import is_private
from tools.browser.egress import Egress, site_address
from tools.browser.network import Policy, place_of


@pytest.mark.parametrize(
    "host",
    [
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a00:1::1", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "fe80::1", "fd00:ec2::254", "169.254.169.254", "metadata.google.internal", "printer.local", "::"),
    ],
)
def test_addresses_that_carry_another(host: str) -> None:
    """Mapped, translated and tunnelled addresses are judged by what they lead to; multicast and metadata are not public."""
    assert is_private(host)


async def test_a_name_that_changes_its_meaning_leads_nowhere(serve: Callable[[Path], str]) -> None:
    """Public when first asked for, this machine when asked again: the second answer is refused, and told."""
    neighbour = serve(FIXTURES / "pages" / "stage")
    port = int(neighbour.split(":")[2].strip("/"))
    answers = [["192.88.99.1"], ["127.0.0.1"], ["10.0.0.1", "127.0.0.1"]]
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        del port
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    egress, told = Egress(Policy("http://127.0.0.1:9/", "open"), resolve=resolve), list[tuple[str, int]]()
    egress.on_refusal = lambda host, port: told.append((host, port))
    assert await egress._lookup("rebind.example", port) == "192.88.99.1"
    await egress.open()
    try:
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", egress.port)
            writer.write(f"GET http://rebind.example:{port}/still.html HTTP/1.1\r\nHost: rebind.example\r\n\r\n".encode())
            assert await asyncio.wait_for(reader.read(), 10) == b""
            writer.close()
    finally:
        await egress.close()
    assert told == [("rebind.example", port)] * 2
    assert asked == ["rebind.example"] * 3


def test_the_sites_name_keeps_its_address() -> None:
    """What it stood for when the run began is what Chromium is told, for the ports of its schemes; everything else is nowhere."""
    flags = Policy("https://app.example.com/").flags(4000, address="203.0.113.7")
    rules = next(flag for flag in flags if flag.startswith("--host-resolver-rules="))
    assert "MAP app.example.com:443 203.0.113.7:443" in rules
    assert "MAP app.example.com:80 203.0.113.7:80" in rules
    assert rules.endswith("MAP * ~NOTFOUND")
    assert "EXCLUDE" not in rules
    assert "--proxy-server=http://127.0.0.1:4000" in flags


def test_an_open_network_keeps_only_the_sites_address() -> None:
    """Other names are looked up by the proxy; the rules must not get in its way."""
    flags = Policy("https://app.example.com/", "open").flags(4000, address="203.0.113.7")
    assert "~NOTFOUND" not in " ".join(flags)
    assert "MAP app.example.com:443 203.0.113.7:443" in " ".join(flags)


async def test_only_names_outside_this_machine_are_looked_up() -> None:
    """Loopback and literal addresses need no resolver."""
    assert await site_address(Policy("http://127.0.0.1:8000/")) == ""
    assert await site_address(Policy("https://203.0.113.7/")) == ""


def test_where_a_url_leads() -> None:
    """Host and port, the scheme's own where none is named."""
    assert place_of("https://example.com/x") == ("example.com", 443)
    assert place_of("ws://[::1]:81/") == ("::1", 81)
    assert place_of("http://[broken/") == ("", 0)
