"""Boards, converters, editors and simulations that nobody tuned on: what is told of them, and what is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.deciders.curious import rank
from agent.deciders.protocol import Expectation
from agent.skills import buttons, converting, dragging, editors, forms, pacing, persistence, revisiting, simulations, wrongs
from agent.skills.checks.labelled import figures
from agent.skills.survey import Survey
from agent.skills.values import option_for
from tests.unit.agent_skills.scenes import acts, aims, decided, did, mark, on, page, see, tell, twice, view
from tools.browser.actions import Drag, Reload, Scroll, Select, Target, Type, Wait
from tools.browser.marks import Drawing, Listing, Mark, Observation

GO = mark("Go")


def column(title: str, *names: str) -> Listing:
    """A column of a board."""
    rows = tuple((name, "Bug") for name in names)
    return Listing(selector=f"#{title}", title=title, columns=("", ""), items=rows, count=len(rows))


def board(*columns: Listing, heads: tuple[int, ...] = (), number: int = 0, **more: Any) -> Observation:
    """A board whose columns have their numbers in their heads."""
    shown = heads or tuple(one.count for one in columns)
    text = "\n".join(
        f"{one.title}\n{head}\n" + "\n".join(row[0] for row in one.items) for one, head in zip(columns, shown, strict=True)
    )
    return page(GO, text=text, lists=columns, number=number, **more)


TODO, DOING = (
    column("To do", "Login fails", "Sketch inbox", "Merge branch"),
    column("In progress", "Filter invoices", "Explain tokens"),
)
LESS, MORE = (
    column("To do", "Sketch inbox", "Merge branch"),
    column("In progress", "Filter invoices", "Explain tokens", "Login fails"),
)


def test_a_column_counts_the_card_that_came() -> None:
    """Both heads as before though a card went from one to the other: told at once. Right ones hold."""
    stale = tell(on(GO), board(TODO, DOING), board(LESS, MORE, heads=(3, 2), number=1), "heads_follow")
    assert (stale.held, stale.symptom) == (False, "state_not_updated")
    assert tell(on(GO), board(TODO, DOING), board(LESS, MORE, number=1), "heads_follow").held is True


def test_a_number_of_all_there_are_may_stand_over_what_a_filter_left() -> None:
    """A filter that stores nothing leaves the heads alone; a deletion that is stored does not, told at the second."""
    few = column("To do", "Login fails"), column("In progress", "Filter invoices", "Explain tokens")
    filtered = board(*few, heads=(3, 2), number=1)
    assert did(decided(on(GO), "heads_follow"), board(TODO, DOING), filtered).outcomes == ()
    gone = board(LESS, DOING, heads=(3, 2), number=1, storage_sha256="other")
    told = twice(on(GO), board(TODO, DOING), gone, "heads_follow", key="heads")
    assert [one.held for one in told] == [None, False]


def card(name: str, x: float, y: float = 100.0) -> Mark:
    """A card of a board as one sees it."""
    return mark(f"{name} Bug Edit Delete", "article", role="clickable", at=(x, y), draggable=True, selector=f"#c{x:.0f}-{y:.0f}")


def test_a_card_dropped_on_another_column_lies_there() -> None:
    """In its own column still, only in another order: no effect, told at the second drop. In the other one: held."""
    cards = card("Login fails", 100), card("Filter invoices", 500)
    drag = Drag(target=Target.of(cards[0]), to=Target.of(cards[1]))
    before = page(*cards, text="a", lists=(TODO, DOING))
    reordered = column("To do", "Sketch inbox", "Merge branch", "Login fails")
    stays = page(*cards, text="b", lists=(reordered, DOING), number=1)
    first, second = twice(drag, before, stays, "dropped", key="dragging")
    assert (first.held, second.held, second.symptom) == (None, False, "input_ignored")
    moved = page(*cards, text="c", lists=(LESS, MORE), number=1)
    assert tell(drag, before, moved, "dropped", key="dragging").held is True


def test_a_second_drag_goes_to_another_column_again() -> None:
    """Not down its own column, where any place would do."""
    cards = card("A one", 100), card("B two", 500), card("C three", 900), card("D four", 100, 300), card("E five", 100, 500)
    wish = decided(Drag(target=Target.of(cards[0]), to=Target.of(cards[1])), "dropped", skill="drag a thing", key="dragging")
    before = page(*cards, text="a", viewport=(1280, 800))
    step = did(wish, before, before)
    survey = see(*cards, text="a", steps=(step,), past=(before,), brief="A kanban board: drag cards between columns")
    goal = acts(dragging.propose(survey))[0].to
    assert goal is not None
    assert goal.name.startswith("C three")


def names(title: str) -> tuple[Mark, ...]:
    """Two buttons of a card that are called after it."""
    left, right = f"Move {title} to the left", f"Move {title} to the right"
    return tuple(mark(name, at=(100, 100), selector=f'button[aria-label="{name}"]', context=title) for name in (left, right))


def test_three_moves_of_cards_are_enough_whatever_the_cards_are_called() -> None:
    """Of buttons named after their entries three of a kind are pressed; those of another kind are still to come."""
    titles = ("Login fails", "Sketch inbox", "Merge branch", "Filter invoices", "Explain tokens")
    marks = [one for title in titles for one in names(title)]
    lists = (column("To do", *titles),)
    before = page(*marks, text="x", lists=lists)
    steps = tuple(did(decided(on(names(title)[0])), before, before) for title in titles[:3])
    survey = see(*marks, text="x", lists=lists, steps=steps, past=(before,))
    aimed = aims(buttons.propose(survey))
    assert not any("left" in name for name in aimed)
    assert any("right" in name for name in aimed)


def test_what_is_stored_is_no_view_to_go_back_to() -> None:
    """A card moved by a button left others in sight; pressing it again would do something, not show it."""
    move, others = mark("Promote"), [mark(f"Thing {n}", at=(100, 200 + 40 * n)) for n in range(4)]
    before, after = page(move, text="a"), page(move, *others, text="b", number=1, storage_sha256="other")
    shown = did(decided(on(move)), before, page(move, *others, text="b", number=1))
    stored = did(decided(on(move)), before, after)
    now = {"past": (before, page(move, *others, text="b", number=1)), "text": "c"}
    assert revisiting.propose(see(move, steps=(shown,), **now))
    assert not revisiting.propose(see(move, steps=(stored,), **now))


def test_a_board_gets_a_card_before_its_cards_are_moved_about() -> None:
    """What is made can be edited, moved and deleted; so it comes soon where entries are what it is about."""
    new, moves = mark("+ New card"), names("Login fails")
    survey = see(
        *moves, new, text="x", lists=(TODO,), brief="Make a Kanban board. Cards have a title. I want to move them with buttons."
    )
    pressed = [
        getattr(getattr(one.decision.action, "target", None), "name", "")
        for one in rank(survey)
        if one.decision.skill == "press a button"
    ]
    assert pressed[0] == "+ New card"


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("⚠ Overdue: 8 Jan 2026", False),
        ("Overdue: 30 Dec 2025", True),
        ("逾期：2026年3月8日", False),
        ("Past due since January 9, 2026", False),
        ("Overdue (2026-02-01)", False),
    ],
)
def test_what_is_overdue_was_due_before_today(line: str, held: bool) -> None:
    """By the page's own day, however the date is written."""
    told = tell(on(GO), page(GO), page(GO, text=f"To do\n{line}", number=1, today="2026-01-01"), "dues_agree")
    assert told.held is held


