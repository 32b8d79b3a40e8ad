"""A page for a brief in one language is in it throughout."""

from __future__ import annotations

import pytest

from agent.skills.checks.case import text_lines
from agent.tongues import Tongues, speaking
from tests.unit.agent_skills.scenes import decided, did, mark, on, page
from tools.browser.marks import Mark

BRIEF = "做一个茶叶商店：可以加入购物车，结算时填写姓名和地址。"
OWN = tuple(mark(name, at=(100.0 + 130 * n, 40)) for n, name in enumerate(("首页", "茶叶", "购物车", "结算")))


def told(*more: Mark, brief: str = BRIEF, language: str = "zh", text: str = "") -> list[tuple[bool | None, str]]:
    """What is told of a page that shows these controls beside four Chinese ones."""
    wish = decided(on(OWN[3]), "in_one_language", language=language, brief=brief)
    after = page(*(OWN if language == "zh" else ()), *more, text=text, number=1)
    return [(one.held, one.symptom) for one in did(wish, page(*OWN), after).outcomes]


def fields(*names: str) -> list[Mark]:
    """Fields called so."""
    return [mark(name, "input", at=(100, 200.0 + 50 * n)) for n, name in enumerate(names)]


def test_english_controls_among_chinese_ones_are_told() -> None:
    """Two of them, in sight, called by plain words."""
    assert told(*fields("Name", "Delivery address"), mark("Cancel", at=(300, 400))) == [(False, "language_mixed")]


def test_a_message_in_english_is_told() -> None:
    """A whole sentence that came; not a name, and not what the brief says."""
    assert told(text="Please enter a valid amount greater than 0.") == [(False, "language_mixed")]
    assert told(text="Earl Grey Tea 250 g") == []
    assert told(text="Somewhere Over The Rainbow Tonight") == []
    assert told(text="the tea of the day", brief=f"{BRIEF} 标题：the tea of the day") == []


@pytest.mark.parametrize("names", [("姓名", "地址"), ("Name",), ("VIP", "PDF"), ("GitHub", "Oolong"), ("OK", "姓名")])
def test_names_and_abbreviations_are_no_other_language(names: tuple[str, ...]) -> None:
    """One English word alone, too."""
    assert told(*fields(*names)) == []


def test_what_is_meant_to_be_there_is_left_alone() -> None:
    """A brief that speaks of English, words of the brief, a switch of language."""
    assert told(*fields("Name", "Address"), brief="中英双语的茶叶商店") == []
    assert told(*fields("Name", "Address"), brief=f"{BRIEF} 按钮：Name、Address") == []
    assert told(*fields("Name", "Address"), mark("Language", "select", at=(500, 40))) == []


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("Monday 3 March\nTuesday 4 March", [(False, "language_mixed")]),
        ("lundi 3 mars\nmardi 4 mars", []),
        ("lundi 3 mars, avec May Dupont", []),
    ],
)
def test_english_dates_on_a_french_page_are_told(text: str, outcomes: list[tuple[bool | None, str]]) -> None:
    """Two of them; one may be a name."""
    assert text_lines(page(text=text))
    with speaking(Tongues(("fr",), "fr")):
        assert told(brief="Fais un agenda de la semaine.", language="en", text=text) == outcomes
