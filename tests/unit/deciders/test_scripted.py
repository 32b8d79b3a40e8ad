"""Deciders that follow a file or another run: the trial that is due by number, and then the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.deciders.replay import Replay
from agent.deciders.scripted import Scripted
from tests.unit.deciders.scenes import pressed, record, todo, trial, view
from tools.errors import RunError, UserError
from tools.evidence.ledger import Ledger
from tools.evidence.trial_rows import TrialBegun
from tools.page.assertions import CountBy, Target
from tools.page.trials import Press, plain

GROWS = CountBy(target=Target(kind="collections", name="Tasks"), by=1)
FILE = """[[trial]]
why = "Adds"
do = [{ press = "Add" }]
expect = [{ grows = "Tasks" }]
[[trial]]
why = "Clears"
do = [{ press = "Clear" }]
expect = [{ count = 0, in = "Tasks" }]
"""


async def test_a_file_is_followed_trial_after_trial(tmp_path: Path) -> None:
    """By how many were tried, so that a resumed run goes on where it was; at its end it says so."""
    path = tmp_path / "trials.toml"
    path.write_text(FILE, encoding="utf-8")
    decider = Scripted.read(path)
    done = record(trial(pressed("Add"), asserts=(GROWS,)), todo(), todo("x"), (GROWS, "held", "1"))
    offered = [await decider.offer(view(tried=(done,) * number)) for number in range(3)]
    assert [[item.why for item in each.trials] for each in offered] == [["Adds"], ["Clears"], []]
    assert isinstance(offered[0].trials[0].acts[0], Press)
    assert (offered[0].why, offered[2].why) == ("", "the file holds no more trials")


@pytest.mark.parametrize("text", ["no toml [", "[trial]\nx = 1", "", None])
def test_what_is_no_script_is_told(text: str | None, tmp_path: Path) -> None:
    """One line that names the file."""
    path = tmp_path / "trials.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"trials\.toml"):
        Scripted.read(path)


async def test_a_replay_does_what_the_run_did(ledger: Ledger) -> None:
    """The same trials, those on the way among them, with their maker."""
    made = [trial(pressed(name), asserts=(GROWS,), by=by) for name, by in (("Add", "way"), ("Clear", "model"))]
    for item in made:
        ledger.append(TrialBegun(trial=plain(item), words=item.words()), producer="trials")
    ledger.sync()
    decider = Replay(ledger.run_dir)
    done = record(made[0], todo(), todo("x"), (GROWS, "held", "1"))
    offered = [await decider.offer(view(tried=(done,) * number)) for number in range(3)]
    assert [item.trials for item in offered] == [(made[0],), (made[1],), ()]
    assert "did no more than this" in offered[2].why


def test_a_replay_of_no_run_is_refused(tmp_path: Path) -> None:
    """With the reason, at once."""
    with pytest.raises(RunError):
        Replay(tmp_path)
