"""What a careful tester looks at on any app: places among several, units, shares, kinds of entries, edits, paces, extras."""

from __future__ import annotations

import pytest

from agent.deciders.curious import with_contents
from agent.deciders.protocol import Decision, Step
from agent.skills import (
    amending,
    buttons,
    canvases,
    choices,
    defaults,
    forms,
    keyboard,
    listening,
    pacing,
    persistence,
    tallies,
    wrongs,
)
from agent.skills.checks import film
from agent.skills.checks.pace import rates
from agent.skills.checks.stayed import deleted_row, gone_rows
from agent.skills.checks.turning import place_shown
from agent.skills.checks.units import amounts, unit_named
from agent.skills.values import option_for
from tests.unit.agent_skills.scenes import acts, aims, decided, did, mark, on, page, see, tell, twice, view
from tools.browser.actions import Click, Drag, Press, Reload, Select, SetValue, Target, Type, Wait
from tools.browser.marks import Listing, Mark, Observation
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
    slides = did(decided(on(NEXT), "turns"), page(NEXT, text="1 / 5"), page(NEXT, text="3 / 5", number=1))
    assert not slides.outcomes  # they may turn by themselves
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
    told = tell(on(ADD), here, wrong, "counted_as")
    assert (told.symptom, told.attempts) == ("input_ignored", 2)  # as if the type had been left as it stood
    other = TYPE.model_copy(update={"value": "expense"})
    swapped = page(other, ADD, text="Total income\n$112\nTotal expense\n$40", number=1)
    assert tell(on(ADD), page(other, ADD, text=here.text), swapped, "counted_as").symptom == "wrong_result"
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


def test_a_later_reload_looks_for_earlier_deletions_too() -> None:
    """One that was not looked at right away; ticking off is none, and what is back already is left alone."""
    delete, tick = mark("Delete"), mark("Done")
    full, less, more = listed("Lunch", "Bus", "Shoes"), listed("Bus", "Shoes", number=1), listed("Bus", "Shoes", number=2)
    pages = {one.id: one for one in (full, less, more)}
    first = did(decided(on(delete), skill="press a destructive button"), full, less)
    second = did(decided(on(tick), skill="press a button"), less, more, first)
    assert gone_rows((first, second), pages) == ((("#list", "lunch"), first.acted_id),)
    ticked = did(decided(on(tick), skill="check off an entry"), full, less)
    assert gone_rows((ticked,), pages) == ()
    loaded = did(decided(Reload()), less, more, first)
    assert gone_rows((first, loaded), pages) == ()
    again = listed("Lunch", "Bus", "Shoes", number=3)
    assert gone_rows((first, did(decided(on(tick)), less, again, first)), {**pages, again.id: again}) == ()


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
    assert same.attempts == 2  # one at each setting: an ignored input needs two
    assert (same.held, same.symptom) == (False, "input_ignored")
    assert tell(Wait(ms=2500), running(22, 2000), running(29, 4500, number=1), "paced", **wish).held is True
    near = {**wish, "other": 4.0}
    assert tell(Wait(ms=2500), running(22, 2000), running(42, 4500, number=1), "paced", **near).held is None


def test_the_figure_beside_a_pace_is_its_value() -> None:
    """What the brief says of it goes along, by which a figure before words (`100 beats per minute`) is told to be its own."""
    one, other = running(3, 0, SPEED), running(19, 2000, SPEED, number=1)
    step = did(decided(Wait(ms=2000), "moves"), one, other)
    brief = f"A slider sets the {SPEED.name.lower()} from 1 to 30 generations per second."
    survey = type(see())(view(other, steps=(step,), past=(one,), brief=brief))
    (proposed,) = pacing.propose(survey)
    label = next(one for one in proposed.decision.expectations if one.oracle == "label_follows")
    assert "generations per second" in str(label.params["said"])


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
    for words in ("Thanks, you are subscribed.", "Complete your order"):
        other = page(buy, text=f"Cart 3\nTotal\n$42.00\n{words}", number=1)
        assert not did(decided(on(buy), "basket_emptied"), full, other).outcomes, words
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
    first_values = str(wish.params["first"])
    assert not did(decided(on(reset), "set_back", first=first_values), moved, whole).outcomes
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
    email = mark("Email", "input", input_type="text", value="anna.keller@example.com", at=(100, 100))
    send = mark("Book", at=(100, 160))
    brief = "A booking form with name and email. Wrong entries should be explained."
    key = 'submit form "Email"'
    sent = did(decided(on(send), "accepted", skill=key), page(email, send), page(email, send, text="Thank you", number=1))
    for text, wanted in ((brief, ["Email"]), ("A booking form with name and email.", [])):
        assert aims(wrongs.propose(see(email, send, brief=text, steps=(sent,))))[:1] == wanted


