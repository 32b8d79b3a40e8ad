# ruff: noqa: E501 - pages stand in whole lines
"""Relations about lists, each on a page that does right, on one that does not, and on its innocent twin."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Lead, Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Choose, Fill, Press, Wait

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

GEAR = html(
    "Packing",
    """<h1>Packing</h1><label>Find <input type="search" id="seek" placeholder="Search things"></label>
<div id="kinds" role="group" aria-label="Kind"><button aria-pressed="true">All</button><button aria-pressed="false">Food</button><button aria-pressed="false">Clothes</button></div>
<ul id="list"></ul><p id="none" hidden>Nothing here</p>""",
    """let things = [["Oat bars", "Food"], ["Rain jacket", "Clothes"], ["Dried mango", "Food"], ["Wool socks", "Clothes"]].map(([name, kind]) => ({ name, kind, on: false }));
let kind = "All", word = "", open = null;
const fits = (one) => (kind === "All" || one.kind === kind) && one.name.toLowerCase().includes(word.toLowerCase());
const render = () => { const shown = things.filter(fits); none.hidden = shown.length > 0; list.replaceChildren(...shown.map((one) => {
  const li = document.createElement("li"); li.innerHTML = "<input type=checkbox> <b></b> <i></i> <button>Edit</button> <button>Delete</button>";
  const [box, name, tag, edit, del] = li.children; box.checked = one.on; box.setAttribute("aria-label", "Packed"); name.textContent = one.name; tag.textContent = one.kind;
  box.onchange = () => { tick(one, box.checked); render(); };
  edit.onclick = () => { open = one; form.hidden = false; text.value = one.name; };
  del.onclick = () => { remove(one, shown); render(); };
  return li; })); [...kinds.children].forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === kind))); };
let tick = (one, on) => { one.on = on; };
let remove = (one) => { things = things.filter((other) => other !== one); };
let save = () => { open.name = text.value; };
kinds.onclick = (event) => { if (event.target.localName === "button") { kind = event.target.textContent; render(); } };
seek.oninput = () => { word = seek.value; render(); };
render();""",
).replace(
    "<script>",
    """<form id="form" hidden onsubmit="event.preventDefault(); save(); form.hidden = true; render();"><label>Name <input id="text"></label> <button>Save</button></form><script>""",
)


def changed(old: str, new: str) -> str:
    """The page with other code."""
    assert old in GEAR
    return GEAR.replace(old, new)


TWICE_A_KIND = changed(
    'kind === "All" || one.kind === kind', 'kind === "All" || one.kind.startsWith(kind[0]) || one.name.startsWith("Wool")'
)
DROPS = changed("kind = event.target.textContent;", 'kind = event.target.textContent; if (kind === "Clothes") things.pop();')
PLACES = html(
    "Days",
    """<h1>Days</h1><div id="days" role="group" aria-label="Day"><button aria-pressed="true">Today</button><button aria-pressed="false">Tomorrow</button></div><ul id="list"></ul>""",
    """const plan = { Today: ["Bread", "Milk"], Tomorrow: ["Soup", "Rice"] };
