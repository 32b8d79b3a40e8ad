"""Oracles about lists and sums: order, search, number of entries, deletion, bills and balances."""

from __future__ import annotations

import pytest

from agent.skills import choices, searching
from agent.skills.checks.listed import direction
from agent.skills.checks.sums import free_from
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell, twice
from tools.browser.marks import Listing, Observation

GO = mark("Go")
PLANTS = (("Aloe", "Sun", "€14.00"), ("Fern", "Shade", "€18.50"), ("Ivy", "Shade", "€9.75"))


def shelf(*rows: tuple[str, ...], title: str = "Plants", columns: tuple[str, ...] = ("", "", ""), **more: object) -> Listing:
    """A list of plants."""
    return Listing.model_validate(
        {"selector": "#grid", "title": title, "columns": columns, "items": rows, "count": len(rows), **more}
    )


def shown(*lists: Listing, text: str = "", number: int = 0) -> Observation:
    """A page with these lists."""
    lines = [cell for one in lists for row in one.items for cell in row]
    return page(GO, text="\n".join([*lines, *text.split("\n")]), number=number, lists=lists)


UP = (PLANTS[2], PLANTS[0], PLANTS[1])
DOWN = (PLANTS[1], PLANTS[0], PLANTS[2])


@pytest.mark.parametrize(
    ("words", "way"),
    [("Price, low to high", "up"), ("Price, high to low", "down"), ("价格从高到低", "down"), ("Name (A-Z)", "up"), ("Price", "")],
)
def test_the_words_of_a_sort_give_its_direction(words: str, way: str) -> None:
    """English and Chinese, by words or by what stands first."""
    assert direction(words) == way


def test_a_sorted_list_is_in_the_order_asked_for() -> None:
    """Held when it is, wrong at once when it is the other way round, and only after two tries when nothing moved."""
    asked = {"by": "Price, low to high", "chosen": 1.0}
    assert tell(on(GO), shown(shelf(*PLANTS)), shown(shelf(*UP), number=1), "ordered", **asked).held is True
    wrong = tell(on(GO), shown(shelf(*PLANTS)), shown(shelf(*DOWN), number=1), "ordered", **asked)
    assert (wrong.held, wrong.symptom) == (False, "wrong_result")
    first, second = twice(on(GO), shown(shelf(*PLANTS)), shown(shelf(*PLANTS), number=1), "ordered", **asked)
    assert (first.held, second.held, second.symptom) == (None, False, "state_not_updated")


def test_a_column_head_sorts_by_its_own_column() -> None:
    """Either way is right; words that name no column tell nothing."""
    heads = ("Customer", "Light", "Amount")
    for rows in (UP, DOWN):
        after = shown(shelf(*rows, columns=heads), number=1)
        assert tell(on(GO), shown(shelf(*PLANTS, columns=heads)), after, "ordered", by="Amount").held is True
    odd = tell(on(GO), shown(shelf(*PLANTS)), shown(shelf(*UP), number=1), "ordered", by="Popularity")
    assert odd.held is None


def test_a_search_leaves_what_holds_the_word() -> None:
    """Only matching entries: held. All as before: ignored, told at the second try."""
    before = shown(shelf(*PLANTS))
    assert tell(on(GO), before, shown(shelf(PLANTS[1]), number=1), "filtered", word="Fern", sure=1.0).held is True
    first, second = twice(on(GO), before, shown(shelf(*PLANTS), number=1), "filtered", word="Fern", sure=1.0)
    assert (first.held, second.held, second.symptom) == (None, False, "input_ignored")


def test_a_template_search_without_a_list_accuses_nobody() -> None:
    """A word that merely stands on the page is no list to search."""
    field = mark("Search for…", "input", role="searchbox")
    survey = see(field, text="Reports\nOverview of earnings\nDirect sources\nMonthly figures")
    told = searching.propose(survey)[0].decision.expectations[1]
    assert told.params["sure"] == 0.0


