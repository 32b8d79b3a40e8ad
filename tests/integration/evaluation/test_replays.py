"""A replay on a real page: errors that a timer throws are waited for, and what does not come is not said to have come."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Decision, Step
from agent.proof.replay import LATE_MS, Attempt, Replay, Wanted
from tests.integration.looking import Scene
from tools.browser.actions import Click, Target, describe
from tools.evidence.rows import Acted, Changes


async def replayed(scene: Scene, button: str, error: str) -> Attempt:
    """One press of a button, repeated for an error."""
    await scene.open("late-error.html")
    click = Click(target=Target(selector=f"#{button}", role="button", name=button.capitalize()))
    acted = Acted(
        step=1,
        action=click.model_dump(mode="json"),
        description=describe(click),
        delivered=True,
        before="",
        after="",
        changes=Changes(text=False, dom=False, url=False, focus=False, picture=0.0),
        started_ms=0.0,
        ended_ms=0.0,
    )
    step = Step(number=1, decision=Decision(action=click, why="as in the run"), acted=acted, acted_id="r1")
    wanted = Wanted(told=frozenset(), thrown=frozenset({error}), ended=False)
    return await Replay(scene.stage, settle_s=0.5).attempt(wanted, [step])


@pytest.mark.parametrize(("button", "acts"), [("soon", ["click"]), ("late", ["click", "wait"])])
async def test_an_error_is_waited_for_where_it_takes_its_time(scene: Scene, button: str, acts: list[str]) -> None:
    """Its script needs the wait as well, so the wait is a step."""
    attempt = await replayed(scene, button, f"Uncaught ReferenceError: tickThatCame{button.capitalize()} is not defined")
    assert attempt.confirmed
    assert attempt.seen is not None
    assert [act["act"] for act in attempt.seen.acts] == acts
    assert attempt.seen.acts[-1].get("ms", LATE_MS) == LATE_MS


async def test_an_error_that_does_not_come_is_not_reproduced(scene: Scene) -> None:
    """Waiting makes nothing of nothing."""
    attempt = await replayed(scene, "never", "Uncaught ReferenceError: tickThatNeverCame is not defined")
    assert attempt.proof.status == "not_reproduced"
