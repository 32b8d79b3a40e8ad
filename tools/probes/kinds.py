"""Which kinds of things a page shows: what tells a state of it that was not looked at yet from one that was.

A kind is tag, classes and paint of an element and of its parent; what it says, where it stands and which of its like it is do not
matter. So a dialog, an error, another theme, a first entry, an empty list's words and a long list bring new kinds; another text
brings none.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.probes.look import source_of
from tools.probes.protocol import PageView
from tools.text import printable

TIMEOUT_S = 5.0
"""Of the wall: met only when the page itself hangs, as the walk is bounded by a count of elements."""


@dataclass(frozen=True)
class Shown:
    """What a page shows now. `dialog` is the title of the topmost dialog, "" for one without, None where there is none."""

    kinds: frozenset[str]
    dialog: str | None
    dark: bool
    """Most of its texts are lighter than what they stand on."""
    fault: bool
    """Something is marked up as an error: an alert that says something, an invalid field."""


async def kinds_shown(view: PageView) -> Shown:
    """Read the page. Passive. Raises what `view.evaluate` raises."""
    raw = await view.evaluate(source_of("kinds"), None, timeout_s=TIMEOUT_S)
    dialog = raw["dialog"]
    return Shown(
        kinds=frozenset(str(item) for item in raw["kinds"]),
        dialog=None if dialog is None else printable(str(dialog), 60),
        dark=bool(raw["dark"]),
        fault=bool(raw["fault"]),
    )
