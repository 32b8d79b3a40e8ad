"""Boxes and filters that say which kinds of entries are shown; several wrong values for one form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.deciders.protocol import Decision, Step
from agent.skills import boxed, buttons, live_fields, wrongs
from agent.skills.checks import boxes
from agent.skills.survey import Survey, expects, names_language
from agent.skills.values import value_for
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell
from tests.unit.agent_skills.test_unseen_boards import CHIPS, COFFEES, shelf
from tools.browser.actions import Click, Drag, SetValue, Target, Type
from tools.browser.marks import Drawing, Listing, Mark, Observation
from tools.evidence.rows import Box

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
    assert wish.action is not None
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
    assert wish.action is not None
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


LOAN = "A mortgage page with price, down payment, interest and years; the monthly payment follows as I type."
LOAN_FIELDS = tuple(
    mark(name, "input", input_type="number", value=value, at=(100, 100.0 + 60 * place))
    for place, (name, value) in enumerate((("Price", "300000"), ("Down payment", "60000"), ("Years", "30")))
)


def typed(field: Mark, value: str, text: str, number: int, was: str = "Monthly 1,200") -> tuple[Step, tuple[Observation, ...]]:
    """A field is given a value; the page says `text` then."""
    act = Type(target=Target.of(field), text=value)
    pages = (page(*LOAN_FIELDS, text=was, number=number), page(*LOAN_FIELDS, text=text, number=number + 1))
    return did(decided(act, skill="fill form x"), *pages), pages


def loan(*acts: tuple[Step, tuple[Observation, ...]], more: tuple[Mark, ...] = ()) -> Survey:
    """What is known after these."""
    past = tuple(one for _, pages in acts for one in pages)
    return see(*LOAN_FIELDS, *more, brief=LOAN, steps=tuple(step for step, _ in acts), past=past)


def test_a_field_that_nothing_follows_beside_those_that_are_followed_is_tried_again() -> None:
    """Two further values without an effect tell it, though words beside it follow; nothing is told where a figure follows."""
    price, years = typed(LOAN_FIELDS[0], "310000", "Monthly 1,250", 0), typed(LOAN_FIELDS[2], "25", "Monthly 1,400", 4)
    dead, alive = (
        typed(LOAN_FIELDS[1], "70000", "Monthly 1,200\n23 % of the price", 2),
        typed(LOAN_FIELDS[1], "70000", "Monthly 1,150", 2),
    )
    (again,) = live_fields.propose(loan(price, dead, years))
    act = again.decision.action
    assert isinstance(act, Type)
    assert (act.target, act.text) == (Target.of(LOAN_FIELDS[1]), "72000")
    still = page(*LOAN_FIELDS, text="Monthly 1,400", number=6)
    valued = (LOAN_FIELDS[0], LOAN_FIELDS[1].model_copy(update={"value": "72000"}), LOAN_FIELDS[2])
    steps = (price[0], dead[0], years[0])
    first = did(again.decision, still, page(*valued, text="Monthly 1,400\n24 % of the price", number=7), *steps)
    second = did(again.decision, still, page(*valued, text="Monthly 1,400\n24 % of the price", number=8), *steps, first)
    assert [one.held for one in first.outcomes if one.oracle == "results_follow"] == [None]
    assert [(one.held, one.symptom) for one in second.outcomes if one.oracle == "results_follow"] == [(False, "input_ignored")]
    well = did(again.decision, still, page(*valued, text="Monthly 1,390", number=7), *steps)
    assert [one.held for one in well.outcomes if one.oracle == "results_follow"] == [True]
    assert not live_fields.propose(loan(price, alive, years))
    assert not live_fields.propose(loan(price, dead))
    assert not live_fields.propose(loan(price, dead, years, more=(mark("Calculate", at=(100, 300)),)))


def test_another_value_keeps_to_the_bounds() -> None:
    """A fifth more on the field's steps, less where there is no room; none where it holds no number."""
    field = mark("Years", "input", input_type="number", value="30", minimum="1", maximum="30", step="5")
    assert live_fields.another(field) == "25"
    assert live_fields.another(field.model_copy(update={"value": "10"})) == "15"
    assert live_fields.another(field.model_copy(update={"value": ""})) == ""


def test_a_card_that_can_be_dragged_is_pressed_too() -> None:
    """Two of a board's cards, whether or not they were dragged; none that listens for nothing."""
    listens = ("click", "dragstart")
    cards = [
        mark(
            f"Card {n}",
            "div",
            role="clickable",
            draggable=True,
            listeners=listens,
            at=(100, 90.0 * n),
            selector=f"#b > div:nth-of-type({n})",
        )
        for n in (1, 2, 3)
    ]
    silent = mark("Chip", "div", role="clickable", draggable=True, at=(400, 90))

    def pressed(*steps: Step) -> list[str]:
        found = buttons.propose(see(*cards, silent, brief="A board of cards", steps=steps))
        return [one.decision.action.target.name for one in found if isinstance(one.decision.action, Click)]

    board = page(*cards, silent)
    dragged = did(decided(Drag(target=Target.of(cards[0]), by=(0, 100)), "dropped"), board, board)
    assert pressed(dragged) == ["Card 1", "Card 2", "Card 3"]
    first, second = (
        did(decided(on(card), "responds"), board, page(*cards, silent, number=n)) for n, card in ((1, cards[0]), (2, cards[2]))
    )
    assert pressed(first) == ["Card 2", "Card 3"]
    assert pressed(first, second) == []


