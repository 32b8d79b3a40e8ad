"""Lists of one or two, which are none to the eyes: what is deleted, counted, searched, added empty. Rounds that begin alike."""

from __future__ import annotations

import pytest

from agent.skills import editors, lists, playing, tallies
from agent.skills.checks.chosen import chosen_among
from agent.skills.values import search_word, tells
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, stepped, tell, twice
from tools.browser.actions import Press, Type
from tools.browser.marks import Listing, Mark

FIELD, ADD = mark("New task", "input"), mark("Add task", at=(240, 100))


def tasks(*names: str, done: tuple[str, ...] = ()) -> tuple[Mark, ...]:
    """The controls of entries: a box and a button each."""
    found = [FIELD, ADD]
    for place, name in enumerate(names):
        y = 200.0 + 40 * place
        found.append(mark(f"Done: {name}", "input", role="checkbox", input_type="checkbox", checked=name in done, at=(20, y)))
        found.append(mark(f"Delete {name}", at=(400, y)))
    return tuple(found)


@pytest.mark.parametrize(("left", "held"), [(("Rye",), True), (("Milk",), False)])
def test_of_two_entries_the_other_one_went(left: tuple[str, ...], held: bool) -> None:
    """Which of two goes is told by the entries that were added, whatever the list looks like."""
    before = page(*tasks("Milk", "Rye"), text="Tasks: 2\nMilk\nRye")
    after = page(*tasks(*left), text="Tasks: 1\n" + "\n".join(left), number=1)
    told = tell(on(before.marks[3]), before, after, "text_disappears", text="Milk", others="Rye")
    assert (told.held, told.symptom) == (held, "" if held else "wrong_result")


def test_the_other_entries_are_named_with_the_one_to_be_deleted() -> None:
    """What the skill asks for holds the entries that have to stay."""
    pages = [
        page(*tasks(), number=0),
        page(*tasks("Milk"), text="Milk", number=1),
        page(*tasks("Milk", "Rye"), text="Milk\nRye", number=2),
    ]
    added: list = []
    for number, text in enumerate(("Milk", "Rye")):
        step = decided(on(ADD), "text_appears", text=text, skill="submit form")
        added.append(did(step, pages[number], pages[number + 1], *added))
    found = lists.propose(see(*tasks("Milk", "Rye"), text="Milk\nRye", steps=tuple(added), past=tuple(pages)))
    wish = next(one for one in found if one.decision.skill == "delete an entry").decision.expectations[0]
    assert (wish.params["text"], wish.params["others"]) == ("Milk", "Rye")


def test_an_empty_entry_was_taken_though_its_list_is_too_short_to_be_one() -> None:
    """One more can be deleted and ticked, and it was stored; where nothing was stored nothing is told."""
    before, after = page(*tasks("Milk"), text="Milk"), page(*tasks("Milk", ""), text="Milk", number=1)
    assert tell(on(ADD), before, after, "validation_shown", changes={"storage": True}).symptom == "validation_missing"
    assert tell(on(ADD), before, after, "validation_shown", changes={"storage": False}).held is not False


def test_what_is_ticked_off_is_counted() -> None:
    """On and off again, and the number stays: told at the second tick. Asked for only where the brief wants it."""
    brief = "A list of tasks that can be ticked off, with a count of those done."
    box = tasks("Milk")[2]
    assert tallies.done_counted(see(*tasks("Milk"), brief=brief), box)
    assert not tallies.done_counted(see(*tasks("Milk"), brief="A list of tasks that can be ticked off."), box)
    before, after = (
        page(*tasks("Milk"), text="Tasks done: 0"),
        page(*tasks("Milk", done=("Milk",)), text="Tasks done: 0", number=1),
    )
    both = twice(on(box), before, after, "done_counted", key="done counter")
    assert [(one.held, one.symptom) for one in both] == [(None, ""), (False, "state_not_updated")]
    right = page(*tasks("Milk", done=("Milk",)), text="Tasks done: 1", number=1)
    assert tell(on(box), before, right, "done_counted").held is True


