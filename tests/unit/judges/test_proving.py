"""Proving a run that a model judged: its claims are those of the sealed verdict, and the model is asked nothing again."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.context import RunContext
from agent.deciders.curious import Curious
from agent.nodes.prove import prove_run
from configs.settings import Budget, Settings
from evaluator.judges.chat import ChatJudge
from evaluator.rescore import CLAIMS_FILE, VERDICT_FILE, rescore
from tests.unit.judges.looks import Looked, Scripted, found, impression, problem
from tests.unit.judges.test_claims import scored_as_listed
from tools.app.subject import recognise
from tools.evidence.ledger import Ledger
from tools.processes import ProcessList


@pytest.mark.parametrize("kept", [True, False], ids=["claims kept", "never judged"])
async def test_proving_asks_a_model_only_what_was_never_asked(kept: bool, tmp_path: Path) -> None:
    """A sealed verdict's claims are proved as they stand; where no judge has spoken yet, it is asked once."""
    run = Looked(tmp_path / "run")
    act = run.changes("#add")
    said = problem("wrong_result", "The total is wrong", [run.shot_after(act)], steps=[act.id], target="#add")
    model = Scripted(static_reader=impression(), problem_finder=found(said), scorer=scored_as_listed)
    judge = ChatJudge(model)
    run.seal()
    sealed = await rescore(run.folder, judge)
    asked, written = len(model.asks), (run.folder / VERDICT_FILE).read_bytes()
    assert asked
    assert [one.title for one in sealed.suspected] == ["The total is wrong"]
    if not kept:
        (run.folder / CLAIMS_FILE).unlink()
    page = tmp_path / "index.html"
    page.write_text("<!doctype html><title>List</title><button>Add</button>", encoding="utf-8")
    ledger, _ = Ledger.reopen(run.folder)
    with ProcessList(run.folder) as processes:
        context = RunContext(
            run_dir=run.folder,
            brief="A list",
            brief_language="en",
            subject=recognise(str(page)),
            settings=Settings(budget=Budget(prove=False)),
            ledger=ledger,
            processes=processes,
            decider=Curious(0),
            judge=judge,
        )
        proofs, verdict = await prove_run(context)
    ledger.close()
    assert proofs == {}
    assert verdict == sealed
    assert (run.folder / VERDICT_FILE).read_bytes() == written
    assert len(model.asks) == (asked if kept else 2 * asked)
