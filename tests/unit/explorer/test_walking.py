"""What is kept of an act that came to a part of what it was to be."""

from __future__ import annotations

import pytest

from agent.explorer.walking import landed
from tests.unit.explorer.test_agenda import button, page
from tools.page.assertions import Target
from tools.page.trial_records import ActSeen
from tools.page.trials import Press


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
