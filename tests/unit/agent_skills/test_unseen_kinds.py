"""What a careful tester looks at on any app: places among several, units, shares, kinds of entries, edits, paces, extras."""

from __future__ import annotations

import pytest

from agent.deciders.curious import with_contents
from agent.deciders.protocol import Decision, Step
from agent.planning import read_brief
from agent.skills import buttons, canvases, choices, defaults, forms, keyboard, pacing, persistence, tallies, themes, wrongs
from agent.skills.checks import film
from agent.skills.checks.pace import rates
from agent.skills.checks.relations import related
from agent.skills.checks.stayed import deleted_row
from agent.skills.checks.turning import place_shown
from agent.skills.checks.units import amounts, unit_named
from agent.skills.controls import forms as found_forms
from agent.skills.controls import is_order
from agent.skills.games import is_game
from tests.unit.agent_skills.scenes import acts, aims, decided, did, mark, on, page, see, tell, twice, view
from tools.browser.actions import Click, Drag, Reload, Select, SetValue, Target, Type, Wait
from tools.browser.marks import Drawing, Listing, Mark, Observation
from tools.evidence.film_rows import SoundTrack

NEXT, PREVIOUS = mark("Next"), mark("Previous story")


def test_where_one_is() -> None:
    """One line says it; a score, a clock, a discount and two such lines do not."""
    assert place_shown(page(text="Orders\nPage 2 of 8")) == (2, 8, "page 2 of 8")
    assert place_shown(page(text="1 / 3")) == (1, 3, "1 / 3")
    assert place_shown(page(text="第 2 / 5 页")) == (2, 5, "第 2 / 5 页")
    for text in ("2 of 8 done", "Score 2 / 8", "0:42 / 3:10", "Question 1 of 5\nImage 2 of 9", "12/25/2025"):
        assert place_shown(page(text=text)) is None, text


def test_next_leads_to_the_next() -> None:
    """A leap and the wrong way, twice; round from an end, a step left out of a form, a page that moves by itself are none."""
    leap = twice(on(NEXT), page(NEXT, text="Page 1 of 8"), page(NEXT, text="Page 3 of 8", number=1), "turns")
    assert [one.held for one in leap] == [None, False]
    back = twice(on(PREVIOUS), page(PREVIOUS, text="2 / 3"), page(PREVIOUS, text="3 / 3", number=1), "turns")
    assert [one.held for one in back] == [None, False]
    assert tell(on(PREVIOUS), page(PREVIOUS, text="1 / 3"), page(PREVIOUS, text="3 / 3", number=1), "turns").held is True
    assert tell(on(NEXT), page(NEXT, text="Page 1 of 8"), page(NEXT, text="Page 2 of 8", number=1), "turns").held is True


def test_next_is_held_against_the_place_shown() -> None:
    """The check goes along with a press on what leads on, where the page shows the place."""
    press = Decision(action=on(NEXT), why="a test", skill="press a button")
    for text, wanted in (("Page 1 of 8", True), ("Some words", False)):
        told = with_contents(press, see(NEXT, text=text)).expectations
        assert ("turns" in [one.oracle for one in told]) is wanted
    form = page(NEXT, text="Step 1 of 4")
    assert not with_untold(tell_all(on(NEXT), form, page(NEXT, text="Step 3 of 4", number=1), "turns"))


def tell_all(action: Click, before: Observation, after: Observation, oracle: str) -> Step:
    """The step with what one oracle says of it."""
    return did(decided(action, oracle), before, after)


def with_untold(step: Step) -> list[bool | None]:
    """What was told, if anything."""
    return [one.held for one in step.outcomes if one.held is not None or one.attempts]


EURO = mark("€ EUR")
DOLLARS, EUROS = "Monthly\n$386.66\nTotal\n$23,199.36", "Monthly\n€386.66\nTotal\n€23,199.36"


