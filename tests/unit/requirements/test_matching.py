"""Which requirements a component is surely about, on page models that were saved from real pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.requirements import Requirements, read_requirements
from evaluator.requirements.matching import asks_for_control, labels, mentions
from tests.unit.deciders.scenes import part, todo
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Collection, Option, Part

FOLDER = Path(__file__).parents[2] / "fixtures/requirements/pages"


def _page(name: str) -> PageModel:
    return PageModel.model_validate_json((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def _named(page: PageModel, kind: str, name: str) -> Part:
    return next(part for part in getattr(page, kind) if part.name == name)


def _about(asked: Requirements, page: PageModel, kind: str, name: str) -> list[str]:
    return [asked[item].words for item in asked.on(page).about(_named(page, kind, name))]


EXPENSES = (
    "An expense book. Add an expense with amount and category. Delete an expense. "
    "Export everything as CSV. There is a dark theme."
)


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("buttons", "Remove", ["Delete an expense"]),
        ("buttons", "Download CSV", ["Export everything as CSV"]),
        ("buttons", "Night mode", ["There is a dark theme"]),
        ("links", "Imprint", []),
    ],
)
def test_controls_by_what_they_do(kind: str, name: str, words: list[str]) -> None:
    """None of these shares a word with its requirement but the file's name; a link that nobody asked for is about nothing."""
    assert _about(read_requirements(EXPENSES), _page("expenses"), kind, name) == words


def test_fields_by_the_form_they_are_in() -> None:
    """The page tells which form that is: alone, a field named "Category" could as well filter."""
    asked, page = read_requirements(EXPENSES), _page("expenses")
    assert _about(asked, page, "fields", "Amount") == ["Add an expense with amount and category"]


def test_across_languages() -> None:
    """A brief in one language, a page in another."""
    asked = read_requirements("A recipe collection. Users can delete recipes. The shopping list can be printed.")
    page = _page("recipes_de")
    assert _about(asked, page, "buttons", "Entfernen") == ["delete recipes"]
    assert "printed" in " ".join(_about(asked, page, "buttons", "Einkaufsliste drucken"))


def test_nothing_is_about_looks_or_code() -> None:
    """What no trial shows belongs to no component."""
    asked = read_requirements(
        "An expense book. Written in plain JavaScript without frameworks. Elegant design with soft colours."
    )
    page = _page("expenses")
    assert asked.testable == ()
    assert asked.on(page).about(*page.buttons, *page.fields) == ()


@pytest.mark.parametrize(
    ("words", "label", "is_so"),
    [
        ("buttons Sort and New data", "Sort", True),
        ("buttons Sort and New data", "New data", True),
        ("a “start” button", "Start", True),
        ("sorting by clicking", "Sort", False),
        ("Add tasks", "Add", False),  # a sentence's first word has a capital letter anyway
        ("点击“开始”按钮", "开始", True),
        ("OK checks", "OK", True),
        ("C clears", "C", True),
        ("A list of shops", "A", False),
        ("buttons for all", "+", False),
    ],
)
def test_a_label_is_one_where_it_is_written_as_on_the_control(words: str, label: str, is_so: bool) -> None:
    """With its capital letter within a sentence, of several words, or in quotation marks."""
    assert labels(words, label) == is_so


@pytest.mark.parametrize(
    ("words", "label", "is_so"),
    [
        ("negative amounts are rejected", "Amount", True),
        ("find links by tag", "Tags", True),
        ("rename lists", "Name", False),
        ("type what needs to be done and press Enter", "What needs to be done?", True),
        ("say what needs doing", "What needs to be done?", False),
    ],
)
def test_a_field_is_named_whatever_the_letters(words: str, label: str, is_so: bool) -> None:
    """As a whole word, one or several."""
    assert mentions(words, label) == is_so


@pytest.mark.parametrize(
    ("brief", "name", "words"),
    [
        ("A weather page: a list of cities on the left; click a city and a forecast is shown.", "Cities (40)", 2),
        ("做一个天气页面：左边是城市列表，点一个城市，右边显示五天预报。", "城市（40）", 1),
        ("Plan a trip: choose a hotel and a train.", "Cities (40)", 0),
    ],
)
def test_a_list_is_named_by_what_it_holds(brief: str, name: str, words: int) -> None:
    """In another number, too, and however many it says there are."""
    listed = part(Collection, name, kind="list")
    assert len(read_requirements(brief).about(listed)) == words


def test_what_asks_for_control_controls_is_exercised_by_using_them() -> None:
    """That new data must be had at any time asks more of the button than to be there."""
    page = todo(buttons=[part(Button, name, (100 * n, 100), role="button") for n, name in enumerate(("Sort", "New data"))])
    button = page.buttons[1]
    assert asks_for_control("buttons Sort and New data", page, button)
    assert not asks_for_control("New data must be possible at any time, also in the middle of a sort", page, button)
    assert not asks_for_control("a pace slider", page, button)
    clear, food = part(Button, "C", role="button"), Option(name="Food", chosen=False)
    kinds = part(Choice, "Category", kind="select", role="combobox", options=[food, Option(name="Gear", chosen=True)])
    assert asks_for_control("C clears", todo(buttons=[clear]), clear)
    assert asks_for_control("the categories Food and Gear", todo(choices=[kinds]), kinds)


def test_an_enumeration_of_controls_asks_for_them_in_small_letters_too() -> None:
    """What changes data is not asked for by its name, nor is what more is said of."""
    names = ("Previous month", "Next month", "today", "Add", "Delete")
    views = [Option(name=name, chosen=name == "month") for name in ("month", "week", "list")]
    page = todo(
        buttons=[part(Button, name, (100 * n, 100), role="button") for n, name in enumerate(names)],
        choices=[part(Choice, "", kind="segmented", options=views)],
    )
    asked = read_requirements("A calendar with month, week and list views; previous, next and today; add and delete events.").on(
        page
    )
    previous, today, add = page.buttons[0], page.buttons[2], page.buttons[3]
    view = asked.about(page.choices[0])
    turning = asked.about(previous)
    assert (len(view), len(turning)) == (1, 1)
    assert view != turning
    assert asked.about(today) == turning
    assert asks_for_control(asked[view[0]].words, page, page.choices[0])
    assert not asks_for_control("add and delete events", page, add)
    assert not asks_for_control("the next month shows its own holidays and today is marked", page, previous)
