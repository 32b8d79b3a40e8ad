"""Deciders that follow a file or another run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.deciders.protocol import Decision
from agent.deciders.replay import Replay
from agent.deciders.scripted import Scripted
from agent.history import decided_row
from tests.unit.agent_skills.scenes import did, mark, on, page, view
from tools.browser.actions import Drag, Type, Wait
from tools.errors import RunError, UserError
from tools.evidence.ledger import Ledger

ADD, TITLE = mark("Add", at=(300, 100)), mark("New task", "input", at=(100, 100))


async def test_entries_are_aimed_by_role_and_name(tmp_path: Path) -> None:
    """One entry a step, its checks with it; at its end it stops."""
    path = tmp_path / "script.json"
    entries = [
        {"act": "type", "on": {"name": "new"}, "text": "Milk", "submit": True, "expect": [{"oracle": "value_kept"}]},
        {"act": "drag", "on": {"role": "button"}, "to": {"name": "New task"}},
        {"act": "click", "on": {"name": "Nowhere"}},
    ]
    path.write_text(json.dumps(entries), encoding="utf-8")
    decider = Scripted.read(path)
    now = page(TITLE, ADD, number=1)
    first = await decider.decide(view(now))
    assert isinstance(first.action, Type)
    assert (first.action.text, first.expectations[0].oracle) == ("Milk", "value_kept")
    steps = (did(first, now, page(TITLE, ADD, number=2)),)
    second = await decider.decide(view(page(TITLE, ADD, number=2), steps=steps))
    assert isinstance(second.action, Drag)
    assert second.action.to is not None
    third = await decider.decide(view(now, steps=(*steps, *steps)))
    assert isinstance(third.action, Wait)
    assert "not on the page" in third.why
    assert (await decider.decide(view(now, steps=steps * 3))).stop == "covered"


@pytest.mark.parametrize("text", ["no json", '{"act": "click"}', "[1]", None])
def test_what_is_no_script_is_told(text: str | None, tmp_path: Path) -> None:
    """One line, with an example."""
    path = tmp_path / "script.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"script\.json"):
        Scripted.read(path)


async def test_a_replay_does_what_the_run_did(ledger: Ledger) -> None:
    """Same acts, same checks, in order; then it stops."""
    before, after = page(ADD, number=1), page(ADD, text="x", number=2)
    decision = Decision(on(ADD), "core", "press a button")
    row = ledger.append(decided_row(decision, "curious"), producer="decider")
    ledger.append(did(decision, before, after).acted, producer="hands", parent=row.id)
    ledger.sync()
    decider = Replay(ledger.run_dir)
    again = await decider.decide(view(before))
    assert (again.action, again.skill) == (decision.action, decision.skill)
    assert (await decider.decide(view(after, steps=(did(decision, before, after),)))).action is None


def test_a_replay_of_no_run_is_refused(tmp_path: Path) -> None:
    """With the reason, at once."""
    with pytest.raises(RunError):
        Replay(tmp_path)
