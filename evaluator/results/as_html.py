"""`results.html`: a batch on one page that needs no server and no network, with links into the runs."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from evaluator.reports.assets import asset, policy_hash
from evaluator.reports.templates import page_environment
from evaluator.reports.wording import in_words
from evaluator.results import breakdown, plots
from evaluator.results.grid import FACETS, MEASURES, UNKNOWN, Measure
from evaluator.results.leaderboard import Leaderboard
from evaluator.results.rows import Scored
from tools.text import printable

HTML_FILE = "results.html"
_HERE = "evaluator.results"
RUN_PAGE = "report.html"
RADAR_MODELS = 6
RADAR_AXES = 3
"""Fewer domains make no area."""
MATRIX_MODELS = 30
"""More models than that make no matrix one can read; the figures are in `leaderboard.json`."""


def page(rows: Sequence[Scored], board: Leaderboard, folder: Path, *, title: str = "") -> str:
    """The page; run folders are linked relative to `folder`, where it will lie."""
    models = [standing.model for standing in board.over_all("total")]
    style, script = asset(_HERE, "results.css"), asset(_HERE, "results.js")
    states = Counter(row.status for row in rows)
    only_ours = f"script-src '{policy_hash(script)}'; style-src '{policy_hash(style)}'"
    policy = f"default-src 'none'; {only_ours}; base-uri 'none'; form-action 'none'"
    return (
        _environment()
        .get_template("results.html.j2")
        .render(
            title=title or "Results",
            style=Markup(style),  # noqa: S704 - ours
            script=Markup(script),  # noqa: S704 - ours
            policy=policy,
            rows=rows,
            board=board,
            models=models,
            overall=board.over_all("total"),
            functionality={standing.model: standing for standing in board.over_all("functionality")},
            aesthetics={standing.model: standing for standing in board.over_all("aesthetics")},
            counts={
                "models": len(models),
                "queries": len({row.query_id for row in rows}),
                **{state: states[state] for state in ("scored", "incomplete", "failed")},
            },
            judges=sorted({f"{row.judge} {row.rubric}".strip() for row in rows if row.status == "scored"}),
            unfinished=breakdown.unfinished(rows),
            measures=("total", "functionality", "aesthetics"),
            facets=FACETS,
            slices={measure: {facet: board.by(facet, measure) for facet in FACETS} for measure in MEASURES},
            defects=breakdown.defects(rows),
            reliability=breakdown.reliability(rows),
            trials=[trial for measure in MEASURES[:2] for trial in breakdown.trials(rows, measure)],
            spending=breakdown.spending(rows),
            plots=_plots(rows, board, models),
            radar_shown=min(RADAR_MODELS, len(models)),
            radar_left_out=len(models) > RADAR_MODELS,
            data=_inlined({"rows": [_listed(row, folder) for row in rows]}),
        )
    )


def _plots(rows: Sequence[Scored], board: Leaderboard, models: Sequence[str]) -> dict[str, Markup]:
    drawn = {
        "functionality": _whiskers(board, "functionality"),
        "aesthetics": _whiskers(board, "aesthetics"),
        "spread_functionality": _spread(rows, "functionality"),
        "spread_aesthetics": _spread(rows, "aesthetics"),
        "duels": _duels(board, models[:MATRIX_MODELS]),
        "radar": _radar(board, models[:RADAR_MODELS]),
        "defects": _defects(rows, models[:MATRIX_MODELS]),
        "reliability": _reliability(rows),
    }
    return {name: Markup(svg) for name, svg in drawn.items()}  # noqa: S704 - plots escape every text


def _whiskers(board: Leaderboard, measure: Measure) -> str:
    marks = [
        plots.Whisker(_clean(standing.model), standing.mean.value, standing.mean.low, standing.mean.high, standing.mean.why)
        for standing in board.over_all(measure)
    ]
    return plots.whiskers(marks, f"{measure.capitalize()} of each model with its interval")


def _spread(rows: Sequence[Scored], measure: Measure) -> str:
    told = {_clean(model): bins for model, bins in breakdown.spread(rows, measure).items()}
    return plots.histograms(told, breakdown.BIN_WIDTH, f"Distribution of {measure}")


def _duels(board: Leaderboard, models: Sequence[str]) -> str:
    values: dict[tuple[str, str], float | None] = {}
    notes: dict[tuple[str, str], str] = {}
    for duel in board.duels:
        if duel.measure == "total":
            pair = _clean(duel.model), _clean(duel.other)
            values[pair] = duel.share.value
            notes[pair] = (
                f"{pair[0]} against {pair[1]}: better {duel.better}, equal {duel.equal}, worse {duel.worse}; {duel.share}"
            )
    names = [_clean(model) for model in models]
    return plots.heat(names, names, values, "Share of queries on which the row is better", notes=notes, most=1.0)


def _radar(board: Leaderboard, models: Sequence[str]) -> str:
    domains = {name: cells for name, cells in board.by("domain", "total").items() if name != UNKNOWN}
    if len(domains) < RADAR_AXES:
        return ""
    series = {_clean(model): [cells[model].mean.value for cells in domains.values()] for model in models}
    return plots.radar([_clean(name) for name in domains], series, "Total by domain")


def _defects(rows: Sequence[Scored], models: Sequence[str]) -> str:
    found = breakdown.defects(rows)
    if not found:
        return ""
    # Models down the side: there are more kinds of failures than anybody compares models.
    totals: Counter[str] = Counter()
    for defects in found:
        totals[in_words(defects.category.value)] += defects.apps
    values: dict[tuple[str, str], float | None] = {(_clean(model), category): 0.0 for model in models for category in totals}
    notes: dict[tuple[str, str], str] = {}
    for defects in found:
        pair = _clean(defects.model), in_words(defects.category.value)
        values[pair] = defects.share
        notes[pair] = f"{pair[0]}, {pair[1]}: {defects.failures} failures in {defects.apps} apps"
    return plots.heat(
        [_clean(model) for model in models],
        [name for name, _ in totals.most_common()],
        values,
        "Failures by category",
        notes=notes,
    )


def _reliability(rows: Sequence[Scored]) -> str:
    told = breakdown.reliability(rows)
    dots = [
        plots.Dot(each_bin.mean_confidence, each_bin.share, each_bin.share_low, each_bin.share_high, each_bin.attempted)
        for each_bin in told.bins
    ]
    return plots.calibration(dots, "Confidence against proof")


def _listed(row: Scored, folder: Path) -> list[Any]:
    return [
        _clean(row.query_id),
        _clean(row.model),
        row.trial,
        _clean(row.domain[0]) if row.domain else "",
        _clean(row.difficulty),
        _clean(row.language),
        row.status,
        row.functionality.value if row.functionality else None,
        row.aesthetics.value if row.aesthetics else None,
        len(row.counted) if row.status == "scored" else None,
        printable(f"{row.blame.value if row.blame else ''} {row.reason}".strip(), 200),
        link(row.run, folder),
    ]


def link(run: str, folder: Path) -> str:
    """Where a run's report lies as seen from `folder`; empty where it is in no file system or was not run."""
    if not run or "://" in run:
        return ""
    path = Path(run)
    inside = Path(os.path.relpath(path, folder)) if path.is_absolute() else path
    return "./" + quote((inside / RUN_PAGE).as_posix())


def _clean(text: str) -> str:
    return printable(text, 120)


def _inlined(values: object) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - every character that means anything to an HTML parser was replaced above


@cache
def _environment() -> Environment:
    environment = page_environment("evaluator.results", lambda value: printable(value, 600) if type(value) is str else value)
    environment.filters.update(fixed=_fixed, percent=_percent, duration=_duration, in_words=in_words)
    return environment


def _fixed(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f}"


def _percent(value: float) -> str:
    return f"{value:.1%}" if 0 < value < 0.095 else f"{value:.0%}"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 120:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"
