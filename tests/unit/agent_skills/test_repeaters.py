"""Room for one more is given back by the button that removes it."""

from __future__ import annotations

import pytest

from agent.skills import buttons, repeaters
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, stepped
from tools.browser.marks import Mark, Observation

MORE, ON = mark("+ Add another job", at=(100, 420)), mark("Continue", at=(100, 480))


def jobs(count: int, number: int = 0) -> Observation:
    """A step of a form with so many jobs."""
    return page(*entries(count), MORE, ON, text=f"{count} jobs", number=number)


def entries(count: int) -> list[Mark]:
    """Each with an employer and, where there are two, a button."""
    found: list[Mark] = []
    for at in range(count):
        found.append(mark("Employer", "input", at=(100, 100 + 200 * at), selector=f"#e{at}"))
        if count > 1:
            found.append(mark("Remove", at=(300, 160 + 200 * at), selector=f"#r{at}"))
    return found


ADDED = did(decided(on(MORE), skill="press a button"), jobs(1), jobs(2, 1))


def test_what_was_added_is_taken_away() -> None:
    """By the lowest button, right away and once; a second time where nothing came of it."""
    now = jobs(2, 1)
    (first,) = repeaters.propose(see(*now.marks, steps=(ADDED,), past=(jobs(1),), text=now.text))
    assert (aims([first]), getattr(first.decision.action, "target").selector) == (["Remove"], "#r1")  # noqa: B009
    gone = did(first.decision, now, jobs(1, 2), ADDED)
    assert gone.outcomes[0].held is True
    assert not repeaters.propose(see(*jobs(1).marks, steps=(ADDED, gone), past=(jobs(1), now)))
    stays = did(first.decision, now, jobs(2, 2), ADDED)
    (second,) = repeaters.propose(see(*now.marks, steps=(ADDED, stays), past=(jobs(1), now)))
    dead = did(second.decision, jobs(2, 2), jobs(2, 3), ADDED, stays)
    assert [(one.held, one.symptom) for one in dead.outcomes[:1]] == [(False, "dead_control")]


@pytest.mark.parametrize("name", ["Help", "Add job"])
def test_where_no_room_came_nothing_is_taken_away(name: str) -> None:
    """Another button, or one that brought no fields."""
    pressed = did(decided(on(mark(name))), jobs(2), jobs(2, 1))
    assert not repeaters.propose(see(*jobs(2).marks, steps=(pressed,), past=(jobs(2),)))


def test_a_question_first_tells_nothing() -> None:
    """The fields are all there, and a dialog lies over them."""
    covered = [one.model_copy(update={"covered": True}) for one in entries(2)]
    act = decided(on(mark("Remove", at=(300, 360), selector="#r1")), "room_goes", key="room for one more")
    assert not [one for one in stepped(act, jobs(2), page(*covered, text="Sure?", number=1)).outcomes if one.attempts]


def test_a_step_is_finished_before_one_goes_about_in_the_list_of_steps() -> None:
    """While a form of several steps is in sight; else such buttons are like others."""
    step, other = mark("Step 2: Experience", at=(100, 20)), mark("Experience", at=(300, 20))
    for marks, later in (([mark("Employer", "input", at=(100, 400)), ON], True), ([], False)):
        survey = see(step, other, *marks)
        found = {name: one.priority for one in buttons.propose(survey) for name in aims([one])}
        assert (found[step.name] < found[other.name] - 10) is later
