"""Page models of small unlike pages against truth written by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest
from playwright.async_api import Page

from configs.settings import Timeouts
from tests.integration.page.conftest import Read, fixture_path
from tools.browser.tab import CommandRefused, ScriptError, Tab
from tools.page.changes import difference
from tools.page.model import PageModel
from tools.page.reading import read_page

Opened = Callable[[str], Awaitable[Read]]


def _fields(model: PageModel) -> dict[str, tuple[str, str]]:
    return {field.name: (field.kind, field.value) for field in model.fields}


def _choices(model: PageModel) -> dict[tuple[str, ...], tuple[str, tuple[str, ...]]]:
    return {tuple(option.name for option in choice.options): (choice.kind, choice.chosen) for choice in model.choices}


def _figures(model: PageModel) -> list[tuple[str, str, object, str]]:
    found = [(figure.name, figure.quantity.measure, figure.quantity.value, figure.quantity.unit) for figure in model.figures]
    return sorted(found, key=lambda figure: figure[0])


async def test_a_native_form_has_its_fields_with_constraints_values_and_what_is_wrong(opened: Opened) -> None:
    """Kinds, labels, values, required and bounds; the form's button; the error tied to its field."""
    model = await (await opened("native_form"))()
    assert _fields(model) == {
        "Full name": ("text", ""), "E-mail": ("email", ""), "Born": ("date", "1990-05-04"), "Seats": ("number", "2"),
        "Plan": ("select", "Family"), "About you": ("multiline", ""),
    }  # fmt: skip
    by_name = {field.name: field for field in model.fields}
    assert by_name["Full name"].required
    assert by_name["Full name"].max_length == 40
    assert not by_name["Seats"].required
    assert (by_name["Seats"].minimum, by_name["Seats"].maximum) == ("1", "8")
    assert by_name["E-mail"].invalid
    assert [(error.text, error.about) for error in model.errors] == [("Please give an address with an @.", by_name["E-mail"].key)]
    assert _choices(model) == {("Basic", "Family", "Club"): ("select", ("Family",)), ("Card", "Invoice"): ("radio", ("Card",))}
    assert [(toggle.name, toggle.on) for toggle in model.toggles] == [("Send me news", True)]
    [form] = model.forms
    submit = model.of(form.submit)
    assert submit is not None
    assert submit.name == "Create account"
    assert len(form.fields) == 6


async def test_inputs_named_like_members_of_the_dom_hide_nothing(opened: Opened) -> None:
    """A form's own `children` and `getAttribute` are then inputs."""
    model = await (await opened("clobbered"))()
    assert _fields(model) == {"Alias": ("text", "x")}
    assert model.of(model.forms[0].submit) == model.buttons[0]


async def test_a_list_that_shrinks_to_one_or_none_is_still_that_list(opened: Opened, page: Page) -> None:
    """Cards without a list's role are known by their likeness; once known, the last of them is an item too."""
    read = await opened("chips")
    first = await read()
    await page.locator("#chips button").nth(1).click()
    item = await read()
    await page.evaluate("cards.replaceChildren()")
    none = await read()
    assert [model.collections[0].count for model in (first, item, none)] == [3, 1, 0]
    assert len({model.collections[0].key for model in (first, item, none)}) == 1


async def test_a_field_without_form_or_button_is_sent_by_enter_and_feeds_the_list(opened: Opened) -> None:
    """The input alone is a form without a button; rows' own buttons send nothing; filters by looks; the number of items left."""
    model = await (await opened("enter_only"))()
    [form] = model.forms
    assert (form.native, form.submit) == (False, "")
    [collection] = model.collections
    assert [item.text for item in collection.items] == ["Buy milk", "Call Ada"]
    assert model.fed_by(form) == collection
    assert [(toggle.name, toggle.on, toggle.item) for toggle in model.toggles] == [("Buy milk", False, 0), ("Call Ada", False, 1)]
    assert _choices(model) == {("All", "Active", "Completed"): ("links", ("All",))}
    assert collection.filters == (model.choices[0].key,)
    assert _figures(model) == [("items left", "number", Decimal(2), "")]


