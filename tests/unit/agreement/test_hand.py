"""Statistics against figures worked out by hand and against scipy, krippendorff, statsmodels and the literature's examples."""

from __future__ import annotations

import math
from typing import Any

import krippendorff
import numpy as np
import pytest
from scipy import stats as scipy_stats

from evaluator.agreement.chance import cohen, fleiss, krippendorff_alpha
from evaluator.agreement.classes import classes_of
from evaluator.agreement.correlation import KINDS, coefficient, correlation
from evaluator.agreement.labels import Preference, Rating
from evaluator.agreement.pairs import compared, footrule, pair_accuracy, partial_order, preference_accuracy, ranking_consistency
from evaluator.agreement.repeats import reordered, repeats, robustness
from evaluator.statistics.bootstrap import Figure, draws, figure, interval
from tools.errors import UserError
from tools.queries.protocol import CheckItem, Query

stats: Any = scipy_stats
Scores = dict[tuple[str, str], float]


def _scores(**queries: dict[str, float]) -> Scores:
    return {(query, model): value for query, models in queries.items() for model, value in models.items()}


def _items(count: int) -> list[tuple[str, str]]:
    return [(f"q{place}", "m") for place in range(count)]


JUDGE = _scores(q1={"a": 7, "b": 5, "c": 5}, q2={"a": 3, "b": 4, "c": 6})
PEOPLE = _scores(q1={"a": 9, "b": 4, "c": 2}, q2={"a": 5, "b": 5, "c": 1})


def test_pair_accuracy_by_hand() -> None:
    """q1: a>b, a>c agree, b=c for the judge only: 2.5 of 3; q2: a=b for people is left out, a<c and b<c disagree: 0 of 2."""
    first = compared({"a": 7, "b": 5, "c": 5}, {"a": 9, "b": 4, "c": 2})
    assert (first.agree, first.of, first.tied_by_judge, first.tied_by_reference) == (2.5, 3, 1, 0)
    two = compared({"a": 3, "b": 4, "c": 6}, {"a": 5, "b": 5, "c": 1})
    assert (two.agree, two.of, two.tied_by_judge, two.tied_by_reference) == (0.0, 2, 0, 1)
    found = pair_accuracy(JUDGE, PEOPLE)
    assert (found.value, found.n) == (0.5, 5)


def test_pairs_across_queries_do_not_count() -> None:
    """Only answers to one query are compared; a single answer a query leaves nothing to measure, and that is told."""
    found = pair_accuracy(_scores(q1={"a": 1}, q2={"a": 2}), _scores(q1={"a": 2}, q2={"a": 1}))
    assert found.value is None
    assert "no query has two answers" in found.why


def test_direct_comparisons_by_hand() -> None:
    """Two of four agree, one is a tie of the judge's (half), a tie of the person's is left out: 2.5 of 4."""
    told = [
        Preference("q1", "a", "b", "p", 1),
        Preference("q1", "c", "a", "p", -1),
        Preference("q1", "b", "c", "p", 1),
        Preference("q2", "a", "c", "p", 1),
        Preference("q2", "a", "b", "p", 0),
        Preference("q9", "a", "b", "p", 1),
    ]
    found = preference_accuracy(JUDGE, told)
    assert (found.value, found.n) == (2.5 / 4, 4)


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], 0.0),
        ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1], 0.0),
        ([4, 3, 2, 1], [4, 3, 1, 2], 1 - 2 / 8),
        ([3, 2, 1], [3, 3, 1], 1 - 1 / 4),
        ([10.0, 1.0], [0.3, 0.2], 1.0),
    ],
)
def test_footrule_by_hand(one: list[float], other: list[float], wanted: float) -> None:
    """Equal rankings 1, reversed ones 0 for even and odd counts, one swap of neighbours of four 2/8, shared ranks their mean."""
    assert footrule(np.array(one), np.array(other)) == pytest.approx(wanted)


def test_ranking_consistency_ranks_models_by_their_means() -> None:
    """Judge: a 5, b 4.5, c 5.5; people: a 7, b 4.5, c 1.5. Ranks 2 3 1 and 1 2 3: distance 4 of at most 4."""
    found = ranking_consistency(JUDGE, PEOPLE)
    assert (found.value, found.n) == (0.0, 3)


def test_correlations_are_scipys() -> None:
    """On data with ties, to the last digits."""
    chance = np.random.default_rng(3)
    item, other = chance.integers(0, 6, 80).astype(float), chance.normal(size=80).round(1)
    assert coefficient("spearman", item, other) == pytest.approx(stats.spearmanr(item, other).statistic, abs=1e-12)
    assert coefficient("kendall", item, other) == pytest.approx(stats.kendalltau(item, other).statistic, abs=1e-12)
    assert coefficient("pearson", item, other) == pytest.approx(stats.pearsonr(item, other).statistic, abs=1e-12)


