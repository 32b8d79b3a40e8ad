"""What is done with the mouse: go there, press, drag, turn the wheel; and make sure that the page felt it where it was meant."""

from __future__ import annotations

import math
from dataclasses import replace

from tools.browser.acting import rhythm
from tools.browser.acting.act import Act
from tools.browser.acting.aiming import Aim, Missed, Point, Wheel, take_aim
from tools.browser.acting.listening import Heard, Listener, all_frames
from tools.browser.acting.protocol import Button
from tools.browser.acting.xtest import XTestInput
from tools.browser.actions import Drag, Target

DRAG_MOVES = 12
"""Least number of moves of a drag, however short."""
HEARD_S = 1.0
"""How long the page may take to feel a press or a key."""
LATE_S = 2.0
"""How much longer on a machine that has much else to do, before a press counts as not felt."""
_WHEEL_RESTS_S = 0.7
_DOUBLE_CLICK_S = 0.6
_SLOWEST_DRAG = 0.4
"""Share of a person's time that a drag takes at least."""
_HASTY_MOVES = 6
"""Moves on a way that is gone without rhythm."""
_REST_S = 1.0
_LEAD_S = 0.02
"""From the last look at a moving target to the press."""


class Unfelt(Missed):
    """No frame of the page felt the press: it was lost on the way, or something that is not the page took it."""


