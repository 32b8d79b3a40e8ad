"""The price that comes up is that of what was chosen, for as many people as it says."""

from __future__ import annotations

import pytest

from agent.skills.checks.case import Case
from agent.skills.checks.prices import priced
from tests.unit.agent_skills.scenes import decided, did, mark, on, page
from tools.browser.actions import Target, Type

PEOPLE = mark("People", "input", input_type="number")
COURSE = mark("Workshop", "select", options=("45", "60"), option_names=("Pottery – $45", "Woodwork – $60"), value="60")
LUNCH = mark("Lunch ($12 a person)", "input", input_type="checkbox", checked=True, at=(100, 200))
NEXT = mark("Next", at=(100, 300))
BRIEF = "A booking form: a workshop, lunch for $12 a person, and a summary with the price"


def _told(text: str, *, lunch: bool = True, brief: str = BRIEF, people: str = "4") -> tuple[bool | None, str]:
    first = page(PEOPLE, NEXT)
    typed = did(decided(Type(target=Target.of(PEOPLE), text=people)), first, page(PEOPLE, NEXT, number=1))
    before = page(COURSE, LUNCH.model_copy(update={"checked": lunch}), NEXT, number=2)
    step = did(decided(on(NEXT), "priced", brief=brief), before, page(NEXT, text=text, number=3), typed)
    case = Case(step.decision.expectations[0], before, page(NEXT, text=text, number=3), step.acted, "a2", (typed,), on(NEXT))
    told = priced(case)
    return told.held, told.symptom


@pytest.mark.parametrize(
    ("text", "lunch", "held"),
    [
        ("Summary\nPeople 4\nPrice $288", True, True),
        ("Summary\nPrice $240", True, False),
        ("Summary\nPrice $72", True, False),
        ("Summary\nPrice $108", True, True),
        ("Summary\nPrice $240", False, True),
        ("Summary\nPrice $60", False, True),
        ("Summary\nPrice $45", False, False),
        ("Summary\nPrice $288\nTax $10", True, None),
        ("Summary\nNight 3", True, None),
    ],
)
def test_a_price_is_made_of_what_was_chosen(text: str, lunch: bool, held: bool | None) -> None:
    """Without what was chosen, or for one where it is for each, it is wrong; what may be meant otherwise is not."""
    assert _told(text, lunch=lunch) == (held, "wrong_result" if held is False else "")


def test_discounts_make_it_untold() -> None:
    """Where something is taken off, no sum can be named."""
    assert _told("Summary\nPrice $200", brief="With a 10% discount for groups")[0] is None
