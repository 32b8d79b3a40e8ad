"""What ten apps that nobody tuned on taught: boards that are drawn, names changed in place, complaints that stand, views."""

from __future__ import annotations

import pytest

from agent.deciders.curious import with_contents
from agent.deciders.protocol import Step
from agent.skills import drawn_boards, keyboard, mending, playing
from agent.skills.amounts import total_that_follows
from agent.skills.checks.prices import counts_pieces
from agent.skills.controls import forms as forms_of
from agent.skills.forms import takes_entries
from agent.skills.governing import governs
from agent.skills.untouched import untouched
from tests.unit.agent_skills.scenes import acts, decided, did, mark, on, page, see, tell, twice
from tools.browser.actions import Click, Press, Select, Target, Type, Wait

FILTERS = "Switches for sports, a slider for the shortest session; charts and table must all follow these filters."
MINES = "A minesweeper. Left click opens a field."
FIELD = mark("Minefield", "canvas", at=(300, 200), size=(300, 300), listeners=("pointerdown",))
NEW, EXPERT = mark("New game", at=(40, 40)), mark("Expert 30 × 16", at=(200, 40))


def test_a_drawn_board_is_clicked_here_and_there() -> None:
    """In a game that is played with clicks and stands still, until it is over."""
    first = acts(drawn_boards.propose(see(FIELD, NEW, brief=MINES)))[0]
    assert isinstance(first, Click)
    step = did(decided(first, skill=drawn_boards.PLAY), page(FIELD, NEW), page(FIELD, NEW, number=1))
    second = acts(drawn_boards.propose(see(FIELD, NEW, brief=MINES, steps=(step,))))[0]
    assert (first.target.dx, first.target.dy) != (second.target.dx, second.target.dy)
    assert not drawn_boards.propose(see(FIELD, NEW, brief="Snake, steered with the arrow keys."))
    assert not drawn_boards.propose(see(FIELD, NEW, brief=MINES, text="Game over"))
    assert not drawn_boards.propose(see(FIELD, NEW, brief=MINES, animated=True))


def test_a_new_round_of_a_board_that_is_new_shows_nothing() -> None:
    """After another size was chosen nothing is held against it; once something was played it has to begin anew."""
    before, after = page(FIELD, NEW, EXPERT), page(FIELD, NEW, EXPERT, text="99 mines", number=1)
    sized = did(decided(on(EXPERT), "sized", skill="press a button", cells=480.0), before, after)
    played = did(decided(on(FIELD), skill=drawn_boards.PLAY), after, page(FIELD, NEW, EXPERT, text="98 mines", number=2), sized)
    assert untouched((sized,))
    assert not untouched((sized, played))
    assert not untouched(())
    for history, attempts in (((sized,), 0), ((sized, played), 1)):
        (told,) = did(decided(on(NEW)), after, after.model_copy(update={"id": "o3"}), *history).outcomes
        assert (told.held, told.attempts) == (None, attempts)


@pytest.mark.parametrize(("value", "adds"), [("", True), ("To do", False)])
def test_a_name_that_stands_there_is_changed_not_added(value: str, adds: bool) -> None:
    """The line over a column holds its name from the first; the button beneath it adds cards."""
    line, add = mark("Column name", "input", value=value), mark("+ Add a card", at=(100, 150))
    survey = see(line, add, brief="A kanban board with columns and cards.")
    assert takes_entries(survey, forms_of(survey.usable)[0]) is adds


def test_a_complaint_that_stands_since_before_is_mended() -> None:
    """The form was sent, objected to two fields, one was put right: the other complaint is no new line."""
    name, years = (
        mark("Name", "input", value="Anna"),
        mark("Years with a licence", "input", input_type="number", value="48", at=(100, 160)),
    )
    send, said = mark("Continue", at=(100, 220)), "Years with a licence: at most 18 at that age"
    fresh, told = page(name, years, send), page(name, years, send, text=said, number=1)
    wrong = did(decided(on(send), "refused", skill='submit wrongly "Name"'), fresh, told)
    again = did(decided(on(send), "accepted", skill='submit form "Name"'), told, told.model_copy(update={"id": "o2"}), wrong)
    survey = see(name, years, send, text=said, steps=(wrong, again), past=(fresh, told))
    found = mending.propose(survey)
    assert [one.decision.skill for one in found] == [mending.MEND]
    assert isinstance(acts(found)[0], Type)


def test_keys_are_pressed_in_the_view_that_was_there_first() -> None:
    """Space turns a card, and there is no card in the quiz."""
    brief = "Flashcards. Press Space to turn the card. The quiz is a view of its own."
    cards, quiz = mark("Cards", evidence=("tag", "current")), mark("Quiz", at=(300, 100))
    there = see(cards, quiz, brief=brief)
    assert any(isinstance(one, Press) for one in acts(keyboard.propose(there)))
    other = (cards.model_copy(update={"evidence": ("tag",)}), quiz.model_copy(update={"evidence": ("tag", "current")}))
    assert not keyboard.propose(see(*other, brief=brief, past=(page(cards, quiz),)))
    tabs = [
        mark(name, role="tab", at=(100 + 200 * place, 100), checked=place == 0) for place, name in enumerate(("Cards", "Quiz"))
    ]
    swapped = [one.model_copy(update={"checked": not one.checked}) for one in tabs]
    assert keyboard.propose(see(*tabs, brief=brief))
    assert not keyboard.propose(see(*swapped, brief=brief, past=(page(*tabs),)))


