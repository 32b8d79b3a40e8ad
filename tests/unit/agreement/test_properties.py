"""What must hold of every agreement: order of the input, swapped roles, ties, gaps, files."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.agreement.chance import krippendorff_alpha
from evaluator.agreement.comparing import compare
from evaluator.agreement.labels import Labels, Rating, read_labels, rescaled
from evaluator.agreement.pairs import footrule, pair_accuracy
from evaluator.agreement.report import as_tables, figures, write
from evaluator.results.table import write_table
from tests.unit.results.table_of import drawn
from tools.errors import UserError

SCORES = st.dictionaries(
    st.tuples(st.sampled_from(["q1", "q2", "q3", "q4"]), st.sampled_from("abcd")), st.integers(0, 8).map(float), min_size=4
)


def _labels(name: str, scores: dict[tuple[str, str], float], rater: str = "") -> Labels:
    ratings = tuple(Rating(query_id=q, model=m, rater=rater or name, value=value) for (q, m), value in scores.items())
    return Labels(name=name, ratings=ratings)


@settings(max_examples=60, deadline=None)
@given(SCORES, SCORES, st.integers(0, 1000))
def test_neither_order_nor_names_matter(judge: dict, reference: dict, seed: int) -> None:
    """Shuffled ratings and renamed models give the same figures; swapped roles give the same coefficients."""
    if not judge.keys() & reference.keys():
        with pytest.raises(UserError, match="nothing in common"):
            compare(_labels("j", judge), _labels("r", reference), resamples=0)
        return
    found = compare(_labels("j", judge), _labels("r", reference), resamples=0)
    items = list(judge.items())
    random.Random(seed).shuffle(items)
    assert compare(_labels("j", dict(items)), _labels("r", reference), resamples=0) == found
    turned = {"a": "z", "b": "y", "c": "x", "d": "w"}
    renamed = [{(q, turned[m]): value for (q, m), value in scores.items()} for scores in (judge, reference)]
    other = compare(_labels("j", renamed[0]), _labels("r", renamed[1]), resamples=0)
    swapped = compare(_labels("r", reference), _labels("j", judge), resamples=0)
    for name in (
        "footrule",
        "spearman",
        "kendall",
        "pearson",
        "cohen",
        "cohen_quadratic",
        "fleiss",
        "alpha_interval",
        "alpha_ordinal",
    ):
        value = getattr(found, name).value
        for mirror in (other, swapped):
            assert getattr(mirror, name).value == (None if value is None else pytest.approx(value, abs=1e-9))
    assert other.pair_accuracy == found.pair_accuracy


@settings(max_examples=60, deadline=None)
@given(SCORES)
def test_one_agrees_with_itself(scores: dict) -> None:
    """Whatever is defined is 1; what is not says why."""
    found = compare(_labels("j", scores), _labels("r", scores), resamples=0)
    for name, figure, _ in figures(found):
        assert figure.value == (None if figure.value is None else pytest.approx(1.0)), name
        assert figure.value is not None or figure.why


@settings(max_examples=60, deadline=None)
@given(SCORES)
def test_the_reverse_is_never_right(scores: dict) -> None:
    """Turned round, every pair the reference orders is wrong and correlations are -1."""
    found = compare(_labels("j", {item: 8 - value for item, value in scores.items()}), _labels("r", scores), resamples=0)
    assert found.pair_accuracy.value in (None, 0.0)
    for entry in (found.spearman, found.kendall, found.pearson):
        assert entry.value == (None if entry.value is None else pytest.approx(-1.0))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_footrule_lies_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    """With any ties; 1 exactly where both rank the same; symmetric."""
    item, other = np.array([a for a, _ in pairs], dtype=float), np.array([b for _, b in pairs], dtype=float)
    value = footrule(item, other)
    assert -1e-9 <= value <= 1 + 1e-9
    assert value == pytest.approx(footrule(other, item))
    assert footrule(item, 3 * item + 7) == pytest.approx(1.0)


def test_missing_ratings_change_nothing_but_themselves() -> None:
    """An item with one rating says nothing about agreement, whoever rated it."""
    chance = np.random.default_rng(1)
    table = chance.integers(0, 4, (3, 20)).astype(float)
    padded = np.hstack([table, np.full((3, 5), np.nan)])
    padded[1, 20:] = 2.0
    items = [(f"q{n}", "m") for n in range(25)]
    for level in ("nominal", "ordinal", "interval"):
        first = krippendorff_alpha(table, items[:20], level, resamples=0)
        assert krippendorff_alpha(padded, items, level, resamples=0) == first


def test_intervals_shrink_with_more_queries_and_hold_the_value() -> None:
    """Four times the queries: about half the width; the value inside."""

    def noisy(queries: int) -> tuple[dict, dict]:
        chance = random.Random(5)
        truth = {(f"q{n}", m): chance.uniform(0, 8) for n in range(queries) for m in "abcd"}
        return {item: value + chance.gauss(0, 2) for item, value in truth.items()}, truth

    widths = []
    for queries in (40, 160):
        found = pair_accuracy(*noisy(queries))
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high
        widths.append(found.high - found.low)
    assert widths[1] == pytest.approx(widths[0] / 2, rel=0.35)


def test_every_kind_of_file_is_read(tmp_path: Path) -> None:
    """Long, wide, a batch's folder and comparisons; units can be rescaled."""
    (tmp_path / "long.csv").write_text("query_id,model,rater,score\nq1,a,p,1\nq1,a,p2,3\nq1,b,p,5\n")
    long = read_labels(tmp_path / "long.csv")
    assert long.scores() == {("q1", "a"): 2.0, ("q1", "b"): 5.0}
    assert rescaled(long, 1.6).scores()["q1", "b"] == 8.0
    (tmp_path / "wide.jsonl").write_text(
        '{"query": "q1", "model": "a", "ann": 1, "bob": 2, "note": "x"}\n{"query": "q1", "model": "b", "bob": 4}\n'
    )
    wide = read_labels(tmp_path / "wide.jsonl")
    assert wide.raters == ("ann", "bob")
    assert wide.scores() == {("q1", "a"): 1.5, ("q1", "b"): 4.0}
    (tmp_path / "pairs.csv").write_text("query_id,a,b,rater,winner\nq1,x,y,p,A\nq1,x,y,r,y\nq2,x,y,p,tie\n")
    assert [preference.sign for preference in read_labels(tmp_path / "pairs.csv").preferences] == [1, -1, 0]
    write_table(drawn(6, 2, seed=3), tmp_path / "batch")
    for place in (tmp_path / "batch", tmp_path / "batch" / "verdicts.parquet"):
        assert read_labels(place, measure="aesthetics").raters == ("rubric",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("model,score\na,1\n", "no column for the query"),
        ("query_id,score\nq1,many\n", "'many' in column 'score' is no number"),
        ("query_id,score\nq1,nan\n", "is no number"),
        ("query_id,model\nq1,a\n", "no scores"),
        ("query_id,a,b,winner\nq1,x,y,z\n", "winner 'z' of 'x' and 'y'"),
        ("query_id,model,score\nq1,a,1\nq1,a,2\n", "rates a to 'q1' twice"),
        ("query_id,model,score\nq0,a,1\nq1,,1\n", "x.csv:3: column 'model' is empty"),
    ],
)
def test_wrong_files_are_told(text: str, says: str, tmp_path: Path) -> None:
    """In one line."""
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(UserError, match=says):
        read_labels(tmp_path / "x.csv")


