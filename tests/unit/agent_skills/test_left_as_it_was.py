"""What single acts left is so after a reload; where strokes fall; what is under way; a time after a pause; a year's price."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.deciders.curious import rank
from agent.skills import buttons, deleting, drawing_tools, halting, later_pages, long_words, persistence, resuming, waiting
from agent.skills.checks import as_left, busy, resumed, savings
from agent.skills.controls import forms
from agent.skills.survey import Match
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell, twice
from tools.browser.actions import Click, Drag, Press, Reload, Target, Wait
from tools.browser.marks import BAND_PX, Drawing, Listing, Mark

KEPT = "A list of habits I tick off each day. Everything is kept in the browser and still there after a reload."


def box(name: str, checked: bool, *, at: tuple[float, float] = (100, 100)) -> Mark:
    """A box to tick."""
    return mark(name, "input", role="checkbox", input_type="checkbox", checked=checked, at=at)


def ticked() -> tuple[Any, Any, Any]:
    """A page before and after a tick, and the tick."""
    before = page(box("Read done today", False), mark("Add"), text="0 of 1 done")
    after = page(box("Read done today", True), mark("Add"), text="1 of 1 done", number=1)
    return before, after, did(decided(on(before.marks[0]), "toggles", skill="tick a box"), before, after)


def test_a_tick_is_looked_for_after_a_reload() -> None:
    """What it changed is told of, with what stood there before; a box that hides others only narrows."""
    before, after, step = ticked()
    (left,) = as_left.left_by((step,), {one.id: one for one in (before, after)}, ticked=True)
    assert left.acted == step.acted_id
    assert "1 of 1 done" in left.new
    assert "0 of 1 done" in left.gone
    assert as_left.left_by((step,), {one.id: one for one in (before, after)}, ticked=False) == []
    fewer = page(after.marks[0], text="1 of 1 done", number=1)
    hides = did(decided(on(before.marks[0]), "toggles"), before, fewer)
    assert as_left.left_by((hides,), {one.id: one for one in (before, fewer)}, ticked=True) == []


def test_a_consent_belongs_to_one_sending() -> None:
    """Nobody expects a form that was not sent to be agreed to after a reload."""
    before, after = (page(box("I agree to receive emails", state), mark("Add"), text=f"{state}") for state in (False, True))
    after = after.model_copy(update={"id": "o1"})
    step = did(decided(on(before.marks[0]), "toggles", skill="tick a box"), before, after)
    assert as_left.left_by((step,), {one.id: one for one in (before, after)}, ticked=True) == []


@pytest.mark.parametrize(("state", "text", "held"), [(True, "1 of 1 done", True), (False, "0 of 1 done", False)])
def test_a_tick_that_a_reload_takes_back_is_lost(state: bool, text: str, held: bool) -> None:
    """All of it is as before the tick again; anything of it left is enough to be kept."""
    before, after, step = ticked()
    (left,) = as_left.left_by((step,), {one.id: one for one in (before, after)}, ticked=True)
    later = page(box("Read done today", state), mark("Add"), text=text, number=2)
    told = tell(Reload(), after, later, "as_left", new="\n".join(left.new), gone="\n".join(left.gone))
    assert (told.held, told.symptom) == (held, "" if held else "persistence_lost")


def test_another_view_after_a_reload_tells_nothing() -> None:
    """Where most of the rest is not there either, it is another part of the page."""
    _, after, _ = ticked()
    other = page(mark("Sign in"), mark("Help"), text="0 of 1 done\nWelcome", number=2)
    wish = decided(Reload(), "as_left", new="1 of 1 done", gone="0 of 1 done")
    assert did(wish, after, other).outcomes == ()


def test_the_reload_near_the_end_asks_for_ticks() -> None:
    """Where the brief promises that all is kept."""
    before, after, step = ticked()
    found = persistence.propose(see(*after.marks, brief=KEPT, steps=(step,), past=(before, after), text="1 of 1 done"))
    told = [one.oracle for each in found for one in each.decision.expectations]
    assert "as_left" in told


def test_a_choice_among_several_is_no_tick() -> None:
    """A mode that takes the place of another one is how the page is looked at, which need not be kept."""

    def modes(focus: bool) -> tuple[Mark, Mark]:
        return mark("Focus", checked=focus), mark("Break", checked=not focus, at=(300, 100))

    before, after = page(*modes(True), text="25:00"), page(*modes(False), text="A break", number=1)
    step = did(decided(on(before.marks[1]), "toggles"), before, after)
    assert as_left.left_by((step,), {one.id: one for one in (before, after)}, ticked=True) == []


def surface(**more: Any) -> Mark:
    """A canvas of 400 by 400."""
    return mark("Board", "canvas", at=(200, 200), size=(400, 400), **more)


def drawn(columns: range, rows: range) -> Drawing:
    """A canvas with something in these bands."""
    bands = 400 // BAND_PX

    def marks(at: range) -> tuple[int, ...]:
        return tuple(int(place in at) for place in range(bands))

    return Drawing(selector="#board", digest=f"{columns}{rows}", columns=marks(columns), rows=marks(rows))


@pytest.mark.parametrize(("columns", "held"), [(range(36, 40), True), (range(20, 24), False)])
def test_a_click_changes_the_canvas_where_the_pointer_is(columns: range, held: bool) -> None:
    """Beside it, at two places, it is a wrong result."""
    act = Click(target=Target.of(surface(), dx=0.25, dy=0.25))
    blank, after = page(surface(), drawings=(drawn(range(0), range(0)),)), drawn(columns, range(36, 40))
    told = twice(act, blank, page(surface(), drawings=(after,), number=1), "lands", key="lands")[1]
    assert (told.held, told.symptom) == (held, "" if held else "wrong_result")


def test_a_stroke_that_leaves_the_canvas_is_not_off() -> None:
    """It is looked for where it left it."""
    act = Drag(target=Target.of(surface(), dx=0.0, dy=0.0), by=(300.0, 0.0))
    blank, after = page(surface(), drawings=(drawn(range(0), range(0)),)), drawn(range(25, 49), range(24, 26))
    assert tell(act, blank, page(surface(), drawings=(after,), number=1), "lands").held is True


def test_after_a_zoom_something_is_drawn_again() -> None:
    """And a shape tool that was just chosen is used."""
    zoom, line = mark("Zoom out", at=(700, 100)), mark("Line", at=(700, 200))
    now = (surface(), zoom, line)
    sheet = (drawn(range(0), range(0)),)
    pressed = did(decided(on(zoom)), page(*now, drawings=sheet), page(*now, drawings=sheet, number=1))
    survey = see(*now, brief="A drawing app", steps=(pressed,), drawings=sheet)
    (found,) = drawing_tools.propose(survey, surface(), Match(), pen=True)
    assert (found.decision.skill, found.decision.expectations[0].oracle) == (drawing_tools.AFTER_A_ZOOM, "lands")
    chosen = did(decided(on(line)), page(*now, drawings=sheet), page(*now, drawings=sheet, number=1))
    (used,) = drawing_tools.propose(see(*now, brief="A drawing app", steps=(chosen,)), surface(), Match(), pen=False)
    assert isinstance(used.decision.action, Drag)
    assert used.decision.expectations[0].oracle == "draws"


@pytest.mark.parametrize(("digest", "held"), [("drawn", True), ("blank", False), ("other", None)])
def test_a_drawing_outlasts_a_reload(digest: str, held: bool | None) -> None:
    """The blank canvas again is a loss; another view of it tells nothing."""
    before = page(surface(), drawings=(Drawing(selector="#board", digest="drawn"),))
    after = page(surface(), drawings=(Drawing(selector="#board", digest=digest),), number=1)
    found = did(decided(Reload(), "drawing_stays", selector="#board", blank="blank"), before, after).outcomes
    assert [one.held for one in found] == ([] if held is None else [held])


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Page 4 of 1", [False]),
        ("31–6 of 6 products", [False]),
        ("Page 1 of 3\n1–10 of 27", []),
        ("Page 1 of 0", []),
        ("第 5 页 共 2 页", [False]),
        ("Seite 3 von 2", [False]),
        ("Score 4 of 1", []),
    ],
)
def test_a_page_that_cannot_be(text: str, held: list[bool]) -> None:
    """The fourth page of one; none of no pages is shown by many."""
    step = did(decided(on(mark("Tents")), "place_possible"), page(mark("Tents")), page(mark("Tents"), text=text, number=1))
    assert [one.held for one in step.outcomes] == held


def run_and_paused() -> tuple[list[Any], list[Any]]:
    """Pages and steps of a run of two seconds that was paused for three."""
    start, pause = mark("Start"), mark("Pause")
    texts = [("00:00", 0), ("00:00", 1), ("00:02", 3), ("00:02", 4), ("00:02", 7)]
    pages = [page(start, pause, text=text, number=at) for text, at in texts]
    acts: list[Any] = [on(start), Wait(ms=2000), on(pause), Wait(ms=3000)]
    skills = ["start a timer", "watch a running timer", "pause a timer", "watch a paused timer"]
    steps: list[Any] = []
    for place, act in enumerate(acts):
        steps.append(did(decided(act, skill=skills[place]), pages[place], pages[place + 1], *steps))
    return pages, steps


@pytest.mark.parametrize(("after", "held"), [("00:03", True), ("00:06", False)])
def test_a_paused_time_goes_on_where_it_stopped(after: str, held: bool) -> None:
    """Three seconds of pause made up for within one are a wrong result."""
    pages, steps = run_and_paused()
    params = resumed.paused(steps, {one.id: one for one in pages}, "pause a timer")
    assert params is not None
    assert params["pause"] == 3.0
    told = tell(on(mark("Start")), pages[-1], page(mark("Start"), text=after, number=8), "goes_on", tuple(steps), **params)
    assert (told.held, told.symptom) == (held, "" if held else "wrong_result")


def test_what_was_paused_is_started_again_once() -> None:
    """Right after it was watched standing."""
    pages, steps = run_and_paused()
    survey = see(mark("Start"), mark("Pause"), brief="A stopwatch", steps=tuple(steps), past=tuple(pages), text="00:02")
    found = resuming.resume(survey, "pause a timer", "resume a timer")
    assert [one.decision.expectations[0].oracle for one in found] == ["goes_on"]
    stands = did(found[0].decision, pages[-1], page(mark("Start"), text="00:02", number=8), *steps)
    assert stands.outcomes == ()
    later = see(mark("Start"), mark("Pause"), steps=(*steps, stands), past=tuple(pages), text="00:02")
    (watch,) = resuming.resume(later, "pause a timer", "resume a timer")
    assert isinstance(watch.decision.action, Wait)
    leaps = did(watch.decision, pages[-1], page(mark("Start"), text="00:06", number=8), *steps, stands)
    assert [one.held for one in leaps.outcomes] == [False]
    done = see(mark("Start"), mark("Pause"), steps=(*steps, stands, leaps), past=tuple(pages), text="00:06")
    (stop,) = resuming.resume(done, "pause a timer", "resume a timer")
    assert isinstance(stop.decision.action, Click)
    assert (stop.decision.action.target.name, stop.decision.skill) == ("Pause", "pause a timer again")
    stopped = did(stop.decision, pages[-1], pages[-1])
    over = see(mark("Start"), mark("Pause"), steps=(*steps, stands, leaps, stopped), past=tuple(pages), text="00:06")
    assert resuming.resume(over, "pause a timer", "resume a timer") == []


def test_a_button_that_never_comes_back_is_a_hang() -> None:
    """It says that it waits, with dots, as it did not at first, and can't be pressed for twenty seconds."""
    free = page(mark("Shoot"))
    rolls = [page(mark("Balls are rolling …", disabled=True), number=at) for at in (1, 8, 15, 22)]
    assert busy.begun([free, *rolls[:1]]) == "balls are rolling …"
    assert busy.under_way([free, *rolls[:3]]) is None
    assert busy.under_way([free, *rolls]) == ("balls are rolling …", 1000.0)
    assert busy.under_way([rolls[0], *rolls]) is None  # it was called so from the start
    later = page(mark("Balls are rolling …", disabled=True), number=30)
    told = tell(Wait(ms=7000), rolls[-1], later, "busy_ends", line="balls are rolling …", since_ms=1000.0)
    assert (told.held, told.symptom) == (False, "crash_or_hang")


