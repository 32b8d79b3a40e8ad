"""Parts that a page does not state as what people take them for, each beside one that looks alike and is none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page

from configs.settings import Timeouts
from tools.browser.tab import Tab
from tools.page.model import PageModel
from tools.page.reading import read_page

Shown = Callable[[str], Awaitable[PageModel]]
_GLASS = '<svg class="lucide lucide-search" width="16" height="16"><circle cx="7" cy="7" r="6"></circle></svg>'


@pytest.fixture
def shown(page: Page) -> Shown:
    """The model of a page with that body."""

    async def read(body: str) -> PageModel:
        await page.set_content(f"<!doctype html><html lang='en'><body>{body}</body></html>")
        return await read_page(await Tab.attach(page, Timeouts()))

    return read


def _names(parts: tuple[object, ...]) -> list[str]:
    return [getattr(part, "name", "") for part in parts]


async def test_a_button_in_a_link_is_pressed_by_itself_unless_it_is_all_of_the_link(shown: Shown) -> None:
    """A heart on a card is a control; `<a><button>Browse</button></a>` is one control."""
    model = await shown(
        "<a href='#a'><h3>Soup</h3><p>Warm</p><button aria-label='Like'>♥</button></a> <a href='#b'><button>Browse</button></a>"
    )
    assert _names(model.buttons) == ["Like"]
    assert _names(model.links) == ["Soup Warm ♥", "Browse"]


async def test_a_button_in_a_button_is_there(page: Page) -> None:
    """Scripts build what a parser would not: a folder's row with its menu in it."""
    await page.set_content("<!doctype html><html lang='en'><body><div></div></body></html>")
    await page.evaluate(
        """() => { const row = document.createElement("button"), menu = document.createElement("button");
        row.append("Personal"); menu.setAttribute("aria-label", "Menu"); menu.textContent = "…"; row.append(menu);
        document.querySelector("div").append(row); }"""
    )
    model = await read_page(await Tab.attach(page, Timeouts()))
    assert "Menu" in _names(model.buttons)


async def test_words_among_signs_in_a_row_are_no_choice_by_their_looks(shown: Shown) -> None:
    """A row's name, its lock and its arrow look unlike each other; three words of which one is marked are a choice."""
    signs = (
        "<button style='color:red'>POST a hire</button><button aria-label='Lock'>⚿</button><button aria-label='Open'>▾</button>"
    )
    words = "<div><button style='color:red'>Day</button><button>Week</button><button>Month</button></div>"
    model = await shown(f"<div>{signs}</div>{words}")
    assert [[option.name for option in choice.options] for choice in model.choices] == [["Day", "Week", "Month"]]


async def test_what_is_kept_in_a_navigation_is_a_list_and_its_links_are_none(shown: Shown) -> None:
    """Tags with a count and a button to remove each; named by their button, since nothing else in them is a word."""
    row = "<div class='tag'><button><span>{}</span></button><span>2</span><button aria-label='Remove'>×</button></div>"
    tags = "".join(row.format(word) for word in ("Idea", "Meeting", "To-do"))
    links = "".join(f"<li><a href='#{word}'>{word}</a></li>" for word in ("Home", "Shop", "About"))
    model = await shown(f"<nav><ul>{links}</ul><h2>Tags</h2><div>{tags}</div></nav>")
    assert {part.name: [item.key for item in part.items] for part in model.collections} == {"Tags": ["Idea", "Meeting", "To-do"]}


async def test_a_field_under_a_magnifying_glass_is_a_search_that_no_button_below_sends(shown: Shown) -> None:
    """Beside another picture it is a field like others."""
    pin = '<svg class="lucide lucide-map-pin" width="16" height="16"><circle cx="7" cy="7" r="6"></circle></svg>'
    model = await shown(
        f"<section><div><div style='width:300px'>{_GLASS}<input placeholder='Notes'></div></div>"
        "<div><h2>All</h2><button>New</button></div></section>"
        f"<section><div style='width:300px'>{pin}<input placeholder='Place'></div><button>Go</button></section>"
    )
    assert [(part.placeholder, part.kind) for part in model.fields] == [("Notes", "search"), ("Place", "text")]
    sends = {model.of(form.fields[0]).placeholder: form.submit for form in model.forms}  # type: ignore[union-attr]
    assert sends["Notes"] == ""
    assert sends["Place"].startswith('button "Go"')


