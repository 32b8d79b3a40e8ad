"""What lies in the folder of runs, and that nothing else is reached."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent.view.folder import READ_UNASKED, Found, NotThereError, RunsFolder
from agent.view.summaries import Summaries
from tools.errors import UserError

PRIVATE = "what is nobody's business"


def test_runs_and_batches_are_found_at_every_depth(made: Path) -> None:
    """Each once, by its path; a folder without a run is none."""
    assert RunsFolder(made).found() == [
        Found("broken-off", "run"),
        Found("clean-board", "run"),
        Found("garden", "batch"),
        Found("garden/runs/nothing-2", "run"),
        Found("garden/runs/planner-1", "run"),
        Found("old", "run"),
        Found("short-look", "run"),
        Found("tidy-board", "run"),
    ]


def test_a_link_is_neither_listed_nor_followed(runs: Path, tmp_path: Path) -> None:
    """Not as a run, not as a folder on the way, not as a file: nor one that leads to another place inside."""
    outside = tmp_path / "outside"
    (runs / "tidy-board").rename(outside)
    (outside / "secret.txt").write_text(PRIVATE, encoding="utf-8")
    (runs / "linked").symlink_to(outside)
    (runs / "again").symlink_to(runs / "clean-board")
    (runs / "clean-board" / "secret.txt").symlink_to(outside / "secret.txt")
    (runs / "clean-board" / "away").symlink_to(outside)
    folder = RunsFolder(runs)
    assert not {"linked", "again", "tidy-board"} & {item.name for item in folder.found()}
    for name in ("linked", "again", "clean-board/away"):
        with pytest.raises(NotThereError):
            folder.run(name)
    for inside in ("secret.txt", "away/secret.txt"):
        with pytest.raises(NotThereError):
            folder.file("clean-board", inside)


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../runs/tidy-board", "tidy-board/..", "/tidy-board", "tidy-board/", "garden//runs/planner-1"),
        *("garden/../tidy-board", "tidy-board\\..", "tidy-board\0", "tidy-board\n", "tidy-board/blobs", "notes", "nothing"),
        "x" * 5000,
    ],
)
def test_no_other_name_is_a_run(made: Path, name: str) -> None:
    """Neither ways up and around, nor folders that are none."""
    with pytest.raises(NotThereError):
        RunsFolder(made).run(name)


@pytest.mark.parametrize("inside", ["../short-look/verdict.json", "..", "blobs", "/etc/passwd", "./verdict.json", "nothing"])
def test_no_other_path_is_a_file(made: Path, inside: str) -> None:
    """A file lies in its own folder and is a plain one."""
    with pytest.raises(NotThereError):
        RunsFolder(made).file("tidy-board", inside)


def test_a_pipe_is_no_file(runs: Path) -> None:
    """Opening one would wait for ever."""
    os.mkfifo(runs / "tidy-board" / "pipe")
    with pytest.raises(NotThereError):
        RunsFolder(runs).file("tidy-board", "pipe")


def test_only_folders_with_something_to_show_give_files(made: Path) -> None:
    """A run's, a batch's; not what people keep beside them."""
    folder = RunsFolder(made)
    assert folder.file("tidy-board", "verdict.json").is_file()
    assert folder.file("garden", "results.html").is_file()
    (made / "notes" / "private.txt").write_text(PRIVATE, encoding="utf-8")
    with pytest.raises(NotThereError):
        folder.file("notes", "private.txt")


def test_a_folder_that_is_none_of_runs_is_one_line(made: Path, tmp_path: Path) -> None:
    """Missing, or a run itself: then the folder around it is named."""
    with pytest.raises(UserError, match="There is no folder"):
        RunsFolder(tmp_path / "gone")
    with pytest.raises(UserError, match="is one run") as told:
        RunsFolder(made / "tidy-board")
    assert str(made) in told.value.hint


@pytest.mark.parametrize("inside", READ_UNASKED)
def test_a_pipe_or_a_link_in_a_run_holds_nobody_up(runs: Path, tmp_path: Path, inside: str) -> None:
    """A run with one where the list reads is told to be strange, and nothing of it is opened."""
    for make in (os.mkfifo, lambda path: path.symlink_to(tmp_path)):
        path = runs / "tidy-board" / inside
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        make(path)
        told = Summaries(RunsFolder(runs)).of("tidy-board")
        assert (told.status, inside in told.told) == ("unreadable", True)
