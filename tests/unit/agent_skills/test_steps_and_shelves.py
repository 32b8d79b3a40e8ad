"""Steps of a form, shelves behind a basket and boards before a round, as apps nobody tuned on have them."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Decision
from agent.skills import amounts, buttons, choices, forms, games
from agent.skills.checks import prices
from agent.skills.controls import forms as found_forms
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell, view
from tests.unit.agent_skills.test_instruments_and_mines import LEVELS, MINES, field
from tools.browser.actions import Click, Press, Select, Target, Type, Wait
from tools.browser.marks import Listing, Mark, Observation

BILL = "¥168.00\n¥128.00\n¥88.00\n购物车（1 件）\n商品金额\n¥168.00\n合计\n¥168.00"
SHELF = Listing(
    selector="#grid", columns=("", ""), items=(("龙井", "¥168.00"), ("碧螺春", "¥128.00"), ("毛峰", "¥88.00")), count=3
)


def basket(number: int, *, covered: bool) -> Observation:
    """A basket over a shop's shelf, of which one thing is in it twice at number 2."""
    adds = [mark(f"把{name}加入购物车", covered=covered) for name in ("龙井", "碧螺春", "毛峰")]
    text = BILL if number < 2 else BILL.replace("商品金额\n¥168.00\n合计\n¥168.00", "商品金额\n¥336.00\n合计\n¥336.00")
    return page(*adds, mark("增加龙井"), text=text, number=number, lists=(SHELF,))


def test_a_shelf_behind_a_basket_is_no_bill() -> None:
    """What lies under a dialog is not added up; the same lines in sight are."""
    act = decided(on(mark("More")), "sums_agree", key="sums")
    for covered, held in ((True, True), (False, False)):
        first = did(act, basket(2, covered=covered), basket(1, covered=covered))
        told = did(act, basket(1, covered=covered), basket(2, covered=covered), first).outcomes
        assert [one.held for one in told] == [held]


FIELDS = (
    mark("Name", "input", at=(100, 100)),
    mark("Phone (optional)", "input", at=(100, 150)),
    mark("Anything else?", "textarea", at=(100, 200)),
)


def test_what_a_step_leaves_open_is_not_filled_in() -> None:
    """Optional fields and room for remarks wait in a form of several steps; in a form of one they are filled in."""
    for button, wanted in (("Continue", 1), ("Send", 3)):
        form = found_forms((*FIELDS, mark(button, at=(100, 260))))[0]
        assert len(forms._worth_filling(form)) == wanted


RADIOS = tuple(
    mark(name, "input", input_type="radio", role="radio", checked=False, at=(100, 100.0 + 40 * place), context="Ticket type")
    for place, name in enumerate(("Student €90.00", "Regular €240.00", "Supporter €420.00"))
)
QUANTITY = mark("Number of tickets", "input", input_type="number", value="1", at=(100, 240))
CONTINUE = mark("Continue", at=(400, 300))
WIZARD = "A registration in four steps, with tickets, extras and a review. The total is always visible."


def test_a_choice_that_must_be_made_comes_before_a_number_of_it() -> None:
    """The second of the radio buttons first of all; then the total that followed it has to follow their number."""
    survey = see(*RADIOS, QUANTITY, CONTINUE, brief=WIZARD, text="Total\n€0.00")
    ticked = choices.propose(survey)
    first = max(ticked, key=lambda one: one.priority)
    assert aims([first]) == ["Regular €240.00"]
    assert first.priority > max(one.priority for one in forms.propose(survey))
    chosen = (RADIOS[0], RADIOS[1].model_copy(update={"checked": True}), RADIOS[2])
    before, after = (
        page(*survey.now.marks, text="Total\n€0.00"),
        page(*chosen, QUANTITY, CONTINUE, text="Total\n€240.00", number=1),
    )
    step = did(first.decision, before, after)
    later = see(*chosen, QUANTITY, CONTINUE, brief=WIZARD, text="Total\n€240.00", steps=(step,), past=(before, after))
    fill = next(one for one in forms.propose(later) if aims([one]) == ["Number of tickets"])
    wish = next(one for one in fill.decision.expectations if one.oracle == "multiplied")
    four = QUANTITY.model_copy(update={"value": "4"})
    act = Type(target=Target.of(QUANTITY), text="4")
    stays = page(*chosen, four, CONTINUE, text="Total\n€240.00", number=2)
    assert tell(act, after, stays, "multiplied", **wish.params).held is None  # it may be reckoned anew when the field is left
    follows = page(*chosen, four, CONTINUE, text="Total\n€864.00", number=2)
    assert tell(act, after, follows, "multiplied", **wish.params).held is True
    refused = page(*chosen, four, CONTINUE, text="Total\n€240.00\nPlease enter a number from 1 to 3", number=2)
    assert not did(Decision(action=act, why="a test", skill="test", expectations=(wish,)), after, refused).outcomes


