"""Which button answers a question that came up, and what is no question."""

from __future__ import annotations

import pytest

from agent.trials.agreeing import declines, goes_on
from tests.unit.deciders.scenes import part, todo
from tools.evidence.rows import Box
from tools.page.model import PageModel
from tools.page.parts import Button, Cell, Collection, Item

BOX = Box(x=0, y=0, width=90, height=20)


def people(*names: str, asked: str = "", answers: tuple[str, ...] = ("Yes", "No")) -> PageModel:
    """A list in which each has a button that deletes, or one is asked about."""
    items = [Item(key=name, node=name, cells=(Cell(text=name),), selector=f"#{name}", box=BOX) for name in names]
    listed = Collection(
        key="list",
        node="l",
        name="People",
        selector="ul",
        box=BOX,
        in_view=True,
        kind="list",
        items=tuple(items),
        count=len(items),
    )
    buttons = [
        part(Button, said, (0, 0), key=f"b{at}{said}", role="button", collection="list", item=at)
        for at, name in enumerate(names)
        for said in (answers if name == asked else (f"Delete {name}",))
    ]
    return todo(buttons=buttons, collections=[listed])


def test_a_question_in_an_item_is_answered_with_yes() -> None:
    """Whichever of the two stands first."""
    before = people("Ada", "Boris", "Chidi")
    for answers in (("Yes", "No"), ("No", "Yes")):
        button = goes_on(people("Ada", "Boris", "Chidi", asked="Boris", answers=answers), before)
        assert button is not None
        assert button.name == "Yes"


def test_what_moved_up_from_the_next_page_is_asked_nothing() -> None:
    """Its button is called by its words, and those are new; pressed, it would delete another one."""
    assert goes_on(people("Ada", "Chidi", "Dana"), people("Ada", "Boris", "Chidi")) is None


@pytest.mark.parametrize(
    ("name", "no"),
    [("No", True), ("Nein", True), ("Cancel", True), ("いいえ", True), ("Yes", False), ("Reset", False), ("Delete", False)],
)
def test_yes_is_told_from_no(name: str, no: bool) -> None:
    """Both are answers."""
    assert declines(name) is no
