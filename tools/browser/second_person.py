"""Another person's page: a second context of the same browser, with cookies and stores of its own.

It is one browser, so that app time stands and goes on for both at once, and both have the same ways out. Its window stands beside
the display, where neither the pointer nor the film meets it: the hands go by the browser's protocol there.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from configs.settings import Settings
from tools.browser import eyes
from tools.browser.auth import Auth
from tools.browser.chance import Chance
from tools.browser.concurrent_tasks import within
from tools.browser.hands import Hands
from tools.browser.instruments import Instruments
from tools.browser.launch import grant
from tools.browser.logs import Entry, Logs
from tools.browser.marking.world import prepare
from tools.browser.masking import mask_secrets
from tools.browser.stage import Stage
from tools.browser.stage_parts import CLOSE_S
from tools.browser.wiring import EyesAndHands
from tools.errors import StageFault
from tools.evidence.rows import Row
from tools.secrets import SECRETS

_SMALL_PX, _BESIDE_PX = 400, 300
"""Size of its window, and how far it stands from the display's edge."""


class HeardOnly(Logs):
    """What another person's page says and suffers: whoever carries their act out is told, and writes it with the act.

    Rows of their own would be taken for what the page that is evaluated says: that one is refused what another person has is
    no failing of it.
    """

    def write(self, entry: Entry, *, producer: str = "logs") -> Row | None:
        """Tell the listeners."""
        del producer
        if SECRETS:
            entry = type(entry).model_validate(SECRETS.hidden_in(entry.model_dump()))
        for listener in self.listeners:
            listener(entry)
        return None

    def close(self) -> None:
        """Nothing was counted."""


class OthersStage(Stage):
    """Open it with `await OthersStage.beside(stage)`; what it writes goes into that stage's ledger."""

    _while_open: contextlib.ExitStack

    @classmethod
    async def beside(cls, stage: Stage) -> OthersStage:
        """Another person, who has been nowhere yet. What lets any browser in by HTTP lets this one in, too; nobody is logged in.

        Raises `StageFault` where the clock governs one page alone, or the browser gives no second context.
        """
        browser, parts = stage.parts.launched.context.browser, stage.parts
        if browser is None or stage.clock.name == "page":
            raise StageFault("A second person needs a clock that governs the whole browser.", hint="Use --clock held.")
        settings, context = _by_protocol(stage.settings), None
        try:
            window = {"no_viewport": True} if parts.headed else {"viewport": _size(settings)}
            context = await browser.new_context(**parts.launched.habits, **window)  # pyright: ignore[reportArgumentType]
            await grant(context)
            page = await context.new_page()
            if parts.headed:
                await _put_beside(page, settings)
                await stage.page.bring_to_front()
            return await cls._watching(page, stage, settings)
        except (PlaywrightError, StageFault) as error:
            if context is not None:
                await within(CLOSE_S, context.close)
            if isinstance(error, StageFault):
                raise
            lines = error.message.strip().splitlines() or [""]
            raise StageFault(f"There is no second context: {lines[0][:200]}", retryable=True) from error

    @classmethod
    async def _watching(cls, page: Page, stage: Stage, settings: Settings) -> OthersStage:
        """The stage of an empty page, with instruments of its own. Raises `StageFault`."""
        parts, auth = stage.parts, Auth(credentials=stage.auth.credentials)
        # Drawn by the same seed, what an app calls its people by chance would be the same for both.
        chance = Chance(settings.seed + 1) if settings.seeded else None
        instruments = Instruments(
            settings, parts.policy, stage.clock, parts.launched.pid, parts.answerers, chance, auth, beside=parts.headed
        )
        tab, logs, traffic, guard = await instruments.connect(page, HeardOnly(stage.ledger))
        guard.ends_renderers = False
        own = replace(
            parts, launched=replace(parts.launched, context=page.context), tab=tab, logs=logs, traffic=traffic, guard=guard,
            display=None, recorder=None,
        )  # fmt: skip
        made = cls(own, settings, stage.ledger, EyesAndHands(observe=eyes.observe, hands=Hands))
        made.auth, made.entry = auth, stage.entry
        await prepare(tab)
        await mask_secrets(tab)
        made._while_open = contextlib.ExitStack()
        if parts.auto_pace is not None:
            made._while_open.enter_context(parts.auto_pace.also(lambda: traffic.live))
            traffic.heed = parts.auto_pace.heed
        return made

    async def close(self) -> None:
        """Close the context; the browser and everything else stays. Idempotent, bounded."""
        if self._closed:
            return
        self._closed = True
        self._while_open.close()
        self.guard.close()
        self.hands.close()
        await within(CLOSE_S, self.tab.context.close)


def _by_protocol(settings: Settings) -> Settings:
    """The same with hands that need no display."""
    return settings.model_copy(update={"hands": "cdp"})


def _size(settings: Settings) -> dict[str, int]:
    return {"width": settings.viewport.width, "height": settings.viewport.height}


async def _put_beside(page: Page, settings: Settings) -> None:
    """Move the page's window off the display."""
    session = await page.context.new_cdp_session(page)
    try:
        window = (await session.send("Browser.getWindowForTarget"))["windowId"]
        bounds = {"left": settings.viewport.width + _BESIDE_PX, "top": 0, "width": _SMALL_PX, "height": _SMALL_PX}
        await session.send("Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": "normal"}})
        await session.send("Browser.setWindowBounds", {"windowId": window, "bounds": bounds})
    finally:
        await session.detach()
