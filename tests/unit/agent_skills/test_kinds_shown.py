"""Boxes and filters that say which kinds of entries are shown; several wrong values for one form."""

from __future__ import annotations

import pytest

from agent.skills import boxed, wrongs
from agent.skills.checks import boxes
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell
from tests.unit.agent_skills.test_unseen_boards import CHIPS, COFFEES, shelf
from tools.browser.actions import Click, Type
from tools.browser.marks import Mark, Observation

BRIEF = "A week planner. I can switch each category on and off with a box to show or hide its events."
KINDS = ("Work", "Home", "Sport")
EVENTS = ("Stand-up, Work, Mon 09:00", "Review, Work, Tue 10:00", "Dinner, Home, Wed 19:00", "Run, Sport, Thu 07:00")


def kind(name: str, checked: bool = True, place: int = 0) -> Mark:
    """A box to show or hide a kind."""
    at = (100.0 + 120 * place, 40.0)
    return mark(
        name,
        "input",
        role="checkbox",
        input_type="checkbox",
        checked=checked,
        at=at,
        selector=f"#k > label:nth-of-type({place + 1}) > input",
    )


def planner(*events: str, off: str = "", only: str = "", number: int = 0) -> Observation:
    """A week of events under its boxes."""
    row = [kind(name, name == only if only else name != off, place) for place, name in enumerate(KINDS)]
    if only == "-":
        row = [kind(name, False, place) for place, name in enumerate(KINDS)]
    shown = [mark(event, at=(100.0, 120.0 + 40 * place)) for place, event in enumerate(events)]
    return page(*row, *shown, number=number, text="\n".join((*KINDS, *events)))


def test_the_box_of_most_entries_is_switched_and_switched_back() -> None:
    """Once, where the brief speaks of it and entries bear the boxes' names; not in a form, not where no entry is called so."""
    week = planner(*EVENTS)
    (first,) = boxed.propose(see(*week.marks, brief=BRIEF))
    assert isinstance(first.decision.action, Click)
    assert first.decision.action.target.name == "Work"
    after = planner(*EVENTS[2:], off="Work", number=1)
    step = did(first.decision, week, after)
    assert [one.held for one in step.outcomes if one.oracle == "boxes_choose"] == [True]
    (back,) = boxed.propose(see(*after.marks, brief=BRIEF, steps=(step,), past=(week,)))
    assert back.decision.skill == boxed.RETURN
    again = did(back.decision, after, planner(*EVENTS, number=2))
    assert not boxed.propose(see(*week.marks, brief=BRIEF, steps=(step, again), past=(week, after)))
    assert not boxed.propose(see(*week.marks, brief="A week planner."))
    assert not boxed.propose(see(*planner("Breakfast", "Lunch", "Dinner").marks, brief=BRIEF))


@pytest.mark.parametrize(
    ("after", "held", "symptom"),
    [
        (planner(*EVENTS[2:], off="Work", number=1), True, ""),
        (planner(*EVENTS, off="Work", number=1), False, "input_ignored"),
        (planner(*EVENTS[:2], EVENTS[3], off="Work", number=1), False, "wrong_result"),
        (planner(*EVENTS[1:], off="Work", number=1), None, ""),
        (planner(*EVENTS, number=1), None, ""),
    ],
)
def test_a_box_unticked_takes_its_entries_away(after: Observation, held: bool | None, symptom: str) -> None:
    """All of them and no others."""
    wish = boxed.propose(see(*planner(*EVENTS).marks, brief=BRIEF))[0].decision
    params = next(one.params for one in wish.expectations if one.oracle == "boxes_choose")
    told = tell(wish.action, planner(*EVENTS), after, "boxes_choose", **params)
    if held is None:
        assert told is None or told.held is None
        return
    assert (told.held, told.symptom) == (held, symptom)


@pytest.mark.parametrize(
    ("events", "held", "symptom"),
    [(EVENTS[:2], True, ""), (EVENTS, False, "input_ignored"), (EVENTS[2:3], False, "wrong_result")],
)
def test_the_first_box_ticked_leaves_only_its_entries(events: tuple[str, ...], held: bool, symptom: str) -> None:
    """Where none is ticked at first, all is shown."""
    whole = planner(*EVENTS, only="-")
    wish = boxed.propose(see(*whole.marks, brief=BRIEF))[0].decision
    params = next(one.params for one in wish.expectations if one.oracle == "boxes_choose")
    told = tell(wish.action, whole, planner(*events, only="Work", number=1), "boxes_choose", **params)
    assert (told.held, told.symptom) == (held, symptom)


def test_what_a_box_is_called_leaves_its_count_out() -> None:
    """`Work (3)` is of Work."""
    assert [boxes.called(name) for name in ("Work (3)", "Work 3", "Work")] == ["Work"] * 3


def test_an_entry_of_another_kind_under_a_filter_is_wrong() -> None:
    """Unless its own filter was chosen before, where several can be chosen together."""
    rows = "\n".join(" ".join(row).casefold() for row in COFFEES)
    mixed = shelf(*COFFEES[1:], number=1)
    told = tell(on(CHIPS[3]), shelf(*COFFEES), mixed, "chip_filters", word="Dark", rows=rows, asked="")
    assert (told.held, told.symptom) == (False, "wrong_result")
    assert tell(on(CHIPS[3]), shelf(*COFFEES), mixed, "chip_filters", word="Dark", rows=rows, asked="Medium").held is True


MAIL = mark("Email", "input", input_type="email", selector="#mail", at=(100, 100))
SEND = mark("Sign up", at=(100, 160))
CHECKED = "A newsletter form that checks the email address and says what is wrong."


def test_a_form_that_refused_one_wrong_address_is_given_another() -> None:
    """`anna.keller`, then `anna@`; no third, and none once one was taken."""
    held = MAIL.model_copy(update={"value": "anna.keller"})
    empty, full = page(MAIL, SEND), page(held, SEND, number=1)
    (form,) = wrongs.forms((MAIL, SEND))
    taken = did(decided(on(SEND), skill=f"submit form {form.key}"), empty, page(MAIL, SEND, text="Thank you", number=1))
    (first,) = wrongs.propose(see(MAIL, SEND, brief=CHECKED, steps=(taken,)))
    assert isinstance(first.decision.action, Type)
    typed = did(first.decision, empty, full, taken)
    (send,) = wrongs.propose(see(held, SEND, brief=CHECKED, steps=(taken, typed)))
    refusal = page(held, SEND, text="Please enter a valid email address", number=2)
    refused = did(send.decision, full, refusal, taken, typed)
    assert [one.held for one in refused.outcomes if one.oracle == "refused"] == [True]
    (second,) = wrongs.propose(see(held, SEND, brief=CHECKED, steps=(taken, typed, refused)))
    assert isinstance(second.decision.action, Type)
    assert second.decision.action.text == "anna@"
    accepted = did(send.decision, full, page(MAIL, SEND, text="Thank you, we will write", number=2), taken, typed)
    assert not wrongs.propose(see(MAIL, SEND, brief=CHECKED, steps=(taken, typed, accepted)))