def test_figures_are_given_in_the_unit_chosen() -> None:
    """All still in the other unit, twice; one that follows, and figures without a unit, are none."""
    stale = twice(on(EURO), page(EURO, text=DOLLARS), page(EURO, text=DOLLARS, number=1), "unit_follows", unit="euro", key="unit")
    assert [one.held for one in stale] == [None, False]
    assert stale[1].symptom == "state_not_updated"
    followed = tell(on(EURO), page(EURO, text=DOLLARS), page(EURO, text=EUROS, number=1), "unit_follows", unit="euro")
    assert followed.held is True
    assert unit_named("°F") == "°f"
    assert unit_named("US dollars") == "dollar"
    assert [unit_named(name) for name in ("Save $20", "Add to cart", "USD to EUR", "5 kg")] == [""] * 4
    assert amounts("21 °C, feels like 19°C", "°c") == ["21 °c", "19°c"]
    told = with_contents(Decision(action=on(EURO), why="a test"), see(EURO, text=DOLLARS)).expectations
    assert "unit_follows" in [one.oracle for one in told]


def test_a_share_is_what_is_done_of_all() -> None:
    """Wrong in two states; a share of other things than those counted, and a discount, are none."""
    right = "Total points: 20\nCompleted: 5 pts\n25%"
    wrong, worse = "Total points: 20\nCompleted: 2 pts\n9%", "Total points: 20\nCompleted: 7 pts\n26%"
    assert tell(on(NEXT), page(text=wrong), page(text=right, number=1), "share_agrees").held is True
    first = did(decided(on(NEXT), "share_agrees", key="share"), page(text="x"), page(text=wrong, number=1))
    second = tell(on(NEXT), page(text=wrong, number=1), page(text=worse, number=2), "share_agrees", (first,), key="share")
    assert (first.outcomes[0].held, second.held, second.symptom) == (None, False, "wrong_result")
    assert tell(on(NEXT), page(), page(text="2 of 8 done\n25 %", number=1), "share_agrees").held is True
    for text in ("Total revenue: 900\nCompleted orders: 300\n12%", "2 of 8 done\nSave 30% today", "2 of 8 left\n75%"):
        assert not did(decided(on(NEXT), "share_agrees"), page(), page(text=text, number=1)).outcomes, text


TYPE = mark("Type", "select", value="income", options=("expense", "income"), option_names=("Expense", "Income"))
ADD = mark("Add")


def test_an_entry_is_counted_as_what_was_chosen() -> None:
    """The other kind's figure alone follows: wrong. Its own: right. Without a figure for each kind nothing is told."""
    here = page(TYPE, ADD, text="Total income\n$100\nTotal expense\n$40")
    wrong = page(TYPE, ADD, text="Total income\n$100\nTotal expense\n$52", number=1)
    right = page(TYPE, ADD, text="Total income\n$112\nTotal expense\n$40", number=1)
    assert tell(on(ADD), here, wrong, "counted_as").symptom == "wrong_result"
    assert tell(on(ADD), here, right, "counted_as").held is True
    other = page(TYPE, ADD, text="Balance\n$60")
    assert not did(decided(on(ADD), "counted_as"), other, page(TYPE, ADD, text="Balance\n$48", number=1)).outcomes


def listed(*rows: str, number: int = 0, marks: tuple[Mark, ...] = (), selector: str = "#list") -> Observation:
    """A page with a list."""
    listing = Listing(selector=selector, items=tuple((row,) for row in rows), count=len(rows))
    return page(*marks, text="\n".join(rows), number=number, lists=(listing,))


def test_an_edited_entry_is_there_once() -> None:
    """As it was and as changed: wrong; as changed alone: right; as it was, twice: it does not follow."""
    save, params = mark("Save"), {"old": "Buy milk", "new": "Call Anna", "key": "edited entry"}
    before = listed("Buy milk", "Water plants", marks=(save,))
    doubled = listed("Buy milk", "Water plants", "Call Anna", number=1)
    assert tell(on(save), before, doubled, "edited", **params).symptom == "wrong_result"
    assert tell(on(save), before, listed("Call Anna", "Water plants", number=1), "edited", **params).held is True
    stale = twice(on(save), before, listed("Buy milk", "Water plants", number=1), "edited", **params)
    assert [one.held for one in stale] == [None, False]


