"""Connecting the instruments to a page that is still empty: tab, logs, traffic, guard, the clock, and what stops requests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from playwright.async_api import Page

from configs.settings import Settings
from tools.browser.auth import Auth
from tools.browser.chance import Chance
from tools.browser.clock.governor import Governor
from tools.browser.clock.waiting import Waits
from tools.browser.downloads import KEEP_FILES
from tools.browser.guard import STOP_FOREIGN_SCHEMES, Guard
from tools.browser.handed_over import HEAR_HANDED, TELL_HANDED
from tools.browser.intercept import Intercept
from tools.browser.logs import Logs
from tools.browser.network import Answerer, Policy
from tools.browser.tab import Tab
from tools.browser.traffic import Traffic
from tools.errors import StageFault

_WAIT_FOR_SIZE = """async ([width, height]) => {
  while (innerWidth !== width || innerHeight !== height) await new Promise((next) => setTimeout(next, 10));
}"""


@dataclass(frozen=True)
class Instruments:
    """What every page of one browser is watched and bound by."""

    settings: Settings
    policy: Policy
    clock: Governor
    browser_pid: int
    answerers: tuple[Answerer, ...]
    chance: Chance | None
    auth: Auth
    beside: bool = False
    """The page is not the one that the display shows: its size is emulated, and it leaves the keyboard where it is."""

    async def connect(self, page: Page, logs: Logs) -> tuple[Tab, Logs, Traffic, Guard]:
        """Connect them to the page, which has been nowhere yet."""
        context = page.context
        if self.clock.script:
            await context.add_init_script(script=self.clock.script)
        if self.chance is not None:
            await context.add_init_script(script=self.chance.script)
        await context.add_init_script(script=KEEP_FILES + TELL_HANDED)
        tab = await Tab.attach(page, self.settings.timeouts, world_script=f"{STOP_FOREIGN_SCHEMES}\n{HEAR_HANDED}")
        tab.waits = Waits(self.clock)
        traffic = Traffic(logs, self.policy, now_s=tab.waits.now_s)
        guard = Guard(tab, logs, self.policy, self.browser_pid, quota_mb=self.settings.budget.disk_mb // 10)
        intercept = Intercept(tab, self.policy, self.answerers)
        intercept.refuse_document = guard.refuse_document
        intercept.credentials = self.auth.credentials
        traffic.answered = intercept.answers
        page.on("console", logs.hear)
        await self.clock.attach(tab, intercept)
        if self.chance is not None:
            await self.chance.attach(tab, intercept)
        await asyncio.gather(
            tab.each_channel(logs.listen), tab.each_channel(traffic.listen), guard.open(), intercept.open(), self._fit(tab)
        )
        if not self.beside:
            # A new window has its keyboard focus in the address bar, which a full-screen window hides: keys would be typed there.
            await tab.send("Page.bringToFront")
        return tab, logs, traffic, guard

    async def _fit(self, tab: Tab) -> None:
        """Wait until the window has its size; a window that does not get it has the size emulated."""
        size = self.settings.viewport
        if self.beside:
            await tab.resize(size)
            return
        try:
            await tab.evaluate(_WAIT_FOR_SIZE, [size.width, size.height], timeout_s=3.0)
        except StageFault:
            await tab.resize(size)