async def test_tabs_switches_and_radios_of_a_headless_library_are_read_by_their_roles(opened: Opened) -> None:
    """Radix's markup: tabs, a switch, a checkbox that is a button, a radio group, a closed combobox; none of them a button."""
    model = await (await opened("aria_tabs"))()
    assert _choices(model) == {
        ("Profile", "Password", "Billing"): ("tabs", ("Profile",)), ("Default", "Compact"): ("radio", ("Compact",)),
        (): ("combobox", ("Apple",)),
    }  # fmt: skip
    tabs = next(choice for choice in model.choices if choice.kind == "tabs")
    assert [option.disabled for option in tabs.options] == [False, False, True]
    assert [(toggle.name, toggle.on) for toggle in model.toggles] == [("Airplane mode", False), ("Accept terms", True)]
    assert not model.buttons


async def test_chips_are_a_choice_and_cards_a_collection(opened: Opened) -> None:
    """One chip painted unlike the others is chosen; buttons of which one is pressed are a choice, of which two are not."""
    model = await (await opened("chips"))()
    chips = model.choices[0]
    assert (chips.kind, chips.chosen, chips.by) == ("segmented", ("All",), "look")
    assert _choices(model)["cm", "inch"] == ("segmented", ("cm",))
    assert {toggle.name: toggle.on for toggle in model.toggles} == {"Bold": True, "Italic": True}
    [cards] = model.collections
    assert [item.text for item in cards.items] == ["Fern | Indoor", "Basil | Herbs", "Rose | Outdoor"]


async def test_a_german_table_has_typed_cells_a_total_and_figures_with_labels(opened: Opened) -> None:
    """Money, weights and dates as German writes them; the foot is no item; sorting and search are known."""
    model = await (await opened("money_table"))()
    [table] = model.collections
    assert table.columns == ("Artikel", "Datum", "Menge", "Betrag")
    assert (table.count, table.sorted_by, table.descending) == (3, 0, False)
    cells = [cell.quantity for cell in table.items[0].cells]
    assert cells[0] is None
    assert [cell and (cell.measure, cell.value, cell.unit, cell.when) for cell in cells[1:]] == [
        ("date", None, "", "2024-02-03"), ("quantity", Decimal(12), "kg", ""), ("money", Decimal("1234.50"), "EUR", ""),
    ]  # fmt: skip
    assert [cell.text for cell in table.foot[0]] == ["Summe", "", "", "2.000,00 €"]
    assert table.searches == (model.fields[0].key,)
    assert model.forms[0].submit == ""
    assert _figures(model) == [
        ("Fällig am", "date", None, ""), ("Gesamtbetrag", "money", Decimal("2000.00"), "EUR"),
        ("Rabatt", "percent", Decimal("2.5"), "%"), ("Summe", "money", Decimal("2000.00"), "EUR"),
    ]  # fmt: skip


async def test_a_sheet_over_the_window_covers_what_lies_behind_it(opened: Opened) -> None:
    """However deep its words are indented; it is not called by the heading of another sheet that is not shown."""
    model = await (await opened("sheet"))()
    [sheet] = model.layers
    assert (sheet.kind, sheet.name, sheet.text) == ("overlay", "", "Save as JSON")
    assert {button.name: (button.covered, button.layer == sheet.key) for button in model.buttons} == {
        "New card": (True, False), "Add": (True, False), "JSON": (False, True),
    }  # fmt: skip
    for behind in (model.surfaces, model.choices, model.fields, model.forms):
        assert [part.covered for part in behind] == [True] * len(behind) != []


async def test_a_list_knows_the_buttons_that_turn_its_pages(opened: Opened) -> None:
    """All five of them; the page one is on is no filter."""
    model = await (await opened("paged_list"))()
    [books] = model.collections
    named = [part.name for key in books.pages if (part := model.of(key))]
    assert named == ["Previous", "1", "2", "3", "Next"]
    assert books.filters == ()
    assert model.buttons[0].disabled