@pytest.mark.parametrize(("opener", "wanted"), [("Edit", True), ("New task", False)])
def test_only_what_was_opened_for_editing_is_held_to_be_edited(opener: str, wanted: bool) -> None:
    """A field that still holds the last entry when another one is added tells nothing."""
    open_it, title, save = mark(opener, at=(900, 20)), mark("Title", "input", at=(100, 200)), mark("Save", at=(100, 260))
    held = title.model_copy(update={"value": "Buy milk"})
    filled = title.model_copy(update={"value": "Call Anna"})
    first = did(decided(on(open_it)), page(open_it), page(open_it, held, save, number=1))
    typed = Type(target=Target.of(held), text="Call Anna")
    key = 'fill form "Title"'
    opened = page(open_it, held, save, number=1)
    second = did(decided(typed, "value_kept", value="Call Anna", skill=key), opened, page(number=2), first)
    survey = see(open_it, filled, save, steps=(first, second), past=(page(open_it), opened))
    sent = next(one for one in forms.propose(survey) if isinstance(one.decision.action, Click))
    assert ("edited" in [one.oracle for one in sent.decision.expectations]) is wanted


def test_what_was_deleted_stays_away() -> None:
    """Right after a deletion the page is loaded again, where entries are kept; a row that is back was lost again."""
    delete = mark("Delete")
    full, less = listed("Lunch", "Bus", "Shoes", marks=(delete,)), listed("Bus", "Shoes", marks=(delete,), number=1)
    assert deleted_row(full, less) == ("#list", "lunch")
    assert deleted_row(listed("Lunch"), listed()) is None
    brief = "A list of expenses that can be added and deleted. Entries are kept after a reload."
    step = did(decided(on(delete), "text_disappears", skill="press a destructive button"), full, less)
    survey = see(delete, brief=brief, steps=(step,), past=(full,), lists=less.lists, text=less.text)
    survey = type(survey)(view(less, brief=brief, steps=(step,), past=(full,)))
    found = [one for one in persistence.propose(survey) if one.decision.skill == persistence.GONE]
    assert [type(one.decision.action) for one in found] == [Reload]
    wish = next(one for one in found[0].decision.expectations if one.oracle == "stays_gone")
    back, away = listed("Lunch", "Bus", "Shoes", number=2), listed("Bus", "Shoes", number=2)
    assert tell(Reload(), less, back, "stays_gone", (step,), **wish.params).symptom == "persistence_lost"
    assert tell(Reload(), less, away, "stays_gone", (step,), **wish.params).held is True
    forgets = type(survey)(view(less, brief="A list of expenses", steps=(step,), past=(full,)))
    assert not [one for one in persistence.propose(forgets) if one.decision.skill == persistence.GONE]


SPEED = mark(
    "Speed: 8 gen/s", "input", input_type="range", role="slider", value="27", minimum="1", maximum="30", selector="#speed"
)


def running(generation: int, at_ms: float, *marks: Mark, number: int = 0) -> Observation:
    """A simulation that counts its generations."""
    return page(*marks, text=f"Generation\n{generation}", number=number, moving=0.01).model_copy(update={"app_ms": at_ms})


def test_the_pace_follows_its_slider() -> None:
    """High, watch, low, watch: as fast as before is told; another pace is none, nor is a slider that was hardly moved."""
    fast = rates(running(10, 0), running(22, 1500))
    assert fast == {"generation": 8.0}
    wish = {"value": 3.0, "other": 27.0, "rates": "8.0 generation", "key": "pace"}
    same = tell(Wait(ms=2500), running(22, 2000), running(42, 4500, number=1), "paced", **wish)
    assert (same.held, same.symptom) == (False, "input_ignored")
    assert tell(Wait(ms=2500), running(22, 2000), running(29, 4500, number=1), "paced", **wish).held is True
    near = {**wish, "other": 4.0}
    assert tell(Wait(ms=2500), running(22, 2000), running(42, 4500, number=1), "paced", **near).held is None


