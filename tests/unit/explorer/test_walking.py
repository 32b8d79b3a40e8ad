"""What is kept of acts, and of the ways that they were."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from agent.explorer.states import LONGEST_WAY, States
from agent.explorer.walking import Walker, landed
from tests.unit.explorer.test_agenda import BOX, button, page
from tools.browser.stage import Stage
from tools.page.assertions import Clean, Target
from tools.page.model import PageModel
from tools.page.parts import Field
from tools.page.trial_records import ActSeen, TrialRecord
from tools.page.trials import Fill, Press, Trial


@pytest.mark.parametrize(
    ("delivered", "times", "opened", "wanted"),
    [(True, 7, True, 7), (False, 7, True, 1), (False, 7, False, 0), (False, 1, True, 0)],
    ids=["all of it", "the first press opened what covers it", "none of it", "the page changed by itself"],
)
def test_of_seven_presses_the_first_may_have_landed(delivered: bool, times: int, opened: bool, wanted: int) -> None:
    """A way on which it is missing leads elsewhere."""
    act = Press(target=Target(kind="buttons", name="Edit"), times=times)
    after = page(button("Edit"), button("Save")) if opened else page(button("Edit"))
    seen = ActSeen(act=act, during="acts", before=page(button("Edit")), after=after, started_ms=0, ended_ms=0)
    found = landed([seen.model_copy(update={"delivered": delivered})])
    assert [each.times for each in found if isinstance(each, Press)] == ([wanted] if wanted else [])


def test_a_state_is_gone_to_as_it_was_come_to_once() -> None:
    """What a page holds need not show on it: "Continue" leads elsewhere after another choice. What was walked has chosen it."""
    home, chosen, further = page(button("Choose")), page(button("Continue")), page(button("Pay"))
    states = States()
    (start, _), (middle, _), (end, _) = (states.enter(seen) for seen in (home, chosen, further))
    choose, go_on = (Press(target=Target(kind="buttons", key=name, name=name)) for name in ("Choose", "Continue"))
    states.led(start, (choose,), middle)
    states.led(middle, (go_on,), end)
    kept = Press(target=Target(kind="buttons", key="Other", name="Other"))
    states.came(end, (kept, go_on))
    assert states.way(start, end) == (kept, go_on)
    states.forget(start, end)
    assert states.way(start, end) == (choose, go_on)
    states.came(end, (choose,) * (LONGEST_WAY + 1))
    assert states.way(start, end) == (choose, go_on)


def test_what_was_typed_on_a_way_was_typed_by_hand() -> None:
    """Else it would be taken for what the app shows of itself, and held against it when a cancelled dialog shows it no more."""

    def named(value: str) -> PageModel:
        field = Field(key="Name", node="n", name="Name", selector="#n", box=BOX, in_view=True, kind="text", value=value)
        return page(fields=(field,))

    act = Fill(target=Target(kind="fields", key="Name", name="Name"), value="Rope")
    seen = ActSeen(act=act, during="acts", before=named(""), after=named("Rope"), started_ms=0, ended_ms=0)
    walker = Walker(cast("Stage", SimpleNamespace(ledger=None)), "")  # no act is done here
    walker.went(TrialRecord(trial=Trial(why="the way to a state", acts=(act,), asserts=(Clean(),)), acts=(seen,)))
    assert walker.hand_filled == {("Name", "Rope")}
    assert (walker.acts, walker.history) == (1, (act,))
