"""Steps that lose what was entered, summaries, cleared lists, counts, averages, first pages, keys, records, other restarts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.deciders.curious import rank, with_contents
from agent.deciders.protocol import Decision, Step
from agent.skills import buttons, missing, navigation, phones, playing, recovery, wrongs
from agent.skills.checks.stayed import deleted_row
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell, twice
from tools.browser.actions import Press, Reload, SetValue, Target, Type, Wait
from tools.browser.marks import Listing, Mark, Observation

NEXT, BACK = mark("Continue", at=(100, 400)), mark("Back", at=(300, 400))
MAIL = mark("Email", "input", input_type="email", selector="#mail", at=(100, 200))
NAME = mark("Full name", "input", selector="#name", at=(100, 140))


def filled(field: Mark, text: str, *history: Step, skill: str = "fill form x") -> Step:
    """A step that filled a field, which keeps it."""
    act = Type(target=Target.of(field), text=text)
    before, after = page(field), page(field.model_copy(update={"value": text}), number=1)
    return did(decided(act, "value_kept", skill=skill, value=text), before, after, *history)


def valued(field: Mark, value: str) -> Mark:
    """A field that holds something."""
    return field.model_copy(update={"value": value})


# ---- forms of several steps --------------------------------------------------------------------------------------------------


def test_a_step_back_that_leaves_only_defaults_has_lost_what_was_entered() -> None:
    """A date that is empty beside nights that stand at 2 again: lost. Nights that are as entered, an emptied password: not."""
    day = mark("Arrival", "input", input_type="date", selector="#day")
    nights = mark("Nights", "input", input_type="number", value="2", selector="#nights", at=(100, 160))
    set_day = did(
        decided(SetValue(target=Target.of(day), value="2030-06-15"), "value_kept", value="2030-06-15"),
        page(day),
        page(valued(day, "2030-06-15"), number=1),
    )
    typed = did(
        decided(Type(target=Target.of(nights), text="12"), "value_kept", value="12"),
        page(nights),
        page(valued(nights, "12"), number=2),
        set_day,
    )
    there = page(BACK, text="Who is coming?", number=3)
    lost = tell(on(BACK), there, page(day, nights, text="When?", number=4), "kept_on_return", (set_day, typed))
    assert (lost.held, lost.symptom) == (False, "state_not_updated")
    replayed = tuple(replace(step, outcomes=()) for step in (set_day, typed))
    assert tell(on(BACK), there, page(day, nights, text="When?", number=4), "kept_on_return", replayed).held is False
    partly = page(day, valued(nights, "12"), text="When?", number=4)
    assert tell(on(BACK), there, partly, "kept_on_return", (set_day, typed)).held is True
    secret = mark("Password", "input", input_type="password", selector="#secret")
    entered = filled(secret, "sesame-123")
    assert tell(on(BACK), there, page(secret, text="You", number=4), "kept_on_return", (entered,)).attempts == 0


def test_a_step_is_filled_wrongly_before_it_is_sent_off() -> None:
    """Where the brief wants wrong entries explained; twice for each step, and not while a field of it is empty."""
    brief = "A booking form in steps. Wrong entries should be explained."
    last = filled(MAIL, "anna.keller@example.com")
    full = (valued(NAME, "Anna Keller"), valued(MAIL, "anna.keller@example.com"))
    (wrong,) = wrongs.propose(see(*full, NEXT, brief=brief, steps=(last,), past=(page(NAME, MAIL, NEXT),)))
    assert wrong.decision.skill == wrongs.FILL_STEP
    assert isinstance(wrong.decision.action, Type)
    assert wrong.decision.action.text == "anna.keller"
    assert not wrongs.propose(see(NAME, full[1], NEXT, brief=brief, steps=(last,), past=(page(NAME, MAIL, NEXT),)))
    assert not wrongs.propose(see(*full, NEXT, brief="A booking form in steps.", steps=(last,), past=(page(NAME, MAIL, NEXT),)))
    tried = did(decided(wrong.decision.action, skill=wrongs.FILL_STEP), page(*full, NEXT), page(*full, NEXT, number=2), last)
    again = filled(MAIL, "anna.keller@example.com", last, tried, skill=wrongs.RIGHT_AGAIN)
    (second,) = wrongs.propose(see(*full, NEXT, brief=brief, steps=(last, tried, again), past=(page(NAME, MAIL, NEXT),)))
    assert isinstance(second.decision.action, Type)
    assert second.decision.action.text == "anna@"
    other = did(decided(second.decision.action, skill=wrongs.FILL_STEP), page(*full, NEXT), page(*full, NEXT, number=3), last)
    assert not wrongs.propose(
        see(*full, NEXT, brief=brief, steps=(last, tried, again, other, again), past=(page(NAME, MAIL, NEXT),))
    )


@pytest.mark.parametrize(
    ("text", "symptom"),
    [
        ("Check it\nName\tAnna Keller\nCity\tBonn\nEmail\tAnna Keller", "wrong_result"),
        ("Summary\nName: Anna Keller\nEmail: Anna Keller", "wrong_result"),
        ("Check it\nName\tAnna Keller\nCity\tBonn\nEmail\tanna@example.com", ""),
        ("Check it\nName\tAnna Keller\nCity\tBonn\nContact\tAnna Keller", ""),
        ("Check it\nName\tAnna Keller\nEmail\tAnna Keller", ""),
    ],
)
def test_a_summary_that_shows_one_entry_for_another(text: str, symptom: str) -> None:
    """A row with another field's value is wrong; two rows that are right, or its name, make a summary of a page."""
    city = mark("City", "input", selector="#city")
    one = filled(NAME, "Anna Keller")
    two = filled(MAIL, "anna@example.com", one)
    three = filled(city, "Bonn", one, two)
    step = did(decided(on(NEXT), "summarised"), page(NEXT, text="About you"), page(NEXT, text=text, number=4), one, two, three)
    assert [outcome.symptom for outcome in step.outcomes if outcome.held is False] == ([symptom] if symptom else [])


