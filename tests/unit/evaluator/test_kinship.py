"""One defect that shows in several places is one failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.taxonomy import Category
from tests.unit.evaluator.records import Run, only
from tools.evidence.rows import Box

SOMEWHERE = Box(x=20, y=100, width=200, height=20)


@pytest.mark.parametrize(("keys", "failures"), [(8, 1), (3, 3)])
def test_dead_keys_of_one_row_are_one_failure(tmp_path: Path, keys: int, failures: int) -> None:
    """Three of eight keys were tried for all; of three buttons each stands for itself."""
    names = "cdefgahb"[:keys]
    run = Run(tmp_path, marks=[{"selector": f"#key-{name}", "role": "button", "name": name, "group": "keys"} for name in names])
    for name in names[:3]:
        run.dead(f"#key-{name}")
    assert len(run.judge().failures) == failures


def test_entries_lost_with_a_reload_are_one_failure_and_the_theme_another(tmp_path: Path) -> None:
    """What is kept together is lost together; a theme is stored by itself."""
    run = Run(tmp_path)
    for text in ("Milk", "A walk in the garden"):
        run.outcome(run.reload(), "persistence_lost", oracle="persists", expectation=f'"{text}" is still there')
    assert len(run.judge().failures) == 1
    run = Run(tmp_path / "theme")
    run.outcome(run.reload(), "persistence_lost", oracle="persists", expectation='"Milk" is still there')
    run.outcome(run.reload(), "persistence_lost", oracle="theme_stays", expectation="the theme stays")
    assert len(run.judge().failures) == 2


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