@pytest.mark.parametrize("label", ["Tax (8%)", "VAT 8%:", "Delivery (2 parcels)", "Tax"])
def test_a_fee_is_known_whatever_its_label_says_besides(label: str) -> None:
    """A rate or a number of things in the label is no figure of the bill."""
    right = shown(text=f"Subtotal (3 items)\n$113.00\n{label}\n$9.04\nTotal\n$122.04", number=1)
    assert tell(on(GO), shown(), right, "sums_agree").held is True
    wrong = shown(text=f"Subtotal (3 items)\n$113.00\n{label}\n$9.04\nTotal\n$140.00", number=1)
    assert [one.held for one in twice(on(GO), shown(), wrong, "sums_agree", key="sums")] == [None, False]


def test_heads_that_count_wrongly_are_told() -> None:
    """Every head gives another number than it has: wrong. One head that counts pieces, or a page of many, is no fault."""
    todo, done = shelf(*PLANTS[:2], title="To do (3)"), shelf(PLANTS[2], title="Done (3)", selector="#done")
    wrong = tell(on(GO), shown(), shown(todo, done, number=1), "counts_agree")
    assert (wrong.held, wrong.symptom) == (False, "wrong_result")
    right = shelf(*PLANTS[:2], title="To do (2)"), shelf(PLANTS[2], title="Done (1)", selector="#done")
    assert tell(on(GO), shown(), shown(*right, number=1), "counts_agree").held is True
    basket = shelf(("Ivy", "3", "€29.25"), ("Aloe", "2", "€28.00"), title="Basket (5)")
    step = did(decided(on(GO), "counts_agree"), shown(), shown(basket, number=1))
    assert not any(told.held is False for told in step.outcomes)


def test_a_number_that_stays_while_its_list_changes_is_stale() -> None:
    """Told in two states of the page, and only for a number that was right before."""
    full, some = shown(shelf(*PLANTS), text="3 plants"), shown(shelf(PLANTS[1]), text="3 plants", number=1)
    first, second = twice(on(GO), full, some, "counts_agree", key="counts")
    assert (first.held, second.held, second.symptom) == (None, False, "state_not_updated")
    follows = shown(shelf(PLANTS[1]), text="1 plant", number=1)
    assert did(decided(on(GO), "counts_agree"), full, follows).outcomes == ()


def test_the_number_over_a_shelf_follows_what_narrows_it() -> None:
    """Told at two acts, whatever is right in between; not of a list's whole number, nor of a number that stands elsewhere."""

    def over(line: str, *rows: tuple[str, ...], number: int = 0) -> Observation:
        cells = "\n".join(cell for row in rows for cell in row)
        return page(GO, text=f"{line}\n{cells}", lists=(shelf(*rows),), number=number)

    full, some = over("3 plants", *PLANTS), over("3 plants", PLANTS[1], number=1)
    wish = decided(on(GO), "count_follows", shop=1.0, key="count shown")
    first = did(wish, full, some)
    back = did(wish, some, full, first)
    again = did(wish, full, some, first, back)
    assert [one.outcomes[0].held for one in (first, again)] == [None, False]
    assert back.outcomes == ()
    assert again.outcomes[0].symptom == "state_not_updated"
    assert did(wish, full, over("1 plant", PLANTS[1], number=1)).outcomes[0].held is True
    elsewhere = decided(on(GO), "count_follows", shop=0.0)
    assert did(elsewhere, full, some).outcomes == ()
    assert did(elsewhere, over("3 results", *PLANTS), over("3 results", PLANTS[1], number=1)).outcomes[0].attempts == 1
    far = "3 plants\nabout\nus\nnews"
    assert did(wish, over(far, *PLANTS), over(far, PLANTS[1], number=1)).outcomes == ()


