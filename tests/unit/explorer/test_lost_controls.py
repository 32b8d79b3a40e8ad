"""A control that could not be asked where its trial ended is asked by whoever begins anew; others stay as they were judged."""

from __future__ import annotations

import pytest

from agent.explorer.lost_controls import WAY_AT_MOST, from_the_start
from tools.page.assertions import Assertion, Clean, Outcome, Refused, Target
from tools.page.model import PageModel
from tools.page.trial_records import ActSeen, Judged, Stopped, TrialRecord
from tools.page.trials import Control, Forget, Press, Reload, Trial, Visit

PAGE = PageModel(url="http://x/", viewport=(800, 600))
SEND, OPEN = Press(target=Target(kind="buttons", name="Send")), Press(target=Target(kind="buttons", name="Open"))
REFUSED = Refused(fields=(), values=())


def judged(assertion: Assertion, result: str) -> Judged:
    """An assertion that came to that."""
    return Judged(assertion=assertion, outcome=Outcome.model_validate({"result": result, "seen": ""}))


def record(*found: Judged, control: str = "cannot tell", **more: object) -> TrialRecord:
    """A trial whose control was begun, and came to that."""
    trial = Trial(
        why="refuses",
        acts=(SEND,),
        asserts=(REFUSED,),
        control=Control(explains="it takes nothing", precondition=(Reload(), OPEN), acts=(SEND,), asserts=(REFUSED,)),
    )
    seen = ActSeen(act=Reload(), during="control", before=PAGE, after=PAGE, started_ms=0, ended_ms=0)
    return TrialRecord.model_validate(
        {"trial": trial, "acts": (seen,), "judged": found, "control": (judged(REFUSED, control),), **more}
    )


def test_the_way_is_gone_again_for_the_trial_and_for_its_control() -> None:
    """From an opening of its own each; what led from the trial's end to the control but for reloads follows."""
    again = from_the_start(record(judged(REFUSED, "violated")), (OPEN,), "http://127.0.0.1:8123/shop?a=1")
    assert again is not None
    assert again.afresh
    assert again.precondition == (OPEN,)
    assert again.acts == (SEND,)
    assert again.control is not None
    assert again.control.precondition == (Visit(address="/shop?a=1"), Forget(), OPEN, OPEN)


@pytest.mark.parametrize(
    ("found", "way"),
    [
        (record(judged(REFUSED, "held")), (OPEN,)),
        (record(judged(REFUSED, "cannot tell"), judged(Clean(), "violated")), (OPEN,)),
        (record(judged(REFUSED, "violated"), control="held"), (OPEN,)),
        (record(judged(REFUSED, "violated"), control="violated"), (OPEN,)),
        (record(judged(REFUSED, "violated")), (OPEN,) * (WAY_AT_MOST + 1)),
        (record(judged(REFUSED, "violated")), None),
        (record(judged(REFUSED, "violated"), stopped=Stopped(why="hung", during="acts", act=0, words="")), (OPEN,)),
    ],
    ids=["held", "only an error on the way", "explained", "told", "a long way", "no way", "the page hung"],
)
def test_what_was_told_or_cannot_be_reached_is_left(found: TrialRecord, way: tuple[Press, ...] | None) -> None:
    """Nothing is done twice for them."""
    assert from_the_start(found, way, "http://x/") is None
