"""A diagram that a brief describes, drawn by a real page: whole, and without one of the links that were asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from agent.deciders.protocol import Decision, Step, View
from agent.planning import make_plan
from agent.shown_diagrams import with_diagram
from agent.skills.diagrams import propose
from agent.skills.oracles import check
from agent.skills.survey import Survey
from tests.integration.curious.driving import explore, quick
from tools.browser import eyes
from tools.browser.actions import describe
from tools.browser.stage import Stage
from tools.diagram.graph import Diagram
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Acted, Changes, DiagramRead
from tools.processes import ProcessList

pytestmark = pytest.mark.long  # of the skills and oracles that relations are to replace

APP = Path(__file__).parents[2] / "fixtures" / "apps" / "services"
BRIEF = (APP / "brief.txt").read_text(encoding="utf-8")


async def _looked(stage: Stage, view: View) -> View:
    """The view after one step of the skill; what it does not propose ends the test."""
    (best,) = propose(Survey(view))
    decision = best.decision
    assert decision.action is not None
    performed = await stage.perform(decision.action)
    after = (await with_diagram(stage, decision, await eyes.look(stage, "after"))).observation
    acted = Acted(
        step=len(view.steps) + 1,
        action=decision.action.model_dump(mode="json"),
        description=describe(decision.action),
        delivered=performed.delivered,
        before=view.now.id,
        after=after.id,
        changes=Changes(),
        started_ms=performed.started_ms,
        ended_ms=performed.ended_ms,
    )
    number = f"a{acted.step}"
    told = [
        check(wish, before=view.now, after=after, acted=acted, acted_id=number, history=view.steps)
        for wish in decision.expectations
    ]
    step = Step(acted.step, decision, acted, number, tuple(outcome for outcome in told if outcome is not None))
    return replace(view, now=after, steps=(*view.steps, step), past=(*view.past, view.now))


async def test_what_a_page_draws_is_held_against_its_brief(serve: Callable[[Path], str], tmp_path: Path) -> None:
    """Whole: every link is seen at the first look. Broken: the one that is not drawn is accused, at the second look."""
    settings, url = quick(), serve(APP)
    ledger = Ledger.create(tmp_path / "run")
    with ProcessList(tmp_path / "run") as processes:
        stage = await Stage.open(
            ledger=ledger, settings=settings, site=url, run_dir=tmp_path / "run", processes=processes, record=False
        )
        try:
            whole = await _looked(stage, await _view(stage, url + "whole.html"))
            broken = await _looked(stage, await _view(stage, url + "broken.html"))
            # Another step lies between the two looks: a diagram that may be unfolded has had its chance.
            other = replace(broken.steps[-1], decision=Decision(action=None, why="", skill="press a button"), outcomes=())
            twice = await _looked(stage, replace(broken, steps=(*broken.steps, other)))
        finally:
            await stage.close()
            ledger.close()
    assert [told.held for told in whole.steps[0].outcomes] == [True, True]
    assert sorted(str(told.held) for told in broken.steps[0].outcomes) == ["None", "True"]
    (accused,) = twice.steps[-1].outcomes
    assert (accused.held, accused.symptom) == (False, "missing_feature")
    assert 'no link leads from "API gateway" to "Orders"' in accused.observed
    assert propose(Survey(whole)) == []
    _check_evidence(tmp_path / "run", whole.now.id)


async def _view(stage: Stage, address: str) -> View:
    assert await stage.goto(address)
    first = (await eyes.look(stage, "first")).observation
    return View(brief=BRIEF, plan=make_plan(BRIEF, "en", first), now=first, steps_left=20, seconds_left=60.0, entry_url=address)


def _check_evidence(run_dir: Path, observation: str) -> None:
    record = Record.read(run_dir)
    rows = {body.form: (row, body) for row, body in record.of(DiagramRead) if row.parent == observation}
    row, body = rows["graph"]
    assert row.blob is not None
    graph = Diagram.from_json(record.blobs.get(row.blob).decode())
    assert (len(graph.nodes), len(graph.edges), body.where, body.whole) == (6, 5, "svg#map", True)
    overlay = rows["overlay"][0].blob
    assert overlay is not None
    assert record.blobs.get(overlay).startswith(b"\x89PNG")


@pytest.mark.long
async def test_the_whole_exploration_accuses_the_missing_link_alone(serve: Callable[[Path], str], tmp_path: Path) -> None:
    """Through the decider: the skill is chosen, looks twice, and nothing else is held against the page."""
    found = await explore(f"{serve(APP)}broken.html", BRIEF, "en", tmp_path / "run")
    assert found.failed == ["diagram_shows: missing_feature"], found.account()
    (accused,) = [outcome for outcome in found.outcomes if outcome.held is False]
    assert len(accused.steps) == 2
    assert "broken" in found.covered.promises.values(), found.account()