def test_a_summary_in_a_table_is_read_by_its_cells() -> None:
    """A page's text has blanks between the cells of a row, so that where a label ends is seen by the table alone."""
    rows = (("City", "Bonn"), ("Name", "Anna Keller"), ("Email", "Anna Keller"))
    table = Listing(selector="#review", items=rows, columns=("", ""), count=3)
    text = "Check it\n" + "\n".join(" ".join(row) for row in rows)
    one = filled(NAME, "Anna Keller")
    two = filled(MAIL, "anna@example.com", one)
    three = filled(mark("City", "input", selector="#city"), "Bonn", one, two)
    shown = page(NEXT, text=text, number=4, lists=(table,))
    step = did(decided(on(NEXT), "summarised"), page(NEXT, text="About you"), shown, one, two, three)
    assert [outcome.symptom for outcome in step.outcomes if outcome.held is False] == ["wrong_result"]


def test_a_box_that_costs_something_else_than_it_says_is_ticked_again() -> None:
    """A second time tells; not where another box that names its price told meanwhile."""
    box = mark("Sauna (€40 once)", "input", role="checkbox", input_type="checkbox", checked=False)
    on_now = box.model_copy(update={"checked": True})
    wish = {"key": "priced box", "brief": ""}
    first = did(
        decided(on(box), "costs_as_said", **wish), page(box, text="Total\n€160"), page(on_now, text="Total\n€240", number=1)
    )
    assert [one.held for one in first.outcomes] == [None]
    here = see(on_now, text="Total\n€240", steps=(first,), past=(page(box, text="Total\n€160"),))
    (again,) = recovery.propose(here)
    assert again.decision.skill == "second attempt"
    second = did(again.decision, page(on_now, text="Total\n€240", number=2), page(box, text="Total\n€160", number=3), first)
    assert [one.symptom for one in second.outcomes if one.oracle == "costs_as_said"] == ["wrong_result"]
    other = mark("Breakfast (€15)", "input", role="checkbox", input_type="checkbox", checked=False, at=(100, 200))
    ticked = other.model_copy(update={"checked": True})
    right = did(
        decided(on(other), "costs_as_said", **wish),
        page(on_now, other, text="Total\n€240", number=2),
        page(on_now, ticked, text="Total\n€255", number=3),
        first,
    )
    assert [one.held for one in right.outcomes] == [True]
    assert not recovery.propose(see(on_now, ticked, text="Total\n€255", steps=(first, right), past=(page(box, other),)))


def test_a_box_may_count_for_each_day_between_two_dates() -> None:
    """Three times its price where two dates are chosen; `once` is once."""
    dates = (mark("Arrival", "input", input_type="date"), mark("Departure", "input", input_type="date", at=(100, 160)))
    for name, told in (("Breakfast (€15)", []), ("Sauna (€15 once)", [None])):
        box = mark(name, "input", role="checkbox", input_type="checkbox", checked=False)
        before, after = (
            page(box, *dates, text="Total\n€160"),
            page(box.model_copy(update={"checked": True}), *dates, text="Total\n€205", number=1),
        )
        assert [one.held for one in did(decided(on(box), "costs_as_said", brief=""), before, after).outcomes] == told


