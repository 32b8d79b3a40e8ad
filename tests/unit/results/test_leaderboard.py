"""Leaderboards against figures worked out by hand, and what must hold for every table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.results.leaderboard import Leaderboard, leaderboard
from evaluator.results.rows import Scored
from tests.unit.results.table_of import drawn, open_row, scored

HAND = [
    scored("q1", "a", 8.0, 4.0, domain=("games",), difficulty="easy", language="en"),
    scored("q1", "b", 6.0, 6.0, domain=("games",), difficulty="easy", language="en"),
    scored("q2", "a", 4.0, 4.0, domain=("tools",), difficulty="hard", language="zh", trial=1),
    scored("q2", "a", 2.0, 4.0, domain=("tools",), difficulty="hard", language="zh", trial=2),
    scored("q2", "b", 3.0, 3.0, domain=("tools",), difficulty="hard", language="zh"),
    scored("q3", "a", 1.0, 1.0, domain=("tools",), difficulty="hard", language="en"),
    open_row("q3", "b", domain=("tools",), difficulty="hard", language="en"),
]


def _mean(board: Leaderboard, model: str, measure: str = "functionality") -> float | None:
    return next(item.mean.value for item in board.over_all(measure) if item.model == model)  # type: ignore[arg-type]


def test_means_are_over_queries_with_trials_averaged_first() -> None:
    """Model a: (8 + (4+2)/2 + 1) / 3 = 4; b: (6 + 3) / 2 = 4.5, its incomplete job beside it."""
    board = leaderboard(HAND)
    assert _mean(board, "a") == pytest.approx(4.0)
    assert _mean(board, "b") == pytest.approx(4.5)
    assert _mean(board, "a", "aesthetics") == pytest.approx(3.0)
    assert _mean(board, "a", "total") == pytest.approx(3.5)
    (first, second) = board.over_all("functionality")
    assert (first.model, first.rank, second.model, second.rank) == ("b", 1, "a", 2)
    assert (first.jobs, first.incomplete, first.failed, first.mean.n) == (3, 1, 0, 2)
    assert (second.jobs, second.incomplete, second.mean.n) == (4, 0, 3)


def test_what_is_missing_is_bounded() -> None:
    """Had b's incomplete job scored 0 or 8, its mean were 9/3 or 17/3."""
    first = leaderboard(HAND).over_all("functionality")[0]
    assert first.if_nought == pytest.approx(3.0)
    assert first.if_full == pytest.approx(17 / 3)


def test_duels_are_fought_over_common_queries() -> None:
    """Model a wins q1 (8 to 6), ties q2 (3 to 3); q3 is not b's: a's share is 1.5 of 2."""
    duel = next(item for item in leaderboard(HAND).duels if (item.model, item.measure) == ("a", "functionality"))
    assert (duel.better, duel.equal, duel.worse) == (1, 1, 0)
    assert duel.share.value == pytest.approx(0.75)
    rates = {item.model: item.win_rate for item in leaderboard(HAND).over_all("functionality")}
    assert rates["a"] is not None
    assert rates["a"].value == pytest.approx(0.75)
    assert rates["b"] is not None
    assert rates["b"].value == pytest.approx(0.25)


def test_slices_hold_their_own_queries_only() -> None:
    """By domain, tier and language; tiers from easy to hard."""
    board = leaderboard(HAND)
    assert board.by("domain", "functionality")["tools"]["a"].mean.value == pytest.approx(2.0)
    assert list(board.by("difficulty", "functionality")) == ["easy", "hard"]
    assert board.by("language", "functionality")["en"]["b"].mean.n == 1
    assert board.by("language", "functionality")["en"]["b"].incomplete == 1


def test_a_model_without_a_score_has_no_mean_and_no_rank() -> None:
    """It is listed last and says why, instead of standing there with 0."""
    board = leaderboard([*HAND, open_row("q1", "c", "failed")])
    last = board.over_all("functionality")[-1]
    assert (last.model, last.rank, last.mean.value, last.mean.why) == ("c", None, None, "no job was scored")
    assert last.failed == 1
    assert last.win_rate is not None
    assert last.win_rate.value is None


