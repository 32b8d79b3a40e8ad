"""A leaderboard for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table

from evaluator.results.grid import FACETS
from evaluator.results.leaderboard import Leaderboard, Standing
from evaluator.statistics.bootstrap import Figure
from tools.text import printable

SLICED_MODELS = 6
"""With more models tables by slice are wider than a terminal; the page has them."""


def as_tables(board: Leaderboard) -> RenderableType:
    """All models over all queries; by domain, difficulty and language where they are few."""
    parts: list[RenderableType] = [_main(board)]
    if len(board.over_all("total")) <= SLICED_MODELS:
        parts += [_sliced(board, facet) for facet in FACETS if len(board.by(facet, "total")) > 1]
    return Group(*parts)


def _main(board: Leaderboard) -> Table:
    table = Table(title="Leaderboard: 0–8, means over queries, 95 % intervals below them", title_justify="left", padding=(0, 0))
    table.add_column("rank", justify="right")
    table.add_column("model", overflow="fold")
    # Intervals stand on a line of their own: beside their values the table would be wider than a terminal of 80 columns.
    for name in ("total", "functionality", "aesthetics", "win rate"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("queries", justify="right", no_wrap=True)
    table.add_column("no score", justify="right", no_wrap=True)
    others = {
        measure: {each_standing.model: each_standing for each_standing in board.over_all(measure)}
        for measure in ("functionality", "aesthetics")
    }
    for standing in board.over_all("total"):
        table.add_row(
            _rank(standing),
            printable(standing.model, 60),
            _figure(standing.mean, "\n"),
            _figure(others["functionality"][standing.model].mean, "\n"),
            _figure(others["aesthetics"][standing.model].mean, "\n"),
            _share(standing.win_rate),
            str(standing.mean.n),
            str(standing.incomplete + standing.failed),
        )
    return table


def _sliced(board: Leaderboard, facet: str) -> Table:
    table = Table(title=f"Total by {facet}", title_justify="left")
    models = [standing.model for standing in board.over_all("total")]
    table.add_column(facet, overflow="fold")
    for model in models:
        table.add_column(printable(model, 24), justify="right")
    for name, cells in board.by(facet, "total").items():  # type: ignore[arg-type]
        table.add_row(printable(name, 40), *(_figure(cells[model].mean) for model in models))
    return table


def _rank(standing: Standing) -> str:
    if standing.rank is None:
        return "–"
    if standing.rank_low is None or standing.rank_low == standing.rank_high:
        return str(standing.rank)
    return f"{standing.rank}\n{standing.rank_low}–{standing.rank_high}"


def _figure(figure: Figure, apart: str = " ") -> str:
    if figure.value is None:
        return "–"
    span = "" if figure.low is None or figure.high is None else f"{apart}{figure.low:.2f}–{figure.high:.2f}"
    return f"{figure.value:.2f}{span}"


def _share(figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return "–"
    span = "" if figure.low is None or figure.high is None else f"\n{figure.low:.0%}–{figure.high:.0%}"
    return f"{figure.value:.0%}{span}"
