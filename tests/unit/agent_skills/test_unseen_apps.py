"""What faults in apps nobody tuned on showed: fees, steps back, opposite filters, defaults, crowds, faint themes, keys."""

from __future__ import annotations

import pytest

from agent.skills import buttons, choices, defaults, forms, keyboard, parting, themes, wrongs
from agent.skills.checks import listed
from tests.unit.agent_skills.scenes import acts, aims, decided, did, mark, on, page, see, tell, twice
from tools.browser.actions import Click, Press, Reload, Select, SetValue, Target, Type
from tools.browser.marks import Listing, Mark, Observation

EXPRESS = mark("Express", "input", input_type="radio", role="radio", checked=False)


def bill(fee: str, total: str, number: int = 0) -> Observation:
    """An order with its delivery."""
    chosen = EXPRESS.model_copy(update={"checked": fee != "Free"})
    text = f"Subtotal\n$72.50\nDelivery\n{fee}\nTax (8%)\n$5.80\nTotal\n{total}"
    return page(chosen, text=text, number=number)


def test_a_total_follows_its_delivery() -> None:
    """Dearer delivery and the same total, there and back: wrong. A total that follows, or includes it from the start, is none."""
    wrong = twice(on(EXPRESS), bill("Free", "$78.30"), bill("$9.90", "$78.30", 1), "sums_agree", key="sums")
    assert [one.held for one in wrong] == [None, False]
    assert tell(on(EXPRESS), bill("Free", "$78.30"), bill("$9.90", "$88.20", 1), "sums_agree").held is True
    field = mark("City", "input")
    assert tell(on(field), bill("Free", "$78.30"), bill("$9.90", "$78.30", 1), "sums_agree").held is not False


NAME = mark("Full name", "input", selector="#name")
OBJECTED = mark("Full name Please enter your name", "input", selector="#name")
NEXT, BACK = mark("Continue", at=(700, 300)), mark("Back", at=(100, 300))


def test_a_step_back_after_a_step_was_filled() -> None:
    """Though Back was tried before; what comes back empty is told, even if its label had a complaint in it when it was filled."""
    early = did(decided(on(BACK), skill="press a button"), page(NAME, BACK, text="1"), page(BACK, text="0", number=1))
    typed = Type(target=Target.of(OBJECTED), text="Anna Keller")
    filled = OBJECTED.model_copy(update={"value": "Anna Keller"})
    fill = did(
        decided(typed, "value_kept", value="Anna Keller"), page(OBJECTED, NEXT, BACK), page(filled, NEXT, BACK, number=2), early
    )
    sent = decided(on(NEXT), "accepted", skill='submit form "Full name"')
    step = did(sent, page(filled, NEXT, BACK), page(NEXT, BACK, text="Delivery", number=3), early, fill)
    survey = see(NEXT, BACK, steps=(early, fill, step), past=(page(NAME, BACK), page(BACK)), text="Delivery")
    assert aims(buttons.propose(survey))[0] == "Back"
    here = page(NEXT, BACK, text="Delivery")
    lost, held = (page(NAME.model_copy(update={"value": value}), NEXT, BACK, number=4) for value in ("", "Anna Keller"))
    assert tell(on(BACK), here, lost, "kept_on_return", (early, fill, step)).symptom == "state_not_updated"
    assert tell(on(BACK), here, held, "kept_on_return", (early, fill, step)).held is True
    country = mark("Country", "select", value="France", options=("France", "Spain"), at=(100, 300))
    chosen = did(
        decided(on(country), "value_kept", value="France"), page(NAME, country, NEXT), page(filled, country, NEXT), early
    )
    steps = (early, chosen, fill, step)
    lost = page(NAME.model_copy(update={"value": ""}), country, NEXT, BACK, number=5)
    assert tell(on(BACK), here, lost, "kept_on_return", steps).symptom == "state_not_updated"


def test_a_step_that_is_checked_is_submitted_empty_though_a_number_has_its_own_value() -> None:
    """A number of people begins at 1; name and address are what can be empty."""
    brief = "A booking form in three steps. Each step is checked before going on."
    people = mark("People", "input", input_type="number", value="1", at=(100, 300))
    told = [one.decision.skill for one in forms.propose(see(NAME, people, NEXT, brief=brief))]
    assert 'submit empty form "Full name"' in told