BY_ITSELF = 'After booking it first shows "Waiting", and a few seconds later turns by itself into "Confirmed".'


@pytest.mark.parametrize(("text", "held"), [("Your table: Confirmed", True), ("Your table: Waiting", False)])
def test_a_state_turns_into_another_by_itself(text: str, held: bool) -> None:
    """It is waited for where the brief names both; twice in vain is a failure."""
    book = mark("Book")
    before, shown = page(book), page(book, text="Your table: Waiting", number=1)
    booked = did(decided(on(book)), before, shown)
    (found,) = waiting.propose(see(book, brief=BY_ITSELF, steps=(booked,), past=(before,), text="Your table: Waiting"))
    params = dict(found.decision.expectations[0].params.items())
    told = twice(Wait(ms=6000), shown, page(book, text=text, number=7), "turns_into", **params)[1]
    assert (told.held, told.symptom) == (held, "" if held else "state_not_updated")
    assert waiting.propose(see(book, brief="A booking form.", steps=(booked,), past=(before,), text="Your table: Waiting")) == []


def test_states_are_two() -> None:
    """One quotation, or three, name no turn."""
    assert busy.states("先显示“等待确认”，几秒钟后自己变成“已确认”") == ("等待确认", "已确认")
    assert busy.states('It says "Done".') is None


