"""The hands: one human act at a time, moved, pressed and typed with human rhythm, and what it really hit.

Two ways: XTEST, the real pointer and keyboard of the run's display, and CDP, the browser's own protocol. An act never raises for
what the page does; it says whether it was delivered. `TabHung` and `TabCrashed` go through to the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from configs.settings import Settings, Size
from tools.browser.acting import rhythm
from tools.browser.acting.act import Act
from tools.browser.acting.aiming import Aim, Missed, Point, take_aim
from tools.browser.acting.keys import UnknownKey
from tools.browser.acting.listening import Listener, all_frames
from tools.browser.acting.navigation import navigate
from tools.browser.acting.pace import Pace
from tools.browser.acting.pointer import HEARD_S, Unfelt, approach, drag, press, wheel
from tools.browser.acting.protocol import CdpInput
from tools.browser.acting.touch import touch
from tools.browser.acting.values import close_picker, give
from tools.browser.acting.xtest import XTestInput
from tools.browser.actions import (
    Action,
    Click,
    Drag,
    Hover,
    Pinch,
    Press,
    Resize,
    Scroll,
    Select,
    SetValue,
    Swipe,
    Tap,
    Target,
    Type,
    Upload,
    Wait,
)
from tools.browser.clock.protocol import Clock
from tools.browser.faults import CommandRefused, TabBusy, TabCrashed, TabHung
from tools.browser.frames import FrameView
from tools.browser.marking.world import ask, prepare
from tools.browser.tab import Tab
from tools.errors import StageFault, UserError
from tools.one_time_codes import one_time_code
from tools.secrets import SECRETS

_ROLLS_OUT_S = 1.0


@dataclass(frozen=True)
class Performed:
    """How an act went, as the hands saw it."""

    delivered: bool
    """The page got what was meant for the target. False says nothing about the app."""
    problem: str
    """Why it was not delivered, or what was unusual about it; empty for an act like any other."""
    hit: str
    """Selector of what the press really hit, as the browser told the page."""
    started_ms: float
    ended_ms: float
    """App time."""
    point: Point | None
    """Where it was aimed, CSS px of the top viewport."""


class Hands:
    """Carries out actions on a tab. `display` is the X display that shows it, `:N`, if there is one.

    Raises `StageFault` if the settings ask for XTEST without a display.
    """

    def __init__(self, tab: Tab, clock: Clock, settings: Settings, display: str | None) -> None:
        if settings.hands == "xtest" and display is None:
            raise StageFault("The XTEST hands need a display and this stage has none.", hint="Use hands = auto.")
        self._tab = tab
        self._settings = settings
        self._headed = display is not None
        self._display = display if settings.hands != "cdp" else None
        self._pace = Pace(clock, settings.rhythm)
        self._rng = np.random.default_rng(settings.seed)
        self._protocol = CdpInput(tab, patient=settings.rhythm == 0)
        self._screen = XTestInput(self._display, self._protocol) if self._display is not None else None

    @property
    def backend(self) -> str:
        """`xtest` or `cdp`: the way acts go while the page fills its window."""
        return "xtest" if self._display is not None else "cdp"

    async def perform(self, action: Action) -> Performed:
        """Carry out one act. Never raises for what the page does; raises `TabHung` and `TabCrashed`."""
        started_ms = self._pace.now_ms()
        with self._pace.hurrying(asking=True):
            await prepare(self._tab)
        act = Act(self._tab, self._device(), self._pace, self._rng)
        delivered, problem = True, ""
        try:
            async with act.device:
                try:
                    await self._carry_out(action, act)
                finally:
                    if act.held is not None:
                        await act.device.let_go(act.held, 1)
        except (TabHung, TabCrashed):
            raise
        except (Missed, UnknownKey) as reason:
            delivered, problem = False, str(reason)
        except (TabBusy, CommandRefused) as reason:
            # The page went away or was busy under the act: if something was pressed, that may well have been the cause.
            delivered, problem = act.began, reason.message
        note = "; ".join(dict.fromkeys(text for text in (problem, *act.notes) if text))
        return Performed(delivered, note, act.hit, started_ms, self._pace.now_ms(), act.point)

    def close(self) -> None:
        """Nothing more will be done. Idempotent."""
        if self._screen is not None:
            self._screen.close()

    def _device(self) -> CdpInput | XTestInput:
        # A viewport other than the window's own is drawn scaled or cut, so that a screen's pixel is not the page's.
        return self._protocol if self._screen is None or self._tab.viewport is not None else self._screen

    async def _carry_out(self, action: Action, act: Act) -> None:
        match action:
            case Click():
                await self._click(action, act)
            case Hover():
                await approach(act, action.target)
                await self._pace.rest(180)
            case Type():
                await self._type(action, act)
            case Press():
                await self._press_keys(action, act)
            case Select() | SetValue() | Upload():
                await give(act, action)
            case Drag():
                await drag(act, action)
            case Tap() | Swipe() | Pinch():
                await touch(act, action)
            case Scroll():
                await self._scroll(action, act)
            case Wait():
                await self._pace.until(self._pace.now_ms() + action.ms)
            case Resize():
                size = Size(width=action.width, height=action.height)
                await self._tab.resize(None if self._headed and size == self._settings.viewport else size)
            case _:
                await navigate(self._tab, action, self._settings.timeouts.navigate_s)

    async def _click(self, action: Click, act: Act) -> None:
        aim = await self._come_to(action.target, act)
        for count in range(1, action.count + 1):
            if count > 1:
                await self._pace.rest(rhythm.between_clicks_ms(self._rng))
            try:
                heard = await press(act, aim, action.button, count)
            except Unfelt:
                # One press in a thousand is lost between Chromium's processes, and what lies over the page (an open list) may
                # take one for itself. A person sees that nothing happened and presses again.
                if count > 1:
                    raise
                aim = await self._come_to(action.target, act)
                act.note("pressed again, for nothing in the page felt the first press")
                heard = await press(act, aim, action.button, count)
            if heard.replaced:
                return
        if action.button == "left" and aim.tag in {"select", "input"}:
            await close_picker(act, aim)

    async def _come_to(self, target: Target, act: Act) -> Aim:
        """Bring the pointer onto a target and make sure; what moves is not waited on."""
        with self._pace.hurrying(asking=True):
            aim = await approach(act, target)
            if not aim.moving:
                await self._pace.rest(rhythm.dwell_ms(self._rng))
        return aim

    async def _scroll(self, action: Scroll, act: Act) -> None:
        with self._pace.hurrying(asking=True):
            view = (await self._tab.frames())[0]
            if action.target is not None:
                act.point = (await take_aim(self._tab, action.target, None)).point
            else:
                window = await ask(view, "window")
                act.point = window["width"] / 2, window["height"] / 2
            await wheel(act, act.point, action.dx, action.dy)
            await self._come_to_rest(view, act.point)

    async def _come_to_rest(self, view: FrameView, point: Point) -> None:
        """Smooth scrolling runs on after the wheel has stopped: wait until it has ended, at most a second."""
        give_up = self._tab.waits.deadline(_ROLLS_OUT_S)
        last: list[float] | None = None
        equal = 0
        while equal < 3 and not give_up.passed:
            now = await ask(view, "scrolledAt", list(point))
            equal = equal + 1 if now == last else 0
            last = now
            await self._tab.waits.pause(0.03)

    async def _press_keys(self, action: Press, act: Act) -> None:
        listener = await Listener.listen(await all_frames(self._tab))
        keyboard = act.keyboard()
        try:
            for number, name in enumerate(action.keys):
                if number:
                    await self._pace.until(self._pace.now_ms() + action.gap_ms)
                await keyboard.press(name, action.hold_ms)
                act.began = True
        finally:
            await keyboard.release()
        if action.keys:
            heard = await listener.wait_for(len(action.keys), "keydown", timeout_s=HEARD_S)
            act.hit = heard.hit
            if not heard.count and not heard.replaced:
                raise Missed("the page felt no key")

    async def _type(self, action: Type, act: Act) -> None:
        text = await _to_type(action)
        held = await self._enter_field(action, act)
        keyboard = act.keyboard()
        try:
            if action.clear and held:
                with self._pace.hurrying():
                    await keyboard.press("Control+a", 50)
                    await self._pace.rest(60)
                    # What is selected is typed over, as people do: an app may fill a field that was emptied at once ("1").
                    if not text or held == "parts":
                        await keyboard.press("Backspace", 50)
                        await self._pace.rest(120)
            act.began = True
            await keyboard.type(text)
            if action.submit:
                await self._pace.rest(150)
                await keyboard.press("Enter", 60)
        finally:
            await keyboard.release()

    async def _enter_field(self, action: Type, act: Act) -> Literal["", "text", "parts"]:
        """Click into the field that is given; what it, or what has the focus, holds. A date's parts can't be selected at once."""
        if action.target is None:
            told = [await ask(view, "focus") for view in await self._tab.frames()] if action.clear else []
            focus = next((each_focus for each_focus in told if each_focus["page"] and each_focus["typing"]), None)
            return _held(focus) if focus is not None else ""
        aim = await self._come_to(action.target, act)
        await press(act, aim)
        if action.names:
            await ask(aim.view, "mask")
        focus = await ask(aim.view, "focus")
        if not focus["onTarget"] and not focus["typing"]:
            act.note("it did not take the keyboard focus")
        return _held(focus)


def _held(focus: Mapping[str, bool]) -> Literal["", "text", "parts"]:
    return "" if focus["empty"] else "parts" if focus["parts"] else "text"


async def _to_type(action: Type) -> str:
    """What the keys say: the text, or the secret that it names. Raises `Missed` for a secret that this run does not know."""
    if not action.names:
        return action.text
    try:
        return await one_time_code(action.text) if action.names == "code" else SECRETS.value(action.text)
    except UserError as unknown:
        raise Missed(unknown.message) from unknown