def test_a_step_that_is_to_be_checked_must_not_lead_on_empty() -> None:
    """None of its fields says that it is required, but the brief does; a field that may be left empty is not asked for."""
    brief = "A booking form in three steps. Each step is checked before going on."
    mail = mark("E-mail", "input", input_type="email", at=(100, 200))
    asked = next(
        one.decision for one in forms.propose(see(NAME, mail, NEXT, brief=brief)) if one.decision.skill.startswith("submit empty")
    )
    course = mark("Course", "select", options=("", "45"), at=(100, 200))
    first, second = page(NAME, mail, NEXT, text="You"), page(course, NEXT, BACK, text="Your workshop\nCourse", number=1)
    assert did(asked, first, second).outcomes[0].symptom == "validation_missing"
    assert did(asked, first, page(NAME, mail, NEXT, text="You\nPlease enter your name", number=1)).outcomes[0].held is True
    loose = mark("Nickname (optional)", "input")
    assert not any(one.decision.skill.startswith("submit empty") for one in forms.propose(see(loose, NEXT, brief=brief)))


def test_an_empty_form_is_submitted_once_though_its_complaint_renames_it() -> None:
    """The second time it would only say the same."""
    brief, mail = "A form in steps that validates its fields", mark("Email", "input", at=(100, 200))
    before = page(NAME, mail, NEXT)
    sent = did(decided(on(NEXT), "validation_shown", skill='submit empty form "Full name"'), before, page(OBJECTED, mail, NEXT))
    told = [one.decision.skill for one in forms.propose(see(OBJECTED, mail, NEXT, brief=brief, steps=(sent,), past=(before,)))]
    assert told
    assert not any(skill.startswith("submit empty") for skill in told)
    sent = did(decided(on(NEXT), "accepted", skill=f'submit form "{OBJECTED.name}"'), before, page(NEXT, text="2"))
    again = forms.propose(see(NAME, mail, NEXT, brief=brief, steps=(sent,), past=(before,)))
    assert not any(one.decision.skill.startswith("fill form") for one in again)
    fresh = [one.decision.skill for one in forms.propose(see(NAME, mail, NEXT, brief=brief))]
    assert any(skill.startswith("submit empty") for skill in fresh)


def test_a_step_that_stands_filled_in_is_tried_with_a_wrong_value_and_put_right() -> None:
    """Wrong, its button, right again; a next step that comes up all the same is told."""
    brief = "A checkout in steps; every step checks and validates its fields, such as the email"
    mail = mark("Email", "input", input_type="email", selector="#mail", value="anna.keller@example.com")
    bad = mail.model_copy(update={"value": "anna.keller"})
    back = did(decided(on(BACK), skill="step back"), page(NEXT, BACK, text="2"), page(mail, NEXT, BACK, number=1))
    first = acts(wrongs.propose(see(mail, NEXT, BACK, brief=brief, steps=(back,), past=(page(NEXT, BACK),))))
    assert isinstance(first[0], Type)
    assert first[0].text == "anna.keller"
    wrong = did(decided(first[0], skill=wrongs.FILL_STEP), page(mail, NEXT), page(bad, NEXT, number=2), back)
    second = acts(wrongs.propose(see(bad, NEXT, BACK, brief=brief, steps=(back, wrong), past=(page(mail),))))
    assert isinstance(second[0], Click)
    assert second[0].target.name == "Continue"
    before, gone = page(bad, NEXT, text="Shipping"), page(NEXT, text="Payment", number=3)
    told = {"field": bad.signature, "leads_on": 1.0}
    assert tell(on(NEXT), before, gone, "refused", **told).symptom == "validation_missing"
    objected = page(bad, NEXT, text="Shipping\nPlease enter a valid email address", number=3)
    assert tell(on(NEXT), before, objected, "refused", **told).held is True
    sent = did(decided(on(NEXT), skill=wrongs.SUBMIT_STEP), before, objected, back, wrong)
    third = acts(wrongs.propose(see(bad, NEXT, BACK, brief=brief, steps=(back, wrong, sent), past=(page(mail),))))
    assert isinstance(third[0], Type)
    assert "@" in third[0].text