@pytest.mark.parametrize(
    "line", ["Overdue: 2 · next due 8 Jan 2026", "Not overdue until 8 Jan 2026", "Due 8 Jan 2026", "Overdue by 3 days"]
)
def test_a_line_that_says_more_is_not_called_overdue(line: str) -> None:
    """Another date beside the word, or none."""
    step = did(decided(on(GO), "dues_agree"), page(GO), page(GO, text=line, number=1, today="2026-01-01"))
    assert step.outcomes == ()


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("212 °F = 85.777778 °C", False),
        ("212 °F = 100 °C", True),
        ("1 mi = 1.609344 km", True),
        ("10 公里 = 6.2137 英里", True),
        ("5 kg = 2.268 lb", False),
        ("1 Metres (m) = 3.28 Feet (ft)", True),
        ("1 gal = 4.55 l", True),
        ("1,000 m³ = 1e+6 l", True),
        ("0 °C = 273.15 K", True),
    ],
)
def test_a_conversion_written_out_is_done_again(line: str, held: bool) -> None:
    """Units by sign or name; British gallons are right as well as American ones."""
    told = tell(on(GO), page(GO), page(GO, text=f"Result\n{line}", number=1), "converted")
    assert (told.held, told.symptom) == (held, "" if held else "wrong_result")


