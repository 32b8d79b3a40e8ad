"""The bench's results as tables for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tools.diagram.metrics.bench import Summary, Timed
from tools.diagram.metrics.board import as_table, by_fact, leaderboard


def aligned(rows: list[list[str]]) -> str:
    """Rows as text, columns under each other, the head underlined."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def summary_table(summaries: Iterable[Summary]) -> str:
    """One line a run: F1 as mean over pictures and over all things together, label and shape rates, times."""
    head = [
        "run",
        "pictures",
        "node F1",
        "edge F1",
        "node F1 (all)",
        "edge F1 (all)",
        "labels exact",
        "shape",
        "turned",
        "failed",
    ]
    rows = [[*head, "median s", "p90 s"]]
    for summary in summaries:
        rates = [f"{value:.3f}" for value in (summary.node_f1, summary.edge_f1, summary.node_f1_micro, summary.edge_f1_micro)]
        known = ["–" if value is None else f"{value:.3f}" for value in (summary.exact_labels, summary.shapes)]
        times = [f"{summary.median_s:.2f}", f"{summary.p90_s:.2f}"]
        rows.append(
            [summary.system, str(summary.pictures), *rates, *known, str(summary.turned_edges), str(summary.failed), *times]
        )
    return aligned(rows)


def slice_table(done: Iterable[Timed], fact: str) -> str:
    """The leaderboard by a known fact (`difficulty`, `domain`, `genre`, `engine`, `theme`)."""
    return aligned(as_table(leaderboard([timed.entry for timed in done], by_fact(fact))))


def worst(done: Iterable[Timed], count: int = 10) -> str:
    """The pictures with the lowest edge F1, then node F1, and what was missed there."""
    rows = [["picture", "node F1", "edge F1", "missed nodes", "invented", "missed edges", "wrong edges", "failure"]]
    ranked = sorted(done, key=_rank)
    for timed in ranked[:count]:
        score = timed.entry.score
        if score is None:
            rows.append([timed.entry.picture, "–", "–", "", "", "", "", timed.entry.failure[:60]])
            continue
        counts = (score.missed_nodes, score.invented_nodes, score.missed_edges, score.wrong_edges)
        rows.append(
            [timed.entry.picture, f"{score.nodes.f1:.3f}", f"{score.edges.f1:.3f}", *(str(len(ids)) for ids in counts), ""]
        )
    return aligned(rows)


def _rank(timed: Timed) -> tuple[float, float]:
    score = timed.entry.score
    return (score.edges.f1, score.nodes.f1) if score else (-1.0, -1.0)


def write_json(path: Path, summaries: Iterable[Summary], done: Iterable[Timed]) -> None:
    """Everything that was measured, picture by picture."""
    told = {
        "summaries": [summary.model_dump(mode="json") for summary in summaries],
        "pictures": [timed.model_dump(mode="json") for timed in done],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