def test_correlations_by_hand() -> None:
    """Ranks 1 2 3 4 against 1 3 2 4: rho 1 - 6*2/(4*15) = 0.8; one of six pairs is discordant: tau 4/6."""
    item, other = np.array([1.0, 2, 3, 4]), np.array([10.0, 30, 20, 40])
    assert coefficient("spearman", item, other) == pytest.approx(0.8)
    assert coefficient("kendall", item, other) == pytest.approx(4 / 6)
    assert coefficient("pearson", np.array([1.0, 2, 3]), np.array([2.0, 4, 7])) == pytest.approx(15 / math.sqrt(6 * 38))


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_vary_correlates_with_nothing(kind: str) -> None:
    """Not 0, not 1, but not measured, with the reason."""
    flat = _scores(q1={"a": 4, "b": 4}, q2={"a": 4, "b": 4})
    other = _scores(q1={"a": 1, "b": 2}, q2={"a": 3, "b": 4})
    found = correlation(kind, flat, other)  # type: ignore[arg-type]
    assert (found.value, found.why) == (None, "one of the two gives every item the same score")
    assert "fewer than three" in correlation(kind, _scores(q={"a": 1, "b": 2}), _scores(q={"a": 1, "b": 2})).why  # type: ignore[arg-type]


def _classes(values: list[int]) -> dict[tuple[str, str], int]:
    return dict(zip(_items(len(values)), values, strict=True))


