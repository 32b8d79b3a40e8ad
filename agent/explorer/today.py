"""The app's own date."""

from __future__ import annotations

from datetime import date

from tools.browser.stage import Stage

_TODAY = "() => { const now = new Date(); return [now.getFullYear(), now.getMonth() + 1, now.getDate()]; }"


async def today_of(stage: Stage) -> date:
    """Today, by the page's clock. Raises `StageFault` where the page cannot be asked."""
    await stage.clock.release()
    year, month, day = await stage.evaluate(_TODAY)
    return date(int(year), int(month), int(day))
