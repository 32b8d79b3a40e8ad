"""The verbs `results`, `agree` and `protocol` from their command lines."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from agent.cli.main import main
from evaluator.results.table import write_table
from tests.unit.results.table_of import drawn


def _call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, output and complaints of a command."""
    monkeypatch.setattr(sys, "argv", ["assay", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """A batch's folder with a table of two models."""
    write_table(drawn(12, 2, seed=5), tmp_path / "batch")
    return tmp_path / "batch"


def test_results_writes_everything_and_rules(
    batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All files lie in the batch's folder, JSON is the leaderboard, gates give the exit code and their reason."""
    code, out, err = _call(monkeypatch, capsys, "results", str(batch), "--resamples", "20", "--json")
    assert (code, err) == (0, "")
    assert {item["model"] for item in json.loads(out)["standings"]} == {"model-0", "model-1"}
    names = {path.name for path in batch.iterdir()}
    assert names == {"verdicts.jsonl", "verdicts.parquet", "results.html", "leaderboard.json", "junit.xml", "results.sarif"}
    code, _, err = _call(monkeypatch, capsys, "results", str(batch), "--resamples", "0", "--fail-under", "8")
    assert code == 1
    assert "is below 8" in err
    code, _, err = _call(monkeypatch, capsys, "results", str(batch), "--max-incomplete", "many")
    assert (code, err.count("\n")) == (2, 1)


def test_the_leaderboard_fits_a_terminal(
    batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eighty columns are enough: nothing is cut off."""
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = _call(monkeypatch, capsys, "results", str(batch), "--resamples", "20")
    table = out.split("Total by domain")[0]
    assert "…" not in table
    assert "functionality" in table
    assert "model-1" in table
    assert max(len(line) for line in table.splitlines()) <= 80


def test_agree_tells_and_writes(
    batch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A batch against itself agrees fully; variants are compared; wrong words are told in one line."""
    words = ("agree", str(batch), str(batch), "--resamples", "20", "--variant", f"same={batch}")
    code, out, err = _call(monkeypatch, capsys, *words, "--out", str(tmp_path / "out"), "--json")
    told = json.loads(out)
    assert (code, err, told["footrule"]["value"], told["robustness"][0]["widest"]) == (0, "", 1.0, 0.0)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"agreement.json", "agreement.html"}
    for wrong in (("--measure", "beauty"), ("--variant", "nameless")):
        code, _, err = _call(monkeypatch, capsys, "agree", str(batch), str(batch), *wrong)
        assert (code, err.count("\n")) == (2, 1)


def test_protocol_tools_work_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Sorting queries, first halves, the DOM score and re-scoring from a report."""
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"id": "q1", "brief": "A shop for reclaimed doors with a cart, filters and a checkout form."}\n')
    code, out, _ = _call(monkeypatch, capsys, "protocol", "artifactsbench", "queries", str(queries), "--json")
    assert (code, json.loads(out)["queries"]["q1"]["domain"]) == (0, "Web Applications")
    _, out, _ = _call(monkeypatch, capsys, "protocol", "artifactsbench", "contamination", str(queries))
    assert "A shop for reclaimed".startswith(json.loads(out)["half"][:20])
    page = tmp_path / "a.html"
    page.write_text("<p>Hello</p>")
    _, out, _ = _call(monkeypatch, capsys, "protocol", "artifactsbench", "dom", str(page), "--json")
    assert 0 < json.loads(out)[str(page)]["score"] < 100
    report = tmp_path / "r.json"
    test = {"title": "t", "tests": [{"results": [{"status": "passed"}]}]}
    report.write_text(json.dumps({"suites": [{"file": "a", "title": "a", "specs": [test]}]}))
    code, out, _ = _call(monkeypatch, capsys, "protocol", "interactscience", "score", str(report))
    assert code == 0
    assert "overall: 1.0000" in out
    code, _, err = _call(monkeypatch, capsys, "protocol", "interactscience", "score", str(page))
    assert (code, err.count("\n")) == (2, 1)
