"""Oracles of dialogs, deletions, coupons, steppers, orders, themes, menus and what only flashes up."""

from __future__ import annotations

import pytest

from agent.skills import buttons
from agent.skills.coupons import code_of, per_cent_of, wants_code
from agent.skills.oracles import ORACLES
from tests.unit.agent_skills.scenes import aims, decided, mark, on, page, see, stepped, tell, twice
from tools.browser.actions import Press, Reload, Select, Target
from tools.browser.marks import Listing

SAVE, DELETE = mark("Save", at=(400, 360)), mark("Delete tea", at=(300, 100))


def rows(*items: str, selector: str = "#list", title: str = "") -> Listing:
    """A list of one column."""
    return Listing(selector=selector, title=title, columns=("",), items=tuple((item,) for item in items), count=len(items))


def test_a_dialog_that_closes_without_its_entry_is_told() -> None:
    """What was typed is nowhere once the form is gone: not updated; shown, or answered by a success, it holds."""
    form = page(SAVE, text="Edit card")
    lost = tell(on(SAVE), form, page(DELETE, text="Tea", lists=(rows("Tea"),)), "accepted", values="Lake trip", opened=1.0)
    assert (lost.held, lost.symptom) == (False, "state_not_updated")
    shown = tell(
        on(SAVE), form, page(DELETE, text="Lake trip", lists=(rows("Lake trip"),)), "accepted", values="Lake trip", opened=1.0
    )
    assert shown.held is True
    said = tell(on(SAVE), form, page(DELETE, text="Saved", lists=(rows("Tea"),)), "accepted", values="Lake trip", opened=1.0)
    assert said.held is True


def test_a_complaint_that_only_goes_is_no_next_step() -> None:
    """Filled in and sent off, a step takes its complaint back and stands there as before: dead at the second press."""
    field = mark("Full name", "input", input_type="text", value="Anna Keller")
    complaint, calm = page(field, SAVE, text="Please enter your name."), page(field, SAVE, text="", number=1)
    told = twice(on(SAVE), complaint, calm, "accepted", values="Anna Keller", key="e", changes={"dom": True, "text": True})
    assert (told[0].held, told[1].symptom) == (None, "dead_control")
    on_it_goes = page(mark("Street", "input", input_type="text"), SAVE, text="Step 2 of 3", number=1)
    assert tell(on(SAVE), complaint, on_it_goes, "accepted", values="Anna Keller", key="e").held is True


def test_a_next_that_only_objected_has_led_nowhere() -> None:
    """Objected to, forgiven, pressed again without effect: dead; where an earlier press led on, the last step may be reached."""
    step_on, field = mark("Next"), mark("Full name", "input", input_type="text", value="Anna Keller")
    words = "Please enter your name."
    bare, complaint, calm = page(field, step_on), page(field, step_on, text=words, number=1), page(field, step_on, number=2)
    objected = stepped(decided(on(step_on), "validation_shown", key="v"), bare, complaint, (), dom=True, text=True)
    assert objected.outcomes[0].held is True
    sent = decided(on(step_on), "accepted", values="Anna Keller", key="e")
    forgiven = stepped(sent, complaint, calm, (objected,), dom=True, text=True)
    nothing = stepped(sent, calm, page(field, step_on, number=3), (objected, forgiven))
    assert [one.outcomes[0].held for one in (forgiven, nothing)] == [None, False]
    assert nothing.outcomes[0].symptom == "dead_control"
    second = page(mark("Street", "input", input_type="text"), step_on, text="Step 2", number=1)
    led_on = stepped(sent, bare, second, (), dom=True, text=True)
    assert stepped(sent, second, second.model_copy(update={"id": "o9"}), (led_on,)).outcomes[0].held is None


def test_a_label_is_no_complaint_that_stands() -> None:
    """A complaint named the e-mail once; that `E-mail` stands over its field since is no excuse for a dead Next."""
    step_on = mark("Next")
    fields = (mark("E-mail", "input", input_type="email", value="anna@example.com"), mark("People", "input", value="4"))
    bare, told = page(*fields, step_on, text="E-mail\nPeople"), "E-mail\nPlease enter a valid e-mail address.\nPeople"
    complaint, calm = page(*fields, step_on, text=told, number=1), page(*fields, step_on, text="E-mail\nPeople", number=2)
    objected = stepped(decided(on(step_on), "validation_shown", key="v"), bare, complaint, (), dom=True, text=True)
    sent = decided(on(step_on), "accepted", values="anna@example.com", key="e")
    forgiven = stepped(sent, complaint, calm, (objected,), dom=True, text=True)
    nothing = stepped(sent, calm, calm.model_copy(update={"id": "o3"}), (objected, forgiven))
    assert [one.outcomes[0].held for one in (forgiven, nothing)] == [None, False]


