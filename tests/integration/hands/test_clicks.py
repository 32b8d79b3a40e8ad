"""Clicks land where they are meant, whatever lies between: scrolled, zoomed, turned, framed, shadowed, drawn, moving."""

from __future__ import annotations

import contextlib

import pytest
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tests.integration.aims import AIMED, aims, press
from tests.integration.looking import Scene, Way
from tools.browser.actions import Click, Target

PLAIN = [
    "stuck", "plain", "tiny", "zoomed", "less", "turned", "slides", "wrapped", "in-top", "in-low", "in-far", "s1", "s2", "s3",
    "clipped", "deep-down", "moving", "last",
]  # fmt: skip
TARGETS = [
    *((Target(selector=f"#{name}"), name) for name in PLAIN),
    (Target(selector="#closed >>> button"), "shadow-closed"),
    (Target(selector="#open >>> button"), "shadow-open"),
    *(
        (Target(selector=f"#{end}", frame=f"#{frame}"), f"{frame}-{end}")
        for frame in ("near", "other", "small", "nested")
        for end in "az"
    ),
    (Target(selector="#paint", dx=-0.4, dy=0.3), "paint 20,96"),
    (Target(selector="#paint", dx=0.25), "paint 150,60"),
    (Target(selector="label"), "check"),
]


async def heard(scene: Scene) -> list[str]:
    """What the targets have said since the last time; messages out of frames take a moment."""
    with contextlib.suppress(PlaywrightTimeout):
        await scene.stage.page.wait_for_function("log.length > 0", timeout=1500)
    return await scene.script("log.splice(0)")


async def click_all(scene: Scene, way: Way, targets: list[tuple[Target, str]], rounds: int) -> tuple[int, list[str]]:
    """Click the targets, forwards and backwards in turn; how many clicks, and what went wrong."""
    await scene.open("targets.html")
    hands = scene.hands(way)
    count, misses = 0, []
    for number in range(rounds):
        for target, wanted in targets if number % 2 == 0 else reversed(targets):
            done = await hands.perform(Click(target=target))
            got = await heard(scene)
            count += 1
            if got != [wanted] or not done.delivered or done.problem:
                misses.append(f"{wanted}: {got} {done}")
    return count, misses


@pytest.mark.parametrize(("way", "first"), [("xtest", 0), ("cdp", 1)])
async def test_every_click_hits_its_target_and_nothing_else(scene: Scene, way: Way, first: int) -> None:
    """31 targets far apart on one page; each way has every second one, and all of them in the long test."""
    count, misses = await click_all(scene, way, TARGETS[first::2], 1)
    assert count == 16 - first
    assert not misses


@pytest.mark.long
@pytest.mark.parametrize("way", ["xtest", "cdp"])
async def test_two_hundred_clicks_without_a_miss(scene: Scene, way: Way) -> None:
    """The same in seven rounds: 217 clicks."""
    count, misses = await click_all(scene, way, TARGETS, 7)
    assert count >= 200
    assert not misses


@pytest.mark.parametrize(("way", "first"), [("xtest", 0), ("cdp", 3)])
async def test_targets_in_odd_places_are_hit(scene: Scene, way: Way, first: int) -> None:
    """All 70 of the page are seen, and every tenth is pressed by either way; 500 presses are `tests/benchmarks/clicks`."""
    found = await aims(scene, "aims.html")
    assert len(found) == AIMED["aims.html"]
    presses = [await press(scene, way, aim) for aim in found[first::10]]
    assert [item for item in presses if not item.good] == []


@pytest.mark.long
async def test_targets_in_frames_in_zoomed_and_turned_frames_are_hit(scene: Scene) -> None:
    """The engine reports places inside a zoomed iframe in pixels of that frame's size."""
    found = await aims(scene, "aims.html?zoomed")
    zoomed = [aim for aim in found if aim.name in {"zoom-same-in.end", "turned-cross-in.top"}]
    assert len(zoomed) == 2
    presses = [await press(scene, "xtest", aim) for aim in zoomed]
    assert [item for item in presses if not item.good] == []


@pytest.mark.parametrize("way", ["xtest", "cdp"])
async def test_buttons_and_counts(scene: Scene, way: Way) -> None:
    """A double click is one, a right click opens no menu of the browser's own, a middle click is told apart."""
    await scene.open("deeds.html")
    await scene.act(way, Click(target=Target(selector="#button"), count=2))
    assert await scene.script("log.splice(0)") == [
        ["click", "button", True],
        ["click", "button", True],
        ["dblclick", "button", True],
    ]
    await scene.act(way, Click(target=Target(selector="#context"), button="right"))
    assert await scene.script("log.splice(0)") == [["contextmenu", "context", True], ["auxclick", "context", True]]
    done = await scene.act(way, Click(target=Target(selector="#button"), button="middle"))
    assert (done.delivered, done.problem) == (True, "")
    assert await scene.script("log.splice(0)") == [["auxclick", "button", True]]


async def test_a_link_around_a_button_is_pressed(scene: Scene) -> None:
    """As component libraries nest them: what is pressed in it goes where the link leads."""
    await scene.open("targets.html")
    link = "<a id=around href='#there'><button type=button>Go</button></a>"
    await scene.script(f"document.body.insertAdjacentHTML('afterbegin', \"{link}\")")
    done = await scene.hands("cdp").perform(Click(target=Target(selector="#around")))
    assert (done.delivered, done.problem) == (True, "")
    assert await scene.script("location.hash") == "#there"