# ---- lists -------------------------------------------------------------------------------------------------------------------


def listed(*rows: tuple[str, ...], text: str = "", number: int = 0, marks: tuple[Mark, ...] = (), **more: Any) -> Observation:
    """A page with a list, and lists beside it."""
    others = tuple(more.pop("others", ()))
    columns = tuple(more.pop("columns", ("",) * len(rows[0]) if rows else ()))
    listing = Listing(selector="#list", columns=columns, items=rows, count=len(rows))
    shown = "\n".join([text, *("\t".join(row) for row in rows)])
    return page(*marks, text=shown, number=number, lists=(listing, *others), **more)


CLEAR = mark("清空全部")
ROWS = (("王小明", "¥120"), ("李华", "¥80"), ("买菜", "¥35"), ("地铁", "¥20"))


def test_what_asks_and_clears_nothing_is_dead() -> None:
    """Told yes, and every entry is there as before, twice. An emptied list is fine; what asks nothing is not judged by this."""
    full, asked = listed(*ROWS, marks=(CLEAR,)), {"dialogs": 1}
    dead = twice(on(CLEAR), full, listed(*ROWS, marks=(CLEAR,), number=1), "list_emptied", changes=asked)
    assert [one.held for one in dead] == [None, False]
    assert dead[1].symptom == "dead_control"
    assert tell(on(CLEAR), full, page(CLEAR, number=1), "list_emptied", changes=asked).held is True
    assert not did(decided(on(CLEAR), "list_emptied"), full, listed(*ROWS, marks=(CLEAR,), number=1)).outcomes


def test_a_list_is_looked_at_when_all_of_it_is_cleared() -> None:
    """Not when a part of it is, or a filter."""

    def asked(name: str) -> bool:
        one = mark(name)
        found = buttons.propose(see(one, lists=(Listing(selector="#list", items=ROWS, count=4, columns=("", "")),)))
        return any(wish.oracle == "list_emptied" for each in found for wish in each.decision.expectations)

    assert asked("清空全部")
    assert asked("Clear all")
    assert not asked("Clear completed")
    assert not asked("Clear filters")


def test_a_count_of_records_follows_what_narrows_them() -> None:
    """Said the Chinese way, over the list; the size of a library may stay."""
    search = mark("搜索")

    def pressed(line: str) -> list[bool | None]:
        whole, one = (listed(*rows, text=line, number=place, marks=(search,)) for place, rows in enumerate((ROWS, ROWS[:1])))
        wish = decided(on(search), "count_follows", shop=0.0, key="count shown")
        first = did(wish, whole, one)
        second = did(wish, whole, one, first)
        return [outcome.held for step in (first, second) for outcome in step.outcomes]

    assert pressed("共 4 条记录") == [None, False]
    assert pressed("4 records") == [None, False]
    assert pressed("4 本书") == []
    assert pressed("4 recipes") == []


def test_a_row_is_deleted_though_totals_change_beside_it() -> None:
    """Cards of totals are a list to the eyes, and say something else now; two lists that lost rows tell nothing."""

    def cards(total: str) -> Listing:
        return Listing(selector=".cards", columns=("", ""), items=(("总支出", total), ("结余", "¥1")), count=2)

    before, after = listed(*ROWS, others=(cards("¥255"),)), listed(*ROWS[:3], others=(cards("¥235"),), number=1)
    assert deleted_row(before, after) == ("#list", "地铁 ¥20")
    fewer = Listing(selector=".cards", columns=("", ""), items=(("结余", "¥1"),), count=1)
    assert deleted_row(before, listed(*ROWS[:3], others=(fewer,), number=1)) is None
    assert deleted_row(before, listed(*ROWS[:2], others=(cards("¥235"),), number=1)) is None


HEAD = mark("Amount")


def amounts(*values: str, place: str = "Page 1 of 8", number: int = 0) -> Observation:
    """A page of a table of amounts."""
    rows = tuple((f"#{index}", value) for index, value in enumerate(values))
    return listed(*rows, columns=("Order", "Amount"), text=place, marks=(HEAD,), number=number)