def test_an_entry_that_is_nowhere_is_told_at_the_second() -> None:
    """A form that only empties itself has taken nothing; anything else that changes is an effect."""
    field = mark("What", "input", input_type="text", value="tea")
    empty = field.model_copy(update={"value": ""})
    told = twice(
        on(SAVE), page(field, SAVE), page(empty, SAVE), "accepted", values="tea", entry=1.0, key="e", changes={"dom": False}
    )
    assert (told[0].held, told[1].symptom) == (None, "state_not_updated")


def test_others_that_go_instead_are_told() -> None:
    """Delete takes away every entry but the one it was pressed for."""
    before = page(DELETE, text="tea\nbread\nsalt", lists=(rows("tea"), rows("bread", "salt", selector="#other")))
    after = page(DELETE, text="tea", lists=(rows("tea"),))
    told = tell(on(DELETE), before, after, "text_disappears", text="tea")
    assert (told.held, told.symptom) == (False, "wrong_result")
    asked = page(DELETE, text="tea\nReally delete?", lists=(rows("tea"),))
    assert tell(on(DELETE), before, asked, "text_disappears", text="tea").symptom != "wrong_result"


@pytest.mark.parametrize(
    ("brief", "code", "per_cent"),
    [
        ("The coupons GREEN10 and SPRING20 give 10% and 20% off.", "GREEN10", 10.0),
        ("支持优惠码 TEA10 打九折", "TEA10", 10.0),
        ("Use code 'WELCOME' for 8.5折", "WELCOME", 15.0),
        ("a promo code field", "", 0.0),
    ],
)
def test_codes_are_read_out_of_a_brief(brief: str, code: str, per_cent: float) -> None:
    """The first one named, and what it takes off."""
    assert (code_of(brief), per_cent_of(brief)) == (code, per_cent)
    assert wants_code(mark("Promo code", "input", input_type="text"))


def test_a_coupon_takes_off_what_it_says() -> None:
    """10 % of the subtotal; a shipping fee that comes or goes with it is allowed for."""
    use, before = mark("Apply"), "Subtotal\n$200.00\nDiscount\n-$0.00\nShipping\n$5.00\nTotal\n$205.00"
    right = "Subtotal\n$200.00\nDiscount\n-$20.00\nShipping\n$5.00\nTotal\n$185.00"
    wrong = "Subtotal\n$200.00\nDiscount\n-$2.00\nShipping\n$5.00\nTotal\n$203.00"
    assert tell(on(use), page(use, text=before), page(use, text=right), "coupon_agrees", percent=10.0).held is True
    assert tell(on(use), page(use, text=before), page(use, text=wrong), "coupon_agrees", percent=10.0).symptom == "wrong_result"


def test_the_quantity_decides_and_not_the_sums_that_follow() -> None:
    """One less raises the shipping; what counts is the number that moved by one."""
    less = mark("-")
    before = "2\nSubtotal 200\nShipping 0"
    assert tell(
        on(less), page(less, text=before), page(text="1\nSubtotal 100\nShipping 12"), "number_changes", direction="down"
    ).held
    told = tell(on(less), page(less, text=before), page(text="3\nSubtotal 300\nShipping 0"), "number_changes", direction="down")
    assert told.symptom == "wrong_result"


def test_a_list_in_no_order_after_a_sort_is_wrong() -> None:
    """Of four prices or more, sorted by an option that names the price and a direction."""
    box = mark("Sort", "select", options=("a", "b"), value="a")
    act = Select(target=Target.of(box), value="b")
    before, after = (page(box, lists=(rows(*cells),)) for cells in (("$5", "$3", "$9", "$1"), ("$9", "$1", "$5", "$3")))
    told = tell(act, before, after, "ordered", by="Price: low to high", chosen=1.0)
    assert (told.held, told.symptom) == (False, "wrong_result")


