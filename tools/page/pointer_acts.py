"""Acts of the pointer alone: to rest, to turn the wheel, to draw, to drag."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions import Target


class Hover(Frozen):
    """Rest the pointer on something."""

    kind: Literal["hover"] = "hover"
    target: Target

    def words(self) -> str:
        """One clause."""
        return f"point at {self.target.words()}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (f"{self.target.locator()}.hover()",)


class Scroll(Frozen):
    """Turn the wheel over something, down by so many CSS pixels (up where negative)."""

    kind: Literal["scroll"] = "scroll"
    target: Target
    down: float

    def words(self) -> str:
        """One clause."""
        return f"scroll {'down' if self.down >= 0 else 'up'} over {self.target.words()}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (f"{self.target.locator()}.hover()", f"page.mouse.wheel(0, {self.down:.0f})", "page.wait_for_timeout(500)")


class Point(Frozen):
    """Press, or drag along, points of a surface; each is a share of its width and height, 0–1 from its top left."""

    kind: Literal["point"] = "point"
    target: Target
    path: tuple[tuple[float, float], ...]

    def words(self) -> str:
        """One clause."""
        places = " → ".join(f"{x:.0%}, {y:.0%}" for x, y in self.path)
        return f"{'drag along' if len(self.path) > 1 else 'press at'} {places} of {self.target.words()}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        to = [f'page.mouse.move(box["x"] + {x} * box["width"], box["y"] + {y} * box["height"])' for x, y in self.path]
        return (f"box = {self.target.locator()}.bounding_box()", to[0], "page.mouse.down()", *to[1:], "page.mouse.up()")


class Drag(Frozen):
    """Drag something onto something else, or by an offset in CSS pixels."""

    kind: Literal["drag"] = "drag"
    target: Target
    to: Target | None = None
    by: tuple[float, float] = (0.0, 0.0)

    def words(self) -> str:
        """One clause."""
        where = f"onto {self.to.words()}" if self.to else f"by {self.by[0]:.0f}, {self.by[1]:.0f} px"
        return f"drag {self.target.words()} {where}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        if self.to is not None:
            return (f"{self.target.locator()}.drag_to({self.to.locator()})",)
        x, y = 'box["x"] + box["width"] / 2', 'box["y"] + box["height"] / 2'
        return (
            f"box = {self.target.locator()}.bounding_box()", f"page.mouse.move({x}, {y})", "page.mouse.down()",
            f"page.mouse.move({x} + {self.by[0]}, {y} + {self.by[1]}, steps=8)", "page.mouse.up()",
        )  # fmt: skip
