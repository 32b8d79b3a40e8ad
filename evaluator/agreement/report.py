"""An agreement's results for people: tables for the terminal, one self-contained page with plots."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table

from evaluator.agreement.comparing import Agreement
from evaluator.agreement.repeats import Robustness
from evaluator.reports.whole import write_whole
from evaluator.results import plots
from evaluator.statistics.bootstrap import Figure
from tools.text import printable

PAGE_FILE = "agreement.html"
DATA_FILE = "agreement.json"
POINTS_DRAWN = 3000

_ROWS: tuple[tuple[str, str, str], ...] = (
    ("pair_accuracy", "Pair ACC", "pairs"),
    ("footrule", "footrule consistency of the models' ranking", "models"),
    ("spearman", "Spearman's ρ", "items"),
    ("kendall", "Kendall's τ-b", "items"),
    ("pearson", "Pearson's r", "items"),
    ("cohen", "Cohen's κ", "items"),
    ("cohen_quadratic", "Cohen's κ, quadratic weights", "items"),
    ("fleiss", "Fleiss' κ, all raters", "items"),
    ("alpha_nominal", "Krippendorff's α, nominal", "items"),
    ("alpha_ordinal", "Krippendorff's α, ordinal", "items"),
    ("alpha_interval", "Krippendorff's α, interval", "items"),
)


def figures(found: Agreement) -> Iterator[tuple[str, Figure, str]]:
    """Name, figure and what its `n` counts, in the order they are shown."""
    for name, words, unit in _ROWS:
        yield words, getattr(found, name), unit


def as_tables(found: Agreement, robust: Sequence[Robustness] = ()) -> RenderableType:
    """Figures; models' places; repetitions and reworded checklists where there are any."""
    parts: list[RenderableType] = [_main(found)]
    if found.models:
        parts.append(_places(found))
    if found.repeats:
        parts.append(_repeats(found))
    if robust:
        parts.append(_robust(robust))
    return Group(*parts)


def _main(found: Agreement) -> Table:
    title = f"{found.judge} against {found.reference}: {found.items} items of {found.queries} queries in common"
    table = Table(title=printable(title, 200), title_justify="left", caption=_caption(found), caption_justify="left")
    for name, justify in (("figure", "left"), ("value", "right"), ("95 %", "left"), ("over", "right"), ("", "left")):
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for words, figure, unit in figures(found):
        value = "not measured" if figure.value is None else f"{figure.value:.4f}"
        span = "" if figure.low is None or figure.high is None else f"{figure.low:.4f} to {figure.high:.4f}"
        table.add_row(words, value, span, f"{figure.n} {unit}", figure.why)
    return table


def _caption(found: Agreement) -> str:
    told = [f"κ over {found.classes}."] if found.classes else []
    if found.raters:
        told.append(f"Raters: {', '.join(found.raters)}.")
    if found.tied_by_reference or found.tied_by_judge:
        told.append(f"Pairs tied by the reference ({found.tied_by_reference}) are left out.")
        told.append(f"Those tied by the judge only ({found.tied_by_judge}) count half.")
    if found.only_judge or found.only_reference:
        told.append(f"In one source only, in no figure: {found.only_judge} + {found.only_reference} items.")
    return printable(" ".join(told), 600)


def _places(found: Agreement) -> Table:
    table = Table(title="Models, by the reference", title_justify="left")
    table.add_column("model")
    for name in ("reference", "judge", "place there", "place here"):
        table.add_column(name, justify="right")
    for model in found.models:
        table.add_row(
            printable(model.model, 60),
            f"{model.reference:.3f}",
            f"{model.judge:.3f}",
            f"{model.reference_rank:g}",
            f"{model.judge_rank:g}",
        )
    return table


def _repeats(found: Agreement) -> Table:
    table = Table(title="The same again: repeated ratings", title_justify="left")
    for name in ("rater", "items", "variance (0–100)", "between runs (0–100)", "widest", "identical"):
        table.add_column(name, justify="left" if name == "rater" else "right")
    for repeat in found.repeats:
        between = "not measured" if repeat.run_variance_100 is None else f"{repeat.run_variance_100:.4f}"
        table.add_row(
            printable(repeat.rater, 60),
            str(repeat.items),
            str(repeat.variance_100),
            between,
            f"{repeat.widest:g}",
            f"{repeat.identical:.0%}",
        )
    return table