@pytest.mark.parametrize("line", ["1 USD = 0.92 EUR", "2 cups = 500 ml", "x = 5", "1 oz = 29.57 ml", "3 m = 5 s"])
def test_a_rate_or_a_measure_of_the_kitchen_is_no_definition(line: str) -> None:
    """What no table knows is not told."""
    assert did(decided(on(GO), "converted"), page(GO), page(GO, text=line, number=1)).outcomes == ()


def body(weight: str, text: str, number: int = 0) -> Observation:
    """A calculator of the body mass index."""
    fields = (
        mark("Height (cm)", "input", input_type="number", value="172", at=(100, 100), role="spinbutton"),
        mark("Weight (kg)", "input", input_type="number", value=weight, at=(100, 160), role="spinbutton"),
    )
    return page(*fields, text=f"Body mass index\n{text}\nNormal weight for this height: 54.7 to 73.7 kg", number=number)


def test_the_class_of_an_index_follows_it() -> None:
    """Normal at 37 as at 23: stale. Its own class holds; another wrong one from the first is a wrong result."""
    act = Type(target=Target.of(body("110", "").marks[1]), text="110")
    before = body("68", "23.0 Normal weight")
    stale = tell(act, before, body("110", "37.2 Normal weight", 1), "class_agrees")
    assert (stale.held, stale.symptom) == (False, "state_not_updated")
    assert tell(act, before, body("110", "37.2\nObese", 1), "class_agrees").held is True
    assert tell(act, before, body("72", "24.3 超重", 1), "class_agrees").held is True
    wrong = tell(act, before, body("110", "37.2 Underweight", 1), "class_agrees")
    assert (wrong.held, wrong.symptom) == (False, "wrong_result")
    legend = body("110", "37.2\nUnderweight\nNormal\nOverweight\nObese", 1)
    assert did(decided(act, "class_agrees"), before, legend).outcomes == ()


def tabs(chosen: str, text: str, number: int = 0) -> Observation:
    """A page with tabs."""
    marks = [
        mark(name, role="tab", checked=name == chosen, at=(100 + 90 * n, 40)) for n, name in enumerate(("Units", "Tip", "BMI"))
    ]
    field = mark("Amount", "input", at=(100, 200), context=text.splitlines()[0])
    return page(*marks, field, text=f"Units\nTip\nBMI\n{text}", number=number)


def test_a_tab_shows_what_it_stands_for() -> None:
    """Marked as chosen over another's content: the way is broken. Lists that a filter leaves alike tell nothing."""
    before = tabs("Tip", "Tip calculator\nBill")
    press = on(before.marks[2])
    told = tell(press, before, tabs("BMI", "Tip calculator\nBill", 1), "tab_shows")
    assert (told.held, told.symptom) == (False, "broken_navigation")
    assert did(decided(press, "tab_shows"), before, tabs("BMI", "Body mass index", 1)).outcomes == ()
    plain = tabs("Tip", "Nothing here yet\n0 tips")
    assert did(decided(press, "tab_shows"), plain, tabs("BMI", "Nothing here yet\n0 tips", 1)).outcomes == ()


