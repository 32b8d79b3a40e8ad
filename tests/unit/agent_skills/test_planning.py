"""From briefs to promises and plans."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.planning import MOST_PROMISES, make_plan, read_brief
from tests.unit.agent_skills.scenes import mark, page

LONG = (
    "# A garden planner\n\nBuild a web app for planning a garden.\n\n## Features\n"
    + "\n".join(
        f"- Users can add, edit and delete bed number {n} and sort it by date {n}, then drag plant {n} onto it."
        for n in range(60)
    )
    + "\n\n```js\nconst secret = 'not an ask';\n```\n"
    + ("The page explains how roses are cut in spring. " * 120)
)


def texts(brief: str) -> list[str]:
    """The promises' texts."""
    return [promise.text for promise in read_brief(brief, "en")[1]]


def test_verbs_of_an_enumeration_share_their_object() -> None:
    """`add, edit, and delete tasks` is three promises about tasks."""
    assert texts("Create a to-do list app where users can add, edit, and delete tasks.") == [
        "add tasks",
        "edit tasks",
        "delete tasks",
    ]


def test_with_a_key_says_how_and_not_what() -> None:
    """The key is part of the ask it stands in; a cart is one more thing to be there."""
    _, promises = read_brief("A todo list: add todos with Enter, mark them done, delete them.", "en")
    assert [promise.text for promise in promises] == ["A todo list: add todos with Enter", "mark them done", "delete them"]
    _, promises = read_brief("A shop with a cart and a search.", "en")
    assert [promise.text for promise in promises] == ["A shop", "a cart and a search"]


def test_chinese_enumerations_are_cut() -> None:
    """`、`, `和` and `支持` are understood."""
    found = texts("做一个待办清单应用，支持添加、删除任务和按状态筛选。刷新后数据不丢失。")
    assert found == ["添加", "删除任务", "按状态筛选", "刷新后数据不丢失"]


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


def test_the_first_sentence_and_musts_are_central() -> None:
    """What the app is and what it must do is central, an aside is not."""
    promises = read_brief("A recipe box that stores recipes. It must scale the servings. Recipes can be printed.", "en")[1]
    assert [promise.central for promise in promises] == [True, True, False]


def test_wishes_about_code_and_looks_are_no_promises() -> None:
    """Frameworks, single files and pure style cannot be tried by a user."""
    assert texts("A calculator. Use HTML, CSS and JavaScript in a single file. Modern, clean design.") == ["A calculator"]


def test_examples_and_code_are_left_out() -> None:
    """`e.g.` does not become a promise, nor does what stands in a fence."""
    found = texts("A board with three columns (e.g. todo, doing, done).\n```\nadd(secret)\n```\n")
    assert not any("doing" in text or "secret" in text for text in found)


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


def test_a_long_specification_stays_bounded_and_keeps_what_is_central() -> None:
    """1,500 words give at most 40 promises, the first sentence's among them, in no time."""
    started = time.perf_counter()
    promises = read_brief(LONG, "en")[1]
    assert time.perf_counter() - started < 1.0
    assert len(promises) <= MOST_PROMISES
    assert promises[0].text == "add bed number 0"
    assert promises[0].central
    assert not any("secret" in promise.text for promise in promises)
    assert len({promise.id for promise in promises}) == len(promises)


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
