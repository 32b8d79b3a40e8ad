"""Many systems over many pictures: a leaderboard with intervals, and slices by difficulty, domain or what else is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from tools.diagram.metrics.intervals import Interval, interval
from tools.diagram.metrics.score import GraphScore, Tally

EASY_NODES, HARD_NODES = 10, 20
"""Fewer true nodes than the first are easy, more than the second hard."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Entry(_Frozen):
    """One system's result on one picture. Without one, `score` is `None` and `failure` says why: it counts as 0."""

    system: str
    picture: str
    score: GraphScore | None
    failure: str = ""
    s_text: float | None = None
    s_image: float | None = None
    s_overall: float | None = None
    facts: dict[str, str | int | float] = {}


class Row(_Frozen):
    """A system over all its pictures (macro means), or over a slice of them."""

    system: str
    slice: str
    pictures: int
    failed: int
    nodes: dict[str, Interval]
    """`precision`, `recall`, `f1`."""
    edges: dict[str, Interval]
    s_graph: Interval
    s_text: Interval
    s_image: Interval
    s_overall: Interval
    node_total: Tally
    """All pictures' counts together (micro)."""
    edge_total: Tally


def difficulty(nodes: int) -> str:
    """Easy, medium or hard by the number of true nodes."""
    return "easy" if nodes < EASY_NODES else "hard" if nodes > HARD_NODES else "medium"


def leaderboard(entries: Sequence[Entry], by: Callable[[Entry], str] | None = None) -> list[Row]:
    """One row a system and slice, best S_graph first in each; `by` names an entry's slice, without it all are in one."""
    sliced: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        sliced[by(entry) if by else "all", entry.system].append(entry)
    rows = [_row(system, name, group) for (name, system), group in sliced.items()]
    return sorted(rows, key=lambda row: (row.slice, -(row.s_graph.mean or 0.0), row.system))


def by_fact(name: str) -> Callable[[Entry], str]:
    """Slices by a known fact (`family`, `genre`, `domain`, `theme`); `difficulty` is told by the number of nodes."""

    def slice_of(entry: Entry) -> str:
        if name == "difficulty":
            nodes = entry.score.nodes.wanted if entry.score else entry.facts.get("nodes", 0)
            return difficulty(int(nodes))
        return str(entry.facts.get(name, "unknown"))

    return slice_of


def _row(system: str, name: str, entries: Sequence[Entry]) -> Row:
    def rates(part: Callable[[GraphScore], Tally]) -> dict[str, Interval]:
        values = [
            part(entry.score).rates() if entry.score else dict.fromkeys(("precision", "recall", "f1"), 0.0) for entry in entries
        ]
        return {rate: interval([value[rate] for value in values]) for rate in ("precision", "recall", "f1")}

    def total(part: Callable[[GraphScore], Tally]) -> Tally:
        summed = Tally(right=0, found=0, recovered=0, wanted=0)
        for entry in entries:
            summed += part(entry.score) if entry.score else Tally(right=0, found=0, recovered=0, wanted=_wanted(entry, part))
        return summed

    return Row(
        system=system,
        slice=name,
        pictures=len(entries),
        failed=sum(entry.score is None for entry in entries),
        nodes=rates(lambda score: score.nodes),
        edges=rates(lambda score: score.edges),
        s_graph=interval([entry.score.s_graph if entry.score else 0.0 for entry in entries]),
        s_text=interval([entry.s_text for entry in entries]),
        s_image=interval([entry.s_image for entry in entries]),
        s_overall=interval([entry.s_overall for entry in entries]),
        node_total=total(lambda score: score.nodes),
        edge_total=total(lambda score: score.edges),
    )


def _wanted(entry: Entry, part: Callable[[GraphScore], Tally]) -> float:
    """What was there to find in a picture without a result, from its facts."""
    counts = GraphScore(
        mode="strict",
        nodes=Tally(right=0, found=0, recovered=0, wanted=float(entry.facts.get("nodes", 0))),
        edges=Tally(right=0, found=0, recovered=0, wanted=float(entry.facts.get("edges", 0))),
    )
    return part(counts).wanted


def as_table(rows: Iterable[Row]) -> list[list[str]]:
    """Rows of text for a table, head first."""
    head = ["slice", "system", "pictures", "failed", "node P", "node R", "node F1", "edge P", "edge R", "edge F1", "S_graph"]
    head += ["S_text", "S_image", "S_overall"]
    lines = [head]
    for row in rows:
        line = [row.slice, row.system, str(row.pictures), str(row.failed)]
        for part in (row.nodes, row.edges):
            line += [_short(part["precision"]), _short(part["recall"]), str(part["f1"])]
        lines.append([*line, str(row.s_graph), str(row.s_text), str(row.s_image), str(row.s_overall)])
    return lines


def _short(value: Interval) -> str:
    return "–" if value.mean is None else f"{value.mean:.3f}"
