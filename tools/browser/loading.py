"""Going to an address: until there is a document, until it has been read with its scripts, until all of it has loaded.

How long scripts take to come is a matter of the machine and the server: a development server hands out hundreds of modules, one
after the other. So what is bounded is how long nothing comes, not how long it takes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from playwright.async_api import TimeoutError as PlaywrightTimeout

from configs.settings import Timeouts
from tools.browser.channel import let_go
from tools.browser.faults import TabBusy
from tools.browser.tab import Tab
from tools.browser.traffic import Traffic

LOOK_S = 2.0
"""While a page loads, it is asked this often whether it is stuck."""
PATIENCE = 6
"""Of a document whose scripts keep coming: so many times `Timeouts.navigate_s` at most."""


async def load(tab: Tab, traffic: Traffic, limits: Timeouts, url: str, note: Callable[[str], None]) -> int:
    """Go there and wait for the load event; returns the status.

    A document that was read and never finishes loading is noted and taken as it is. Raises Playwright's error if there is none or
    it is never read to its end, `TabHung` if the page gets stuck on the way.
    """
    within = limits.navigate_s
    answer = await _done(tab.page.goto(url, wait_until="commit", timeout=within * 1000), tab)
    reading = tab.page.wait_for_load_state("domcontentloaded", timeout=PATIENCE * within * 1000)
    await _done(reading, tab, _Idle(traffic, within).check)
    loaded = tab.page.wait_for_load_state("load", timeout=limits.settle_s * 1000)
    try:
        await tab.main.bounded(loaded, f"loading {url}", limits.settle_s + 1, probe=False)
    except (PlaywrightTimeout, TabBusy) as late:
        if tab.state != "live":
            raise
        note(f"{url} was still loading after {limits.settle_s:g} s: {type(late).__name__}")
    return answer.status if answer is not None else 200


async def _done(work: Any, tab: Tab, check: Callable[[], None] = lambda: None) -> Any:
    """What the work comes to. Meanwhile a page that gets stuck raises `TabHung`, and `check` what it will."""
    doing = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({doing}, timeout=LOOK_S))[0]:
            await tab.send("Runtime.evaluate", {"expression": "0"})
            check()
        return doing.result()
    finally:
        let_go(doing)


class _Idle:
    """How long a page has asked for nothing more."""

    def __init__(self, traffic: Traffic, within_s: float) -> None:
        self._traffic, self._within_s = traffic, within_s
        self._asked, self._since_s = traffic.total, time.monotonic()

    def check(self) -> None:
        """Raises Playwright's error once that is too long."""
        if self._traffic.total != self._asked:
            self._asked, self._since_s = self._traffic.total, time.monotonic()
        elif time.monotonic() - self._since_s > self._within_s:
            raise PlaywrightTimeout(f"not read to its end, and for {self._within_s:g} s nothing more was asked for")