def test_a_peak_is_that_of_its_own_quantity() -> None:
    """Two peaks alike to the digit in two states, of quantities that differ: wrong. Others hold their peace."""

    def run(peaks: tuple[str, str], number: int) -> Observation:
        return page(
            GO, text=f"Hares\n12.{number}\nFoxes\n33.{number}\nPeak hares\n{peaks[0]}\nPeak foxes\n{peaks[1]}", number=number
        )

    wish = decided(on(GO), "records_apart", key="peaks")
    first = did(wish, run(("40.0", "40.0"), 0), run(("61.3", "61.3"), 1))
    second = did(wish, run(("61.3", "61.3"), 1), run(("64.1", "64.1"), 2), first)
    assert [one.outcomes[0].held for one in (first, second)] == [None, False]
    assert did(wish, run(("61.3", "39.0"), 1), run(("64.1", "39.0"), 2)).outcomes == ()


def test_figures_to_choose_from_stand_under_no_label() -> None:
    """A row of buttons `10 %`, `15 %` over labelled sums shifts none of them to the next label."""
    pills = [mark(f"{n} %", at=(100 + 60 * n, 40)) for n in (10, 15, 18)]
    shown = figures(page(*pills, text="10 %\n15 %\n18 %\nTip\n$18.00\nTotal\n$138.00\nEach pays\n$69.00"))
    assert (shown["tip"], shown["total"], shown["each pays"]) == (18.0, 138.0, 69.0)


def test_swapping_two_that_are_the_same_is_excused() -> None:
    """Pounds into pounds; two that differ have to change."""
    swap = mark("⇄ Swap", at=(300, 140))

    def sides(one: str, other: str, number: int = 0) -> Observation:
        fields = [
            mark(name, "select", value=value, options=("kg", "lb"), option_names=("Kilograms", "Pounds"), at=(100, y))
            for name, value, y in (("From", one, 100), ("To", other, 180))
        ]
        return page(*fields, swap, number=number)

    assert [one.held for one in twice(on(swap), sides("kg", "kg"), sides("kg", "kg", 1), "responds")] == [None, None]
    assert [one.held for one in twice(on(swap), sides("kg", "lb"), sides("kg", "lb", 1), "responds")] == [None, False]


def test_the_other_unit_is_not_chosen_on_both_sides() -> None:
    """Of two selects alike the option of the other one is left to it."""
    one = mark("From", "select", value="kg", options=("kg", "g", "lb"), at=(100, 100))
    other = mark("To", "select", value="lb", options=("kg", "g", "lb"), at=(100, 180))
    assert option_for(one, page(one, other)) == "g"


def test_a_restart_of_what_runs_by_itself_is_not_called_dead() -> None:
    """What runs is left out of the comparison; on a still page it is told."""
    button = mark("Restart", at=(100, 500))
    running = page(button, text="Time", moving=0.01)
    assert [one.held for one in twice(on(button), running, running, "responds")] == [None, None]


def test_a_speed_in_years_per_second_is_no_time_of_a_round() -> None:
    """The figure of a slider stays in a new round."""
    speed = mark("Speed (years per second)", "input", input_type="range", value="5.5", role="slider")
    before = page(speed, GO, text="Speed (years per second)\n5.5\nTime\n9.3")
    after = page(speed, GO, text="Speed (years per second)\n5.5\nTime\n0.0", number=1)
    told = tell(on(GO), before, after, "begins_anew", first="speed (years per second)=2\ntime=0")
    assert told.held is True


def test_restart_beside_default_values_sets_nothing_back() -> None:
    """What the brief says of defaults is the other button's."""
    restart, defaults = mark("Restart"), mark("Default values", at=(300, 100))
    slider = mark("Birth rate", "input", input_type="range", value="0.8", role="slider", at=(100, 300))
    brief = "A simulation with buttons to restart and reset to the defaults"
    survey = see(restart, defaults, slider, brief=brief, past=(page(slider),))
    found = buttons.propose(survey)
    told = {getattr(getattr(one.decision.action, "target", None), "name", ""): one.decision.expectations for one in found}
    assert not any(one.oracle == "set_back" for one in told["Restart"])


def test_the_title_of_a_text_is_no_line_that_adds_entries() -> None:
    """Enter in it adds nothing; a line of a list without an editor does."""
    title = mark("Document title", "input", input_type="text", at=(100, 20))
    text = mark("Markdown text", "textarea", at=(100, 100), size=(600, 500))
    assert not any("Enter adds" in one.decision.why for one in forms.propose(see(title, text, brief="A notes app in Markdown")))


