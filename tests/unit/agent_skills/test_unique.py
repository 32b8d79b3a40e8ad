"""What no two entries may share is put into an entry that is open for editing."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Decision, Step
from agent.skills import unique
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see
from tools.browser.actions import Type
from tools.browser.marks import Listing, Observation

BRIEF = "An inventory. No two items may share a SKU."
EDIT, SAVE = mark("Edit Oak", at=(700, 100)), mark("Save item", at=(100, 260))
ROWS = Listing(selector="#rows", columns=("Item", "SKU"), items=(("Oak", "OAK-1"), ("Elm", "ELM-2"), ("Ash", "ASH-3")), count=3)


def opened(code: str, number: int = 1, *, text: str = "", rows: Listing = ROWS) -> Observation:
    """The entry's form, with this code in it, over the list."""
    name, sku = mark("Name", "input", at=(100, 100), value="Oak"), mark("SKU", "input", at=(100, 180), value=code)
    return page(name, sku, SAVE, EDIT, text=f"Oak OAK-1 Elm ELM-2 Ash ASH-3 {text}", number=number, lists=(rows,))


def proposed(now: Observation, *steps: Step, brief: str = BRIEF) -> list[Decision]:
    """What is proposed on this page."""
    survey = see(*now.marks, text=now.text, lists=now.lists, brief=brief, steps=steps, past=(page(EDIT), opened("OAK-1")))
    return [one.decision for one in unique.propose(survey)]


EDITING = did(decided(on(EDIT), skill="edit an entry"), page(EDIT), opened("OAK-1"))


@pytest.mark.parametrize(
    ("brief", "asked"),
    [
        (BRIEF, True),
        ("An inventory where every SKU must be unique.", True),
        ("An inventory. Two items may have one name.", False),
        ("A unique design with a table of items.", False),
    ],
)
def test_it_is_asked_for_by_the_brief(brief: str, asked: bool) -> None:
    """By what two entries may not share, named as a field is."""
    found = proposed(opened("OAK-1"), EDITING, brief=brief)
    assert [getattr(one.action, "text", "") for one in found] == (["ELM-2"] if asked else [])


def test_it_is_saved_and_its_own_put_back() -> None:
    """Refused: the form stands, and the entry gets its own value again."""
    enter = proposed(opened("OAK-1"), EDITING)[0]
    typed = did(enter, opened("OAK-1"), opened("ELM-2", 2), EDITING)
    save = proposed(opened("ELM-2", 2), EDITING, typed)[0]
    assert (save.skill, save.expectations[0].oracle) == (unique.SAVE, "refused")
    refused = did(save, opened("ELM-2", 2), opened("ELM-2", 3, text="\nAnother item already has this SKU."), EDITING, typed)
    assert refused.outcomes[0].held is True
    back = proposed(opened("ELM-2", 3), EDITING, typed, refused)[0]
    assert isinstance(back.action, Type)
    assert back.action.text == "OAK-1"


def test_two_entries_with_one_code_are_told() -> None:
    """Taken: the form is gone, and the list has it twice."""
    enter = proposed(opened("OAK-1"), EDITING)[0]
    typed = did(enter, opened("OAK-1"), opened("ELM-2", 2), EDITING)
    save = proposed(opened("ELM-2", 2), EDITING, typed)[0]
    taken = did(save, opened("ELM-2", 2), page(EDIT, text="Oak ELM-2 Elm ELM-2 Ash ASH-3", number=3), EDITING, typed)
    assert (taken.outcomes[0].held, taken.outcomes[0].symptom) == (False, "validation_missing")
