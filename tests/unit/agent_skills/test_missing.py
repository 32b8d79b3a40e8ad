"""What the brief names and the page does not have: only plain absence is told."""

from __future__ import annotations

import pytest

from agent.skills.missing import absent, last_look, propose
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell
from tools.browser.actions import Wait

FOCUS, SHORT, LONG = mark("Focus"), mark("Short break", at=(240, 100)), mark("Long break", at=(380, 100))
TIMER = "A Pomodoro timer with focus (25 min), short break (5 min) and long break (15 min), start and pause."
SHOP = "A shop. Search by name, filter by light and sort by price or name."
FIND = mark("Search plants", "input", input_type="search")
ORDER = mark("Order", "select", options=("a", "b"), option_names=("Price: low to high", "Price: high to low"))


def _gone(*marks: object, brief: str, text: str = "") -> list[str]:
    used = did(decided(on(FOCUS)), page(FOCUS), page(FOCUS, text="x", number=1))
    return [one.named for one in absent(see(*marks, brief=brief, text=text, steps=(used,)))]  # pyright: ignore[reportArgumentType]


def test_one_of_a_row_that_is_not_there_is_missed() -> None:
    """Two modes stand on the page word for word, the third does not; with it nothing is missed."""
    start, pause = mark("Start", at=(100, 200)), mark("Pause", at=(240, 200))
    assert _gone(FOCUS, SHORT, start, pause, brief=TIMER, text="25:00") == ["long break"]
    assert _gone(FOCUS, SHORT, LONG, start, pause, brief=TIMER, text="25:00") == []


def test_a_word_of_it_anywhere_is_enough() -> None:
    """What may go by another name is not missed."""
    assert _gone(FOCUS, SHORT, mark("Long", at=(380, 100)), brief=TIMER, text="25:00\nStart\nPause") == []


@pytest.mark.parametrize(
    ("marks", "gone"), [((FIND, ORDER), []), ((FIND,), ["sort by price or name"]), ((ORDER,), ["search by name"])]
)
def test_a_control_of_a_kind_is_missed(marks: tuple[object, ...], gone: list[str]) -> None:
    """A search field and a sort order go by no other name."""
    assert _gone(*marks, mark("Light", "select"), brief=SHOP, text="Fern\n€5") == gone


def test_a_picture_of_a_control_may_be_it() -> None:
    """A button without a word may be the theme's."""
    brief = "A notes page with a dark mode toggle"
    assert _gone(mark("Add"), brief=brief) == ["dark mode toggle"]
    assert _gone(mark("Add"), mark("◐", at=(400, 100)), brief=brief) == []


def test_it_is_looked_for_once_at_the_end() -> None:
    """The last look is below everything else, and asks for what is absent; it finds it or it does not."""
    used = did(decided(on(FOCUS)), page(FOCUS), page(FOCUS, text="x", number=1))
    start, pause = mark("Start", at=(100, 200)), mark("Pause", at=(240, 200))
    survey = see(FOCUS, SHORT, start, pause, brief=TIMER, text="25:00", steps=(used,))
    (last,) = last_look(survey)
    assert last.priority < 5
    assert not propose(survey)
    (short,) = propose(see(FOCUS, SHORT, start, pause, brief=TIMER, text="25:00", steps=(used,), seconds_left=4.0))
    assert short.priority > 90
    params = last.decision.expectations[0].params
    told = tell(Wait(ms=300), page(FOCUS, SHORT), page(FOCUS, SHORT, number=1), "offered", **params)
    assert (told.held, told.symptom) == (False, "missing_feature")
    assert tell(Wait(ms=300), page(FOCUS), page(FOCUS, LONG, number=1), "offered", **params).held is True


def test_titles_and_figures_may_be_called_otherwise() -> None:
    """What is no control goes by any name: parts of a form, readings."""
    brief = "A booking form: your data, the workshop and a summary. A table shows time, maximum height and range."
    shown = (mark("Workshop"), mark("Summary", at=(300, 100)))
    assert _gone(*shown, brief=brief, text="About you\nTime\n0 s\nRange\n3 m\nMax height\n2 m") == []


def test_kinds_of_things_are_no_names() -> None:
    """A progress bar, buttons, a list: what a thing is need not be written on it; one of many names that is gone is missed."""
    brief = "A timer with focus, short break, start and pause, a progress bar and a list. Buttons for bold, italic and undo."
    names = ("Focus", "Short break", "Start", "Pause", "Bold", "Italic", "Underline", "Undo")
    shown = [mark(name, at=(100 + 90 * n, 100)) for n, name in enumerate(names)]
    assert _gone(*shown, brief=brief) == []
    assert _gone(*shown, brief=brief.replace("italic and undo", "italic, underline, strikethrough and undo")) == ["strikethrough"]


def test_names_in_a_row_are_found_in_chinese() -> None:
    """添加、编辑 stand there, 导出 does not."""
    brief = "客户管理：按钮有新增客户、批量删除、导出报表。"
    shown = (mark("新增客户"), mark("批量删除", at=(300, 100)))
    assert _gone(*shown, brief=brief) == ["导出报表"]
    assert _gone(*shown, mark("导出报表", at=(500, 100)), brief=brief) == []


def test_parts_of_a_page_are_no_names() -> None:
    """A progress bar is there without the words; a heading's button is called H1; on a canvas nothing can be read."""
    shown = (mark("Bold"), mark("Italic", at=(300, 100)), mark("H1", at=(400, 100)), mark("Undo", at=(500, 100)))
    brief = "An editor: a progress bar. Buttons for bold, italic, heading and undo."
    assert _gone(*shown, brief=brief) == []
    assert _gone(*shown, brief="An editor. Buttons for bold, italic, undo and justify.") == ["justify"]
    assert _gone(*shown, mark("", "canvas"), brief="An editor. Buttons for bold, italic, undo and justify.") == []
