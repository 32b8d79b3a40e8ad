"""What a person may get wrong on the command line: one line says what is wrong and what would be right, and nothing is begun."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from agent.cli.main import main

PAGE = "<!doctype html><title>Timer</title><h1>Timer</h1><button>Start</button>"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an app and with much that is none."""
    folder = tmp_path_factory.mktemp("desk")
    rated = [{"query_id": "a", "model": "m", "rater": "j", "score": 3}, {"query_id": "b", "model": "m", "rater": "j", "score": 4}]
    others = [{"query_id": "x", "model": "n", "rater": "p", "score": 1}]
    files = {
        "app.html": PAGE,
        "empty.html": "",
        "noindex/notes.md": "not yet",
        "picture.png": "no picture",
        "file": "in the way",
        "broken.toml": "budget = [\n",
        "misspelt.toml": "[budget]\nmax_actz = 3\n",
        "wrong.toml": '[budget]\nmax_states = "many"\n',
        "project/package.json": "{ broken",
        "answers/a.html": PAGE,
        "queries.jsonl": '{"id": "a", "query": "A timer"}\n',
        "torn.jsonl": '{"id": "a", "query": "A timer"}\nno json\n',
        "columns.csv": "id,colour\n1,red\n",
        "none.jsonl": "",
        "judge.jsonl": "\n".join(map(json.dumps, rated)),
        "people.jsonl": "\n".join(map(json.dumps, others)),
        "words.csv": "query_id,model,rater,score\na,m,p,high\n",
        "run/ledger.jsonl": "",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "latin.txt").write_bytes(b"\xff\xfe\x00\xd8")
    (folder / "void").mkdir()
    return folder


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path, line: str) -> tuple[int, str, str]:
    """Exit code, output and complaint of a command line given in a folder."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["assay", *shlex.split(line)])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        # the app
        ("eval", ("What should be evaluated?", "assay eval SUBJECT")),
        ("watch", ("What should be evaluated?", "assay watch SUBJECT")),
        ("eval gone/away.html", ("There is no file or folder gone/away.html",)),
        ("eval app.htm", ("There is no file or folder app.htm", "Did you mean app.html?")),
        ("eval picture.png", ("picture.png is no kind of file", ".html", "--variety")),
        ("eval empty.html", ("empty.html is empty",)),
        ("eval noindex", ("neither an HTML page nor a package.json", "notes.md")),
        ("eval void", ("neither an HTML page nor a package.json", "It is empty")),
        ("eval project", ("package.json cannot be read",)),
        ("eval ftp://a.example/b", ("only http and https",)),
        ("eval http://127.0.0.1:9/", ("Nothing answers at http://127.0.0.1:9/", "server running?")),
        ("eval localhost:3000", ("no file localhost:3000", "http://localhost:3000")),
        ("eval example.org", ("no file example.org", "https://example.org")),
        ("eval app.html more.html", ("unexpected extra argument", "assay eval --help")),
        # what it was asked to be
        ("eval app.html --brief @gone.txt", ("The brief gone.txt can't be read: No such file",)),
        ("eval app.html --brief @void", ("The brief void can't be read: Is a directory",)),
        ("eval app.html --brief @latin.txt", ("latin.txt is no text in UTF-8",)),
        # options
        ("eval app.html --breif x", ("No such option: --breif", "--brief", "assay eval --help")),
        ("evl app.html", ("No such command 'evl'", "Did you mean 'eval'?")),
        ("eval app.html --profile thorogh", ("There is no profile called 'thorogh'", "fast, thorough")),
        ("eval app.html --profile gone.toml", ("The profile gone.toml can't be read: No such file",)),
        ("eval app.html --profile broken.toml", ("broken.toml can't be read as TOML",)),
        ("eval app.html --profile misspelt.toml", ("no setting budget.max_actz", "Did you mean budget.max_acts?")),
        ("eval app.html --profile wrong.toml", ("Setting budget.max_states", "valid integer", "'many'")),
        ("eval app.html --max-acts -3", ("budget.max_acts", "greater than or equal to 0, not -3")),
        ("eval app.html --pace 99", ("Setting pace:", "'auto'", "less than or equal to 16")),
        ("eval app.html --clock sundial", ("Setting clock", "'held'", "not 'sundial'")),
        (
            "eval app.html --decider smart",
            ("Setting decider", "library, chat, chat:step, replay:RUN or scripted:FILE", "not 'smart'"),
        ),
        ("eval app.html --display loud", ("--display loud is not known", "live, plain, json, none")),
        ("eval app.html --variety picture", ("no kind of subject called 'picture'", "url, html, folder, project, answer")),
        ("eval app.html --fail-under 11", ("--fail-under", "less than or equal to 8")),
        ("eval app.html --judge chat", ("No model is set", "--model PROVIDER:NAME")),
        ("eval app.html --model openai:x", ("nobody uses one", "--judge chat")),
        ("eval app.html --judge chat --model gpt", ("'gpt' names no model", "openai:gpt-4o")),
        # where it goes
        ("eval app.html --out file", ("file can't be made: File exists", "Name another folder")),
        ("eval app.html --out file/sub", ("file/sub can't be made: Not a directory", "Name another folder")),
        # runs
        ("eval --resume void", ("void is not a run",)),
        ("verify gone", ("gone is not a run",)),
        ("verify", ("Missing argument 'RUN'", "assay verify --help")),
        ("rescore void", ("void is not a run",)),
        ("prove void", ("void is not a run",)),
        ("report run", ("run is not sealed", "assay eval --resume")),
        # many
        ("batch queries.jsonl", ("Whose answers", "--answers FOLDER")),
        ("batch gone.jsonl --answers answers", ("There is no file gone.jsonl",)),
        ("batch startr --answers answers", ("startr",)),
        ("batch queries.jsonl --answers gone", ("gone",)),
        ("batch queries.jsonl --answers void --dry-run", ("void",)),
        ("batch torn.jsonl --answers answers --dry-run", ("torn.jsonl:2", "One JSON object a line")),
        ("batch columns.csv --answers answers --dry-run", ("columns.csv",)),
        ("batch none.jsonl --answers answers --dry-run", ("none.jsonl holds no record",)),
        ("batch picture.png --answers answers --dry-run", ("picture.png", ".jsonl")),
        ("batch queries.jsonl --answers answers --set budget.max_actz=3", ("Did you mean budget.max_acts?",)),
        ("batch queries.jsonl --answers answers --sample worst", ("no sample called worst", "stratified")),
        ("batch queries.jsonl --answers answers --filter colour --dry-run", ("colour",)),
        ("batch queries.jsonl --answers answers --max-incomplete lots", ("'lots' is not understood", "10%")),
        ("batch queries.jsonl --answers answers --out file/x", ("file/x can't be used: Not a directory",)),
        ("compare gone void", ("There is no folder gone", "assay compare A B")),
        ("compare void answers", ("void is neither a run nor a folder of runs", "ledger.jsonl")),
        ("compare run void", ("run is one run, void is none",)),
        ("compare void answers --fail-on sometimes", ("--fail-on sometimes is not known", "minor, major, critical, never")),
        ("results void", ("void holds no verdicts.jsonl", "assay batch")),
        ("results gone", ("There is no file gone",)),
        ("agree judge.jsonl gone", ("There is no file gone",)),
        ("agree judge.jsonl people.jsonl", ("rate nothing in common", "query 'a'")),
        ("agree judge.jsonl words.csv", ("words.csv:2: 'high' in column 'score' is no number",)),
        ("agree judge.jsonl judge.jsonl --out file --resamples 0", ("file can't be used: File exists",)),
        ("serve --port 99999", ("--port", "65535", "assay serve --help")),
        ("serve --out file", ("file can't be used: File exists",)),
        ("view gone", ("There is no folder gone", "assay view FOLDER")),
        ("view run", ("run is one run", "assay view ")),
        ("view answers --token-file gone", ("The token in gone can't be read: No such file",)),
        ("calibrate void", ("holds no app",)),
        ("calibrate --only shop/cleann", ("no app or variant called 'shop/cleann'", "shop/clean")),
        ("calibrate --kind strange", ("no kind of variant called 'strange'", "fault, harmless, injection")),
        ("calibrate --profile thorogh", ("There is no profile called 'thorogh'",)),
        # instruments and protocols
        ("tools nosuch", ("There is no tool 'nosuch'", "read_text")),
        ("tools read_text picture=gone.png", ("gone.png can't be read as a picture: No such file",)),
        ("manim check gone.py", ("There is no gone.py",)),
        ("diagram parse gone.png", ("There is no file gone.png",)),
        ("protocol interactscience score gone.json", ("gone.json can't be read as JSON: No such file",)),
        ("cdn warm gone", ("gone is no address, file or folder",)),
    ],
)
def test_it_is_said_in_one_line(
    line: str, says: tuple[str, ...], desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line on standard error with what is wrong and what would be right, nothing on standard output."""
    code, out, err = call(monkeypatch, capsys, desk, line)
    assert (code, out) == (2, ""), err
    assert err.startswith("assay: ")
    assert len(err.splitlines()) == 1, err
    assert "Errno" not in err
    assert [say for say in says if say not in err] == [], err


def test_nothing_is_left_behind(desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A command that is refused makes no run."""
    before = sorted(desk.rglob("*"))
    call(monkeypatch, capsys, desk, "eval app.html --out file")
    call(monkeypatch, capsys, desk, "eval app.html --profile thorogh")
    assert sorted(desk.rglob("*")) == before


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch, desk: Path) -> None:
    """Only what a path may be refused for becomes a line; any other error shows where it happened."""

    def broken(*_: object, **__: object) -> None:
        raise OSError(71, "Protocol error", "somewhere")

    monkeypatch.chdir(desk)
    monkeypatch.setattr("agent.cli.main.app", broken)
    with pytest.raises(OSError, match="Protocol error"):
        main()
