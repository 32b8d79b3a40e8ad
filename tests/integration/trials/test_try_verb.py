"""`assay try` from beginning to end: six trials of a file, replayed, minimised, exported, and what it says and ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.main import app
from tests.conftest import FIXTURES
from tests.integration.page.conftest import Runner, run_exported
from tools.evidence.record import Record, verify
from tools.evidence.trial_rows import TrialEnded

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

__all__ = ["run_exported"]
GARDEN = FIXTURES / "trials"


@pytest.mark.long
def test_six_trials_are_run_replayed_minimised_and_exported(
    tmp_path: Path, run_exported: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five hold; the sixth finds that what is removed comes back, by its last act alone, again, and so does its exported test."""
    monkeypatch.setenv("ASSAY_RHYTHM", "0")
    options = ["--replay", "--minimise", "--export", str(tmp_path / "tests"), "--out", str(tmp_path / "run"), "--json"]
    done = CliRunner().invoke(app, ["try", str(GARDEN / "index.html"), str(GARDEN / "garden.toml"), *options])
    assert done.exit_code == 1, done.output
    told = json.loads(done.stdout)["trials"]
    assert [line["result"] for line in told] == ["held", "held", "held", "violated", "held", "held"]
    faulty = told[3]
    assert faulty["asserts"][0]["words"] == 'the list "Plants" is kept after a reload'
    assert faulty["asserts"][0]["seen"].startswith('the list "Plants" went from "Rose | Outdoor | $7.50" to "Fern | Indoor')
    assert faulty["replayed"] == "violated"
    assert "precondition" not in faulty["minimal"]
    failed = [run_exported(Path(line["exported"]).read_text(encoding="utf-8")) for line in told]
    assert [bool(words) for words in failed] == [False, False, False, True, False, False]
    assert verify(tmp_path / "run") == []
    assert [body.result for _, body in Record.read(tmp_path / "run").of(TrialEnded)] == [line["result"] for line in told]


def test_a_bad_file_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    """With its line; nothing is left."""
    bad = tmp_path / "bad.toml"
    bad.write_text('[[trial]]\nwhy = "x"\ndo = [{ pres = "y" }]\nexpect = [{ clean = true }]\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["try", str(GARDEN / "index.html"), str(bad), "--out", str(tmp_path / "run")])
    assert "bad.toml:3: there is no act pres" in str(done.exception)
    assert not (tmp_path / "run").exists()
