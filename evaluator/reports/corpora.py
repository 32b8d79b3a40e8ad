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
        base = [_plain(first["baselines"][one].get(key)) for one in ("all fail", "all pass")]
        table.add_row(words, *(_share(one[key]) for one in told), *base)
    table.add_row("passing items accused", *(_share(one["alarms_on_passing"]) for one in told), "1.000", "0.000")
    base = [_plain(first["baselines"][one]["f1"]) for one in ("all fail", "all pass")]
    table.add_row("F1 of items", *(_plain(one["f1"]) for one in told), *base)
    for words in ("true", "false", "unlabelled", "unsure"):
        table.add_row(f"accusations: {words}", *(str(one["accusations"][words]) for one in told), "", "")
    if first["apps"] is not None:
        for words, key, of in (
            ("right apps accused", "right_accused", "right"),
            ("wrong apps accused", "wrong_accused", "wrong"),
        ):
            table.add_row(words, *(f"{one['apps'][key]} of {one['apps'][of]}" for one in told), "", "")
        scores = " / ".join(_plain(first["apps"][key]) for key in ("mean_right", "mean_wrong"))
        table.add_row("mean score, right / wrong (of 8)", *([scores] * len(told)), "", "")
    table.caption = f"{first['scored']} of {first['works']} works scored; 95 % bounds by Wilson"
    return table


def trust_table(table: TrustTable) -> RenderableType:
    """Relations and probes with their evidence; those that earn points first."""
    rows = sorted(table.accusers.values(), key=lambda one: (bool(table.why_not(one.name)), -one.bounds()[0], one.name))
    shown = Table(title=table.name, title_justify="left")
    for name in ("what accuses", "right", "wrong", "silent", "apps", "lower bound", "one app out", ""):
        shown.add_column(name, justify="left" if name in {"what accuses", ""} else "right")
    for one in rows:
        low = one.bounds()[0]
        status = "note only" if table.why_not(one.name) else "takes points"
        cells = (one.right, one.wrong, one.silent, len(one.apps), f"{low:.2f}", f"{one.low_leaving_one_out():.2f}", status)
        shown.add_row(one.name, *(str(cell) for cell in cells))
    earning = sum(not table.why_not(one.name) for one in rows)
    shown.caption = f"{earning} of {len(rows)} that accused of anything earn points"
    return Group(shown)


def _share(cell: Mapping[str, Any] | None) -> str:
    return "–" if cell is None else f"{cell['yes']}/{cell['of']} = {cell['value']:.2f} ({cell['low']:.2f}–{cell['high']:.2f})"


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
