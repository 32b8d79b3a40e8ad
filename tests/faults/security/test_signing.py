"""Row 11: a rewritten run is at most *consistent*; *original* is only what a trusted key signed, all of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from agent.cli.main import app
from agent.run.roles import judge_of_run
from evaluator.judges.rescore import check_verdict, rescore
from tests.faults.security.receiving import received_run
from tools.errors import UserError
from tools.evidence.ledger import GENESIS, LEDGER_FILE, canonical, row_hash
from tools.evidence.signing import check_signature, sign


def key_pair(folder: Path, name: str = "own") -> tuple[Path, Path]:
    """A private and a public key as PEM files."""
    key = Ed25519PrivateKey.generate()
    private, public = folder / f"{name}.key", folder / f"{name}.pub"
    private.touch(mode=0o600)
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    public.write_bytes(key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    return private, public


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A sealed and judged run with proofs and a report."""
    made = received_run(tmp_path / "run")
    asyncio.run(rescore(made, judge_of_run(made)))
    (made / "report.json").write_text("{}", encoding="utf-8")
    (made / "proofs").mkdir()
    (made / "proofs" / "F1.py").write_text("assert True\n", encoding="utf-8")
    return made


def rewritten(run: Path, brief: str) -> None:
    """The ledger with another brief, every hash computed anew: as a forger would."""
    rows = [json.loads(line) for line in (run / LEDGER_FILE).read_text(encoding="utf-8").splitlines()]
    rows[0]["body"]["brief"], previous = brief, GENESIS
    for row in rows:
        row["previous"] = previous
        row["hash"] = previous = row_hash(row)
    (run / LEDGER_FILE).write_bytes(b"".join(canonical(row) + b"\n" for row in rows))


def test_a_rewritten_run_is_never_called_original(run: Path, tmp_path: Path) -> None:
    """The chain fits again, and so does the verdict; without a signature nobody can tell who wrote it, and with one it breaks."""
    private, public = key_pair(tmp_path)
    sign(run, private)
    said = CliRunner().invoke(app, ["verify", str(run), "--key", str(public)])
    assert (said.exit_code, "original, signed by SHA256:" in said.output) == (0, True)
    rewritten(run, "something else")
    asyncio.run(rescore(run, judge_of_run(run)))
    assert CliRunner().invoke(app, ["verify", str(run), "--key", str(public)]).exit_code == 1
    (run / "signature.json").unlink()
    said = CliRunner().invoke(app, ["verify", str(run)])
    assert said.exit_code == 0
    assert "consistent, not signed" in said.output
    assert "as it was written" not in said.output
    assert CliRunner().invoke(app, ["verify", str(run), "--key", str(public)]).exit_code == 1


@pytest.mark.parametrize("name", ["verdict.json", "report.json", "report.html", "proofs/F1.py", "proofs/F2.py", "proofs.json"])
def test_the_signature_covers_verdict_proofs_and_report(name: str, run: Path, tmp_path: Path) -> None:
    """Changed, or added afterwards: each is named."""
    private, public = key_pair(tmp_path)
    sign(run, private)
    assert check_signature(run, public).trusted
    (run / name).write_text("{} ", encoding="utf-8")
    found = check_signature(run, public)
    assert not found.trusted
    assert any(problem.startswith(f"{name}: ") for problem in found.problems)
    (run / name).unlink()
    assert check_signature(run, public).trusted == (name in {"report.html", "proofs/F2.py", "proofs.json"})


def test_a_strangers_signature_is_not_the_one_asked_for(run: Path, tmp_path: Path) -> None:
    """Anybody can sign; the key decides."""
    private, _ = key_pair(tmp_path, "theirs")
    _, public = key_pair(tmp_path, "mine")
    sign(run, private)
    found = check_signature(run, public)
    assert not found.trusted
    assert "was signed by" in found.problems[0]


def test_a_missing_verdict_is_a_failure(run: Path) -> None:
    """It would be the easiest way to hide one."""
    (run / "verdict.json").unlink()
    assert asyncio.run(check_verdict(run, judge_of_run(run))) == ["verdict.json: it is missing"]
    assert CliRunner().invoke(app, ["verify", str(run)]).exit_code == 1


def test_a_signing_key_that_others_can_read_is_refused(run: Path, tmp_path: Path) -> None:
    """With the way to mend it."""
    private, _ = key_pair(tmp_path)
    private.chmod(0o640)
    with pytest.raises(UserError, match="can be read by others") as refused:
        sign(run, private)
    assert "chmod 600" in refused.value.hint
