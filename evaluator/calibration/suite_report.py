"""A calibration's results for people: tables for the terminal, one JSON document, one self-contained page."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from evaluator.calibration.figures import Figures, Outcome, Pair, counted, figures, pairs
from evaluator.reports.wording import in_words

_ROWS: tuple[tuple[str, str, str], ...] = (
    ("pairwise", "fault scores below its clean app", "≥ 0.95"),
    ("recall", "planted fault is named", "≥ 0.80"),
    ("recall_strict", "… by its very category", ""),
    ("precision", "new failures that are the planted fault", "≥ 0.85"),
    ("false_alarms", "major or critical failures per clean app", "≤ 0.1"),
    ("harmless_shift", "largest change by a harmless variant (of 8)", "≤ 0.3"),
    ("injection_shift", "largest change by an injection (of 8)", "0.0"),
    ("proved", "reported failures confirmed in a fresh browser", "≥ 0.95"),
    ("seconds_mean", "wall seconds per app, mean", "≤ 90"),
    ("seconds_most", "wall seconds per app, most", ""),
)


def as_tables(outcomes: Sequence[Outcome]) -> RenderableType:
    """Figures, then recall by category and by what it takes to notice, then every fault that was not named."""
    found, told = pairs(outcomes), figures(outcomes)
    return Group(
        _main(told), _sliced("Category", told.by_category), _sliced("To notice it takes", told.by_notice), _missed(found)
    )


def _main(told: Figures) -> Table:
    table = Table(title=f"{told.judged} of {told.variants} variants judged", title_justify="left")
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("wanted", justify="right")
    if told.floor is not None:
        table.add_column("floor", justify="right")
    for name, words, wanted in _ROWS:
        floor = [_of_floor(told, name)] if told.floor is not None else []
        table.add_row(words, _number(getattr(told, name)), wanted, *floor)
    if told.floor is not None:
        table.caption = FLOOR
        table.caption_justify = "left"
    return table


FLOOR = "floor: axe-core, console errors and 15 s of gremlins.js on the same pages; its score is the number of its findings"


def _of_floor(told: Figures, name: str) -> str:
    """The floor's figure of that name; a dash where it has no such thing."""
    value = getattr(told.floor, name, None)
    return "–" if value is None else _number(value)


def _sliced(head: str, groups: dict[str, dict[str, float]]) -> Table:
    table = Table()
    table.add_column(head)
    for name in ("n", "pairwise", "recall", "precision"):
        table.add_column(name, justify="right")
    for name, values in groups.items():
        table.add_row(
            in_words(name), f"{values['n']:.0f}", *(_number(values.get(text)) for text in ("pairwise", "recall", "precision"))
        )
    return table


def _missed(found: Sequence[Pair]) -> Table:
    table = Table(title="Not named, or not below", title_justify="left")
    for head in ("variant", "planted", "drop", "told instead"):
        table.add_column(head, overflow="fold")
    for pair in found:
        if not (pair.named and pair.below):
            table.add_row(pair.key, in_words(pair.category.value), f"{pair.drop:g}", "; ".join(pair.new) or "–")
    return table


def _number(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.3g}"


def as_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Everything: figures, pairs, and each outcome's scores and failures."""
    return {
        "figures": figures(outcomes).model_dump(mode="json"),
        "pairs": [pair.model_dump(mode="json") for pair in pairs(outcomes)],
        "outcomes": [_told(outcome) for outcome in outcomes],
    }


def _told(outcome: Outcome) -> dict[str, Any]:
    verdict = outcome.verdict
    return {
        "key": outcome.key,
        "kind": outcome.kind,
        "seconds": outcome.seconds,
        "floor": [finding.model_dump(mode="json") for finding in outcome.floor.findings] if outcome.floor is not None else None,
        "status": verdict.status if verdict else "none",
        "functionality": verdict.functionality.value if verdict and verdict.functionality else None,
        "aesthetics": verdict.aesthetics.value if verdict and verdict.aesthetics else None,
        "failures": [
            {"category": f.category.value, "severity": f.severity.value, "title": f.title, "proof": f.proof.status}
            for f in (counted(verdict) if verdict else ())
        ],
    }


