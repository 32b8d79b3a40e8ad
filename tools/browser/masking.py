"""Keeps secrets out of pictures: what a page shows of them is covered before it is painted."""

from __future__ import annotations

import json
from functools import partial

from tools.browser.channel import WORLD, Channel
from tools.browser.marking.world import script
from tools.browser.tab import Tab
from tools.secrets import SECRETS


async def mask_secrets(tab: Tab) -> None:
    """Have every document to come cover the secrets that are known now, in texts and fields; not what is drawn on a canvas."""
    forms = SECRETS.forms
    if not forms:
        return
    program = f"({script('masking').strip()})({json.dumps(forms)});"
    await tab.each_channel(partial(_mask, program))


async def _mask(program: str, channel: Channel) -> None:
    await channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": program, "worldName": WORLD})