async def test_a_modal_dialog_covers_what_lies_behind_it(opened: Opened) -> None:
    """Its own buttons are in it and free, the page's are covered."""
    model = await (await opened("dialog"))()
    [dialog] = model.layers
    assert (dialog.kind, dialog.modal, dialog.name) == ("dialog", True, "Delete report.pdf?")
    assert {button.name: (button.covered, button.layer == dialog.key) for button in model.buttons} == {
        "Delete file": (True, False), "Cancel": (False, True), "Delete": (False, True),
    }  # fmt: skip
    assert model.links[0].covered


async def test_toasts_menus_alerts_and_red_words_are_told_apart(opened: Opened) -> None:
    """A floating status is a toast; an alert in the text is an error, as are red words beside a form."""
    model = await (await opened("toast"))()
    assert {(layer.kind, layer.name or layer.text) for layer in model.layers} == {("toast", "Note saved"), ("menu", "More")}
    assert {(error.text, error.by) for error in model.errors} == {
        ("You are offline.", "role"),
        ("Title must not be empty", "look"),
    }
    assert _choices(model) == {("Rename", "Share"): ("menu", ())}


async def test_canvases_timers_and_animations_are_read(opened: Opened) -> None:
    """A drawn and a blank canvas, an endless animation, a score, a clock's time in seconds."""
    model = await (await opened("canvas"))()
    assert [(surface.name, surface.blank) for surface in model.surfaces] == [("Board", False), ("", True)]
    assert [(process.kind, process.endless) for process in model.processes] == [("animation", True)]
    assert ("Score", "number", Decimal(12), "") in _figures(model)
    assert [figure.quantity.value for figure in model.figures if figure.quantity.measure == "duration"] == [Decimal(150)]


async def test_a_chart_has_shapes_and_words_and_tiles_are_figures(opened: Opened) -> None:
    """An icon in a button is no chart; tiles of label and value are figures, not a list."""
    model = await (await opened("svg_chart"))()
    [chart] = model.surfaces
    assert (chart.name, chart.shapes, chart.texts) == ("Sales by month", {"rect": 3, "text": 3}, ("Jan", "Feb", "Mar"))
    assert _figures(model) == [
        ("Goal", "ratio", Decimal(3), "10"), ("Growth", "percent", Decimal("4.2"), "%"), ("Orders", "number", Decimal(310), ""),
        ("Revenue", "money", Decimal("12400.50"), "USD"),
    ]  # fmt: skip
    assert not model.collections
    assert [button.name for button in model.buttons] == ["Menu"]


async def test_open_shadow_roots_and_slots_are_read_and_found_again(opened: Opened, page: Page) -> None:
    """What is in a shadow root is on the page, with a selector that enters it."""
    model = await (await opened("shadow"))()
    assert list(_fields(model)) == ["Voucher"]
    assert [item.text for item in model.collections[0].items] == ["Tea", "Mug"]
    assert "Ships on Monday" in model.text
    submit = model.of(model.forms[0].submit)
    assert submit is not None
    host, inner = submit.selector.split(" >>> ")
    assert await page.locator(host).locator(inner).inner_text() == "Apply"


async def test_frames_are_read_in_the_window_s_own_pixels(opened: Opened) -> None:
    """A frame's field lies where the frame is, border included, and says which frame it is in."""
    model = await (await opened("framed"))()
    card = model.fields[0]
    assert (card.name, card.input_mode, card.frame) == ("Card number", "numeric", "html > body > iframe")
    assert card.box.x > 105
    assert {button.name: bool(button.frame) for button in model.buttons} == {"Outside": False, "Pay": True}


async def test_a_component_library_s_select_helper_text_and_switch_are_read(opened: Opened) -> None:
    """MUI's markup: an open listbox belongs to its combobox, its backdrop is one layer, helper text is the field's error."""
    model = await (await opened("mui"))()
    assert _choices(model) == {("Ten", "Twenty", "Thirty"): ("combobox", ("Twenty",))}
    assert {name: kind for name, (kind, _) in _fields(model).items()} == {"Email": "text", "Age": "combobox", "Volume": "slider"}
    assert [(error.text, error.by) for error in model.errors] == [("Incorrect entry.", "field")]
    assert [(toggle.name, toggle.on) for toggle in model.toggles] == [("Dark mode", True)]
    assert [layer.kind for layer in model.layers] == ["menu"]