def test_a_form_that_a_press_brought_up_is_tried_wrong_before_it_is_sent_off() -> None:
    """Afterwards the basket is empty, and nothing brings it up again. A check-out checks nothing by its name."""
    brief = "A shop. Check-out asks for name and e-mail, checks both, and says thank you."
    out, send = mark("Check out", at=(600, 40)), mark("Place order", at=(100, 300))
    name = mark("Name", "input", value="Anna Keller", selector="#name")
    mail = mark("E-mail", "input", input_type="email", selector="#mail", value="anna.keller@example.com", at=(100, 150))
    opened = did(decided(on(out)), page(out), page(name, mail, send, number=1))
    here = see(name, mail, send, brief=brief, steps=(opened,), past=(page(out),))
    assert [one.decision.skill for one in wrongs.propose(here)] == [wrongs.FILL_STEP]
    plain = brief.replace("checks both, and ", "and ")
    assert wrongs.propose(see(name, mail, send, brief=plain, steps=(opened,), past=(page(out),))) == []
    half = mail.model_copy(update={"value": ""})
    assert wrongs.propose(see(name, half, send, brief=brief, steps=(opened,), past=(page(out),))) == []


def rows(*names: str, selector: str = "#list") -> Listing:
    """A list of entries with an amount each."""
    return Listing(selector=selector, columns=("", ""), items=tuple((name, "12.00") for name in names), count=len(names))


NAMES = ("All", "Income", "Spending")


def test_opposite_filters_share_no_entry() -> None:
    """Income shows spending, too: told at the second. Radio buttons of a form, which no `All` heads, are no filters."""
    everything, income, spending = (mark(name, at=(100 + 130 * place, 100)) for place, name in enumerate(NAMES))
    whole, part, tiles = rows("Pay", "Rent", "Food"), rows("Rent", "Food"), rows("Sum", "Rest", selector="#tiles")
    row = (everything, income, spending)
    past = (page(*row, lists=(whole, tiles)), page(*row, lists=(whole, tiles), number=1, text="."))
    pressed = did(decided(on(income)), *past)
    idle = did(decided(on(mark("Pay", "div"))), past[1], past[1], pressed)
    survey = see(*row, lists=(whole, tiles), steps=(pressed, idle), past=past)
    wish = parting.parts(survey, spending)[0]
    wrong = tell(on(spending), past[1], page(*row, lists=(part, tiles), number=2), "parted", **wish.params)
    assert (wrong.held, wrong.symptom) == (False, "wrong_result")
    paid = page(*row, lists=(rows("Pay"), tiles), number=1, text=".")
    well = parting.parts(see(*row, steps=(did(decided(on(income)), past[0], paid),), past=(past[0], paid)), spending)[0]
    right = tell(on(spending), paid, page(*row, lists=(part, tiles), number=2), "parted", **well.params)
    last = see(
        *row, lists=(whole, tiles), steps=(did(decided(on(income)), past[0], page(*row, number=2, text=".")),), past=past[:1]
    )
    assert parting.parts(last, spending)
    assert right.held is True
    assert not parting.parts(see(income, spending, lists=(whole,), steps=(pressed,), past=past), spending)


def slider(value: str, name: str = "Number of boids") -> Mark:
    """A slider that stands somewhere."""
    return mark(name, "input", input_type="range", role="slider", value=value, minimum="10", maximum="300", selector="#count")


RESET = mark("Reset", at=(100, 400))


def test_a_reset_to_the_defaults_sets_the_controls_back() -> None:
    """One that leaves them where they were moved to is told, where the brief speaks of defaults; a reset of a run need not."""
    first, moved = page(slider("120"), RESET), page(slider("270"), RESET, number=1)
    survey = see(
        slider("270"), RESET, brief="A simulation with buttons to pause and to reset everything to the defaults", past=(first,)
    )
    wish = defaults.set_back(survey, RESET)[0]
    stuck = tell(on(RESET), moved, page(slider("270"), RESET, text="new", number=2), "set_back", **wish.params)
    assert (stuck.held, stuck.symptom) == (False, "state_not_updated")
    assert tell(on(RESET), moved, page(slider("120"), RESET, number=2), "set_back", **wish.params).held is True
    assert not defaults.set_back(see(slider("270"), RESET, brief="A stopwatch with start and reset", past=(first,)), RESET)


