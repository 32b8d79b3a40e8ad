"""A second look at what worked once: a coupon, an undone move, a chart after a reset, a search for another part of an entry."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import narrowing, outnumbered, pacing, redeeming, searching, undoing
from agent.skills.checks.drawn import as_lines
from agent.skills.checks.labelled import figures, packed
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell, twice
from tools.browser.actions import Target, Type, Wait
from tools.browser.marks import Drawing, Listing, Observation

UNDO = mark("Undo", at=(700, 20))
CODE = mark("Coupon code", "input", at=(100, 500))
REDEEM = mark("Redeem", at=(300, 500))


def bill(off: str, total: str, *, held: str = "", number: int = 0) -> Observation:
    """A basket's bill, with what is taken off by the code's own name."""
    lines = f"Subtotal\n$32.50\n{off}Shipping\n$3.90\nTotal\n${total}"
    return page(CODE.model_copy(update={"value": held}), REDEEM, text=lines, number=number)


def redeemed() -> list[Step]:
    """The code typed and sent, and 10 % taken off."""
    before, after = bill("", "36.40", held="READ10"), bill("READ10\n−$3.25\n", "33.15", number=1)
    typed = did(decided(Type(target=Target.of(CODE), text="READ10"), "value_kept", value="READ10"), bill("", "36.40"), before)
    return [typed, did(decided(on(REDEEM), "coupon_agrees", skill="submit form x", percent=10.0), before, after, typed)]


def test_a_coupon_is_redeemed_again_and_counts_once() -> None:
    """The code is typed where the field was emptied, then the same button is pressed; less to pay is told."""
    steps, now = redeemed(), bill("READ10\n−$3.25\n", "33.15", number=2)
    assert [one.held for one in steps[-1].outcomes] == [True]
    (fill,) = redeeming.propose(see(*now.marks, steps=tuple(steps), text=now.text))
    assert (aims([fill]), fill.decision.skill) == (["Coupon code"], redeeming.FILL)
    filled = bill("READ10\n−$3.25\n", "33.15", held="READ10", number=3)
    (again,) = redeeming.propose(see(*filled.marks, steps=tuple(steps), text=filled.text))
    assert aims([again]) == ["Redeem"]
    assert tell(on(REDEEM), filled, bill("READ10\n−$6.50\n", "29.90", number=4), "coupon_once").symptom == "wrong_result"
    assert tell(on(REDEEM), filled, bill("READ10\n−$3.25\n", "33.15", number=4), "coupon_once").held is True


def test_another_code_since_may_have_taken_its_place() -> None:
    """What then takes something off is the first code anew."""
    steps, now = redeemed(), bill("", "36.40", number=2)
    steps.append(did(decided(Type(target=Target.of(CODE), text="blue lake")), now, now, *steps))
    assert redeeming.propose(see(*now.marks, steps=tuple(steps), text=now.text)) == []


def test_a_new_basket_may_have_the_coupon_too() -> None:
    """Once the basket was ordered the code counts for the next one, and takes something off as it did."""
    steps, now = redeemed(), bill("", "36.40", number=2)
    steps.append(did(decided(on(mark("Place order")), "basket_emptied"), now, now, *steps))
    assert redeeming.propose(see(*now.marks, steps=tuple(steps), text=now.text)) == []


def board(*taken: int, number: int = 0) -> Observation:
    """Nine cells that are called by what lies on them, as are their selectors."""
    names = ["black disc" if place in taken else "empty" for place in range(9)]
    cells = [
        mark(f"{name} {place}", group="g", at=(100.0 + 40 * (place % 3), 100.0 + 40 * (place // 3)), size=(36, 36), selector=name)
        for place, name in enumerate(names)
    ]
    return page(*cells, UNDO, text=f"Moves: {len(taken)}", number=number)


@pytest.mark.parametrize(("left", "told"), [((0,), [True, True]), ((0, 4), [None, False])])
def test_a_move_that_is_taken_back_leaves_the_board(left: tuple[int, ...], told: list[bool | None]) -> None:
    """Proposed right after the second move; a board that stays as it is is told at the second press."""
    first = did(decided(on(board().marks[0]), skill="play a cell"), board(), board(0, number=1))
    second = did(decided(on(board(0).marks[4]), skill="play a cell"), board(0, number=2), board(0, 4, number=3), first)
    survey = see(*board(0, 4).marks, brief="A game", steps=(first, second), past=(board(0, number=2), board(0, 4, number=3)))
    (found,) = undoing.propose(survey)
    assert aims([found]) == ["Undo"]
    wish = next(one for one in found.decision.expectations if one.oracle == "board_undone")
    outcomes = twice(on(UNDO), board(0, 4), board(*left, number=1), "board_undone", **wish.params)
    assert [one.held for one in outcomes] == told


@pytest.mark.parametrize(("chart", "held"), [("first", [True]), ("curve", [False])])
def test_a_chart_begins_anew_with_its_figures(chart: str, held: list[bool]) -> None:
    """A reset sets the figures back and draws the people anew: a curve that stays is told."""

    def seen(days: int, people: str, curve: str, number: int) -> Observation:
        drawings = (Drawing(selector="#people", digest=people), Drawing(selector="#chart", digest=curve))
        return page(UNDO, text=f"Infected: {3 + days}\nImmune: {days}", drawings=drawings, number=number)

    first = seen(0, "a", "first", 0)
    wish = decided(on(UNDO), "drawn_anew", first=as_lines(first), figures=packed(figures(first)), key="anew")
    assert [one.held for one in did(wish, seen(9, "b", "curve", 1), seen(0, "c", chart, 2)).outcomes] == held


AUTHORS = ("Ada Winter", "Ben Kolbe", "Cleo Oster", "Dora Stein")
FIELD = mark("Search title or author", "input", input_type="search", role="searchbox")


def test_a_search_by_another_part_of_an_entry() -> None:
    """Where the field says so: an author's name after a title's word; nothing where one part alone is named."""
    shelf = Listing(
        selector="#shelf", columns=("", ""), items=tuple((f"Book{n} Tale", who) for n, who in enumerate(AUTHORS)), count=4
    )
    now = page(FIELD, lists=(shelf,), text="\n".join(AUTHORS))
    assert searching.other_words(now, "Book1", searching.parts_named("Search title or author.")) == ["Kolbe", "Oster"]
    assert searching.parts_named("Search titles.") == ""
    assert searching.other_words(now, "Kolbe", searching.parts_named("Search title or author.")) == []


ROWS = (("Tea", "$4"), ("Rent", "$700"), ("Bread", "$3"), ("Salary", "$900"))


def ledger(*places: int, number: int = 0) -> Observation:
    """Entries of a list, each with its delete button."""
    rows = tuple(ROWS[place] for place in places)
    buttons = [mark("Delete", at=(500.0, 100.0 + 40 * place), group="d", selector=f"#d{place}") for place in range(len(rows))]
    listed = Listing(selector="#rows", columns=("", ""), items=rows, count=len(rows))
    return page(*buttons, UNDO, lists=(listed,), text="\n".join(" ".join(row) for row in rows), number=number)


@pytest.mark.parametrize(("left", "held"), [((3,), True), ((1, 3), False)])
def test_what_is_deleted_of_a_narrowed_list_is_what_was_pressed(left: tuple[int, ...], held: bool) -> None:
    """Once, right after another entry became the first one; what stands at its number in the whole list went instead."""
    whole, narrowed = ledger(0, 1, 2, 3), ledger(1, 3, number=1)
    chose = did(decided(on(UNDO), skill="choose an option"), whole, narrowed)
    survey = see(*narrowed.marks, steps=(chose,), past=(whole, narrowed), lists=narrowed.lists, text=narrowed.text)
    (found,) = outnumbered.propose(survey)
    wish = next(one for one in found.decision.expectations if one.oracle == "right_one_goes")
    after = ledger(*left, number=2)
    outcome = tell(on(narrowed.marks[0]), narrowed, after, "right_one_goes", changes={"storage": True}, **wish.params)
    assert (outcome.held, outcome.symptom) == (held, "" if held else "wrong_result")
    same = did(decided(on(UNDO), skill="choose an option"), whole, ledger(0, 2, number=1))
    assert outnumbered.propose(see(*ledger(0, 2).marks, steps=(same,), past=(whole,), lists=ledger(0, 2).lists)) == []


@pytest.mark.parametrize(("curve", "held"), [("b", [True, True]), ("a", [None, False])])
def test_the_chart_is_that_of_the_month_shown(curve: str, held: list[bool | None]) -> None:
    """Its figures follow to another month, and the ring stays."""

    def month(name: str, spent: int, drawn: str, number: int) -> Observation:
        return page(UNDO, text=f"{name} 2025\nSpent: {spent}", drawings=(Drawing(selector="#ring", digest=drawn),), number=number)

    outcomes = twice(on(UNDO), month("March", 80, "a", 0), month("April", 95, curve, 1), "month_drawn", key="months")
    assert [one.held for one in outcomes] == held


def test_all_filters_are_cleared_at_once_and_the_list_is_whole() -> None:
    """Right after a box narrowed it; entries that stay hidden though nothing hides them are told."""
    clear = mark("Clear filters", at=(600, 60))
    box = mark("Below target", "input", input_type="checkbox", role="checkbox", checked=False)

    def shelf(places: tuple[int, ...], *, ticked: bool, number: int) -> Observation:
        rows = tuple(ROWS[place] for place in places)
        listed = Listing(selector="#rows", columns=("", ""), items=rows, count=len(rows))
        return page(box.model_copy(update={"checked": ticked}), clear, lists=(listed,), text=str(rows), number=number)

    whole, few = shelf((0, 1, 2, 3), ticked=False, number=0), shelf((1, 3), ticked=True, number=1)
    ticked = did(decided(on(box), skill="tick a box"), whole, few)
    found = narrowing.propose(see(*few.marks, steps=(ticked,), past=(whole, few), lists=few.lists))
    assert aims(found) == ["Clear filters"]
    wish = next(one for one in found[0].decision.expectations if one.oracle == "restored")
    told = tell(on(clear), few, shelf((1, 3), ticked=False, number=2), "restored", **wish.params)
    assert (told.held, told.symptom) == (False, "state_not_updated")
    assert tell(on(clear), few, shelf((0, 1, 2, 3), ticked=False, number=2), "restored", **wish.params).held is True


@pytest.mark.parametrize(("days", "held"), [(12.0, True), (6.0, False)])
def test_what_runs_follows_buttons_called_after_speeds(days: float, held: bool) -> None:
    """4× and then 1×, each watched: as fast at both is input ignored."""
    chips = [
        mark(name, at=(100.0 + 60 * place, 20), role="radio", selector=f"#s{place}")
        for place, name in enumerate(("1×", "2×", "4×"))
    ]

    def day(figure: float, number: int, app_ms: float) -> Observation:
        return page(*chips, text=f"Day: {figure}", number=number, app_ms=app_ms, moving=0.01)

    pages = [day(0.0, 0, 0.0), day(2.0, 1, 1000.0), day(2.4, 2, 1400.0), day(2.4 + days, 3, 3400.0)]
    steps: list[Step] = [did(decided(Wait(ms=1000)), pages[0], pages[1])]
    survey = see(*chips, steps=tuple(steps), past=tuple(pages[:2]), text=pages[1].text, moving=0.01)
    assert aims(pacing.propose(survey)) == ["4×"]
    steps.append(did(decided(on(chips[2]), skill="set the pace high"), pages[1], pages[2], *steps))
    steps.append(did(decided(Wait(ms=2000), skill="watch the pace"), pages[2], pages[3], *steps))
    after = [day(20.0, 4, 3800.0), day(26.0, 5, 5800.0)]
    steps.append(did(decided(on(chips[0]), skill="set the pace low"), pages[3], after[0], *steps))
    survey = see(*chips, steps=tuple(steps), past=tuple(pages), text=after[0].text, moving=0.01)
    (watch,) = pacing.propose(survey)
    wish = next(one for one in watch.decision.expectations if one.oracle == "paced")
    assert tell(Wait(ms=2000), after[0], after[1], "paced", **wish.params).held is held
