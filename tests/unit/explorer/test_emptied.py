"""What empties an app is told by what was pressed and by what is gone."""

from __future__ import annotations

import pytest

from agent.explorer.emptied import empties
from tools.evidence.rows import Box
from tools.page.assertions import Clean, Target
from tools.page.model import PageModel
from tools.page.parts import Cell, Collection, Item
from tools.page.trial_records import ActSeen, TrialRecord
from tools.page.trials import Press, Trial

BOX = Box(x=0, y=0, width=9, height=9)


def page(*names: str) -> PageModel:
    """A page with a list of these."""
    items = tuple(Item(key=name, node=name, cells=(Cell(text=name),), selector=f"#{name}", box=BOX) for name in names)
    listed = Collection(
        key="l", node="l", name="List", selector="#l", box=BOX, in_view=True, kind="list", items=items, count=len(items)
    )
    return PageModel(url="http://x/", viewport=(800, 600), collections=(listed,))


@pytest.mark.parametrize(
    ("name", "within", "left", "told"),
    [
        ("Clear all", "", (), True),
        ("Reset", "", ("a",), True),
        ("Clear completed", "", ("a", "b", "c"), False),
        ("Filter", "", (), False),
        ("Clear all", "a", (), False),
    ],
    ids=["all is gone", "most is gone", "one is gone", "it only filters", "it is an item's"],
)
def test_what_empties_an_app(name: str, within: str, left: tuple[str, ...], told: bool) -> None:
    """Of four items."""
    press = Press(target=Target(kind="buttons", name=name, within=within))
    seen = ActSeen(act=press, during="acts", before=page("a", "b", "c", "d"), after=page(*left), started_ms=0, ended_ms=0)
    trial = Trial(why="it does something", acts=(press,), asserts=(Clean(),))
    assert empties(TrialRecord(trial=trial, acts=(seen,))) is told
