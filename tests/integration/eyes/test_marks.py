"""What counts as a mark, what does not, and what is said about it."""

from __future__ import annotations

from tests.integration.looking import Scene, named
from tools.browser.actions import Click, Hover, Target

EXPECTED = [
    ("button", "Save"),
    ("button", "Close"),
    ("button", "Delete item"),
    ("button", "Two words"),
    ("button", "Send"),
    ("button", "Plain"),
    ("button", "Reset"),
    ("button", "Go picture"),
    ("button", "Cannot"),
    ("button", "Should not"),
    ("button", "Bold"),
    ("button", "More"),
    ("textbox", "Full name"),
    ("searchbox", "Search the shop"),
    ("textbox", "Secret"),
    ("textbox", "E-mail"),
    ("textbox", "Phone"),
    ("textbox", "Homepage"),
    ("spinbutton", "Amount"),
    ("slider", "Volume"),
    ("date", "Day"),
    ("time", "Hour"),
    ("datetime", "When"),
    ("datetime", "Month"),
    ("datetime", "Week"),
    ("color", "Colour"),
    ("button", "Upload"),
    ("combobox", "Fruit"),
    ("textbox", "Message"),
    ("textbox", "Rich text"),
    ("combobox", "Size"),
    ("listbox", "Toppings"),
    ("checkbox", "Newsletter"),
    ("radio", "Red"),
    ("radio", "Blue"),
    ("checkbox", "☐ Drawn box"),
    ("checkbox", "Hidden far away"),
    ("checkbox", "Dark mode"),
    ("checkbox", "Lies over"),
    ("link", "Plain link"),
    ("link", "Logo"),
    ("link", "Drawn link"),
    ("link", "Left half"),
    ("button", "Div button"),
    ("tab", "First tab"),
    ("tab", "Second tab"),
    ("slider", "Level"),
    ("switch", "Flip"),
    ("menuitem", "Open file"),
    ("option", "Rome"),
    ("option", "Oslo"),
    ("spinbutton", "Count"),
    ("treeitem", "Branch"),
    ("summary", "Details"),
    ("clickable", "Focusable text"),
    ("audio", "Unable to play media."),
    ("video", "Unable to play media."),
    ("canvas", "Drawing"),
    ("clickable", "Inline click"),
    ("clickable", "Heard click"),
    ("clickable", "Pressed down"),
    ("button", "Buy"),
    ("clickable", "Acting card Remove"),
    ("button", "Remove"),
    ("clickable", "Drag me"),
    ("clickable", "Grab me"),
    ("clickable", ""),
    *[("clickable", "")] * 9,
    ("clickable", "Alpha"),
    ("clickable", "Beta item"),
    ("clickable", "A1"),
    ("clickable", "B1"),
    ("clickable", "A2"),
    ("clickable", "B2"),
    ("button", "Outer inner"),
    ("button", "Under a lid"),
    ("button", "Open shadow"),
    ("link", "Deep link"),
    ("button", "Closed shadow"),
    ("clickable", "Closed listener"),
    ("textbox", "Closed field"),
    ("button", "Slotted"),
    ("button", "Below the fold"),
]
"""Every mark of `marks.html` in reading order: 60 kinds of control, each once, and nothing else."""


async def test_every_kind_of_control_is_found_once_in_reading_order(scene: Scene) -> None:
    """Roles and names are those of the accessibility tree; wrappers, hidden and inert things are no marks."""
    await scene.open("marks.html")
    seen = await scene.stage.observe("marks")
    assert [(mark.role, mark.name) for mark in seen.marks] == EXPECTED
    assert seen.marks_found == len(EXPECTED)
    assert seen.listens == ("keydown",)
    assert len({mark.signature for mark in seen.marks}) == len(EXPECTED)


async def test_what_is_said_about_controls(scene: Scene) -> None:
    """State, limits, options, context and evidence of single marks."""
    await scene.open("marks.html")
    seen = await scene.stage.observe("marks")
    name = named(seen, "Full name")
    assert (name.required, name.context, name.selector, name.focusable) == (True, "Fields", "#name", True)
    amount = named(seen, "Amount")
    assert (amount.minimum, amount.maximum, amount.step, amount.value, amount.input_type) == ("1", "9", "2", "3", "number")
    assert named(seen, "E-mail").pattern == ".+@.+"
    assert named(seen, "Secret").value == "•••"
    assert named(seen, "Message").readonly
    assert named(seen, "Size").options == ("s", "m")
    assert named(seen, "Size").value == "m"
    assert named(seen, "Fruit").options == ("apple", "pear")
    assert named(seen, "Newsletter").checked is True
    assert named(seen, "Drawn box".join(["☐ ", ""])).checked is False
    assert named(seen, "Bold").checked is True
    assert named(seen, "More").expanded is False
    assert named(seen, "Branch").expanded is True
    assert named(seen, "Details").expanded is False
    assert (named(seen, "Cannot").disabled, named(seen, "Should not").disabled) == (True, True)
    assert named(seen, "Level").value == "5"
    assert named(seen, "Drag me").draggable
    assert named(seen, "Grab me").draggable
    assert named(seen, "Plain link").href.endswith("/a")
    assert named(seen, "Heard click").listeners == ("click",)
    assert named(seen, "Pressed down").listeners == ("pointerdown",)
    assert named(seen, "Dark mode").tag == "label"
    assert named(seen, "Drawing").kind == "canvas"
    assert named(seen, "Buy").context == "Wrapper card"
    assert named(seen, "Drag me").context == "Listeners"