@pytest.mark.parametrize("name", ["native_form", "enter_only", "aria_tabs", "chips", "money_table", "mui", "framed", "shadow"])
async def test_parts_keep_their_keys_after_a_reload(opened: Opened, page: Page, name: str) -> None:
    """Every key is the same in a new document, no two parts share one, and the change between the two is empty."""
    read = await opened(name)
    first = await read()
    await page.reload()
    second = await read()
    keys = [part.key for part in first.parts()]
    assert keys == [part.key for part in second.parts()]
    assert len(set(keys)) == len(keys)
    assert first.document != second.document
    assert difference(first, second).empty


async def test_a_part_keeps_its_key_when_its_count_or_value_changes(opened: Opened, page: Page) -> None:
    """Typing and adding change values, not who is who."""
    read = await opened("enter_only")
    first = await read()
    await page.locator("#new").fill("Water plants")
    await page.locator("#new").press("Enter")
    second = await read()
    assert [part.key for part in second.figures] == [part.key for part in first.figures]
    change = difference(first, second)
    [listed] = change.lists
    assert (listed.added, listed.removed, listed.reordered) == (("Water plants",), (), False)
    assert [(delta.what, delta.before, delta.after) for delta in change.of("count")] == [("count", "2", "3")]
    assert [(delta.before, delta.after) for delta in change.of("figure")] == [("2", "3")]


async def test_a_combobox_that_shows_what_is_chosen_is_called_by_the_words_before_it(page: Page) -> None:
    """As headless libraries build them, with a label that refers to nothing."""
    await page.set_content(
        "<title>Rules</title><form><div><label>Condition</label><button type=button role=combobox aria-expanded=false>"
        "<span>Amount</span></button></div><div><label>Name <input></label></div><button>Save</button></form>"
    )
    model = await read_page(await Tab.attach(page, Timeouts()))
    assert [(field.name, field.value) for field in model.fields if field.kind == "combobox"] == [("Condition", "Amount")]


async def test_a_list_that_opens_keeps_its_key_when_something_is_added_to_it(page: Page) -> None:
    """Nobody named it, and what it offers may be what was just saved."""
    await page.set_content("<title>Beats</title><select id=saved><option>Rock<option>Funk</select><button>Save</button>")
    tab = await Tab.attach(page, Timeouts())
    first = await read_page(tab)
    await page.evaluate("saved.prepend(new Option('Mine'))")
    second = await read_page(tab)
    assert [choice.key for choice in second.choices] == [choice.key for choice in first.choices]
    assert [len(model.choices[0].options) for model in (first, second)] == [2, 3]


async def test_a_page_cannot_tamper_with_what_is_read_of_it(page: Page) -> None:
    """Its own versions of the DOM's functions are not called: the reader has a world of its own."""
    await page.goto(fixture_path("native_form").as_uri())
    await page.evaluate(
        """() => { Element.prototype.getAttribute = () => "stolen"; Element.prototype.checkVisibility = () => false;
        globalThis.getComputedStyle = () => { throw new Error("no"); }; globalThis.assayPage = null; }"""
    )
    model = await read_page(await Tab.attach(page, Timeouts()))
    assert [field.name for field in model.fields][:2] == ["Full name", "E-mail"]
    assert await page.evaluate("globalThis.assayPage") is None