def test_a_dialog_that_asks_first_takes_nothing_in_yet() -> None:
    """What lies over the page may ask; it is not called an entry that was lost."""
    new, field = mark("New"), mark("Title", "input", value="A walk", at=(100, 200))
    before = page(new, field, text="x")
    after = page(new.model_copy(update={"covered": True}), field, mark("Discard"), text="Start a new document?", number=1)
    assert [one.held for one in twice(on(new), before, after, "text_appears", text="A walk")] == [None, None]


def writing(text: str, words: int, number: int = 0) -> Observation:
    """An editor with its number of words."""
    return page(
        mark("Markdown text", "textarea", at=(100, 100), size=(600, 500), value=text),
        text=f"{words}\nwords\n1 min read",
        number=number,
    )


def test_words_on_lines_of_their_own_are_counted() -> None:
    """The sample tells counting by single spaces from every right way, at once; each right way holds."""
    survey = see(
        mark("Markdown text", "textarea", at=(100, 100), size=(600, 500)),
        brief="A Markdown editor with bold and italic and a live preview",
    )
    act = next(one.decision.action for one in editors.propose(survey) if one.decision.skill == "write Markdown")
    assert isinstance(act, Type)
    by_space = len(act.text.split(" "))
    told = tell(act, writing("", 1), writing(act.text, by_space, 1), "words_agree")
    assert (told.held, told.symptom) == (False, "wrong_result")
    for right in (len(act.text.split()), sum(any(sign.isalnum() for sign in part) for part in act.text.split())):
        assert tell(act, writing("", 1), writing(act.text, right, 1), "words_agree").held is True


def test_a_link_in_markdown_may_be_two_words() -> None:
    """Parts with a letter in them, as they stand between white space."""
    text = "- [link text](https://example.com) and some more"
    act = Type(target=Target.of(writing(text, 0).marks[0]), text=text)
    assert tell(act, writing("", 0), writing(text, 5, 1), "words_agree").held is True


def converter(kind: str, one: str, other: str, units: tuple[str, ...], number: int = 0) -> Observation:
    """A converter with a select for the quantity, two for the units, and a button that swaps them."""
    kinds = ("length", "mass", "temperature")
    fields = (
        mark("Quantity", "select", value=kind, options=kinds, option_names=("Length", "Mass", "Temperature"), at=(100, 60)),
        mark("From", "select", value=one, options=units, option_names=units, at=(100, 120)),
        mark("⇄ Swap", at=(300, 120)),
        mark("To", "select", value=other, options=units, option_names=units, at=(400, 120)),
    )
    return page(*fields, text=f"1 {one} = 2 {other}", number=number)


def test_a_converter_is_tried_both_ways_and_with_each_quantity() -> None:
    """Swapped first, then degrees, which go wrong most easily; a select of fruits is no converter."""
    first = converter("length", "km", "mi", ("km", "mi", "m"))
    found = acts(converting.propose(see(*first.marks, text=first.text)))
    assert found[0].target.name == "⇄ Swap"
    assert isinstance(found[1], Select)
    assert found[1].value == "temperature"
    swapped = did(decided(on(first.marks[2]), skill="convert the other way: km"), first, first)
    again = acts(converting.propose(see(*first.marks, text=first.text, steps=(swapped,), past=(first,))))
    assert [type(one) for one in again] == [Select]
    fruit = converter("length", "apples", "pears", ("apples", "pears", "plums"))
    assert converting.propose(see(*fruit.marks)) == []


def test_an_index_is_taken_into_another_class() -> None:
    """Only where the page names the class: one weight far up, another far down later."""
    named, bare = body("68", "23.0 Normal weight"), body("68", "23.0")
    assert [one.text for one in acts(converting.propose(see(*named.marks, text=named.text)))] == ["109"]
    assert converting.propose(see(*bare.marks, text=bare.text)) == []


