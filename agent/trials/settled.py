"""Waiting until a page is quiet, in app time only: through "Saving…", spinners and requests, then time is held and it is read."""

from __future__ import annotations

from collections.abc import Iterator

from tools.browser.stage import Sign, Stage
from tools.browser.tab import CommandRefused, TabBusy
from tools.page.model import PageModel
from tools.page.reading import read_page

AGAIN_MS = 250.0
"""App time between two looks at a page that is at work."""
PATIENCE_MS = 8_000.0
"""App time for which a page that says it is at work is waited for."""
PASSES_MS, PASSING_MS = 2_000.0, 12_000.0
"""App time between two looks at what shows for a while, and after which it is there to stay: most toasts go after 4 to 10 s."""
_SHORT = 40
"""Longer words that end in an ellipsis are cut short, no sign of work."""
_TRIES = 3


async def hold_and_read(stage: Stage) -> PageModel:
    """The page model of this instant; app time stands from here on. Raises `TabHung` or `TabCrashed`."""
    await stage.clock.hold()
    for _ in range(_TRIES):
        try:
            return await read_page(stage.tab)
        except (CommandRefused, TabBusy):
            # The document was being replaced under the eyes.
            if stage.state != "live":
                raise
            await stage.clock.release()
            await stage.settle(stage.settings.timeouts.settle_action_s)
            await stage.clock.hold()
    return await read_page(stage.tab)


async def quiet(stage: Stage, before: PageModel | None = None) -> PageModel:
    """Let the page come to rest; the model it rests in. App time stands then.

    `before`: what the page was before whatever it has to come to rest from; what was at work there already is not waited for,
    nor is what was waited for in vain once: it never ends.
    """
    await stage.clock.release()
    page = await _rested(stage)
    known = (set(signs_of_work(before)) if before else set[Sign]()) | stage.endless
    give_up_ms = stage.clock.now_ms() + PATIENCE_MS
    while waited := set(signs_of_work(page)) - known:
        if stage.clock.now_ms() >= give_up_ms:
            stage.endless |= waited
            break
        page = await later(stage, AGAIN_MS)
    return page


async def undisturbed(stage: Stage, page: PageModel) -> PageModel:
    """The page once what shows for a while only is gone; waited for once where it stays. App time stands then."""
    give_up_ms = stage.clock.now_ms() + PASSING_MS
    while shown := set(passing(page)) - stage.endless:
        if stage.clock.now_ms() >= give_up_ms:
            stage.endless |= shown
            break
        page = await later(stage, PASSES_MS)
    return page


def passing(page: PageModel) -> Iterator[Sign]:
    """What shows for a while only: toasts."""
    for layer in page.layers:
        if layer.kind == "toast":
            yield layer.selector, layer.frame


async def later(stage: Stage, app_ms: float) -> PageModel:
    """The page after that much app time with nothing done to it; app time stands then."""
    await stage.clock.release()
    with stage.clock.hurrying():
        await stage.tab.waits.pause(app_ms / 1000)
    return await _rested(stage)


async def _rested(stage: Stage) -> PageModel:
    """The page once it stands still; nothing is done meanwhile, so that app time may run as fast as everything keeps up."""
    with stage.clock.hurrying():
        await stage.settle(stage.settings.timeouts.settle_action_s)
    return await hold_and_read(stage)


def signs_of_work(page: PageModel) -> Iterator[Sign]:
    """What shows that something is under way: spinners and what else moves without end, `aria-busy`, "Saving…"."""
    for part in page.processes:
        if part.kind == "progress" or (part.kind == "animation" and part.endless):
            yield part.selector, part.frame
    for text in _words(page):
        if _unfinished(text):
            yield text, ""


def _words(page: PageModel) -> list[str]:
    return [text.text for text in page.texts] + [button.name for button in page.buttons]


def _unfinished(text: str) -> bool:
    return len(text) <= _SHORT and text.endswith(("…", "..."))
