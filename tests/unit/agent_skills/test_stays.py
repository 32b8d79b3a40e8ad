"""Two dates of a stay: the nights between them, and an end before its beginning."""

from __future__ import annotations

import pytest

from agent.skills import wrongs
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, stepped
from tools.browser.actions import Reload, SetValue, Target
from tools.browser.marks import Mark

ON = mark("Continue", at=(100, 300))


def dates(arrival: str = "2026-01-10", departure: str = "2026-01-16") -> list[Mark]:
    """The two fields."""
    return [
        mark(name, "input", input_type="date", role="date", value=value, at=(100, 100.0 + 60 * place), selector=f"#{name}")
        for place, (name, value) in enumerate((("Arrival", arrival), ("Departure", departure)))
    ]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("6 nights", [True]),
        ("Your stay: 7 nights", [False]),
        ("5 Nächte", [False]),
        ("共 6 晚", [True]),
        ("At least 2 nights", []),
        ("A stay of six nights", []),
    ],
)
def test_the_nights_are_those_between_the_dates(text: str, held: list[bool]) -> None:
    """A wrong number is told when it comes up with the second date; what stood there before is another thing."""
    arrival, departure = dates()
    wish = decided(SetValue(target=Target.of(departure), value=departure.value), "nights_agree", key="nights")
    empty, after = departure.model_copy(update={"value": ""}), page(arrival, departure, ON, text=text, number=1)
    assert [one.held for one in did(wish, page(arrival, empty, ON), after).outcomes] == held
    assert did(wish, page(arrival, empty, ON, text=text), after).outcomes == ()
    assert did(decided(on(ON), "nights_agree"), page(arrival, departure, ON), after).outcomes == ()


def test_an_end_before_its_beginning_is_tried() -> None:
    """In a step that stands filled in, where the brief wants its fields checked."""
    brief = "A wizard: each step must check its fields before it lets you go on."
    filled = did(decided(on(ON), skill='fill form "Arrival"'), page(*dates(), ON), page(*dates(), ON, number=1))
    found = wrongs.propose(see(*dates(), ON, brief=brief, steps=(filled,), past=(page(*dates(), ON),)))
    assert [getattr(one.decision.action, "value", "") for one in found] == ["2026-01-08"]
    plain = wrongs.propose(see(*dates(), ON, brief="A wizard with two dates.", steps=(filled,), past=(page(*dates(), ON),)))
    assert plain == []


def test_what_was_entered_in_another_month_is_not_lost() -> None:
    """After the reload the page shows the month it is; in the same month the entry would have to be there."""
    before = page(text="October 2025\nMonthly ticket\n49.00")
    for month, held in (("January 2026", []), ("October 2025", [False])):
        act = decided(Reload(), "persists", text="Monthly ticket", promised=1.0)
        told = stepped(act, before, page(text=f"{month}\nRent\n900.00", number=1)).outcomes
        assert [one.held for one in told if one.attempts] == held
