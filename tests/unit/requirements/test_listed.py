"""A checklist from a file: what it may be, and one line for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.requirements.listed import asked, listed, read_items
from tools.errors import UserError


def file(folder: Path, name: str, text: str) -> Path:
    """A file of that text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"content": "Users can add  tasks.", "class": "x"}\n\n"Tasks are kept."\n'),
        ("a.json", '[{"item": "Users can add tasks."}, {"text": "Tasks are kept."}]'),
        ("a.csv", 'class,Content\nx,"Users can add tasks."\n\ny,"Tasks are kept."\n'),
        ("a.CSV", "\ufeffitem\nUsers can add tasks.\nTasks are kept.\n"),
    ],
)
def test_items_are_read_in_their_order(tmp_path: Path, name: str, text: str) -> None:
    """Of each kind of file."""
    assert read_items(file(tmp_path, name, text)) == ("Users can add tasks.", "Tasks are kept.")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.jsonl", '{"content": "x"}\n{bad\n', "a.jsonl:2: this line is no JSON."),
        ("a.jsonl", '{"label": "x"}\n', "a.jsonl:1: an item has content or item or text, this has label."),
        ("a.jsonl", '{"content": 7}\n', "a.jsonl:1: an item is some words, not 7."),
        ("a.jsonl", "\n", "holds no item."),
        ("a.json", '{"content": "x"}', "is no list of items."),
        ("a.csv", "title,class\nx,y\n", "a.csv:1: no column is called content or item or text."),
        ("a.csv", "content,class\nx,y\n,y\n", "a.csv:3: an item is some words, not ''."),
        ("a.txt", "x", "is of no known kind."),
        ("a.jsonl", '"x"\n' * 101, "holds 101 items; 100 are the most."),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    """With where it stands."""
    with pytest.raises(UserError) as error:
        read_items(file(tmp_path, name, text))
    assert said in error.value.message
    assert "\n" not in error.value.message


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    """As for a brief."""
    with pytest.raises(UserError, match="can't be read"):
        read_items(tmp_path / "none.jsonl")


def test_each_item_is_one_requirement_whatever_it_says() -> None:
    """Not split, not left out: that it looks well is judged, too."""
    made = listed(("Users can add, edit and delete tasks.", "The design looks modern."))
    assert [(item.id, item.words) for item in made.testable] == [
        ("c1", "Users can add, edit and delete tasks."), ("c2", "The design looks modern."),
    ]  # fmt: skip


def test_a_checklist_takes_the_place_of_what_the_brief_is_read_to_ask_for() -> None:
    """Without one the brief is read."""
    brief = "A task list. Users can add tasks. Users can delete tasks."
    assert [item.id for item in asked(brief, "en", ("Tasks are kept.",))] == ["c1"]
    assert {item.id[0] for item in asked(brief, "en")} == {"r"}