def test_a_form_that_names_its_limit_is_put_right() -> None:
    """The field that breaks it gets the nearest value within it, and the form is sent again; without a limit nothing is done."""
    names = ("1", "2", "3", "4", "5")
    guests = mark("Guests", "select", value="4", options=names, option_names=names, at=(100, 100))
    name = mark("Full name", "input", value="Anna Keller", at=(100, 140))
    send = mark("Continue", at=(100, 180))
    key = 'submit form "Guests"'
    for complaint, wanted in (("Fox Den sleeps at most 2 guests.", ["2"]), ("Please say when.", []), ("5 rooms are left", [])):
        sent = did(decided(on(send), "accepted", skill=key), page(guests, name, send), page(guests, name, send, text=complaint))
        survey = see(guests, name, send, steps=(sent,), past=(page(guests, name, send),), text=complaint)
        found = amending.propose(survey)
        assert [one.decision.action.value for one in found if isinstance(one.decision.action, Select)] == wanted
    act = Select(target=Target.of(guests), value="2")
    amend = did(Decision(action=act, why="a test", skill="put right what a form objects to"), page(guests), page(guests), sent)
    right = guests.model_copy(update={"value": "2"})
    again = amending.propose(see(right, name, send, steps=(sent, amend), past=(page(guests), page(guests))))
    assert [one.decision.skill for one in again] == [key]


def test_what_is_to_be_heard_is_started_before_it_is_muted() -> None:
    """Unmuting what does not play is no start; a mute pressed in silence is pressed again once something is heard."""
    play, mute = mark("Play"), mark("Mute", at=(300, 100))
    brief = "A drum machine. Press play to hear the loop, mute it, choose presets."
    first = see(mute, play, brief=brief)
    best = max(buttons.propose(first), key=lambda one: one.priority)
    assert best.decision.action == on(play)
    unmute = mark("Unmute", at=(300, 100))
    silent = did(decided(on(unmute)), page(play, unmute, text="a"), page(play, mute, text="b"))
    assert not listening.propose(see(play, mute, brief=brief, steps=(silent,), past=(page(play, unmute),)))
    pressed = did(decided(on(mute)), page(play, mute), page(play, unmute))
    heard = did(Decision(action=Wait(ms=4500), why="a test", skill="listen"), page(play, mute), page(play, mute), pressed)
    again = listening.propose(see(play, mute, brief=brief, steps=(pressed, heard), past=(page(play, mute), page(play, mute))))
    assert [one.decision.skill for one in again] == ["mute"]


def test_what_empties_everything_is_chosen_last() -> None:
    """A preset is chosen that leaves something to be looked at."""
    names = ("Rock", "House", "Empty")
    preset = mark("Preset", "select", value="rock", options=("rock", "house", "empty"), option_names=names)
    assert option_for(preset) == "house"


def test_the_space_bar_is_not_pressed_on_a_button() -> None:
    """It would press the button: the focus is taken off first, then the key is pressed, again where nothing came of it."""
    play = mark("Play")
    brief = "A drum machine. I can press play or space to hear the loop."
    first = max(
        keyboard.propose(see(play, brief=brief, focused=play.id, text="Space = play / stop")), key=lambda one: one.priority
    ).decision
    assert isinstance(first.action, Click)
    assert first.action.target.selector == "body"
    off = did(first, page(play, focused=play.id), page(play))
    pressed = max(keyboard.propose(see(play, brief=brief, steps=(off,), past=(page(play),))), key=lambda one: one.priority)
    assert (pressed.decision.action, pressed.priority) == (Press(keys=("Space",)), 90.0)
    silent = did(pressed.decision, page(play, text="x"), page(play, text="x"), off)
    again = keyboard.propose(see(play, brief=brief, steps=(off, silent), past=(page(play), page(play)), text="x"))
    assert [one.decision.action for one in again] == [Press(keys=("Space",))]


def test_every_price_follows_the_period() -> None:
    """One plan's price changes and another's stays, there and back: told. A free plan, and prices within sentences, are none."""
    yearly = mark("Yearly billing", "input", input_type="checkbox", role="switch", checked=False)
    monthly, some, every = (f"Free\n$0\nStarter\n${a}\nTeam\n${b}\nSaves $40 a day" for a, b in ((12, 29), (120, 29), (120, 290)))
    stale = twice(on(yearly), page(yearly, text=monthly), page(yearly, text=some, number=1), "prices_all_follow", key="prices")
    assert [one.held for one in stale] == [None, False]
    assert tell(on(yearly), page(yearly, text=monthly), page(yearly, text=every, number=1), "prices_all_follow").held is True
    own = mark("Price of a bunch $29", "input", role="slider", value="290")
    priced = twice(
        on(yearly), page(yearly, own, text=monthly), page(yearly, own, text=some, number=1), "prices_all_follow", key="prices"
    )
    assert [one.held for one in priced] == [True, True]  # what a slider was set to is the person's own price
    for switch, wanted in ((yearly, True), (mark("Dark mode", "input", input_type="checkbox", checked=False), False)):
        told = tallies.tallies(see(switch, brief="A landing page with prices"), switch)
        assert ("prices_all_follow" in [one.oracle for one in told]) is wanted


def test_an_address_is_checked_though_nobody_asked() -> None:
    """A field whose type says that it is an email's gets one without @, late; a plain field does not."""
    send = mark("Subscribe", at=(100, 160))
    for kind, wanted in (("email", ["Your email"]), ("text", [])):
        field = mark("Your email", "input", input_type=kind, value="", at=(100, 100))
        key = 'submit form "Your email"'
        sent = did(decided(on(send), "accepted", skill=key), page(field, send), page(field, send, text="Thanks!", number=1))
        found = wrongs.propose(see(field, send, brief="A landing page with a newsletter.", steps=(sent,), text="Thanks!"))
        assert aims(found) == wanted
        assert all(one.priority < 45 for one in found)
