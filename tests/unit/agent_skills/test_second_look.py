"""What takes a second look: renamed switches, what a reload takes back, keys in a game that moves, charts pointed at, lights."""

from __future__ import annotations

from typing import Any

import pytest

from agent.deciders.protocol import Step
from agent.skills import choices, hints, keyed, listening, persistence, recovery, themes
from agent.skills.checks.stayed import changed_rows, changed_settings, packed_settings
from agent.skills.survey import Candidate, Survey
from tests.unit.agent_skills.scenes import acts, decided, mark, on, page, see, stepped, tell, twice, view
from tools.browser.actions import Drag, Hover, Press, Reload, Resize, SetValue, Target, Wait
from tools.browser.marks import Drawing, Listing, Mark, Observation


def selectors(found: list[Candidate]) -> list[str]:
    """Where the proposed acts are aimed at, best first."""
    return [getattr(getattr(act, "target", None), "selector", "") for act in acts(found)]


DARK, LIGHT = mark("Dark mode", selector="#theme"), mark("Light mode", selector="#theme")
FLAT: dict[str, Any] = {"picture": 0.001}


def test_a_switch_that_is_called_otherwise_gets_its_second_attempt() -> None:
    """By its place where nothing goes by its name any more; both attempts together tell that it is dead."""
    wish = decided(on(DARK), "theme_changes", skill="switch the theme")
    first = stepped(wish, page(DARK, number=1), page(LIGHT, number=2), **FLAT)
    again = recovery.propose(see(LIGHT, steps=(first,)))
    assert [one.decision.action.target.name for one in again if isinstance(one.decision.action, type(on(DARK)))] == ["Light mode"]
    second = stepped(again[0].decision, page(LIGHT, number=2), page(DARK, number=3), (first,), **FLAT)
    assert [(told.held, told.symptom) for told in second.outcomes] == [(False, "state_not_updated")]
    assert recovery.propose(see(DARK, steps=(first, second))) == []
    assert recovery.propose(see(mark("Other", selector="#else"), steps=(first,))) == []


def test_another_control_in_its_place_is_no_second_attempt() -> None:
    """A link where the switch stood, or the switch still there elsewhere: neither is taken for it."""
    wish = decided(on(DARK), "theme_changes", skill="switch the theme")
    first = stepped(wish, page(DARK, number=1), page(LIGHT, number=2), **FLAT)
    assert recovery.propose(see(mark("Home", "a", selector="#theme"), steps=(first,))) == []
    moved = DARK.model_copy(update={"selector": "#moved"})
    aims = [
        getattr(act, "target", Target(selector="")).selector for act in acts(recovery.propose(see(moved, LIGHT, steps=(first,))))
    ]
    assert "#theme" not in aims


def test_a_control_that_only_changes_its_label_shows_nothing() -> None:
    """`Show details` becomes `Hide details` and nothing else comes of it, twice; anything else in sight is an effect."""
    own = {**FLAT, "value": False}
    show, hide = mark("Show details", selector="#d"), mark("Hide details", selector="#d")
    dead = twice(on(show), page(show, text="Show details"), page(hide, text="Hide details"), "dialog_opens", changes=own)
    assert dead[1].symptom == "dead_control"
    more = page(hide, text="Hide details\nMade of oak")
    assert tell(on(show), page(show, text="Show details"), more, "dialog_opens", changes=FLAT).held is True
    painted = tell(on(show), page(show, text="Show details"), page(hide, text="Hide details"), "dialog_opens")
    assert painted.held is True


def rows(title: str, *items: str, selector: str = "#list") -> Listing:
    """A list of one column."""
    return Listing(selector=selector, title=title, columns=("",), items=tuple((item,) for item in items), count=len(items))


BOX = mark("Milk", "input", role="checkbox", checked=False, selector="#milk")