def test_comparisons_as_reference(tmp_path: Path) -> None:
    """A judge's scores against people's comparisons: Pair ACC, everything else not measured, with the reason."""
    (tmp_path / "pairs.csv").write_text("query_id,a,b,winner\nq1,x,y,x\nq1,y,z,y\nq2,x,y,y\n")
    judge = _labels("j", {("q1", "x"): 5, ("q1", "y"): 3, ("q1", "z"): 4, ("q2", "x"): 1, ("q2", "y"): 2})
    found = compare(judge, read_labels(tmp_path / "pairs.csv"))
    assert found.pair_accuracy.value == pytest.approx(2 / 3)
    assert (found.spearman.value, found.spearman.why) == (None, "comparisons of two answers have no scores")


def test_the_report_tells_everything(tmp_path: Path) -> None:
    """The page and the JSON hold every figure; raters of one name in both sources are told apart; nothing is fetched."""
    rows = drawn(20, 3, 2, seed=9)
    write_table(rows, tmp_path / "a")
    write_table(drawn(20, 3, 1, seed=9), tmp_path / "b")
    found = compare(read_labels(tmp_path / "a"), read_labels(tmp_path / "b"), resamples=50)
    assert found.raters == ("rubric (a)", "rubric (b)")
    assert found.repeats[0].items > 30
    data, page = write(found, tmp_path / "out")
    assert json.loads(data.read_text())["pair_accuracy"]["value"] == found.pair_accuracy.value
    text = page.read_text()
    assert text.count("<svg") == 3
    assert "http" not in text.replace("http-equiv", "")
    assert as_tables(found)