async def test_rows_of_fields_with_a_button_each_are_a_list_whose_cells_are_what_was_typed(opened: Opened) -> None:
    """An invoice's lines are; two numbers with a button each, which are called differently, are not."""
    model = await (await opened("field_rows"))()
    lines, crew = sorted(model.collections, key=lambda entry: entry.box.y)
    assert [[cell.text for cell in item.cells] for item in lines.items] == [
        ["Oak shelf", "120", "€120.00"],
        ["Pine stool", "45.5", "€45.50"],
        ["", "0", "€0.00"],
    ]
    assert lines.items[1].cells[1].quantity is not None
    assert [[cell.text for cell in item.cells] for item in crew.items] == [["Ada", "4"], ["Ben", "6"]]
    assert {field.name for field in model.fields if field.item < 0} == {"Customer", "Adults", "Children"}


async def test_lines_of_different_sizes_are_no_list(opened: Opened) -> None:
    """A dial shows figures; three names of one size are a list."""
    page = await (await opened("dial"))()
    assert [collection.count for collection in page.collections] == [3]
    assert "Ada" in page.collections[0].items[0].text
    assert {figure.quantity.measure for figure in page.figures} >= {"duration"}


async def test_a_bare_value_is_called_by_what_its_style_sheet_writes(page: Page) -> None:
    """Words that `::after` holds are read by people; a unit written there, or a sign of an icon font, is no label."""
    await page.set_content(
        "<!doctype html><style>b { display: block } #best::after { content: 'Best' } #kilo::after { content: 'kg' }"
        "#icon::before { content: '\\e801' }</style><h1>Tiles</h1>"
        "<p>3x3</p><div><b id=best>24</b></div><p>4x4</p><section><b id=kilo>70</b></section>"
        "<p>5x5</p><footer><b id=icon>8</b></footer>"
    )
    model = await read_page(await Tab.attach(page, Timeouts()))
    called = {figure.quantity.text: figure.name for figure in model.figures}
    assert {text: called[text] for text in ("24", "70", "8")} == {"24": "Best", "70": "Tiles", "8": "Tiles"}


async def test_colours_of_other_spaces_have_a_contrast_too(page: Page) -> None:
    """Style sheets of today say `oklch(…)`, and computed styles say so, too."""
    await page.set_content(
        '<body style="background:oklch(1 0 0)"><p style="color:oklch(0.55 0 0)">Dim</p><p style="color:#767676">Grey</p>'
    )
    model = await read_page(await Tab.attach(page, Timeouts()))
    other, grey = (text.contrast for text in model.texts)
    assert grey == pytest.approx(4.54, abs=0.02)
    assert other == pytest.approx(4.8, abs=0.4)


async def test_what_sends_a_dialogs_form_is_the_button_that_stands_out(page: Page) -> None:
    """Beside a plain "Cancel" the painted one, wherever it stands; of two like ones a dialog's last."""
    form = '<div role=dialog style="background:#fff"><input aria-label=Name>{}</div>'
    send = '<button style="background:#06c;color:#fff">Book</button>'
    for buttons, wanted in (
        (f"<button>Cancel</button>{send}", "Book"),
        (f"{send}<button>Cancel</button>", "Book"),
        ("<button>Back</button><button>Go on</button>", "Go on"),
        ('<button style="background:#c22">Delete</button><button>Keep</button>', "Keep"),
    ):
        await page.set_content(form.format(buttons))
        model = await read_page(await Tab.attach(page, Timeouts()))
        part = model.of(model.forms[0].submit)
        assert part is not None
        assert part.name == wanted


async def test_what_is_kept_of_a_reading_is_not_kept_for_the_next(page: Page) -> None:
    """The reader stays in the document and is fast the second time; names, styles, places, labels are asked for anew."""
    await page.set_content("<label for=a>Town</label><input id=a><button>Go</button><button style='display:none'>Later</button>")
    tab = await Tab.attach(page, Timeouts())
    first = [await read_page(tab) for _ in range(3)]
    assert [[button.name for button in model.buttons] for model in first] == [["Go"]] * 3
    assert [*first[1].parts()] == [*first[2].parts()]
    await page.evaluate(
        "() => { document.querySelector('label').textContent = 'City'; const [go, later] = document.querySelectorAll('button');"
        "later.style.display = ''; go.style.marginLeft = '200px'; document.body.prepend(later); }"
    )
    model = await read_page(tab)
    assert [button.name for button in model.buttons] == ["Later", "Go"]
    assert [field.name for field in model.fields] == ["City"]
    assert model.buttons[1].box.x >= first[2].buttons[0].box.x + 190
    await page.set_content("<button>Elsewhere</button>")
    assert [button.name for button in (await read_page(tab)).buttons] == ["Elsewhere"]


