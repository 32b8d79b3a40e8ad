"""What was saved of an entry stands there when the entry is opened again."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import reopening
from agent.skills.controls import forms as forms_of
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell
from tools.browser.actions import SetValue, Target, Type
from tools.browser.marks import Mark

CARD, SAVE = mark("Plans for Sunday", at=(600, 100)), mark("Save card", at=(100, 220))


def dialog(title: str = "", due: str = "") -> tuple[Mark, ...]:
    """A window with a title and a due date."""
    date = mark("Due", "input", input_type="date", value=due, at=(100, 160))
    return mark("Title", "input", value=title), date, SAVE


def saved() -> list[Step]:
    """Both were given and the window was sent off; it is gone."""
    empty, titled, full = (
        page(*dialog()),
        page(*dialog("Plans for Sunday"), number=1),
        page(*dialog("Plans for Sunday", "2025-02-01"), number=2),
    )
    title, due, _ = dialog()
    key = forms_of(full.marks)[0].key
    steps = [did(decided(Type(target=Target.of(title), text="Plans for Sunday"), skill=f"fill form {key}"), empty, titled)]
    steps.append(
        did(decided(SetValue(target=Target.of(due), value="2025-02-01"), skill=f"fill form {key}"), titled, full, *steps)
    )
    steps.append(did(decided(on(SAVE), skill=f"submit form {key}"), full, page(CARD, text="Plans for Sunday", number=3), *steps))
    return steps


def test_an_entry_is_opened_again_once() -> None:
    """By what bears its name; the window must be gone."""
    steps = saved()
    past = (
        page(*dialog()),
        page(*dialog("Plans for Sunday"), number=1),
        page(*dialog("Plans for Sunday", "2025-02-01"), number=2),
    )
    survey = see(CARD, steps=tuple(steps), past=past, text="Plans for Sunday")
    found = reopening.propose(survey)
    assert aims(found) == ["Plans for Sunday"]
    assert not reopening.propose(see(*dialog(), CARD, steps=tuple(steps), past=past))
    assert not reopening.propose(see(mark("Delete Plans for Sunday"), steps=tuple(steps), past=past))
    opened = did(found[0].decision, survey.now, page(*dialog("Plans for Sunday", "2025-02-01"), number=5), *steps)
    assert next(one for one in opened.outcomes if one.oracle == "reopened").held is True
    assert not reopening.propose(see(CARD, steps=(*steps, opened), past=past))


@pytest.mark.parametrize(
    ("title", "due", "held"),
    [
        ("Plans for Sunday", "2025-02-01", True),
        ("Plans for Sunday", "", False),
        ("Plans for Sunday", "2024-12-31", False),
        ("Order chairs", "", None),
    ],
)
def test_a_field_that_holds_something_else_is_told(title: str, due: str, held: bool | None) -> None:
    """Beside one that holds what was saved; otherwise it may be another entry."""
    first, date, _ = dialog()
    values = f"\t{first.selector}\tPlans for Sunday\n\t{date.selector}\t2025-02-01"
    told = tell(on(CARD), page(CARD), page(*dialog(title, due), number=1), "reopened", values=values)
    assert told.held is held
