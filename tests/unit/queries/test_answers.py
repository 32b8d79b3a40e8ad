"""Answers in folders and tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.errors import UserError
from tools.queries.answers import file_name, missing, read_answers
from tools.queries.protocol import Query

QUERIES = tuple(Query(id=name, brief=f"brief of {name}") for name in ("q1", "q2", "a/b:c"))


def _put(path: Path, text: str = "<p>hello") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _told(sources: list[str]) -> list[tuple[str, str, int, str, str]]:
    return [
        (answer.query_id, answer.model, answer.trial, answer.kind, Path(answer.subject).name)
        for answer in read_answers(sources, QUERIES)
    ]


def test_folders_of_models_with_pages_answers_and_projects(tmp_path: Path) -> None:
    """One folder a model; files and folders are named by query; trials lie in folders of their own; strangers are passed over."""
    _put(tmp_path / "gpt" / "q1.html")
    _put(tmp_path / "gpt" / "q2" / "index.html")
    _put(tmp_path / "gpt" / "trial-2" / "q1.md")
    _put(tmp_path / "gpt" / f"{file_name('a/b:c')}.html")
    _put(tmp_path / "gpt" / "q9.html")
    _put(tmp_path / "gpt" / "q1.png")
    _put(tmp_path / "opus" / "q2.txt")
    assert _told([str(tmp_path)]) == [
        ("q1", "gpt", 1, "path", "q1.html"),
        ("q1", "gpt", 2, "path", "q1.md"),
        ("q2", "gpt", 1, "path", "q2"),
        ("a/b:c", "gpt", 1, "path", "a%2Fb%3Ac.html"),
        ("q2", "opus", 1, "path", "q2.txt"),
    ]


def test_one_folder_can_be_one_model(tmp_path: Path) -> None:
    """By `MODEL=PATH`, or because answers lie in it directly."""
    _put(tmp_path / "answers" / "q1.html")
    assert _told([f"m={tmp_path / 'answers'}"])[0][1] == "m"
    assert _told([str(tmp_path / "answers")])[0][1] == "answers"


def test_tables_of_raw_answers_and_addresses(tmp_path: Path) -> None:
    """Texts, chat messages, addresses and paths; rows without a trial are counted; silence is an answer too."""
    page = _put(tmp_path / "pages" / "x.html")
    rows = [
        {"query_id": "q1", "answer": "```html\n<p>1\n```"},
        {"query_id": "q1", "answer": [{"text": "a"}, {"content": "b"}]},
        {"query_id": "q2", "model": "other", "response": ""},
        {"data_id": "a/b:c", "url": "http://localhost:3000/x"},
        {"id": "q2", "path": "pages/x.html", "trial": "4"},
        {"id": "unknown", "answer": "x"},
    ]
    table = _put(tmp_path / "m1.jsonl", "\n".join(json.dumps(row) for row in rows))
    found = {answer.key: answer for answer in read_answers([str(table)], QUERIES)}
    assert {key: (answer.kind, answer.subject) for key, answer in found.items()} == {
        ("q1", "m1", 1): ("text", "```html\n<p>1\n```"),
        ("q1", "m1", 2): ("text", "ab"),
        ("q2", "other", 1): ("text", "\n"),
        ("a/b:c", "m1", 1): ("url", "http://localhost:3000/x"),
        ("q2", "m1", 4): ("path", str(page)),
    }
    assert found["q1", "m1", 1].source.endswith("m1.jsonl:1")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"answer": "x"}, ":1: no query id"),
        ({"id": "q1"}, ":1: no answer"),
        ({"id": "q1", "url": "ftp://x"}, "no http or https address"),
        ({"id": "q1", "path": "nowhere.html"}, "there is no file"),
        ({"id": "q1", "answer": 3}, "the answer is a int"),
        ({"id": "q1", "answer": "x", "trial": 0}, "trial 0 is no number"),
        ({"id": "zz", "answer": "x"}, "holds no answer to any of the 3 queries"),
    ],
)
def test_wrong_rows_are_told(row: dict[str, object], says: str, tmp_path: Path) -> None:
    """File, line and what to do."""
    with pytest.raises(UserError, match=says):
        read_answers([str(_put(tmp_path / "m.jsonl", json.dumps(row)))], QUERIES)


def test_two_answers_may_not_claim_one_trial(tmp_path: Path) -> None:
    """The same model, query and trial from two places is a mistake, and both are named."""
    _put(tmp_path / "one" / "q1.html")
    _put(tmp_path / "two" / "q1.html")
    with pytest.raises(UserError, match=r"trial 1 of m for 'q1' is also in .*one"):
        read_answers([f"m={tmp_path / 'one'}", f"m={tmp_path / 'two'}"], QUERIES)
    with pytest.raises(UserError, match="no answers at"):
        read_answers([str(tmp_path / "none")], QUERIES)


def test_missing_answers_are_listed(tmp_path: Path) -> None:
    """By model, in the set's order."""
    _put(tmp_path / "full" / "q1.html")
    _put(tmp_path / "full" / "q2.html")
    _put(tmp_path / "full" / f"{file_name('a/b:c')}.html")
    _put(tmp_path / "part" / "q2.html")
    assert missing(QUERIES, read_answers([str(tmp_path)], QUERIES)) == {"part": ("q1", "a/b:c")}


@pytest.mark.parametrize("name", ["..", "a/../b", ".", "x\x00y", "über"])
def test_file_names_stay_in_their_folder(name: str) -> None:
    """An id never leads out of the folder it is looked for in."""
    safe = file_name(name)
    assert "/" not in safe
    assert ".." not in safe
    assert "\x00" not in safe
