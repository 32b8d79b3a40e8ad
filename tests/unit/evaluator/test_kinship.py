"""One defect that shows in several places is one failure."""

from __future__ import annotations

from pathlib import Path

from evaluator.verdict.taxonomy import Category
from tests.unit.evaluator.records import Run, only
from tools.evidence.rows import Box

SOMEWHERE = Box(x=20, y=100, width=200, height=20)


def test_texts_under_one_lid_are_one_failure(tmp_path: Path) -> None:
    """A panel over three tiles: one defect; another lid elsewhere is another."""
    run = Run(tmp_path)
    for place in ("revenue", "number", "average"):
        run.finding("layout.hidden", "hidden", selector=f"#{place}", box=SOMEWHERE, other="#overview")
    run.finding("layout.hidden", "hidden", selector="#footer", box=SOMEWHERE, other="#banner")
    assert len(run.judge().failures) == 2


def test_a_drawing_that_an_error_left_empty_shows_that_error(tmp_path: Path) -> None:
    """The script stopped while the page loaded, and the chart holds nothing; without an error it is but suspected."""
    run = Run(tmp_path)
    run.error("ReferenceError: totals is not defined", line=18)
    run.finding("media.drawing_empty", "The drawing “Revenue” holds nothing.", selector="#chart", box=SOMEWHERE)
    assert only(run.judge()).category is Category.runtime_error
    run = Run(tmp_path / "quiet")
    run.finding("media.drawing_empty", "The drawing “Revenue” holds nothing.", selector="#chart", box=SOMEWHERE)
    assert run.judge().failures == ()