def test_a_tick_that_a_reload_takes_back_is_lost() -> None:
    """Ticked and stored: unticked after the reload is lost, still ticked is kept, out of sight is not told."""
    before = page(BOX, lists=(rows("Todo", "☐ Milk", "☐ Tea"),), number=1)
    after = page(BOX, lists=(rows("Todo", "☑ Milk", "☐ Tea"),), number=2, storage_sha256="x")
    step = stepped(decided(on(BOX)), before, after)
    told = "\n".join(changed_rows((step,), {"o1": before, "o2": after}, ticked=False))
    assert told == "#list\t☑ milk\t#list\t☐ milk"
    assert tell(Reload(), after, before, "stayed", rows=told).symptom == "persistence_lost"
    assert tell(Reload(), after, after, "stayed", rows=told).held is True
    assert tell(Reload(), after, page(BOX), "stayed", rows=told).held is None


def test_only_changes_that_are_meant_to_last_are_asked_for() -> None:
    """A box to choose with, a page turned: nothing was stored. A card dragged to another list is, stored or not."""
    before = page(BOX, lists=(rows("Rows", "☐ Milk"),), number=1)
    after = page(BOX, lists=(rows("Rows", "☑ Milk"),), number=2)
    seen = {"o1": before, "o2": after}
    ticked = stepped(decided(on(BOX), skill="check off an entry"), before, after)
    assert changed_rows((ticked,), seen, ticked=False) == ()
    assert changed_rows((ticked,), seen, ticked=True) != ()
    turned = {
        "o1": page(lists=(rows("", "a", "b"),), number=1),
        "o2": page(lists=(rows("", "c", "d"),), number=2, storage_sha256="x"),
    }
    assert changed_rows((stepped(decided(on(BOX)), turned["o1"], turned["o2"]),), turned, ticked=True) == ()
    here = page(lists=(rows("To do", "Milk", "Tea"), rows("Done", "Ham", selector="#done")), number=1)
    there = page(lists=(rows("To do", "Tea"), rows("Done", "Ham", "Milk", selector="#done")), number=2)
    drag = stepped(decided(Drag(target=Target.of(BOX)), skill="drag a thing"), here, there)
    assert changed_rows((drag,), {"o1": here, "o2": there}, ticked=False) == ("#done\tmilk\t#list\tmilk",)


def test_settings_that_a_reload_sets_back_are_lost() -> None:
    """The volume was set and is what it was at first again; with the other setting kept, nothing is said."""
    volume = mark("Volume", "input", role="slider", input_type="range", value="50")
    loud = volume.model_copy(update={"value": "90"})
    unit = mark("Unit", "select", value="km")
    mile = unit.model_copy(update={"value": "mi"})
    first, now = page(volume, unit, number=1), page(loud, mile, number=2)
    steps = (
        stepped(decided(SetValue(target=Target.of(volume), value="90")), first, page(loud, unit, number=3)),
        stepped(decided(SetValue(target=Target.of(unit), value="mi")), page(loud, unit, number=3), now),
    )
    found = changed_settings(steps, first, now)
    assert [one.name for one in found] == ["Volume", "Unit"]
    settings = packed_settings(found, first)
    assert tell(Reload(), now, first, "settings_stay", settings=settings).symptom == "persistence_lost"
    assert tell(Reload(), now, page(volume, mile), "settings_stay", settings=settings).held is True
    brief = "A player. Its settings are remembered after a reload."
    asked = persistence.propose(Survey(view(now, brief=brief, steps=steps, past=(first,)), 0))
    assert [one.oracle for one in asked[0].decision.expectations] == ["settings_stay", "sane"]
    plain = "A player with a playlist that survives a reload."
    assert persistence.propose(Survey(view(now, brief=plain, steps=steps, past=(first,)), 0)) == []


def test_what_works_without_a_reload_promises_nothing() -> None:
    """The words of a promise may deny it."""
    add = mark("Add to cart")
    before, after = page(add, mark("Cart (0)"), number=1), page(add, mark("Cart (1)"), number=2)
    step = stepped(decided(on(add)), before, after)
    brief = "A shop. The list updates without page reload."
    assert persistence.propose(Survey(view(after, brief=brief, steps=(step,), past=(before,)), 0)) == []