@pytest.mark.parametrize(
    ("line", "free", "held"),
    [
        ("120 € im Jahr, du sparst 24 €.", 2.0, [True]),
        ("144 € im Jahr, du sparst 24 €.", 2.0, [False]),
        ("€120 per year", 2.0, [True]),
        ("€144 per year", 2.0, [False]),
        ("€144 per year", 0.0, []),
    ],
)
def test_a_year_costs_what_its_months_make_up(line: str, free: float, held: list[bool]) -> None:
    """The year's price and the saving are twelve months; with free months it is the others."""
    before = page(mark("Yearly"), text="12 € im Monat\n30 € im Monat")
    after = page(mark("Yearly"), text=f"12 € im Monat\n{line}", number=1)
    step = did(decided(on(mark("Yearly")), "year_agrees", free=free), before, after)
    assert [one.held for one in step.outcomes] == held


def test_free_months_are_read() -> None:
    """In figures and in words; two different ones are none."""
    assert savings.months_free("jährlich sind zwei Monate geschenkt") == 2
    assert savings.months_free("Pay yearly and get 3 months free") == 3
    assert savings.months_free("2 months free, 3 months free") == 0
    assert savings.months_free("The first month costs less") == 0


def test_an_entry_is_opened_again_to_be_deleted() -> None:
    """Its dialog had a Delete, which was not pressed then."""
    event, other = mark("Yoga, Mon 18:00", selector="#week > div:nth-of-type(1) > button"), mark("Lunch", at=(300, 100))
    other = other.model_copy(update={"selector": "#week > div:nth-of-type(2) > button"})
    dialog = page(event, other, mark("Title", "input"), mark("Save", at=(400, 400)), mark("Delete", at=(500, 400)), number=1)
    opened = did(decided(on(event), skill="press a button"), page(event, other), dialog)
    closed = did(decided(on(mark("Save"))), dialog, page(event, other, number=2), opened)
    past = (page(event, other), dialog)
    (found,) = deleting.propose(see(event, other, steps=(opened, closed), past=past))
    assert found.decision.skill == deleting.OPENS
    assert aims([found]) == ["Lunch"]


