"""What could not be delivered is never taken for the app's failing, and nothing the page does stops the hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from configs.settings import Settings, Timeouts
from tests.integration.looking import Scene, Way, named
from tests.integration.looking import scene as open_scene
from tools.browser.actions import Click, Drag, Target
from tools.browser.faults import TabHung

WAYS = pytest.mark.parametrize("way", ["xtest", "cdp"])


@pytest.mark.parametrize(
    ("way", "selector", "problem"),
    [
        ("xtest", "#under", "covered by #lid"),
        ("cdp", "#under", "covered by #lid"),
        ("xtest", "#nothing", "nothing matches #nothing"),
        ("cdp", "#invisible", "not shown"),
    ],
)
async def test_what_cannot_be_pressed_is_not_delivered(scene: Scene, way: Way, selector: str, problem: str) -> None:
    """Covered, gone or invisible."""
    await scene.open("deeds.html")
    done = await scene.act(way, Click(target=Target(selector=selector)))
    assert not done.delivered
    assert problem in done.problem
    assert await scene.script("log.length") == 0


@WAYS
async def test_a_target_that_jumps_away_is_hit_or_said_to_be_missed(scene: Scene, way: Way) -> None:
    """Whatever chance makes of it, the hands know what they have hit."""
    await scene.open("deeds.html")
    for _ in range(2):
        await scene.script("downs.length = 0")
        done = await scene.act(way, Click(target=Target(selector="#dodge")))
        hit = [entry[2] for entry in await scene.script("downs") if entry[0] == "pointerdown"]
        assert done.delivered == (hit == ["dodge"])
        if not done.delivered:
            assert "instead" in done.problem


@WAYS
async def test_a_disabled_button_was_pressed_and_it_is_said(scene: Scene, way: Way) -> None:
    """The press is delivered; that nothing comes of it is no fault of the app's."""
    await scene.open("deeds.html")
    done = await scene.act(way, Click(target=Target(selector="#disabled")))
    assert done.delivered
    assert await scene.script("log.length") == 0


async def test_a_drop_place_that_is_gone(scene: Scene) -> None:
    """Nothing is dragged anywhere."""
    await scene.open("deeds.html")
    done = await scene.act("xtest", Drag(target=Target(selector="#source"), to=Target(selector="#gone")))
    assert not done.delivered
    assert "drop" in done.problem
    assert await scene.script("downs.length") == 0


@WAYS
async def test_a_target_that_was_rendered_anew_is_found_by_what_it_is(scene: Scene, way: Way) -> None:
    """Its selector leads elsewhere; role and name find it, and that is said."""
    await scene.open("list.html")
    seen = await scene.stage.observe("before")
    target = Target.of(named(seen, "About"))
    await scene.script("document.querySelector('nav').insertAdjacentHTML('afterbegin', '<a href=\"#new\">New</a> ')")
    done = await scene.act(way, Click(target=target))
    assert done.delivered
    assert "role and name" in done.problem
    await scene.stage.page.wait_for_url("**/list.html#about", timeout=5000)


@WAYS
async def test_a_click_that_leaves_the_page(scene: Scene, way: Way) -> None:
    """The document is replaced under the act."""
    await scene.open("deeds.html")
    done = await scene.act(way, Click(target=Target(selector="#leave")))
    assert done.delivered
    await scene.stage.page.wait_for_url("**/deeds.html?elsewhere", timeout=5000)


@WAYS
@pytest.mark.parametrize("selector", ["#alert", "#early"])
async def test_dialogs_in_the_middle_of_an_act(scene: Scene, way: Way, selector: str) -> None:
    """An alert stops the page between press and release; the guard answers, the act ends."""
    await scene.open("deeds.html")
    done = await scene.act(way, Click(target=Target(selector=selector)))
    assert done.delivered
    await scene.stage.settle(1.0)
    words = [entry[0] for entry in await scene.script("log")]
    assert ("alerted" if selector == "#alert" else "early") in words
    assert (await scene.act(way, Click(target=Target(selector="#button")))).delivered


@pytest.mark.parametrize("way", [pytest.param("xtest", marks=pytest.mark.long), "cdp"])
async def test_a_page_that_hangs_is_reported_as_hung(tmp_path: Path, scene: Scene, way: Way) -> None:
    """`for (;;)` in a click handler: `TabHung` comes through within the bound."""
    settings = Settings(timeouts=Timeouts(command_s=4.0))
    async with open_scene(scene.base, tmp_path / "run", settings) as own:
        await own.open("deeds.html")
        with pytest.raises(TabHung):
            await own.act(way, Click(target=Target(selector="#hang")))


async def test_a_press_that_an_open_list_took_is_done_again(scene: Scene) -> None:
    """A list that the page opened takes the next press for itself; the button is pressed once all the same, and it is said."""
    await scene.open("picker.html")
    assert (await scene.act("xtest", Click(target=Target(selector="#open")))).delivered
    done = await scene.act("xtest", Click(target=Target(selector="#go")))
    assert done.delivered
    assert "pressed again" in done.problem
    assert await scene.script("log") == ["go"]