def _robust(robust: Sequence[Robustness]) -> Table:
    table = Table(title="Reworded checklists", title_justify="left")
    for name in ("variant", "items", "mean shift", "mean size", "widest", "Pair ACC", "footrule"):
        table.add_column(name, justify="left" if name == "variant" else "right")
    for robustness in robust:
        cells = (
            str(robustness.shift),
            str(robustness.shift_absolute),
            f"{robustness.widest:g}",
            str(robustness.pair_accuracy),
            str(robustness.ranking),
        )
        table.add_row(printable(robustness.variant, 60), str(robustness.items), *cells)
    return table


def write(found: Agreement, folder: Path, robust: Sequence[Robustness] = ()) -> tuple[Path, Path]:
    """`agreement.json` and `agreement.html` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    data = write_whole(folder / DATA_FILE, found.model_dump_json(indent=1) + "\n")
    return data, write_whole(folder / PAGE_FILE, page(found, robust))


def page(found: Agreement, robust: Sequence[Robustness] = ()) -> str:
    """One file without script."""
    style = (files("evaluator.results") / "page" / "results.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = _text(f"{found.judge} against {found.reference}")
    drawn = "".join(f"<figure>{svg}<figcaption>{words}</figcaption></figure>" for svg, words in _plots(found))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>{title} · Assay</title><style>{style}</style></head><body><main>
<section><h1>{title}</h1><p class="lead">{found.items} items of {found.queries} queries in common</p></section>
<section><h2>Agreement</h2><p class="note">{_text(_caption(found))} Intervals: 95 %, bootstrapped over queries.</p>
<div class="scroll"><table>
<thead><tr><th>figure</th><th class="n">value</th><th>95 %</th><th class="n">over</th><th></th></tr></thead>
<tbody>{"".join(_line(*figure) for figure in figures(found))}</tbody></table></div><div class="pair">{drawn}</div></section>
{_section(robust)}</main></body></html>
"""


def _line(words: str, figure: Figure, unit: str) -> str:
    value = '<span class="soft">not measured</span>' if figure.value is None else f"<b>{figure.value:.4f}</b>"
    span = "" if figure.low is None or figure.high is None else f"{figure.low:.4f} to {figure.high:.4f}"
    return (
        f'<tr><th scope="row">{_text(words)}</th><td class="n">{value}</td><td class="span">{span}</td>'
        f'<td class="n">{figure.n} {unit}</td><td class="soft">{_text(figure.why)}</td></tr>'
    )


def _section(robust: Sequence[Robustness]) -> str:
    if not robust:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{_text(row.variant)}</th><td class="n">{row.items}</td><td>{row.shift}</td>'
        f'<td>{row.shift_absolute}</td><td class="n">{row.widest:g}</td><td>{row.pair_accuracy}</td><td>{row.ranking}</td></tr>'
        for row in robust
    )
    heads = "<th>variant</th><th>items</th><th>mean shift</th><th>mean size</th><th>widest</th><th>Pair ACC</th><th>footrule</th>"
    table = f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    return f"<section><h2>Reworded checklists</h2>{table}</section>"


def _plots(found: Agreement) -> Iterator[tuple[str, str]]:
    measured = [
        plots.Whisker(words, figure.value, figure.low, figure.high, figure.why)
        for words, figure, _ in figures(found)
        if figure.value is None or figure.value >= 0
    ]
    yield plots.whiskers(measured, "Figures with their intervals", top=1.0), "Figures from 0 to 1; negative ones are in the table"
    if found.points:
        step = max(1, len(found.points) // POINTS_DRAWN)
        points = [(point.reference, point.judge, _text(f"{point.query_id}, {point.model}")) for point in found.points[::step]]
        words = f"Each item: {found.reference} across, {found.judge} up" + (f" (every {step}th)" if step > 1 else "")
        yield plots.scatter(points, "Scores of both"), _text(words)
    if len(found.models) > 1:
        places = [(printable(model.model, 60), model.reference_rank, model.judge_rank) for model in found.models]
        yield plots.slopes(places, "Ranking of both"), _text(f"Places: {found.reference} left, {found.judge} right")


def _text(text: str) -> str:
    return escape(printable(text, 600), quote=True)
