"""Reads the page model from a live page: one script a frame, in a world that the page's own scripts cannot reach."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from tools.page.building import Sheet, build
from tools.page.model import PageModel

_SCRIPTS = ("names", "parts", "groups", "read")


class Placed(Protocol):
    """Maps a point of a frame's viewport to the top one's, CSS px."""

    def __call__(self, x: float, y: float, /) -> tuple[float, float]:
        """The point in the top viewport."""
        ...


class FrameSeen(Protocol):
    """A frame of the page as it stands."""

    @property
    def path(self) -> str:
        """CSS path of the chain of iframe elements from the top, joined by ` >>> `; empty for the main frame."""
        ...

    @property
    def place(self) -> Placed:
        """Where it lies."""
        ...

    @property
    def shown(self) -> bool:
        """It is laid out."""
        ...


class Window(Protocol):
    """The seam to a browser: `tools.browser.tab.Tab` is one. This package itself imports no browser."""

    async def frames(self) -> Sequence[Any]:
        """All frames, parents first; each is a `FrameSeen`."""
        ...

    async def evaluate(self, function: str, arg: object = None, *, frame: Any = None, timeout_s: float | None = None) -> Any:
        """Run a JavaScript function in an isolated world of a frame; its JSON value."""
        ...


@cache
def program() -> str:
    """The reader's JavaScript: makes a function without arguments that returns what is on a frame.

    That one may be called again and again: what it keeps of a reading is not kept for the next.
    """
    folder = files("tools.page") / "reader"
    body = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    return f"(() => {{\n{body}\nreturn () => {{ try {{ return read(); }} finally {{ anew(); }} }};\n}})()"


async def read_page(window: Window, *, language: str = "", timeout_s: float | None = None) -> PageModel:
    """The page model of what is shown now, with all frames and open shadow roots.

    `language` (BCP 47) is used for numbers and dates where the document states none. Raises what `window.evaluate` raises for the
    main frame; a frame that goes away or fails while it is read is named in `PageModel.unread`.
    """
    main, *rest = [frame for frame in await window.frames() if frame.shown]
    answers = await asyncio.gather(
        window.evaluate(program(), frame=main, timeout_s=timeout_s),
        *(window.evaluate(program(), frame=frame, timeout_s=timeout_s) for frame in rest),
        return_exceptions=True,
    )
    if isinstance(answers[0], BaseException):
        raise answers[0]
    sheets, unread = [], []
    for frame, answer in zip([main, *rest], answers, strict=True):
        if isinstance(answer, Exception):
            unread.append(f"{frame.path}: {answer}"[:300])
        elif isinstance(answer, BaseException):
            raise answer
        else:
            sheets.append(Sheet(frame.path, frame.place, answer))
    return build(sheets, language=language, unread=tuple(unread))