def test_a_theme_that_only_changes_its_label_is_told() -> None:
    """The switch itself, called otherwise now, is no new control."""
    dark = mark("Dark mode", selector="#theme")
    light = mark("Light mode", selector="#theme")
    told = twice(on(dark), page(dark), page(light), "theme_changes", key="t", changes={"picture": 0.001})
    assert told[1].symptom == "state_not_updated"


def test_what_flashes_up_is_no_dead_control() -> None:
    """A pad that lights up for a moment: nothing is left of it, but it is not dead; nor are keys that do the same."""
    pad = mark("Kick")
    before, after = page(pad, stirs=1), page(pad, stirs=3)
    assert [told.held for told in twice(on(pad), before, after, "responds")] == [None, None]
    assert tell(Press(keys=("a",)), before, after, "keyboard_effect").held is True
    assert twice(on(pad), before, before, "responds")[1].symptom == "dead_control"


def test_what_is_out_of_sight_after_a_reload_is_not_lost() -> None:
    """A drawer that a reload closes says nothing; a heading over an empty list does."""
    drawer = page(SAVE, text="Cart", lists=(rows("Tea 168"),))
    told = tell(Reload(), drawer, page(SAVE, text="Shop"), "kept", made="tea 168")
    assert told.held is None
    history = page(SAVE, text="History\n7 + 8 = 15", lists=(rows("7 + 8 = 15", title="History"),))
    assert tell(Reload(), history, page(SAVE, text="History"), "kept", made="7 + 8 = 15").symptom == "persistence_lost"


def test_a_menu_without_entries_is_dead() -> None:
    """Its own state may change: what counts is that more can be pressed than before."""
    menu = mark("Menu", expanded=False)
    told = twice(on(menu), page(menu), page(menu.model_copy(update={"expanded": True})), "menu_opens", key="m")
    assert told[1].symptom == "dead_control"
    assert tell(on(menu), page(menu), page(menu, mark("Plans", "a")), "menu_opens").held is True


def test_dividing_by_zero_is_answered_by_a_word() -> None:
    """`Infinity` is wrong, a word for an error right."""
    key = mark("=")
    assert tell(on(key), page(key, text="0"), page(key, text="Error"), "says_error").held is True
    assert tell(on(key), page(key, text="0"), page(key, text="Infinity"), "says_error").symptom == "wrong_result"


def test_figures_follow_a_choice_that_is_to_hold_for_everything() -> None:
    """Something else follows, the figures stay: told at the second choice; numbers of pages are no figures."""
    box = mark("Region", "select", options=("a", "b", "c"), value="a")
    act = Select(target=Target.of(box), value="b")
    before, after = (page(box, text=f"Revenue\n$100\nOrders\n7\nPage 1 of {n}\nrow {'x' * n}") for n in (4, 2))
    assert twice(act, before, after, "figures_follow", key="f")[1].symptom == "state_not_updated"
    assert "figures_follow" in ORACLES
    moved = page(box, text="Revenue\n$50\nOrders\n3\nPage 1 of 2")
    assert stepped(decided(act, "figures_follow"), before, moved).outcomes[0].held is True


@pytest.mark.parametrize(
    ("goods", "off", "held"),
    [((649, 64.9), (1298, 129.8), [True]), ((649, 64.9), (1298, 64.9), [False]), ((649, 50.0), (1298, 50.0), [])],
)
def test_a_coupon_keeps_its_share(goods: tuple[float, float], off: tuple[float, float], held: list[bool]) -> None:
    """With two of the same bicycle it is a tenth of both; one with a limit was no tenth before."""
    more = mark("One more")
    pages = [
        page(more, text=f"Goods\n€{sum_:.2f}\nDiscount\n−€{less:.2f}\nTotal\n€{sum_ - less:.2f}", number=at)
        for at, (sum_, less) in enumerate((goods, off))
    ]
    act = decided(on(more), "coupon_keeps", percent=10.0)
    assert [one.held for one in stepped(act, pages[0], pages[1]).outcomes] == held


def test_one_more_and_one_less_of_a_thing_are_a_pair() -> None:
    """`Show more` alone counts nothing up."""
    pair = [mark(f"One Tern Quay {word}", at=(100 + 60 * at, 100)) for at, word in enumerate(("less", "more"))]
    found = {
        name: one.decision.skill for one in buttons.propose(see(*pair, mark("Show more", at=(100, 300)))) for name in aims([one])
    }
    assert found == {"One Tern Quay less": "step a number", "One Tern Quay more": "step a number", "Show more": "press a button"}