def drawn(hares: str, digests: tuple[str, str], number: int, *, moving: float = 0.002) -> Observation:
    """A simulation with two drawings, of which the second stands under the fold."""
    marks = (
        mark("Line chart of hares over time", "canvas", at=(100, 100), size=(600, 300), selector="#one"),
        mark("Phase plot: hares across, foxes up", "canvas", at=(100, 600), size=(600, 200), selector="#two"),
    )
    drawings = tuple(
        Drawing(selector=selector, digest=digest) for selector, digest in zip(("#one", "#two"), digests, strict=True)
    )
    return page(*marks, text=f"Hares\n{hares}\nSpeed\n2", drawings=drawings, number=number, moving=moving)


def test_a_drawing_named_after_what_goes_on_goes_on() -> None:
    """Stands while its figure runs, twice: frozen. One that runs, or of a page that stands, tells nothing against it."""
    wait = Wait(ms=1300)
    pair = drawn("12.0", ("a", "x"), 0), drawn("13.1", ("b", "x"), 1)
    first, second = twice(wait, *pair, "drawings_run", key="drawings that run")
    assert (first.held, second.held, second.symptom) == (None, False, "animation_frozen")
    assert tell(wait, pair[0], drawn("13.1", ("b", "y"), 1), "drawings_run").held is True
    assert did(decided(wait, "drawings_run"), pair[0], drawn("12.0", ("a", "x"), 1)).outcomes == ()


def test_a_drawing_under_the_fold_is_looked_at_while_it_runs() -> None:
    """It is brought into view, once; not while nothing runs."""
    brief = "A simulation of foxes and hares on a canvas, and a plot of hares against foxes"
    now, past = drawn("12.0", ("a", ""), 1), (drawn("11.0", ("b", ""), 0),)
    given = {"text": now.text, "drawings": now.drawings, "brief": brief, "past": past, "page_size": (1280.0, 1100.0)}
    best = max(simulations.propose(see(*now.marks, moving=0.002, **given)), key=lambda one: one.priority)
    assert isinstance(best.decision.action, Scroll)
    still = see(*now.marks, **given)
    assert not any(isinstance(one.decision.action, Scroll) for one in simulations.propose(still))


def bill(value: str, text: str, number: int = 0) -> Observation:
    """A calculator of tips, whose result follows at once."""
    field = mark("Bill ($)", "input", input_type="number", value=value, role="spinbutton", at=(100, 100))
    return page(field, text=text, number=number)


def test_an_amount_below_zero_gives_no_result() -> None:
    """Typed once where the brief wants nonsense told, and put right; taken: `validation_missing`, refused: held."""
    brief = "A tip calculator with the bill amount. Results right away, sensible messages for nonsense such as negative values."
    now = bill("120", "Tip\n$18.00\nTotal\n$138.00", 1)
    filled = did(decided(Type(target=Target.of(now.marks[0]), text="120")), bill("", ""), now)
    found = wrongs.propose(see(*now.marks, text=now.text, brief=brief, steps=(filled,), past=(bill("", ""),)))
    act = acts(found)[0]
    assert act.text == "-5"
    wish = found[0].decision.expectations[0].params["field"]
    taken = tell(act, now, bill("-5", "Tip\n$-0.75\nTotal\n$-5.75", 2), "no_result", field=wish)
    assert (taken.held, taken.symptom) == (False, "validation_missing")
    assert tell(act, now, bill("-5", "Please enter a bill of $0 or more.\nTip\n–", 2), "no_result", field=wish).held is True
    plain = see(*now.marks, text=now.text, brief="A tip calculator", steps=(filled,), past=(bill("", ""),))
    assert wrongs.propose(plain) == []


