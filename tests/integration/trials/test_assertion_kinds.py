"""Every kind of assertion carried out by a trial on the stage: held on the right page, violated on the wrong one, so exported."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.settled import quiet
from tests.integration.looking import Scene
from tests.integration.page.conftest import Runner, run_exported
from tests.integration.page.test_assertions import CASES, NOTHING, _written
from tests.integration.trials.conftest import Site
from tools.page.assertions import Target
from tools.page.exporting import as_playwright
from tools.page.trial_records import TrialRecord
from tools.page.trials import Press, Trial

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

__all__ = ["run_exported"]
ACT = Press(target=Target(name="Act"))


async def _tried(scene: Scene, site: Site, kind: str, act: str, name: str) -> tuple[TrialRecord, str]:
    """The trial carried out on the case's page with that act behind its button, and the page's address."""
    folder = Path(site.folder) / "kinds"
    folder.mkdir(exist_ok=True)
    _written(CASES[kind], act, folder, f"{kind.replace(' ', '_')}_{name}")
    url = f"{scene.base}kinds/{kind.replace(' ', '_')}_{name}.html"
    await open_afresh(scene.stage, url)
    assertion = CASES[kind].make(await quiet(scene.stage))
    trial = Trial(why=f"Shows {kind}", acts=(ACT,), asserts=(assertion,))
    return await carry_out(trial, scene.stage, fresh=url), url


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(CASES))
async def test_a_trial_finds_what_the_exported_test_finds(
    trial_scene: Scene, site: Site, run_exported: Runner, kind: str
) -> None:
    """On both pages, in words that say what was seen."""
    right, url = await _tried(trial_scene, site, kind, CASES[kind].right, "right")
    assert right.result == "held", right.words()
    wrong, wrong_url = await _tried(trial_scene, site, kind, CASES[kind].wrong, "wrong")
    assert wrong.result == "violated", wrong.words()
    assert CASES[kind].words in wrong.words()
    assert wrong.judged[0].outcome.seen in wrong.words()
    assert run_exported(as_playwright(right.as_carried_out, url)) == ""
    assert run_exported(as_playwright(wrong.as_carried_out, wrong_url)) != ""


async def test_a_count_that_does_not_grow_is_told_with_both_numbers(trial_scene: Scene, site: Site) -> None:
    """What a person reads of a violation."""
    record, _ = await _tried(trial_scene, site, "count by", NOTHING, "nothing")
    assert record.words() == 'violated: the list "todos" grows by 1 (the list "todos" went from 2 to 2)'
