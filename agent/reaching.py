"""Getting to a control before it is pressed, so that what the pointer stirs up on its way is not taken for the press's doing."""

from __future__ import annotations

from tools.browser.actions import Action, Click, Hover
from tools.browser.eyes import Look
from tools.browser.stage import Stage
from tools.browser.tab import CommandRefused, FrameGone, ScriptError, TabBusy

_SHOWN = "() => `${document.body ? document.body.innerText : ''}|${document.getElementsByTagName('*').length}`"


async def reach(stage: Stage, action: Action, before: Look, label: str) -> Look:
    """Move the pointer to what is to be clicked; what is seen right before the press: `before`, unless the way changed the page.

    A page that changes by itself is not looked at again, nor is one whose pointer is already there. Raises `TabHung` or
    `TabCrashed`.
    """
    if not isinstance(action, Click) or before.observation.animated:
        return before
    try:
        shown = await stage.evaluate(_SHOWN)
        arrived = await stage.perform(Hover(target=action.target))
        if not arrived.delivered or await stage.evaluate(_SHOWN) == shown:
            return before
    except (CommandRefused, FrameGone, ScriptError, TabBusy):
        return before  # the page replaces its document; the click itself will tell
    return await stage.look(label)