def test_the_pace_is_tried_while_something_runs() -> None:
    """Once what is counted was seen to run, and not of the speed of some one thing."""
    one, other = running(3, 0, SPEED), running(19, 2000, SPEED, number=1)
    step = did(decided(Wait(ms=2000), "moves"), one, other)
    survey = type(see())(view(other, steps=(step,), past=(one,)))
    assert [type(act) for act in acts(pacing.propose(survey))] == [SetValue]
    waited = did(decided(Wait(ms=2000), "moves"), one, one)
    stood = type(see())(view(one.model_copy(update={"id": "o1"}), steps=(waited,), past=(one,)))
    assert not pacing.propose(stood)
    assert not pacing.sets_pace(mark("Initial speed", "input", input_type="range", role="slider"))
    assert pacing.sets_pace(mark("速度", "input", input_type="range", role="slider"))


def heard(gap_fast: float, gap_slow: float) -> film.Outcome | None:
    """What the film tells of strokes at two tempos: 160 for two seconds, then 70 for four."""
    tempo = mark("Tempo", "input", input_type="range", role="slider", selector="#tempo")
    shots = [page(tempo, number=n) for n in (0, 1, 3, 4, 8)]
    steps: list[Step] = []
    for place, (act, skill) in enumerate(
        [
            (SetValue(target=Target.of(tempo), value="160"), "set the pace high"),
            (Wait(ms=2000), film.WATCHED),
            (SetValue(target=Target.of(tempo), value="70"), "set the pace low"),
            (Wait(ms=4000), film.WATCHED),
        ]
    ):
        steps.append(did(Decision(action=act, why="a test", skill=skill), shots[place], shots[place + 1], *steps))
    onsets = [1000 + n * gap_fast for n in range(int(1900 / gap_fast))] + [
        4000 + n * gap_slow for n in range(int(3900 / gap_slow))
    ]
    sound = SoundTrack.model_construct(first_onsets_ms=tuple(onsets), audible_spans=(), audible_s=5.0, peak_dbfs=-10.0)
    told = film.after_the_film(view(shots[-1], steps=steps), sound, None)
    return next((one for one in told if one.oracle == "tempo_followed"), None)


def test_the_tempo_is_heard() -> None:
    """Strokes as dense at both tempos: ignored. Denser at the higher: followed."""
    same, followed = heard(270, 270), heard(190, 430)
    assert same is not None
    assert (same.held, same.symptom) == (False, "input_ignored")
    assert followed is not None
    assert followed.held is True


def extra(name: str, ticked: bool, total: str, number: int = 0) -> tuple[Mark, Observation]:
    """A box that names its price, and the total."""
    box = mark(name, "input", input_type="checkbox", role="checkbox", checked=ticked, selector="#extra")
    nights = mark("Nights", "input", input_type="number", value="2", role="spinbutton")
    return box, page(box, nights, text=f"Total\n{total}", number=number)


def test_an_extra_costs_what_it_says() -> None:
    """Once is once; each night's may count for all nights; a total that stays is stale where it is to follow at once."""
    box, here = extra("Sauna (€40 once)", False, "€160")
    wrong = twice(on(box), here, extra("Sauna (€40 once)", True, "€240", 1)[1], "costs_as_said", key="box")
    assert [one.held for one in wrong] == [None, False]
    assert tell(on(box), here, extra("Sauna (€40 once)", True, "€200", 1)[1], "costs_as_said").held is True
    nightly, there = extra("Breakfast (€15 per night)", False, "€160")
    assert tell(on(nightly), there, extra("Breakfast (€15 per night)", True, "€190", 1)[1], "costs_as_said").held is True
    stale = twice(on(box), here, extra("Sauna (€40 once)", True, "€160", 1)[1], "costs_as_said", key="box", live=1.0)
    assert stale[1].symptom == "state_not_updated"
    survey = see(box, text=here.text, brief="A booking form. The total price is shown all the time.")
    told = [one for found in choices.propose(survey) for one in found.decision.expectations if one.oracle == "costs_as_said"]
    assert [one.params["live"] for one in told] == [1.0]