async def test_places_tell_what_is_in_view_and_what_is_covered(scene: Scene) -> None:
    """Below the fold, under something else, and a ring whose middle is empty."""
    await scene.open("marks.html")
    top = await scene.stage.observe("top")
    assert not named(top, "Below the fold").in_view
    await scene.script("document.querySelector('.lid').scrollIntoView({ block: 'center', behavior: 'instant' })")
    seen = await scene.stage.observe("lid")
    lid = named(seen, "Under a lid")
    assert (lid.in_view, lid.covered) == (True, True)
    ring = next(mark for mark in seen.marks if mark.tag == "circle")
    middle = ring.box.centre
    assert not ring.covered
    assert 18 <= ((ring.point[0] - middle[0]) ** 2 + (ring.point[1] - middle[1]) ** 2) ** 0.5 <= 30
    board = [mark for mark in seen.marks if mark.selector.startswith("#board")]
    assert len({mark.group for mark in board}) == 1
    assert board[0].group


async def test_the_text_is_what_can_be_read(scene: Scene) -> None:
    """In reading order, with shadow roots and slots; without what is hidden."""
    await scene.open("marks.html")
    text = (await scene.stage.observe("text")).text
    for hidden in ("Skip to content", "Not there", "Not seen", "Hidden menu link"):
        assert hidden not in text
    lines = text.split("\n")
    assert lines[0] == "Every kind of control"
    assert lines.index("before") + 1 == lines.index("Slotted") == lines.index("after") - 1
    assert "Closed listener" in lines


async def test_selectors_find_their_element_again(scene: Scene) -> None:
    """Each mark's selector leads to one element, whose box is the mark's."""
    await scene.open("marks.html")
    seen = await scene.stage.observe("selectors")
    plain = [mark for mark in seen.marks if " >>> " not in mark.selector and mark.in_view and mark.tag != "area"]
    boxes = await scene.stage.page.evaluate(
        """(selectors) => selectors.map((selector) => {
          const found = document.querySelectorAll(selector);
          const rect = found[0].getBoundingClientRect();
          return [found.length, rect.x, rect.y];
        })""",
        [mark.selector for mark in plain],
    )
    for mark, (count, x, y) in zip(plain, boxes, strict=True):
        assert count == 1, mark.selector
        assert abs(mark.box.x - x) < 1, mark.selector
        assert abs(mark.box.y - y) < 1, mark.selector


async def test_handlers_that_frameworks_keep_to_themselves(scene: Scene) -> None:
    """React, Svelte, Solid and jQuery delegate; what they act on is a mark, their roots and mere wrappers are not."""
    await scene.open("frameworks.html")
    seen = await scene.stage.observe("frameworks")
    assert [mark.name for mark in seen.marks] == [
        "React one",
        "React two",
        "Svelte thing",
        "Solid thing",
        "jQuery pick",
        "Inside",
    ]


async def test_a_page_that_lies_is_seen_as_it_is(scene: Scene) -> None:
    """Patched prototypes reach neither marks nor text."""
    await scene.open("hostile.html")
    seen = await scene.stage.observe("hostile")
    assert [(mark.role, mark.name) for mark in seen.marks] == [("button", "Honest button"), ("link", "Honest link")]
    assert seen.text.startswith("Hostile")
    assert seen.marks[0].box.x < 100


async def test_a_page_that_is_pressed_anywhere(scene: Scene) -> None:
    """Where only the document listens, the whole page is the mark."""
    await scene.open("whole.html")
    seen = await scene.stage.observe("whole")
    assert [(mark.tag, mark.role) for mark in seen.marks] == [("body", "clickable")]
    assert {"keydown", "pointerdown"} <= set(seen.listens)


async def test_no_more_than_300_marks_and_it_is_said(scene: Scene) -> None:
    """A sample keeps what stands alone and the order; the number there are is told."""
    await scene.open("many.html?10,700")
    seen = await scene.stage.observe("many")
    assert len(seen.marks) <= 300
    assert seen.marks_found == 702
    assert (seen.marks[0].name, seen.marks[-1].name) == ("First alone", "Last alone")


