"""By no road does a page reach anybody but its own site, under whatever name; and what it tried is written down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Browser

from tests.integration.guard.arena import Arena, arena, places
from tests.integration.stage.conftest import Opened, opener

GO = """async ([roads, to]) => Object.fromEntries(await Promise.all(
  roads.map(async (road) => [road, await run(road, to + encodeURIComponent(road))])))"""
SILENT = {"stun", "turn udp", "mdns", "dns-prefetch", "webtransport", "preconnect"}
"""These never get as far as a connection, so there is nothing to write down; the others must leave a row."""
SHARED = {"worker", "worker import", "shared worker", "service worker", "turn tcp"}
"""Known by host and port only: the proxy turned them away."""


@dataclass
class Tried:
    """What came of one page's attempts."""

    answers: dict[str, str]
    visits: int
    rows: list[Any]


@pytest.fixture(scope="module")
async def tried(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Tried]]:
    """Every road and every name, with the network limited to the site, and with it open."""
    found: dict[str, Tried] = {}
    async with AsyncExitStack() as stack:
        ground = stack.enter_context(arena())
        open_stage = opener(stack, tmp_path_factory.mktemp("reach"))
        for mode in ("cdn", "open"):
            opened = await open_stage(ground.site, network=mode)
            found[mode] = await attempt(opened, ground)
            await opened.stage.close()
        yield found


async def attempt(opened: Opened, ground: Arena) -> Tried:
    """Go every road to the neighbour, and ask for every place."""
    before = ground.neighbour.visits
    assert await opened.stage.goto(ground.site + "reach.html")
    page, port = opened.stage.page, ground.neighbour.port
    roads = set(await page.evaluate("Object.keys(roads)")) - {"keepalive on unload"}
    # First those of which only the proxy knows: while the page's own requests tell of a place, it says nothing more.
    answers = await page.evaluate(GO, [sorted(SHARED), f"http://127.0.0.1:{port}/"])
    await asyncio.sleep(1.2)
    answers |= await page.evaluate(GO, [sorted(roads - SHARED), f"http://127.0.0.1:{port}/"])
    for name, url in places(port).items():
        answers[name] = await page.evaluate("(url) => run('fetch', url)", url)
    leaving = f"http://127.0.0.1:{port}/leaving"
    async with page.expect_navigation():
        await page.evaluate("(to) => { roads['keepalive on unload'](to); }", leaving)
    await asyncio.sleep(1.5)  # what was started must have had the time to arrive, and its row to be written
    return Tried(dict(answers), ground.neighbour.visits - before, opened.rows("network"))


@pytest.mark.parametrize("mode", ["cdn", "open"])
def test_nobody_was_reached(tried: dict[str, Tried], mode: str) -> None:
    """Not one connection and not one datagram came to the neighbour; no attempt was answered."""
    assert tried[mode].visits == 0
    assert {road for road, answer in tried[mode].answers.items() if answer in ("open", "200")} == set()
    assert [name for name in places(1) if tried[mode].answers[name] == "loaded"] == []


@pytest.mark.parametrize("mode", ["cdn", "open"])
def test_every_attempt_is_written_down(tried: dict[str, Tried], mode: str) -> None:
    """A row for each road and each place that says it was refused, and that the place is not the site's own."""
    rows = tried[mode].rows
    refused = [row.url for row in rows if row.blocked and not row.own_site]
    roads = [road for road in tried[mode].answers if road not in places(1)]
    unseen = [
        road
        for road in roads
        if road not in SILENT | SHARED | {"keepalive on unload", "csp report"}
        and not any(url.endswith("/" + road.replace(" ", "%20").replace(",", "%2C")) for url in refused)
    ]
    assert unseen == []
    assert any(url.startswith("//127.0.0.1:") for url in refused), "what workers asked for is known from the proxy"
    for host in ("10.0.0.1", "169.254.169.254", "metadata.google.internal", "[fd00:ec2::254]", "[::ffff:7f00:1]", "0.0.0.0"):
        assert any(host in url for url in refused), host


async def test_the_attempts_are_real(browser: Browser) -> None:
    """In a browser without a guard the same pages do reach the neighbour, by nearly every road."""
    context = await browser.new_context()
    with arena() as ground:
        page = await context.new_page()
        await page.goto(ground.site + "reach.html")
        unreached = []
        for road in ("fetch", "image", "websocket", "beacon", "worker", "shared worker", "service worker", "turn tcp", "stun",
                      "webtransport", "form post", "iframe", "redirect, fetch", "css import"):  # fmt: skip
            before = ground.neighbour.visits
            await page.evaluate("([road, to]) => run(road, to)", [road, f"http://127.0.0.1:{ground.neighbour.port}/"])
            for _ in range(40):
                if ground.neighbour.visits > before:
                    break
                await asyncio.sleep(0.05)
            else:
                unreached.append(road)
        assert unreached == []
    await context.close()
