"""The frames of a page and where they lie: which CDP channel each has, its path from the top, its place in the viewport.

Playwright adds an iframe's position without its border where the iframe lives in another process (measured: off by the
border's width). Here the place is the content quad that the layout engine reports, transforms included, composed upwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from playwright.async_api import Frame

from tools.browser.channel import Channel
from tools.browser.faults import CommandRefused, FrameGone

SEPARATOR = " >>> "
_OWNER = (files("tools.browser") / "frame_owner.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Place:
    """Affine map from a frame's own viewport to the top one: `x' = a·x + c·y + e`, `y' = b·x + d·y + f` (CSS px)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        """The point in the top viewport."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def inside(self, inner: Place) -> Place:
        """First `inner`, then this: the place of a frame inside a frame."""
        e, f = self(inner.e, inner.f)
        return Place(
            a=self.a * inner.a + self.c * inner.b,
            b=self.b * inner.a + self.d * inner.b,
            c=self.a * inner.c + self.c * inner.d,
            d=self.b * inner.c + self.d * inner.d,
            e=e,
            f=f,
        )


@dataclass(frozen=True)
class FrameView:
    """One frame as it stands in the page now."""

    frame: Frame
    frame_id: str
    """CDP's id of the frame."""
    channel: Channel
    """The process it lives in; `channel.send("Accessibility.getFullAXTree", {"frameId": frame_id})` works there."""
    path: str
    """CSS path of the chain of iframe elements from the top, joined by ` >>> `; empty for the main frame."""
    place: Place
    """Maps its viewport's coordinates to the top viewport's."""
    cross_site: bool
    """It lives in a process of its own."""
    shown: bool
    """Its element is laid out (not `display: none`), and so are those around it."""
    depth: int = 0
    zoom: float = 1.0
    """How much larger its CSS pixels are laid out than those of the topmost frame of its process, by `zoom` around it."""

    @property
    def offset(self) -> tuple[float, float]:
        """Top left corner of its content box in the top viewport, CSS px."""
        return self.place.e, self.place.f


@dataclass(frozen=True)
class Located:
    """A Playwright frame with its CDP id, channel and parent."""

    frame: Frame
    frame_id: str
    channel: Channel
    parent: Located | None


def pair(frames: list[Frame], nodes: list[dict[str, Any]]) -> Iterator[tuple[Frame, dict[str, Any] | None]]:
    """Match Playwright's child frames with CDP's, both in order of creation; None for one that lives in another process."""
    left = list(nodes)
    same_count = len(frames) == len(nodes)
    for frame in frames:
        index = 0 if same_count else next((i for i, node in enumerate(left) if _same(frame, node)), None)
        yield frame, left.pop(index) if index is not None else None


def _same(frame: Frame, node: dict[str, Any]) -> bool:
    return frame.url.partition("#")[0] == str(node["frame"]["url"]).partition("#")[0]


async def view_of(located: Located, parent: FrameView, root: Place) -> FrameView | None:
    """Where a child frame lies; None if it went away while it was asked.

    `root` is the place of the topmost frame of the parent's process: the layout engine reports quads in that one's viewport, but
    in pixels of the parent's own size (measured: inside an iframe with `zoom: 1.4` everything is reported 1.4 times too near).
    """
    channel = parent.channel
    try:
        owner = await channel.send("DOM.getFrameOwner", {"frameId": located.frame_id})
        node = {"backendNodeId": owner["backendNodeId"]}
        world = await channel.world(parent.frame_id)
        handle = await channel.send("DOM.resolveNode", {**node, "executionContextId": world.number})
        found = await channel.call(parent.frame_id, _OWNER, [{"objectId": handle["object"]["objectId"]}])
    except CommandRefused:
        return None
    try:
        quad = (await channel.send("DOM.getBoxModel", node))["model"]["content"]
    except FrameGone:
        return None
    except CommandRefused:
        quad = None  # it has no box: display none
    cross_site = located.channel is not channel
    return FrameView(
        frame=located.frame,
        frame_id=located.frame_id,
        channel=located.channel,
        path=f"{parent.path}{SEPARATOR}{found['path']}" if parent.path else str(found["path"]),
        place=root.inside(_place(quad and [edge * parent.zoom for edge in quad], found["width"], found["height"])),
        cross_site=cross_site,
        shown=parent.shown and quad is not None,
        depth=parent.depth + 1,
        zoom=1.0 if cross_site else parent.zoom * float(found["zoom"]),
    )


def _place(quad: list[float] | None, width: float, height: float) -> Place:
    if quad is None:
        return Place()
    x, y = quad[0], quad[1]
    across, down = max(width, 1e-6), max(height, 1e-6)
    return Place(a=(quad[2] - x) / across, b=(quad[3] - y) / across, c=(quad[6] - x) / down, d=(quad[7] - y) / down, e=x, f=y)
