# ruff: noqa: E501 - pages stand in whole lines
"""Relations about an office's things: edited in dialogs, reckoned line by line, filtered by selects, found by name."""

from __future__ import annotations

import pytest

from evaluator.relations.values import fitting
from tests.integration.relations.pages import html, results
from tests.integration.relations.test_collections import pressing
from tests.integration.relations.tryout import TODAY, Lead, Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Fill, FillForm

pytestmark = pytest.mark.long  # each trial waits for what is late

TRIPS = html(
    "Trips",
    """<h1>Trips</h1><label>Kind <select id="kind"><option value="">All</option><option value="work">work</option><option value="private">private</option></select></label>
<label>Sorting <select id="order"><option value="new">Newest first</option><option value="old">Oldest first</option></select></label>
<label>Search <input type="search" id="seek"></label><button id="more">New trip</button>
<table><thead><tr><th>Day</th><th>Where</th><th>Kind</th><th>Actions</th></tr></thead><tbody id="rows"></tbody></table>
<dialog id="box"><h2>Trip</h2><form id="form" method="dialog"><label>Day <input type="date" id="day"></label><label>Where <input id="where"></label>
<label>Sort of trip <select id="sort"><option>work</option><option>private</option></select></label><p role="alert" id="wrong"></p><button id="save">Save</button></form></dialog>""",
    """let trips = [["2026-03-02", "Harbour office", "work"], ["2026-03-05", "Seaside", "private"], ["2026-03-09", "Hill farm", "work"]].map(([day, where, kind], id) => ({ id, day, where, kind }));
let open = null;
const fits = (one) => !kind.value || one.kind === kind.value;
const render = () => { const by = (one, other) => (one.day < other.day ? 1 : -1) * (order.value === "new" ? 1 : -1);
  rows.replaceChildren(...trips.filter(fits).filter((one) => one.where.toLowerCase().includes(seek.value.toLowerCase())).sort(by).map((one) => {
    const tr = document.createElement("tr"); tr.innerHTML = `<td>${one.day}</td><td>${one.where}</td><td>${one.kind}</td><td><button>Edit</button></td>`;
    tr.querySelector("button").onclick = () => show(one); return tr; })); };
const show = (one) => { open = one; day.value = one ? one.day : "2026-03-12"; where.value = one ? one.where : ""; sort.value = one ? one.kind : "work"; wrong.textContent = ""; box.showModal(); };
const problem = () => "";
const keep = () => { const told = { day: day.value, where: where.value, kind: sort.value }; if (open) Object.assign(open, told); else trips.push({ id: trips.length, ...told }); };
form.onsubmit = (event) => { wrong.textContent = problem(); if (wrong.textContent) { event.preventDefault(); return; } keep(); render(); };
more.onclick = () => show(null); kind.onchange = order.onchange = seek.oninput = render; render();""",
)


