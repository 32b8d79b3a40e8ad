"""Mutants and how far evaluations of them came, for people: tables for the terminal, one JSON document, one picture."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from evaluator.calibration.mutants import Made, table_of
from evaluator.calibration.ripr import STAGES, Ripr, ripr_table

JSON_FILE, PICTURE_FILE = "mutants.json", "mutants.svg"
_BAR, _ROW, _LEFT = 240, 22, 250
_COLOURS = {
    "reached": "#8ab6d6",
    "propagated": "#5a94c0",
    "accused": "#c9b8a0",
    "revealed": "#e0a84c",
    "proved": "#4c9a5f",
    "located": "#2d6b3d",
}


def as_data(made: Sequence[Made], rows: Sequence[Ripr], floor: Sequence[Ripr]) -> dict[str, Any]:
    """All figures as one document."""
    told: dict[str, Any] = {"mutants": table_of(made), "apps": [each_made.app for each_made in made]}
    told["ripr"] = ripr_table(rows) if rows else None
    told["floor"] = ripr_table(floor) if floor else None
    return told


def write(made: Sequence[Made], rows: Sequence[Ripr], floor: Sequence[Ripr], out: Path) -> tuple[Path, Path]:
    """Write the document and the picture to `out`; their paths."""
    data = as_data(made, rows, floor)
    document, picture = out / JSON_FILE, out / PICTURE_FILE
    document.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    picture.write_text(as_picture(data), encoding="utf-8")
    return document, picture


def as_tables(made: Sequence[Made], rows: Sequence[Ripr], floor: Sequence[Ripr]) -> RenderableType:
    """Mutants by app and by operator, then how far the evaluations came."""
    data = as_data(made, rows, floor)
    parts: list[RenderableType] = [
        _made("App", data["mutants"]["apps"], data["mutants"]["all"]),
        _made("Operator", data["mutants"]["operators"], None),
    ]
    if data["ripr"] is not None:
        parts += [_ripr("By", data)]
    return Group(*parts)


def _made(what: str, groups: Mapping[str, Mapping[str, Any]], everything: Mapping[str, Any] | None) -> Table:
    table = Table(title=f"{what}: mutants", title_justify="left")
    table.add_column(what.lower())
    for name in ("tried", "observable", "share", "kept", "break all", "s each"):
        table.add_column(name, justify="right")
    for name, entry in [*groups.items(), *([("all", everything)] if everything is not None else [])]:
        share = "–" if entry["share_observable"] is None else f"{entry['share_observable']:.2f}"
        cells = (entry["tried"], entry["observable"], share, entry["kept"], entry["break_everything"], entry["seconds_each"])
        table.add_row(name, *(str(cell) for cell in cells))
    return table


def _ripr(what: str, data: Mapping[str, Any]) -> Table:
    table = Table(title="How far evaluations came (95 % bounds by Wilson)", title_justify="left")
    table.add_column(what.lower())
    table.add_column("mutants", justify="right")
    table.caption = "accused: anything new is said · reached and propagated: of the evaluation's own acts"
    for stage in STAGES:
        table.add_column(stage, justify="right")
    told = data["ripr"]
    lines: list[tuple[str, Mapping[str, Any]]] = [("all", told["all"])]
    if data["floor"] is not None:
        lines.append(("floor: axe, console, monkey", data["floor"]["all"]))
    for name in ("apps", "takes", "operators"):
        lines.extend(told[name].items())
    for name, entry in lines:
        table.add_row(name, str(entry["mutants"]), *(_share(entry[stage]) for stage in STAGES))
    return table


def _share(cell: Mapping[str, Any] | None) -> str:
    if cell is None:
        return "not measured"
    return f"{cell['yes']}/{cell['of']} ({cell['low']:.2f}–{cell['high']:.2f})"


def as_picture(data: Mapping[str, Any]) -> str:
    """A bar for each stage, in all and by operator, as SVG; without evaluations a bar of what shows for each operator."""
    rows: list[tuple[str, str, float, str]] = []
    if data["ripr"] is not None:
        groups = {"all": data["ripr"]["all"], **data["ripr"]["operators"]}
        for name, group in groups.items():
            for stage in STAGES:
                cell = group[stage]
                value = cell["yes"] / cell["of"] if cell else 0.0
                rows.append(
                    (f"{name}: {stage}", _COLOURS[stage], value, f"{cell['yes']}/{cell['of']}" if cell else "not measured")
                )
    else:
        for name, item in data["mutants"]["operators"].items():
            value = item["share_observable"]
            rows.append((name, _COLOURS["propagated"], value or 0.0, f"{item['observable']} of {item['tried']} show"))
    height = _ROW * len(rows) + 16
    parts = [f'<rect width="100%" height="{height}" fill="#fff"/>']
    for at, (name, colour, value, words) in enumerate(rows):
        y = _ROW * at + 8
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="{_LEFT}" y="{y}" width="{max(1.0, _BAR * value):.1f}" height="{_ROW - 6}" fill="{colour}"/>')
        parts.append(f'<text x="{_LEFT + _BAR + 8}" y="{y + 14}">{escape(words)}</text>')
    size = f'width="{_LEFT + _BAR + 130}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    return head + "".join(parts) + "</svg>\n"
