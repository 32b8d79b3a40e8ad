"""Corpora's figures and the table of trust for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from evaluator.scoring.trust import TrustTable


def corpus_tables(name: str, figures: Mapping[str, Mapping[str, Any]]) -> RenderableType:
    """A corpus' figures, one column for each reading of the same runs (what takes points; suspicions with it)."""
    table = Table(title=f"{name}", title_justify="left")
    table.add_column("figure")
    for reading in figures:
        table.add_column(reading, justify="right")
    for baseline in ("all fail", "all pass"):
        table.add_column(baseline, justify="right")
    told = list(figures.values())
    first = told[0]
    for words, key in (("failing items found", "recall"), ("accusations that are true", "precision")):
        base = [_plain(first["baselines"][text].get(key)) for text in ("all fail", "all pass")]
        table.add_row(words, *(_share(entry[key]) for entry in told), *base)
    table.add_row("passing items accused", *(_share(entry["alarms_on_passing"]) for entry in told), "1.000", "0.000")
    base = [_plain(first["baselines"][text]["f1"]) for text in ("all fail", "all pass")]
    table.add_row("F1 of items", *(_plain(entry["f1"]) for entry in told), *base)
    for words in ("true", "false", "unlabelled", "unsure"):
        table.add_row(f"accusations: {words}", *(str(entry["accusations"][words]) for entry in told), "", "")
    if first["apps"] is not None:
        for words, key, of in (
            ("right apps accused", "right_accused", "right"),
            ("wrong apps accused", "wrong_accused", "wrong"),
        ):
            table.add_row(words, *(f"{entry['apps'][key]} of {entry['apps'][of]}" for entry in told), "", "")
        scores = " / ".join(_plain(first["apps"][key]) for key in ("mean_right", "mean_wrong"))
        table.add_row("mean score, right / wrong (of 8)", *([scores] * len(told)), "", "")
    table.caption = f"{first['scored']} of {first['works']} works scored; 95 % bounds by Wilson"
    return table


def trust_table(table: TrustTable) -> RenderableType:
    """Relations and probes with their evidence; those that earn points first."""
    rows = sorted(table.accusers.values(), key=lambda trust: (bool(table.why_not(trust.name)), -trust.bounds()[0], trust.name))
    shown = Table(title=table.name, title_justify="left")
    for name in ("what accuses", "right", "wrong", "silent", "apps", "lower bound", "one app out", ""):
        shown.add_column(name, justify="left" if name in {"what accuses", ""} else "right")
    for row in rows:
        low = row.bounds()[0]
        status = "note only" if table.why_not(row.name) else "takes points"
        cells = (row.right, row.wrong, row.silent, len(row.apps), f"{low:.2f}", f"{row.low_leaving_one_out():.2f}", status)
        shown.add_row(row.name, *(str(cell) for cell in cells))
    earning = sum(not table.why_not(trust.name) for trust in rows)
    shown.caption = f"{earning} of {len(rows)} that accused of anything earn points"
    return Group(shown)


def _share(cell: Mapping[str, Any] | None) -> str:
    return "–" if cell is None else f"{cell['yes']}/{cell['of']} = {cell['value']:.2f} ({cell['low']:.2f}–{cell['high']:.2f})"


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
