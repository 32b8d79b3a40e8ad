"""Oracles of values, texts and numbers: what they hold, accuse, and say that it cannot be told."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Decision, Step
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, stepped, tell, twice
from tools.browser.actions import SetValue, Target, Type
from tools.browser.marks import Observation
from tools.evidence.rows import Outcome

SAVE = mark("Learn more")
FIELD = mark("Task", "input", input_type="text")


# ---- values and texts ---------------------------------------------------------------------------------------------------


def typed(value: str) -> Observation:
    """A page whose field holds a value."""
    return page(FIELD.model_copy(update={"value": value}))


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [("tea", "tea"), ("4242 4242", "42424242"), ("1200", "1,200"), ("2024", "2024.00"), ("a long text", "a long")],
)
def test_formatted_and_shortened_values_are_kept(wanted: str, shown: str) -> None:
    """Masks, separators and length limits still keep a value."""
    assert tell(Type(target=Target.of(FIELD), text=wanted), typed(""), typed(shown), "value_kept", value=wanted).held is True


@pytest.mark.parametrize("shown", ["", "something else"])
def test_a_field_that_loses_its_value_is_told_twice(shown: str) -> None:
    """An empty or foreign value after two attempts: `value_not_kept`."""
    outcome = twice(Type(target=Target.of(FIELD), text="tea"), typed(""), typed(shown), "value_kept", value="tea")[1]
    assert (outcome.held, outcome.symptom) == (False, "value_not_kept")


def test_a_field_emptied_by_enter_was_taken_in() -> None:
    """After Enter an empty field is what a list's input line does."""
    act = Type(target=Target.of(FIELD), text="tea", submit=True)
    assert tell(act, typed(""), typed(""), "value_kept", value="tea", submitted=1.0).held is True


def test_an_entry_that_appears_is_told_and_its_own_field_does_not_count() -> None:
    """The text must be on the page, not merely in the field it was typed into."""
    add = mark("Add", at=(300, 100))
    holds = FIELD.model_copy(update={"value": "tea"})
    history = (
        stepped(
            decided(Type(target=Target.of(FIELD), text="tea"), "value_kept", value="tea"), page(FIELD, add), page(holds, add)
        ),
    )
    before = page(holds, add)
    assert tell(on(add), before, page(FIELD, add, text="tea"), "text_appears", history, text="tea").held is True
    missing = tell(on(add), before, page(FIELD, add, text="0 items"), "text_appears", history, text="tea")
    assert (missing.held, missing.attempts) == (None, 1)


def test_an_entry_that_never_appears_is_told_twice_unless_the_app_objects() -> None:
    """Two ways without the entry: `state_not_updated`; a complaint of the app's is an answer."""
    add = mark("Create")
    before = page(add, text="list")
    other = page(add, text="list\nPlease enter a date")
    assert twice(on(add), before, page(add, text="list 2"), "text_appears", text="tea", key="k")[1].symptom == "state_not_updated"
    assert tell(on(add), before, other, "text_appears", text="tea").attempts == 0


def test_an_entry_that_goes_is_told() -> None:
    """The text, or any line where it is not known which; a page that merely recounts is not one line less."""
    remove = mark("Delete", group="g")
    two, one = page(remove, text="2 items\ntea\nmilk"), page(remove, text="1 items\nmilk")
    assert tell(on(remove), two, one, "text_disappears", text="tea").held is True
    assert tell(on(remove), two, one, "text_disappears").observed == '"tea" is gone'
    recount = page(remove, text="1 items\ntea\nmilk")
    assert twice(on(remove), two, recount, "text_disappears", text="tea")[1].symptom == "state_not_updated"


def test_a_deletion_that_asks_first_is_not_accused() -> None:
    """A dialog, the browser's or the page's, is a question, not a failure."""
    remove = mark("Delete")
    two = page(remove, text="tea\nmilk")
    assert tell(on(remove), two, two, "text_disappears", text="tea", changes={"dialogs": 1}).attempts == 0
    asked = page(remove.model_copy(update={"covered": True}), mark("Really delete"), text="tea\nmilk\nSure?")
    assert tell(on(remove), two, asked, "text_disappears", text="tea").attempts == 0


