"""The same thing added twice is there once, with its amounts added up."""

from __future__ import annotations

import pytest

from agent.skills import merging
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, stepped
from tools.browser.marks import Listing, Observation

ADD = mark("加入购物清单", at=(100, 100))
BRIEF = "菜谱和购物清单：加入清单时，同名同单位的要合并相加。"


def shopping(*rows: tuple[str, str], number: int = 0) -> Observation:
    """A page with a shopping list."""
    listing = Listing(selector="#list", columns=("", ""), items=rows, count=len(rows))
    text = "\n".join(" ".join(row) for row in rows)
    return page(ADD, text=f"清单\n{text}", number=number, lists=(listing,))


ONCE = (("小葱", "1 根"), ("鸡蛋", "3 个"))


@pytest.mark.parametrize(("brief", "asked"), [(BRIEF, True), ("菜谱和购物清单。", False)])
def test_the_button_that_filled_a_list_is_pressed_again(brief: str, asked: bool) -> None:
    """Once, where the brief wants amounts merged."""
    step = did(decided(on(ADD), skill="press a button"), shopping(), shopping(*ONCE, number=1))
    now = shopping(*ONCE, number=1)
    survey = see(ADD, brief=brief, steps=(step,), past=(shopping(),), lists=now.lists, text=now.text)
    found = merging.propose(survey)
    assert aims(found) == (["加入购物清单"] if asked else [])
    if asked:
        again = did(found[0].decision, now, shopping(("小葱", "2 根"), ("鸡蛋", "6 个"), number=2), step)
        assert not merging.propose(see(ADD, brief=brief, steps=(step, again), past=(shopping(), now), lists=now.lists))


@pytest.mark.parametrize(
    ("rows", "held"),
    [
        ((("小葱", "2 根"), ("鸡蛋", "6 个")), [True]),
        (ONCE, [False]),
        ((*ONCE, ("小葱", "1 根"), ("鸡蛋", "3 个")), [False]),
        ((*ONCE, ("白糖", "5 克")), []),
    ],
)
def test_amounts_that_stay_are_told(rows: tuple[tuple[str, str], ...], held: list[bool]) -> None:
    """Another list than before tells nothing; rows that stand there twice are not merged."""
    act = decided(on(ADD), "added_up", lists="#list\t")
    assert [one.held for one in stepped(act, shopping(*ONCE), shopping(*rows, number=1)).outcomes] == held
