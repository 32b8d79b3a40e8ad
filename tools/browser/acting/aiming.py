"""Finding a target again and bringing it under the pointer: through frames and shadow roots, scrolling as a person would."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tools.browser.actions import Target
from tools.browser.frames import FrameView
from tools.browser.marking.compose import bounds, inverse, parent_of, show_through
from tools.browser.marking.gather import path_within, survey
from tools.browser.marking.world import ask
from tools.browser.tab import Tab

STABLE_S = 1.0
"""Longest wait for something that is not there, covered, or in motion."""
SHADOW = " >>> "
"""In a selector: where a shadow root is entered."""
_AGAIN_S = 0.05
_TURNS = 14
"""Most turns of the wheel towards one target."""

Point = tuple[float, float]
Wheel = Callable[[Point, float, float], Awaitable[None]]
"""Puts the pointer at a point and turns the wheel by (dx, dy)."""


class Missed(Exception):
    """The target cannot be acted on; the message says why, for the record."""


@dataclass(frozen=True)
class Aim:
    """A target in reach."""

    view: FrameView
    point: Point
    """Top viewport, CSS px: pressing here acts on the target."""
    box: tuple[float, float, float, float]
    """x, y, width, height in the top viewport."""
    tag: str
    input_type: str
    disabled: bool
    note: str
    """How it was found when its selector did not lead to it; empty otherwise."""
    moving: bool = False
    """It does not come to rest; `point` is where it will be, so the press must not wait."""

    @property
    def size_px(self) -> float:
        """The smaller side: Fitts' target width."""
        return max(min(self.box[2], self.box[3]), 1.0)


@dataclass(frozen=True)
class _Reading:
    """What one look at the target gave: in reach (`aim`), a turn of the wheel to make, or what is in the way."""

    aim: Aim | None = None
    turn: tuple[Point, float, float] | None = None
    problem: str = ""
    view: FrameView | None = None


async def take_aim(tab: Tab, target: Target, wheel: Wheel | None) -> Aim:
    """Find the target, scroll it into reach, and say where to press.

    `wheel` None looks without scrolling. Waits up to `STABLE_S` for a target that is hidden or covered (it may be appearing).
    Raises `Missed`, or what the tab raises.
    """
    give_up = tab.waits.deadline(STABLE_S)
    turns, pulled, last = 0, False, None
    while True:
        reading = await _read(tab, target)
        if reading.aim is not None:
            return reading.aim
        late = give_up.passed
        if reading.turn is not None and wheel is not None and turns < _TURNS and reading.turn != last:
            turns, last = turns + 1, reading.turn
            await wheel(*reading.turn)
            await _come_to_rest(tab, target)
            give_up = tab.waits.deadline(STABLE_S)
        elif late and wheel is not None and not pulled and reading.view is not None:
            pulled = True
            await ask(reading.view, "bringIntoView")
            await _come_to_rest(tab, target)
        elif late:
            raise Missed(reading.problem)
        else:
            await tab.waits.pause(_AGAIN_S)


async def _read(tab: Tab, target: Target) -> _Reading:
    """One look: from the target's own frame outwards, each frame having to show the point that the inner one wants."""
    views = await tab.frames()
    by_path = {view.path: view for view in views}
    view = by_path.get(target.frame)
    if view is None:
        return _Reading(problem=f"its frame {target.frame} is gone")
    chain = [view]
    while (parent := parent_of(chain[-1], by_path)) is not None:
        chain.append(parent)
    await show_through(list(reversed(chain)))
    wanted = {"selector": target.selector, "role": target.role, "name": target.name, "signature": target.signature}
    found = await ask(view, "find", wanted)
    if not found["found"] and SHADOW in target.selector:
        # Closed shadow roots have to be handed over first; usually a look at the page has done so.
        await survey(view, [], watched=False)
        found = await ask(view, "find", wanted)
    if not found["found"]:
        return _Reading(problem=f"nothing matches {target.selector}")
    seen = await ask(view, "aim", {"dx": target.dx, "dy": target.dy})
    if seen.get("gone") or seen.get("hidden"):
        return _Reading(problem="it is there but not shown")
    if seen["scroll"] is not None and (not seen["inView"] or seen["cover"]):
        return _Reading(turn=_turn(view, seen["scroll"]), view=view, problem=_problem(seen))
    if seen["point"] is None and seen["inView"]:
        return _Reading(problem=_problem(seen), view=view)
    point = view.place(*(seen["point"] or seen["wanted"]))
    outside = await _read_outside(chain, by_path, point)
    if outside is not None:
        return _Reading(turn=outside.turn, problem=outside.problem, view=view)
    if seen["point"] is None:
        return _Reading(problem="it is out of sight and cannot be scrolled there", view=view)
    x, y, width, height = bounds(view.place, seen["rect"])
    return _Reading(aim=Aim(view, point, (x, y, width, height), seen["tag"], seen["type"], seen["disabled"], found["note"]))


async def _read_outside(chain: list[FrameView], by_path: dict[str, FrameView], point: Point) -> _Reading | None:
    """Whether the frames around show the point; None if they do."""
    for inner in chain:
        parent = parent_of(inner, by_path)
        if parent is None:
            return None
        await ask(parent, "find", {"selector": path_within(parent, inner)})
        seen = await ask(parent, "aim", {"at": inverse(parent.place)(*point)})
        if seen.get("gone") or seen.get("hidden"):
            return _Reading(problem="the frame it is in is not shown")
        if seen["scroll"] is not None and seen["point"] is None:
            return _Reading(turn=_turn(parent, seen["scroll"]), problem=_problem(seen))
        if seen["point"] is None:
            return _Reading(problem=_problem(seen))
    return None


def _turn(view: FrameView, scroll: dict[str, Any]) -> tuple[Point, float, float]:
    return view.place(scroll["x"], scroll["y"]), float(scroll["dx"]), float(scroll["dy"])


def _problem(seen: dict[str, Any]) -> str:
    return f"covered by {seen['cover']}" if seen.get("cover") else "it is out of sight and cannot be scrolled there"


async def _come_to_rest(tab: Tab, target: Target) -> None:
    """Return when scrolling has ended: the target's box is the same in two looks, or a second has passed."""
    give_up = tab.waits.deadline(STABLE_S)
    last: list[float] | None = None
    while not give_up.passed:
        view = await tab.frame_at(target.frame)
        if view is None:
            return
        seen = await ask(view, "aim", {})
        box = bounds(view.place, seen["rect"]) if "rect" in seen else [0.0]
        if (
            last is not None
            and len(box) == len(last)
            and all(math.isclose(a, b, abs_tol=0.5) for a, b in zip(box, last, strict=True))
        ):
            return
        last = box
        await tab.waits.pause(_AGAIN_S)
