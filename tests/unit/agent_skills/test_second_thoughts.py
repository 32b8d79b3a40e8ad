"""What an app nobody tuned on showed: tools on chosen text, confirmations, entries before a deletion, motion from the start."""

from __future__ import annotations

import pytest

from agent.skills import games, layers, lists, persistence, simulations
from tests.unit.agent_skills.scenes import acts, decided, did, mark, on, page, see, tell, twice
from tools.browser.actions import Click, Reload, Wait
from tools.browser.marks import Drawing, Listing, Mark

BOLD = mark("B")


def editor(value: str) -> Mark:
    """A large field to write in."""
    return mark("Text", "textarea", at=(0, 100), size=(600, 600), value=value)


def test_a_tool_changes_the_chosen_text() -> None:
    """The text as it was after two presses is a dead tool, whatever else the page says; another text is none."""
    before, same = page(BOLD, editor("A plain line"), text="Saved"), page(BOLD, editor("A plain line"), text="Saving…", number=1)
    told = twice(on(BOLD), before, same, "formats", key="tool B")
    assert (told[0].held, told[1].held, told[1].symptom) == (None, False, "dead_control")
    assert tell(on(BOLD), before, page(BOLD, editor("**A plain line**"), number=1), "formats").held is True


def test_what_was_only_turned_down_is_confirmed_at_the_end() -> None:
    """`New` asks, `Cancel` says no: it is opened again, and what it asks is answered with yes."""
    new = mark("New")
    below = [new.model_copy(update={"covered": True}), editor("Text").model_copy(update={"covered": True})]
    asked = page(*below, mark("Cancel", at=(500, 400)), mark("Clear text", at=(650, 400)), number=1)
    before = page(new, editor("Text"))
    opened = did(decided(on(new)), before, asked)
    closed = did(decided(on(mark("Cancel", at=(500, 400)))), asked, before, opened)
    calm = layers.propose(see(new, editor("Text"), steps=(opened, closed), past=(before, asked)))
    assert [one.decision.skill for one in calm] == ["open what asks for a confirmation"]
    again = did(decided(on(new), skill="open what asks for a confirmation"), before, asked, opened, closed)
    sure = layers.propose(see(*asked.marks, steps=(opened, closed, again), past=(before, asked, before)))
    assert [one.decision.action.target.name for one in sure] == ["Clear text"]  # type: ignore[union-attr]
    assert tell(on(mark("Clear text")), asked, page(new, editor("")), "cleared").held is True
    assert tell(on(mark("Clear text")), asked, page(new, editor("Text")), "cleared").held is False


def test_an_entry_outlasts_a_reload_before_anything_is_deleted() -> None:
    """Where the brief promises that it is kept; afterwards it may be deleted."""
    brief = "A list to add tasks. Tasks can be deleted. Tasks survive a reload."
    field, gone = mark("New task", "input"), mark("Delete Rye bread", at=(500, 200))
    before, after = page(field), page(field, gone, text="Rye bread", number=1)
    added = did(decided(on(mark("Add")), "text_appears", text="Rye bread"), before, after)
    row = (Listing(selector="#list", columns=("",), items=(("Rye bread",),), count=1),)
    thanks = see(field, gone, brief=brief, steps=(added,), past=(before,), text="Thank you, Rye bread")
    assert not any(one.priority == persistence.RIGHT_AWAY for one in persistence.propose(thanks))
    survey = see(field, gone, brief=brief, steps=(added,), past=(before,), text="Rye bread", lists=row)
    assert [act for act in acts(lists.propose(survey)) if isinstance(act, Click)] == []
    assert any(one.priority == persistence.RIGHT_AWAY for one in persistence.propose(survey))
    back = did(decided(Reload(), "persists", text="Rye bread", promised=1.0, skill=persistence.EARLY), after, after, added)
    later = see(field, gone, brief=brief, steps=(added, back), past=(before, after), text="Rye bread", lists=row)
    assert [act.target.name for act in acts(lists.propose(later)) if isinstance(act, Click)] == ["Delete Rye bread"]


@pytest.mark.parametrize(("digest", "held"), [("a", True), ("b", None)])
def test_what_ran_from_the_start_is_stopped_and_watched(digest: str, held: bool | None) -> None:
    """Its drawing tells, for the page never stood still; then it goes on."""
    pause = mark("Pause")
    first = page(pause, moving=0.02)
    survey = see(pause, brief="A flocking simulation of boids with pause and reset", past=(first,), steps=(), moving=0.02)
    assert [one.decision.skill for one in simulations.propose(survey)] == ["stop a simulation"]
    drawn = [page(pause, drawings=(Drawing(selector="#sky", digest=sign),), number=at) for at, sign in enumerate(("a", digest))]
    assert tell(Wait(ms=1300), drawn[0], drawn[1], "still", still_at_first=0.0, drawn=1.0).held is held


def test_a_right_click_is_tried_where_it_is_said_to_do_something() -> None:
    """After two cells, on one that shows nothing; without a word of it, never."""
    cells = [
        mark("", "div", at=(100 + 40 * n, 100), size=(34, 34), group="g", selector=f"#c{n}", signature=f"s{n}") for n in range(9)
    ]
    played: tuple = ()
    for cell in cells[:2]:
        played = (*played, did(decided(on(cell), skill="play a cell"), page(*cells), page(*cells, number=1), *played))
    for brief, wanted in (("A Minesweeper game. Right click places a flag.", ["right"]), ("A Minesweeper game.", [])):
        found = acts(games.propose(see(*cells, brief=brief, steps=played, past=(page(*cells),))))
        assert [act.button for act in found if isinstance(act, Click) and act.button == "right"] == wanted
