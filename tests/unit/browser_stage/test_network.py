"""Which addresses a page may reach, and the proxy that enforces it when the network is open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import FIXTURES
from tools.addresses import is_private
from tools.browser.egress import Egress
from tools.browser.network import Policy

LOCAL = Policy("http://127.0.0.1:8123/")


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://127.0.0.1:8123/a/b?c#d", True),
        ("http://localhost:8123/", True),
        ("ws://127.0.0.1:8123/socket", True),
        ("http://[::1]:8123/", True),
        ("data:text/html,x", True),
        ("blob:http://127.0.0.1:8123/6f0e", True),
        ("about:blank", True),
        ("http://127.0.0.1:8124/", False),
        ("http://127.0.0.1/", False),
        ("blob:http://127.0.0.1:9/6f0e", False),
        ("http://127.0.0.1.example.com:8123/", False),
        ("http://127.0.0.1:8123@example.com/", False),
        ("file:///etc/passwd", False),
        ("http://[broken/", False),
        ("mailto:a@b.c", False),
    ],
)
def test_what_belongs_to_a_site_on_loopback(url: str, own: bool) -> None:
    """Its own port under the three names of loopback, in any scheme of the web, and what has no address at all."""
    assert LOCAL.own(url) is own
    assert LOCAL.allows(url) is own


def test_a_public_site_may_change_between_http_and_https_only() -> None:
    """The same host with the schemes' own ports; no other host, no other port."""
    site = Policy("https://app.example.com/start")
    assert site.own("http://app.example.com/")
    assert not site.own("https://app.example.com:8443/")
    assert not site.own("https://cdn.example.com/")
    assert site.flags() == ["--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE app.example.com"]


def test_an_open_network_has_no_private_addresses() -> None:
    """Everything public is allowed; loopback, private and link-local addresses, and local names, are not."""
    site = Policy("http://127.0.0.1:8123/", "open")
    assert site.allows("https://example.com/x")
    assert site.allows("http://127.0.0.1:8123/")
    for url in (
        "http://127.0.0.1:22/",
        "http://10.1.2.3/",
        "http://169.254.169.254/",
        "http://[fd00::1]/",
        "http://localhost:9/",
    ):
        assert not site.allows(url)
    assert "private" in site.refusal()
    with pytest.raises(ValueError, match="proxy"):
        site.flags()
    assert site.flags(4000)[0] == "--proxy-server=http://127.0.0.1:4000"


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "127.1.2.3", "192.168.0.1", "100.64.0.1", "::1", "[::1]", "fe80::1%eth0", "a.localhost"]
)
def test_private_hosts(host: str) -> None:
    """Addresses that do not belong to the public internet, in every notation."""
    assert is_private(host)


def test_public_hosts() -> None:
    """Public addresses and names; a name's address is looked at when it is looked up."""
    assert not is_private("1.1.1.1")
    assert not is_private("example.com")


async def _ask(port: int, head: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head.encode())
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    await writer.wait_closed()
    return answer


async def test_the_proxy_relays_to_the_site_and_refuses_the_neighbours(serve: Callable[[Path], str]) -> None:
    """Plain requests and tunnels reach the site; another port of this machine and a private address do not."""
    folder = FIXTURES / "pages" / "stage"
    site, neighbour = serve(folder), serve(folder)
    egress = Egress(Policy(site, "open"))
    await egress.open()
    try:
        host, other = site.split("/")[2], neighbour.split("/")[2]
        plain = await _ask(egress.port, f"GET {site}still.html HTTP/1.0\r\nHost: {host}\r\nProxy-Connection: keep-alive\r\n\r\n")
        assert plain.startswith(b"HTTP/1.0 200")
        assert b"Nothing moves here" in plain
        tunnel = await _ask(egress.port, f"CONNECT {host} HTTP/1.1\r\n\r\nGET /still.html HTTP/1.0\r\nHost: {host}\r\n\r\n")
        assert tunnel.startswith(b"HTTP/1.1 200 Connection established")
        assert b"Nothing moves here" in tunnel
        assert await _ask(egress.port, f"GET {neighbour}still.html HTTP/1.0\r\nHost: {other}\r\n\r\n") == b"", "an answer tells"
        for refused in (
            f"CONNECT {other} HTTP/1.1\r\n\r\n",
            "CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n",
            "CONNECT localhost:22 HTTP/1.1\r\n\r\n",
        ):
            assert (await _ask(egress.port, refused)).startswith(b"HTTP/1.1 403"), refused
    finally:
        await egress.close()
