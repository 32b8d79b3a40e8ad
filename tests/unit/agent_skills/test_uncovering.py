"""Entries whose buttons come up under the pointer, and whose text opens by a double click though it is no control."""

from __future__ import annotations

from typing import Any

import pytest

from agent.deciders.protocol import Step
from agent.skills import lists, uncovering
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import acts, decided, did, mark, page, see, stepped, tell, twice
from tools.browser.actions import Click, Hover, Target, Type
from tools.browser.marks import Listing, Mark, Observation

BRIEF = "A todo list: tasks can be added, edited with a double click, and deleted."
FIELD = mark("What needs to be done?", "input")
CROSS = mark("✖", at=(500, 160), context="Buy oat milk")


def todos(*texts: str, veiled: int = 0) -> Listing:
    """A list whose entries have their text in a label."""
    holders = tuple(f"ul > li:nth-of-type({place}) > label" for place in range(1, len(texts) + 1))
    return Listing(selector="ul", items=tuple((text,) for text in texts), count=len(texts), holders=holders, veiled=veiled)


def listed(*texts: str, marks: tuple[Mark, ...] = (FIELD,), veiled: int = 0, number: int = 1) -> Observation:
    """The page with these entries."""
    return page(*marks, text="\n".join(texts), lists=(todos(*texts, veiled=veiled),), number=number)


def added(
    *texts: str, brief: str = BRIEF, veiled: int = 0, marks: tuple[Mark, ...] = (FIELD,), more: tuple[Step, ...] = ()
) -> Survey:
    """After entries were added, each by Enter."""
    steps, past = list[Step](), [page(FIELD, number=0)]
    for number, text in enumerate(texts, start=1):
        after = listed(*texts[:number], veiled=veiled, number=number)
        typed = Type(target=Target.of(FIELD), text=text, submit=True)
        steps.append(stepped(decided(typed, "text_appears", skill="add", text=text), past[-1], after, steps))
        past.append(after)
    shown = (todos(*texts, veiled=veiled),)
    return see(*marks, brief=brief, steps=(*steps, *more), past=tuple(past), text="\n".join(texts), lists=shown)


def kinds(survey: Survey) -> list[str]:
    """What is proposed for entries, best first."""
    return [f"{act.act} {getattr(act, 'count', 1)}" for act in acts(lists.propose(survey))]


def test_the_text_of_an_entry_is_double_clicked_though_no_listener_is_known() -> None:
    """One listener on the list serves all its entries; the brief wants the double click, so something has to come of it."""
    survey = added("Buy oat milk", "Call Anna")
    (found,) = [one for one in lists.propose(survey) if isinstance(one.decision.action, Click)]
    assert found.decision.action == Click(target=Target(selector="ul > li:nth-of-type(1) > label", name="Buy oat milk"), count=2)
    assert [one.oracle for one in found.decision.expectations] == ["opens_to_edit", "sane"]


@pytest.mark.parametrize(
    "brief",
    [
        "A todo list. Tasks can be added, edited and deleted.",
        "A board with columns. Double-click a column title to edit it. Tasks can be added.",
    ],
)
def test_where_nobody_wants_entries_double_clicked_nothing_has_to_come_of_it(brief: str) -> None:
    """It is tried, for many lists work so; it is held against none."""
    clicks = [one for one in lists.propose(added("Buy oat milk", brief=brief)) if getattr(one.decision.action, "count", 1) == 2]
    assert all(one.oracle != "opens_to_edit" for click in clicks for one in click.decision.expectations)


def test_a_double_click_that_does_nothing_is_told_the_second_time() -> None:
    """Elsewhere on the text; a field that comes up is an answer."""
    before = listed("Buy oat milk")
    act: Any = Click(target=Target(selector="ul > li:nth-of-type(1) > label", name="Buy oat milk"), count=2)
    first, second = twice(act, before, listed("Buy oat milk", number=2), "opens_to_edit", key="double click on an entry")
    assert (first.held, second.held, second.symptom) == (None, False, "dead_control")
    field = mark("", "input", at=(100, 160), value="Buy oat milk")
    assert tell(act, before, listed("Buy oat milk", marks=(FIELD, field), number=2), "opens_to_edit").held is True


