"""Fingers on the glass, through the browser's protocol: taps, swipes and pinches as on a phone.

No display has fingers, so there is one way only. The page gets touch and pointer events (`pointerType` `touch`), and the browser
makes of them what it makes of real ones: clicks, scrolling with momentum, zooming of the page.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tools.browser.acting import rhythm
from tools.browser.acting.act import Act
from tools.browser.acting.aiming import Aim, Missed, Point, take_aim
from tools.browser.acting.listening import Listener
from tools.browser.acting.pointer import HEARD_S
from tools.browser.actions import Pinch, Swipe, Tap, Target

RADIUS_PX = 11.5
"""Half of a fingertip on the glass (CSS px)."""
_SWIPE_MS, _PINCH_MS = 320.0, 450.0
_APART_PX = 160.0
"""Distance between two fingers that are spread wide."""
_CLOSEST_PX = 24.0


def tap_ms(rng: np.random.Generator) -> float:
    """How long a finger stays down in a tap; from half a second on it would be a long press."""
    return float(np.clip(rng.lognormal(math.log(80), 0.2), 50, 140))


async def touch(act: Act, action: Tap | Swipe | Pinch) -> None:
    """Carry out an act of the fingers. Raises `Missed`."""
    match action:
        case Tap():
            await tap(act, action)
        case Swipe():
            await swipe(act, action)
        case Pinch():
            await pinch(act, action)


async def tap(act: Act, action: Tap) -> None:
    """Touch the target and let go. Raises `Missed` if something else, or nothing, was touched."""
    aim = await _reach(act, action.target)
    listener = await Listener.listen([aim.view])
    await act.pace.rest(rhythm.dwell_ms(act.rng))
    for count in range(action.count):
        if count:
            await act.pace.rest(rhythm.between_clicks_ms(act.rng))
        await _send(act, "touchStart", [aim.point])
        await act.pace.rest(tap_ms(act.rng))
        await _send(act, "touchEnd", [])
    await _make_sure(act, aim, listener)


async def swipe(act: Act, action: Swipe) -> None:
    """Put a finger on the target, draw it along, and let go while it moves, as one flicks through a list. Raises `Missed`."""
    aim = await _reach(act, action.target)
    listener = await Listener.listen([aim.view])
    end = aim.point[0] + action.by[0], aim.point[1] + action.by[1]
    await _send(act, "touchStart", [aim.point])
    try:
        await _along(act, [[aim.point, end]], _SWIPE_MS)
    finally:
        await _send(act, "touchEnd", [])
    await _make_sure(act, aim, listener)


async def pinch(act: Act, action: Pinch) -> None:
    """Two fingers around the target's middle, moved apart (`scale` above 1) or together. Raises `Missed`."""
    aim = await _reach(act, action.target)
    listener = await Listener.listen([aim.view])
    wide = min(_APART_PX, min(aim.box[2], aim.box[3]) * 0.8)
    near = max(wide / max(action.scale, 1 / action.scale), _CLOSEST_PX)
    spans = (near, near * action.scale) if action.scale > 1 else (near / action.scale, near)
    x, y = aim.point
    ways: list[list[Point]] = [[(x + side * span / 2, y) for span in spans] for side in (-1, 1)]
    await _send(act, "touchStart", [way[0] for way in ways])
    try:
        await _along(act, ways, _PINCH_MS)
        await act.pace.rest(60)
    finally:
        await _send(act, "touchEnd", [])
    await _make_sure(act, aim, listener)


async def _reach(act: Act, target: Target) -> Aim:
    """Find the target where it is shown; what is out of sight is brought in by swipes over what scrolls."""

    async def scroll(at: Point, dx: float, dy: float) -> None:
        await _send(act, "touchStart", [at])
        # Browsers swallow the first few pixels before they take a touch for a scroll.
        await _along(act, [[at, (at[0] - dx, at[1] - dy)]], _SWIPE_MS, rest=True)
        await _send(act, "touchEnd", [])

    aim = await take_aim(act.tab, target, scroll)
    act.point = aim.point
    act.note(aim.note)
    return aim


async def _along(act: Act, ways: list[list[Point]], took_ms: float, *, rest: bool = False) -> None:
    """Move the fingers that are down along their ways, a step a frame. `rest` stops before they let go."""
    count = max(4, math.ceil(took_ms / rhythm.EVENT_MS))
    began_ms = act.pace.now_ms()
    for number in range(1, count + 1):
        share = number / count
        way = rhythm.minimum_jerk(share) if rest else share * (2 - share)
        await act.pace.until(began_ms + took_ms * share * act.pace.rhythm)
        await _send(act, "touchMove", [_between(start, end, way) for start, end in ways])
    if rest:
        await act.pace.rest(80)
        await _send(act, "touchMove", [end for _, end in ways])


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


async def _send(act: Act, kind: str, fingers: list[Point]) -> None:
    if kind == "touchStart":
        act.began = True
    points: list[dict[str, Any]] = [
        {"x": x, "y": y, "id": number, "radiusX": RADIUS_PX, "radiusY": RADIUS_PX, "force": 0.5}
        for number, (x, y) in enumerate(fingers)
    ]
    await act.tab.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def _make_sure(act: Act, aim: Aim, listener: Listener) -> None:
    heard = await listener.wait_for(1, "pointerdown", timeout_s=HEARD_S)
    act.hit = heard.hit
    if heard.count and not heard.on_target:
        raise Missed(f"the finger touched {heard.hit} instead")
    if not heard.count and not heard.replaced and not aim.disabled:
        raise Missed("the page felt no touch")
