"""Correct apps that a naive look accuses: each rule that keeps silent about them, beside what it still tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.skills import games, lists, timers
from agent.tongues import Tongues, speaking
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, stepped, tell, twice
from tests.unit.agent_skills.test_simulations import CANVAS, START, _played
from tools.browser.actions import Press, Select, Target, Type
from tools.browser.marks import Listing
from tools.evidence.rows import Outcome


@pytest.mark.parametrize("key", ["Control+y", "Control+z"])
def test_undo_and_redo_may_have_nothing_to_do(key: str) -> None:
    """Their button is off; or nothing was undone right before. Where it was, twice without an effect is a fault."""
    name = "Redo" if key.endswith("y") else "Undo"
    off = page(mark(name, disabled=True))
    assert [one.held for one in twice(Press(keys=(key,)), off, off.model_copy(), "keyboard_effect", changes={})] == [None, None]


def test_redo_is_told_right_after_an_undo() -> None:
    """Control+Z took something back, Control+Y does nothing."""
    bare = page(mark("Save"))
    undo = did(decided(Press(keys=("Control+z",))), bare, page(mark("Save"), text="empty", number=1))
    told = tell(Press(keys=("Control+y",)), bare, bare, "keyboard_effect", (undo,))
    assert "nothing to take back" not in told.observed
    assert "nothing to take back" in tell(Press(keys=("Control+y",)), bare, bare, "keyboard_effect").observed


def test_a_clock_that_starts_with_the_first_move_is_no_timer() -> None:
    """After Start alone it rightly stands."""
    start = mark("Start")
    assert timers.propose(see(start, text="0:00", brief="A puzzle with a clock")) != []
    assert timers.propose(see(start, text="0:00", brief="A puzzle. The clock starts with the first move.")) == []


def test_a_board_that_never_moved_need_not_move_on() -> None:
    """Going on after a pause is watched only where something moved before, or the game runs by itself."""
    steps, past = _played("start a game", "steer with keys", "pause a game", "watch a paused game", "resume a game")
    pause = mark("Go on", at=(240, 100))
    for moving, brief, told in ((0.0, "A sliding puzzle with a pause", []), (0.01, "A snake game with a pause", ["moves"])):
        seen = tuple(one.model_copy(update={"moving": moving}) for one in past)
        found = games.propose(see(START, pause, CANVAS, brief=brief, steps=steps, past=seen))
        watches = [one.decision for one in found if one.decision.skill == "watch a resumed game"]
        assert [one.oracle for step in watches for one in step.expectations if one.oracle == "moves"] == told


def test_a_word_that_stands_beside_the_list_searches_nothing() -> None:
    """A filter of rows may rightly leave all as it is when it looks for a word of the statistics."""
    field = mark("Filter rows", "input", role="searchbox", input_type="search")
    rows = Listing(selector="#rows", columns=("", ""), items=(("ivy", "3"), ("aloe", "4")), count=2)
    before = page(field, text="Numeric columns\nivy 3\naloe 4", lists=(rows,))
    act = Type(target=Target.of(field), text="Numeric")
    found = [one.held for one in twice(act, before, before, "filtered", word="Numeric", sure=1.0)]
    assert found == [None, None]
    assert [one.held for one in twice(act, before, before, "filtered", word="aloe", sure=1.0)] == [None, False]


def test_a_net_sum_is_no_fee() -> None:
    """Subtotal, discount, net and total: the net is not added once more."""
    text = "Subtotal\n$480.00\nDiscount\n−$72.00\nShipping\n$480.00\nTotal\n$489.60"
    first = did(decided(Press(keys=("a",)), "sums_agree", key="s"), page(), page(text=text, number=1))
    later = page(text=f"{text}\n.", number=2)
    second = did(decided(Press(keys=("b",)), "sums_agree", key="s"), page(text=text, number=1), later, first)
    assert [one.outcomes for one in (first, second)] == [(), ()]


def test_the_amount_from_which_shipping_is_free_is_no_fee() -> None:
    """A note that names it stands beside the bill."""
    told = []
    for note, fee in (("Free shipping from $40", "free"), ("Free from $40", "$4.90")):
        bill = [
            page(text=f"Subtotal\n${sum_}\nShipping\n{fee}\nTotal\n${sum_}\n{note}", number=n) for n, sum_ in enumerate((67, 88))
        ]
        first = did(decided(Press(keys=("a",)), "shipping_free", key="s", limit=40.0), page(), bill[0])
        second = did(decided(Press(keys=("b",)), "shipping_free", key="s", limit=40.0), bill[0], bill[1], first)
        told.append([outcome.held for one in (first, second) for outcome in one.outcomes])
    assert False not in told[0]
    assert told[1] == [None, False]


def test_what_is_larger_than_the_subtotal_is_no_fee_that_the_total_has_to_follow() -> None:
    """Net and gross change with the kind of tax, the total does not; a delivery's price that changes alone is another matter."""
    box = mark("Kind", "select", options=("a", "b"), option_names=("A", "B"), value="a", role="combobox")
    act = Select(target=Target.of(box), value="b")
    told = []
    for fees in ((680, 720), (5, 9)):
        pages = [page(box, text=f"Subtotal\n$400\nShipping\n${fee}\nTotal\n$336", number=n) for n, fee in enumerate(fees)]
        first = did(decided(act, "sums_agree", key="s"), pages[0], pages[1])
        second = did(decided(act, "sums_agree", key="s"), pages[0], pages[1].model_copy(update={"id": "e9"}), first)
        told.append([outcome.observed[:13] for one in (first, second) for outcome in one.outcomes if outcome.held is not True])
    assert told[0] == []
    assert told[1][:1] == ["what is added"]


