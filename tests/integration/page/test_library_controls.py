"""Controls as component libraries build them, against truth written by hand (`fixtures/page_models/library_controls.html`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page

from tests.integration.page.conftest import Read
from tools.page.model import PageModel
from tools.page.parts import Choice, Field

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
    assert "Throw away" in names
    assert not {"Nobody sees this", "For readers only"} & set(names)
    await page.mouse.move(0, 0)
    assert await page.get_by_role("button", name="Throw away").evaluate("el => getComputedStyle(el).opacity") != "1"


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