def test_an_order_empties_the_basket() -> None:
    """The thanks came and the basket counts as before: stale. Thanks for something else tell nothing."""
    buy = mark("Checkout")
    full = page(buy, text="Cart 3\nTotal\n$42.00")
    kept = page(buy, text="Cart 3\nTotal\n$42.00\nThank you! Your order is on its way.", number=1)
    emptied = page(buy, text="Cart 0\nTotal\n$0.00\nThank you! Your order is on its way.", number=1)
    assert tell(on(buy), full, kept, "basket_emptied").symptom == "state_not_updated"
    assert tell(on(buy), full, emptied, "basket_emptied").held is True
    other = page(buy, text="Cart 3\nTotal\n$42.00\nThanks, you are subscribed.", number=1)
    assert not did(decided(on(buy), "basket_emptied"), full, other).outcomes
    assert tallies.orders(see(buy, brief="A shop with a cart"), buy)
    assert not tallies.orders(see(buy, brief="A shop with a cart"), mark("Subscribe"))


def slider(name: str, value: str) -> Mark:
    """A slider."""
    return mark(name, "input", input_type="range", role="slider", value=value)


def test_reset_sets_all_of_them_back() -> None:
    """One of two stays where it was moved to: told; a volume that stays is none."""
    reset = mark("Reset")
    first = page(slider("Amount", "20"), slider("Rate", "6"), slider("Volume", "5"), reset)
    brief = "A loan calculator with sliders. Let me switch between currencies and reset everything."
    wish = defaults.set_back(see(reset, brief=brief, past=(first,)), reset)[0]
    moved = page(slider("Amount", "90"), slider("Rate", "18"), slider("Volume", "9"), reset, number=1)
    half = page(slider("Amount", "20"), slider("Rate", "18"), slider("Volume", "9"), reset, text="new", number=2)
    whole = page(slider("Amount", "20"), slider("Rate", "6"), slider("Volume", "9"), reset, text="new", number=2)
    assert tell(on(reset), moved, half, "set_back", **wish.params).symptom == "state_not_updated"
    assert not did(decided(on(reset), "set_back", **wish.params), moved, whole).outcomes
    assert not defaults.set_back(see(reset, brief="Reset clears all balls and sliders stay", past=(first,)), mark("Start"))


def pads(on_at: set[int], number: int = 0) -> Observation:
    """A row of twelve pads."""
    lit = (mark(f"Pad {n}", at=(40.0 * n, 100), checked=n in on_at, group="g", selector=f"#p{n}") for n in range(12))
    return page(*lit, mark("Clear", at=(900, 20)), number=number)


def test_clear_leaves_none_on() -> None:
    """Some that were on are on still: told. One that comes on with it (`All`) is none."""
    clear = mark("Clear", at=(900, 20))
    assert tell(on(clear), pads({0, 3, 5, 8}), pads({0, 3}, 1), "all_off").symptom == "state_not_updated"
    assert tell(on(clear), pads({3, 5, 8}), pads({0}, 1), "all_off").held is True


def test_a_grid_of_pixels_is_drawn_on() -> None:
    """A large element that listens to the pointer going down and moving is drawn on where the brief is about drawing."""
    grid = mark("Drawing area", "div", role="clickable", size=(480, 480), listeners=("pointerdown", "pointermove"))
    brief = "A pixel art editor: draw with a pencil, an eraser and a fill bucket."
    assert [type(act) for act in acts(canvases.propose(see(grid, brief=brief)))] == [Drag]
    deaf = grid.model_copy(update={"listeners": ("click",)})
    assert not canvases.propose(see(deaf, brief=brief))