const show = (day) => { list.innerHTML = plan[day].map((one) => `<li>${one}</li>`).join(""); [...days.children].forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === day))); };
days.onclick = (event) => show(event.target.textContent); show("Today");""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(GEAR, {"held"}), (TWICE_A_KIND, {"held", "violated"}), (DROPS, {"held", "violated"}), (PLACES, set[str]())],
    ids=["right", "wrong ones stay", "one is lost", "another list, not a filter"],
)
async def test_a_filter_leaves_just_what_fits(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Two options, on and off again; tabs between lists are none."""
    records = await tryout.tried("filter_leaves_what_fits", page)
    assert results(records) == wanted, told(records)


LOWER = changed("one.name.toLowerCase().includes(word.toLowerCase())", "one.name.includes(word)")
PREFIX = changed("one.name.toLowerCase().includes(word.toLowerCase())", "one.name.toLowerCase().startsWith(word.toLowerCase())")
NOTHING = changed("const fits = (one) =>", 'const fits = (one) => word.length > 2 ? one.name.startsWith("Oat") :')


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (GEAR, {"held"}),
        (LOWER, {"held", "violated"}),
        (NOTHING, {"held", "violated", "explained"}),
        (PREFIX, {"held", "explained"}),
    ],
    ids=["right", "minds capitals", "finds always the same", "finds whole beginnings only"],
)
async def test_a_search_finds_what_is_there(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """A word, in capitals, no word, cleared."""
    records = await tryout.tried("search_finds", page)
    assert "held" in results(records), told(records)
    assert results(records) <= wanted, told(records)
    assert ("violated" in results(records)) == ("violated" in wanted), told(records)


BOOKS = html(
    "Shelf",
    """<h1>Shelf</h1><input type="search" id="seek" placeholder="{hint}" aria-label="Find"><table><thead><tr><th>Title</th><th>Author</th></tr></thead><tbody id="rows"></tbody></table>""",
    """const books = [["Emma", "Austen"], ["Ulysses", "Joyce"], ["Walden", "Thoreau"]];
seek.oninput = () => {{ const word = seek.value.toLowerCase(); rows.innerHTML = books.filter((one) => {rule}).map((one) => `<tr><td>${{one[0]}}</td><td>${{one[1]}}</td></tr>`).join(""); }}; seek.oninput();""",
)
BOTH, TITLES = 'one.join(" ").toLowerCase().includes(word)', "one[0].toLowerCase().includes(word)"


def shelf(hint: str, rule: str) -> str:
    """Books that can be searched."""
    return BOOKS.replace("{hint}", hint).replace("{rule}", rule).replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (shelf("Search title or author", BOTH), {"held"}),
        (shelf("Search title or author", TITLES), {"held", "violated"}),
        (shelf("Search", TITLES), {"held"}),
    ],
    ids=["both", "one of the two that it says", "says nothing of it"],
)
async def test_what_a_search_says_it_searches_is_searched(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """By the hint in the field."""
    records = await tryout.tried("search_finds", page)
    assert results(records) == wanted, told(records)


async def test_an_item_that_says_that_nothing_was_found_was_not_found(tryout: Tryout) -> None:
    """A row of its own kind is left in the list."""
    says = shelf("Search titles", TITLES).replace('.join(""); };', '.join("") || "<tr><td colspan=2>Nothing fits</td></tr>"; };')
    assert says != shelf("Search titles", TITLES)
    records = await tryout.tried("search_finds", says)
    assert results(records) == {"held"}, told(records)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(GEAR, {"held"}), (changed("none.hidden = shown.length > 0;", ""), {"violated"})],
    ids=["says so", "is just blank"],
)
async def test_where_nothing_is_left_the_page_says_so(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """After a search that finds nothing."""
    records = await tryout.tried("empty_says_so", page)
    assert results(records) == wanted, told(records)


async def test_what_is_to_be_hidden_when_it_is_empty_need_not_say_so(tryout: Tryout) -> None:
    """The brief wants it so."""
    page = changed("none.hidden = shown.length > 0;", "")
    assert not await tryout.tried("empty_says_so", page, brief="A list of gear. The list is hidden while there are no things.")


@pytest.mark.parametrize(
    ("remove", "wanted"),
    [("things.filter((other) => other !== one)", {"held"}), ("things.slice(1)", {"violated"})],
    ids=["removes its own", "removes the first"],
)
async def test_a_bin_that_nobody_named_deletes_its_item(tryout: Tryout, remove: str, wanted: set[str]) -> None:
    """What an icon set calls the picture tells what everybody sees."""
    page = changed(
        "remove = (one) => { things = things.filter((other) => other !== one); }", f"remove = (one) => {{ things = {remove}; }}"
    )
    icon = "<svg class='lucide lucide-trash-2' width=16 height=16><path d='M2 2h12v12H2z'/></svg>"
    page = page.replace("<button>Delete</button>", f"<button>{icon}</button>")
    records = await tryout.tried("deleted_is_just_that", page)
    assert results(records) == wanted, told(records)
    assert 'the picture "trash 2"' in records[0].trial.why


def pressing(name: str, number: int = 0) -> Lead:
    """Leads a page on: press the button of that name."""

    def lead(page: PageModel) -> Act:
        return Press(target=Target.of([button for button in page.buttons if button.name == name][number], page))

    return lead


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (GEAR, {"held"}),
        (changed("open.name = text.value", "things[0].name = text.value"), {"violated"}),
        (
            changed(
                "save = () => {",
                "save = () => { if (text.value.length > 5) { document.body.insertAdjacentHTML('beforeend', '<p role=alert>Too long</p>'); return; }",
            ),
            {"explained"},
        ),
    ],
    ids=["right", "changes the first one", "refused"],
)
async def test_an_edit_changes_just_that_item(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Once the edit is open."""
    records = await tryout.tried("edited_is_just_that", page, pressing("Edit", 1))
    assert results(records) == wanted, told(records)


def searching(page: PageModel) -> Act:
    """A lead: type an item's words where one searches."""
    field = next(item for item in page.fields if item.name == "Find")
    return Fill(target=Target.of(field, page), value="Rain jacket")


async def test_an_edit_is_not_asked_of_a_list_that_is_narrowed(tryout: Tryout) -> None:
    """What else is changed in an item may take it out of what a search or filter leaves."""

    def narrowing(page: PageModel) -> Act:
        field = next(item for item in page.fields if item.name == "Find")
        return Fill(target=Target.of(field, page), value="a")

    assert len(await tryout.tried("edited_is_just_that", GEAR, pressing("Edit", 1))) == 1
    assert await tryout.tried("edited_is_just_that", GEAR, narrowing, pressing("Edit", 1)) == []


async def test_words_that_are_searched_for_are_no_edit(tryout: Tryout) -> None:
    """Also where they are just an item's, and the list stands as it did."""
    page = changed("seek.oninput = () => { word = seek.value; render(); };", "").replace('type="search" ', "")
    assert await tryout.tried("edited_is_just_that", page, searching) == []


async def test_what_was_typed_by_hand_is_no_edit_that_the_page_opened(tryout: Tryout) -> None:
    """In a field that is called anything, and stood empty before; what the page puts into such a field is one."""
    page = changed("seek.oninput = () => { word = seek.value; render(); };", "").replace('type="search" ', "")
    page = page.replace("Find", "Paste what you know").replace("Search things", "A thing that you know")

    def typing(page: PageModel) -> Act:
        field = next(item for item in page.fields if item.name == "Paste what you know")
        return Fill(target=Target.of(field, page), value="Rain jacket")

    def another(page: PageModel) -> Act:
        return Wait(app_ms=500)

    assert await tryout.tried("edited_is_just_that", page, typing) == []
    assert await tryout.tried("edited_is_just_that", page, another, typing, another) == []
    put = page.replace("<script>", """<button onclick="seek.value = 'Rain jacket'">Open it</button><script>""")
    assert len(await tryout.tried("edited_is_just_that", put, pressing("Open it"))) == 1


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (GEAR, {"held"}),
        (
            changed(
                "remove = (one) => { things = things.filter((other) => other !== one); }", "remove = () => { things.pop(); }"
            ),
            {"violated"},
        ),
        (
            changed(
                "remove = (one) => { things = things.filter((other) => other !== one); }",
                "remove = (one, shown) => { things.splice(shown.indexOf(one), 1); }",
            ),
            {"held", "violated"},
        ),
        (changed("del.onclick = () => {", "del.onclick = () => { if (!confirm('Sure?')) return;"), {"held"}),
    ],
    ids=["right", "always the last", "another one while filtered", "asks back"],
)
async def test_a_delete_removes_just_that_item(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """The middle one."""
    records = await tryout.tried("deleted_is_just_that", page)
    assert results(records) == wanted, told(records)


IN_PLACE = html(
    "People",
    """<h1>People</h1><ul id="list"></ul><p id="said" role="status"></p>""",
    """let people = ["Ada Moreau", "Boris Lund", "Chidi Okafor", "Dana Novak"], asked = -1;
const show = () => { list.innerHTML = people.map((name, i) => `<li><b>${name}</b> ` + (asked === i ? "<span>Delete?</span> <button>Yes</button> <button>No</button>" : `<button aria-label="Delete ${name}">×</button>`) + "</li>").join("");
  list.querySelectorAll("li").forEach((li, i) => { const [first, second] = li.querySelectorAll("button");
    first.onclick = () => { if (asked !== i) asked = i; else { drop(i); asked = -1; } show(); }; if (second) second.onclick = () => { asked = -1; show(); }; }); };
const drop = (i) => { people.splice(i, 1); }; show();""",
)


@pytest.mark.parametrize(
    ("drop", "wanted"),
    [
        ("people.splice(i, 1);", {"held"}),
        ("people.splice(0, 1);", {"violated"}),
        ("said.textContent = people[i] + ' is still needed by a meeting.';", {"cannot tell"}),
        ("", {"violated"}),
    ],
    ids=["right", "another one", "refused in words", "nothing is deleted"],
)
async def test_a_delete_that_asks_back_in_the_item(tryout: Tryout, drop: str, wanted: set[str]) -> None:
    """In its place stand a question, yes and no; what is refused in words is no failing."""
    records = await tryout.tried("deleted_is_just_that", IN_PLACE.replace("people.splice(i, 1);", drop))
    assert results(records) == wanted, told(records)


LIKED = html(
    "Photos",
    """<h1>Photos</h1><ul id="list"></ul>""",
    """const photos = ["Pink morning", "Blue hour", "Clear bay", "Purple pass"].map((name) => ({ name, liked: true }));
const show = () => { list.innerHTML = photos.map(({ name, liked }) => `<li><b>${name}</b> <button aria-label="${liked ? "Remove from" : "Add to"} favourites: ${name}">${liked ? "♥" : "♡"}</button></li>`).join("");
  list.querySelectorAll("button").forEach((one, i) => { one.onclick = () => { photos[i].liked = !photos[i].liked; show(); }; }); }; show();""",
)


async def test_what_is_removed_from_the_favourites_stays_in_the_gallery(tryout: Tryout) -> None:
    """Its button is called otherwise then: it is a switch."""
    records = await tryout.tried("deleted_is_just_that", LIKED)
    assert results(records) <= {"cannot tell"}, told(records)


ROW = changed("tick = (one, on) => { one.on = on; }", "tick = (one, on) => { things.forEach((other) => { other.on = on; }); }")
ONE = changed(
    "tick = (one, on) => { one.on = on; }",
    "tick = (one, on) => { things.forEach((other) => { other.on = other === one && on; }); }",
)


@pytest.mark.parametrize(
    ("page", "violated"),
    [
        (GEAR, False),
        (ROW, True),
        (changed("tick = (one, on) => { one.on", "tick = (one, on) => { things[0].on"), True),
        (ONE, False),
        (
            changed(
                "tick = (one, on) => { one.on = on;", "tick = (one, on) => { one.on = on; things.sort((a, b) => b.on - a.on);"
            ),
            False,
        ),
    ],
    ids=["right", "all with it", "the first in its stead", "one at a time", "what is ticked goes to the top"],
)
async def test_a_box_in_an_item_concerns_that_item(tryout: Tryout, page: str, violated: bool) -> None:
    """Of the middle item."""
    records = await tryout.tried("item_button_stays_there", page)
    assert ("violated" in results(records)) is violated, told(records)
    assert any(record.result in {"held", "violated"} for record in records), told(records)


DESK = html(
    "Desk",
    """<h1>Reports</h1><div id="list"></div>""",
    """const reports = ["Dryer door", "Wet wall", "Loose step", "Dim light"].map((what) => ({ what, open: true }));
const turn = (one) => { one.open = !one.open; };
const render = () => list.replaceChildren(...reports.map((one) => { const card = document.createElement("article"); card.innerHTML = "<b></b> <button></button>";
  card.firstChild.textContent = one.what; card.lastChild.textContent = one.open ? "Close" : "Reopen"; card.lastChild.onclick = () => { turn(one); render(); }; return card; }));
render();""",
    "article { border: 1px solid; padding: 8px }",
)


@pytest.mark.parametrize(
    ("turn", "wanted"),
    [
        ("one.open = !one.open;", {"held"}),
        ("reports[0].open = !reports[0].open;", {"violated"}),
        ("reports.forEach((other) => { other.open = !other.open; });", {"cannot tell"}),
        ("one.open = !one.open; reports.sort((a, b) => b.open - a.open);", {"held"}),
    ],
    ids=["right", "the first in its stead", "all", "what is closed goes to the end"],
)
async def test_a_button_that_is_called_otherwise_afterwards_concerns_its_item(
    tryout: Tryout, turn: str, wanted: set[str]
) -> None:
    """The words of the items stay as they are: "Close" becomes "Reopen"."""
    records = await tryout.tried("item_button_stays_there", DESK.replace("one.open = !one.open;", turn))
    assert results(records) == wanted, told(records)


STOCK = html(
    "Stock",
    """<h1>Stock</h1><table id="table"><thead><tr><th><button>Name</button></th><th><button>Price</button></th></tr></thead><tbody></tbody></table>""",
    """const rows = [["Pear", 12.5], ["Élan", 9], ["fig", 100], ["Quince", 30]]; let by = -1, down = false;
const key = (row) => (by === 1 ? row[1] : row[0].normalize("NFKD").toLowerCase());
const show = () => { const sorted = [...rows]; if (by >= 0) sorted.sort((a, b) => (key(a) < key(b) ? -1 : 1) * (down ? -1 : 1));
  table.tBodies[0].innerHTML = sorted.map(([name, price]) => `<tr><td>${name}</td><td>€ ${price.toFixed(2)}</td></tr>`).join(""); };
[...table.querySelectorAll("button")].forEach((button, i) => { button.onclick = () => { down = by === i ? !down : false; by = i; show(); }; }); show();""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (STOCK, {"held"}),
        (STOCK.replace("by === 1 ? row[1]", "by === 1 ? String(row[1])"), {"held", "violated", "cannot tell"}),
        (STOCK.replace("down = by === i ? !down : false", "down = false"), {"violated", "held"}),
        (
            STOCK.replace("const sorted = [...rows];", "const sorted = by === 0 ? rows.slice(1) : [...rows];"),
            {"violated", "held"},
        ),
        (
            STOCK.replace('["fig", 100], ["Quince", 30]', '["fig", 9], ["Quince", 9]').replace("12.5", "9"),
            {"held", "cannot tell"},
        ),
    ],
    ids=["right", "numbers as words", "never turns", "loses one", "all the same"],
)
async def test_a_head_sorts_by_its_column(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Once, and turned the second time."""
    records = await tryout.tried("sort_is_an_ordered_permutation", page)
    assert results(records) == wanted, told(records)


PAGED = html(
    "Trails",
    """<h1>Trails</h1><ul id="list"></ul><nav aria-label="pagination"><button id="prev">Previous</button> <button>1</button> <button>2</button> <button>3</button> <button id="next">Next</button></nav>""",
    """const all = Array.from({ length: 11 }, (_, i) => `Trail over hill ${"abcdefghijk"[i]}`); let at = 0;
const start = (page) => page * 4;
const show = () => { list.innerHTML = all.slice(start(at), start(at) + 4).map((one) => `<li>${one} <span>easy</span></li>`).join(""); prev.disabled = at === 0; next.disabled = at === 2; };
document.querySelectorAll("nav button").forEach((b) => { b.onclick = () => { at = b === prev ? at - 1 : b === next ? at + 1 : Number(b.textContent) - 1; show(); }; }); show();""",
)
MORE = html(
    "Trails",
    """<h1>Trails</h1><ul id="list"></ul><button id="more">Load more</button>""",
    """const all = Array.from({ length: 11 }, (_, i) => `Trail over hill ${"abcdefghijk"[i]}`); let n = 4;
const show = () => { list.innerHTML = all.slice(0, n).map((one) => `<li>${one} <span>easy</span></li>`).join(""); more.hidden = n >= 11; };
more.onclick = () => { n += 4; show(); }; show();""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (PAGED, {"held"}),
        (PAGED.replace("page * 4", "page * 3"), {"held", "violated"}),
        (
            PAGED.replace("slice(start(at), start(at) + 4)", "slice(Math.min(start(at), 7)).slice(0, 4)")
            .replace("length: 11", "length: 6")
            .replace("at === 2", "at === 1"),
            {"held", "explained"},
        ),
        (MORE, {"held"}),
        (MORE.replace("all.slice(0, n)", "[...all.slice(0, 4), ...(n > 4 ? all.slice(3, n) : [])]"), {"violated"}),
    ],
    ids=["pages", "pages overlap", "the last is filled up", "more", "one twice"],
)
async def test_another_page_has_other_items(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Next, back, more."""
    records = await tryout.tried("next_page_has_others", page)
    assert records
    assert results(records) <= wanted, told(records)
    assert ("violated" in wanted) == ("violated" in results(records)), told(records)


CITIES = html(
    "Cities",
    "<h1>Cities</h1><div id=box><ul id=cities></ul></div>MORE",
    "for (let n = 1; n <= 40; n++) { const li = document.createElement('li'); li.textContent = `City ${n}`; cities.append(li); }",
    "html, body { margin: 0; height: 100%; overflow: hidden; } #box { height: 600px; overflow: HOW; } li { height: 40px; }",
)


@pytest.mark.parametrize(
    ("how", "more", "wanted"),
    [
        ("auto", "", {"held"}),
        ("hidden", "", {"violated"}),
        ("hidden", "<script>document.onkeydown = (e) => { if (e.key === 'End') box.scrollTop = 9999; };</script>", {"explained"}),
        ("hidden", "<button>Show more</button>", set()),
    ],
)
async def test_the_end_of_a_list_can_be_reached(tryout: Tryout, how: str, more: str, wanted: set[str]) -> None:
    """By the wheel, or else by the keyboard; not where a button shows more of it."""
    records = await tryout.tried("last_can_be_reached", CITIES.replace("HOW", how).replace("MORE", more))
    assert results(records) == wanted, told(records)


MEMOS = (
    html(
        "Memos",
        """<h1>Memos</h1><ul id="list"></ul><section id="open" hidden><h2 id="head"></h2><button id="del">Delete memo</button></section>""",
        """let memos = ["Bread and milk", "Call Ida", "Water the oak"], at = -1;
const show = () => { list.replaceChildren(...memos.map((text, i) => { const li = document.createElement("li"), b = document.createElement("button"); b.textContent = text; b.onclick = () => { at = i; show(); }; li.append(b); return li; }));
  open.hidden = at < 0; head.textContent = memos[at] || ""; };
del.onclick = () => { memos = memos.filter((_, i) => i !== WHICH); at = -1; show(); }; show();""",
    )
    .replace("open.hidden", 'document.getElementById("open").hidden')
    .replace("del.onclick", 'document.getElementById("del").onclick')
)


CARDS = html(
    "Board",
    """<h1>Board</h1><section id="board"></section>""",
    """let cards = [["Write notes", "High"], ["Order lunch", "Low"]], edited = -1;
const show = () => { board.innerHTML = "<h2>To do <span>" + cards.length + "</span></h2>"; cards.forEach(([title, level], i) => { const card = document.createElement("div");
  card.className = "card"; card.innerHTML = (i === edited ? "<input>" : "<p></p>") + "<div><span></span><span><button>Edit card</button><button>Delete card</button></span></div>";
  if (i === edited) card.firstChild.value = title; else card.firstChild.textContent = title;
  const [edit, del] = card.querySelectorAll("button"); card.querySelector("span").textContent = level + " priority";
  edit.onclick = () => { edited = i; show(); }; del.onclick = () => { cards.splice(i, 1); show(); }; board.append(card); }); }; show();""",
    "article { border: 1px solid; padding: 8px }",
)


def editing_the_last(page: PageModel) -> Press:
    """Press the last of the buttons that edit."""
    return Press(target=Target.of([button for button in page.buttons if button.name == "Edit card"][-1], page))


async def test_a_delete_button_beside_what_is_edited_may_be_anothers(tryout: Tryout) -> None:
    """Of two cards one is edited in its place, and the only delete button left is the other's."""
    records = await tryout.tried("opened_item_is_deleted", CARDS, editing_the_last)
    assert "violated" not in results(records), told(records)


@pytest.mark.parametrize(
    ("which", "leads", "wanted"),
    [("at", (pressing("Call Ida"),), {"held"}), ("0", (pressing("Call Ida"),), {"violated"}), ("0", (), set[str]())],
    ids=["right", "the first in its stead", "nothing is open"],
)
async def test_deleting_what_is_open_deletes_that(tryout: Tryout, which: str, leads: tuple[Lead, ...], wanted: set[str]) -> None:
    """The list stands beside it."""
    records = await tryout.tried("opened_item_is_deleted", MEMOS.replace("WHICH", which), *leads)
    assert results(records) == wanted, told(records)


DECKS = html(
    "Decks",
    "<main id=view></main>",
    """let decks = [["Rivers", ["Po", "Elbe", "Tagus"]], ["Peaks", ["Rigi", "Eiger"]], ["Lakes", ["Como", "Garda"]]], at = -1;
const show = () => { if (at < 0) { view.innerHTML = "<h1>Your decks</h1><ul aria-label='Your decks'>" + decks.map(([name, cards]) => `<li><b>${name}</b> <span>${cards.length} cards</span> <button>Open ${name}</button></li>`).join("") + "</ul>";
  view.querySelectorAll("button").forEach((b, i) => { b.onclick = () => { at = i; show(); }; }); return; }
  const [name, cards] = decks[at]; view.innerHTML = `<section><h1>${name}</h1><div><ol aria-label=Cards>${cards.map((card) => `<li>${card}</li>`).join("")}</ol></div><button>Delete</button></section>`;
  view.querySelector("button").onclick = () => { DELETES show(); }; }; show();""",
)


@pytest.mark.parametrize(
    ("deletes", "wanted"),
    [
        ("decks.splice(at, 1); at = -1;", {"held"}),
        ("decks.pop(); at = -1;", {"violated"}),
        ("cards.pop();", {"cannot tell", "explained"}),
    ],
    ids=["right", "the last in its stead", "its innocent twin deletes a card"],
)
async def test_what_was_opened_from_another_list_is_deleted_there(tryout: Tryout, deletes: str, wanted: set[str]) -> None:
    """It has a page of its own, with a list of its own."""
    records = await tryout.tried("opened_item_is_deleted", DECKS.replace("DELETES", deletes), pressing("Open Rivers"))
    assert records
    assert results(records) <= wanted, told(records)


CRAFTS = html(
    "Crafts",
    "<h1>Crafts</h1><label>Kind <select id=kind><option>All<option>Clay<option>Wood</select></label> <button id=off>Remove</button><main id=all></main>",
    """const crafts = [["Teapot", "Clay"], ["Spoon", "Wood"], ["Bowl", "Wood"]];
const draw = () => { all.innerHTML = crafts.filter(([, of]) => kind.value === "All" || of === kind.value).map(([name, of]) => `<article><h2>${name}</h2><p>${of}</p></article>`).join(""); };
kind.onchange = draw; off.onclick = () => { kind.value = "All"; draw(); }; draw();""",
)


async def test_what_a_filter_leaves_is_shown_and_not_opened(tryout: Tryout) -> None:
    """Of one card that is left its heading says what it is; what removes the filter brings the others back."""

    def choose(page: PageModel) -> Act:
        return Choose(target=Target.of(page.choices[0], page), option="Clay", how="select")

    assert await tryout.tried("opened_item_is_deleted", CRAFTS, choose) == []


@pytest.mark.parametrize("dialog", [False, True], ids=["beside the form", "behind the form's dialog"])
async def test_a_search_that_still_holds_words_may_hide_what_is_added(tryout: Tryout, *, dialog: bool) -> None:
    """Then that it does not show tells nothing; cleared, it is asked again."""
    form = "<label>Name <input id=n></label><button id=b>Add thing</button>"
    page = html(
        "Things",
        f"""<h1>Things</h1><label>Seek <input id=q placeholder="Search things"></label><button id=o>Open</button><ul id=list></ul>
<div id=d role=dialog aria-modal=true aria-label="New thing" style="position:fixed;inset:80px;background:#fff" {"hidden" if dialog else ""}>{form}</div>"""
        if dialog
        else f"""<h1>Things</h1><label>Seek <input id=q placeholder="Search things"></label><ul id=list></ul><section>{form}</section>""",
        """let things = ["Rope ladder", "Tent"];
const draw = () => list.replaceChildren(...things.filter((one) => one.includes(q.value)).map((one) => { const li = document.createElement("li"); li.textContent = one; return li; }));
q.oninput = draw; draw(); if (window.o) o.onclick = () => { d.hidden = false; };
b.onclick = () => { things.push(n.value); if (window.d) d.hidden = true; draw(); };""",
    )

    def seek(page: PageModel) -> Act:
        return Fill(target=Target.of(next(field for field in page.fields if field.name == "Seek"), page), value="Tent")

    opened = (pressing("Open"),) if dialog else ()
    assert results(await tryout.tried("added_item_appears", page, *opened)) == {"held"}
    assert await tryout.tried("added_item_appears", page, seek, *opened) == []


BOARD = """<!doctype html><html lang=en><meta charset=utf-8><title>Board</title><h1>Board</h1><div id=board></div>
<div id=box role=dialog aria-modal=true aria-labelledby=head hidden style="position:fixed;inset:80px 200px;background:#fff"><h2 id=head>Edit task</h2>
<label>Title <input id=title></label><button id=no>Cancel</button><button id=save style="background:#06c;color:#fff">Save changes</button></div><script>
const columns = [["To do", ["Draw the map"]], ["Doing", ["Mix the paint"]], ["Done", ["Sand the bench"]]]; let open = null;
const draw = () => { board.innerHTML = columns.map(([name, cards], at) => `<div><h3>${name}</h3><span>${cards.length}</span><div role=button tabindex=0 data-at=${at}><p>${cards[0]}</p></div></div>`).join(""); };
board.onclick = (event) => { const card = event.target.closest("[data-at]"); if (!card) return; open = card.dataset.at; title.value = columns[open][1][0]; box.hidden = false; };
no.onclick = () => { box.hidden = true; }; save.onclick = () => { columns[open][1][0] = title.value; box.hidden = true; draw(); }; draw();</script>"""


async def test_a_card_of_a_column_is_no_word_of_the_column(tryout: Tryout) -> None:
    """The columns of a board are items, too: what is saved of a card is not looked for in what a column is called."""
    records = await tryout.tried("edited_is_just_that", BOARD, lambda page: Press(target=Target.of(page.buttons[0], page)))
    assert "violated" not in results(records), told(records)
