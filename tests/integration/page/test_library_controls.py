"""Controls as component libraries build them, against truth written by hand (`fixtures/page_models/library_controls.html`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page

from tests.integration.page.conftest import Read, Runner, fixture_path
from tools.page.assertions import Appears, Target
from tools.page.exporting import as_playwright
from tools.page.model import PageModel
from tools.page.parts import Choice, Field
from tools.page.trials import Press, Trial

Opened = Callable[[str], Awaitable[Read]]


@pytest.fixture
async def model(opened: Opened) -> PageModel:
    """The page as it is opened."""
    return await (await opened("library_controls"))()


def _field(model: PageModel, name: str) -> Field:
    return next(field for field in model.fields if field.name == name)


def _choice(model: PageModel, name: str) -> Choice:
    return next(choice for choice in model.choices if choice.name == name)


async def test_what_a_combobox_shows_beside_its_input_is_chosen_and_a_pale_hint_is_not(model: PageModel) -> None:
    """An input that holds nothing shows its value next to it; a placeholder is no value."""
    assert (_choice(model, "Meal").value, _choice(model, "Side dish").value) == ("Lentil soup", "")
    assert _field(model, "Side dish").placeholder == "Pick a side dish"
    assert (_field(model, "Table").value, _field(model, "Table").placeholder) == ("", "Where to sit")


async def test_a_button_that_opens_a_list_of_options_is_a_choice(model: PageModel) -> None:
    """Its name is its label's, without what is chosen; its value is without the arrow."""
    assert (_choice(model, "Day").kind, _choice(model, "Day").value) == ("combobox", "Wednesday")
    assert not [button.name for button in model.buttons if "Wednesday" in button.name]


async def test_what_counts_a_number_up_and_down_sends_nothing(model: PageModel) -> None:
    """The field is called by the first line before the signs; amounts to choose from and a toolbar's buttons send nothing."""
    assert _field(model, "Portions").value == "2"
    sent = {tuple(_name(model, key) for key in form.fields): _name(model, form.submit) for form in model.forms}
    assert sent["Portions",] == "Order 2 portions"
    assert sent["Note to the kitchen",] == "Send note"


def _name(model: PageModel, key: str) -> str:
    part = model.of(key)
    return part.name if part is not None else ""


async def test_a_button_that_comes_up_under_the_pointer_is_there(model: PageModel, page: Page) -> None:
    """A person moves over its row and presses it; what never comes up is nobody's, nor is a sliver for readers."""
    names = [button.name for button in model.buttons]
    assert [name for name in names if name in {"Throw away", "Rename", "×"}] == ["Throw away", "Rename", "×"]
    assert {button.over for button in model.buttons if button.over} == {"#bread"}
    assert not {"Nobody sees this", "For readers only"} & set(names)
    await page.mouse.move(0, 0)
    assert await page.get_by_role("button", name="Throw away").evaluate("el => getComputedStyle(el).opacity") != "1"


async def test_a_test_that_is_exported_brings_the_pointer_first(model: PageModel, run_exported: Runner) -> None:
    """The button is laid out nowhere until then."""
    rename = next(button for button in model.buttons if button.name == "Rename")
    trial = Trial(
        why="Bread can be renamed",
        acts=(Press(target=Target.of(rename, model)),),
        asserts=(Appears(target=Target(kind="texts", name="Rolls")),),
    )
    source = as_playwright(trial, fixture_path("library_controls").as_uri())
    assert 'page.locator("#bread").hover()' in source
    assert run_exported(source) == ""


async def test_a_card_is_called_by_its_heading(model: PageModel) -> None:
    """Its state and its words change."""
    assert "Stew" in [button.name for button in model.buttons]


async def test_a_part_that_listens_for_all_in_it_is_no_button(model: PageModel) -> None:
    """Its field and its button are."""
    assert "Search" in [field.name for field in model.fields]
    assert [button.name for button in model.buttons if "Find" in button.name] == ["Find"]


async def test_tiles_are_figures_and_a_foot_of_links_is_no_list(model: PageModel) -> None:
    """Nor is the empty place where messages will come up, nor the year of a copyright a figure."""
    assert model.collections == ()
    values = {figure.name: str(figure.quantity.value) for figure in model.figures}
    assert values.items() >= {"Guests": "42", "Dishes left": "17", "Takings": "381.50"}.items()
    assert not [name for name in values if "©" in name]


async def test_an_alert_in_green_is_no_error(model: PageModel) -> None:
    """Many libraries announce all that they say as alerts; what has no colour may be one."""
    assert [error.text for error in model.errors] == ["The kitchen is closed on Sunday.", "Something is odd."]


async def test_signs_that_only_allow_a_line_to_be_broken_are_not_read(model: PageModel) -> None:
    """What a person reads is without them."""
    assert "/week/menu" in [link.name for link in model.links]
    assert not [text.text for text in model.texts if "\u200b" in text.text]


@pytest.fixture
async def lists(opened: Opened) -> PageModel:
    """The page of lists as it is opened."""
    return await (await opened("library_lists"))()


async def test_a_head_in_a_table_of_its_own_is_that_of_the_rows(lists: PageModel) -> None:
    """It stays in sight while the rows are scrolled; what sorts is in it."""
    tables = [listed for listed in lists.collections if listed.kind == "table"]
    assert [(listed.columns, listed.count) for listed in tables] == [(("Boat", "Until", "Price"), 3)]
    assert [_name(lists, key) for key in tables[0].sorts] == ["Sort by the hour"]


async def test_pages_are_no_list_and_no_figures(lists: PageModel) -> None:
    """Nor are tiles of which some have a unit or a sign of money a list."""
    assert [listed.count for listed in lists.collections if listed.item < 0] == [3, 3]
    values = {figure.name: (str(figure.quantity.value), figure.quantity.unit) for figure in lists.figures}
    assert values == {"Boats out": ("3", ""), "Mean hire": ("42", "min"), "Takings": ("1264.50", "EUR")}


async def test_cards_that_differ_by_a_badge_are_items_of_one_list(lists: PageModel) -> None:
    """A list of words in a card is the card's."""
    cards = next(listed for listed in lists.collections if listed.kind == "repeated")
    assert [item.cells[0].text for item in cards.items] == ["Canoe", "Dinghy", "Punt"]
    assert [listed.item for listed in lists.collections if listed.kind == "list"] == [0, 1, 2]


async def test_what_a_label_names_by_its_outermost_part_is_called_by_it(lists: PageModel) -> None:
    """A slider that a library draws into a labelled part."""
    assert [(field.name, field.value) for field in lists.fields] == [("Days", "3")]


async def test_a_menu_that_stands_says_by_its_look_where_one_is(lists: PageModel) -> None:
    """No state is stated; one item is painted unlike the others."""
    menu = next(choice for choice in lists.choices if choice.kind == "menu")
    assert (menu.chosen, menu.by) == (("Hires",), "look")
