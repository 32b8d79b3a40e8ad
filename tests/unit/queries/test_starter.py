"""The starter set: how many, how balanced, how unlike each other, how unlike what circulates."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product

import pytest

from evaluator.protocols.artifactsbench.contamination import rouge_l
from evaluator.protocols.artifactsbench.duplicates import near_duplicates, signature, similarity
from tools.probes.language import detect_language
from tools.queries.reading import read_queries

STARTER = read_queries("starter")
GROUPS = {"en": "en", "zh": "zh"}
CIRCULATED = (
    "to-do list", "todo app", "tic-tac-toe", "snake game", "tetris", "2048", "flappy bird", "pomodoro", "calculator app",
    "weather app", "bouncing ball", "solar system", "landing page for a saas", "kanban board", "markdown editor", "chess game",
    "minesweeper", "breakout", "quiz app", "portfolio website", "galton board", "particle system", "贪吃蛇", "俄罗斯方块", "待办",
    "计算器", "番茄钟", "扫雷", "五子棋",
)  # fmt: skip
"""Prompts that every model has seen answers to."""


def test_every_domain_has_every_tier_in_every_group_of_languages() -> None:
    """Eleven domains, three tiers, English, Chinese and others: one brief for each combination, which are 99."""
    cells = Counter((item.field, item.difficulty, GROUPS.get(item.language, "other")) for item in STARTER)
    domains = {item.field for item in STARTER}
    assert len(domains) == 11
    assert set(cells) == set(product(domains, ("easy", "medium", "hard"), ("en", "zh", "other")))
    assert set(cells.values()) == {1}


def test_other_languages_are_balanced() -> None:
    """Six languages share the third group evenly."""
    others = Counter(item.language for item in STARTER if item.language not in GROUPS)
    assert len(others) == 6
    assert max(others.values()) - min(others.values()) <= 1


@pytest.mark.parametrize("query", STARTER, ids=lambda query: query.id)
def test_each_brief_is_in_its_language_and_of_its_tiers_length(query) -> None:
    """The declared language is the one it is written in; a hard brief asks for more than an easy one can say."""
    assert detect_language(query.brief)[0] == query.language
    units = len(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|[^\W\d_]+", query.brief))
    dense = query.language in {"zh", "ja"}
    least, most = {"easy": (25, 95), "medium": (40, 130), "hard": (70, 190)}[query.difficulty]
    assert least * (1.5 if dense else 1) * (0.75 if query.language == "ko" else 1) <= units
    assert units <= most * (2.4 if dense else 1.6 if query.language == "ko" else 1)
    assert len(query.domain) == 2


def test_tiers_differ_in_what_they_ask_for() -> None:
    """Within a language a hard brief is longer than the medium one of its domain, and that longer than the easy one."""
    for language in ("en", "zh"):
        for field in {item.field for item in STARTER}:
            easy, medium, hard = (
                next(
                    len(item.brief) for item in STARTER if (item.field, item.language, item.difficulty) == (field, language, tier)
                )
                for tier in ("easy", "medium", "hard")
            )
            assert easy < medium < hard


def test_no_two_briefs_are_near_duplicates() -> None:
    """MinHash finds no pair that shares a third of its word shingles; none at all comes near it."""
    assert near_duplicates(STARTER, threshold=0.35) == ()
    marks = [signature(combination.brief) for combination in STARTER]
    assert max(similarity(combination, other) for combination, other in combinations(marks, 2)) < 0.35


def test_no_brief_is_much_of_another() -> None:
    """The longest common subsequence of any two briefs of one language stays below half of them."""
    pairs = [(combination, other) for combination, other in combinations(STARTER, 2) if combination.language == other.language]
    assert len(pairs) > 1000
    worst = max(pairs, key=lambda pair: rouge_l(pair[0].brief, pair[1].brief))
    assert rouge_l(worst[0].brief, worst[1].brief) < 0.45, (worst[0].id, worst[1].id)


def test_a_briefs_halves_do_not_give_each_other_away() -> None:
    """The contamination check continues a brief's first half; one whose halves are alike would look recalled."""
    for item in STARTER:
        half = len(item.brief) // 2
        assert rouge_l(item.brief[half:], item.brief[:half]) < 0.4, item.id


def test_circulated_prompts_are_not_among_them() -> None:
    """None asks for what every collection of prompts asks for."""
    found = [(item.id, word) for item in STARTER for word in CIRCULATED if word in item.brief.casefold()]
    assert found == []