def test_wrong_entries_are_tried_where_they_are_to_be_explained() -> None:
    """An address without @ where the brief wants wrong entries explained at large; nothing where it does not."""
    email = mark("Email", "input", input_type="email", value="anna.keller@example.com", at=(100, 100))
    send = mark("Book", at=(100, 160))
    brief = "A booking form with name and email. Wrong entries should be explained."
    key = 'submit form "Email"'
    sent = did(decided(on(send), "accepted", skill=key), page(email, send), page(email, send, text="Thank you", number=1))
    for text, wanted in ((brief, ["Email"]), ("A booking form with name and email.", [])):
        assert aims(wrongs.propose(see(email, send, brief=text, steps=(sent,))))[:1] == wanted


def test_a_rate_per_year_is_no_number_of_years() -> None:
    """What a name says of its unit names no cause: a higher rate makes a payment higher, not lower."""
    rate = mark("Interest rate (per year)", "input", input_type="range", role="slider")
    ways = [one.rises for one in related(rate) if one.effect.within("Monthly payment")]
    assert ways == [True]
    assert [one.rises for one in related(mark("Term in years", "input", input_type="range")) if one.effect.within("月供")] == [
        False
    ]


def test_another_option_the_brief_names_is_chosen_too() -> None:
    """Where one option was followed, another one that the brief names and nothing follows is told at once."""
    values = {"options": ("", "glider", "blinker", "pulsar"), "option_names": ("Choose…", "Glider", "Blinker", "Pulsar")}
    pattern = mark("Pattern", "select", value="", **values)
    brief = "A cell simulation: load a few known patterns like a glider or a pulsar."
    chosen = pattern.model_copy(update={"value": "blinker"})
    first = did(
        decided(Select(target=Target.of(pattern), value="blinker"), "choice_follows", skill="choose an option"),
        page(pattern, text="505"),
        page(chosen, text="3", number=1),
    )
    survey = see(chosen, brief=brief, steps=(first,), past=(page(pattern, text="505"),), text="3")
    found = choices.propose(survey)
    assert [one.decision.action.value for one in found] == ["glider"]  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    now = chosen.model_copy(update={"value": "glider"})
    act = Select(target=Target.of(chosen), value="glider")
    told = tell(act, page(chosen, text="3", number=1), page(now, text="3", number=2), "choice_follows", (first,), worked=1.0)
    assert (told.held, told.symptom) == (False, "state_not_updated")
    assert not choices.propose(
        see(chosen, brief="A cell simulation.", steps=(first,), past=(page(pattern, text="505"),), text="3")
    )


def board(generation: int, living: int, number: int = 0, digest: str = "x") -> Observation:
    """A drawn board that counts what is on it."""
    drawing = Drawing(selector="#grid", digest=digest)
    return page(CLEAR, text=f"Generation\n{generation}\nLiving cells\n{living}", number=number, drawings=(drawing,))


CLEAR = mark("Clear")


def test_a_cleared_board_counts_nothing() -> None:
    """Living cells or generations that stay are told; a log that is cleared is no board."""
    survey = see(CLEAR, brief="A simulation of cells", past=(board(0, 505),), drawings=board(0, 505).drawings)
    wish = next(one for found in buttons.propose(survey) for one in found.decision.expectations if one.oracle == "cleared_counts")
    for after in (board(0, 505, 2, "y"), board(12, 0, 2, "y")):
        assert tell(on(CLEAR), board(12, 505, 1), after, "cleared_counts", **wish.params).symptom == "state_not_updated"
    assert tell(on(CLEAR), board(12, 505, 1), board(0, 0, 2, "y"), "cleared_counts", **wish.params).held is True
    log = mark("Clear log")
    survey = see(log, brief="A simulation of cells", past=(board(0, 505),), drawings=board(0, 505).drawings)
    oracles = [one.oracle for found in buttons.propose(survey) for one in found.decision.expectations]
    assert "cleared_counts" not in oracles