async def test_what_a_shadow_root_draws_as_a_button_is_the_button(page: Page) -> None:
    """The element around it has the pointer's hand as well; with a link in it, it is a link."""
    await page.set_content("<!doctype html><html lang='en'><body><a-b>Save</a-b><a-c>Guide</a-c></body></html>")
    await page.evaluate(
        """() => [["a-b", "<button><slot></slot></button>"], ["a-c", "<a href=#g><slot></slot></a>"]].forEach(([tag, inside]) => {
          const host = document.querySelector(tag);
          host.style.cursor = "pointer";
          host.attachShadow({ mode: "open" }).innerHTML = inside;
        })"""
    )
    model = await read_page(await Tab.attach(page, Timeouts()))
    assert (_names(model.buttons), _names(model.links)) == (["Save"], ["Guide"])
    assert model.buttons[0].role == "button"


async def test_a_picture_that_is_pressed_is_called_by_its_tooltip(shown: Shown) -> None:
    """Its own words may be "icon" on every one; a real button's name stays what programs compute."""
    tool = "<div><div title='Pencil' style='cursor:pointer;width:24px'><img alt='icon' width=24 height=24></div></div>"
    model = await shown(tool + "<button title='Undo'><img alt='Back' width=24 height=24></button>")
    assert _names(model.buttons) == ["Pencil", "Back"]


async def test_numbers_of_steps_and_prices_by_quantity_are_no_figures(shown: Shown) -> None:
    """A bill's total is one; the ladder of discounts is a list, and does not part the amount from its button."""
    words = enumerate(("Configure", "Review", "Pay"), 1)
    steps = "<hr>".join(f"<div><div>{number}</div><span>{word}</span></div>" for number, word in words)
    rungs = (("1-5", "Standard"), ("6-15", "10% off"), ("16+", "15% off"))
    ladder = "".join(f"<div><div>{seats} seats</div><div>{off}</div></div>" for seats, off in rungs)
    model = await shown(
        f"<div style='display:flex'>{steps}</div><form-part><label>Seats <input type='number' value='4'></label>"
        f"<div style='display:grid;grid-template-columns:1fr 1fr 1fr'>{ladder}</div><button>Confirm</button></form-part>"
        "<p><span>Total</span> <b>€40</b></p>"
    )
    assert _names(model.figures) == ["Total"]
    assert [part.count for part in model.collections] == [3]
    assert [model.of(form.submit).name for form in model.forms] == ["Confirm"]  # type: ignore[union-attr]


async def test_words_are_not_parted_by_where_a_line_may_be_broken(shown: Shown) -> None:
    """`<wbr>` is no blank."""
    model = await shown("<button>/stations<wbr>/{id}</button>")
    assert _names(model.buttons) == ["/stations/{id}"]


async def test_a_switch_drawn_around_its_input_is_pressed_where_it_is_drawn(shown: Shown) -> None:
    """Its label stands elsewhere; what is drawn in it is no button of its own."""
    model = await shown(
        "<label for='late'>Late arrival</label><p>Charged extra</p><div style='display:inline-flex;width:40px;height:20px'>"
        "<input id='late' type='checkbox' role='switch' style='position:absolute;width:0;height:0;margin:0;opacity:0'>"
        "<span style='cursor:pointer;width:40px;height:20px;background:#888'></span></div>"
    )
    assert [(part.name, part.box.width, part.box.height) for part in model.toggles] == [("Late arrival", 40, 20)]
    assert model.buttons == ()


async def test_pages_in_a_list_of_numbers_that_take_the_focus_are_pages(shown: Shown) -> None:
    """`<li tabindex><a rel>` leads nowhere by itself; a table with such a foot is not shown whole."""
    rows = "".join(f"<tr><td>T-{n}</td><td>Printer {n}</td></tr>" for n in range(4))
    numbers = "".join(f"<li tabindex='0' style='cursor:pointer'><a rel='nofollow'>{n}</a></li>" for n in (1, 2))
    model = await shown(
        f"<section><table><thead><tr><th>No.</th><th>Title</th></tr></thead><tbody>{rows}</tbody></table><ul>{numbers}</ul></section>"
    )
    assert [(part.kind, part.count, len(part.pages)) for part in model.collections] == [("table", 4, 2)]