def test_a_search_that_narrows_is_told_and_one_that_does_nothing_is_accused_twice() -> None:
    """Fewer lines, all with the word; the same lines twice: `state_not_updated`."""
    find = mark("Search", "input", role="searchbox")
    act = Type(target=Target.of(find), text="rose")
    whole, narrow = page(find, text="rose\ntulip\noak"), page(find, text="rose")
    assert tell(act, whole, narrow, "filtered", word="rose").held is True
    assert twice(act, whole, whole, "filtered", word="rose", key="s", sure=1.0)[1].symptom == "state_not_updated"


def test_a_search_for_what_is_not_shown_tells_nothing() -> None:
    """Without a line that holds the word an unchanged list is no failure."""
    find = mark("Search", "input", role="searchbox")
    whole = page(find, text="tulip\noak")
    assert [
        one.held for one in twice(Type(target=Target.of(find), text="rose"), whole, whole, "filtered", word="rose", sure=1.0)
    ] == [None, None]


def test_a_search_nobody_promised_for_a_stray_word_is_not_accused() -> None:
    """A site search looks elsewhere than on the page shown; only a promise or a list of like things makes it a filter."""
    find = mark("Search", "input", role="searchbox")
    whole = page(find, text="rose\ntulip\noak")
    assert [one.held for one in twice(Type(target=Target.of(find), text="rose"), whole, whole, "filtered", word="rose")] == [
        None,
        None,
    ]


def test_a_search_that_hides_what_it_should_show_is_wrong() -> None:
    """Only the matching line goes: twice is `wrong_result`."""
    find = mark("Search", "input", role="searchbox")
    whole, wrong = page(find, text="rose\ntulip\noak\nelm"), page(find, text="tulip\noak\nelm")
    assert (
        twice(Type(target=Target.of(find), text="rose"), whole, wrong, "filtered", word="rose", key="s", sure=1.0)[1].symptom
        == "wrong_result"
    )


@pytest.mark.parametrize(
    ("after", "held"),
    [
        ("Name\nPlease enter a name", True),
        ("Name\n请输入姓名", True),
        ("Thank you, your form was submitted", False),
        ("Name", None),
    ],
)
def test_an_empty_form_is_refused_or_taken(after: str, held: bool | None) -> None:
    """A complaint is right, a confirmation wrong, silence tells nothing."""
    button, field = mark("Submit"), mark("Name", "input", required=True)
    outcome = tell(
        on(button),
        page(button, field, text="Name"),
        page(button, field, text=after),
        "validation_shown",
        changes={"dom": False, "picture": 0.0},
    )
    assert outcome.held is held
    assert outcome.symptom == ("validation_missing" if held is False else "")


def test_an_empty_form_that_leads_on_is_missing_its_validation() -> None:
    """The next view without the required fields means it was taken."""
    button, field = mark("Next"), mark("Name", "input", required=True)
    after = page(mark("Back"), text="Step 2")
    assert tell(on(button), page(button, field, text="Step 1"), after, "validation_shown").symptom == "validation_missing"


def test_raw_values_on_the_page_are_wrong_results_only_when_new() -> None:
    """`undefined` after the act accuses; one that was there before, or none, writes nothing down."""
    before, after = page(SAVE, text="Total: 3"), page(SAVE, text="Total: NaN")
    assert tell(on(SAVE), before, after, "sane").symptom == "wrong_result"
    assert stepped(decided(on(SAVE), "sane"), after, after).outcomes == ()
    assert stepped(decided(on(SAVE), "sane"), before, page(SAVE, text="Total: 4")).outcomes == ()


def test_contents_are_shown_or_not_told() -> None:
    """Half the words on the page show a content; fewer write nothing down, for words have synonyms."""
    before = page(SAVE)
    shown = page(SAVE, text="Opening hours: nine to five")
    assert tell(on(SAVE), before, shown, "mentions", words="open\nhour\nfooter").held is True
    assert stepped(decided(on(SAVE), "mentions", words="planet\nmoon"), before, shown).outcomes == ()


# ---- numbers ------------------------------------------------------------------------------------------------------------


