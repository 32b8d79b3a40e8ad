"""Each control for what it is for: where a card lies, which step is marked, which key is let go, what lies behind a dialog."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import agent.skills.checks
from agent.deciders.curious import with_contents
from agent.deciders.protocol import Decision
from agent.skills import buttons, canvases, keyboard, layers
from agent.skills.checks import looks
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell, twice, view
from tools.browser.actions import Click, Drag, Press, Target, Wait
from tools.browser.marks import Listing, Mark, Observation

NO_EFFECT = {"input_ignored", "dead_control", "keyboard_ignored"}


def test_what_one_look_settles_counts_as_two_attempts() -> None:
    """Symptoms of no effect need two attempts to count: an oracle that is sure at once says so, or its failure is dropped."""
    for file in Path(agent.skills.checks.__path__[0]).glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "Told":
                continue
            words = {one.value for one in call.args if isinstance(one, ast.Constant)}
            if words & NO_EFFECT and False in words:
                assert "attempts" in {one.arg for one in call.keywords}, f"{file.name}:{call.lineno}"


def card(name: str, column: int, row: int) -> Mark:
    """A card of a board with three columns."""
    more = {"draggable": True, "selector": f"#k{column}{row}"}
    return mark(f"{name} Edit Delete", "article", at=(100 + 350 * column, 200 + 120 * row), size=(300, 100), **more)


CARDS = (card("Fix login", 0, 0), card("Draw icons", 0, 1), card("Ship it", 2, 0))


def board(*names: str, text: str = "", number: int = 0) -> Observation:
    """A board of which only the first column is known as a list: the last one holds a single card."""
    todo = Listing(selector="#todo", title="To do", columns=("",), items=tuple((name,) for name in names), count=len(names))
    return page(*CARDS, text=text or "\n".join(names), lists=(todo,), number=number)


def test_a_card_dropped_on_a_column_of_one_lies_there() -> None:
    """A list of one entry is none to the eyes: that the card is among its own, in another order, tells that it was not moved."""
    act = Drag(target=Target.of(CARDS[0]), to=Target.of(CARDS[2]))
    first, second = twice(act, board("Fix login", "Draw icons"), board("Draw icons", "Fix login", number=1), "dropped", key="d")
    assert first.held is None
    assert (second.held, second.symptom) == (False, "input_ignored")
    moved = board("Draw icons", number=1)
    assert tell(act, board("Fix login", "Draw icons"), moved, "dropped").held is True
    copied = board("Draw icons", "Fix login", text="Draw icons\nFix login\nShip it\nFix login (copy)", number=1)
    assert tell(act, board("Fix login", "Draw icons"), copied, "dropped").held is True
    within = Drag(target=Target.of(CARDS[0]), to=Target.of(CARDS[1]))
    assert tell(within, board("Fix login", "Draw icons"), board("Draw icons", "Fix login", number=1), "dropped").held is True


def behind(*extra: Mark, number: int = 1) -> Observation:
    """A page with a dialog over it."""
    covered = [one.model_copy(update={"covered": one.in_view}) for one in SHELF]
    return page(*covered, mark("Order", at=(500, 300)), *extra, number=number)


SHELF = (mark("Add A", at=(100, 200)), mark("Add B", at=(300, 200)), mark("Add C", at=(100, 900), in_view=False))


def test_what_lies_behind_a_dialog_is_not_scrolled_to() -> None:
    """Things below the fold that were there before a dialog came up are covered by it; what the dialog itself holds is not."""
    long = mark("Terms", at=(500, 900), in_view=False)
    survey = Survey(view(behind(long), past=(page(*SHELF),)))
    assert {one.name for one in survey.usable} == {"Order", "Terms"}
    assert {one.name for one in see(*SHELF).usable} == {"Add A", "Add B", "Add C"}
    later = Survey(view(behind(long, number=2), past=(page(*SHELF), behind(long))))
    assert {one.name for one in later.usable} == {"Order", "Terms"}


STEPS = tuple((name,) for name in ("Cabin", "Dates", "Guest", "Review"))


def wizard(field: str, marked: tuple[str, ...], number: int = 0, items: tuple[tuple[str, ...], ...] = STEPS) -> Observation:
    """A step of a wizard with its list of steps."""
    listing = Listing(selector="#steps", items=items, count=len(items), looks=marked)
    return page(mark(field, "input"), mark("Continue", at=(300, 300)), text=f"Book\n{field}", lists=(listing,), number=number)


def test_the_list_of_steps_marks_the_step_shown() -> None:
    """Other fields are shown and the same step stands out, twice."""
    at = {1: ("on", "-", "-", "-"), 2: ("done", "on", "-", "-"), 3: ("done", "done", "on", "-")}
    onwards = on(mark("Continue", at=(300, 300)))
    assert tell(onwards, wizard("Name", at[1]), wizard("Date", at[2], 1), "steps_follow").held is True
    told = [
        did(decided(onwards, "steps_follow", key="s"), wizard("Name", at[1]), wizard("Date", at[1], 1)),
        did(decided(onwards, "steps_follow", key="s"), wizard("Date", at[1], 1), wizard("Guest", at[1], 2)),
    ]
    assert told[0].outcomes[0].held is None
    again = did(decided(onwards, "steps_follow", key="s"), wizard("Date", at[1], 1), wizard("Guest", at[1], 2), told[0])
    assert (again.outcomes[0].held, again.outcomes[0].symptom) == (False, "state_not_updated")
    assert "Cabin" in again.outcomes[0].observed


@pytest.mark.parametrize(
    ("marked", "items", "field"),
    [
        (("-", "-", "-", "-"), STEPS, "Date"),
        (("-", "-", "-", "on"), STEPS, "Date"),
        (("on", "-", "-"), (("Cabin 2 nights 120",), ("Tax",), ("Sum",)), "Date"),
        (("on", "-", "-", "-"), STEPS, "Name"),
    ],
)
def test_other_lists_mark_no_step(marked: tuple[str, ...], items: tuple[tuple[str, ...], ...], field: str) -> None:
    """Nothing is said where no item stands out, where it is the last as a sum is, where figures stand, where the step stays."""
    act = on(mark("Continue", at=(300, 300)))
    step = did(decided(act, "steps_follow"), wizard("Name", marked, items=items), wizard(field, marked, 1, items))
    assert not step.outcomes


def test_the_list_of_steps_is_looked_at_where_the_brief_speaks_of_steps() -> None:
    """A form in steps, a wizard; no other page."""
    for brief, asked in (("A booking form in steps.", True), ("一个四步的向导", True), ("A shop with a basket.", False)):
        decision = with_contents(Decision(action=Wait(ms=10), why="a test"), see(mark("Go"), brief=brief))
        assert ("steps_follow" in {one.oracle for one in decision.expectations}) is asked


def piano(lit: frozenset[str], *, focused: str = "") -> tuple[Mark, ...]:
    """Eight keys, some of them painted as pressed ones are."""
    names = ("C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5")
    return tuple(
        mark(name, at=(100 + 50 * place, 300), size=(48, 180), look="dark" if name in lit else "white")
        for place, name in enumerate(names)
        if name != focused
    )


def test_a_key_that_was_let_go_looks_as_before() -> None:
    """Two keys stay dark after others were pressed; one may be marked as the last, and the one pointed at is pressed still."""
    keys, history = piano(frozenset()), ()
    for place, name in enumerate(("C4", "D4")):
        key = next(one for one in keys if one.name == name)
        history = (*history, did(decided(on(key)), page(*keys, number=place), page(*keys, number=place + 1), *history))
    last = on(keys[2])
    for lit, held in (({"C4", "D4", "E4"}, False), ({"E4"}, True)):
        after = page(*piano(frozenset(lit)), number=3)
        step = did(decided(last, "released"), page(*keys, number=2), after, *history)
        assert [(one.held, one.symptom) for one in step.outcomes] == [(held, "" if held else "state_not_updated")]
    step = did(decided(last, "released"), page(*keys, number=2), page(*piano(frozenset({"D4", "E4"})), number=3), *history)
    assert not step.outcomes


def test_keys_of_chords_may_stay() -> None:
    """Where chords are put together, a key stays chosen; where a piano is played, it does not."""
    assert looks.keys_stay("Pick the notes of a chord on a keyboard")
    keys = piano(frozenset())
    before = page(*keys)
    pressed = did(decided(on(keys[0])), before, page(*keys, number=1))
    for brief, asked in (("A piano synthesizer with sound.", True), ("A piano that shows chords, with sound.", False)):
        survey = see(*keys, brief=brief, steps=(pressed,), past=(before,))
        found = with_contents(Decision(action=Click(target=Target.of(keys[1])), why="a test"), survey)
        wishes = [one for one in found.expectations if one.oracle == "released"]
        assert (survey.domain, bool(wishes)) == ("music", asked)
        assert all(one.params["made_by"] == pressed.acted_id for one in wishes)


LEGEND = "Shortcuts\nSpace – play or pause\nR: restart\nN New note\nB flat is not a key here, only a long sentence about music"


def test_a_legend_of_keys_names_them() -> None:
    """Lines that begin with a key and say what it does; a single one may be a sentence; where no keys are promised none is."""
    brief = "A player with keyboard shortcuts."
    heard: dict[str, Any] = {"listens": ("keydown",)}
    assert [key for key, _ in keyboard.named_keys(see(mark("Go"), brief=brief, text=LEGEND, **heard))] == ["Space", "r", "n"]
    assert not keyboard.named_keys(see(mark("Go"), brief=brief, text="Time to play\nR: restart", **heard))
    assert not keyboard.named_keys(see(mark("Go"), brief=brief, text="So play it\nNo restart\nRead a note", **heard))
    assert not keyboard.named_keys(see(mark("Go"), brief="A player.", text=LEGEND.replace("Shortcuts", ""), **heard))


def test_escape_is_pressed_where_it_is_named() -> None:
    """Before the dialog's own button; a dialog that stays open twice ignores the key. Nowhere else is anything expected of it."""
    dialog = (mark("Note 1", covered=True), mark("Note 2", covered=True), mark("Close", at=(400, 300)))
    brief = "Notes in dialogs that Escape closes."
    best = max(layers.propose(see(*dialog, brief=brief)), key=lambda one: one.priority)
    assert best.decision.action == Press(keys=("Escape",))
    before, after = page(*dialog), page(*dialog, number=1)
    first = did(best.decision, before, after)
    again = max(layers.propose(see(*dialog, brief=brief, steps=(first,), past=(before,))), key=lambda one: one.priority)
    assert again.decision.action == Press(keys=("Escape",))
    second = did(again.decision, before, after, first)
    told = [one for one in second.outcomes if one.oracle == "dialog_closes"]
    assert [(one.held, one.symptom) for one in told] == [(False, "keyboard_ignored")]
    done = layers.propose(see(*dialog, brief=brief, steps=(first, second), past=(before, after)))
    assert aims(done)[0] == "Close"
    assert aims(layers.propose(see(*dialog, brief="Notes in dialogs.")))[0] == "Close"