def test_the_game_of_life_is_a_simulation() -> None:
    """It is called a game and is none."""
    assert read_brief("Build Conway's Game of Life with start, pause and random.", "en")[0] == "simulation"
    assert read_brief("Build a memory game.", "en")[0] == "game"
    assert not is_game(see(mark("", "canvas"), brief="A cellular automaton", text="Game of Life"))


def test_a_ball_that_was_lost_has_hit_a_brick() -> None:
    """A life gone and never a point: told. With points, or while the ball is in play, it is not."""
    here, lost = page(text="Score 0\nLives 3"), page(text="Score 0\nLives 2", number=1)
    assert tell(Wait(ms=6500), here, lost, "bricks_count").symptom == "state_not_updated"
    assert tell(Wait(ms=6500), here, page(text="Score 30\nLives 2", number=1), "bricks_count").held is True
    assert not did(decided(Wait(ms=6500), "bricks_count"), here, page(text="Score 0\nLives 3", number=1)).outcomes


def test_a_chart_follows_what_the_brief_charts_by() -> None:
    """The period is named in the sentence that asks for the chart, so the chart is held to follow it."""
    week = mark("28 days")
    press = Decision(action=on(week), why="a test", skill="press a button")
    for brief, wanted in (
        ("A dashboard with revenue and a bar chart for the last 7, 14 or 28 days.", True),
        ("A dashboard with a bar chart. Reports for 28 days can be exported.", False),
    ):
        told = with_contents(press, see(week, brief=brief)).expectations
        assert ("drawings_follow" in [one.oracle for one in told]) is wanted


def test_an_average_beside_a_chart_per_day() -> None:
    """What heads a chart per day is no total of the average's."""
    text = "Revenue\n$600.00\nOrders\n4\nAverage order\n$85.71\nRevenue per day\n22\n23"
    wrong = did(decided(on(CLEAR), "average_agrees", key="average"), page(CLEAR), page(CLEAR, text=text, number=1))
    assert (wrong.outcomes[0].held, wrong.outcomes[0].attempts) == (None, 1)
    right = text.replace("85.71", "150.00")
    assert tell(on(CLEAR), page(CLEAR), page(CLEAR, text=right, number=1), "average_agrees").held is True


def test_a_select_that_orders_a_list_is_no_field_of_a_form() -> None:
    """The button after it adds something to a cart and takes no order in; a select for a size is a field."""
    names = ("Featured", "Price: low to high", "Price: high to low")
    sort = mark("Sort products", "select", options=("f", "up", "down"), option_names=names, value="f")
    add = mark("Add to cart", at=(100, 150))
    assert not found_forms((sort, add))
    size = mark("Size", "select", options=("s", "m"), option_names=("Small", "Medium"), value="s")
    assert [one.fields for one in found_forms((size, add))] == [(size,)]
    assert is_order(mark("View", "select", options=("n", "o"), option_names=("Newest", "Oldest")))
    assert not is_order(mark("Order size", "select", options=("s", "m"), option_names=("Small", "Large")))


COFFEES = (("Yirgacheffe", "Light roast"), ("Harvest", "Medium roast"), ("Midnight", "Dark roast"), ("Oak", "Dark roast"))
CHIPS = tuple(mark(name, at=(100.0 + 140 * n, 50)) for n, name in enumerate(("All", "Light", "Medium", "Dark")))


def shelf(*rows: tuple[str, str], number: int = 0) -> Observation:
    """A shelf with filters over it."""
    listing = Listing(selector="#shelf", items=rows, count=len(rows))
    return page(*CHIPS, text="\n".join(" ".join(row) for row in rows), number=number, lists=(listing,))