def test_one_query_gives_no_interval() -> None:
    """From a single query nothing can be said about others."""
    (only,) = leaderboard([scored("q", "m", 5.0)]).over_all("total")
    assert (only.mean.value, only.mean.low, only.mean.why) == (5.0, None, "too few queries for an interval")
    assert only.rank == 1


def test_intervals_are_those_of_the_bootstrap() -> None:
    """Of 200 queries with a known spread: about 1.96 standard errors to either side, and never reversed."""
    chance = random.Random(1)
    values = [chance.uniform(0, 8) for _ in range(200)]
    (item,) = leaderboard([scored(f"q{n}", "m", value) for n, value in enumerate(values)], resamples=4000).over_all(
        "functionality"
    )
    mean = sum(values) / 200
    error = (sum((value - mean) ** 2 for value in values) / 199 / 200) ** 0.5
    assert item.mean.value == pytest.approx(mean)
    assert item.mean.low == pytest.approx(mean - 1.96 * error, abs=0.12 * error + 0.03)
    assert item.mean.high == pytest.approx(mean + 1.96 * error, abs=0.12 * error + 0.03)


def test_clearly_better_models_have_sure_ranks_and_equals_do_not() -> None:
    """Rank intervals are single where models are far apart and span places where they are not."""
    rows = drawn(60, 2, seed=4)
    twin = [row.model_copy(update={"model": "twin"}) for row in rows if row.model == "model-1"]
    far = [scored(f"q{n:04}", "far", 8.0) for n in range(60)]
    ranks = {
        item.model: (item.rank, item.rank_low, item.rank_high)
        for item in leaderboard([*rows, *twin, *far]).over_all("functionality")
    }
    assert ranks["far"] == (1, 1, 1)
    assert ranks["twin"] == ranks["model-1"]
    assert ranks["twin"][0] == 2


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 25), st.integers(1, 4), st.integers(1, 2), st.integers(0, 10_000))
def test_what_holds_for_every_table(queries: int, models: int, trials: int, seed: int) -> None:
    """Row order does not matter; duels mirror each other; jobs add up; means lie in their intervals' scale; ranks fit means."""
    rows = drawn(queries, models, trials, seed)
    board = leaderboard(rows, resamples=50)
    shuffled = rows.copy()
    random.Random(seed).shuffle(shuffled)
    assert leaderboard(shuffled, resamples=50) == board
    shares = {(share.model, share.other, share.measure): share for share in board.duels}
    for (model, other, measure), share in shares.items():
        mirror = shares[other, model, measure]
        assert (share.better, share.equal, share.worse) == (mirror.worse, mirror.equal, mirror.better)
        if share.share.value is not None and mirror.share.value is not None:
            assert share.share.value + mirror.share.value == pytest.approx(1.0)
    _adds_up(rows, board)


def _adds_up(rows: list[Scored], board: Leaderboard) -> None:
    listed = board.over_all("functionality")
    assert sum(standing.jobs for standing in listed) == len(rows)
    for facet in ("domain", "difficulty", "language"):
        cells = [standing for models in board.by(facet, "functionality").values() for standing in models.values()]
        assert sum(standing.jobs for standing in cells) == len(rows)
    means = [standing.mean.value for standing in listed if standing.mean.value is not None]
    assert means == sorted(means, reverse=True)
    for standing in board.standings:
        if standing.mean.value is not None:
            assert 0 <= standing.mean.value <= 8
            assert standing.if_nought is not None
            assert standing.if_full is not None
            assert standing.if_nought - 1e-9 <= standing.mean.value <= standing.if_full + 1e-9
        if standing.mean.low is not None and standing.mean.high is not None:
            assert standing.mean.low <= standing.mean.high