def trips(old: str, new: str) -> str:
    """The page with other code."""
    assert old in TRIPS
    return TRIPS.replace(old, new)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (TRIPS, {"held"}),
        (
            trips("const fits = (one) => !kind.value ||", "const fits = (one) => !kind.value || one.id === 1 ||"),
            {"held", "violated"},
        ),
    ],
    ids=["right", "one stays that does not fit"],
)
async def test_a_select_whose_first_option_is_all_is_a_filter(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Its value is empty, as it is of what only holds a place; it says that it leaves nothing out."""
    records = await tryout.tried("filter_leaves_what_fits", page)
    assert {record.trial.acts[0].words() for record in records} == {
        'choose "work" in the choice "Kind"', 'choose "private" in the choice "Kind"',
    }  # fmt: skip
    assert results(records) == wanted, told(records)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (TRIPS, {"held"}),
        (
            trips(
                '(one.day < other.day ? 1 : -1) * (order.value === "new" ? 1 : -1)',
                'order.value === "new" ? (one.day < other.day ? 1 : -1) : (one.where > other.where ? 1 : -1)',
            ),
            {"violated"},
        ),
    ],
    ids=["right", "by its letters"],
)
async def test_a_select_beside_a_search_and_a_button_that_opens_sorts(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """The button is none that sends the row of filters."""
    records = await tryout.tried("sort_is_an_ordered_permutation", page)
    assert wanted <= results(records), told(records)


def adding(page: PageModel) -> Act:
    """A lead: fill the form for a new one and save it."""
    fields = {field.name: field for field in page.fields}
    fill = Fill(target=Target.of(fields["Where"], page), value=fitting(fields["Where"], 0, TODAY))
    save = next(button for button in page.buttons if button.name == "Save")
    return FillForm(fills=(fill,), submit=Target.of(save, page))


ADDED: tuple[Lead, ...] = (pressing("New trip"), adding, pressing("Edit"))
REFUSES_ITSELF = trips(
    'problem = () => ""', 'problem = () => trips.some((one) => one.day === day.value) ? "There is a trip on that day" : ""'
)


@pytest.mark.parametrize(
    ("page", "leads", "wanted"),
    [
        (TRIPS, (pressing("Edit", 1),), {"held"}),
        (trips("sort.value = one ? one.kind", "sort.value = one ? 'work'"), (pressing("Edit", 1),), {"held"}),
        (trips("kind: sort.value }; if (open)", "kind: sort.value }; if (open) told.day = '2026-03-04'; if (open)"), (pressing("Edit", 1),), {"violated"}),
        (TRIPS, ADDED, {"held"}),
        (REFUSES_ITSELF, ADDED, {"held", "violated"}),
        (REFUSES_ITSELF, (pressing("Edit", 1),), {"held"}),
        (trips("keep(); render(); }", "if (open) event.preventDefault(); keep(); render(); }"), ADDED, {"held", "explained"}),
    ],
    ids=[
        "right", "another kind than its form shows is not its form's", "the day moves", "right, added here", "refuses itself",
        "an example may be refused", "the dialog stays open",
    ],
)  # fmt: skip
async def test_what_is_saved_as_it_is_stays_so(tryout: Tryout, page: str, leads: tuple[Lead, ...], wanted: set[str]) -> None:
    """Of what the form holds; and what was added here is not refused for itself."""
    records = await tryout.tried("saved_as_it_is", page, *leads)
    assert results(records) == wanted, told(records)


async def test_nothing_is_saved_as_it_is_once_something_was_typed(tryout: Tryout) -> None:
    """Then it is another edit."""

    def typing(page: PageModel) -> Act:
        field = next(item for item in page.fields if item.name == "Where")
        return Fill(target=Target.of(field, page), value="Seaside ")

    assert await tryout.tried("saved_as_it_is", TRIPS, pressing("Edit", 1), typing) == []


BILL = html(
    "Bill",
    """<h1>Bill</h1><table><thead><tr><th>What</th><th>Quantity</th><th>Price</th><th>Amount</th></tr></thead><tbody id="rows"></tbody></table>""",
    """const lines = [["Lamps", 3, 12.5], ["Chairs", 4, 45], ["Door", 1, 80]];
rows.innerHTML = lines.map(([what, many, price]) => `<tr><td>${what}</td><td><input type="number" min="0" aria-label="Quantity of ${what}" value="${many}"></td><td>$${price.toFixed(2)}</td><td>$${(many * price).toFixed(2)}</td></tr>`).join("");
const amount = (many, price) => many * price;
rows.onchange = (event) => { const row = event.target.closest("tr"), [, , price] = lines[row.rowIndex - 1]; row.cells[3].textContent = "$" + amount(Number(event.target.value), price).toFixed(2); };""",
)


CHEAPER = BILL.replace("=> many * price;", "=> many * price * (many > 5 ? 0.9 : 1);")
SAVED = BILL.replace(
    "rows.onchange = (event) =>",
    "let last = null; rows.onchange = (event) => { last = event; }; update.onclick = () => follow(last); const follow = (event) =>",
).replace("</table>", '</table><button id="update">Update</button>')
REFUSED = BILL.replace("=> many * price;", "=> 3 * price;").replace(
    "row.cells[3].textContent =", 'document.body.append("There are no more than three of these"); row.cells[3].textContent ='
)


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [
        (BILL, "", {"held"}),
        (BILL.replace("=> many * price;", "=> 3 * price;"), "", {"violated"}),
        (CHEAPER, "A bill. From five pieces on there is a discount of 10 %.", set[str]()),
        (CHEAPER, "", {"held"}),
        (SAVED, "", {"explained"}),
        (REFUSED, "", {"cannot tell"}),
    ],
    ids=["right", "it does not follow", "cheaper by the dozen, says the brief", "cheaper", "once it is saved", "refused"],
)
async def test_a_line_is_so_many_times_so_much(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """Where it was so in lines of unlike numbers."""
    records = await tryout.tried("line_is_its_product", page, brief=brief)
    assert results(records) == wanted, told(records)


MATCHES = html(
    "Matches",
    """<h1>Matches</h1><label>Search player <input type="search" id="seek"></label><ul id="list"></ul>""",
    """const all = [["Anna Visser", "Bram Okafor"], ["Anna Visser", "Dev Patel"], ["Bram Okafor", "Dev Patel"], ["Dev Patel", "Anna Visser"], ["Erin Walsh", "Anna Visser"]];
const found = (pair, word) => pair.some((name) => name.toLowerCase().includes(word));
const render = () => { list.innerHTML = all.filter((pair) => found(pair, seek.value.toLowerCase())).map(([one, other]) => `<li><b>${one}</b> <span>3 : 1</span> <b>${other}</b></li>`).join(""); };
seek.oninput = render; render();""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (MATCHES, {"held"}),
        (
            MATCHES.replace("pair.some((name) => name.toLowerCase().includes(word))", "pair[0].toLowerCase().includes(word)"),
            {"held", "violated"},
        ),
        (MATCHES.replace("name.toLowerCase().includes(word)", "!word || name.toLowerCase() === word"), {"explained"}),
    ],
    ids=["right", "only who is named first", "whole names only"],
)
async def test_a_search_finds_a_name_wherever_it_stands(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """In items without a title, whose names stand in two columns."""
    records = await tryout.tried(
        "search_finds", page, brief="Matches of a league with a search that finds every match of a player."
    )
    assert results(records) == wanted, told(records)
    alone = await tryout.tried("search_finds", page, brief="A list of matches.")
    assert alone == [], "a search may be for those alone who are named first"


async def test_what_is_chosen_in_a_cell_is_what_the_item_says(tryout: Tryout) -> None:
    """And a filter that says another option and more is not judged by it."""
    page = html(
        "Guests",
        """<h1>Guests</h1><label>Show <select id="show"><option value="">Everybody</option><option>Coming</option><option>Not coming</option><option>Coming, no seat</option></select></label>
<table><thead><tr><th>Guest</th><th>Answer</th><th>Table</th></tr></thead><tbody id="rows"></tbody></table>""",
        """const guests = [["Rosa", "Coming", "1"], ["Edith", "Not coming", "–"], ["Olu", "Coming", "–"]];
const fits = ([, answer, table]) => !show.value || answer === show.value || (show.value.includes(",") && answer === "Coming" && table === "–");
const render = () => { rows.innerHTML = guests.filter(fits).map(([name, answer, table]) => `<tr><td>${name}</td><td><select aria-label="Answer of ${name}"><option ${answer === "Coming" ? "selected" : ""}>Coming</option><option ${answer === "Coming" ? "" : "selected"}>Not coming</option></select></td><td>${table}</td></tr>`).join(""); };
show.onchange = render; render();""",
    )
    records = await tryout.tried("filter_leaves_what_fits", page)
    assert results(records) == {"held"}, told(records)
    assert [cell.text for cell in tryout.seen[0].collections[0].items[1].cells] == ["Edith", "Not coming", "–"]