def test_a_history_is_asked_for_by_the_words_of_its_promise() -> None:
    """A list titled as the sentence names it counts, though the act stored nothing."""
    key = mark("=")
    before, after = (
        page(key, text="History", number=1),
        page(key, text="History", number=2, lists=(rows("History", "7 + 8 = 15"),)),
    )
    step = stepped(decided(on(key)), before, after)
    brief = "A calculator. A history lists the last sums and is kept on reload."
    found = persistence.propose(Survey(view(after, brief=brief, steps=(step,), past=(before,)), 0))
    assert [one.oracle for one in found[0].decision.expectations] == ["kept", "sane"]


def test_the_theme_is_looked_for_after_a_reload() -> None:
    """Right after the switch where it is to be remembered; painted back is lost; kept, the way back still follows."""
    brief = "A blog with a dark theme that is remembered after a reload."
    wish = decided(on(DARK), "theme_changes", skill="switch the theme")
    step = stepped(wish, page(DARK, number=1), page(LIGHT, number=2), picture=0.8)
    past = (page(DARK, number=1), page(LIGHT, number=2))
    found = persistence.propose(see(LIGHT, brief=brief, steps=(step,), past=past[:1]))
    assert [one.decision.skill for one in found] == ["reload to see the theme"]
    wanted = found[0].decision
    lost = stepped(wanted, past[1], page(DARK, number=3), (step,), picture=0.8)
    assert [one.symptom for one in lost.outcomes if one.oracle == "theme_stays"] == ["persistence_lost"]
    kept = stepped(wanted, past[1], page(LIGHT, number=3), (step,), picture=0.0)
    back = themes.propose(see(LIGHT, brief=brief, steps=(step, kept), past=past))
    assert [one.decision.skill for one in back] == ["switch the theme back"]
    assert persistence.propose(see(LIGHT, brief="A blog with a dark theme.", steps=(step,), past=past[:1])) == []


CANVAS = mark("", "canvas", at=(100, 100), size=(400, 400), selector="#game")


def frame(number: int, rows_: dict[int, int], columns: dict[int, int], **more: object) -> Observation:
    """A running game whose canvas of 50 × 50 bands shows something else in these."""
    drawn = (tuple(rows_.get(band, 0) for band in range(50)), tuple(columns.get(band, 0) for band in range(50)))
    drawing = Drawing(selector="#game", digest=str(number), rows=drawn[0], columns=drawn[1])
    return page(CANVAS, number=number, moving=0.001, drawings=(drawing,), **more)  # pyright: ignore[reportArgumentType]


def held(paddle: bool) -> list[Step]:
    """Six presses in a game with a ball, elsewhere each time, bricks that go, and a paddle in band 47 that may follow."""
    steps: list[Step] = []
    for number in range(6):
        ball, later = (7 * number) % 40, (7 * number + 3) % 40
        before = frame(2 * number, {ball: 1, 8: number, 47: number % 2}, {ball: 1})
        after = frame(2 * number + 1, {later: 1, 8: number + 1, 47: (number + paddle) % 2}, {later: 1})
        press = decided(Press(keys=("ArrowLeft",), hold_ms=420), "steered", key="steered", axis="rows", surface="#game")
        steps.append(stepped(press, before, after, steps))
    return steps


def test_a_paddle_that_follows_is_told_from_a_ball() -> None:
    """The same band changes at every press: it follows. None does at five: the keys are ignored. Fewer tell nothing."""
    assert [step.outcomes[0].held for step in held(paddle=True)[:4]] == [None, None, None, True]
    found = [step.outcomes[0] for step in held(paddle=False)]
    assert [(one.held, one.symptom) for one in found[3:5]] == [(None, ""), (False, "keyboard_ignored")]
    assert len(found[4].steps) == 5


