"""Judging a folder: the file that is written, proofs applied, the same bytes again."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from evaluator.judges.protocol import Judge
from evaluator.judges.rescore import (
    CLAIMS_FILE,
    PROOFS_FILE,
    VERDICT_FILE,
    check_verdict,
    conclude,
    read_claims,
    read_proofs,
    rescore,
)
from evaluator.judges.rubric import RubricJudge
from evaluator.verdict.model import Proof, Verdict
from tests.unit.evaluator.records import Run
from tools.errors import RunError


def judge_again(folder: Path) -> Verdict:
    """Rescore with the rubric judge."""
    judge: Judge = RubricJudge()
    return asyncio.run(rescore(folder, judge))


def sealed(folder: Path) -> Path:
    """A run with one dead control and one faint text."""
    run = Run(folder)
    run.dead("#add")
    run.finding("contrast.low", "faint", selector="p.note")
    run.seal()
    return folder


def test_the_same_evidence_gives_the_same_bytes(tmp_path: Path) -> None:
    """Twice rescored: identical files, what is returned is what was written, no partial file left, well within 2 s."""
    folder = sealed(tmp_path)
    begun = time.process_time()
    first = judge_again(folder)
    written = (folder / VERDICT_FILE).read_bytes()
    assert judge_again(folder) == first
    assert (folder / VERDICT_FILE).read_bytes() == written == first.to_json().encode()
    assert time.process_time() - begun < 2.0
    assert not list(folder.glob("*.partial"))


def test_proofs_of_the_folder_are_applied(tmp_path: Path) -> None:
    """`proofs.json` beside the ledger: what was not reproduced costs nothing, what was confirmed says so."""
    folder = sealed(tmp_path)
    before = judge_again(folder)
    dead, faint = (failure.id for failure in sorted(before.accused, key=lambda failure: failure.category.value))
    assert [failure.id for failure in before.failures] == [faint]
    proofs = {
        dead: {"status": "not_reproduced", "reason": "it worked"},
        faint: {"status": "confirmed", "reason": "again", "script": "proofs/x.py"},
    }
    (folder / PROOFS_FILE).write_text(json.dumps(proofs), encoding="utf-8")
    after = judge_again(folder)
    assert [failure.id for failure in after.failures] == [faint]
    assert after.failures[0].proof.script == "proofs/x.py"
    assert after.functionality is not None
    assert after.functionality.value == 8.0
    assert [(failure.id, failure.proof.reason) for failure in after.suspected] == [(dead, "it worked")]
    assert judge_again(folder).to_json() == after.to_json()


def test_claims_are_kept_as_the_judge_gave_them(tmp_path: Path) -> None:
    """Proofs change the verdict, never the claims: they can be proved anew without asking the judge."""
    folder = sealed(tmp_path)
    assert read_claims(folder) is None
    before = judge_again(folder)
    assert read_claims(folder) == before
    proofs = {item.id: Proof(status="explained", control="it was already chosen") for item in before.suspected}
    assert proofs
    after = conclude(folder, before, proofs)
    assert Verdict.model_validate_json((folder / VERDICT_FILE).read_bytes()) == after
    assert after.suspected == ()
    assert read_claims(folder) == before, "what was explained away can be sought again"
    assert conclude(folder, before, {}) == before


@pytest.mark.parametrize("change", [{"seal": "0" * 64}, {"rubric": "0-old"}, {"status": "scored"}])
def test_claims_about_something_else_are_none(tmp_path: Path, change: dict[str, str]) -> None:
    """Of another record, other figures or another version: the judge has to be asked."""
    folder = sealed(tmp_path)
    judge_again(folder)
    path = folder / CLAIMS_FILE
    path.write_text(json.dumps(json.loads(path.read_bytes()) | change), encoding="utf-8")
    assert read_claims(folder) is None


@pytest.mark.parametrize("text", ["{", "[]", '{"f-1": {"status": "maybe"}}', '{"f-1": 3}'])
def test_damaged_proofs_are_said_and_not_ignored(tmp_path: Path, text: str) -> None:
    """A proofs file that cannot be read is an error with a hint, not a verdict without proofs."""
    folder = sealed(tmp_path)
    (folder / PROOFS_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="assay prove"):
        read_proofs(folder)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    """There is nothing to judge in an empty folder, and no verdict is written."""
    with pytest.raises(RunError):
        judge_again(tmp_path)
    assert not (tmp_path / VERDICT_FILE).exists()


def test_a_tampered_ledger_is_refused(tmp_path: Path) -> None:
    """A row altered after sealing breaks the chain; what comes after it is not trusted, so the seal is gone."""
    folder = sealed(tmp_path)
    path = folder / "ledger.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("does_something", "totals_follow"), encoding="utf-8")
    with pytest.raises(RunError):
        judge_again(folder)


def test_an_altered_verdict_is_found(tmp_path: Path) -> None:
    """A score made better, a verdict of another record, and no verdict at all are told from one that the record gives."""
    folder = sealed(tmp_path)

    def problems() -> list[str]:
        return asyncio.run(check_verdict(folder, RubricJudge()))

    (problem,) = problems()
    assert "missing" in problem
    first = judge_again(folder)
    assert problems() == []
    path = folder / VERDICT_FILE
    whole = json.loads(path.read_bytes())
    path.write_text(json.dumps({**whole, "functionality": {**whole["functionality"], "value": 8.0}}), encoding="utf-8")
    (problem,) = problems()
    assert "gives another verdict" in problem
    path.write_text(json.dumps({**whole, "seal": "0" * 64}), encoding="utf-8")
    (problem,) = problems()
    assert "another record" in problem
    path.write_text("{}", encoding="utf-8")
    (problem,) = problems()
    assert "no verdict" in problem
    judge_again(folder)
    assert path.read_bytes() == first.to_json().encode()
