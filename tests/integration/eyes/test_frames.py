"""Marks inside frames: places, what shows of them, what lies over them, reading order."""

from __future__ import annotations

import pytest

from tests.integration.looking import Scene
from tools.browser.marks import Mark, Observation


def in_frame(seen: Observation, frame: str) -> dict[str, Mark]:
    """The marks of one frame by name."""
    return {mark.name: mark for mark in seen.marks if mark.frame == frame}


async def look(scene: Scene) -> Observation:
    """The page with frames of all kinds."""
    await scene.open("frames.html")
    return await scene.stage.observe("frames")


@pytest.mark.parametrize("frame", ["near", "far", "scaled", "zoomed", "turned"])
async def test_a_press_at_a_marks_point_reaches_it(scene: Scene, frame: str) -> None:
    """Same-site and cross-site frames with border and padding; scaled, zoomed and turned by a transform."""
    mark = in_frame(await look(scene), f"#{frame}")[f"Inner {frame}"]
    assert mark.in_view
    assert not mark.covered
    for kind in ("mousePressed", "mouseReleased"):
        x, y = mark.point
        given = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        await scene.stage.tab.send("Input.dispatchMouseEvent", given)
    view = await scene.stage.tab.frame_at(f"#{frame}")
    assert view is not None
    assert view.cross_site == (frame in {"far", "turned"})
    assert await view.frame.evaluate("hits") == ["b"]


async def test_frames_inside_frames_are_composed(scene: Scene) -> None:
    """A frame in a frame, also below a cross-site one; the inner one's boxes take both borders in."""
    seen = await look(scene)
    for outer in ("near", "far"):
        deep = in_frame(seen, f"#{outer} >>> html > body > iframe")["Inner deep"]
        beside = in_frame(seen, f"#{outer}")[f"Inner {outer}"]
        assert deep.box.x > beside.box.x + beside.box.width
        assert deep.in_view


async def test_what_is_out_of_a_frames_sight_and_what_is_covered_from_outside(scene: Scene) -> None:
    """Scrolled out of the frame, frame out of the page's sight, and an element of the page over the frame."""
    seen = await look(scene)
    assert not in_frame(seen, "#near")["Low near"].in_view
    assert not in_frame(seen, "#low")["Inner low"].in_view
    under = in_frame(seen, "#under")["Inner under"]
    assert (under.in_view, under.covered) == (True, True)


async def test_text_and_marks_of_frames_stand_where_the_frame_stands(scene: Scene) -> None:
    """One reading order over all frames."""
    seen = await look(scene)
    order = [seen.text.index(word) for word in ("Outside", "Inner near", "Inner far", "Inner scaled", "Inner low", "End")]
    assert order == sorted(order)
    assert seen.marks[0].name == "Outside"
    assert [mark.frame for mark in seen.marks[1:3]] == ["#near", "#near"]