async def go(act: Act, to: Point, width_px: float, *, dragging: bool = False) -> None:
    """Move the pointer to a point, as fast as a person would reach a target of that width."""
    steps = rhythm.path(act.device.position, to, width_px, act.rng, dragging=dragging)
    if dragging and len(steps) < DRAG_MOVES:
        steps = rhythm.straight(act.device.position, to, DRAG_MOVES, steps[-1].at_ms)
    # A native drag is a conversation between programs: nobody drops what has not yet been picked up.
    rhythm_now = max(act.pace.rhythm, _SLOWEST_DRAG) if dragging else act.pace.rhythm
    if not rhythm_now:
        every = max(1, len(steps) // _HASTY_MOVES)
        steps = [*steps[every - 1 : -1 : every], steps[-1]]
    began_ms = act.pace.now_ms()
    with act.pace.hurrying():
        for step in steps:
            await act.pace.until(began_ms + step.at_ms * rhythm_now)
            await act.device.move(step.x, step.y)


async def wheel(act: Act, at: Point, dx: float, dy: float) -> None:
    """Put the pointer at a point and turn the wheel there by that many CSS px."""
    if math.dist(act.device.position, at) > 4:
        await go(act, at, 120)
    wheeled_s, where = act.protocol.wheeled
    if math.dist(where, at) > 4:
        # A browser goes on scrolling what it has been scrolling until the wheel has rested for half a second.
        await act.tab.waits.pause(max(0.0, wheeled_s + _WHEEL_RESTS_S - act.tab.waits.now_s()))
    for total, sideways in ((dy, False), (dx, True)):
        for pause_ms, turn in rhythm.wheel_turns(total, act.rng):
            await act.pace.rest(pause_ms)
            await act.device.wheel(turn if sideways else 0.0, 0.0 if sideways else turn)
    await act.device.settle()
    act.protocol.wheeled = act.tab.waits.now_s(), at


async def approach(act: Act, target: Target) -> Aim:
    """Bring the pointer onto the target and keep it there until the target rests, at most a second. Raises `Missed`."""

    async def turn(at: Point, dx: float, dy: float) -> None:
        await wheel(act, at, dx, dy)

    with act.pace.hurrying(asking=True):
        first = await take_aim(act.tab, target, turn)
        await go(act, first.point, first.size_px)
        aim, seen_s = await take_aim(act.tab, target, turn), act.tab.waits.now_s()
        rests = await _at_rest(act, first, aim)
    if not rests:
        # What moves would be further away by the time it is pressed.
        with act.pace.unhurried():
            aim = await _follow(act, target, turn, aim, seen_s)
    act.point = aim.point
    act.note(aim.note)
    await act.device.settle()
    return aim


async def _at_rest(act: Act, before: Aim, now: Aim) -> bool:
    """Whether the target was in one place in both looks; the pointer is on it then."""
    if math.dist(before.point, now.point) >= 1 or math.dist(before.box, now.box) >= 1:
        return False
    if math.dist(act.device.position, now.point) > 1:
        await go(act, now.point, now.size_px)
    return True


async def _follow(act: Act, target: Target, wheel: Wheel, aim: Aim, seen_s: float) -> Aim:
    """Coming near has changed things: menus open on hover, cards rise, what moves has moved on. Stay on it until it rests."""
    clock, give_up = act.tab.waits.now_s, act.tab.waits.deadline(_REST_S)
    while True:
        await go(act, aim.point, aim.size_px)
        await act.tab.waits.pause(0.02)
        before, before_s = aim, seen_s
        aim, seen_s = await take_aim(act.tab, target, wheel), clock()
        if await _at_rest(act, before, aim):
            return aim
        if give_up.passed:
            aim = _lead(before, aim, seen_s - before_s, clock() - seen_s + _LEAD_S)
            await act.device.move(*aim.point)
            return aim


def _lead(before: Aim, now: Aim, apart_s: float, ahead_s: float) -> Aim:
    """Aim at where a target that does not come to rest will be in a moment."""
    share = ahead_s / max(apart_s, 1e-3)
    point = now.point[0] + (now.point[0] - before.point[0]) * share, now.point[1] + (now.point[1] - before.point[1]) * share
    return replace(now, point=point, moving=True)


async def press(act: Act, aim: Aim, button: Button = "left", count: int = 1) -> Heard:
    """One press and release on the target; what the page felt of it.

    Raises `Missed` if it hit something else, `Unfelt` if it hit nothing in any frame.
    """
    if count == 1:
        await _apart(act)
    listener = await Listener.listen([aim.view])
    around = await Listener.listen([view for view in await all_frames(act.tab) if view.path != aim.view.path])
    with act.pace.unhurried():  # a press that the page takes long to answer must not become a long press
        hold_until_ms = act.pace.now_ms() + rhythm.press_ms(act.rng) * act.pace.rhythm
        heard = await _button_down(act, listener, button, count)
        await act.pace.until(hold_until_ms)
        await _button_up(act, button, count)
    if not heard.count and not heard.replaced and not aim.disabled:
        heard = await listener.wait_for(1, "pointerdown", timeout_s=LATE_S)
        act.hit = heard.hit or act.hit
    # The release is waited for where nothing acknowledges it; an open list keeps it for itself.
    if isinstance(act.device, XTestInput) and heard.count and aim.tag != "select":
        with act.pace.hurrying(asking=True):
            await listener.wait_for(1, "pointerup", "click", timeout_s=HEARD_S)
    if heard.count and not heard.on_target:
        raise Missed(f"the press landed on {heard.hit} instead")
    if not heard.count and not heard.replaced:
        if not aim.disabled:
            elsewhere = await around.heard("pointerdown")
            if elsewhere.count:
                raise Missed(f"the press landed on {elsewhere.hit} in another frame instead")
            raise Unfelt("the page felt no press")
        act.note("it is disabled")
    return heard


async def drag(act: Act, action: Drag) -> None:
    """Press, move, let go. Native drags (`draggable`) and drags by pointer events both work. Raises `Missed`."""
    aim = await approach(act, action.target)
    end, width_px = (aim.point[0] + action.by[0], aim.point[1] + action.by[1]), aim.size_px
    if action.to is not None:
        try:
            drop = await take_aim(act.tab, action.to, None)
        except Missed as reason:
            raise Missed(f"the place to drop it: {reason}") from reason
        end, width_px = drop.point, drop.size_px
        # Finding the drop place made it the target that presses are compared with; back to what is dragged.
        aim = await take_aim(act.tab, action.target, None)
    await _apart(act)
    listener = await Listener.listen([aim.view])
    await act.device.begin_drag()
    try:
        heard = await _button_down(act, listener, "left", 1)
        if heard.count and not heard.on_target:
            raise Missed(f"the press landed on {heard.hit} instead")
        await act.pace.rest(90)
        for offset in action.via:
            await go(act, (aim.point[0] + offset[0], aim.point[1] + offset[1]), width_px, dragging=True)
        await go(act, end, width_px, dragging=True)
        await act.pace.rest(120)
        await act.device.settle()
        native = (await listener.heard("dragstart")).count > 0
        if native and isinstance(act.device, XTestInput):
            await _hold_over(act, end)
        await _button_up(act, "left", 1)
        if isinstance(act.device, XTestInput):
            await listener.wait_for(1, "dragend" if native else "pointerup", timeout_s=HEARD_S)
    finally:
        await act.device.end_drag()
    if not heard.count and not heard.replaced:
        raise Missed("the page felt no press")


async def _hold_over(act: Act, end: Point) -> None:
    """Stay over the drop place until the page has felt what is dragged there, moving a pixel now and then as a hand does."""
    listener = await Listener.listen(await all_frames(act.tab))
    for number in range(12):
        await act.device.move(end[0] + number % 2, end[1])
        if (await listener.wait_for(2, "dragover", timeout_s=0.1)).count >= 2:
            break
    await act.device.move(*end)


async def _apart(act: Act) -> None:
    """Two single clicks at one place in quick succession would be taken for a double click: let time pass between them."""
    pressed_s, where = act.protocol.pressed
    if isinstance(act.device, XTestInput) and math.dist(where, act.device.position) < 8:
        with act.pace.hurrying():
            await act.tab.waits.pause(max(0.0, pressed_s + _DOUBLE_CLICK_S - act.tab.waits.now_s()))


async def _button_down(act: Act, listener: Listener, button: Button, count: int) -> Heard:
    act.began = True
    act.protocol.pressed = act.tab.waits.now_s(), act.device.position
    await act.device.press(button, count)
    act.held = button
    heard = await listener.wait_for(1, "pointerdown", timeout_s=HEARD_S)
    act.hit = heard.hit or act.hit
    return heard


async def _button_up(act: Act, button: Button, count: int) -> None:
    await act.device.let_go(button, count)
    act.held = None
    await act.device.settle()