def pressed_sum(shown: tuple[str, ...]) -> tuple[Outcome, tuple[Step, ...]]:
    """The outcome of pressing 7 + 8 = on a calculator whose display shows these texts one after another."""
    steps: list[Step] = []
    pages = [page(*(mark(key) for key in "0123456789+="), text=text) for text in ("0", *shown)]
    for index, key in enumerate("7+8="):
        params = {"sum": "7+8", "value": 15.0} if key == "=" else {}
        decision = decided(on(mark(key)), "equals" if key == "=" else "responds", skill="calculator 7+8", **params)
        steps.append(stepped(decision, pages[index], pages[index + 1], steps))
    return steps[-1].outcomes[0], tuple(steps)


def test_a_right_sum_holds() -> None:
    """15 on the display after 7 + 8 =."""
    assert pressed_sum(("7", "7 +", "8", "15"))[0].held is True


def test_a_wrong_sum_is_told_with_all_its_presses() -> None:
    """16 instead of 15: `wrong_result`, citing the four presses."""
    outcome, _ = pressed_sum(("7", "7 +", "8", "16"))
    assert (outcome.symptom, outcome.steps) == ("wrong_result", ("a1", "a2", "a3", "a4"))


def test_a_sum_whose_keys_showed_nothing_tells_nothing() -> None:
    """When a digit had no effect the result is no evidence against the arithmetic; an operator need not show."""
    assert pressed_sum(("7", "7 +", "7 +", "16"))[0].held is None
    assert pressed_sum(("7", "7", "8", "16"))[0].held is False


def test_digits_side_by_side_tell_that_the_operator_was_ignored() -> None:
    """7 + 8 = leaves 78 on the display."""
    outcome, _ = pressed_sum(("7", "7", "78", "78"))
    assert (outcome.held, outcome.symptom) == (False, "operator_ignored")
    assert "the operator is ignored" in outcome.observed


@pytest.mark.parametrize(
    ("after", "held", "symptom"), [("Count 4", True, ""), ("Count 2", False, "wrong_result"), ("Count 3", None, "")]
)
def test_a_counter_goes_the_right_way(after: str, held: bool | None, symptom: str) -> None:
    """Up is right, down is wrong, unchanged needs a second attempt."""
    plus = mark("+")
    outcome = tell(on(plus), page(plus, text="Count 3"), page(plus, text=after), "number_changes", direction="up")
    assert (outcome.held, outcome.symptom) == (held, symptom)


def slid(value: str, text: str) -> Observation:
    """A page with a slider at a value."""
    return page(mark("Tip", "input", role="slider", input_type="range", value=value, minimum="0", maximum="30"), text=text)


def test_a_result_that_follows_a_slider_holds() -> None:
    """A number other than the slider's own changed."""
    act = SetValue(target=Target.of(slid("5", "").marks[0]), value="27")
    assert tell(act, slid("5", "Tip 5\nTotal 10.5"), slid("27", "Tip 27\nTotal 12.7"), "follows", result=1.0).held is True


def test_a_result_that_stands_still_is_told_twice() -> None:
    """Only the slider's own label follows although the brief says the result is live: `state_not_updated`."""
    act = SetValue(target=Target.of(slid("5", "").marks[0]), value="27")
    before, after = slid("5", "Tip 5\nTotal 10.5"), slid("27", "Tip 27\nTotal 10.5")
    assert twice(act, before, after, "follows", result=1.0, key="s")[1].symptom == "state_not_updated"
    assert tell(act, before, after, "follows", result=0.0).held is True


def test_a_volume_slider_need_not_show_anything() -> None:
    """What can only be heard or felt later is not demanded."""
    volume = mark("Volume", "input", role="slider", input_type="range", value="5")
    moved = volume.model_copy(update={"value": "90"})
    act = SetValue(target=Target.of(volume), value="90")
    assert [one.held for one in twice(act, page(volume), page(moved), "follows", changes={"picture": 0.0})] == [None, None]


def totals(average: str, count: str = "7", total: str = "€652.35") -> Observation:
    """A page with a total, a number and an average."""
    return page(SAVE, text=f"Spent\n{total}\nin seven days\nExpenses\n{count}\nAverage per expense\n{average}")


