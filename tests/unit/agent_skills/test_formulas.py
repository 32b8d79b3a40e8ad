"""What well-known calculators compute is done again, and only where nothing else is in play."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agent.skills.checks.formulas import entered
from agent.skills.checks.labelled import packed
from tests.unit.agent_skills.scenes import decided, mark, on, page, stepped
from tools.browser.actions import SetValue, Target
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Outcome


def field(name: str, value: str, kind: str = "number", place: int = 0) -> Mark:
    """A field with a figure."""
    return mark(name, "input", input_type=kind, value=value, at=(100, 100 + 50 * place))


def loan(price: int, payment: str, interest: str = "", *more: Mark, number: int = 0) -> Observation:
    """A mortgage at 6.5 % over 30 years, a fifth paid down."""
    term = mark("Loan term", "select", value="30", options=("15", "30"), option_names=("15 years", "30 years"), at=(100, 400))
    fields = (
        field("Home price", str(price)),
        field("Down payment", str(price // 5), place=1),
        field("Down payment percentage", "20", place=2),
        field("Interest rate (per year)", "6.5", place=3),
        term,
    )
    text = f"Monthly payment\n{payment}" + (f"\nTotal interest\n{interest}" if interest else "")
    return page(*fields, *more, text=text, number=number)


def changed(*pages: Observation) -> list[Outcome]:
    """Outcomes of steps from page to page."""
    act = SetValue(target=Target.of(pages[0].marks[0]), value="1")
    steps = []
    for before, after in pairwise(pages):
        steps.append(stepped(decided(act, "formula_holds", key="formula"), before, after, tuple(steps)))
    return [one for step in steps for one in step.outcomes]


def test_a_loans_instalment_is_done_again() -> None:
    """Right to the cent; wrong for two sets of values: a wrong result."""
    right = changed(loan(400000, "$2,022.62", number=0), loan(300000, "$1,516.96", number=1))
    assert [one.held for one in right] == [True]
    wrong = changed(loan(400000, "$2,022.62"), loan(300000, "$1,896.20", number=1), loan(200000, "$1,264.14", number=2))
    assert [one.held for one in wrong] == [None, False]
    assert wrong[-1].symptom == "wrong_result"
    assert "1011.31" in wrong[-1].observed


def test_one_wrong_figure_beside_a_right_one_is_told() -> None:
    """The instalment is right, the interest leaves something out."""
    told = changed(
        loan(400000, "$2,022.62", "$408,142"),
        loan(300000, "$1,516.96", "$246,105", number=1),
        loan(200000, "$1,011.31", "$164,070", number=2),
    )
    assert [one.held for one in told] == [None, False]
    assert "total interest" in told[-1].observed


@pytest.mark.parametrize(
    "more",
    [
        field("Extra payment", "100", place=9),
        mark("Include taxes", "input", input_type="checkbox", checked=True, at=(100, 700)),
        mark("Frequency", "select", value="w", options=("w", "m"), option_names=("Weekly", "Monthly"), at=(100, 700)),
        field("Height", "3", place=9),
    ],
)
def test_more_in_play_than_the_formula_knows(more: Mark) -> None:
    """Another field with a figure, a ticked box, a select of something else: nothing is told."""
    assert not changed(loan(400000, "$2,022.62", "", more), loan(300000, "$1.00", "", more, number=1))


def test_a_result_of_older_values_is_not_held_against_it() -> None:
    """Until the button is pressed the figure stays; then it is right."""
    told = changed(loan(400000, "$2,022.62"), loan(300000, "$2,022.62", number=1), loan(300000, "$1,516.96", number=2))
    assert [one.held for one in told] == [True]


@pytest.mark.parametrize(
    ("text", "held"),
    [("Max height 15.9 m\nRange 63.7 m", True), ("Range 63.7 m\nMax height 31.8 m", False), ("Range 127.4 m", False)],
)
def test_a_throw(text: str, held: bool) -> None:
    """Range and height of a throw with 25 m/s at 45°."""
    fields = (
        field("Launch angle 45°", "45", "range"),
        field("Initial speed 25 m/s", "25", "range", 1),
        field("Gravity 9.81 m/s²", "9.81", "range", 2),
    )
    act = decided(on(fields[0]), "formula_holds", key="formula")
    first = stepped(act, page(*fields, text="Range 1 m\nMax height 2 m"), page(*fields, text=text, number=1))
    again = stepped(act, page(*fields, text="Range 1 m\nMax height 2 m"), page(*fields, text=text, number=2), (first,))
    assert again.outcomes[0].held is held
    moving = stepped(act, page(*fields, text="Range 1 m"), page(*fields, text=text, number=2, moving=0.1), (first,))
    assert not moving.outcomes


def test_months_and_metres() -> None:
    """A term in months is so many years; a height may be in metres or centimetres."""
    term = mark("Loan term", "select", value="180", options=("180",), option_names=("180 months",))
    assert entered(page(term)) == {"years": 15}
    for height in ("180", "1.8"):
        fields = (field("Weight (kg)", "81"), field("Height", height, place=1))
        told = changed(page(*fields, text="Your BMI\n–"), page(*fields, text="Your BMI\n25.0", number=1))
        assert [one.held for one in told] == [True]


def test_a_figure_for_a_value_as_at_first_says_which_field_is_ignored() -> None:
    """It is right for the years that stood there at first: the term is ignored, and the formula is not wrong."""

    def term(payment: str, price: int, years: str, number: int) -> Observation:
        seen = loan(price, payment, number=number)
        marks = tuple(one.model_copy(update={"value": years}) if one.tag == "select" else one for one in seen.marks)
        return seen.model_copy(update={"marks": marks})

    first, later = term("$2,022.62", 400000, "30", 0), term("$1,516.96", 300000, "15", 1)
    pages = (first, later, term("$1,011.31", 200000, "15", 2))
    act = SetValue(target=Target.of(first.marks[0]), value="1")
    wish = decided(act, "formula_holds", key="formula", first=packed(dict(entered(first) or {})))
    one = stepped(wish, pages[0], pages[1], ())
    two = stepped(wish, pages[1], pages[2], (one,))
    assert (two.outcomes[0].held, two.outcomes[0].symptom) == (False, "input_ignored")
    assert "it is for years as at first" in two.outcomes[0].observed
    bare = decided(act, "formula_holds", key="formula")
    again = stepped(bare, pages[1], pages[2], (stepped(bare, pages[0], pages[1], ()),))
    assert again.outcomes[0].symptom == "wrong_result"