@pytest.mark.parametrize(("names", "held"), [((), True), (("Yoga",), False)])
def test_what_was_deleted_stays_away(names: tuple[str, ...], held: bool) -> None:
    """Nothing of it comes back by itself."""
    before, after = page(mark("Lunch")), page(mark("Lunch"), *(mark(name) for name in names), number=1)
    told = tell(Wait(ms=9000), before, after, "stays_away", gone="yoga")
    assert (told.held, told.symptom) == (held, "" if held else "state_not_updated")


@pytest.mark.parametrize(("text", "held"), [("Quote one", True), ("Quote two", False)])
def test_slides_that_were_stopped_stand(text: str, held: bool) -> None:
    """They are watched once they were stopped, where the brief says that they turn by themselves."""
    stop, brief = mark("Pause"), "A landing page. Testimonials in a carousel that moves on by itself and can be paused."
    before = page(stop, text="Quote one")
    pressed = did(decided(on(stop)), before, page(mark("Play"), text="Quote one", number=1))
    (found,) = halting.propose(see(mark("Play"), brief=brief, steps=(pressed,), past=(before,), text="Quote one"))
    assert isinstance(found.decision.action, Wait)
    told = twice(found.decision.action, before, page(mark("Play"), text=text, number=9), "halts", key="stopped slides")[1]
    assert (told.held, told.symptom) == (held, "" if held else "keeps_running")
    assert halting.propose(see(mark("Play"), brief="A landing page.", steps=(pressed,), past=(before,))) == []


