"""From briefs to promises and plans."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.planning import make_plan, read_brief
from evaluator.requirements import read_requirements
from tests.unit.agent_skills.scenes import mark, page


@pytest.mark.parametrize(
    ("brief", "aspect"),
    [
        ("A notes app. Notes survive a page reload.", "persistence"),
        ("A pong game. It is played with the arrow keys.", "keyboard"),
        ("A drum kit. Every pad plays a sound.", "sound"),
        ("A blog. It is responsive on mobile.", "responsive"),
        ("A clock. It has a dark mode.", "theme"),
        ("A zoo page. There is a footer with the opening hours.", "content"),
        ("一个记账应用。支持深色模式。", "theme"),
        ("一个贪吃蛇游戏。用方向键控制。", "keyboard"),
    ],
)
def test_aspects_are_told_by_their_words(brief: str, aspect: str) -> None:
    """The second sentence's promise has the aspect its words name."""
    assert read_brief(brief, "en")[1][-1].aspect == aspect


def test_what_is_asked_for_first_is_central() -> None:
    """What comes later is not."""
    promises = read_brief("Recipes. Store recipes, search them, print them. Scale the servings. It shows tips.", "en")[1]
    assert [promise.central for promise in promises] == [True, True, True, False]


def test_a_promise_is_a_requirement() -> None:
    """What a trial could show of a brief, under the same ids; a wish about code is none."""
    brief = "A calculator that adds numbers and keeps a history. Use HTML, CSS and JavaScript in a single file."
    asked = read_requirements(brief, "en")
    promises = read_brief(brief, "en")[1]
    assert {one.id: one.text for one in promises} == {one.id: one.words for one in asked.testable}
    assert len(promises) < len(asked)


@pytest.mark.parametrize(
    ("brief", "domain"),
    [
        ("Build a todo app", "todo"),
        ("写一个贪吃蛇游戏", "game"),
        ("A landing page for a coffee shop", "landing"),
        ("A thing that glows", "app"),
        ("", "unknown"),
        ("   \n ", "unknown"),
        ("A pomodoro timer", "timer"),
        ("一个计算器", "calculator"),
    ],
)
def test_domains(brief: str, domain: str) -> None:
    """The first kind of app named is the domain; nothing said is unknown."""
    assert read_brief(brief, "en")[0] == domain


def test_an_empty_brief_promises_nothing() -> None:
    """No promise is inferred from silence, and the plan says what will be done instead."""
    planned = make_plan("", "", page(mark("Add")))
    assert planned.promises == ()
    assert planned.domain == "unknown"
    assert "every kind of control" in planned.order[-1]


def test_promises_are_matched_across_languages() -> None:
    """A Chinese button answers an English brief in the order of trying."""
    planned = make_plan("An app to delete contacts", "en", page(mark("删除"), mark("设置")))
    assert any("删除" in line for line in planned.order)
    assert not any("设置" in line for line in planned.order)


def test_another_language_than_the_briefs_is_noted() -> None:
    """A page that declares another language than the brief's is noted in the plan, one that declares the same is not."""
    assert "note" in make_plan("Ein Timer", "de", page(mark("Start"))).order[0]
    assert "note" not in make_plan("A timer", "en", page(mark("Start"))).order[0]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=600))
def test_any_brief_is_read(brief: str) -> None:
    """No text whatever raises, and the same text gives the same promises."""
    assert read_brief(brief, "") == read_brief(brief, "")