@pytest.mark.parametrize(("total", "told"), [("€240.00", (False, "input_ignored", 2)), ("€864.00", (True, "", 1))])
def test_a_number_is_left_before_it_is_called_ignored(total: str, told: tuple[bool, str, int]) -> None:
    """What is reckoned anew once the field is left follows all the same; only then it is known."""
    four = QUANTITY.model_copy(update={"value": "4"})
    before, stays = page(QUANTITY, CONTINUE, text="Total\n€240.00"), page(four, CONTINUE, text="Total\n€240.00", number=1)
    stays = stays.model_copy(update={"focused": four.id})
    wish = {"label": "total", "brief": "", "key": "many"}
    typed = did(decided(Type(target=Target.of(QUANTITY), text="4"), "multiplied", **wish), before, stays)
    (left,) = amounts.propose(Survey(view(stays, steps=(typed,), past=(before,))))
    assert left.decision.action == Press(keys=("Tab",))
    step = did(left.decision, stays, page(four, CONTINUE, text=f"Total\n{total}", number=2), typed)
    assert [(one.held, one.symptom, one.attempts) for one in step.outcomes] == [told]
    assert amounts.propose(Survey(view(page(four, number=2), steps=(typed, step), past=(before, stays)))) == []


def test_a_discount_for_many_is_tried_where_it_begins() -> None:
    """As many as it begins with are entered; with or without the rest it is taken off the total, and nothing else is right."""
    brief = "Book tickets; from three tickets on there are 10 % off. The total is always visible."
    assert prices.group_discount(brief) == (3, 0.9)
    assert prices.group_discount("订票，3张及以上打9折") == (3, 0.9)
    assert prices.group_discount("There is 15% off for 5 or more seats.") == (5, 0.85)
    assert prices.group_discount("A discount of 20 %, up to 8 tickets") is None
    chosen = (RADIOS[0], RADIOS[1].model_copy(update={"checked": True}), RADIOS[2])
    before = page(*chosen, QUANTITY, CONTINUE, text="Total\n€240.00")
    fill = next(
        one for one in forms.propose(see(*before.marks, brief=brief, text=before.text)) if aims([one])[0] == QUANTITY.name
    )
    assert getattr(fill.decision.action, "text", "") == "3"
    three = QUANTITY.model_copy(update={"value": "3"})
    for total, held in (("€648.00", True), ("€720.00", False), ("€216.00", False)):
        after = page(*chosen, three, CONTINUE, text=f"Total\n{total}", number=1)
        act = Type(target=Target.of(QUANTITY), text="3")
        assert tell(act, before, after, "multiplied", label="total", brief=brief).held is held
    after = page(*chosen, three, CONTINUE, text="Total\n€700.00", number=1)
    assert tell(act, before, after, "multiplied", label="total", brief="Book tickets.").held is True


def test_back_in_a_dialog_is_no_step_back() -> None:
    """Where only a code was sent off, `Back` leads out of a form that was never filled in; after `Continue` it leads back."""
    code = mark("Code", "input")
    for sent, skill in (("Use", "press a button"), ("Continue", "step back")):
        step = did(decided(on(mark(sent)), skill='submit form "Code"'), page(code), page(*FIELDS, number=1))
        found = buttons.propose(see(*FIELDS, mark("Back", at=(300, 20)), steps=(step,), past=(page(code),)))
        assert [one.decision.skill for one in found if aims([one]) == ["Back"]] == [skill]