def test_a_deletion_takes_the_entry_that_was_meant() -> None:
    """Another one, or all of them: wrong at once."""
    before = shown(shelf(*PLANTS))
    assert tell(on(GO), before, shown(shelf(*PLANTS[1:]), number=1), "text_disappears", text="Aloe").held is True
    other = tell(on(GO), before, shown(shelf(*PLANTS[:2]), number=1), "text_disappears", text="Aloe")
    assert (other.held, other.symptom) == (False, "wrong_result")
    many = tell(on(GO), before, shown(shelf(PLANTS[0]), number=1), "text_disappears", text="Aloe")
    assert (many.held, many.symptom) == (False, "wrong_result")


BILL = "Subtotal\n€40.00\nDiscount\n−€{off}\nShipping\n{ship}\nTotal\n€{total}"


def bill(total: str, off: str = "0.00", ship: str = "€4.90", number: int = 0) -> Observation:
    """A page with a bill."""
    return shown(text=BILL.format(total=total, off=off, ship=ship), number=number)


def test_a_bill_adds_up() -> None:
    """With and without fees; a discount must be taken off."""
    assert tell(on(GO), bill("0.00"), bill("44.90", number=1), "sums_agree").held is True
    assert tell(on(GO), bill("0.00"), bill("36.00", off="4.00", ship="free", number=1), "sums_agree").held is True
    assert tell(on(GO), bill("0.00"), bill("40.00", number=1), "sums_agree").held is True  # shipping is in the prices
    first, second = twice(on(GO), bill("1.00"), bill("44.90", off="4.00", number=1), "sums_agree", key="sums")
    assert (first.held, second.held, second.symptom) == (None, False, "wrong_result")


def test_a_sum_that_was_right_before_is_told_at_once() -> None:
    """One state suffices where the same sum held earlier in the run."""
    right = did(decided(on(GO), "sums_agree", key="sums"), bill("0.00"), bill("44.90", number=1))
    wrong = tell(on(GO), bill("44.90"), bill("44.90", off="4.00", number=2), "sums_agree", (right,), key="sums")
    assert wrong.held is False


def test_a_sum_that_never_agreed_is_weak_unless_a_slip_explains_it() -> None:
    """Figures may be misread; not where they agreed before, or are just what leaving the discount out gives."""
    never = twice(on(GO), bill("1.00"), bill("17.90", off="4.00", number=1), "sums_agree", key="sums")[1]
    slip = twice(on(GO), bill("1.00"), bill("44.90", off="4.00", number=1), "sums_agree", key="sums")[1]
    right = did(decided(on(GO), "sums_agree", key="sums"), bill("0.00"), bill("44.90", number=1))
    once = tell(on(GO), bill("44.90"), bill("17.90", off="4.00", number=2), "sums_agree", (right,), key="sums")
    assert [(one.held, one.weak) for one in (never, slip, once)] == [(False, True), (False, False), (False, False)]
    assert slip.observed.endswith("nothing was taken off")


def test_the_lines_of_a_bill_add_up_to_its_subtotal() -> None:
    """The money just before the subtotal is what it sums; shelves elsewhere are not."""
    rows = shelf(("Ivy", "2", "€19.50"), ("Aloe", "1", "€14.00"), selector="#rows", title="Basket")
    good = shown(shelf(*PLANTS), rows, text="Subtotal\n€33.50\nTotal\n€33.50", number=1)
    bad = shown(shelf(*PLANTS), rows, text="Subtotal\n€23.75\nTotal\n€23.75", number=2)
    right = did(decided(on(GO), "sums_agree", key="sums"), shown(), good)
    assert right.outcomes[0].held is True
    assert tell(on(GO), good, bad, "sums_agree", (right,), key="sums").held is False


@pytest.mark.parametrize(("left", "held"), [("¥-30.00", None), ("-¥10.00", True)])
def test_a_balance_is_income_less_spending(left: str, held: bool | None) -> None:
    """Chinese labels and negative balances are understood."""
    text = f"收入合计\n¥10.00\n支出合计\n¥20.00\n结余\n{left}"
    assert tell(on(GO), shown(), shown(text=text, number=1), "sums_agree").held is held


