"""All files of a batch's results at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.reports.whole import write_whole
from evaluator.results.as_html import HTML_FILE, page
from evaluator.results.as_junit import junit
from evaluator.results.as_sarif import sarif
from evaluator.results.leaderboard import Leaderboard, leaderboard
from evaluator.results.rows import Scored
from evaluator.results.table import write_table
from evaluator.statistics.bootstrap import RESAMPLES
from tools.errors import UserError

BOARD_FILE = "leaderboard.json"
JUNIT_FILE = "junit.xml"
SARIF_FILE = "results.sarif"


@dataclass(frozen=True)
class Written:
    """Where everything lies, and the leaderboard itself."""

    parquet: Path
    lines: Path
    page: Path
    board_file: Path
    junit: Path
    sarif: Path
    board: Leaderboard


def write_results(
    rows: Sequence[Scored],
    folder: Path,
    *,
    title: str = "",
    fail_under: float | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Written:
    """Table, leaderboard, page, JUnit and SARIF of a batch in `folder`; the page links runs from there. Raises `UserError`."""
    if not rows:
        raise UserError("There is no verdict to make results of.")
    parquet, lines = write_table(rows, folder)
    board = leaderboard(rows, resamples=resamples, seed=seed)
    return Written(
        parquet=parquet,
        lines=lines,
        page=write_whole(folder / HTML_FILE, page(rows, board, folder.resolve(), title=title or folder.name)),
        board_file=write_whole(folder / BOARD_FILE, board.model_dump_json(indent=1) + "\n"),
        junit=write_whole(folder / JUNIT_FILE, junit(rows, fail_under=fail_under, name=title or folder.name)),
        sarif=write_whole(folder / SARIF_FILE, sarif(rows)),
        board=board,
    )
