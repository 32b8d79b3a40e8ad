"""What is undone is as it was before; what is cancelled never was."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import cancelling, undoing
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import acts, aims, decided, mark, on, page, stepped, view
from tools.browser.actions import Target, Type
from tools.browser.marks import Listing, Observation

UNDO, REDO = mark("Undo", at=(900, 700)), mark("Redo", at=(960, 700))
DELETE = mark("Delete Rye bread", at=(400, 240))


def shelf(*rows: str, number: int = 0, marks: tuple = (), selector: str = "#list") -> Observation:
    """A page with one list of these rows."""
    listing = Listing(selector=selector, items=tuple((row,) for row in rows), columns=("",), count=len(rows))
    return page(*marks, lists=(listing,), text="\n".join(rows), number=number)


BEFORE = shelf("Oat milk", "Rye bread", marks=(DELETE,))
GONE = shelf("Oat milk", marks=(UNDO,), number=1)


def deleted(after: Observation = GONE, before: Observation = BEFORE) -> Step:
    """A deletion that was done."""
    return stepped(decided(on(DELETE), skill="delete an entry"), before, after)


def test_undo_is_pressed_right_after_a_deletion() -> None:
    """Once; where `Redo` alone stands there, nothing is; nor after something that changed no entry."""
    found = undoing.propose(Survey(view(GONE, steps=(deleted(),), past=(BEFORE,))))
    assert aims(found) == ["Undo"]
    wish = found[0].decision.expectations[0]
    assert (wish.params["gone"], wish.params["came"], wish.params["offered"]) == ("rye bread", "", 1.0)
    bare = shelf("Oat milk", marks=(REDO,), number=1)
    assert undoing.propose(Survey(view(bare, steps=(deleted(bare),), past=(BEFORE,)))) == []
    typed = stepped(decided(on(mark("Save")), skill="press a button"), BEFORE, GONE)
    assert undoing.propose(Survey(view(GONE, steps=(typed,), past=(BEFORE,)))) == []
    again = stepped(found[0].decision, GONE, shelf("Oat milk", "Rye bread", marks=(DELETE,), number=2), (deleted(),))
    assert again.outcomes[0].held is True


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (("Oat milk", "Rye bread"), (True, "")),
        (("Oat milk",), (False, "state_not_updated")),
        (("Oat milk", "Oats"), (False, "wrong_result")),
        (("Oat milk", "Rye bread (restored)"), None),
        (("Tea", "Cup", "Pot"), None),
    ],
)
def test_what_was_taken_away_comes_back(rows: tuple[str, ...], told: tuple[bool, str] | None) -> None:
    """The row itself; nothing, or another one, is wrong; a list that is another altogether tells nothing."""
    after = shelf(*rows, number=2)
    step = stepped(decided(on(UNDO), "undone", gone="rye bread", came="", offered=1.0), GONE, after)
    assert [(one.held, one.symptom) for one in step.outcomes] == ([told] if told else [])


def test_a_button_that_was_there_all_along_may_be_for_something_else() -> None:
    """An editor's Undo beside a list of its documents."""
    assert not stepped(decided(on(UNDO), "undone", gone="rye bread", came="", offered=0.0), GONE, GONE).outcomes


def test_what_was_undone_is_done_again() -> None:
    """So that a reload after it finds the entry deleted."""
    back = shelf("Oat milk", "Rye bread", marks=(DELETE,), number=2)
    first = deleted()
    undo = undoing.propose(Survey(view(GONE, steps=(first,), past=(BEFORE,))))[0]
    second = stepped(undo.decision, GONE, back, (first,))
    found = undoing.propose(Survey(view(back, steps=(first, second), past=(BEFORE, GONE))))
    assert (aims(found), found[0].decision.skill) == (["Delete Rye bread"], undoing.REDONE)


TITLE = mark("Title", "input", at=(200, 300), value="Rye bread")
SAVE, CANCEL, EDIT = mark("Save", at=(200, 400)), mark("Cancel", at=(300, 400)), mark("Edit Rye bread", at=(500, 240))


def an_edit_before() -> tuple[list[Observation], list[Step]]:
    """An entry that was opened and saved."""
    pages = [shelf("Rye bread", marks=(EDIT,)), shelf("Rye bread", marks=(TITLE, SAVE, CANCEL), number=1)]
    pages.append(shelf("Rye bread", marks=(EDIT,), number=2))
    steps = [stepped(decided(on(EDIT), skill="edit an entry"), pages[0], pages[1])]
    steps.append(stepped(decided(on(SAVE), skill='submit form "Title"'), pages[1], pages[2], steps))
    return pages, steps


def test_an_edit_is_given_up_after_one_was_seen_through() -> None:
    """Opened again at the end, changed, cancelled, each right after the other."""
    pages, steps = an_edit_before()
    found = cancelling.propose(Survey(view(pages[-1], steps=steps, past=pages[:-1])))
    assert aims(found) == ["Edit Rye bread"]
    opened = shelf("Rye bread", marks=(TITLE, SAVE, CANCEL), number=3)
    steps.append(stepped(found[0].decision, pages[-1], opened, steps))
    pages.append(opened)
    found = cancelling.propose(Survey(view(opened, steps=steps, past=pages[:-1])))
    typed = acts(found)[0]
    assert isinstance(typed, Type)
    assert typed.target == Target.of(TITLE)
    filled = shelf("Rye bread", marks=(TITLE.model_copy(update={"value": typed.text}), SAVE, CANCEL), number=4)
    steps.append(stepped(found[0].decision, opened, filled, steps))
    found = cancelling.propose(Survey(view(filled, steps=steps, past=pages)))
    assert aims(found) == ["Cancel"]
    wish = found[0].decision.expectations[1]
    assert (wish.oracle, wish.params["old"], wish.params["new"]) == ("discarded", "Rye bread", typed.text)


def test_nothing_is_given_up_before_an_edit_was_seen_through() -> None:
    """The edit itself comes first."""
    pages, steps = an_edit_before()
    assert cancelling.propose(Survey(view(pages[1], steps=steps[:1], past=pages[:1]))) == []


@pytest.mark.parametrize(("rows", "told"), [(("Rye bread",), (True, "")), (("Oats",), (False, "wrong_result")), (("Tea",), None)])
def test_what_is_cancelled_changes_no_entry(rows: tuple[str, ...], told: tuple[bool, str] | None) -> None:
    """The old words stand; the new ones in a list are wrong; where neither stands nothing is told."""
    filled = shelf("Rye bread", marks=(TITLE.model_copy(update={"value": "Oats"}), CANCEL))
    step = stepped(decided(on(CANCEL), "discarded", old="Rye bread", new="Oats"), filled, shelf(*rows, number=1))
    assert [(one.held, one.symptom) for one in step.outcomes] == ([told] if told else [])
