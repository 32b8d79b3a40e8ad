"""Row 16: what is kept has a bound, and removing never leaves the folder it was told."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli import app
from tests.faults.security.receiving import received_run


@pytest.fixture
def old_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three runs: ten days, five days and a moment old; caches of their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, days in (("a", 10.0), ("b", 5.0), ("c", 0.0)):
        run = received_run(tmp_path / "runs" / name)
        for path in (*run.rglob("*"), run):
            then = time.time() - days * 86_400
            os.utime(path, (then, then))
    return tmp_path / "runs"


def names(folder: Path) -> list[str]:
    """What lies there."""
    return sorted(path.name for path in folder.iterdir())


def test_runs_go_by_age_and_the_newest_stay(old_runs: Path) -> None:
    """Nothing without a limit; by age; not those that are to be kept."""
    runner = CliRunner()
    assert runner.invoke(app, ["prune", "--runs", str(old_runs)]).exit_code == 0
    assert names(old_runs) == ["a", "b", "c"]
    assert runner.invoke(app, ["prune", "--runs", str(old_runs), "--older-than-days", "7", "--dry-run"]).exit_code == 0
    assert names(old_runs) == ["a", "b", "c"]
    assert runner.invoke(app, ["prune", "--runs", str(old_runs), "--older-than-days", "7"]).exit_code == 0
    assert names(old_runs) == ["b", "c"]
    assert runner.invoke(app, ["prune", "--runs", str(old_runs), "--runs-mb", "0", "--keep", "1"]).exit_code == 0
    assert names(old_runs) == ["c"]


def test_caches_have_a_bound_and_links_are_not_followed(old_runs: Path, tmp_path: Path) -> None:
    """The oldest go first; what a link points to stays."""
    cache, mine = tmp_path / "cache" / "assay" / "cdn", tmp_path / "mine"
    (cache / "old").mkdir(parents=True)
    (cache / "old" / "f").write_bytes(b"x" * 2_000_000)
    os.utime(cache / "old" / "f", (0, 0))
    os.utime(cache / "old", (0, 0))
    (cache / "new").write_bytes(b"x" * 900_000)
    mine.mkdir()
    (mine / "precious").write_text("x", encoding="utf-8")
    (cache / "old" / "link").symlink_to(mine)
    os.utime(cache / "old", (0, 0))
    (cache / "away").symlink_to(mine)
    assert CliRunner().invoke(app, ["prune", "--runs", str(old_runs), "--cache-mb", "1"]).exit_code == 0
    assert names(cache) == ["away", "new"]
    assert names(mine) == ["precious"]
