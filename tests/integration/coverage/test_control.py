"""A control experiment tells a dead control from one whose choice was made already, by the code that ran."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Decision, Step
from agent.proof.control import Control, control
from agent.proof.own_code import OwnCode
from agent.proof.replay import Replay
from agent.skills.checks.case import Effect
from tests.integration.looking import Scene, named
from tools.browser.actions import Click, Target, describe
from tools.evidence.rows import Acted, Changes


def click(number: int, selector: str, *, changed: bool = False) -> Step:
    """A step of a run."""
    action = Click(target=Target(selector=selector, role="button", name=selector))
    acted = Acted(
        step=number,
        action=action.model_dump(mode="json"),
        description=describe(action),
        delivered=True,
        before="",
        after="",
        changes=Changes(dom=changed, text=changed),
        started_ms=0.0,
        ended_ms=0.0,
    )
    return Step(number=number, decision=Decision(action=action, why="as in the run"), acted=acted, acted_id=f"r{number}")


async def judged(scene: Scene, page: str, name: str) -> tuple[OwnCode, Control]:
    """What the code said of a press that showed nothing, and what the control experiment made of it, with no other act to try."""
    await scene.open(page)
    await scene.stage.settle(2.0)
    mark = named((await scene.stage.look("before")).observation, name)
    replay = Replay(scene.stage, settle_s=1.0)
    step = await replay.one(click(1, mark.selector), frozenset())
    assert replay.effects[-1] == Effect()
    own_code = await replay.own_code()
    assert own_code is not None
    return own_code, await control(replay, step, [step], own_code=own_code)


async def test_a_control_in_answer_to_which_nothing_ran_is_dead(watched: Scene) -> None:
    """Nothing listens to it: a defect, whatever else the page can do."""
    own_code, told = await judged(watched, "ranges.html", "Export")
    assert own_code.dead
    assert (told.result, told.words) == ("defect", "none of the app's own code ran in answer to it")


async def test_a_control_that_drew_everything_anew_is_not_accused(watched: Scene) -> None:
    """“30 days” is chosen already, though only its colour says so: its code ran and drew the same chart again."""
    own_code, told = await judged(watched, "ranges.html", "30 days")
    assert (own_code.dead, own_code.redrew) == (False, True)
    assert told.result == "cannot_tell"
    assert told.words == "its code ran and drew the page anew (choose, draw, onclick): it may show what was there already"


async def test_a_handler_that_gives_up_is_neither(watched: Scene) -> None:
    """It ran and drew nothing: the code does not explain the silence, and no other act tells."""
    own_code, told = await judged(watched, "ranges.html", "Broken")
    assert (own_code.dead, own_code.redrew) == (False, False)
    assert told.result == "cannot_tell"
    assert "no other act" in told.words


@pytest.mark.parametrize(("selector", "dead"), [("#dead", True), ("#live", False)])
async def test_what_runs_by_itself_is_no_answer(watched: Scene, selector: str, dead: bool) -> None:
    """A loop that draws all the time hides neither a dead control nor one that listens."""
    await watched.open("loop.html")
    replay = Replay(watched.stage, settle_s=0.5)
    await replay.one(click(1, selector), frozenset())
    own_code = await replay.own_code()
    assert own_code is not None
    assert own_code.dead is dead
    assert {key.rpartition(" ")[2] for key in own_code.path} == (set() if dead else {"take"})
