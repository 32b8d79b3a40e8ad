"""`assay calibrate`: a suite without a verb, and what its verbs refuse in one line."""

from __future__ import annotations

import shlex
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from agent.cli.main import main
from evaluator.calibration.corpora import held_back, read_corpus


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path, line: str) -> tuple[int, str]:
    """Exit code and complaint of a command line given in a folder."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["assay", *shlex.split(line)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("calibrate --only nosuch/clean", "no app or variant called 'nosuch/clean'"),
        ("calibrate void", "holds no app"),
        ("calibrate suite void", "holds no app"),
        ("calibrate mutants gone.html", "gone.html"),
        ("calibrate mutants page.html --preset smok", "no preset called 'smok'"),
        ("calibrate mutants page.html --profile thorogh", "no profile called 'thorogh'"),
        ("calibrate corpus nosuch", "no corpus called 'nosuch'"),
        ("calibrate corpus cases", "does not come with Assay"),
        ("calibrate corpus cases void", "holds nothing of the corpus cases"),
        ("calibrate corpus suite --part half", "no part called 'half'"),
        ("calibrate corpus suite --only nosuch", "no app called 'nosuch'"),
        ("calibrate trust void", "no results of a corpus"),
    ],
)
def test_it_is_said_in_one_line(
    line: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is begun."""
    (tmp_path / "void").mkdir()
    (tmp_path / "page.html").write_text("<!doctype html><p>a", encoding="utf-8")
    code, complaint = call(monkeypatch, capsys, tmp_path, line)
    assert code == 2
    assert complaint.count("\n") == 1
    assert says in complaint
    assert not (tmp_path / "recordings").exists()


def test_what_is_held_back_is_written_down() -> None:
    """The table that comes with Assay names the third that its seed draws."""
    told = tomllib.loads((files("configs") / "held_back.toml").read_text(encoding="utf-8"))
    assert tuple(told["suite"]) == held_back(read_corpus("suite"), told["seed"])
    sizes = {name: len(apps) for name, apps in told.items() if name != "seed"}
    assert sizes == {"suite": 4, "visitor_suite": 3, "cases": 10, "webtestbench": 17, "todomvc": 7}