def test_a_life_lost_meanwhile_tells_nothing() -> None:
    """Everything stands where it began; so it does where nothing runs."""
    press = decided(Press(keys=("ArrowLeft",)), "steered", key="steered", axis="rows", surface="#game")
    before = frame(0, {}, {}, text="Lives: 3")
    assert stepped(press, before, frame(1, {3: 1}, {}, text="Lives: 2")).outcomes == ()
    assert stepped(press, before, frame(1, {3: 1}, {}, text="Lives: 3")).outcomes[0].attempts == 1
    assert stepped(press, before.model_copy(update={"moving": 0.0}), frame(1, {3: 1}, {})).outcomes == ()


@pytest.mark.parametrize(
    ("rows_", "columns", "symptom"),
    [
        (range(25, 28), range(25, 49), "keyboard_ignored"),
        (range(18, 28), range(20, 30), ""),
        (range(25, 28), range(25, 30), ""),
    ],
)
def test_a_snake_that_keeps_to_its_line_ignores_the_keys(rows_: range, columns: range, symptom: str) -> None:
    """A long line of changes after two turns, twice; off the line, or hardly moved, it is not accused."""
    press = Press(keys=("ArrowUp", "ArrowLeft"))
    after = frame(1, dict.fromkeys(rows_, 1), dict.fromkeys(columns, 1))
    told = twice(press, frame(0, {}, {}), after, "steered", key="steered", axis="line", surface="#game")
    assert told[1].symptom == symptom


def test_keys_are_tried_where_the_brief_names_them_and_what_they_steer() -> None:
    """Held in a paddle's game while it runs, from a new round in a snake's; never without keys in the brief."""
    start, arrows = mark("Restart"), decided(Press(keys=("ArrowLeft",)), "moves", skill="steer with keys")
    before = frame(1, {}, {})
    done = stepped(arrows, before, frame(2, {}, {}))

    def proposed(brief: str, moving: float = 0.001) -> list[str]:
        now = see(CANVAS, start, brief=brief, steps=(done,), past=(before,), moving=moving)
        return [one.decision.skill for one in keyed.propose(now)]

    assert proposed("A breakout game; the arrow keys move the paddle") == ["hold a steering key"]
    assert proposed("A breakout game; the arrow keys move the paddle", moving=0.0) == []
    assert proposed("A snake game steered with the arrow keys") == ["begin a round for the keys"]
    assert proposed("A tetris game steered with the arrow keys") == []
    assert proposed("A breakout game with a paddle") == []


CHART = (Drawing(selector="#chart", digest="a", shapes=("#b1", "#b2", "#b3")),)


def test_shapes_of_a_chart_are_pointed_at_where_they_are_to_tell_something() -> None:
    """One after the other until one does; a hover effect of cards asks for none of it."""
    brief = "A dashboard with a bar chart of sales that tells a bar's value when pointed at"
    first = hints.propose(see(brief=brief, drawings=CHART))
    assert selectors(first) == ["#b1"]
    still = page(drawings=CHART, number=1)
    silent = stepped(first[0].decision, still, still)
    again = hints.propose(see(brief=brief, drawings=CHART, steps=(silent,), past=(still,)))
    assert selectors(again) == ["#b2"]
    dead = stepped(again[0].decision, still, still, (silent,))
    assert dead.outcomes[0].symptom == "dead_control"
    assert hints.propose(see(brief=brief, drawings=CHART, steps=(silent, dead), past=(still, still))) == []
    assert hints.propose(see(brief="Cards with a hover effect show prices", drawings=CHART)) == []


def test_a_hint_is_something_to_read() -> None:
    """New words: held. A little of the picture: its own look. More of the picture: not told."""
    act, still = Hover(target=Target(selector="#b1")), page(text="Sales", drawings=CHART)
    assert tell(act, still, page(text="Sales\nMay: 3", drawings=CHART), "hint_shows").held is True
    assert tell(act, still, still, "hint_shows", changes={"picture": 0.002}).attempts == 1
    assert tell(act, still, still, "hint_shows", changes={"picture": 0.05}).attempts == 0