def test_what_is_written_is_looked_for_before_a_new_text_is_begun() -> None:
    """A reload soon after the tools were used, once; not where nothing is promised, or where a button saves."""
    editor = mark("Markdown text", "textarea", at=(100, 100), size=(600, 500), value="## A third short line")
    empty = page(editor.model_copy(update={"value": ""}), text="x")
    typed = did(
        decided(Type(target=Target.of(editor), text="A third short line"), skill="write a plain line"),
        empty,
        page(editor, text="x", number=1),
    )
    used = did(
        decided(on(GO), skill="use a tool on the text"), page(editor, text="x", number=1), page(editor, text="x", number=2), typed
    )
    brief = "A Markdown editor. The draft should be saved in the browser so that it is still there after a reload."
    past = (empty, page(editor, text="x", number=1))
    given = {"text": "x", "steps": (typed, used), "past": past}
    assert isinstance(acts(persistence.propose(see(editor, brief=brief, **given)))[0], Wait)
    new = mark("New", at=(20, 20))
    assert isinstance(next(rank(see(editor, new, brief=brief, **given))).decision.action, Wait)
    save = mark("Save", at=(900, 20))
    unsaved = persistence.propose(see(editor, save, brief=brief, **given))
    assert not any(isinstance(one, Wait) for one in acts(unsaved))
    waited = did(
        decided(Wait(ms=1500), skill="wait until it is saved"), page(editor, text="x"), page(editor, text="x"), typed, used
    )
    later = {**given, "steps": (typed, used, waited)}
    found = persistence.propose(see(editor, brief=brief, **later))
    assert isinstance(acts(found)[0], Reload)
    assert any(one.oracle == "persists" for one in found[0].decision.expectations)
    assert persistence.propose(see(editor, brief="A Markdown editor", **later)) == []


@pytest.mark.parametrize(("text", "kept"), [("Anna Keller, your order was received", False), ("Anna Keller\nYour order", True)])
def test_thanks_for_an_order_are_not_looked_for_after_a_reload(text: str, kept: bool) -> None:
    """A name in the thanks alone is no entry; one that stands by itself is."""
    name, send = mark("Full name", "input", value="Anna Keller"), mark("Order")
    wish = decided(on(send), "accepted", values="Anna Keller", skill='submit form "Full name"')
    after = page(send, text=text, number=1)
    step = did(wish, page(name, send, text="Checkout"), after)
    brief = "A shop. Entries are kept after a reload."
    survey = Survey(view(after, brief=brief, steps=(step,), past=(page(name, send, text="Checkout"),)))
    wishes = [one.oracle for found in persistence.propose(survey) for one in found.decision.expectations]
    assert ("persists" in wishes) is kept


@pytest.mark.parametrize(
    ("brief", "kept"), [("The cart is kept after a reload.", False), ("Orders are kept after a reload.", True)]
)
def test_who_ordered_a_basket_is_not_looked_for_after_a_reload(brief: str, kept: bool) -> None:
    """The basket is kept, and it was emptied; the order's own words are looked for only where orders are kept."""
    name, send = mark("Full name", "input", value="Anna Keller"), mark("Order")
    asked = decided(on(send), "accepted", values="Anna Keller", skill='submit form "Full name"')
    empties = Expectation("basket_emptied", "nothing is left in the basket")
    wish = replace(asked, expectations=(*asked.expectations, empties))
    before, after = page(name, send, text="Checkout"), page(send, text="Anna Keller\nNumber 4711", number=1)
    survey = Survey(view(after, brief=f"A shop. {brief}", steps=(did(wish, before, after),), past=(before,)))
    wishes = [one.oracle for found in persistence.propose(survey) for one in found.decision.expectations]
    assert ("persists" in wishes) is kept


def test_what_was_stopped_is_watched_before_its_pace_is_set() -> None:
    """A pause that does nothing leaves it running, which is no reason to turn to its speed."""
    pause, speed = mark("Pause"), mark("Speed", "input", input_type="range", value="2", role="slider", minimum="1", maximum="6")
    running = page(pause, speed, text="Hares\n12.0", moving=0.01)
    given = {
        "text": "Hares\n12.3",
        "moving": 0.01,
        "brief": "A simulation of hares with a speed slider and pause",
        "past": (running,),
    }
    stopped = did(decided(on(pause), skill="stop a simulation"), running, running)
    assert pacing.propose(see(pause, speed, steps=(stopped,), **given)) == []
    gone_on = did(decided(on(pause), skill="let a simulation go on"), running, running)
    assert pacing.propose(see(pause, speed, steps=(gone_on,), **given))
