"""Giving a native widget a value: the list of a select, sliders, dates, colours."""

from __future__ import annotations

import asyncio
from typing import Any

from tools.browser.acting import rhythm
from tools.browser.acting.act import Act
from tools.browser.acting.aiming import Aim, Missed
from tools.browser.acting.pointer import approach, press
from tools.browser.actions import Select, SetValue, Upload
from tools.browser.faults import CommandRefused
from tools.browser.marking.world import ask

_ARROWS = 40
"""More steps than this through a native list nobody walks with the arrow keys."""
_TAKEN_S = 1.0
_SLIDER_STEPS = 6
_CHOOSER_S = 1.5
"""How long a press may take to open a file chooser."""


async def give(act: Act, action: Select | SetValue | Upload) -> None:
    """Choose an option, set a value, choose files. Raises `Missed`."""
    match action:
        case Select():
            await select(act, action)
        case SetValue():
            await set_value(act, action)
        case Upload():
            await upload(act, action)


async def select(act: Act, action: Select) -> None:
    """Open the list by a click, walk to the option with the arrow keys, take it with Enter: one trusted `input` and `change`.

    Lists that are always open, and ways longer than anybody walks, are set through the element, which tells the page of it with
    the same two events. Raises `Missed`.
    """
    aim = await approach(act, action.target)
    wanted = await ask(aim.view, "options", {"value": action.value})
    if wanted["problem"]:
        raise Missed(wanted["problem"])
    if wanted["listed"] or abs(wanted["steps"]) > _ARROWS or wanted["chosen"] < 0:
        act.began = True
        await ask(aim.view, "choose", {"index": wanted["index"]})
        act.hit = action.target.selector
        act.note("chosen by script as its list would: focus, then input and change events")
        return
    await act.pace.rest(rhythm.dwell_ms(act.rng))
    await press(act, aim)
    keyboard = act.keyboard()
    try:
        await act.pace.rest(150)
        for _ in range(abs(wanted["steps"])):
            await keyboard.press("ArrowDown" if wanted["steps"] > 0 else "ArrowUp", 45)
            await act.pace.rest(60)
        await keyboard.press("Enter", 50)
    finally:
        await keyboard.release()
    await _make_sure(act, aim, wanted)


async def _make_sure(act: Act, aim: Aim, wanted: dict[str, Any]) -> None:
    """The list has taken the option; if it has not within a second, the element is told as its list would tell it."""
    give_up = asyncio.get_running_loop().time() + _TAKEN_S
    while True:
        try:
            picker = await ask(aim.view, "picker")
        except CommandRefused:
            return  # choosing it led to another page
        if picker["gone"] or (picker["value"] == wanted["value"] and not picker["open"]):
            return
        if asyncio.get_running_loop().time() > give_up:
            break
        await asyncio.sleep(0.02)
    if picker["open"]:
        await close_picker(act, aim)
    if picker["value"] != wanted["value"]:
        await ask(aim.view, "choose", {"index": wanted["index"]})
        act.note("the arrow keys did not reach the option; chosen by script")


async def close_picker(act: Act, aim: Aim) -> None:
    """Close a native list or picker that a click has opened: it lies outside the page and would swallow the next press."""
    try:
        is_open = (await ask(aim.view, "picker"))["open"]
    except CommandRefused:
        return
    if is_open:
        keyboard = act.keyboard()
        await keyboard.press("Escape", 50)
        await keyboard.release()
        act.note("its native picker opened and was closed again")


async def set_value(act: Act, action: SetValue) -> None:
    """What the native widget does in the end: the pointer on it, focus, the element's own setter, `input` and `change` events.

    A slider passes a few values on its way, each with an `input` event. Raises `Missed`.
    """
    aim = await approach(act, action.target)
    act.began = True
    done = await ask(aim.view, "setValue", {"value": action.value, "steps": _SLIDER_STEPS})
    if done["problem"]:
        raise Missed(done["problem"])
    act.hit = action.target.selector
    if done["value"] != action.value:
        act.note(f"the widget made {done['value']!r} of {action.value!r}")


async def upload(act: Act, action: Upload) -> None:
    """Press what opens a file chooser and choose files in it, as a person does. Raises `Missed` where none opens."""
    tab, opened = act.tab, list[dict[str, Any]]()

    def hear(event: dict[str, Any]) -> None:
        opened.append(event)

    tab.cdp.on("Page.fileChooserOpened", hear)
    tab.choosing_files = True
    try:
        # Without `cancel` the chooser waits to be answered, and nothing is shown.
        await tab.send("Page.setInterceptFileChooserDialog", {"enabled": True})
        await press(act, await approach(act, action.target))
        late = tab.waits.deadline(_CHOOSER_S)
        while not opened and not late.passed:
            await tab.waits.pause(0.02)
        if not opened:
            raise Missed("no file chooser opened")
        given = {"files": list(action.files), "backendNodeId": opened[0]["backendNodeId"]}
        await tab.send("DOM.setFileInputFiles", given)
    finally:
        tab.cdp.remove_listener("Page.fileChooserOpened", hear)
        tab.choosing_files = False
        await tab.send("Page.setInterceptFileChooserDialog", {"enabled": True, "cancel": True})