@pytest.mark.parametrize("label", ["Rows per page", "Page size", "每页条数"])
def test_a_pager_is_no_form(label: str) -> None:
    """`Next` beside the number of rows a page takes nothing in; a select before a form's own button is taken."""
    size = mark(label, "select", options=("10", "20"), option_names=("10", "20"), at=(100, 300))
    beside = mark("Next", at=(240, 300))
    assert forms((size, beside)) == []
    plan = mark("Plan", "select", options=("a", "b"), option_names=("Solo", "Team"), at=(100, 300))
    assert [one.button for one in forms((plan, beside))] == [beside]


def test_of_a_calendar_s_events_two_are_opened() -> None:
    """They stand in the columns of their days and open one and the same dialog."""
    events = [
        mark(f"Event {day}", selector=f"#week > div:nth-of-type({day}) > button", at=(100.0 * day, 100)) for day in range(1, 5)
    ]
    dialog = [mark(name, "input", at=(400, 300 + 50 * at), size=(600, 300)) for at, name in enumerate(("Title", "Date", "Note"))]
    covered = [one.model_copy(update={"covered": True}) for one in events]
    steps, past = list[Any](), [page(*events)]
    for number, event in enumerate(events[:2]):
        after = page(*covered, *dialog, number=2 * number + 1)
        steps.append(did(decided(on(event)), past[-1], after, *steps))
        past += [after, page(*events, number=2 * number + 2)]
        steps.append(did(decided(Press(keys=("Escape",)), "responds"), after, past[-1], *steps))
    assert see(*events, steps=tuple(steps), past=tuple(past)).opened_alike(events[3]) == 2
    assert aims(buttons.propose(see(*events, steps=tuple(steps), past=tuple(past)))) == []


@pytest.mark.parametrize(
    ("spilled", "shown", "held"),
    [
        ((), True, [True]),
        ((f'"{long_words.LONG[:40]}…" runs out of its box (right, 90 px).',), True, [False]),
        (('"Opening hours" runs out of its box (right, 9 px).',), True, [True]),
        (None, True, []),
        ((), False, []),
    ],
)
def test_a_long_word_stays_in_its_box(spilled: tuple[str, ...] | None, shown: bool, held: list[bool]) -> None:
    """Told only where it was measured and the word is there."""
    after = page(mark("Add"), text=long_words.LONG if shown else "", number=1, spilled=spilled)
    step = did(decided(on(mark("Add")), "fits", word=long_words.LONG), page(mark("Add")), after)
    assert [one.held for one in step.outcomes] == held
    assert all(one.symptom == "overflow.text_spill" for one in step.outcomes if one.held is False)


