"""A folder of runs, made once: two scored, one with too little seen, one broken off, a batch, and what is no run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run
from tools.evidence.ledger import LEDGER_FILE


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder; tests must not change it."""
    root = tmp_path_factory.mktemp("viewed") / "runs"
    root.mkdir()
    make_run(root / "tidy-board", Plot(video=False))
    make_run(root / "clean-board", Plot(video=False, failures=False, steps=4))
    make_run(root / "short-look", Plot(video=False, status="not_enough_seen", steps=3))
    make_run(root / "garden" / "runs" / "planner-1", Plot(video=False, steps=3, page_text={"subject": "apps/garden/index.html"}))
    make_run(root / "garden" / "runs" / "nothing-2", Plot(video=False, status="no_artifact"))
    (root / "garden" / "results.html").write_text("<title>Results</title>", encoding="utf-8")
    broken_off = make_run(root / "broken-off", Plot(video=False, steps=3))
    (broken_off / "verdict.json").unlink()
    (root / "old").mkdir()
    (root / "old" / LEDGER_FILE).write_text('{"version":1}\n', encoding="utf-8")
    (root / "notes").mkdir()
    return root


@pytest.fixture
def runs(made: Path, tmp_path: Path) -> Path:
    """A copy of the folder for one test."""
    return Path(shutil.copytree(made, tmp_path / "runs"))
