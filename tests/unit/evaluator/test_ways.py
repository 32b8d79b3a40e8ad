"""How what a trial showed is led to once more in a fresh browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.proof.tried import meet_again, ways
from tests.unit.evaluator.records import Run
from tools.evidence.trial_rows import ActDone, AssertionJudged, PageModelSeen, TrialBegun, WayKnown
from tools.page.assertions import Noticed, Outcome, Target
from tools.page.trial_records import Judged, TrialRecord
from tools.page.trials import Act, Press, Trial, plain

PRESS = Press(target=Target(kind="buttons", name="View profile"))
LEADS = Press(target=Target(kind="links", name="Vendors"))


@pytest.mark.parametrize(
    ("address", "history", "wanted"),
    [
        ("/vendors", (LEADS, PRESS), ["way", "whole", "address"]),
        ("/#/vendors", (LEADS,), ["way", "address"]),
        ("/", (LEADS, PRESS), ["way", "whole"]),
    ],
    ids=["after much else", "straight", "where the app opens"],
)
def test_the_address_is_the_last_way(tmp_path: Path, address: str, history: tuple[Press, ...], wanted: list[str]) -> None:
    """What was done before may not be done again in a fresh browser; an address can be opened."""
    run = Run(tmp_path / "run")
    begun = tried(run, address, history)
    record = run.seal()
    row = record.row(begun)
    assert row is not None
    found = list(ways(record, row))
    assert [name for _, name, _ in found] == wanted
    assert all(each.acts == (PRESS,) for each, _, _ in found)
    if "address" in wanted:
        assert found[-1][0].precondition[0].words() == f"open the address {address}"


@pytest.mark.parametrize(
    ("there", "status"),
    [("violated", "confirmed"), ("held", "undecided"), ("cannot tell", "undecided")],
    ids=["shows again", "holds in another state", "is not to be told"],
)
async def test_what_holds_at_an_address_refutes_nothing(tmp_path: Path, there: str, status: str) -> None:
    """It may be another state of that page."""
    run = Run(tmp_path / "run")
    begun = tried(run, "/vendors", (LEADS, PRESS))
    record = run.seal()
    row = record.row(begun)
    assert row is not None

    async def again(trial: Trial, name: str) -> TrialRecord:
        outcome = Outcome.model_validate({"result": there if name == "address" else "cannot tell", "seen": ""})
        return TrialRecord(trial=trial, judged=(Judged(assertion=Noticed(), outcome=outcome),))

    async def anew(trial: Trial, way: tuple[Act, ...]) -> TrialRecord | None:
        del trial, way
        return None

    cited = [each for each, _ in record.of(AssertionJudged)]
    assert (await meet_again(record, row, cited, again, anew)).proof.status == status


def tried(run: Run, address: str, history: tuple[Press, ...]) -> str:
    """A trial that was violated at that address; its row's id."""
    run.add(PageModelSeen(url="http://127.0.0.1:40001/"))
    there = run.add(PageModelSeen(url=f"http://127.0.0.1:40001{address}"))
    trial = Trial(why="it does something", acts=(PRESS,), asserts=(Noticed(),))
    begun = run.add(TrialBegun(trial=plain(trial), words=trial.why))
    run.add(
        ActDone(
            during="acts", act=plain(PRESS), words="press", delivered=True, problem="", before=there.id, after="", witness={},
            started_ms=1.0, ended_ms=2.0,
        ),
        parent=begun.id,
    )  # fmt: skip
    known = WayKnown(way=(plain(LEADS),), history=tuple(plain(act) for act in history), words=())
    run.add(known, parent=begun.id)
    judged = AssertionJudged(
        assertion={"kind": "noticed"}, words="something comes of it", result="violated", seen="nothing", models=()
    )
    run.add(judged, parent=begun.id)
    return begun.id
