"""What a form objects to is put right, and the form is sent again."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import mending
from agent.skills.checks.objections import objections
from agent.skills.shapes import number_like, text_like
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see
from tools.browser.actions import SetValue, Target, Type
from tools.browser.marks import Mark

NAME = mark("Name", "input", at=(100, 100), value="Anna")
PASSPORT = mark("Passport number", "input", at=(100, 160), value="Green garden", selector="#passport")
ON = mark("Continue", at=(100, 240))
COMPLAINT = "A passport number has 6 to 9 letters and digits."


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (COMPLAINT, "AB482135"),
        ("Passport number 6 to 9 letters and digits", "AB482135"),
        ("Exactly 4 digits", "4821"),
        ("密码为 6-12 位数字", "48213579"),
        ("mindestens 20 Zeichen", "The roses are in bloom t"),
        ("At least 300 characters", ""),
        ("Your name", ""),
        ("Only letters, digits and hyphens, please.", "AB-4821"),
        ("nur Buchstaben, Ziffern und Bindestriche", "AB-4821"),
    ],
)
def test_a_text_of_the_length_and_kind_asked_for(asked: str, value: str) -> None:
    """Nothing that would take long to type."""
    assert text_like(asked) == value


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("between 1 and 9", "5"),
        ("at least 18", "18"),
        ("Must be 2 – 4", "3"),
        ("Enter an age", ""),
        ("A whole number, 0 or more.", "6"),
    ],
)
def test_a_number_within_the_bounds_asked_for(asked: str, value: str) -> None:
    """By a span or by one bound."""
    assert number_like(asked) == value


def test_the_field_that_a_complaint_names() -> None:
    """Where the form stands as it stood; not where it was taken in, and not a line that shows what was entered."""
    stood = page(NAME, PASSPORT, ON, text="Step 1")
    assert [(one.name, line) for one, line in objections(stood, page(NAME, PASSPORT, ON, text=f"Step 1\n{COMPLAINT}"))] == [
        ("Passport number", COMPLAINT.casefold())
    ]
    assert objections(stood, page(mark("Arrival", "input"), ON, text=f"Step 2\n{COMPLAINT}")) == []
    assert objections(stood, page(NAME, PASSPORT, ON, text="Step 1\nPassport number: Green garden")) == []


def test_it_is_mended_and_sent_again() -> None:
    """The objection is no acceptance; the field it names gets what it asks for, then the same button is pressed."""
    stood, refused = page(NAME, PASSPORT, ON, text="Step 1"), page(NAME, PASSPORT, ON, text=f"Step 1\n{COMPLAINT}", number=1)
    sent = did(decided(on(ON), "accepted", skill='submit form "Name"', values="Anna"), stood, refused)
    assert [one.held for one in sent.outcomes] == [None]
    (mend,) = mending.propose(see(NAME, PASSPORT, ON, steps=(sent,), past=(stood, refused), text=refused.text))
    assert (aims([mend]), getattr(mend.decision.action, "text", "")) == (["Passport number"], "AB482135")
    right = PASSPORT.model_copy(update={"value": "AB482135"})
    typed = did(
        decided(Type(target=Target.of(PASSPORT), text="AB482135"), "value_kept", skill=mending.MEND, value="AB482135"),
        refused,
        page(NAME, right, ON, text=refused.text, number=2),
        sent,
    )
    (again,) = mending.propose(see(NAME, right, ON, steps=(sent, typed), past=(stood, refused), text=refused.text))
    assert (aims([again]), again.decision.skill) == (["Continue"], 'submit form "Name"')


def test_a_form_that_was_taken_in_is_left_alone() -> None:
    """Nothing to mend."""
    stood, after = page(NAME, PASSPORT, ON, text="Step 1"), page(mark("Arrival", "input"), ON, text="Step 2", number=1)
    sent = did(decided(on(ON), "accepted", skill='submit form "Name"', values="Anna"), stood, after)
    assert mending.propose(see(*after.marks, steps=(sent,), past=(stood, after), text="Step 2")) == []


def test_a_box_is_ticked_where_the_form_stands_as_it_stood() -> None:
    """Whatever it is called; once it was, the form is sent again. Boxes of a form that was taken in are left alone."""
    box = mark("All of it is right", "input", input_type="checkbox", role="checkbox", checked=False, at=(100, 200))
    stood = page(NAME, PASSPORT, box, ON, text="Step 1")
    sent = did(decided(on(ON), "accepted", skill='submit form "Name"', values="Anna"), stood, stood)
    (tick,) = mending.propose(see(*stood.marks, steps=(sent,), past=(stood,), text="Step 1"))
    assert aims([tick]) == ["All of it is right"]
    ticked = page(NAME, PASSPORT, box.model_copy(update={"checked": True}), ON, text="Step 1", number=2)
    step = did(decided(on(box), "toggles", skill=mending.MEND), stood, ticked, sent)
    (again,) = mending.propose(see(*ticked.marks, steps=(sent, step), past=(stood, ticked), text="Step 1"))
    assert aims([again]) == ["Continue"]


def test_a_remark_right_under_a_field_is_an_objection_to_it() -> None:
    """Though it names none: what stands under another label, or is one word, is not."""
    years = mark("Years with a licence", "input", input_type="number", value="48", at=(100, 300))
    first = page(NAME, years, ON, text=f"{NAME.name}\nYears with a licence\nContinue")
    remark = "That is longer than your age allows."
    after = page(NAME, years, ON, text=f"{NAME.name}\nYears with a licence\n{remark}\nContinue", number=1)
    assert [(one.name, line) for one, line in objections(first, after)] == [("Years with a licence", remark.casefold())]
    assert objections(first, page(NAME, years, ON, text=f"{NAME.name}\nYears with a licence\nContinue\n{remark}", number=1)) == []
    assert objections(first, page(NAME, years, ON, text=f"{NAME.name}\nYears with a licence\n48\nContinue", number=1)) == []


def test_a_complaint_that_stands_is_no_dead_button() -> None:
    """Sent once more with a value as wrong as the first, the form says what it said; with nothing said the button is dead."""
    send = mark("Add", at=(100, 400))
    says = "Only Latin letters are allowed here."
    empty, told = page(NAME, send), page(NAME, send, text=says, number=1)
    first = did(decided(on(send), "accepted", values="x"), empty, told)
    again = did(decided(on(send), "accepted", values="y"), told, page(NAME, send, text=says, number=2), first)
    once_more = did(decided(on(send), "accepted", values="z"), told, page(NAME, send, text=says, number=3), first, again)
    assert [one.held for one in once_more.outcomes if one.oracle == "accepted"] == [None]
    dumb = did(decided(on(send), "accepted", values="x"), empty, page(NAME, send, number=1))
    deaf = did(decided(on(send), "accepted", values="y"), empty, page(NAME, send, number=2), dumb)
    assert [one.held for one in deaf.outcomes if one.oracle == "accepted"] == [False]


def _entered(field: Mark, text: str, skill: str, *history: Step) -> Step:
    """A step that typed something into a field."""
    act = Type(target=Target.of(field), text=text)
    return did(decided(act, "value_kept", skill=skill, value=text), page(field), page(field, number=1), *history)


@pytest.mark.parametrize(("shown", "held"), [("501", True), ("500", False), ("", False)])
def test_a_summary_shows_what_was_mended(shown: str, held: bool) -> None:
    """What a form objected to is not what was entered: the value it took is, and must stand in the summary."""
    worth = mark("Value of the car", "input", selector="#worth", at=(100, 300))
    first = _entered(NAME, "Anna Keller", "fill form x")
    wrong = _entered(worth, "500", "fill form x", first)
    right = _entered(worth, "501", mending.MEND, first, wrong)
    text = f"Summary\n{NAME.name}\nAnna Keller\nValue of the car\n{shown}"
    step = did(decided(on(ON), "summarised"), page(ON), page(ON, text=text, number=4), first, wrong, right)
    assert [one.held for one in step.outcomes if one.oracle == "summarised"] == [held]


@pytest.mark.parametrize(("shown", "held"), [("£12,500", True), ("12500", True), ("£1,250", False)])
def test_a_summary_may_set_thousands_apart(shown: str, held: bool) -> None:
    """The same figure in other signs is shown; another figure is not."""
    worth = mark("Value of the car", "input", selector="#worth", at=(100, 300))
    first = _entered(NAME, "Anna Keller", "fill form x")
    second = _entered(worth, "12500", "fill form x", first)
    text = f"Summary\n{NAME.name}\nAnna Keller\nValue of the car\n{shown}"
    step = did(decided(on(ON), "summarised"), page(ON), page(ON, text=text, number=4), first, second)
    assert [one.held for one in step.outcomes if one.oracle == "summarised"] == [held]


def test_what_was_set_later_takes_the_place_of_what_was_typed() -> None:
    """A date or a slider is shown in many ways, so that nothing is told of it."""
    day = mark("Starts on", "input", input_type="date", selector="#day", at=(100, 300))
    first = _entered(NAME, "Anna Keller", "fill form x")
    typed = _entered(day, "2026-01-10", "fill form x", first)
    act = SetValue(target=Target.of(day), value="2026-02-11")
    later = did(decided(act, "value_kept", skill="fill form x"), page(day), page(day, number=1), first, typed)
    text = f"Summary\n{NAME.name}\nAnna Keller\nStarts on\n11 February 2026"
    step = did(decided(on(ON), "summarised"), page(ON), page(ON, text=text, number=4), first, typed, later)
    assert [one.held for one in step.outcomes if one.oracle == "summarised"] == [True]


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Please enter a path starting with a '/'.\nPlease fix errors before submitting", True),
        ("Please check your entry", True),
        ("Thank you, it was submitted", False),
        ("Thank you, it was submitted\nThis field is required", False),
    ],
)
def test_a_complaint_that_speaks_of_submitting_confirms_nothing(said: str, held: bool) -> None:
    """What objects and names the sending in one line is no confirmation; a line that only confirms is."""
    send = mark("Add", at=(100, 400))
    step = did(decided(on(send), "validation_shown"), page(NAME, send), page(NAME, send, text=said, number=1))
    assert [one.held for one in step.outcomes if one.oracle == "validation_shown"] == [held]


def test_one_of_several_boxes_is_ticked_where_a_line_asks_for_it() -> None:
    """Before any field is given another value, and one only until the form was sent again; a field's label is no objection."""
    start = mark("Earliest start", "input", input_type="date", value="2026-01-10", at=(100, 100))
    wage = mark("Hourly wage (optional)", "input", at=(100, 160), value="12")
    days = [
        mark(name, "input", input_type="checkbox", role="checkbox", checked=False, at=(100 + 200.0 * i, 200))
        for i, name in enumerate(("Monday", "Tuesday"))
    ]
    asked = "Please tick at least one day.\nEarliest start\nHourly wage (optional)"
    stood, refused = page(start, wage, *days, ON, text="Earliest start"), page(start, wage, *days, ON, text=asked, number=1)
    assert not objections(stood, refused)
    sent = did(decided(on(ON), "accepted", skill='submit form "Earliest start"', values=""), stood, refused)
    (tick,) = mending.propose(see(*refused.marks, steps=(sent,), past=(stood, refused), text=asked))
    assert aims([tick]) == ["Monday"]
    ticked = page(start, wage, days[0].model_copy(update={"checked": True}), days[1], ON, text=asked, number=2)
    step = did(tick.decision, refused, ticked, sent)
    (again,) = mending.propose(see(*ticked.marks, steps=(sent, step), past=(stood, refused, ticked), text=asked))
    assert aims([again]) == ["Continue"]


def test_a_long_text_is_long_enough_without_the_blank_at_its_end() -> None:
    """`50 to 1000 characters`."""
    assert 50 <= len(text_like("Why would you like to work with us? (50 to 1000 characters)")) <= 60
