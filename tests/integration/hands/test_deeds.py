"""Dragging, choosing, setting, scrolling, hovering, waiting, travelling."""

from __future__ import annotations

import pytest

from tests.integration.looking import Scene, Way
from tools.browser.actions import Click, Drag, GoBack, Goto, Hover, Reload, Resize, Scroll, Select, SetValue, Target, Wait

WAYS = pytest.mark.parametrize("way", ["xtest", "cdp"])


@WAYS
async def test_native_drag_and_drop(scene: Scene, way: Way) -> None:
    """A `draggable` element is dropped on a place that takes it."""
    await scene.open("deeds.html")
    done = await scene.act(way, Drag(target=Target(selector="#source"), to=Target(selector="#place")))
    assert (done.delivered, done.problem, done.hit) == (True, "", "#source")
    await scene.stage.settle(1.0)
    assert await scene.script("place.textContent") == "dropped"
    kinds = [entry[0] for entry in await scene.script("log")]
    assert kinds.count("dragstart") == kinds.count("drop") == 1


@WAYS
async def test_native_drag_and_drop_inside_frames(scene: Scene, way: Way) -> None:
    """In a zoomed iframe and in one of another site; what is carried arrives."""
    await scene.open("dropping-frames.html")
    for frame in ("#near", "#far"):
        done = await scene.act(way, Drag(target=Target(selector="#from", frame=frame), to=Target(selector="#into", frame=frame)))
        assert (done.delivered, done.problem) == (True, "")
        await scene.stage.page.wait_for_function("log.length > 0", timeout=3000)
        assert await scene.script("log.splice(0)") == ["drop gift"]


@WAYS
async def test_drag_by_pointer_events(scene: Scene, way: Way) -> None:
    """An element that follows the pointer ends where it was let go, after at least twelve moves with the button down."""
    await scene.open("deeds.html")
    done = await scene.act(way, Drag(target=Target(selector="#pointer"), by=(133, 41)), rhythm=0.5)
    assert done.delivered
    assert await scene.script("[pointer.offsetLeft, pointer.offsetTop]") == [283, 361]
    held = await scene.script("moves.filter((move) => move[3] === 1).length")
    assert held >= 12


@WAYS
async def test_a_select_is_chosen_like_a_person_does(scene: Scene, way: Way) -> None:
    """By value or label, past a disabled option; one trusted input and one change; nothing stays open."""
    await scene.open("deeds.html")
    done = await scene.act(way, Select(target=Target(selector="#select"), value="d"))
    assert (done.delivered, done.problem) == (True, "")
    assert await scene.script("select.value") == "d"
    told = [entry for entry in await scene.script("log") if entry[0] in {"input", "change"}]
    assert told == [["input", "select", True], ["change", "select", True]]
    await scene.act(way, Select(target=Target(selector="#select"), value="Apple"))
    assert await scene.script("[select.value, select.matches(':open')]") == ["a", False]
    assert "disabled" in (await scene.act(way, Select(target=Target(selector="#select"), value="b"))).problem
    assert "no option" in (await scene.act(way, Select(target=Target(selector="#select"), value="zzz"))).problem
    done = await scene.act(way, Select(target=Target(selector="#many"), value="2"))
    assert done.delivered
    assert "by script" in done.problem
    assert await scene.script("many.value") == "2"


@WAYS
async def test_a_click_on_a_select_leaves_no_list_open(scene: Scene, way: Way) -> None:
    """The list lies outside the page; left open it would swallow the next press."""
    await scene.open("deeds.html")
    done = await scene.act(way, Click(target=Target(selector="#select")))
    assert done.delivered
    assert "picker" in done.problem
    await scene.script("log.length = 0")
    assert (await scene.act(way, Click(target=Target(selector="#button")))).delivered
    assert await scene.script("log") == [["click", "button", True]]