SORT = mark(
    "Sort",
    "select",
    value="default",
    options=("default", "asc", "desc"),
    option_names=("Featured", "Price: low to high", "Price: high to low"),
)


def goods(count: int, number: int = 0) -> Observation:
    """A shelf with so many things on it."""
    items = tuple((f"Tea {place}", f"${place}.00") for place in range(count))
    return page(SORT, number=number, lists=(Listing(selector="#grid", columns=("", ""), items=items, count=count),))


def test_a_shelf_is_sorted_both_ways_at_once_and_while_it_is_long() -> None:
    """The other way right after the first; not while a filter leaves two things."""
    step = did(decided(Select(target=Target.of(SORT), value="asc"), skill="choose an option"), goods(9), goods(9, 1))
    now = SORT.model_copy(update={"value": "asc"})
    both = choices.propose(see(now, lists=goods(9).lists, steps=(step,), past=(goods(9),)))
    assert [(one.decision.action.value, one.priority > 80) for one in both] == [("desc", True)]  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    assert not choices.propose(see(now, lists=goods(2).lists, steps=(step,), past=(goods(9),)))


FLAGS = mark("🚩 Flag mode", at=(700, 20), checked=False)
TIMED = f"{MINES} A timer and flags by right click."


def played(cells: list[Mark], moves: int) -> games.Survey:
    """A field of mines after some presses on its cells."""
    first, steps = page(*LEVELS, FLAGS, *field(*["...."] * 4)), []
    for number in range(moves):
        steps.append(did(decided(on(cells[number]), skill="play a cell"), first, page(*cells, number=number + 1), *steps))
    return see(*LEVELS, FLAGS, *cells, brief=TIMED, text="Time 0 s", steps=tuple(steps), past=(first,))


def test_a_round_is_played_before_levels_and_flags_are_chosen() -> None:
    """Other sizes and the flag mode wait for a round; the time is watched once a cell was opened, not when one was flagged."""
    closed, opened, flagged = field(*["...."] * 4), field("1...", *["...."] * 3), field("f...", *["...."] * 3)
    assert not buttons.propose(played(closed, 0))
    assert {*aims(buttons.propose(played(opened, 6)))} >= {"Expert 30×16", "🚩 Flag mode"}
    for cells, watched in ((opened, True), (flagged, False)):
        waits = [one for one in games.propose(played(cells, 2)) if isinstance(one.decision.action, Wait)]
        assert bool(waits) is watched


def test_arrows_over_a_board_are_pressed_once_where_they_work() -> None:
    """A cursor that follows the keys needs no second round of them."""
    cells = field(*["...."] * 4)
    brief = f"{MINES} It should be playable with the arrow keys."
    survey = see(*cells, brief=brief)
    press = next(one for one in games.propose(survey) if one.decision.skill == "steer with keys")
    for picture, again in ((0.01, False), (0.0, True)):
        step = did(press.decision, page(*cells), page(*cells, number=1), picture=picture)
        later = games.propose(see(*cells, brief=brief, steps=(step,), past=(page(*cells),)))
        assert any(one.decision.skill == "steer with keys" for one in later) is again


def test_what_only_looks_pressable_is_pressed_twice_at_most() -> None:
    """A chart that is called otherwise at each range is pressed no third time."""
    steps, past = [], []
    for number, name in enumerate(("Chart of 30 days", "Chart of 7 days")):
        chart = mark(name, "svg", role="img", selector="#plot")
        past.append(page(chart, number=number))
        steps.append(
            did(decided(Click(target=Target.of(chart))), page(chart, number=number), page(chart, number=number + 1), *steps)
        )
    again = mark("Chart of 90 days", "svg", role="img", selector="#plot")
    assert not buttons.propose(see(again, steps=tuple(steps), past=tuple(past)))


def test_only_a_closed_cell_is_flagged() -> None:
    """Of a field that is almost open the one cell that still looks as all did at first; an open one can't be marked."""
    cells = field("1___", "1___", "1___", "..__")
    found = [one for one in games.propose(played(cells, 2)) if getattr(one.decision.action, "button", "") == "right"]
    assert [name.endswith("closed") for name in aims(found)] == [True]
    assert {one.oracle for one in found[0].decision.expectations} >= {"responds", "counts"}
