"""Editors: a line is written and chosen, a tool is used on it, and what was done is taken back."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills import editors
from agent.skills.survey import Candidate, Survey
from tests.unit.agent_skills.scenes import decided, mark, page, stepped, view
from tools.browser.actions import Click, Press, Target, Type

NOTE = mark("Note", "textarea", at=(300, 100), size=(600, 400))
BOLD, UNDO = mark("Bold", at=(300, 40)), mark("Undo", at=(500, 40))


def proposed(steps: tuple[Step, ...] = ()) -> list[Candidate]:
    """What the skill would do on the page after these steps."""
    return editors.propose(Survey(view(page(NOTE, BOLD, UNDO, text="b"), steps=steps), 0))


def test_a_tool_is_used_on_a_line_that_was_written_and_chosen() -> None:
    """Type, choose all, press Bold, press Undo: each follows from the step before it."""
    steps: tuple[Step, ...] = ()
    seen = []
    for _ in range(4):
        best = max(proposed(steps), key=lambda one: one.priority)
        seen.append(
            (type(best.decision.action), best.decision.expectations[0].params.get("key") if best.decision.expectations else None)
        )
        number = len(steps)
        before, after = page(NOTE, BOLD, UNDO, text=f"{number}"), page(NOTE, BOLD, UNDO, text=f"{number + 1}")
        steps = (*steps, stepped(best.decision, before, after, steps))
    assert seen == [(Type, None), (Press, None), (Click, "tool Bold"), (Click, "undo")]


def test_without_an_editor_a_tool_has_nothing_to_work_on() -> None:
    """A small field is no editor; Undo waits until something was made."""
    small = mark("Name", "input", input_type="text")
    assert editors.propose(Survey(view(page(small, BOLD, UNDO)), 0)) == []


def test_undo_follows_a_move() -> None:
    """Something dragged elsewhere can be taken back; a tab that was opened cannot."""
    tab = stepped(decided(Click(target=Target.of(mark("Rooms")))), page(UNDO, text="a"), page(UNDO, text="b"))
    added = stepped(decided(Click(target=Target.of(mark("Add")))), page(UNDO, text="a"), page(UNDO, text="b"))
    assert editors.propose(Survey(view(page(UNDO, text="b"), steps=(tab,)), 0)) == []
    assert [one.decision.skill for one in editors.propose(Survey(view(page(UNDO, text="b"), steps=(added,)), 0))] == ["take back"]