def test_a_field_for_words_of_a_language_is_no_switch_to_it() -> None:
    """A vocabulary's fields are filled in their turn."""
    assert names_language(mark("English"))
    assert not names_language(mark("English", "input", role="textbox"))
    assert not names_language(mark("英文（必填）", "input", role="textbox"))


@pytest.mark.parametrize(
    ("value", "held", "symptom"),
    [
        ("**A plain line**", True, ""),
        ("A plain line**bold text**", False, "input_ignored"),
        ("A plain line<b>bold</b>", False, "input_ignored"),
        ("A plain line\n- ", True, ""),
    ],
)
def test_a_tool_works_on_what_was_chosen(value: str, held: bool, symptom: str) -> None:
    """Marks around other words behind the chosen ones leave these as they were."""
    editor = mark("Text", "textarea", role="textbox", value="A plain line", at=(100, 200))
    editor = editor.model_copy(update={"box": Box(x=100, y=200, width=600, height=400)})
    tool = mark("B", at=(100, 100))
    told = tell(on(tool), page(editor, tool), page(editor.model_copy(update={"value": value}), tool, number=1), "formats")
    assert (told.held, told.symptom) == (held, symptom)


def years(interest: tuple[float, ...], total: float, paid: float, number: int = 0) -> Observation:
    """A loan's table by year over its totals."""
    rows = tuple((str(2026 + n), f"{1200.0:.2f}", f"{one:.2f}") for n, one in enumerate(interest))
    listing = Listing(selector="#t", columns=("Year", "Paid", "Interest"), items=rows, count=len(rows))
    text = f"Total interest\n{total:.2f}\nPaid back\n{paid:.2f}"
    return page(*LOAN_FIELDS, text=text, number=number, lists=(listing,))


def test_a_total_that_its_whole_column_does_not_add_up_to() -> None:
    """Twice, and only where another column shows that the table is all there is."""
    wish = decided(Type(target=Target.of(LOAN_FIELDS[0]), text="1"), "totals_follow", key="totals")
    states = [((30, 20, 10), 600, 3600), ((33, 22, 11), 660, 3600), ((36, 24, 12), 720, 3600)]
    pages = [years(*state, number=n) for n, state in enumerate(states)]
    first = did(wish, pages[0], pages[1])
    second = did(wish, pages[1], pages[2], first)
    assert [(one.held, one.symptom) for one in second.outcomes] == [(False, "wrong_result")]
    assert wish.action is not None
    partial = [years(state[0], state[1], 9000, number=n) for n, state in enumerate(states)]
    assert tell(wish.action, partial[0], partial[1], "totals_follow", key="totals").held is True
    right = [years(state[0], sum(state[0]), 3600, number=n) for n, state in enumerate(states)]
    assert tell(wish.action, right[0], right[1], "totals_follow", key="totals").held is True


def test_a_chart_that_ignores_one_control_is_told_though_another_moves_it() -> None:
    """What the period moved is no answer for the slider, at two of whose values the chart stood."""
    slide, period = mark("Shortest session", "input", input_type="range", value="20"), mark("30 days")

    def chart(digest: str, hours: int, number: int) -> Observation:
        drawn = Drawing(selector="#weeks", digest=digest)
        return page(slide, period, text=f"Hours\n{hours}", number=number, drawings=(drawn,))

    def slid(value: str) -> Decision:
        act, own = SetValue(target=Target.of(slide), value=value), expects("drawings_follow", "its charts", key="drawings of it")
        return replace(
            decided(act, "drawings_follow", key="drawings"), expectations=(expects("drawings_follow", "all", key="drawings"), own)
        )

    first = did(slid("60"), chart("a", 20, 0), chart("a", 9, 1))
    pressed = did(decided(on(period), "drawings_follow", key="drawings"), chart("a", 9, 1), chart("b", 30, 2), first)
    second = did(slid("10"), chart("b", 30, 2), chart("b", 44, 3), first, pressed)
    assert [(one.expectation, one.held) for one in second.outcomes] == [("all", None), ("its charts", False)]


def test_a_field_called_after_english_is_given_english_words() -> None:
    """A vocabulary in Chinese refuses anything else there."""
    field = mark("英文（必填）", "input", role="textbox")
    shown = page(field, mark("添加到词库"), text="词库里有二十个单词")
    assert value_for(field, shown).isascii()
    assert not value_for(mark("中文意思（必填）", "input", role="textbox"), shown).isascii()


def test_years_with_something_are_few_and_a_year_is_one() -> None:
    """Whoever was born in 1990 holds no licence for 48 years."""
    assert value_for(mark("Years with a full licence", "input", input_type="number", minimum="0", maximum="80"), page()) == "5"
    assert value_for(mark("Year", "input", input_type="number"), page()) == "2024"