async def test_a_function_is_made_once_a_document(page: Page) -> None:
    """By its text the first time, by its handle then; in another document anew, and one that is wrong says so each time."""
    await page.goto(fixture_path("native_form").as_uri())
    tab = await Tab.attach(page, Timeouts())
    counts = "(() => { let n = 0; return () => ++n; })()"
    assert [await tab.evaluate(counts) for _ in range(4)] == [1, 1, 2, 3]
    await page.reload()
    assert [await tab.evaluate(counts) for _ in range(3)] == [1, 1, 2]
    for _ in range(3):
        with pytest.raises(ScriptError, match="nothing of the kind"):
            await tab.evaluate("() => { throw new Error('nothing of the kind'); }")
        with pytest.raises((ScriptError, CommandRefused)):
            await tab.evaluate("() => {")


async def test_lists_that_stand_among_other_things_are_lists(page: Page) -> None:
    """A list of which one is opened beside it, lines of fields, items in groups; and a leader beside figures is no item."""
    await page.goto(fixture_path("grouped").as_uri())
    tab = await Tab.attach(page, Timeouts())
    model = await read_page(tab)
    listed = {listed.selector: [[cell.text for cell in item.cells] for item in listed.items] for listed in model.collections}
    assert listed["#quotes"][0] == ["Q-1", "$20.00", "Mill"]
    assert [["Lamps", "2", "$7.00"], ["Chairs", "3", "$14.00"]] in listed.values()
    assert len(listed["#matches"]) == 3
    assert {figure.name for figure in model.figures} >= {"Players", "Played"}
    assert not any("Leader" in cells for items in listed.values() for cells in items)
    assert not any("Q-1" in option.name for choice in model.choices for option in choice.options)
    name = next(listed.name for listed in model.collections if listed.selector == "#matches")
    await page.evaluate("matches.innerHTML = '<h3>Round 2</h3><div><b>Ada</b><i>vs</i><b>Dan</b></div>'")
    found = await read_page(tab)
    left = next(listed for listed in found.collections if listed.selector == "#matches")
    assert (left.name, [cell.text for cell in left.items[0].cells]) == (name, ["Ada", "vs", "Dan"])


STEPS = """<main><h1>Book your repair</h1>
<div><div><i>1</i><span>Appliance</span></div><div><i>2</i><span>Issue</span></div></div>
<div><div><h2>What needs repair?</h2><div id=kinds>KINDS</div></div>
<div><button>Back</button><button id=on>Continue</button></div></div></main>"""


async def test_the_steps_and_what_is_asked_in_them_are_no_list_of_two(page: Page) -> None:
    """What goes on stands in no item of anything, so that it is known whether it can be pressed."""
    kinds = "".join(f"<button><b>{name}</b> <small>from $59</small></button>" for name in ("Fridge", "Oven", "Dryer", "Washer"))
    await page.set_content(STEPS.replace("KINDS", kinds))
    model = await read_page(await Tab.attach(page, Timeouts()))
    assert not any(listed.selector.endswith("main") for listed in model.collections)
    assert {button.name: button.item for button in model.buttons}["Continue"] == -1


async def test_a_tab_list_is_where_its_tabs_are(page: Page) -> None:
    """Though its panels lie in it."""
    tabs = "".join(f"<button role=tab aria-selected={name == 'Open'}>{name}</button>" for name in ("Open", "Recent", "Tools"))
    await page.set_content(f"<div role=tablist><div>{tabs}</div><div style='height:300px'>Call Ida</div></div>".lower())
    choice = (await read_page(await Tab.attach(page, Timeouts()))).choices[0]
    assert choice.chosen == ("open",)
    assert choice.box.height < 100