def test_a_select_that_sorts_is_tried_both_ways_and_one_that_filters_once() -> None:
    """Options that name an order are each chosen; what they must lead to is expected."""
    order = mark(
        "Sort",
        "select",
        options=("name", "low", "high"),
        option_names=("Name", "Price, low to high", "Price, high to low"),
        value="name",
    )
    first = choices.propose(see(order, lists=(shelf(*PLANTS),)))[0].decision
    assert first.action is not None
    assert first.action.model_dump()["value"] == "low"
    assert [told.oracle for told in first.expectations][:2] == ["value_kept", "ordered"]
    light = mark("Light", "select", options=("", "Shade", "Sun"), option_names=("Any", "Shade", "Sun"))
    told = choices.propose(see(light, lists=(shelf(*PLANTS),)))[0].decision.expectations
    assert "filtered" in [one.oracle for one in told]


def test_figures_sorted_as_words_are_told() -> None:
    """Nine after eighty and seven hundred: an order of signs. A right order, or one not understood, is none."""
    heads = ("Name", "Amount")

    def table(*amounts: str, number: int = 0) -> Observation:
        rows = tuple((f"Row {amount}", amount) for amount in amounts)
        return shown(shelf(*rows, columns=heads), number=number)

    first = table("$9.50", "$120.00", "$80.00", "$700.00")
    by_words = tell(on(GO), first, table("$120.00", "$700.00", "$80.00", "$9.50", number=1), "ordered", by="Amount")
    assert (by_words.held, by_words.symptom) == (False, "wrong_result")
    assert tell(on(GO), first, table("$9.50", "$80.00", "$120.00", "$700.00", number=1), "ordered", by="Amount").held is True
    assert tell(on(GO), first, table("$80.00", "$9.50", "$700.00", "$120.00", number=1), "ordered", by="Amount").held is None


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("The promo code takes 10% off, shipping costs $5.90 and is free from $40. The cart stays.", 40.0),
        ("Free shipping on orders over €1,000!", 1000.0),
        ("Orders above £60 ship free.", 60.0),
        ("运费8元，满99元包邮", 99.0),
        ("Free trial from $40 a month.", 0.0),
        ("Shipping is free from $40, or free from $60 abroad.\nShipping is free from $80 there.", 0.0),
        ("Free shipping everywhere", 0.0),
    ],
)
def test_from_which_amount_shipping_is_free_is_read(text: str, limit: float) -> None:
    """English and Chinese; none where several are named."""
    assert free_from(text) == limit


def test_shipping_that_is_charged_though_it_is_free_is_told() -> None:
    """In two states of the bill, and only where what is left after discounts is above as well; not with ways to choose."""
    pages = [bill("45.90", ship="€5.90", number=0), bill("45.90", ship="€5.90", number=1)]
    dearer = shown(text=BILL.format(total="55.90", off="0.00", ship="€5.90").replace("€40.00", "€50.00"), number=2)
    wish = decided(on(GO), "shipping_free", limit=30.0, key="ship")
    first = did(wish, pages[0], pages[1])
    same = did(wish, pages[1], pages[1], first)
    second = did(wish, pages[1], dearer, first, same)
    assert first.outcomes[0].attempts == 1
    assert same.outcomes == ()
    assert (second.outcomes[0].held, second.outcomes[0].symptom) == (False, "wrong_result")
    assert did(wish, pages[0], bill("40.00", ship="Free", number=1)).outcomes[0].held is True
    assert (
        did(decided(on(GO), "shipping_free", limit=38.0, key="s"), pages[0], bill("41.90", off="4.00", ship="€5.90")).outcomes
        == ()
    )
    express = mark("Express delivery", "input", input_type="radio", role="radio")
    ways = pages[1].model_copy(update={"marks": (GO, express)})
    assert did(wish, pages[0], ways).outcomes == ()
