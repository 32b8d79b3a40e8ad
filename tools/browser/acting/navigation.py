"""Going elsewhere: reload, back, an address. Bounded, and never an exception for what the page does."""

from __future__ import annotations

from playwright.async_api import Error as PlaywrightError

from tools.browser.acting.aiming import Missed
from tools.browser.actions import Action, GoBack, Goto, Reload
from tools.browser.tab import Tab
from tools.browser.traffic import FAREWELLS
from tools.secrets import SECRETS


async def navigate(tab: Tab, action: Action, limit_s: float) -> None:
    """Carry out such an action within `limit_s`. Raises `Missed` if it did not happen."""
    limit_ms = limit_s * 1000
    page = tab.page
    try:
        match action:
            case Reload():
                for _ in range(2):  # a farewell to an idle connection is no answer: asked once more
                    loading = page.reload(wait_until="load", timeout=limit_ms)
                    answer = await tab.main.bounded(loading, "reload", limit_s + 2, probe=False)
                    if answer is None or answer.status not in FAREWELLS:
                        break
            case GoBack():
                before = page.url
                work = page.go_back(wait_until="load", timeout=limit_ms)
                if await tab.main.bounded(work, "going back", limit_s + 2, probe=False) is None and page.url == before:
                    raise Missed("there is no page to go back to")
            case Goto():
                await tab.main.bounded(
                    page.goto(SECRETS.revealed(action.url), wait_until="load", timeout=limit_ms), "goto", limit_s + 2, probe=False
                )
            case _:
                raise Missed(f"the hands know no act called {action.act}")
    except PlaywrightError as error:
        lines = error.message.strip().splitlines() or [""]
        raise Missed(f"it did not load: {lines[0][:200]}") from error
