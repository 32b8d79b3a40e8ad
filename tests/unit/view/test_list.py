"""What the list says of each run, and which of them it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.view.folder import RunsFolder
from agent.view.listing import PAGE, Listing, Wish, listed
from agent.view.summaries import Score, Summaries, Summary
from evaluator.marks.file import put_mark
from evaluator.reports.facts import read_run
from tools.processes import ProcessList


def names(listing: Listing) -> list[str]:
    """The runs of a page, in order."""
    return [run.name for group in listing.groups for run in group.runs]


def test_every_run_has_its_status(made: Path) -> None:
    """Whatever state its folder is in; what can't be read says why."""
    found = {Summary.name: Summary for Summary in Summaries(RunsFolder(made)).all()}
    assert {name: Summary.status for name, Summary in found.items()} == {
        "tidy-board": "complete",
        "clean-board": "complete",
        "short-look": "not_enough_seen",
        "garden/runs/planner-1": "complete",
        "garden/runs/nothing-2": "no_artifact",
        "broken-off": "interrupted",
        "old": "unreadable",
    }
    assert "another version" in found["old"].told
    assert "assay eval --resume" in found["broken-off"].told


def test_a_summary_has_scores_failures_and_a_picture(made: Path) -> None:
    """With their intervals; a value stands alone only where enough was seen."""
    folder = RunsFolder(made)
    summaries = Summaries(folder)
    tidy, short = summaries.of("tidy-board"), summaries.of("short-look")
    verdict = read_run(made / "tidy-board")[1]
    assert verdict.functionality is not None
    assert tidy.functionality == Score(
        verdict.functionality.value, verdict.functionality.low, verdict.functionality.high, known=True
    )
    assert short.functionality is not None
    assert not short.functionality.known
    assert (tidy.failures, tidy.suspected) == (len(verdict.failures), len(verdict.suspected))
    assert folder.file("tidy-board", tidy.picture).read_bytes().startswith(b"\x89PNG")
    assert (tidy.subject, tidy.began is not None) == ("examples/tidy-board/index.html", True)


def test_a_summary_follows_its_folder(runs: Path) -> None:
    """A mark, a run that begins, a verdict that comes: each is seen at the next look."""
    summaries = Summaries(RunsFolder(runs))
    assert summaries.of("tidy-board").marked == 0
    verdict = read_run(runs / "tidy-board")[1]
    put_mark(runs / "tidy-board", verdict, verdict.failures[0].id, "wrong")
    assert summaries.of("tidy-board").wrong == 1
    with ProcessList(runs / "broken-off"):
        assert summaries.of("broken-off").status == "running"
    assert summaries.of("broken-off").status == "interrupted"
    (runs / "short-look" / "verdict.json").unlink()
    assert summaries.of("short-look").status == "interrupted"


def test_marks_that_cannot_be_read_are_told(runs: Path) -> None:
    """The verdict is shown all the same."""
    (runs / "tidy-board" / "marks.json").write_text("{", encoding="utf-8")
    told = Summaries(RunsFolder(runs)).of("tidy-board")
    assert told.status == "complete"
    assert "holds no marks" in told.problem


def at(name: str, hour: int, **more: object) -> Summary:
    """A run that began at that hour."""
    began = datetime(2026, 11, 21, hour, tzinfo=UTC)
    return replace(Summary(name, subject=f"{name}.html", began=began, status="complete"), **more)


RUNS = [
    at("a", 1, functionality=Score(3, 2, 4, known=True), failures=2, titles=("No items", "Total is off"), wrong=1),
    at("b", 2, functionality=Score(7, 6, 8, known=True), status="not_enough_seen", brief="A budget tracker"),
    at("shop/runs/c", 3, functionality=Score(5, 4, 6, known=True), suspected=1, titles=("Slow",)),
    at("shop/runs/d", 4, status="running"),
]


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        (Wish(), ["b", "a", "shop/runs/d", "shop/runs/c"]),
        (Wish(sort="oldest"), ["a", "b", "shop/runs/c", "shop/runs/d"]),
        (Wish(sort="worst"), ["a", "b", "shop/runs/c", "shop/runs/d"]),
        (Wish(sort="best"), ["b", "a", "shop/runs/c", "shop/runs/d"]),
        (Wish(sort="failures"), ["a", "b", "shop/runs/c", "shop/runs/d"]),
        (Wish(sort="no such order"), ["b", "a", "shop/runs/d", "shop/runs/c"]),
        (Wish(status="running"), ["shop/runs/d"]),
        (Wish(status="no such status"), ["b", "a", "shop/runs/d", "shop/runs/c"]),
        (Wish(text="BUDGET"), ["b"]),
        (Wish(text="total off"), ["a"]),
        (Wish(text="budget total"), []),
        (Wish(verdict="failures"), ["a"]),
        (Wish(verdict="suspected"), ["shop/runs/c"]),
        (Wish(verdict="clean"), ["b"]),
        (Wish(verdict="unmarked"), ["a", "shop/runs/c"]),
        (Wish(verdict="wrong"), ["a"]),
        (Wish(folder="shop"), ["shop/runs/d", "shop/runs/c"]),
        (Wish(folder="sh"), []),
    ],
)
def test_runs_are_chosen_and_ordered(wish: Wish, expected: list[str]) -> None:
    """Those of one folder stay together; what is not known counts as not given."""
    assert names(listed(RUNS, wish)) == expected


def test_a_long_list_has_pages() -> None:
    """A page that is not there is the nearest one."""
    many: Sequence[Summary] = [at(f"run-{number:03}", 5) for number in range(PAGE + 3)]
    first, last = listed(many, Wish(sort="name")), listed(many, Wish(sort="name", page=99))
    assert (first.pages, first.matching, len(names(first))) == (2, PAGE + 3, PAGE)
    assert (last.page, names(last)) == (2, [f"run-{number:03}" for number in range(PAGE, PAGE + 3)])
