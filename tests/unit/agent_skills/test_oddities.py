"""A live field emptied, a colour code that is none, and values of the shape that stands in a field."""

from __future__ import annotations

import pytest

from agent.skills import oddities
from agent.skills.values import value_for
from tests.unit.agent_skills.scenes import aims, decided, did, mark, page, see
from tools.browser.actions import Target, Type
from tools.browser.marks import Mark

GUESTS = mark("Guests", "input", input_type="number", value="4", role="spinbutton")
CODE = mark("Text colour", "input", value="#264653")


def typed(field: Mark, value: str) -> Type:
    """A value typed into a field."""
    return Type(target=Target.of(field), text=value)


@pytest.mark.parametrize(("field", "odd"), [(GUESTS, ""), (CODE, "zebra")])
def test_a_field_that_the_page_follows_is_given_an_odd_value(field: Mark, odd: str) -> None:
    """Once it was seen to be followed; then what stood there is put back."""
    first, after = page(field, text="Each pays 12"), page(field, text="Each pays 10", number=1)
    step = did(decided(typed(field, "5"), skill="fill"), first, after)
    (found,) = oddities.propose(see(field, steps=(step,), past=(first, after)))
    assert (found.decision.skill, getattr(found.decision.action, "text", None)) == (oddities.ODD, odd)
    emptied = page(field.model_copy(update={"value": odd}), text="Each pays NaN", number=3)
    told = did(found.decision, page(field, text="Each pays 10", number=2), emptied, step)
    assert [(one.held, one.symptom) for one in told.outcomes] == [(False, "validation_missing")]
    (back,) = oddities.propose(see(*emptied.marks, steps=(step, told), past=(first, after)))
    assert aims([back]) == [field.name]
    assert getattr(back.decision.action, "text", None) == field.value


def test_a_field_that_nothing_follows_is_left_alone() -> None:
    """So is one that a button takes in."""
    first = page(GUESTS, text="A page")
    step = did(decided(typed(GUESTS, "5"), skill="fill"), first, first)
    assert oddities.propose(see(GUESTS, steps=(step,), past=(first,))) == []
    after = page(GUESTS, text="Another page", number=1)
    step = did(decided(typed(GUESTS, "5"), skill="fill"), first, after)
    button = mark("Calculate", at=(100, 150))
    assert oddities.propose(see(GUESTS, button, steps=(step,), past=(first, after))) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (CODE, "#2a7f62"),
        (mark("Code", "input", value="#2a7f62"), "#c2452d"),
        (mark("From", "input", value="08:30"), "10:45"),
        (mark("How warm", "input", value="20"), "31"),
        (mark("Colour", "input", placeholder="#rrggbb"), "Green garden"),
    ],
)
def test_a_value_has_the_shape_of_what_stands_there(field: Mark, value: str) -> None:
    """A code for a code, a time for a time, a number for a number."""
    assert value_for(field, page(field)) == value


@pytest.mark.parametrize(
    ("stands", "minimum", "value"),
    [
        ("2025-03-12", "", "2025-03-11"),
        ("2025-03-01", "", "2025-03-02"),
        ("2025-03-12", "2025-03-12", "2025-03-13"),
        ("", "", "2025-03-21"),
        ("", "2025-04-01", "2025-04-01"),
    ],
)
def test_a_date_is_near_to_what_stands_there_or_to_today(stands: str, minimum: str, value: str) -> None:
    """An entry of another month may not be shown by a page that shows one."""
    date = mark("Date", "input", input_type="date", value=stands, minimum=minimum)
    assert value_for(date, page(date, today="2025-03-12")) == value


@pytest.mark.parametrize(
    ("holds", "text", "held"), [("904", "904 bpm", [False]), ("180", "180 bpm", [True]), ("904", "120 bpm", [])]
)
def test_more_than_the_most_is_not_taken(holds: str, text: str, held: list[bool]) -> None:
    """Where the brief says how much is the most; a value that nothing comes of is not taken either."""
    tempo = mark("Tempo", "input", input_type="number", role="spinbutton", value="120", maximum="180")
    (found,) = oddities.propose(see(tempo, brief="A sequencer with a tempo from 60 to 180.", text="120 bpm"))
    assert getattr(found.decision.action, "text", "") == "904"
    after = page(tempo.model_copy(update={"value": holds}), text=text, number=1)
    told = did(found.decision, page(tempo, text="120 bpm"), after)
    assert [one.held for one in told.outcomes if one.oracle == "within_bounds"] == held
    assert oddities.propose(see(tempo, brief="A sequencer with a tempo.")) == []
