"""Documents that are no ordinary page are looked at like any other."""

from __future__ import annotations

import pytest

from tests.integration.looking import Scene
from tools.browser.actions import Click, Target


@pytest.mark.parametrize(
    ("page", "marks"),
    [
        ("odd.svg", [("link", "Away"), ("clickable", "")]),
        ("rootless.html", []),
        ("nested.html", [("button", "In srcdoc"), ("button", "Sandboxed"), ("button", "From data")]),
    ],
)
async def test_odd_documents(scene: Scene, page: str, marks: list[tuple[str, str]]) -> None:
    """A drawing, a document without a root, frames of opaque origin: seen, and pressed where there is something to press."""
    await scene.open(page)
    seen = await scene.stage.observe("odd")
    assert [(mark.role, mark.name) for mark in seen.marks] == marks
    for mark in reversed(seen.marks):
        done = await scene.act("xtest", Click(target=Target.of(mark)))
        assert (done.delivered, done.problem) == (True, "")


async def test_a_frameset(scene: Scene) -> None:
    """Frames of the old kind are frames."""
    await scene.open("frameset.html")
    seen = await scene.stage.observe("frameset")
    assert [mark.name for mark in seen.marks if mark.frame.endswith("frame:nth-of-type(2)")] == ["Inner deep", "Low deep"]
