"""Runs a parser over pictures whose graph is known and tells how good and how fast it is.

A case is a folder with `picture.png` and `gold.json` (and `facts.json`, if more is known). A parse that raises is a failure of
the parser and counts as an empty graph; nothing is left out of the means.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tools.diagram.formats.convert import read_file
from tools.diagram.metrics.board import Entry, leaderboard
from tools.diagram.metrics.graphs import score_graph
from tools.diagram.model.graph import Diagram
from tools.encoder import Encoder
from tools.errors import AssayError, UserError

Parse = Callable[[Path], Diagram]
Watch = Callable[[Entry, float], None]


class Case(BaseModel):
    """A picture and its true graph."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    picture: Path
    gold: Diagram
    facts: dict[str, str | int | float] = {}


class Timed(BaseModel):
    """An entry and how long its parse took, in wall seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entry: Entry
    seconds: float


def cases(folders: Iterable[Path]) -> Iterator[Case]:
    """The cases in folders; a folder that is none is looked through for some. Raises `UserError` where there are none."""
    found = False
    for folder in folders:
        inside = [folder] if (folder / "gold.json").is_file() else sorted(path.parent for path in folder.glob("**/gold.json"))
        for case in inside:
            picture = next(
                (path for name in ("png", "jpg", "jpeg", "webp") if (path := case / f"picture.{name}").is_file()), None
            )
            if picture is None:
                continue
            facts = json.loads((case / "facts.json").read_text(encoding="utf-8")) if (case / "facts.json").is_file() else {}
            found = True
            yield Case(key=case.name, picture=picture, gold=read_file(case / "gold.json"), facts=facts)
    if not found:
        raise UserError("There are no cases in there.", hint="A case is a folder with picture.png and gold.json.")


def run(
    system: str,
    given: Iterable[Case],
    parse: Parse,
    *,
    mode: str = "strict",
    encoder: Encoder | None = None,
    watch: Watch | None = None,
) -> list[Timed]:
    """Parses and scores every case; `watch` hears of each as it is done."""
    done: list[Timed] = []
    for case in given:
        facts = {**case.facts, "nodes": len(case.gold.nodes), "edges": len(case.gold.edges)}
        started = time.perf_counter()
        predicted, score, failure = None, None, ""
        try:
            predicted = parse(case.picture)
        except AssayError as error:
            failure = str(error)
        seconds = time.perf_counter() - started
        if predicted is not None:
            score = score_graph(predicted, case.gold, mode=mode, encoder=encoder)
        entry = Entry(system=system, picture=case.key, score=score, failure=failure, facts=facts)
        done.append(Timed(entry=entry, seconds=seconds))
        if watch is not None:
            watch(entry, seconds)
    return done


class Summary(BaseModel):
    """Means over a set of cases: what the issue asks to be shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str
    pictures: int
    node_f1: float
    edge_f1: float
    node_f1_micro: float
    edge_f1_micro: float
    exact_labels: float | None
    shapes: float | None
    turned_edges: int
    """Wrong edges that would be right the other way round, or with (without) a head."""
    failed: int
    median_s: float
    p90_s: float


def summed_up(system: str, done: list[Timed]) -> Summary:
    """The summary of a run. Raises `ValueError` for an empty one."""
    if not done:
        raise ValueError("no case was run")
    scores = [timed.entry.score for timed in done]
    known = [score for score in scores if score is not None]
    row = leaderboard([timed.entry for timed in done])[0]
    times = sorted(timed.seconds for timed in done)

    def mean(values: list[float | None]) -> float | None:
        there = [value for value in values if value is not None]
        return statistics.fmean(there) if there else None

    return Summary(
        system=system,
        pictures=len(done),
        node_f1=statistics.fmean(score.nodes.f1 if score else 0.0 for score in scores),
        edge_f1=statistics.fmean(score.edges.f1 if score else 0.0 for score in scores),
        node_f1_micro=row.node_total.f1,
        edge_f1_micro=row.edge_total.f1,
        exact_labels=mean([score.exact_labels for score in known]),
        shapes=mean([score.shapes for score in known]),
        turned_edges=sum(score.detail.reversed for score in known if score.detail),
        failed=len(scores) - len(known),
        median_s=statistics.median(times),
        p90_s=times[min(len(times) - 1, int(0.9 * len(times)))],
    )