def test_a_first_page_lacks_nothing_that_comes_before_its_end() -> None:
    """Sorted as words, a page may rise and yet lack what is less. The second page, other units, a sort of the page are none."""
    before = amounts("$71.38", "$205.77", "$13.20", "$99.84")
    wrong = tell(on(HEAD), before, amounts("$100.10", "$102.50", "$104.00", "$110.30", number=1), "ordered", by="Amount")
    assert (wrong.held, wrong.symptom) == (False, "wrong_result")
    right = amounts("$11.10", "$12.50", "$13.00", "$13.10", number=1)
    assert tell(on(HEAD), before, right, "ordered", by="Amount").held is True
    later = amounts("$100.10", "$102.50", "$104.00", "$110.30", place="Page 4 of 8", number=1)
    assert tell(on(HEAD), before, later, "ordered", by="Amount").held is True
    signed = amounts("+$100.10", "+$102.50", "+$104.00", "+$110.30", number=1)
    assert tell(on(HEAD), before, signed, "ordered", by="Amount").held is True


def test_figures_in_the_order_of_words_may_come_twice() -> None:
    """Days 10, 10, 2, 25, 7: no order of theirs."""
    before, after = amounts("7", "10", "25", "2", "10", place=""), amounts("10", "10", "2", "25", "7", place="", number=1)
    told = tell(on(HEAD), before, after, "ordered", by="Amount")
    assert (told.held, told.symptom) == (False, "wrong_result")


@pytest.mark.parametrize(("line", "symptom"), [("-¥120.00", "input_ignored"), ("+¥120.00", "wrong_result")])
def test_a_choice_that_is_ignored(line: str, symptom: str) -> None:
    """The entry is one of the option that stood there, sign and all; one that says what was chosen is counted wrongly."""
    names = ("支出", "收入")
    kind, add = mark("类型", "select", value="in", options=("out", "in"), option_names=names), mark("添加")
    before = page(kind, add, text="总收入\n¥100\n总支出\n¥40")
    after = page(kind, add, text=f"总收入\n¥100\n总支出\n¥160\n{line}", number=1)
    assert tell(on(add), before, after, "counted_as").symptom == symptom


# ---- figures -----------------------------------------------------------------------------------------------------------------


def test_an_average_is_looked_at_though_the_chart_named_with_it_held() -> None:
    """One promise names both, and the chart followed."""
    days, brief = mark("28 days"), "A dashboard with revenue, orders, the average order value and a bar chart."
    held = did(decided(on(days), "responds", promise="p3"), page(days, text="1"), page(days, text="2", number=1))
    press = Decision(action=on(days), why="a test", skill="press a button")
    settled = see(days, brief=brief, steps=(held,), past=(page(days),), text="Orders\n51")
    assert settled.settled
    assert "average_agrees" in [one.oracle for one in with_contents(press, settled).expectations]


def test_lives_are_no_score() -> None:
    """Beside a score that stays, a life that goes is no score that changes."""
    ball = Wait(ms=6500)
    before, after = page(text="Score 0\nLevel 1\nLives 3\nBest 0"), page(text="Score 0\nLevel 1\nLives 2\nBest 0", number=1)
    assert not did(decided(ball, "score_changes"), before, after).outcomes
    scored = page(text="Score 10\nLevel 1\nLives 2\nBest 10", number=1)
    assert tell(ball, before, scored, "score_changes").held is True


def test_a_record_may_be_higher_after_a_reload() -> None:
    """The game went on until then; a record that is gone is lost, whatever figure it had when it was looked at."""
    made = {"made": "best: 50"}
    before = page(mark("Start"), text="Score 60\nBest 60")
    assert tell(Reload(), before, page(mark("Start"), text="Score 0\nBest 70", number=1), "kept", **made).held is True
    lost = tell(Reload(), before, page(mark("Start"), text="Score 0\nBest 0", number=1), "kept", **made)
    assert (lost.held, lost.symptom) == (False, "persistence_lost")


# ---- games, keys, links, phones ----------------------------------------------------------------------------------------------