@pytest.mark.parametrize(
    ("control", "brief", "told"),
    [
        (
            "Shortest session",
            "Switches for sports, a slider for the shortest session; all charts must all follow these filters.",
            True,
        ),
        ("Volume", "Switches for sports, a slider for the shortest session; all charts must all follow these filters.", False),
        ("Price of the home", "Everything recalculates as I type.", True),
        ("Price of the home", "It checks everything and answers with a thank-you.", False),
    ],
)
def test_what_everything_follows_may_be_named_before(control: str, brief: str, told: bool) -> None:
    """`These filters` are those of the clause before; what is typed in is all there is where everything recalculates."""
    assert governs(mark(control, "input", input_type="range", role="slider"), brief) is told


def test_how_many_there_are_is_asked_in_other_words() -> None:
    """And the total that follows a select of the same form is seen to follow."""
    assert counts_pieces("How many (1 to 8)")
    assert not counts_pieces("How many years")
    kind = mark("Ticket", "select", value="59", options=("59", "179"), option_names=("Day", "Camping"))
    before, after = page(kind, text="Total\n£59.00"), page(kind, text="Total\n£179.00", number=1)
    chose = Select(target=Target.of(kind), value="179")
    steps: list[Step] = [did(decided(chose, "value_kept", skill='fill form "Name"', value="179"), before, after)]
    assert total_that_follows(see(kind, text="Total\n£179.00", steps=tuple(steps), past=(before, after)))


def test_the_time_of_a_round_that_is_over_stands() -> None:
    """Watched right after the end where it was seen to run; what runs on is told."""
    before, over = page(FIELD, NEW, text="seconds 4"), page(FIELD, NEW, text="seconds 6\nBoom!", number=1)
    step = did(decided(on(FIELD), skill=drawn_boards.PLAY), before, over)
    survey = see(FIELD, NEW, brief=MINES, text=over.text, steps=(step,), past=(page(FIELD, NEW, text="seconds 0"), before))
    (found,) = playing.watch_the_end(survey)
    assert found.decision.expectations[0].oracle == "time_stands"
    wait = found.decision.action
    assert isinstance(wait, Wait)
    later = over.model_copy(update={"id": "o2", "text": "seconds 8\nBoom!"})
    assert tell(wait, over, later, "time_stands").symptom == "wrong_result"
    assert tell(wait, over, over, "time_stands").held is True
    assert not playing.watch_the_end(see(FIELD, NEW, brief=MINES, text=before.text, steps=(step,), past=(before,)))


def test_the_seconds_of_a_countdown_run_meanwhile() -> None:
    """Told at the second step that takes long enough; a pause of the page's own says nothing of the first."""
    before, later = page(NEW, text="12 days\nseconds 40"), page(NEW, text="12 days\nseconds 37", number=3)
    stands = later.model_copy(update={"text": before.text})
    assert tell(on(NEW), before, later, "seconds_run").held is True
    assert [one.held for one in twice(on(NEW), before, stands, "seconds_run")] == [None, False]
    assert tell(on(NEW), before, stands.model_copy(update={"app_ms": 300.0}), "seconds_run").attempts == 0


@pytest.mark.parametrize(
    ("after", "held"),
    [("Search", False), ("Search\nNothing found", False), ("Search\nUrgent news", True), ("Results\nOne\nTwo\nThree", None)],
)
def test_a_search_that_leaves_nothing_that_held_the_word_is_wrong(after: str, held: bool | None) -> None:
    """Lines go, next to none come, and none of those with the word stays; another page of results tells nothing."""
    find = mark("Search cards", "input", role="searchbox")
    act = Type(target=Target.of(find), text="Urgent")
    before = page(find, text="Search\nUrgent news\nCall Anna\nBook a room\nWrite it down")
    assert tell(act, before, page(find, text=after, number=1), "filtered", word="Urgent", sure=1.0).held is held


def test_a_countdown_is_told_of_once() -> None:
    """Where a page counts down by itself; every further step would be another failure of the same kind."""
    brief, press = "A landing page with a live countdown to the next edition.", decided(on(EXPERT), skill="press a button")
    here, later = page(EXPERT, text="seconds 40"), page(EXPERT, text="seconds 40", number=3)
    first = with_contents(press, see(EXPERT, brief=brief, text=here.text))
    assert "seconds_run" in [one.oracle for one in first.expectations]
    steps = [did(first, here, later)]
    steps.append(did(first, later, later.model_copy(update={"id": "o6", "app_ms": 6000.0}), *steps))
    assert [one.held for step in steps for one in step.outcomes if one.oracle == "seconds_run"] == [None, False]
    again = with_contents(press, see(EXPERT, brief=brief, text=here.text, steps=tuple(steps)))
    assert "seconds_run" not in [one.oracle for one in again.expectations]
    assert "seconds_run" not in [one.oracle for one in with_contents(press, see(EXPERT, mark("Start"), brief=brief)).expectations]
