"""Deleting one of several: what goes is what is chosen."""

from __future__ import annotations

import pytest

from agent.skills import buttons
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see
from tools.browser.marks import Mark

NOTES = "A notes editor: a list of notes, a text field, buttons for new note and delete."


def kept_notes(*names: str, open_: int = 0) -> tuple[Mark, ...]:
    """A list of notes of which one is open, its text, and the buttons beside."""
    rows = tuple(
        mark(name, selector=f"#list > button:nth-of-type({place + 1})", at=(20, 100 + 40 * place), checked=place == open_ or None)
        for place, name in enumerate(names)
    )
    text = mark("Note text", "textarea", value=f"# {names[open_]}\n\n", at=(300, 100), size=(600, 400))
    return (*rows, text, mark("Bold", at=(300, 40)), mark("Delete", at=(440, 40), selector="#delete"))


@pytest.mark.parametrize(
    ("left", "held"),
    [(("Welcome",), True), (("New note",), False), (("Welcome", "New note"), None), (("Untitled",), None)],
)
def test_the_chosen_entry_is_what_is_deleted(left: tuple[str, ...], held: bool | None) -> None:
    """The open note goes; another one in its stead is a wrong result, also where the one left is alone."""
    before = kept_notes("Welcome", "New note", open_=1)
    first, *rest = kept_notes(*left)
    alone = first.model_copy(update={"selector": "#list > button"}) if len(left) == 1 else first
    after = page(alone, *rest, text="\n".join(left), number=1)
    step = did(decided(on(before[-1]), "chosen_goes"), page(*before, text="Welcome\nNew note"), after)
    assert (step.outcomes[0].held if step.outcomes else None) is held


def test_a_label_of_many_entries_is_not_what_is_deleted() -> None:
    """`All` is chosen among the tags; that the tag of the note deleted goes with it is right."""
    tags = [
        mark(name, "a", selector=f"nav > a:nth-of-type({place + 1})", checked=place == 0 or None, at=(20, 40 * place))
        for place, name in enumerate(("All", "home"))
    ]
    delete = mark("Delete", at=(400, 40))
    before, after = page(*tags, delete, text="All\nhome\nMilk"), page(tags[0], delete, text="All", number=1)
    assert did(decided(on(delete), "chosen_goes"), before, after).outcomes == ()


def test_another_than_the_first_entry_is_chosen_before_one_is_deleted() -> None:
    """Once, and then the deletion has to take that one; a button that clears them all asks for nothing of the kind."""
    first = kept_notes("Welcome", "New note")
    found = [one for one in buttons.propose(see(*first, brief=NOTES)) if one.decision.skill == "choose an entry to delete"]
    assert aims(found) == ["New note"]
    now = kept_notes("Welcome", "New note", open_=1)
    step = did(found[0].decision, page(*first), page(*now, number=1))
    wishes = [
        told.oracle
        for one in buttons.propose(see(*now, brief=NOTES, steps=(step,), past=(page(*first),)))
        if aims([one]) == ["Delete"]
        for told in one.decision.expectations
    ]
    assert "chosen_goes" in wishes
    cleared = [*first[:-1], mark("Delete all", at=(440, 40))]
    assert "choose an entry to delete" not in [one.decision.skill for one in buttons.propose(see(*cleared, brief=NOTES))]