def test_two_that_worked_at_entries_are_enough() -> None:
    """A third "Move … right" that works as the two before tells nothing new; one that did nothing, or fills a basket, does."""
    names = ("Fix login", "Draw icons", "Write mails")
    lists = (Listing(selector="#l", columns=("",), items=tuple((name,) for name in names), count=3),)
    for verb, text, left in (("Move {} right", "moved", 0), ("Move {} right", "", 1), ("Add {} to cart", "moved", 1)):
        moves = [mark(verb.format(name), at=(100, 100 + 50 * place)) for place, name in enumerate(names)]
        steps, seen = (), ()
        for place in range(2):
            before, after = (
                page(*moves, lists=lists, number=place),
                page(*moves, lists=lists, text=f"{text}{place}" if text else ""),
            )
            steps = (*steps, did(decided(on(moves[place])), before, after.model_copy(update={"id": f"o{place + 1}"}), *steps))
            seen = (*seen, before)
        found = buttons.propose(see(*moves, lists=lists, steps=steps, past=seen))
        assert len([one for one in found if aims([one]) == [moves[2].name]]) == left


TOOLS = tuple(mark(name, at=(20, 100 + 40 * place)) for place, name in enumerate(("✏️ Pencil", "🧽 Eraser", "💧 Picker")))
PIXELS = tuple(
    mark(
        "", "div", at=(300.0 + 30 * (n % 8), 100.0 + 30 * (n // 8)), size=(30, 30), role="clickable", group="g", selector=f"#c{n}"
    )
    for n in range(64)
)
EDITOR = "A pixel art editor: draw with a pencil, an eraser and a color picker."


def test_a_stroke_is_drawn_with_a_pen() -> None:
    """It comes before the tools are tried; after another one was chosen the pen is taken first; without one nothing is drawn."""
    fresh = see(*TOOLS, *PIXELS, brief=EDITOR)
    (stroke,) = canvases.propose(fresh)
    assert isinstance(stroke.decision.action, Drag)
    assert stroke.priority > max(one.priority for one in buttons.propose(fresh))
    picked = did(decided(on(TOOLS[2])), page(*TOOLS, *PIXELS), page(*TOOLS, *PIXELS, number=1))
    assert aims(canvases.propose(see(*TOOLS, *PIXELS, brief=EDITOR, steps=(picked,)))) == ["✏️ Pencil"]
    assert not canvases.propose(see(*TOOLS[1:], *PIXELS, brief=EDITOR, steps=(picked,)))
    shown = (TOOLS[0].model_copy(update={"evidence": ("tag", "current")}), *TOOLS[1:])
    assert isinstance(canvases.propose(see(*shown, *PIXELS, brief=EDITOR, steps=(picked,)))[0].decision.action, Drag)