def test_more_things_move_more_of_the_picture() -> None:
    """Twice as much as before is many; the same, far up and far down, is a control nothing follows."""
    act = SetValue(target=Target.of(slider("120")), value="270")

    def told(before: float, after: float) -> tuple[bool | None, ...]:
        seen = page(slider("120"), moving=before), page(slider("270"), moving=after, number=1)
        first = did(decided(act, "crowds", key="crowds"), *seen)
        return tuple(one.held for step in (first, did(first.decision, *seen, first)) for one in step.outcomes)

    assert told(0.028, 0.029) == (None, False)
    assert told(0.028, 0.064) == (True, True)
    assert told(0.028, 0.010) == ()
    assert told(0.0, 0.0) == ()
    wishes = choices.propose(see(slider("120"), moving=0.03))[0].decision.expectations
    assert "crowds" in [one.oracle for one in wishes]


@pytest.mark.parametrize(("faint", "held"), [(None, None), ((), True), (("“Orders”: contrast 1.6:1",), False)])
def test_another_theme_can_be_read(faint: tuple[str, ...] | None, held: bool | None) -> None:
    """Told by the contrasts measured after the switch; not measured is not told."""
    switch = mark("Dark mode")
    wishes = [one.oracle for one in themes.propose(see(switch))[0].decision.expectations]
    assert "legible" in wishes
    step = did(decided(on(switch), "legible"), page(switch), page(switch, text="dark", number=1, faint=faint))
    assert [one.held for one in step.outcomes] == ([] if held is None else [held])


def test_what_a_key_started_the_key_stops() -> None:
    """Right afterwards, and once; a key that set nothing going is left alone."""
    brief = "A drum machine. Pressing the space bar starts and stops."
    still, runs = page(RESET), page(RESET, moving=0.01, number=1)
    press = did(decided(Press(keys=("Space",)), skill="press Space"), still, runs)
    going = see(RESET, brief=brief, steps=(press,), past=(still,), moving=0.01)
    assert [
        one.action.keys for one in (found.decision for found in keyboard.propose(going)) if isinstance(one.action, Press)
    ] == [("Space",)]
    assert keyboard.propose(see(RESET, brief=brief, steps=(press,), past=(still,))) == []


def test_a_filter_chooses_what_tells_and_what_it_hides_wrongly_is_told() -> None:
    """An option that some entries hold; entries without it alone are left: wrong."""
    prio = mark("Priority", "select", options=("", "Low", "Mid", "High"), option_names=("All", "Low", "Mid", "High"))
    board = Listing(selector="#board", columns=("", ""), items=(("Rent", "High"), ("Tea", "Low"), ("Taxi", "High")), count=3)
    act = choices.propose(see(prio, lists=(board,)))[0].decision.action
    assert isinstance(act, Select)
    assert act.value in ("Low", "High")
    left = board.model_copy(update={"items": board.items[1:2], "count": 1})
    told = twice(
        act, page(prio, lists=(board,)), page(prio, lists=(left,), text="Tea", number=1), "filtered", word="High", key="f"
    )
    assert [one.held for one in told] == [None, False]
    one, other = (rows(*names, selector=f"#col-{names[0]}") for names in (("High a", "Low b"), ("Low c", "High d")))
    sure = tell(
        act, page(prio, lists=(board,)), page(prio, lists=(left,), text="Tea", number=1), "filtered", word="High", sure=1.0
    )
    assert sure.held is False
    slow = Listing(selector="#board", columns=("",), items=(("A slow walk",), ("Allow it",), ("Rest",)), count=3)
    assert not listed.searchable(page(prio, lists=(slow,)), "Low")
    legend = rows("High", "Low", "Mid", selector="main > ol")
    both = page(prio, lists=(legend, board)), page(prio, lists=(legend, left.model_copy(update={"items": board.items[:1]})))
    assert tell(act, *both, "filtered", word="High", sure=1.0).held is not False
    kept = tuple(rows(*names, selector=f"#col-{first}") for first, names in (("High a", ("High a",)), ("Low c", ("High d",))))
    assert tell(act, page(prio, lists=(one, other)), page(prio, lists=kept, number=1), "filtered", word="High").held is True


