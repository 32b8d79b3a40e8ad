"""Words, stems, concepts and numbers."""

from __future__ import annotations

import pytest

from agent.words import clock_times, concepts, keywords, language_of, numbers, says, stems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("delete", "deleting"),
        ("save", "saved"),
        ("task", "tasks"),
        ("filter", "filtering"),
        ("toggle", "toggled"),
        ("stop", "stopped"),
        ("story", "stories"),
    ],
)
def test_forms_of_one_word_fall_together(one: str, other: str) -> None:
    """Inflected English words have one stem."""
    assert stems(one) == stems(other)


@pytest.mark.parametrize(
    ("one", "other"), [("class", "clas"), ("bus", "bu"), ("add", "ad"), ("theme", "then"), ("add", "address")]
)
def test_different_words_stay_apart(one: str, other: str) -> None:
    """Words that merely look alike keep different stems."""
    assert stems(one) != stems(other)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Add task", "add"),
        ("添加任务", "add"),
        ("🗑️", "delete"),
        ("删除", "delete"),
        ("Dark mode", "theme"),
        ("切换深色", "theme"),
        ("×", "close"),
        ("下一步", "next"),
        ("Sign in", "login"),
        ("Play again", "restart"),
        ("+", "increase"),
    ],
)
def test_a_name_stands_for_a_concept(text: str, concept: str) -> None:
    """Words, phrases, Chinese and lone signs name the same concepts."""
    assert concept in concepts(text)


@pytest.mark.parametrize(
    ("text", "concept"), [("Address", "add"), ("Copyright 2024", "copy"), ("x = 3", "close"), ("Adds up", "delete")]
)
def test_what_only_resembles_a_concept_does_not_name_it(text: str, concept: str) -> None:
    """Parts of other words and signs within a longer name stand for nothing."""
    assert concept not in concepts(text)


def test_hyphens_join_words() -> None:
    """`to-do` is `todo`, and `real-time` is both joined and in parts."""
    assert stems("to-do") == stems("todo")
    assert set(stems("real time")) < set(stems("real-time"))


def test_chinese_is_cut_into_pairs_without_filler() -> None:
    """Keywords of a Chinese text are pairs of signs of what is left without filler words."""
    assert keywords("用户可以删除任务") == ("删除", "除任", "任务")


def test_numbers_are_read_as_a_person_reads_them() -> None:
    """Thousands, decimals, minus signs and currencies; times of day are no numbers."""
    assert numbers("Total $1,234.50, change −5 at 12:30, 3 items") == (1234.5, -5.0, 3.0)
    assert clock_times("25:00 then 00:01.37") == ("25:00", "00:01.37")


@pytest.mark.parametrize(
    ("group", "text", "told"),
    [
        ("validation", "Please enter a name", True),
        ("validation", "请输入姓名", True),
        ("validation", "Welcome home", False),
        ("success", "Thank you!", True),
        ("not_found", "404 – page not found", True),
        ("not_found", "Found in the garden", False),
        ("game_over", "游戏结束", True),
    ],
)
def test_groups_of_words_are_recognised(group: str, text: str, told: bool) -> None:
    """The lexicon's groups answer for both languages."""
    assert says(group, text) is told


def test_language_is_told_by_code_or_script() -> None:
    """A code decides; without one the script does."""
    assert [language_of("zh-CN"), language_of("en_US"), language_of("", "你好，世界"), language_of("de", "hallo")] == [
        "zh",
        "en",
        "zh",
        "en",
    ]


@pytest.mark.parametrize("name", ["latviešu valoda", "lietuvių", "eesti keel", "Norsk", "ไทย"])
def test_a_language_is_known_by_its_own_name(name: str) -> None:
    """Languages of small countries, too: pressed early, all that follows would be in them."""
    assert says("languages", name)
    assert not says("languages", "light fire")
