"""Filters and samples."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import UserError
from tools.queries.choosing import choose
from tools.queries.protocol import Query
from tools.queries.reading import read_queries

STARTER = read_queries("starter")


def test_filters_combine() -> None:
    """Several values of one field are either, several filters are both, `!=` is none of."""
    found = choose(STARTER, filters=["difficulty=easy,HARD", "language!=en", "domain=browser games"])
    assert {item.difficulty for item in found} == {"easy", "hard"}
    assert {item.field for item in found} == {"browser games"}
    assert "en" not in {item.language for item in found}
    assert len(found) == 4


@pytest.mark.parametrize("rule", ["colour=red", "difficulty", "difficulty=", "=x"])
def test_filters_that_are_not_understood(rule: str) -> None:
    """They say which fields there are."""
    with pytest.raises(UserError, match="is not understood"):
        choose(STARTER, filters=[rule])


def test_a_filter_that_leaves_nothing_says_what_there_is() -> None:
    """So that a misspelt value is found at once."""
    with pytest.raises(UserError, match=r"No query of 99 is left by difficulty=eassy. difficulty is one of: easy, hard, medium"):
        choose(STARTER, filters=["difficulty=eassy"])


@pytest.mark.parametrize("seed", range(5))
def test_a_stratified_sample_is_spread_over_everything(seed: int) -> None:
    """Eleven of the starter set are one of each domain, and tiers and languages differ by at most one."""
    found = choose(STARTER, limit=11, sample="stratified", seed=seed)
    assert max(Counter(item.field for item in found).values()) == 1
    languages = Counter(item.language if item.language in {"en", "zh"} else "" for item in found)
    for count in (Counter(item.difficulty for item in found), languages):
        assert max(count.values()) - min(count.values()) <= 2
        assert len(count) == 3


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 99), st.integers(0, 5), st.sampled_from(["first", "random", "stratified"]))
def test_samples_have_their_size_and_order_and_are_repeatable(limit: int, seed: int, sample: str) -> None:
    """Exactly the limit, no query twice, in the set's order, the same for the same seed."""
    found = choose(STARTER, limit=limit, sample=sample, seed=seed)  # type: ignore[arg-type]
    places = [STARTER.index(item) for item in found]
    assert len(found) == limit
    assert places == sorted(set(places))
    assert found == choose(STARTER, limit=limit, sample=sample, seed=seed)  # type: ignore[arg-type]


def test_samples_keep_the_shares_of_an_uneven_set() -> None:
    """A set with nine easy queries for each hard one is sampled nine to one."""
    uneven = tuple(Query(id=str(n), brief="x", difficulty="hard" if n % 10 == 0 else "easy") for n in range(200))
    found = choose(uneven, limit=40, sample="stratified", seed=3)
    assert Counter(item.difficulty for item in found) == {"easy": 36, "hard": 4}