async def test_what_a_box_listens_for_on_behalf_of_others(scene: Scene) -> None:
    """Cells and heads that show a hand are what is pressed, not the box around them; a picture is called by its hint, too."""
    await scene.open("cells.html")
    seen = await scene.stage.observe("cells")
    assert [mark.name for mark in seen.marks if mark.tag == "button"] == ["🙂 Restart", "+"]
    assert [mark.name for mark in seen.marks if mark.tag == "th"] == ["Order", "Customer"]
    cells = [mark for mark in seen.marks if mark.tag == "div"]
    assert len(cells) == 11
    assert len({mark.group for mark in cells}) == 1
    assert all(mark.group for mark in cells)


async def test_looks_tell_which_of_a_few_stands_out(scene: Scene) -> None:
    """Of a list of steps one item is painted unlike the others, and another one later; a menu is none. A pressed key shows it."""
    await scene.open("steps.html")
    before = await scene.stage.observe("steps")
    found, menu = ([item for item in before.lists if (name,) in item.items] for name in ("Dates", "Second"))
    assert [[item.items[0] for item in found], [item.looks for item in menu]] == [[("Cabin",)], [()]]
    steps = found[0]
    assert len(set(steps.looks[1:])) == 1
    assert steps.looks[0] not in steps.looks[1:]
    assert named(before, "C4").look == named(before, "D4").look != ""
    await scene.script("document.getElementById('on').click(); document.getElementById('c4').click()")
    after = await scene.stage.observe("a step on")
    now = next(item for item in after.lists if item.selector == steps.selector)
    assert now.looks != steps.looks
    assert named(after, "C4").look != named(after, "D4").look == named(before, "D4").look


async def test_a_column_with_one_card_or_none_is_a_list_like_its_neighbours(scene: Scene) -> None:
    """Cards of a board lie in boxes of columns: what looks like the list of another column is one, however few lie in it."""
    await scene.open("steps.html")
    seen = await scene.stage.observe("columns")
    assert [(item.title, item.count) for item in seen.lists[-3:]] == [("To do", 2), ("Doing", 1), ("Done", 0)]


async def test_entries_that_a_class_sets_apart_are_entries(scene: Scene) -> None:
    """What is low, done or chosen is built as the others are; a heading between is not. Also where only such ones are left."""
    await scene.open("states.html")
    told = {item.selector: item for item in (await scene.stage.observe("states")).lists}
    assert [row[0] for row in told["#stock"].items] == ["Saw", "Tape", "Glue", "Plugs", "Goggles"]
    assert [row[1] for row in told["#tasks"].items] == ["Milk", "Bread", "Rice"]
    assert [row[0] for row in told["#cards"].items] == ["Oak", "Elm", "Ash"]
    await scene.script("document.getElementById('only').click()")
    told = {item.selector: item for item in (await scene.stage.observe("low only")).lists}
    assert [row[0] for row in told["#stock"].items] == ["Tape", "Plugs"]


async def test_entries_that_hide_their_buttons_are_known_and_show_them_under_the_pointer(scene: Scene) -> None:
    """Hidden by a style sheet: by `display` or by `opacity`. Menus that a script opens hide no buttons of this kind."""
    await scene.open("veiled.html")
    seen = await scene.stage.observe("entries")
    told = {item.selector: item for item in seen.lists}
    assert [told[name].veiled for name in ("#todos", "#faded", "#menus", "#shown")] == [2, 2, 0, 0]
    first, second = told["#todos"].holders
    assert not [mark for mark in seen.marks if mark.name == "✖"]
    await scene.act("xtest", Hover(target=Target(selector=second)))
    under = await scene.stage.observe("under the pointer")
    assert [mark.name for mark in under.marks if mark.tag == "button" and mark.name == "✖"] == ["✖"]
    await scene.act("xtest", Click(target=Target(selector=first), count=2))
    opened = await scene.stage.observe("double-clicked")
    assert [mark.value for mark in opened.marks if mark.name == "text"] == ["Buy oat milk"]


async def test_what_is_folded_away_is_not_seen(scene: Scene) -> None:
    """A closed `details` gives its contents a size, and nobody sees them; once it is opened they are there."""
    await scene.open("folded.html")
    seen = await scene.stage.observe("folded")
    assert [mark.name for mark in seen.marks] == ["Menu", "Open part", "Move right"]
    assert "Words inside" not in seen.text
    assert "Never painted" not in seen.text
    await scene.script("document.querySelector('#menu').open = true")
    opened = await scene.stage.observe("opened")
    assert [mark.name for mark in opened.marks][:3] == ["Menu", "Move left", "Open part"]
    assert "Words inside" in opened.text
