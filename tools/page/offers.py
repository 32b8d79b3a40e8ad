"""What came up when a picker was opened: its options, days, colours, told from what was there before."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from tools.evidence.frozen import Frozen
from tools.page.reading import Window


class Offer(Frozen):
    """One thing that can be chosen."""

    name: str
    said: tuple[str, ...] = ()
    """What else it says of itself: title, label, date."""
    role: str
    selector: str
    chosen: bool
    disabled: bool
    box: tuple[float, float, float, float]
    """x, y, width, height in its frame's viewport."""


class Offers(Frozen):
    """All of them in document order, and the words that came up with them."""

    offers: tuple[Offer, ...]
    texts: tuple[str, ...]

    def named(self, words: str) -> Offer | None:
        """The one of those words, whatever their case; else the only one that begins with them, or has them."""
        wanted = " ".join(words.split()).casefold()
        free = [offer for offer in self.offers if not offer.disabled]
        exact = [offer for offer in free if offer.name.casefold() == wanted or wanted in {said.casefold() for said in offer.said}]
        if exact:
            return exact[0]
        for fits in (str.startswith, str.__contains__):
            found = [offer for offer in free if fits(offer.name.casefold(), wanted)]
            if len(found) == 1:
                return found[0]
        return None


@cache
def _program(call: str) -> str:
    folder = files("tools.page") / "reader"
    body = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in ("names", "parts", "offers"))
    return f"(given) => {{\n{body}\nreturn {call}(given);\n}}"


async def note_shown(window: Window, frame: Any = None) -> None:
    """Remember what is shown in a frame now; what comes up later is new."""
    await window.evaluate(_program("note"), frame=frame)


async def read_offers(window: Window, frame: Any = None, *, wanted: str = "") -> Offers:
    """What has come up since. An element with just the words `wanted` is one of them whatever it is."""
    return Offers.model_validate(await window.evaluate(_program("offers"), wanted, frame=frame))
