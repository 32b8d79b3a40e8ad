"""Control experiments on a real page: what a silence is told from, by another act in the same state and the same act again."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Decision, Step
from agent.proof.control import control
from agent.proof.replay import Replay
from agent.skills.checks.case import Effect
from tests.integration.looking import Scene
from tools.browser.actions import Action, Click, Select, SetValue, Target, describe
from tools.evidence.rows import Acted, Changes

PAGE = "silences.html"


def button(name: str, selector: str) -> Click:
    """A press on a button of the page."""
    return Click(target=Target(selector=selector, role="button", name=name))


def size(value: str) -> Select:
    """A choice of the page's size."""
    return Select(target=Target(selector="#size", role="combobox", name="Size"), value=value)


def pace(value: str) -> SetValue:
    """A pace, which nothing on the page follows at once."""
    return SetValue(target=Target(selector="#pace", role="slider", name="Pace"), value=value)


def step_of(number: int, action: Action) -> Step:
    """A step as a run has it, before it is carried out."""
    acted = Acted(
        step=number,
        action=action.model_dump(mode="json"),
        description=describe(action),
        delivered=True,
        before="",
        after="",
        changes=Changes(text=False, dom=False, url=False, focus=False, picture=0.0),
        started_ms=0.0,
        ended_ms=0.0,
    )
    return Step(number=number, decision=Decision(action=action, why="as in the run"), acted=acted, acted_id=f"r{number}")


async def run(scene: Scene, *actions: Action) -> Replay:
    """The acts carried out on a fresh page, as an exploration does them."""
    await scene.open(PAGE)
    replay = Replay(scene.stage, settle_s=0.5)
    for number, action in enumerate(actions, 1):
        await replay.one(step_of(number, action), frozenset())
    return replay


@pytest.mark.parametrize(
    ("judged", "others", "result", "words"),
    [
        # Nothing listens to it, though the page went on.
        (button("Export", "#dead"), [button("Add a line", "#add"), button("30 days", "#month")], "defect", "still does nothing"),
        # It is chosen already.
        (button("7 days", "#week"), [button("Add a line", "#add"), button("30 days", "#month")], "explained", "has an effect"),
        # There was nothing to clear.
        (button("Clear", "#clear"), [button("Add a line", "#add")], "explained", "has an effect"),
        # Nothing else was ever done, so nothing tells.
        (button("Export", "#dead"), [], "cannot_tell", "no other act"),
        # A pace may be meant for the next round: other acts say nothing of it.
        (pace("9"), [button("Add a line", "#add"), button("30 days", "#month")], "cannot_tell", "no other act"),
        # Another value of the same field is followed, and this one is not, whatever came before it.
        (size("huge"), [size("large"), button("Add a line", "#add")], "defect", "still does nothing"),
        # The value that is there already changes nothing; after another it does.
        (size("small"), [size("large")], "explained", "has an effect"),
    ],
    ids=["dead", "chosen", "empty", "alone", "for later", "one value ignored", "same value"],
)
async def test_a_control_tells_a_defect_from_an_innocent_silence(
    scene: Scene, judged: Action, others: list[Action], result: str, words: str
) -> None:
    """The other acts come from the run; the silence is met again on a fresh page before its control."""
    explored = await run(scene, judged, *others)
    assert explored.effects[0] == Effect()
    await scene.open(PAGE)
    replay = Replay(scene.stage, settle_s=0.5)
    met = await replay.one(explored.done[0], frozenset())
    told = await control(replay, met, explored.done, own_code=None)
    assert (told.result, words in told.words) == (result, True), told.words