def test_an_average_agrees_with_its_total_and_number() -> None:
    """652.35 / 7 is 93.19; twice something else, in two states, is a wrong result; once is not enough."""
    assert tell(on(SAVE), totals("€93.19"), totals("€93.19"), "average_agrees").held is True
    wrong, later = totals("€108.73"), totals("€110.34", "8", "€772.35")
    first = stepped(decided(on(SAVE), "average_agrees", key="a"), totals("€93.19"), wrong)
    same = stepped(decided(on(SAVE), "average_agrees", key="a"), wrong, wrong, (first,))
    second = stepped(decided(on(SAVE), "average_agrees", key="a"), wrong, later, (first, same))
    assert [step.outcomes[0].held if step.outcomes else "silent" for step in (first, same, second)] == [None, "silent", False]
    assert second.outcomes[0].symptom == "wrong_result"


def test_an_average_that_never_agreed_is_weak_unless_it_is_that_of_one_more() -> None:
    """93.19 of 7 is 108.72 of 6: told as the slip it is; 50.00 is none."""
    for shown, other, weak in (("€108.73", "€110.34", False), ("€50.00", "€51.00", True)):
        wrong, later = totals(shown), totals(other, "8", "€772.35")
        first = stepped(decided(on(SAVE), "average_agrees", key="a"), totals("€93.00"), wrong)
        second = stepped(decided(on(SAVE), "average_agrees", key="a"), wrong, later, (first,))
        assert (second.outcomes[0].held, second.outcomes[0].weak) == (False, weak)


def test_an_average_may_leave_out_what_the_page_speaks_of() -> None:
    """Revenue without refunds over all orders is not the average of those that were kept."""
    told = (
        "Revenue (without refunds)\n$900\nOrders\n{}\nAverage order\n$75",
        "Revenue\n$900\nOrders\n{}\nAverage order\n$75\nRefund rate\n8 %",
    )
    for text in told:
        after = page(SAVE, text=text.format(13))
        first = stepped(decided(on(SAVE), "average_agrees", key="a"), page(SAVE), after)
        later = page(SAVE, text=text.format(14))
        second = stepped(decided(on(SAVE), "average_agrees", key="a"), after, later, (first,))
        assert not second.outcomes


def test_revenue_is_a_total() -> None:
    """A dashboard's tiles: revenue, orders, average order."""
    tiles = [page(SAVE, text=f"Revenue\n${sum_}\nOrders\n{number}\nAverage order\n$75") for sum_, number in ((900, 9), (400, 4))]
    first = stepped(decided(on(SAVE), "average_agrees", key="a"), page(SAVE), tiles[0])
    second = stepped(decided(on(SAVE), "average_agrees", key="a"), tiles[0], tiles[1], (first,))
    assert second.outcomes[0].symptom == "wrong_result"


@pytest.mark.parametrize(
    "text",
    [
        "Spent\n€652.35\nAverage per day\n€30\nExpenses\n7",
        "Average per expense\n€108.73",
        "Spent\n€652.35\nTotal\n€900\nExpenses\n7\nAverage per expense\n€108.73",
        "Spent\n€652.35\nExpenses\n1\nAverage per expense\n€108.73",
    ],
)
def test_figures_that_need_not_agree_are_not_compared(text: str) -> None:
    """Another span, a missing figure, two totals or a single thing tell nothing."""
    assert stepped(decided(on(SAVE), "average_agrees"), page(SAVE), page(SAVE, text=text)).outcomes == ()


def test_a_summary_shows_what_was_entered() -> None:
    """All values: held. A label without its value: told at once. A page that is no summary tells nothing."""
    name, mail, go = mark("Full name", "input"), mark("E-mail", "input", at=(100, 160)), mark("Next", at=(100, 220))
    start = page(name, mail, go, text="About you")
    filled = [
        did(Decision(Type(target=Target.of(field), text=text), "a test", "fill form x"), start, start)
        for field, text in ((name, "Ada Park"), (mail, "ada@example.com"))
    ]

    def after(text: str) -> Outcome | None:
        step = did(decided(on(go), "summarised"), start, page(go, text=text, number=2), *filled)
        return step.outcomes[0] if step.outcomes else None

    good = after("Summary\nName\nAda Park\nE-mail\nada@example.com")
    assert good is not None
    assert good.held is True
    bad = after("Summary\nName\nE-mail\nada@example.com")
    assert bad is not None
    assert (bad.held, bad.symptom) == (False, "state_not_updated")
    assert after("Thank you") is None
