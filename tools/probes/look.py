"""One look at a page, shared by the probes: scripts, picture and texts are fetched once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tools.evidence.rows import Box, Finding
from tools.probes.prompt_injection import addressed
from tools.probes.protocol import Figure, PageView, Viewport
from tools.probes.symptoms import SYMPTOMS
from tools.text import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCRIPT_TIMEOUT_S = 15.0
"""Longest wait for one script or picture. Scripts are bounded by counts, so this is met only when the page itself hangs."""

BLOCKS_AT_MOST = 2500
CHARACTERS_AT_MOST = 200_000


@dataclass(frozen=True)
class Block:
    """A piece of visible text a person reads as one.

    `place` is where it stands: `code`, `editor`, `heading`, `control`, `chrome` (navigation, header, footer), `prose`, `other`,
    or, for a field, `value` or `hint`. `foreign`: the page marks it as being in a language of its own.
    """

    text: str
    place: str
    foreign: bool
    tag: str
    selector: str
    box: Box


@dataclass(frozen=True)
class Image:
    """A visible `<img>` and where it comes from."""

    url: str
    selector: str
    box: Box


@dataclass(frozen=True)
class Texts:
    """All visible text but what addresses graders, which is no content.

    `bare`: the document is no web page but a file the browser shows as text.
    """

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    title: str
    lang: str
    bare: bool
    sampled: bool


class Look:
    """What one audit knows of the page. Fetches lazily; a fetch that failed fails for each probe that needs it."""

    def __init__(self, view: PageView, viewport: Viewport, brief_language: str) -> None:
        self.view = view
        self.viewport: Viewport = viewport
        self.brief_language = brief_language
        self._picture: NDArray[np.uint8] | None = None
        self._texts: Texts | None = None

    async def run(self, script: str, arg: object = None, *, timeout_s: float = SCRIPT_TIMEOUT_S) -> Any:
        """Run `<script>.js` with the shared walk in front of it; returns what its `probe(arg)` does."""
        return await self.evaluate(source_of(script), arg, timeout_s=timeout_s)

    async def evaluate(self, function: str, arg: object = None, *, timeout_s: float = SCRIPT_TIMEOUT_S) -> Any:
        """The view's `evaluate`, bounded once more in case the view keeps no bound. Raises `TimeoutError` then."""
        async with asyncio.timeout(timeout_s + 2.0):
            return await self.view.evaluate(function, arg, timeout_s=timeout_s)

    async def picture(self) -> NDArray[np.uint8]:
        """RGB picture of the viewport, shape (height, width, 3)."""
        if self._picture is None:
            async with asyncio.timeout(SCRIPT_TIMEOUT_S):
                self._picture = await self.view.picture()
        return self._picture

    async def is_aligned(self) -> bool:
        """Whether one pixel of the picture is one CSS pixel of the layout.

        It is not where a page without a viewport declaration is laid out 980 px wide and shown shrunk on a phone's screen.
        """
        height, width = (await self.picture()).shape[:2]
        layout = await self.evaluate("() => [innerWidth, innerHeight, visualViewport ? visualViewport.scale : 1]")
        return [width, height] == [round(side) for side in layout[:2]] and abs(layout[2] - 1) < 0.01

    async def texts(self) -> Texts:
        """The visible text by block."""
        if self._texts is None:
            raw = await self.run("texts", {"blocks": BLOCKS_AT_MOST, "characters": CHARACTERS_AT_MOST})
            self._texts = Texts(
                blocks=tuple(
                    Block(**{**block, "box": box_of(block["box"])}) for block in raw["blocks"] if not addressed(block["text"])
                ),
                images=tuple(Image(**{**image, "box": box_of(image["box"])}) for image in raw["images"]),
                title="" if addressed(raw["title"]) else raw["title"],
                lang=raw["lang"],
                bare=raw["bare"],
                sampled=raw["sampled"],
            )
        return self._texts

    def finding(
        self,
        symptom: str,
        message: str,
        *,
        selector: str = "",
        box: Box | None = None,
        measured: Mapping[str, Figure] | None = None,
    ) -> Finding:
        """A finding of this look. The symptom must be on the list; text of the page in `message` is made safe to print."""
        known = SYMPTOMS.get(symptom)
        probe = "axe" if known is None and symptom.startswith("axe.") else SYMPTOMS[symptom].probe
        return Finding(
            probe=probe,
            symptom=symptom,
            message=printable(message, 400),
            selector=selector,
            box=box,
            viewport=self.viewport,
            measured={
                name: printable(value, 400) if isinstance(value, str) else value for name, value in (measured or {}).items()
            },
        )


@cache
def source_of(script: str) -> str:
    """JS source of a probe's function `(arg) => value`: the shared walk, then the script, then the call."""
    folder = files("tools.probes")
    shared = (folder / "dom.js").read_text(encoding="utf-8")
    own = (folder / f"{script}.js").read_text(encoding="utf-8")
    return f"(arg) => {{\n{shared}\n{own}\nreturn probe(arg);\n}}"


def box_of(raw: dict[str, float]) -> Box:
    """A box as the scripts give it."""
    return Box(**raw)


def shown_box(raw: dict[str, float] | None) -> Box | None:
    """The same for things that may have no place on the screen: None for an empty box."""
    return Box(**raw) if raw and raw["width"] * raw["height"] > 0 else None


def quote(text: str, limit: int = 60) -> str:
    """Text of the page in typographic quotes, one line, shortened."""
    return f"“{printable(text, limit)}”"
