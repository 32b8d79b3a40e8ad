"""Row 16: what is kept has a bound, and removing never leaves the folder it was told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.main import app
from agent.run.evaluation import evaluate
from configs.settings import Settings
from tests.faults.command import ROOT
from tests.faults.security.receiving import received_run
from tools import reaper
from tools.app.programs import mark_used
from tools.browser.scratch import left_behind, make_scratch, remove_scratch
from tools.errors import AssayError
from tools.pruning import CACHE_MB, bound_caches


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
    cache, mine = tmp_path / "cache" / "assay" / "cdn" / "packages", tmp_path / "mine"
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


def kept(folder: Path, size: int, used_s: float) -> None:
    """Something in a cache that was last used then."""
    folder.mkdir(parents=True)
    (folder / "f").write_bytes(b"x" * size)
    for path in (folder / "f", folder):
        os.utime(path, (used_s, used_s))


def test_caches_are_bounded_unasked(tmp_path: Path) -> None:
    """Once a day what has not been used for longest goes; never what was used within the last day, nor locks beside it."""
    caches, now = tmp_path / "assay", time.time()
    kept(caches / "cdn" / "packages" / "oldest", 3_000_000, now - 9 * 86_400)
    kept(caches / "scaffold" / "built" / "older", 1_000_000, now - 5 * 86_400)
    kept(caches / "registry" / "0a" / "today", 5_000_000, now - 60)
    kept(caches / "cdn" / "packages" / "touched", 1_000_000, now - 8 * 86_400)
    mark_used(caches / "cdn" / "packages" / "touched")
    (caches / "cdn" / "lock.json").write_text("{}", encoding="utf-8")
    assert bound_caches(caches, size_mb=7.5) == 3_000_000
    assert sorted(path.name for path in caches.glob("*/*/*") if path.is_dir()) == ["older", "today", "touched"]
    assert (caches / "cdn" / "lock.json").exists()
    assert bound_caches(caches, size_mb=1) == 0, "it was done today"
    os.utime(caches / ".pruned", (0, 0))
    assert bound_caches(caches, size_mb=1) == 1_000_000
    assert sorted(path.name for path in caches.glob("*/*/*") if path.is_dir()) == ["today", "touched"]


async def test_an_evaluation_keeps_the_caches_within_their_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, before anything is started."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    old = tmp_path / "cache" / "assay" / "cdn" / "packages" / "old"
    kept(old, 1000, 0)
    with (old / "f").open("ab") as stream:
        stream.truncate(int(CACHE_MB * 1e6) + 1)  # takes no room on the disk
    os.utime(old / "f", (0, 0))
    os.utime(old, (0, 0))
    page = tmp_path / "page.html"
    page.write_text("<p>x", encoding="utf-8")
    existing = tmp_path / "run"
    (existing / "there").mkdir(parents=True)
    (existing / "ledger.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(AssayError):
        await evaluate(str(page), "a page", Settings(), run_dir=existing)  # refused only after that: there is a run already
    assert not old.exists()


def test_scratch_of_killed_runs_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders named by a process that is gone, and forgotten ones; not those of a living process, of others, or behind links."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    scratch, mine = tmp_path / "tmp", tmp_path / "mine"
    living = f"assay-{os.getpid()}-{reaper.start_time(os.getpid())}-abc"
    for name in ("assay-999999999-1-abc", "assay-999999999-1-box-abc", living, "assay-page-old", "assay-page-new", "other"):
        (scratch / name).mkdir(parents=True)
    (scratch / "assay-old.pdf").write_bytes(b"x")
    for name in ("assay-page-old", "assay-old.pdf", "other"):
        os.utime(scratch / name, (0, 0))
    mine.mkdir()
    (scratch / "assay-999999998-1-abc").symlink_to(mine)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    runner, runs = CliRunner(), str(tmp_path / "runs")
    told = json.loads(runner.invoke(app, ["prune", "--runs", runs, "--dry-run", "--json"]).stdout)
    assert told["scratch"]["removed"] == 4
    assert len(names(scratch)) == 8
    assert runner.invoke(app, ["prune", "--runs", runs]).exit_code == 0
    assert names(scratch) == sorted([living, "assay-page-new", "other", "assay-999999998-1-abc"])
    assert mine.is_dir()


MAKES_ITS_OWN = """
import sys, tempfile
tempfile.tempdir = sys.argv[1]
from tools.browser.scratch import make_scratch
print(make_scratch(), flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="a process namespace takes root")
def test_scratch_of_another_containers_run_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `/tmp` is shared, each sees none of the other's processes: neither takes the other's run for a killed one."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ours = make_scratch()
    apart = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]
    line = [*apart, sys.executable, "-c", MAKES_ITS_OWN, str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as theirs:
        assert theirs.stdout is not None
        made = Path(theirs.stdout.readline().strip())
        try:
            assert made.parent == tmp_path
            assert ours.is_dir()
            assert left_behind(tmp_path) == []
            remove_scratch(make_scratch())
            assert made.is_dir()
        finally:
            theirs.communicate(timeout=20)
