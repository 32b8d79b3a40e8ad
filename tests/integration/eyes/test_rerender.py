"""The same thing keeps its signature when a framework renders its view anew; repeated things share a group."""

from __future__ import annotations

from tests.integration.looking import Scene


async def test_signatures_survive_a_new_rendering(scene: Scene) -> None:
    """New elements, other class names and ids, a counter in a name, one more card in front."""
    await scene.open("list.html")
    before = await scene.stage.observe("before")
    await scene.script("render()")
    again = await scene.stage.observe("again")
    assert [mark.signature for mark in again.marks] == [mark.signature for mark in before.marks]
    await scene.script("names.push('Melon'); render()")
    more = await scene.stage.observe("more")
    assert {mark.signature for mark in before.marks} < {mark.signature for mark in more.marks}


async def test_groups_are_repeated_things_and_nothing_else(scene: Scene) -> None:
    """Buttons of like cards are one group; links of a menu and rows of a form stand alone."""
    await scene.open("list.html")
    seen = await scene.stage.observe("groups")
    groups = {mark.name: mark.group for mark in seen.marks}
    assert len([mark for mark in seen.marks if mark.group and mark.group == groups["Add to basket"]]) == 6
    for alone in ("Home", "About", "First", "Second", "Checkout (1)"):
        assert groups[alone] == "", alone


async def test_the_context_is_the_nearest_heading(scene: Scene) -> None:
    """Each card's button belongs to its card, what follows the cards to their section."""
    await scene.open("list.html")
    seen = await scene.stage.observe("contexts")
    assert [mark.context for mark in seen.marks if mark.name == "Add to basket"] == [
        "Apple",
        "Pear",
        "Plum",
        "Fig",
        "Kiwi",
        "Lime",
    ]
    assert next(mark for mark in seen.marks if mark.name.startswith("Checkout")).context == "Fruit"