def test_a_label_that_never_shows_the_value_is_told() -> None:
    """`Tempo: 120 BPM` beside a slider at 110 that goes to 168 and back; a name with a number of its own is none."""

    def told(name: str) -> tuple[bool | None, ...]:
        before, after = (page(slider(value, name), number=place) for place, value in enumerate(("110", "168")))
        found = twice(SetValue(target=Target.of(before.marks[0]), value="168"), before, after, "label_follows", key="label")
        return tuple(one.held for one in found)

    assert told("Tempo: 120 BPM") == (None, False)
    with pytest.raises(IndexError):
        told("Oscillator 1")


def test_a_column_of_figures_is_sorted_first_and_none_more_than_twice() -> None:
    """Whatever arrow stands at its head."""
    heads = [mark(name, "th", role="clickable", at=(100 + 130 * place, 100)) for place, name in enumerate(("Name", "Amount ↑"))]
    table = Listing(selector="#t", columns=("Name", "Amount ↑"), items=(("Ann", "$9.50"), ("Bo", "$120.00")), count=2)
    assert aims(buttons.propose(see(*heads, lists=(table,))))[0] == "Amount ↑"
    done = tuple(
        did(decided(on(mark(name, "th", role="clickable")), skill="sort by a column"), page(), page())
        for name in ("Amount", "Amount ↓")
    )
    assert aims(buttons.propose(see(*heads, lists=(table,), steps=done))) == ["Name"]


def test_clear_leaves_nothing_on() -> None:
    """All pads lit as before are told; of a single box nothing is."""
    clear = mark("Clear", at=(100, 500))

    def board(lit: int, number: int = 0) -> Observation:
        pads = (
            mark(f"Pad {at}", at=(100 + 40 * at, 100), size=(30, 30), group="pads", checked=at < lit, selector=f"#p{at}")
            for at in range(12)
        )
        return page(*pads, clear, number=number)

    wishes = next(one for one in buttons.propose(see(*board(5).marks)) if one.decision.skill.startswith("press a destr"))
    assert "all_off" in [one.oracle for one in wishes.decision.expectations]
    assert tell(on(clear), board(5), board(5, 1), "all_off").symptom == "state_not_updated"
    assert tell(on(clear), board(5), board(0, 1), "all_off").held is True


def test_exact_figures_that_stay_while_another_follows_are_told() -> None:
    """A choice for everything moves the rate and leaves revenue and average to the digit, twice."""

    def cards(rate: str, revenue: str, average: str, number: int = 0) -> Observation:
        return page(RESET, text=f"Revenue\n{revenue}\nAverage value\n{average}\nRate\n{rate}", number=number)

    first = cards("2.2%", "$34,216.50", "$209.33")
    stay = twice(on(RESET), first, cards("8.1%", "$34,216.50", "$209.33", 1), "figures_follow", key="all")
    assert [one.held for one in stay] == [None, False]
    assert tell(on(RESET), first, cards("8.1%", "$9,216.50", "$201.10", 1), "figures_follow").held is True


def test_clearing_what_a_reload_lost_is_no_failure_of_its_own() -> None:
    """Also after filters were pressed; once an entry was added since, Clear has something to clear."""
    clear, filter_ = mark("Clear all", selector="#clear"), mark("Only income", at=(300, 100))
    empty = page(clear, filter_, number=2)
    lost = did(
        decided(Reload(), "persists", text="Milk", promised=1.0),
        page(clear, filter_, text="Milk"),
        page(clear, filter_, number=1),
    )
    pressed = did(decided(on(filter_)), page(clear, filter_, number=1), empty, lost, dom=True)
    added = did(decided(on(filter_), "text_appears", text="Rye"), empty, page(clear, text="Rye", number=3), lost, pressed)
    first = did(decided(on(clear)), empty, empty, lost, pressed, picture=0.0)
    assert first.outcomes[0].attempts == 0
    assert did(decided(on(clear)), empty, empty, lost, pressed, added, picture=0.0).outcomes[0].attempts == 1