def test_another_place_is_tried_after_one_that_did_nothing() -> None:
    """Once, not for ever."""
    survey = added("Buy oat milk", "Call Anna")
    (first,) = [one for one in lists.propose(survey) if isinstance(one.decision.action, Click)]
    dead = did(first.decision, survey.now, survey.now, *survey.steps)
    (again,) = [act for act in acts(lists.propose(added("Buy oat milk", "Call Anna", more=(dead,)))) if isinstance(act, Click)]
    assert (again.count, again.target.dx) == (2, -0.25)
    told = did(decided(again, "opens_to_edit", skill=lists.EDIT, key="double click on an entry"), survey.now, survey.now, dead)
    last = added("Buy oat milk", "Call Anna", more=(dead, told))
    assert not [act for act in acts(lists.propose(last)) if isinstance(act, Click)]


def test_the_pointer_rests_on_an_entry_whose_buttons_are_hidden() -> None:
    """Also where nothing hides, if entries are to be deleted and no button for it can be seen."""
    assert "hover 1" in kinds(added("Buy oat milk", "Call Anna", veiled=2, brief="A list of tasks one adds to."))
    assert "hover 1" in kinds(added("Buy oat milk", "Call Anna"))
    assert "hover 1" not in kinds(added("Buy oat milk", "Call Anna", brief="A list of tasks one adds to."))
    assert "hover 1" not in kinds(added("Buy oat milk", "Call Anna", marks=(FIELD, CROSS)))


def test_what_came_up_is_pressed_before_the_pointer_leaves() -> None:
    """It goes again with the pointer."""
    survey = added("Buy oat milk", "Call Anna", veiled=2)
    hover = next(one for one in lists.propose(survey) if isinstance(one.decision.action, Hover))
    rested = did(hover.decision, survey.now, listed("Buy oat milk", "Call Anna", marks=(FIELD, CROSS), number=3), *survey.steps)
    later = added("Buy oat milk", "Call Anna", veiled=2, marks=(FIELD, CROSS), more=(rested,))
    (found,) = lists.propose(later)
    assert (found.decision.skill, found.priority) == ("delete an entry", uncovering.AT_ONCE)


@pytest.mark.parametrize("button", [(), (mark("Save"),)])
def test_an_entry_that_opened_gets_another_text(button: tuple[Mark, ...]) -> None:
    """Enter takes it where it has no button of its own; where it has one, it is a form. Then the new text stands for the old."""
    survey = added("Buy oat milk", "Call Anna")
    opened = mark("", "input", at=(100, 160), value="Buy oat milk")
    double = next(one for one in lists.propose(survey) if isinstance(one.decision.action, Click))
    step = did(double.decision, survey.now, listed("Call Anna", marks=(FIELD, opened), number=3), *survey.steps)
    later = added("Buy oat milk", "Call Anna", marks=(FIELD, opened, *button), more=(step,))
    found = [one for one in lists.propose(later) if one.decision.skill == lists.RETYPE]
    assert len(found) == (0 if button else 1)
    for one in found:
        act = one.decision.action
        assert isinstance(act, Type)
        assert act.submit
        assert "oat milk" not in act.text
        assert [told.oracle for told in one.decision.expectations] == ["text_appears", "edited", "sane"]


def test_an_entry_that_was_always_there_is_pointed_at_late() -> None:
    """Nothing was added; what comes up may delete it."""
    (found,) = uncovering.propose(see(text="Alpha\nBeta", lists=(todos("Alpha", "Beta", veiled=2),)))
    assert (found.decision.action.act, found.priority) == ("hover", uncovering.ANY_ENTRY)  # type: ignore[union-attr]
    assert not uncovering.propose(see(text="Alpha\nBeta", lists=(todos("Alpha", "Beta"),)))