def test_another_restart_is_pressed_in_the_midst_of_a_round() -> None:
    """One button begins a round once it is over, the other at any time: each may forget something."""
    again, restart, brief = mark("Play again"), mark("Restart", at=(400, 600)), "A breakout game with a restart button"
    first = page(restart, text="Score 0\nLives 3")
    begun = did(decided(on(again), skill="restart a game"), page(again, restart, text="Game over"), first)
    there = see(restart, brief=brief, steps=(begun,), past=(first,), text="Score 50\nLives 2", moving=0.01)
    (found,) = playing.restart_otherwise(there, [begun], 18.0)
    assert found.decision.action == on(restart)
    stuck = did(found.decision, page(restart, text="Score 50\nLives 2"), page(restart, text="Score 50\nLives 3", number=1))
    assert [one.symptom for one in stuck.outcomes if one.oracle == "begins_anew"] == ["state_not_updated"]
    asked = page(restart.model_copy(update={"covered": True}), mark("Yes"), text="Score 50\nLives 2\nSure?", number=1)
    told = did(found.decision, page(restart, text="Score 50\nLives 2"), asked)
    assert not [one for one in told.outcomes if one.oracle == "begins_anew"]
    level = see(mark("Restart level"), brief=brief, steps=(begun,), past=(first,), text="Score 50\nLives 2", moving=0.01)
    assert not playing.restart_otherwise(level, [begun], 18.0)
    fresh = see(restart, brief=brief, steps=(begun,), past=(first,), text="Score 0\nLives 3", moving=0.01)
    assert not playing.restart_otherwise(fresh, [begun], 18.0)


def test_a_key_that_did_nothing_is_pressed_once_more_on_the_same_page() -> None:
    """Nothing changed, so the page is the same: the second press is what tells."""
    brief, play = "A drum machine. Press play or space to hear the loop.", mark("Play")
    here = page(play, text="Space = play / stop")
    press = decided(Press(keys=("Space",)), "keyboard_effect", skill="press Space", key="key Space")
    first = did(press, here, page(play, text="Space = play / stop", number=1))
    assert [one.held for one in first.outcomes] == [None]
    found = rank(see(play, brief=brief, text="Space = play / stop", steps=(first,), past=(here,)))
    assert Press(keys=("Space",)) in [one.decision.action for one in found]
    way = decided(Press(keys=("ArrowRight",)), "keyboard_effect", skill="press ArrowRight", key="key ArrowRight")
    first = did(way, here, page(play, text="Space = play / stop", number=1))
    brief = "A gallery with a large view, where ArrowRight is the key for the next picture."
    found = rank(see(play, brief=brief, text="Space = play / stop", steps=(first,), past=(here,)))
    assert way.action not in [one.decision.action for one in found]


def test_a_link_to_a_part_that_stays_hidden() -> None:
    """The address changes, and the part is not displayed: broken, and what the brief names may be there."""
    link = mark("Orders", "a", href="http://127.0.0.1:4000/#orders", evidence=("tag", "shut"))
    moved = {"url": True, "text": False, "dom": False, "scroll": False, "picture": 0.0}
    broken = tell(on(link), page(link), page(link, url=link.href, number=1), "navigates", changes=moved)
    assert (broken.held, broken.symptom) == (False, "broken_navigation")
    opened = link.model_copy(update={"evidence": ("tag",)})
    assert tell(on(link), page(link), page(opened, url=link.href, number=1), "navigates", changes=moved).held is None
    brief = "A dashboard with revenue, filtered by status, sorted by clicking the headers, and paged."
    step = did(decided(on(link), "navigates", href=link.href), page(link), page(link, url=link.href, number=1), **moved)
    assert missing.absent(see(link, brief=brief, past=(page(link),)))
    assert not missing.absent(see(link, brief=brief, steps=(step,), past=(page(link),)))


def test_links_to_one_part_come_after_links_to_others() -> None:
    """Three prices, each with a button to the same form: the second leads nowhere new."""
    site = "http://127.0.0.1:4000/"
    one, two = (mark(f"Choose {name}", "a", href=f"{site}#signup", at=(100, 100 * y)) for y, name in ((1, "Team"), (2, "Solo")))
    faq = mark("FAQ", "a", href=f"{site}#faq", at=(100, 300))
    followed = did(decided(on(one), "navigates", href=one.href, skill="follow a link"), page(one, two, faq), page(one, two, faq))
    found = navigation.propose(see(one, two, faq, steps=(followed,), past=(page(one, two, faq),)))
    assert aims(found) == ["FAQ", "Choose Solo"]
    assert found[0].priority != found[1].priority


def test_the_menu_of_phones_comes_early_where_it_is_asked_for() -> None:
    """A sentence that names phones and their menu is not left to the end."""
    links = tuple(mark(name, "a", href=f"http://127.0.0.1:4000/#{name}", at=(100, 100)) for name in ("a", "b", "c"))
    said = phones.propose(see(*links, brief="A landing page. On phones the navigation should become a menu button."))
    other = phones.propose(see(*links, brief="A landing page with a menu. It should work well on phones."))
    assert said[0].priority > other[0].priority