@WAYS
async def test_values_of_native_widgets(scene: Scene, way: Way) -> None:
    """Slider with values on the way, date, colour; what the widget made of a bad value is said."""
    await scene.open("deeds.html")
    for selector, value in (("#range", "70"), ("#date", "2026-03-04"), ("#colour", "#12ab34")):
        done = await scene.act(way, SetValue(target=Target(selector=selector), value=value))
        assert (done.delivered, done.problem) == (True, "")
        assert await scene.script(f"document.querySelector('{selector}').value") == value
    told = [entry[0] for entry in await scene.script("log") if entry[1] == "range"]
    assert told == ["input"] * 6 + ["change"]
    done = await scene.act(way, SetValue(target=Target(selector="#range"), value="900"))
    assert done.delivered
    assert "'100'" in done.problem


@WAYS
async def test_scrolling_is_exact_and_over_the_target(scene: Scene, way: Way) -> None:
    """The page by so many pixels; a box inside it only that box."""
    await scene.open("deeds.html")
    await scene.act(way, Scroll(dy=700))
    await scene.stage.settle(1.0)
    assert await scene.script("scrollY") == 700
    await scene.act(way, Scroll(dy=-250))
    await scene.stage.settle(1.0)
    assert await scene.script("scrollY") == 450
    await scene.open("deeds.html")
    await scene.act(way, Scroll(dy=300, dx=120, target=Target(selector="#scroller")))
    await scene.stage.settle(1.0)
    assert await scene.script("[scrollY, scroller.scrollTop, scroller.scrollLeft]") == [0, 300, 120]


async def test_a_wheel_turned_beyond_the_edge_goes_nowhere(scene: Scene) -> None:
    """Chromium takes such a turn for a touchpad's swipe back in history, unless it is told not to."""
    await scene.open("list.html")
    await scene.open("deeds.html")
    for _ in range(2):
        await scene.act("cdp", Scroll(dx=-1500))
    await scene.stage.settle(1.0)
    assert scene.stage.page.url.endswith("deeds.html")


@WAYS
async def test_hovering_rests_on_the_target(scene: Scene, way: Way) -> None:
    """The pointer is over it and nothing is pressed."""
    await scene.open("deeds.html")
    done = await scene.act(way, Hover(target=Target(selector="#button")))
    assert done.delivered
    await scene.stage.page.wait_for_function("button.matches(':hover')", timeout=2000)  # hands without rhythm wait for no page
    assert await scene.script("downs.length === 0")


async def test_waiting_lets_app_time_pass(scene: Scene) -> None:
    """Neither less nor much more than asked."""
    await scene.open("deeds.html")
    done = await scene.act("cdp", Wait(ms=300))
    assert done.delivered
    assert 299 <= done.ended_ms - done.started_ms < 900


async def test_travelling(scene: Scene) -> None:
    """Another address, back, reload, a phone's size and the desktop's again; an act still lands on the phone."""
    await scene.open("deeds.html")
    assert (await scene.act("cdp", Goto(url=scene.base + "whole.html"))).delivered
    assert scene.stage.page.url.endswith("whole.html")
    assert (await scene.act("cdp", GoBack())).delivered
    assert scene.stage.page.url.endswith("deeds.html")
    await scene.script("window.old = true")
    assert (await scene.act("cdp", Reload())).delivered
    assert await scene.script("window.old === undefined")
    assert (await scene.act("xtest", Resize(width=390, height=844))).delivered
    assert await scene.script("document.documentElement.clientWidth") == 390
    assert (await scene.act("xtest", Click(target=Target(selector="#button")))).delivered
    assert (await scene.act("xtest", Resize(width=1280, height=800))).delivered
    assert await scene.script("[innerWidth, innerHeight, devicePixelRatio]") == [1280, 800, 1]
    done = await scene.act("cdp", Goto(url="http://127.0.0.1:1/"))
    assert not done.delivered
    assert "did not load" in done.problem