def test_cohen_by_hand() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, expected 0.5, kappa 0.4."""
    first = [0] * 25 + [1] * 25
    other = [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15
    found = cohen(_classes(first), _classes(other), 2)
    assert found.value == pytest.approx(0.4)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.4 < found.high


def test_weighted_cohen_by_hand() -> None:
    """Weights (i-j)²: observed disagreement 2/6, expected (0+1+4+1+0+1+4+1+0)/9 = 4/3: kappa 1 - (1/3)/(4/3) = 0.75."""
    found = cohen(_classes([0, 0, 1, 1, 2, 2]), _classes([0, 1, 1, 0, 2, 2]), 3, weights="quadratic")
    assert found.value == pytest.approx(0.75)


def test_fleiss_as_in_the_paper() -> None:
    """Ten items, fourteen raters, five categories (the common textbook table): kappa 0.210."""
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    table = np.array([[value for value, count in enumerate(row) for _ in range(count)] for row in counts], dtype=float).T
    found = fleiss(table, _items(10), 5)
    assert found.value == pytest.approx(0.210, abs=5e-4)
    assert found.n == 10


def test_fleiss_leaves_out_what_it_cannot_use_and_says_so() -> None:
    """Items with fewer ratings than the others drop out; without any pair of ratings nothing is measured."""
    table = np.array([[0, 1, 0, 1, 0], [0, 1, 1, 1, np.nan], [0, 1, 0, 1, np.nan]], dtype=float)
    found = fleiss(table, _items(5), 2)
    assert found.n == 4
    assert "1 items with fewer are left out" in found.why
    assert fleiss(table[:1], _items(5), 2).why == "no item has two ratings"


KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
        [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
    ]
)
"""The example of "Computing Krippendorff's Alpha-Reliability" (2011): 0.743 nominal, 0.815 ordinal, 0.849 interval."""


@pytest.mark.parametrize(("level", "wanted"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_as_in_the_paper(level: str, wanted: float) -> None:
    """Four observers, twelve units, missing values; the unit with a single value drops out."""
    found = krippendorff_alpha(KRIPPENDORFF, _items(12), level)  # type: ignore[arg-type]
    assert found.value == pytest.approx(wanted, abs=6e-4)
    assert found.n == 11
    assert found.value == pytest.approx(krippendorff.alpha(reliability_data=KRIPPENDORFF, level_of_measurement=level), abs=1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(6))
def test_interval_alpha_is_the_packages(seed: int) -> None:
    """The closed form agrees with the package on scores with decimals, gaps and an offset."""
    chance = np.random.default_rng(seed)
    truth = chance.uniform(0, 8, 40)
    table = (truth + chance.normal(scale=1.0, size=(4, 40)) + 1000).round(1)
    table[chance.random(table.shape) < 0.3] = np.nan
    wanted = krippendorff.alpha(reliability_data=table, level_of_measurement="interval")
    assert krippendorff_alpha(table, _items(40), "interval", resamples=0).value == pytest.approx(wanted, abs=1e-9)


def test_alpha_without_variation_is_not_measured() -> None:
    """Everybody always says 3: nothing can be expected by chance."""
    for level in ("nominal", "ordinal", "interval"):
        found = krippendorff_alpha(np.full((3, 5), 3.0), _items(5), level)
        assert found.value is None
        assert "all ratings are the same" in found.why


def test_classes_are_whole_numbers_or_of_equal_width() -> None:
    """Whole numbers stay as they are, gaps included; decimals fall into classes over the whole scale."""
    whole = classes_of(np.array([1.0, 5.0, 2.0, np.nan]), None, 8.0)
    assert (whole.count, [whole.of(value) for value in (1, 2, 3, 5)]) == (5, [0, 1, 2, 4])
    fifths = classes_of(np.array([0.5, 7.9]), None, 8.0)
    assert (fifths.count, [fifths.of(value) for value in (0, 1.59, 1.6, 7.9, 8)]) == (5, [0, 0, 1, 4, 4])
    assert classes_of(np.array([1.0, 2.0]), 2, 8.0).count == 2
    with pytest.raises(UserError, match="1 class leaves nothing"):
        classes_of(np.array([1.0]), 1, 8.0)


def test_the_bootstrap_is_seeded_and_sound() -> None:
    """Resamples have the units' number; the same seed gives the same interval; its width is that of the mean's error."""
    assert (draws(7, resamples=20, seed=1).sum(axis=1) == 7).all()
    chance = np.random.default_rng(0)
    values = chance.normal(size=400)
    found = figure(lambda units: float(values[units].mean()), 400, resamples=2000, seed=5)
    assert found == figure(lambda units: float(values[units].mean()), 400, resamples=2000, seed=5)
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * values.std(ddof=1) / 20, rel=0.08)


def test_figures_without_ground_say_why() -> None:
    """No data, one unit, a statistic that most resamples do not define."""
    assert figure(lambda _: 1.0, 0) == Figure(value=None, n=0, why="there are no data")
    lone = figure(lambda _: 1.0, 1)
    assert (lone.value, lone.low, lone.why) == (1.0, None, "an interval needs at least two units")
    shy = figure(lambda units: 1.0 if len(set(units)) == len(units) else math.nan, 6)
    assert (shy.value, shy.low, shy.why) == (1.0, None, "undefined in most resamples, so without an interval")
    assert interval(np.array([np.nan, np.nan, 1.0])) is None


def test_partial_order_holds_what_all_referees_share() -> None:
    """One puts a > b > c, the other a > c > b: only that a is above both is shared."""
    first = _scores(q={"a": 9, "b": 5, "c": 1})
    other = _scores(q={"a": 8, "b": 2, "c": 4})
    assert partial_order({"x": first, "y": other}) == {("a", "b"): True, ("a", "c"): True}
    assert partial_order({"x": first}).keys() == {("a", "b"), ("a", "c"), ("b", "c")}
    assert partial_order({}) == {}


def test_repeated_ratings_by_hand() -> None:
    """Item 1: 4, 6 (variance 2), item 2: 3, 3 (0): mean 1, on 0–100 of 8 points 156.25; runs 3.5 and 4.5: 0.5, 78.125."""
    rated = [("q1", 4.0, 1), ("q1", 6.0, 2), ("q2", 3.0, 1), ("q2", 3.0, 2), ("q3", 1.0, 1)]
    (found,) = repeats([Rating(query_id=q, model="m", rater="r", value=value, trial=trial) for q, value, trial in rated])
    assert (found.items, found.variance.value, found.widest, found.identical) == (2, 1.0, 2.0, 0.5)
    assert found.variance_100.value == pytest.approx(156.25)
    assert found.run_variance_100 == pytest.approx(78.125)
    assert repeats([Rating(query_id="q", model="m", rater="r", value=1.0)]) == ()


def test_reworded_checklists_are_compared() -> None:
    """Shifts of +1, 0, -2, 0: mean -0.25, mean size 0.75, and one of the two pairs turns."""
    base = _scores(q1={"a": 5, "b": 4}, q2={"a": 5, "b": 4})
    variant = _scores(q1={"a": 6, "b": 4}, q2={"a": 3, "b": 4})
    (found,) = robustness(base, {"shuffled": variant, "elsewhere": _scores(q9={"a": 1})})
    assert (found.variant, found.items, found.shift.value, found.shift_absolute.value) == ("shuffled", 4, -0.25, 0.75)
    assert (found.widest, found.pair_accuracy.value) == (2.0, 0.5)


def test_checklists_are_reworded_without_changing_what_they_ask() -> None:
    """Another order with new numbers; the same seed gives the same order."""
    items = tuple(CheckItem(id=str(n), title=f"T{n}", text=f"text {n}", points=n + 1.0) for n in range(10))
    query = Query(id="q", brief="b", checklist=items)
    other = reordered(query, seed=1)
    assert other == reordered(query, seed=1)
    assert [item.id for item in other.checklist] == [str(n) for n in range(1, 11)]
    assert sorted((item.text, item.points) for item in other.checklist) == sorted((item.text, item.points) for item in items)
    assert [item.text for item in other.checklist] != [item.text for item in items]
    two = query.model_copy(update={"checklist": items[:2]})
    assert all([item.text for item in reordered(two, seed=n).checklist] != ["text 0", "text 1"] for n in range(20))
