"""What a run's folder says is never reason to trust what is in it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from configs.settings import Settings, of_record
from tools.evidence.ledger import Ledger


def test_a_received_run_does_not_switch_the_sandbox_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither `trust_project` nor limits are taken from a record; this machine's environment says them."""
    monkeypatch.delenv("ASSAY_TRUST_PROJECT", raising=False)
    told = Settings(seed=7, trust_project=True).model_dump(mode="json") | {"sandbox": {"memory_mb": 10**9}}
    assert of_record(told).seed == 7
    assert not of_record(told).trust_project
    assert of_record(told).sandbox == Settings().sandbox
    monkeypatch.setenv("ASSAY_TRUST_PROJECT", "true")
    assert of_record(told).trust_project


def test_a_runs_folder_is_its_owners_alone(tmp_path: Path) -> None:
    """Other users of the machine, and those that other runs' pages and projects are run as, can't enter it."""
    Ledger.create(tmp_path / "run").close()
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700
