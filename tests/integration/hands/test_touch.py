"""Fingers on a phone's screen: taps, swipes, pinches."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.integration.looking import Scene
from tools.browser.actions import Pinch, Resize, Swipe, Tap, Target


@pytest.fixture(autouse=True)
async def _phone(scene: Scene) -> AsyncIterator[None]:
    """The page on a phone's screen; the desktop's again afterwards."""
    await scene.open("touch.html")
    await scene.act("cdp", Resize(width=390, height=844))
    yield
    await scene.act("cdp", Resize(width=1280, height=800))


async def test_a_tap_is_a_touch_and_a_click(scene: Scene) -> None:
    """Trusted touch, pointer and click events on the target, in that order; a double tap is two."""
    done = await scene.act("xtest", Tap(target=Target(selector="#first")))
    assert (done.delivered, done.problem, done.hit) == (True, "", "#first")
    await scene.stage.page.wait_for_function("log.some((entry) => entry.startsWith('click'))", timeout=3000)
    assert await scene.script("log.splice(0)") == [
        "pointerdown first touch true",
        "touchstart first true",
        "touchend first true",
        "click first touch true",
    ]
    await scene.act("cdp", Tap(target=Target(selector="#first"), count=2))
    await scene.stage.page.wait_for_function("log.filter((entry) => entry.startsWith('click')).length === 2", timeout=3000)


async def test_a_tap_finds_what_must_be_scrolled_to(scene: Scene) -> None:
    """Far below on the page, low in a list, and inside a frame with a border: a finger brings it in and hits it."""
    await scene.script("log.length = 0")
    for selector, frame, wanted in (
        ("#last", "", "click last touch true"),
        ("#low", "", "click low touch true"),
        ("button", "#frame", "touched.top"),
    ):
        done = await scene.act("cdp", Tap(target=Target(selector=selector, frame=frame)))
        assert (done.delivered, done.problem) == (True, "")
        await scene.stage.page.wait_for_function(f"log.includes({wanted!r})", timeout=3000)


async def test_a_swipe_scrolls_what_is_under_the_finger(scene: Scene) -> None:
    """A row of cards sideways, and nothing else."""
    done = await scene.act("cdp", Swipe(target=Target(selector="#cards"), by=(-180, 0)), rhythm=1.0)
    assert done.delivered
    await scene.stage.settle(2.0)
    assert await scene.script("cards.scrollLeft") > 100
    assert await scene.script("scrollY") == 0


async def test_a_pinch_is_two_fingers(scene: Scene) -> None:
    """They move apart to twice the distance, and together to half."""
    for scale in (2.0, 0.5):
        await scene.script("spans.length = 0; fingers.clear()")
        done = await scene.act("cdp", Pinch(target=Target(selector="#pad"), scale=scale))
        assert (done.delivered, done.problem) == (True, "")
        assert await scene.script("spans.at(-1) / spans[0]") == pytest.approx(scale, rel=0.05)
        assert await scene.script("spans.length") >= 4