def test_lights_that_stand_still_are_told_from_figures_that_run() -> None:
    """Elements that change: held. Only texts, in two watches: frozen. Uncounted, or a canvas: not told."""
    wait = Wait(ms=4500)
    before = page(text="Bars: 0", number=1, shifts=5)
    assert tell(wait, before, page(text="Bars: 2", number=2, shifts=12), "lights_change").held is True
    told = twice(wait, before, page(text="Bars: 2", number=2, shifts=5), "lights_change", changes={"picture": 0.0})
    assert told[1].symptom == "animation_frozen"
    ran = stepped(decided(wait, "lights_change"), before, page(text="Bars: 2", number=2, shifts=12))
    again = stepped(decided(wait, "lights_change"), before, page(text="Bars: 2", number=2, shifts=5), (ran,), picture=0.0)
    assert again.outcomes[0].symptom == "animation_frozen"  # the second time it is played they stand
    brief = "A metronome that clicks audibly with a row of lights that shows the beat"
    started = stepped(decided(on(mark("Start"))), page(mark("Start"), number=1), page(mark("Stop"), number=2))
    found = listening.propose(see(mark("Stop"), brief=brief, steps=(started,), past=(page(mark("Start"), number=1),)))
    assert "lights_change" in [one.oracle for one in found[0].decision.expectations]


def test_what_leads_up_to_a_failure_is_named_with_it() -> None:
    """The presses that made what is lost, the width at which a menu shows, the start of the round that nobody loses."""
    key, page_ = mark("="), page(mark("="), text="History", number=1)
    full = page(key, text="History", lists=(rows("History", "7 + 8 = 15"),), number=2)
    made = stepped(decided(on(key), skill="calculator 7+8"), page_, full)
    lost = tell(Reload(), full, page_, "kept", (made,), made="7 + 8 = 15", made_by=made.acted_id)
    assert lost.steps == (made.acted_id, "a2")
    menu = mark("Menu", at=(0, 0))
    narrow = stepped(decided(Resize(width=390, height=844)), page(number=1), page(menu, number=2))
    first = stepped(decided(on(menu), "menu_opens", key="m"), page(menu), page(menu), (narrow,))
    assert tell(on(menu), page(menu), page(menu), "menu_opens", (narrow, first), key="m").steps == ("a1", "a2", "a3")
    start = stepped(decided(on(mark("Start")), skill="start a game"), page(mark("Start")), page(text="Lives: 3"))
    alone = stepped(decided(Wait(ms=6500), "lost", key="l"), frame(1, {}, {}), frame(2, {}, {}), (start,))
    assert alone.outcomes[0].attempts == 1
    again = tell(Wait(ms=6500), frame(3, {}, {}), frame(4, {}, {}), "lost", (start, alone), key="l")
    assert (again.symptom, again.steps) == ("wrong_result", ("a1", "a2", "a3"))


def test_a_slider_among_live_ones_waits_for_no_button() -> None:
    """Two others were followed at once: that a button stands near by excuses this one no more."""
    go = mark("Launch", at=(100, 300))
    angle, speed, weight = (
        mark(name, "input", role="slider", input_type="range", value="50", minimum="0", maximum="100", at=(100, 50.0 * row))
        for row, name in enumerate(("Angle", "Speed", "Weight"), start=1)
    )

    def swept(one: Mark, number: int) -> Step:
        later = one.model_copy(update={"value": "90"})
        act = SetValue(target=Target.of(one), value="90")
        told = decided(act, "follows", skill="sweep a slider", waits=1.0)
        return stepped(told, page(one, go, text="Range 10", number=number), page(later, go, text="Range 30", number=number + 1))

    def waits(*steps: Step) -> list[bool]:
        found = choices.propose(see(angle, speed, weight, go, brief="A cannon lab with sliders", steps=steps))
        aimed = [one.decision for one in found if getattr(getattr(one.decision.action, "target", None), "name", "") == "Angle"]
        return [bool(wish.params["waits"]) for one in aimed for wish in one.expectations if wish.oracle == "follows"]

    assert waits() == [True]
    assert waits(swept(speed, 1)) == [True]
    assert waits(swept(speed, 1), swept(weight, 3)) == [False]
