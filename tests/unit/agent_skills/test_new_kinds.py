"""What apps nobody tuned on taught: dates in pairs, numbers to scale, pages of a list, boards that take turns, named keys."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills import choices, games
from agent.skills.controls import Form
from agent.skills.persistence import propose as reloads
from agent.skills.playing import over, restart_key
from agent.skills.values import number_for, value_for
from tests.unit.agent_skills.scenes import decided, mark, on, page, see, stepped
from tools.browser.actions import Press
from tools.browser.marks import Mark


def test_the_second_of_two_dates_is_later() -> None:
    """An end, a return, a departure: some days after the first; the first itself keeps its own."""
    start = mark("Start date", "input", input_type="date", value="2030-06-15", at=(100, 100))
    end = mark("End date", "input", input_type="date", at=(300, 100))
    assert value_for(end, page(start, end)) == "2030-06-21"
    assert value_for(start, page(start, end)) == "2030-06-14"
    assert value_for(end, page(start.model_copy(update={"value": ""}), end)) == "2030-06-15"
    born = mark("Date of birth", "input", input_type="date", value="1990-05-17", at=(100, 50))
    assert value_for(end, page(born, end)) == "2030-06-15"


def test_a_number_is_of_the_scale_of_what_stands_there() -> None:
    """A house for 400 000 costs half a million, not nothing; where nothing stands the label tells."""
    house = mark("Home price", "input", input_type="number", value="400000", minimum="0", step="1000")
    assert number_for(house) == "500000"
    assert number_for(house, turn=1) == "300000"
    assert float(number_for(mark("Age", "input", input_type="number", value="40"))) < 100


def test_boxes_at_entries_are_sampled_over_pages() -> None:
    """Three of "Select Anna", "Select Ben" … are enough, whichever page of the list shows."""
    boxes = [mark(f"Select {name}", "input", role="checkbox", input_type="checkbox", checked=False, at=(50, 100 + 40 * row))
             for row, name in enumerate(("Anna", "Ben", "Cem", "Dana", "Eli", "Fay", "Gil"))]  # fmt: skip
    before = page(*boxes)
    steps = []
    for box in boxes[:3]:
        steps.append(stepped(decided(on(box), skill="tick a box"), before, page(*boxes, number=len(steps) + 1), tuple(steps)))
    later = [
        one.model_copy(update={"name": f"Select {name}", "signature": name}) for one, name in zip(boxes, "TUVWXYZ", strict=True)
    ]
    assert not choices.propose(see(*later, steps=tuple(steps)))
    assert choices.propose(see(*boxes, steps=tuple(steps[:2])))


def pager(current: str) -> tuple[Mark, ...]:
    """Prev, 1, 2, 3, Next; nothing in the markup tells the current one."""
    names = ("‹ Prev", "1", "2", "3", "Next ›")
    return tuple(mark(name, at=(100 + 60 * place, 500), size=(50, 32)) for place, name in enumerate(names))


def test_the_page_shown_may_be_pressed_in_vain() -> None:
    """After a filter the list is back at its first page; after page 2 page 1 must come."""
    row = pager("1")
    chip = mark("Sales", at=(100, 50))
    all_, some = page(chip, *row, text="a\nb"), page(chip, *row, text="a", number=1)
    filtered = stepped(decided(on(chip)), all_, some)
    told = stepped(decided(on(row[1])), some, some, (filtered,))
    assert told.outcomes[0].attempts == 0
    turned = stepped(decided(on(row[2])), all_, some)
    assert stepped(decided(on(row[1])), some, some, (turned,)).outcomes[0].attempts == 1


def test_a_form_keeps_its_name_when_it_complains() -> None:
    """What is said of a field may stand in its label."""
    plain, told = mark("Name", "input"), mark("Name Please tell us your name.", "input")
    assert Form((plain,), (), None).key == Form((told,), (), None).key
    assert Form((mark("Home Address line", "input"),), (), None).key == '"Home Address line"'


def test_a_remembered_theme_promises_nothing_about_messages() -> None:
    """Who sent a message and reloads finds an empty form again."""
    field, send = mark("Name", "input", value="Anna Keller"), mark("Send message")
    before, after = page(field, send), page(text="Thank you, Anna Keller!", number=1)
    sent = stepped(decided(on(send), "accepted", values="Anna Keller", skill='submit form "Name"'), before, after)
    brief = "A landing page with a contact form and a theme toggle that is remembered."
    survey = see(brief=brief, text="Thank you, Anna Keller!", steps=(sent,), past=(before, after))
    assert survey.view.plan.promises
    assert not [one for one in reloads(survey) for wish in one.decision.expectations if wish.oracle == "persists"]


def board(*, disabled: bool = False) -> tuple[Mark, ...]:
    """Nine cells that have names of their own, so that the eyes see no group."""
    return tuple(
        mark(f"Square {n + 1}, empty", disabled=disabled, at=(100 + 80 * (n % 3), 100 + 80 * (n // 3)), size=(70, 70))
        for n in range(9)
    )


TTT = "A Tic-Tac-Toe game against the computer. It should also be playable with the number keys 1-9."


def test_a_round_on_a_board_is_played_on() -> None:
    """While the other side moves it is waited; nothing else is pressed in between."""
    cells, taken = board(), board(disabled=True)
    played = stepped(decided(on(cells[0]), skill="play a cell"), page(*cells), page(*taken, text="Thinking", number=1))
    waiting = see(*taken, brief=TTT, text="Thinking", steps=(played,), past=(page(*cells), page(*taken)))
    assert [one.decision.skill for one in games.propose(waiting)] == ["wait for a turn"]
    next_move = see(*cells, brief=TTT, text="Your turn", steps=(played,), past=(page(*cells), page(*taken)))
    best = max(games.propose(next_move), key=lambda one: one.priority)
    assert best.decision.skill in ("play a cell", "play by number keys")


def test_number_keys_are_pressed_where_they_are_named() -> None:
    """And no arrows, which nobody promised."""
    keys = [one.decision.action.keys for one in games.propose(see(*board(), brief=TTT)) if isinstance(one.decision.action, Press)]
    assert keys == [("5",)]
    arrows = games.propose(see(*board(), brief="A 2048 game on a board, steered with the arrow keys."))
    assert any(isinstance(one.decision.action, Press) and "ArrowLeft" in one.decision.action.keys for one in arrows)


def test_wins_from_the_start_are_no_end_of_a_round() -> None:
    """A score board counts wins before anybody has won."""
    first = page(*board(), text="Wins: 0\nYour turn")
    assert not over(see(*board(), brief=TTT, text="Wins: 1\nYour turn", past=(first,)))
    assert over(see(*board(), brief=TTT, text="Wins: 1\nYou win!", past=(first,)))


def test_buttons_in_one_row_are_no_board() -> None:
    """A board has rows and columns."""
    row = tuple(mark(f"Level {n}", at=(100 + 130 * n, 100)) for n in range(6))
    assert games.board_of(see(*board(), brief=TTT)) == list(board())
    assert games.board_of(see(*row, brief=TTT)) == []


def test_a_restart_has_a_key() -> None:
    """As the page or the brief names it."""
    assert restart_key(see(brief="P pauses and R restarts.")) == "r"
    assert restart_key(see(brief="A game.", text="Press Enter to restart")) == "Enter"
    assert not restart_key(see(brief="A game with a restart button."))


def test_whose_turn_it_is_counts_nothing() -> None:
    """A label that names the side to move beside a figure of something else; `Turns` does count."""
    cells = board()
    for label, held in (("Your turn (X)", None), ("Turns", False)):
        before, after = page(*cells, text=f"{label}: 0\nGo"), page(*cells, text=f"{label}: 0\nOn", number=1)
        steps: list[Step] = []
        for cell in cells[:4]:
            steps.append(stepped(decided(on(cell), "counts", of="moves", key="moves counter"), before, after, tuple(steps)))
        assert [one.held for one in steps[-1].outcomes][-1:] == ([held] if held is not None else [])
