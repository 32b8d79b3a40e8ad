"""Intervals, leaderboards, slices, text and picture scores, agreement by identity, the bench."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy
import pytest

from tests.unit.diagram_metrics.test_graphs import Letters, graph
from tools.diagram.metrics.bench import cases, run, summed_up
from tools.diagram.metrics.board import Entry, as_table, by_fact, leaderboard
from tools.diagram.metrics.graphs import score_graph
from tools.diagram.metrics.identity import agreement_by_identity
from tools.diagram.metrics.intervals import difference, interval
from tools.diagram.metrics.parsers import parser
from tools.diagram.metrics.pictures import overall, score_picture
from tools.diagram.metrics.score import Measure, unmeasured
from tools.diagram.metrics.tables import summary_table, worst
from tools.diagram.metrics.texts import meant, score_text
from tools.diagram.model.graph import Diagram
from tools.errors import LimitReached, UserError


def test_intervals_hold_the_mean_and_repeat() -> None:
    """95 % of a known spread; the same values give the same interval; unmeasured ones are counted apart."""
    values = [float(value) for value in numpy.random.default_rng(1).normal(0.5, 0.1, 200)]
    first = interval(values)
    assert first == interval(values)
    assert first.low is not None
    assert first.high is not None
    assert first.low < first.mean < first.high  # type: ignore[operator]
    assert first.high - first.low == pytest.approx(2 * 1.96 * 0.1 / 200**0.5, rel=0.25)
    assert (interval([0.5, None, 0.7]).measured, interval([0.5, None, 0.7]).count) == (2, 3)
    assert str(interval([None])) == "not measured"
    paired = difference([0.9, 0.8, 0.7, None], [0.8, 0.7, 0.6, 0.1])
    assert (paired.mean, paired.measured) == (pytest.approx(0.1), 3)
    with pytest.raises(ValueError, match="zip"):
        difference([1.0], [])


def _entry(system: str, picture: str, predicted: Diagram | None, gold: Diagram) -> Entry:
    facts: dict[str, str | int | float] = {"nodes": len(gold.nodes), "edges": len(gold.edges), "domain": picture[0]}
    return Entry(system=system, picture=picture, score=score_graph(predicted, gold) if predicted else None, facts=facts)


def test_a_leaderboard_ranks_and_slices_and_counts_failures() -> None:
    """The better system first; a picture without a result is 0 in the means and missed in the totals."""
    gold = graph("AB", "BC")
    entries = [
        *(_entry("good", name, gold, gold) for name in ("a1", "b1")),
        _entry("bad", "a1", graph("AB", extra="C"), gold),
        _entry("bad", "b1", None, gold),
    ]
    rows = leaderboard(entries)
    assert [row.system for row in rows] == ["good", "bad"]
    assert rows[0].s_graph.mean == 1
    assert (rows[1].failed, rows[1].nodes["f1"].mean, rows[1].edge_total.recall) == (1, 0.5, 0.25)
    sliced = leaderboard(entries, by_fact("domain"))
    assert [(row.slice, row.system, row.pictures) for row in sliced] == [
        ("a", "good", 1),
        ("a", "bad", 1),
        ("b", "good", 1),
        ("b", "bad", 1),
    ]
    assert {row.slice for row in leaderboard(entries, by_fact("difficulty"))} == {"easy"}
    assert as_table(rows)[1][-1] == "not measured"


def test_text_scores_say_what_is_missing() -> None:
    """Coverage and faithfulness with an encoder, alignment only with a judge; without, the total has no number."""
    diagram = graph("AB").model_copy(
        update={"nodes": tuple(node.model_copy(update={"label": f"{node.label}lpha"}) for node in graph("AB").nodes)}
    )
    score = score_text(diagram, ["Alpha", "Gamma"], encoder=Letters())
    assert (score.coverage.value, score.faithfulness.value) == (0.5, 0.5)
    assert not score.total.measured
    assert "judge" in score.total.reason
    assert not score_text(diagram, ["Alpha"]).coverage.measured

    class Judge:
        name = "fixed"

        def align(self, components: Sequence[str], diagram: Diagram) -> float:
            return 0.75 if len(components) == len(diagram.nodes) else 0.0

    assert score_text(diagram, ["Alpha", "Gamma"], encoder=Letters(), judge=Judge()).total.value == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("label", "kept"), [("Encoder", True), ("x", False), ("(a)", False), ("12", False), ("x1", False), ("→", False)]
)
def test_labels_that_say_nothing_do_not_count(label: str, kept: bool) -> None:
    """Lone signs, numbers, sub-figure marks and variables."""
    assert meant(label) is kept


def test_picture_scores_without_models_have_no_number(tmp_path: Path) -> None:
    """Nothing is put in the place of a model that is not there; the overall score says which parts lack."""
    score = score_picture(tmp_path / "p.png", prompt="x")
    assert not score.total.measured
    assert all(name in score.total.reason for name in ("clip", "visual flow", "LPIPS"))
    assert overall(0.5, Measure(value=1), unmeasured("no models")).reason == "S_image: no models"
    assert overall(0.5, Measure(value=1), Measure(value=0.5)).value == pytest.approx(0.65)


def test_agreement_by_identity() -> None:
    """Kept is right, taken away is a false positive, added is missed."""
    agreed = agreement_by_identity((["a", "b", "c", "d"], ["a", "b", "c"]), (["e1", "e2"], ["e1", "new"]))
    assert (agreed.nodes.precision, agreed.nodes.recall) == (0.75, 1)
    assert (agreed.edges.precision, agreed.edges.recall) == (0.5, 0.5)


def test_the_bench_counts_a_crash_as_nothing_found(tmp_path: Path) -> None:
    """Two cases, one of which the parser gives up on: its score is 0 and stays in the mean."""
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "gold.json").write_text(graph("AB", "BC").to_json(), encoding="utf-8")
        (folder / "facts.json").write_text(json.dumps({"family": "test"}), encoding="utf-8")
        (folder / "picture.png").write_bytes(b"")

    def parse(picture: Path) -> Diagram:
        if picture.parent.name == "two":
            raise LimitReached("too large")
        return graph("AB", "CB")

    done = run("mine", cases([tmp_path]), parse)
    summary = summed_up("mine", done)
    assert (summary.pictures, summary.failed, summary.node_f1, summary.edge_f1, summary.turned_edges) == (2, 1, 0.5, 0.25, 1)
    assert "mine" in summary_table([summary])
    assert worst(done).splitlines()[2].startswith("two")
    with pytest.raises(UserError, match="no cases"):
        list(cases([tmp_path / "nowhere"]))


def test_parsers_are_found_by_name() -> None:
    """`module:function`; one that is not there is the user's error."""
    assert parser("tools.diagram.formats.convert:read_file") is not None
    with pytest.raises(UserError, match="no parser"):
        parser("no.such:thing")