def test_what_is_counted_for_each_day_is_no_single_number() -> None:
    """A heading over seven figures: the first of them need not be today's."""
    box = tasks("Milk")[2]
    before, after = (
        page(*tasks("Milk"), text="Tasks done by weekday: 0"),
        page(*tasks("Milk", done=("Milk",)), text="Tasks done by weekday: 0", number=1),
    )
    assert not stepped(decided(on(box), "done_counted", key="done counter"), before, after).outcomes


def test_a_word_of_one_of_two_notes_is_searched_for() -> None:
    """The list of notes has one that is open; a word that all hold, or that no such list holds, accuses nothing."""
    rows = [
        mark(name, selector=f"#list > button:nth-of-type({place + 1})", checked=place == 0 or None, at=(20, 100 + 40 * place))
        for place, name in enumerate(("Garden plan", "Lake trip"))
    ]
    find, text = mark("Search", "input", role="searchbox"), mark("Text", "textarea", value="# Garden plan", at=(300, 100))
    now = page(find, *rows, text, text="Garden plan\nLake trip")
    assert chosen_among(now) is not None
    assert search_word(now, find) == "Lake"
    assert tells(now, "Lake")
    assert not tells(page(find, rows[0], text, text="Garden plan"), "Garden")


def test_a_list_that_is_not_what_was_searched_accuses_nothing() -> None:
    """Two panes of which one holds the word, while the text changed: what was narrowed is none to the eyes."""
    panes = (Listing(selector="body", columns=("", ""), items=(("3 words",), ("A note",)), count=2),)
    find = mark("Search", "input", role="searchbox")
    act = Type(target=on(find).target, text="note")
    before, after = page(find, text="A note\nLake trip", lists=panes), page(find, text="A note", lists=panes, number=1)
    assert tell(act, before, after, "filtered", word="note", sure=1.0).held is not False
    assert [one.held for one in twice(act, before, before, "filtered", word="note", sure=1.0)] == [None, False]


def test_styles_that_the_brief_names_are_written_and_looked_at() -> None:
    """Bold and italic stand in the sample where the brief has them; their stars shown are a wrong result, told at two texts."""
    editor = mark("Note text", "textarea", size=(700, 500))
    brief = "A notes editor for Markdown with a live preview: headings, lists, bold and italic."
    found = next(one for one in editors.propose(see(editor, brief=brief)) if one.decision.skill == "write Markdown")
    wish = found.decision.expectations[0]
    written, plain = str(wish.params["text"]), str(wish.params["plain"]).splitlines()
    assert found.decision.action is not None
    assert "**Fresh** *green* herbs" in written
    assert plain == ["Garden plan", "Fresh green herbs", "Roses grow", "by the", "old stone wall", "Oat milk"]
    full = editor.model_copy(update={"value": written})
    for line, held in (("Fresh green herbs", True), ("**Fresh** *green* herbs", False), ("**Fresh** green herbs", False)):
        after = page(full, text=f"Garden plan\n{line}\nOat milk", number=1)
        told = twice(found.decision.action, page(editor), after, "rendered", text=written, plain="\n".join(plain), key="r")
        assert told[1].held is held


def test_a_round_that_is_over_is_not_paused_and_its_key_is_tried_once_more() -> None:
    """The snake was at the wall before the pause by its key could be told."""
    canvas = mark("Board", "canvas", kind="canvas", size=(480, 480))
    brief = "A snake game on a canvas. The arrow keys steer, space pauses."
    run, over = page(canvas, moving=0.01, number=1), page(canvas, text="Game over", number=2)
    pressed = stepped(decided(Press(keys=("Space",)), skill="pause a game"), run, over)
    again = see(canvas, brief=brief, steps=(pressed,), past=(run, over), moving=0.01)
    assert [one.decision.skill for one in playing.by_key(again, [pressed])] == ["pause a game"]
    told = stepped(decided(Press(keys=("Space",)), skill="pause a game"), run, run)
    assert playing.by_key(see(canvas, brief=brief, steps=(told,), past=(run, run)), [told]) == []
