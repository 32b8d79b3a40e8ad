"""What a judge with a model said of a sealed run is kept: proofs are sought for it, and the model is asked nothing again."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.judges.chat import ChatJudge
from evaluator.judges.rescore import CLAIMS_FILE, VERDICT_FILE, ask, conclude, read_claims, rescore
from evaluator.verdict.model import Proof
from tests.unit.judges.looks import Looked, Scripted, found, impression, problem
from tests.unit.judges.test_claims import scored_as_listed


@pytest.mark.parametrize("kept", [True, False], ids=["claims kept", "never judged"])
async def test_a_model_is_asked_only_what_was_never_asked(kept: bool, tmp_path: Path) -> None:
    """A sealed verdict's claims are read as they stand; where no judge has spoken yet, it is asked once, and says the same."""
    run = Looked(tmp_path / "run")
    act = run.changes("#add")
    said = problem("wrong_result", "The total is wrong", [run.shot_after(act)], steps=[act.id], target="#add")
    model = Scripted(static_reader=impression(), problem_finder=found(said), scorer=scored_as_listed)
    judge = ChatJudge(model)
    run.seal()
    sealed = await rescore(run.folder, judge)
    asked, written = len(model.asks), (run.folder / VERDICT_FILE).read_bytes()
    assert asked
    assert [item.title for item in sealed.suspected] == ["The total is wrong"]
    if not kept:
        (run.folder / CLAIMS_FILE).unlink()
    claims = read_claims(run.folder)
    assert (claims is not None) is kept
    again = claims or await ask(run.folder, judge)
    assert again == sealed
    assert conclude(run.folder, again, {}) == sealed
    assert (run.folder / VERDICT_FILE).read_bytes() == written
    assert len(model.asks) == (asked if kept else 2 * asked)


async def test_a_problem_that_nothing_can_prove_stays_suspected(tmp_path: Path) -> None:
    """Whatever a fresh browser is said to have shown: no trial that the problem cites was violated."""
    run = Looked(tmp_path / "run")
    act = run.changes("#add")
    said = problem("wrong_result", "The total is wrong", [run.shot_after(act)], steps=[act.id], target="#add")
    run.seal()
    claims = await ask(
        run.folder, ChatJudge(Scripted(static_reader=impression(), problem_finder=found(said), scorer=scored_as_listed))
    )
    (item,) = claims.suspected
    verdict = conclude(run.folder, claims, {item.id: Proof(status="confirmed")})
    assert verdict.failures == ()
    assert "no trial that it cites was violated" in verdict.suspected[0].unprovable
    assert verdict.functionality is not None
    assert (verdict.functionality.value, verdict.functionality.low) == (8.0, 7.0)