def test_a_long_word_is_sent_once_an_entry_was_taken() -> None:
    """Into the first free text field, then the button; a field for an address gets none."""
    name, add = mark("Name", "input", at=(100, 100)), mark("Add", at=(240, 100))
    taken = decided(on(add), "text_appears", skill='submit form "Name"', text="Milk")
    sent = did(taken, page(name, add), page(name, add, text="Milk", number=1))
    assert long_words.propose(see(name, add, text="Milk")) == []
    (fills,) = long_words.propose(see(name, add, steps=(sent,), text="Milk"))
    assert getattr(fills.decision.action, "text", "") == long_words.LONG
    filled = name.model_copy(update={"value": long_words.LONG})
    typed = did(fills.decision, page(name, add), page(filled, add, number=2), sent)
    (press,) = long_words.propose(see(filled, add, steps=(sent, typed), text="Milk"))
    assert aims([press]) == ["Add"]
    assert press.decision.expectations[0].params["made_by"] == typed.acted_id
    cut = name.model_copy(update={"value": long_words.LONG[:40]})
    (press,) = long_words.propose(see(cut, add, steps=(sent, typed), text="Milk"))
    assert press.decision.expectations[0].params["word"] == long_words.LONG[:40]
    mail = mark("Name", "input", input_type="email", at=(100, 100))
    assert long_words.propose(see(mail, add, steps=(sent,), text="Milk")) == []


def test_an_impossible_page_is_one_defect_wherever_it_is_seen() -> None:
    """It stands at no control, so that each act after which it is there tells of the same."""
    one, other = mark("Tents"), mark("Packs", at=(300, 100))
    shown = page(one, other, text="Page 2 of 1", number=1)
    told = [tell(on(each), page(one, other), shown, "place_possible") for each in (one, other)]
    assert [(outcome.held, outcome.selector) for outcome in told] == [(False, ""), (False, "")]


@pytest.mark.parametrize(("text", "searches"), [("Page 2 of 3", True), ("Page 1 of 3", False), ("Three pages", False)])
def test_a_list_is_narrowed_from_a_later_page(text: str, searches: bool) -> None:
    """Right after a step on, by a word of what is shown; then the field is emptied."""
    field, onward = mark("Search", "input", input_type="search", role="searchbox"), mark("Next", at=(300, 100))
    names = ("Alder tent", "Birch stove", "Cedar rope", "Douglas mug")
    goods = (Listing(selector="#goods", columns=("Product",), items=tuple((name,) for name in names), count=4),)
    shown = f"{text}\n" + "\n".join(names)
    pressed = did(decided(on(onward)), page(field, onward), page(field, onward, text=shown, number=1))
    found = later_pages.propose(see(field, onward, steps=(pressed,), text=shown, lists=goods))
    assert [one.decision.skill for one in found] == [later_pages.SKILL] * searches
    if searches:
        word = found[0].decision.action
        typed = did(found[0].decision, page(field, onward, text=shown), page(field, onward, number=2), pressed)
        filled = field.model_copy(update={"value": getattr(word, "text", "")})
        (again,) = later_pages.propose(see(filled, onward, steps=(pressed, typed), text=shown))
        assert again.decision.skill == later_pages.BACK


def test_quick_spans_beside_a_date_take_nothing_in() -> None:
    """`4 weeks` right of a date sets it; a form's own button takes dates in."""
    day = mark("Sales to", "input", input_type="date", role="date", value="2026-01-02", at=(100, 100))
    assert forms((day, mark("4 weeks", at=(230, 100)))) == []
    assert [one.button for one in forms((day, mark("Submit", at=(230, 100))))] == [mark("Submit", at=(230, 100))]


def test_what_goes_on_is_stopped_again_though_the_page_looks_as_at_the_first_stop() -> None:
    """The same press on a state in which it was done before is left out otherwise; a reset follows on what stands."""
    pages, steps = run_and_paused()
    survey = see(mark("Start"), mark("Pause"), brief="A stopwatch", steps=tuple(steps), past=tuple(pages), text="00:02")
    found = resuming.resume(survey, "pause a timer", "resume a timer")
    # Where only a canvas moves the page has one state all through: that of the first stop.
    running = page(mark("Start"), mark("Pause"), text="00:02", number=3)
    went = did(found[0].decision, pages[-1], page(mark("Start"), mark("Pause"), text="00:03", number=8), *steps)
    seen = replace(survey.view, now=running.model_copy(update={"id": "o8"}), steps=(*steps, went), past=(*pages, running))
    best = next(rank(type(survey)(seen)))
    assert best.decision.skill == "pause a timer again"