def test_a_filter_shows_what_it_is_called_after() -> None:
    """Where every entry says which filter it is of; other entries alone are wrong. Entries that do not say so tell nothing."""
    whole = shelf(*COFFEES)
    survey = type(see())(view(shelf(COFFEES[0], number=1), brief="A shop", past=(whole,)))
    proposed = [one.decision for one in buttons.propose(survey)]
    wishes = {one.action.target.name: one.expectations for one in proposed if isinstance(one.action, Click)}
    assert not themes.propose(survey)
    wish = next(one for one in wishes["Dark"] if one.oracle == "chip_filters")
    assert "chip_filters" not in [one.oracle for one in wishes["All"]]
    told = tell(on(CHIPS[3]), shelf(COFFEES[0]), shelf(COFFEES[1], number=2), "chip_filters", **wish.params)
    assert (told.held, told.symptom) == (False, "wrong_result")
    assert tell(on(CHIPS[3]), shelf(COFFEES[0]), shelf(*COFFEES[2:], number=2), "chip_filters", **wish.params).held is True
    silent = shelf(("Yirgacheffe", "jasmine"), ("Harvest", "caramel"), ("Midnight", "Dark chocolate"))
    quiet = type(see())(view(silent, brief="A shop", past=()))
    assert "chip_filters" not in [one.oracle for found in buttons.propose(quiet) for one in found.decision.expectations]


def painted(count: int, digest: str, number: int = 0) -> Observation:
    """A drawing that counts what is painted."""
    drawing = Drawing(selector="#c", digest=digest)
    return page(mark("Undo"), text=f"Painted pixels: {count}", number=number, drawings=(drawing,))


def test_undo_changes_what_was_done() -> None:
    """That a button becomes usable is no undoing; words or a drawing that change are."""
    undo, params = mark("Undo"), {"words": 1.0, "drawing": "#c", "key": "undo"}
    same = painted(5, "b", 2).model_copy(update={"dom_sha256": "other"})
    stale = twice(on(undo), painted(5, "b", 1), same, "taken_back", **params)
    assert [one.held for one in stale] == [None, False]
    assert tell(on(undo), painted(5, "b", 1), painted(0, "a", 2), "taken_back", **params).held is True
    assert tell(on(undo), painted(5, "b", 1), same, "taken_back").held is True


def test_an_eraser_takes_away_what_was_painted() -> None:
    """The eraser is taken right after a stroke and goes the same way; as much counted as before is wrong."""
    canvas, eraser = mark("Board", "canvas", size=(600, 400)), mark("Eraser")
    brief = "A drawing app with a pencil and an eraser"
    stroke = Drag(target=Target.of(canvas), by=(200, 100))
    first = did(decided(stroke, "draws", skill="draw a stroke"), page(canvas, eraser), page(canvas, eraser, text="x", number=1))
    before = page(canvas, eraser, text="x")
    survey = see(canvas, eraser, brief=brief, steps=(first,), past=(before,), text="x")
    best = max(canvases.propose(survey), key=lambda one: one.priority)
    assert best.decision.action == on(eraser)
    taken = did(Decision(action=on(eraser), why="a test", skill="take the eraser"), before, before, first)
    survey = see(canvas, eraser, brief=brief, steps=(first, taken), past=(before, before), text="x")
    best = max(canvases.propose(survey), key=lambda one: one.priority)
    assert best.decision.action == stroke
    assert [one.oracle for one in best.decision.expectations][:1] == ["erased"]
    assert tell(stroke, painted(5, "b"), painted(5, "c", 1), "erased").symptom == "wrong_result"
    assert tell(stroke, painted(5, "b"), painted(0, "a", 1), "erased").held is True


def test_keys_that_stand_in_the_names_of_tools() -> None:
    """Pressed where keys are promised and listened to; not of the tool that is chosen, nor of what goes with Control."""
    tools = tuple(
        mark(name, at=(100, 100.0 + 40 * n)) for n, name in enumerate(("Pencil (B)", "Eraser (E)", "Undo (Z)", "Fill (F)"))
    )
    brief = "A pixel editor. Tools have keyboard shortcuts."
    survey = see(*tools, brief=brief, listens=("keydown",))
    assert [key for key, _ in keyboard.named_keys(survey)] == ["e", "f"]
    assert not keyboard.named_keys(see(*tools, brief=brief))
