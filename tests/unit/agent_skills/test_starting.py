"""What a game is to begin with is what it begins with."""

from __future__ import annotations

import pytest

from agent.skills.checks.starting import chosen_to_begin
from tests.unit.agent_skills.scenes import decided, mark, on, page, stepped

GO = mark("Start game", at=(40, 500))


def level(name: str = "Start level", value: str = "6") -> tuple[str, float] | None:
    """What a select of this name was set to."""
    return chosen_to_begin(page(mark(name, "select", value=value, options=("1", "6")), GO))


def test_the_control_is_known_by_its_name() -> None:
    """And holds a number."""
    assert level() == ("level", 6.0)
    assert level("起始等级") == ("等级", 6.0)
    assert level("Level") is None
    assert level(value="hard") is None


@pytest.mark.parametrize(("before", "after", "held"), [(1, 6, [True]), (1, 1, [False]), (6, 7, []), (1, None, [])])
def test_it_begins_with_what_was_chosen(before: int, after: int | None, held: list[bool]) -> None:
    """Nothing is said where it went on from there, or shows nothing of the kind."""
    texts = [f"Level\n{value}\nScore\n0" if value is not None else "Go" for value in (before, after)]
    pages = [page(GO, text=text, number=place, moving=0.01 * place) for place, text in enumerate(texts)]
    act = decided(on(GO), "begins_with", label="level", value=6.0)
    assert [one.held for one in stepped(act, pages[0], pages[1]).outcomes] == held