def test_an_entry_that_was_deleted_is_no_entry_though_a_message_names_it() -> None:
    """A reload right after must not look for it."""
    add, delete = mark("Add"), mark("Delete Rye bread", at=(300, 100))
    bare, with_it = page(add, text="Ivy"), page(add, delete, text="Ivy\nRye bread", number=1)
    added = did(decided(on(add), "text_appears", text="Rye bread"), bare, with_it)
    assert lists.entries(see(add, delete, text="Ivy\nRye bread", steps=(added,), past=(bare, with_it))) == ("Rye bread",)
    after = page(add, text="Ivy\nDeleted: Rye bread. Undo", number=2)
    outcome = Outcome(oracle="text_disappears", expectation="it goes", observed="it is gone", held=True)
    gone = did(decided(on(delete), "text_disappears", text="Rye bread"), with_it, after, added)
    gone = replace(gone, outcomes=(outcome,))
    told = see(add, text="Ivy\nDeleted: Rye bread. Undo", steps=(added, gone), past=(bare, with_it, after))
    assert lists.entries(told) == ()


@pytest.mark.parametrize("complaint", ["There is already a friend of that name.", "Den Namen gibt es schon.", "该名称已存在"])
def test_an_entry_that_is_there_already_need_not_come_twice(complaint: str) -> None:
    """The app says so at the first attempt; at the second the complaint still stands, and nothing more is held against it."""
    field = mark("New friend", "input", value="Call Anna")
    typed = Type(target=Target.of(field), text="Call Anna", submit=True)
    before, said = page(field, text="Ben"), page(field, text=f"Ben\n{complaint}", number=1)
    with speaking(Tongues(("de",))):
        first = stepped(decided(typed, "text_appears", text="Call Anna", key="entry"), before, said)
        second = stepped(decided(typed, "text_appears", text="Call Anna", key="entry"), said, said, (first,))
        silent = twice(typed, before, before, "text_appears", text="Call Anna", key="entry")
    assert [(one.held, one.attempts) for step in (first, second) for one in step.outcomes] == [(None, 0), (None, 1)]
    assert silent[1].held is False


def test_how_many_are_shown_at_a_time_is_no_filter() -> None:
    """Ten or twenty rows a page: what is shown need not hold that number."""
    box = mark("Rows per page", "select", options=("10", "20"), value="10")
    rows = page(box, text="Item 20\nItem 7\nItem 8")
    chosen = Select(target=Target.of(box), value="20")
    assert [one.held for one in twice(chosen, rows, rows, "filtered", word="20", sure=1.0)] == [None, None]