def write(outcomes: Sequence[Outcome], folder: Path) -> tuple[Path, Path]:
    """`calibration.json` and `calibration.html` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    data, page = folder / "calibration.json", folder / "calibration.html"
    data.write_text(json.dumps(as_json(outcomes), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    page.write_text(_page(outcomes), encoding="utf-8")
    return data, page


def _page(outcomes: Sequence[Outcome]) -> str:
    found, told = pairs(outcomes), figures(outcomes)
    rows = "".join(
        f"<tr><td>{words}</td><td class=n>{_number(getattr(told, name))}</td><td class=n>{wanted}</td>"
        + (f"<td class=n>{_of_floor(told, name)}</td>" if told.floor is not None else "")
        + "</tr>"
        for name, words, wanted in _ROWS
    )
    floor_head, floor_note = ("<th class=n>floor</th>", f"<p>{html.escape(FLOOR)}.</p>") if told.floor is not None else ("", "")
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Assay: calibration</title><style>{_STYLE}</style><main><h1>Calibration</h1>
<p>{told.judged} of {told.variants} variants judged.</p>
<table><tr><th>figure</th><th class=n>value</th><th class=n>wanted</th>{floor_head}</tr>{rows}</table>{floor_note}
<h2>Every planted fault</h2><p>{_LEGEND}</p>
{_map(found)}<h2>Missed or misnamed</h2><table><tr><th>variant</th><th>planted</th><th class=n>drop</th><th>told instead</th></tr>
{"".join(_line(pair) for pair in found if not (pair.named and pair.below))}</table></main></html>
"""


def _line(pair: Pair) -> str:
    told = html.escape("; ".join(pair.new) or "–")
    name, category = html.escape(pair.key), in_words(pair.category.value)
    return f"<tr><td>{name}</td><td>{category}</td><td class=n>{pair.drop:g}</td><td>{told}</td></tr>"


def _map(found: Sequence[Pair]) -> str:
    groups: dict[str, list[Pair]] = {}
    for pair in found:
        groups.setdefault(pair.category.value, []).append(pair)
    size, left = 22, 190
    width = left + size * max((len(group) for group in groups.values()), default=1) + 8
    parts: list[str] = []
    for row, (name, group) in enumerate(sorted(groups.items(), key=lambda entry: -len(entry[1]))):
        y = row * size + 4
        parts.append(f'<text x="{left - 10}" y="{y + 13}" text-anchor="end">{in_words(name)}</text>')
        for place, pair in enumerate(sorted(group, key=lambda each_pair: not each_pair.named)):
            fill = "#1f7a4d" if pair.named else "none"
            edge = "#1f7a4d" if pair.below else "#b3342b"
            title = html.escape(f"{pair.key}: {'; '.join(pair.new) or 'nothing new was told'}")
            parts.append(
                f'<rect x="{left + place * size}" y="{y}" width="16" height="16" fill="{fill}" stroke="{edge}">'
                f"<title>{title}</title></rect>"
            )
    box = f'viewBox="0 0 {width} {len(groups) * size + 8}" width="{width}"'
    return f'<svg {box} role="img" aria-label="Faults named">{"".join(parts)}</svg>'


_LEGEND = "One square a fault: filled where it was named, hollow where it was missed; red edge where the score did not fall."
_STYLE = """body{margin:0;background:#f2f4f3;color:#16211c;font:15px/1.5 system-ui,"DejaVu Sans",sans-serif}
main{max-width:1000px;margin:0 auto;padding:32px 24px}h1{font-size:30px;margin:0 0 8px}h2{margin:32px 0 8px;font-size:20px}
table{border-collapse:collapse;background:#fff;width:100%}th,td{padding:8px 12px;border-bottom:1px solid #dde3e0;text-align:left}
.n{text-align:right;font-variant-numeric:tabular-nums}rect{stroke-width:2.5}svg{max-width:100%;background:#fff;padding:12px}text{font-size:13px;fill:#16211c}"""
