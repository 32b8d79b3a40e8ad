# ruff: noqa: E501 - pages stand in whole lines
"""Relations about buttons and links, each on pages that do right, on one that does not, and on its innocent twin."""

from __future__ import annotations

import re

import pytest

from evaluator.relations.controls.does_something import DoesSomething
from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told
from tools.page.assertions import Target
from tools.page.trials import Press

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

NOTES = html(
    "Notes",
    """<h1>Notes</h1><button id="add">Add a line</button> <button id="loud">Louder</button> <button id="reset">Reset</button>
<p>Level: <b id="level">3</b></p><div id="lines"></div>""",
    """let level = 3; const show = () => { document.getElementById("level").textContent = level; };
add.onclick = () => { const p = document.createElement("p"); p.textContent = "A line"; lines.append(p); };
loud.onclick = () => { level += 1; show(); };
reset.onclick = () => { level = 3; show(); lines.replaceChildren(); };""",
)
DEAD = NOTES.replace("loud.onclick", "window.unused")
DOTS = html(
    "Dots",
    """<h1>Dots</h1><div id="dot" style="width:60px;height:60px;background:#26a"></div><span id="go" style="cursor:pointer" onclick="go()">Recolour</span>""",
    """const go = () => { dot.style.background = dot.style.background.includes("34") ? "#a62" : "rgb(34, 102, 17)"; };""",
)


LATER = html(
    "Round",
    """<h1>Round</h1><button id="start">Start</button> <button id="pause">Pause</button><p id="said">ready</p>""",
    """start.onclick = () => { said.textContent = "on"; pause.onclick = () => { said.textContent = "held"; }; };""",
)

SORTER = html(
    "Sorter",
    """<h1>Sorter</h1><div><label>Pace <input type="range" id="pace" min="1" max="9" value="9"></label>
<select id="how" aria-label="Algorithm"><option>Bubble</option><option>Insertion</option></select> <button id="sort">Sort</button></div>
<p id="row">5 3 9 1</p>""",
    """sort.onclick = () => { row.textContent = row.textContent.split(" ").sort().join(" "); };""",
)


RECALL = html(
    "Recall",
    """<header><h1>Recall</h1><button id="save">Export</button> <a href="#decks">Decks</a></header><main id="view"></main>""",
    """const show = () => { view.textContent = "Three decks are due today."; }; save.onclick = () => { document.title = "Exported"; };""",
)
"""Its main part is filled, or not."""
SHADED = 'view.attachShadow({ mode: "open" }).textContent'


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (RECALL.replace("save.onclick", "show(); save.onclick"), []),
        (RECALL.replace("save.onclick", "setTimeout(show, 3000); save.onclick"), ["held"]),
        (RECALL, ["violated"]),
        (RECALL.replace("save.onclick", "onhashchange = show; save.onclick"), ["explained"]),
        (RECALL.replace("<a", '<input aria-label="Find a deck"><a'), []),
        (RECALL.replace("<main", "<div"), []),
        (RECALL.replace("</main>", '<div style="width:60px;height:60px;background:#26a"></div></main>'), []),
        (RECALL.replace("<main", '<main style="height:90px;background:linear-gradient(red, blue)"'), []),
        (RECALL.replace("view.textContent", SHADED).replace("save.onclick", "show(); save.onclick"), []),
    ],
    ids=[
        "right",
        "later",
        "empty",
        "once it is chosen",
        "what is found comes in there",
        "no main part",
        "drawn with boxes",
        "drawn with colours",
        "in a shadow root",
    ],
)
async def test_the_main_part_has_something_in_it(tryout: Tryout, page: str, wanted: list[str]) -> None:
    """At once, later, or when somebody chooses what is to be in there."""
    records = await tryout.tried("main_part_is_filled", page)
    assert [record.result for record in records] == wanted, told(records)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (SORTER, {"held"}),
        (SORTER.replace("sort.onclick", "window.unused"), {"violated"}),
        (SORTER.replace("row.textContent = row", "localStorage.pace = pace.value; window.sorted = row"), {"held"}),
        (SORTER.replace("5 3 9 1", "1 3 5 9"), {"cannot tell"}),
        (
            SORTER.replace("<h1>", '<input aria-label="Title"><h1>').replace("<div>", '<div><input aria-label="Who" required>'),
            set(),
        ),
        (NOTES, {"held", "cannot tell"}),
        (DEAD, {"held", "cannot tell", "violated"}),
        (DOTS, {"held"}),
        (LATER, {"held", "explained"}),
    ],
    ids=[
        "sends choices alone",
        "and is dead",
        "stores them without a word",
        "comes to the same",
        "something is to be typed",
        "each button has its work, nothing to reset yet",
        "one is dead",
        "only paint changes",
        "has work later",
    ],
)
async def test_a_dead_button_is_told_from_one_that_has_nothing_to_do_yet(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """What works once something was begun is explained; a button without any code is not."""
    records = await tryout.tried("does_something", page)
    assert results(records) == wanted, told(records)


DAYS = html(
    "May", """<h1>May</h1><ul><li><a tabindex=0 style="cursor:pointer">Regatta</a></li><li>Rest</li></ul><p id=o></p>""", ""
)
OPENED = DAYS.replace("<p id=o>", '<p id=o onclick="o.textContent += 1">More')


@pytest.mark.parametrize(
    ("page", "brief", "whys"),
    [
        (DAYS, "A calendar.", {"“Regatta” is pressed"}),
        (OPENED, "A calendar.", {"“Regatta” is pressed", "“More” does something"}),
        (DAYS, 'A calendar. The button "Regatta" opens its details.', {"“Regatta” does something"}),
    ],
    ids=["may be dragged", "beside what has a handler", "asked for"],
)
async def test_of_what_only_looks_pressable_something_is_expected_where_the_brief_asks_for_it(
    tryout: Tryout, page: str, brief: str, whys: set[str]
) -> None:
    """The hand over an event of a calendar says that it can be dragged as well."""
    records = await tryout.tried("does_something", page, brief=brief)
    assert {re.sub('"([^"]+)"', "“\\1”", record.trial.why) for record in records} == whys, told(records)
    assert ("violated" in results(records)) == ("opens" in brief)


PAID = html(
    "Paid",
    """<main id="all"><h1>Thank you</h1><p>Order 4711 is on its way.</p><button id="receipt">Download receipt</button> <button id="again">New order</button></main>""",
    """receipt.onclick = () => { const p = document.createElement("p"); p.textContent = "receipt.pdf is ready"; all.append(p); };
again.onclick = () => { all.innerHTML = "<h1>Shop</h1><p>Choose a kettle.</p>"; };""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (PAID, {"held"}),
        (PAID.replace("receipt.onclick", "window.unused"), {"held", "violated"}),
        (
            PAID.replace("receipt.onclick = () => {", "receipt.onclick = () => { if (!window.paper) return;"),
            {"held", "cannot tell"},
        ),
        (
            PAID.replace('id="receipt"', 'id="receipt" onclick="window.print()"').replace("receipt.onclick", "window.unused"),
            {"held"},
        ),
        (
            PAID.replace("Download receipt", "Copy number").replace(
                "receipt.onclick = ", "receipt.onclick = () => navigator.clipboard.writeText('4711'); window.unused = "
            ),
            {"held"},
        ),
        (
            PAID.replace("Download receipt", "Print receipt").replace(
                "receipt.onclick = ", "receipt.onclick = window.print.bind(window); window.unused = "
            ),
            {"held"},
        ),
        (PAID.replace("receipt.onclick", "window.unused").replace("all.innerHTML", "window.unused"), {"cannot tell", "violated"}),
    ],
    ids=[
        "it works",
        "it has no code",
        "its code ran and had nothing to do",
        "it prints",
        "it copies",
        "it is the print itself",
        "two are dead",
    ],
)
async def test_a_dead_button_beside_one_that_leads_away(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """That the other one does something shows that the page answers; what ran and did nothing may have had its reason."""
    records = await tryout.tried("does_something", page)
    assert results(records) == wanted, told(records)


ICONS = html(
    "Rules",
    """<h1>Rules</h1><div id="list"></div>""",
    """let rules = ["No smoking", "No dogs", "No ball games"], up = 0;
const draw = () => { list.replaceChildren(...rules.map((text, at) => { const row = document.createElement("div"); row.style = "padding:8px;border:1px solid";
  row.innerHTML = `<b>${text}</b> <span><button>↑</button><button><svg width=16 height=16><path d="M2 2L14 14"/></svg></button><button><svg width=16 height=16><path d="M2 8L14 8"/></svg></button></span>`;
  const [first, change, gone] = row.querySelectorAll("button"); first.onclick = () => { rules.unshift(...rules.splice(at, 1)); up += 1; draw(); };
  change.onclick = () => { rules[at] += "!"; draw(); }; gone.onclick = () => { rules.splice(at, 1); draw(); }; return row; })); list.dataset.up = up; }; draw();""",
)


@pytest.mark.parametrize(
    ("page", "dead"),
    [(ICONS, 0), (ICONS.replace("gone.onclick", "gone.unused"), 1), (ICONS.replace("change.onclick", "change.unused"), 1)],
    ids=["each has its work", "the last one is dead", "the middle one is dead"],
)
async def test_buttons_without_a_name_are_pressed_each(tryout: Tryout, page: str, dead: int) -> None:
    """Icons in an item that are called nothing: each is tried, and met again in its item."""
    records = await tryout.tried("does_something", page)
    assert len(records) == 3, told(records)
    assert sum(record.result == "violated" for record in records) == dead, told(records)
    assert not any(record.stopped for record in records), told(records)


SITE = html(
    "Guide",
    """<h1>Guide</h1><a href="about.html">About</a> <a href="#end">To the end</a> <a href="https://example.com/">Elsewhere</a>
<div style="height:2000px"></div><h2 id="end">The end</h2>""",
)
ABOUT = html("About", "<h1>About us</h1><p>We walk.</p><a href='page.html'>Home</a>")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (SITE, {"held"}),
        (SITE.replace("about.html", "abuot.html"), {"violated"}),
        (SITE.replace("about.html", "void.html"), {"violated"}),
        (SITE.replace('id="end"', 'id="ende"'), {"held", "violated"}),
    ],
    ids=["page and anchor are there", "no such page", "a blank page", "no such anchor"],
)
async def test_a_link_leads_to_something(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """A page of the site with content, or a place on this one where there is one; other sites are not followed."""
    tryout.put(ABOUT, "about.html")
    tryout.put("<!doctype html><title>Void</title><body></body>", "void.html")
    records = await tryout.tried("leads_somewhere", page)
    # Where the code that ran could not be measured, a silent link is not told.
    unmeasured = any(act.witness.ran is None for record in records for act in record.acts)
    assert results(records) == (wanted - {"violated"} | {"cannot tell"} if unmeasured and len(wanted) > 1 else wanted), told(
        records
    )


VIEWS = html(
    "Guide",
    """<a href="about" id="about">About</a><h1 id="head">Guide</h1>""",
    """about.onclick = (event) => { event.preventDefault(); history.pushState({}, "", "about.html"); head.textContent = "About us"; };
addEventListener("popstate", () => { head.textContent = "Guide"; });""",
)
CHANCE = VIEWS.replace("about.onclick", "head.textContent = `No. ${Math.random()}`; about.onclick")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (SITE, {"held"}),
        (VIEWS, {"held"}),
        (VIEWS.replace('"popstate"', '"unused"'), {"violated"}),
        (CHANCE, {"explained", "cannot tell"}),
    ],
    ids=["documents", "views", "the view stays", "another heading each time"],
)
async def test_back_returns(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """After a link and a step back the heading is there again. What only scrolls leaves nothing to come back from."""
    tryout.put(ABOUT, "about.html")
    scrolls = html("Long", '<h1 id="top">Long</h1><a href="#top" onclick="event.preventDefault(); scrollTo(0, 0)">Up</a>')
    assert await tryout.tried("back_returns", scrolls) == []
    records = await tryout.tried("back_returns", page)
    assert records
    assert results(records) <= wanted, told(records)


ROOMS = html(
    "Rooms",
    """<main id="view"></main>""",
    """let chosen = null; const rooms = [{ name: "Attic", beds: 2 }, { name: "Loft", beds: 3 }];
const list = () => rooms.map((room, at) => `<p><a href="#/room/${at}" onclick="chosen = rooms[${at}]">${room.name}</a></p>`).join("");
const one = () => { const room = rooms[location.hash.split("/").pop()]; return `<h1>${room.name}</h1><p>${room.beds} beds</p>`; };
const show = () => { view.innerHTML = location.hash.startsWith("#/room/") ? one() : `<h1>Rooms</h1>${list()}`; };
addEventListener("hashchange", show); show();""",
)
FORGETS = ROOMS.replace('const room = rooms[location.hash.split("/").pop()];', "const room = chosen;")
LOGS_OUT = ROOMS.replace(
    "const show = () => {", 'const show = () => { if (!chosen && location.hash) { location.hash = ""; return; }'
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(ROOMS, {"held"}), (FORGETS, {"violated"}), (LOGS_OUT, {"held"})],
    ids=["by the address", "what was chosen is forgotten", "leads back to the beginning"],
)
async def test_address_opens(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """A page of its own address is there when it is loaded by that; where one must begin anew, there is a beginning."""
    assert await tryout.tried("address_opens", page) == []
    records = await tryout.tried("address_opens", page, lambda seen: Press(target=Target.of(seen.links[0], seen)))
    assert results(records) == wanted, told(records)


KEYS = html(
    "Lamp",
    """<h1>Lamp</h1><div role="button" tabindex="0" id="lamp" style="cursor:pointer">Light</div><p id="said">dark</p>""",
    """const turn = () => { said.textContent = said.textContent === "dark" ? "bright" : "dark"; }; lamp.onclick = turn;
lamp.onkeydown = (event) => { if (event.key === "Enter") turn(); };""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (KEYS, {"held"}),
        (KEYS.replace("lamp.onkeydown", "window.unused"), {"violated"}),
        (KEYS.replace("lamp.onkeydown", "window.unused").replace("lamp.onclick = turn", ""), {"explained"}),
        (NOTES, set[str]()),
    ],
    ids=["enter does it", "only a click does it", "nothing does it", "real buttons are not tried"],
)
async def test_the_keyboard_does_what_a_click_does(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Of what is made into a button; where a click does nothing either, it is another relation's."""
    records = await tryout.tried("same_by_keyboard", page)
    assert results(records) == wanted, told(records)


KEYED = html(
    "Board",
    """<h1>Board</h1><button id="add">New card</button><ul id="cards"></ul>""",
    """const card = () => { const li = document.createElement("li"); li.textContent = `Card ${cards.children.length + 1}`; cards.append(li); };
add.onclick = card; document.onkeydown = (event) => { if (event.key === "n") card(); };""",
)
KEYED_LATER = KEYED.replace('event.key === "n"', 'event.key === "n" && cards.children.length')
WRITTEN = html(
    "Ink",
    """<h1>Ink</h1><button title="Italic (Ctrl+I)">I</button><textarea id="t" aria-label="Text">one word</textarea>""",
    """t.onkeydown = (event) => { if (event.ctrlKey && event.key === "i") { event.preventDefault(); t.value = `*${t.value}*`; } };""",
)
ASKED_CHORD = 'A text editor. Keyboard shortcut: press "Ctrl+I" on the keyboard for italics'
ASKED_KEY = 'A board of cards. Keyboard shortcut: press "N" on the keyboard'


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [
        (KEYED, ASKED_KEY, {"held"}),
        (KEYED.replace("document.onkeydown", "window.unused"), ASKED_KEY, {"violated"}),
        (
            KEYED.replace("<ul", "<input id=q aria-label=Find><ul").replace(
                'event.key === "n") card()', 'event.key === "n") q.focus()'
            ),
            ASKED_KEY,
            {"held"},
        ),
        (KEYED_LATER, ASKED_KEY, {"cannot tell"}),
        (KEYED.replace("document.onkeydown", "window.unused"), "A board of cards.", set[str]()),
        (WRITTEN, ASKED_CHORD, {"explained"}),
        (WRITTEN.replace("t.onkeydown", "window.unused"), ASKED_CHORD, {"violated"}),
    ],
    ids=[
        "works",
        "does nothing",
        "leads to a field",
        "has work later",
        "nobody asked for it",
        "is for the text",
        "is for the text, and does nothing",
    ],
)
async def test_a_shortcut_that_is_asked_for_does_something(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """Only where the brief names the key; one that has nothing to do yet is tried again later."""
    records = await tryout.tried("shortcut_works", page, brief=brief)
    assert {record.result for record in records if record.trial.requirements} == wanted, told(records)


GRADES = html(
    "Cards",
    "<h1>Cards</h1><p id=q>el puente</p><div><button>Again</button><button>Hard</button><button>Good</button><button>Easy</button></div><button>Edit card</button>",
    """const words = ["el puente", "la mesa", "el gato", "la luz"]; let at = 0; const next = () => { q.textContent = words[++at % 4]; };
document.onkeydown = (event) => { if (GIVEN.includes(event.key)) next(); if (event.key === "e") q.textContent = "edited"; };""",
)
ASKED_ROW = "A trainer for words. Keyboard: 1–4 grade, E edits."


@pytest.mark.parametrize(
    ("given", "brief", "wanted"),
    [
        ("1234", ASKED_ROW, {"held"}),
        ("123", ASKED_ROW, {"held", "violated"}),
        ("", ASKED_ROW, {"explained"}),
        ("123", "A trainer for words. Keyboard: 1–3 grade.", set[str]()),
        ("123", "A trainer for words with four grades.", set[str]()),
    ],
    ids=["works", "the last is dead", "none does anything here", "another row", "nobody asked for it"],
)
async def test_each_key_of_a_row_does_something(tryout: Tryout, given: str, brief: str, wanted: set[str]) -> None:
    """If the first one does."""
    records = await tryout.tried("keys_choose_all", GRADES.replace("GIVEN", repr(given)), brief=brief)
    assert results(records) == wanted, told(records)


@pytest.mark.parametrize(("key", "wanted"), [("e", {"held"}), ("x", {"cannot tell"})], ids=["works", "is dead"])
async def test_a_letter_does_what_is_said_of_it(tryout: Tryout, key: str, wanted: set[str]) -> None:
    """Where there is a button for it."""
    page = GRADES.replace("GIVEN", "''").replace('event.key === "e"', f'event.key === "{key}"')
    records = await tryout.tried("shortcut_works", page, brief=ASKED_ROW)
    assert results(records) == wanted, told(records)


BENCH = html(
    "Throw",
    """<h1>Throw</h1><label>Angle <input type=range id=a min=0 max=90 value=45></label> <label>Speed <input type=range id=s min=1 max=50 value=20></label>
<label><input type=checkbox id=w> Wind</label><button id=r>Reset</button><p id=o></p>""",
    """const show = () => { o.textContent = `Angle ${a.value}, speed ${s.value}, ${w.checked ? "windy" : "calm"}`; }; show();
a.oninput = s.oninput = w.onchange = show; r.onclick = () => { a.value = 45; s.value = 20; w.checked = false; show(); };""",
)
FORGOTTEN = BENCH.replace("s.value = 20; w", "w")
CLEARS = BENCH.replace("a.value = 45; s.value = 20; w.checked = false; show();", "o.textContent = 'Nothing thrown';")
MAP = html(
    "Isle",
    """<h1>Isle</h1><canvas id=c width=300 height=200></canvas><div><button id=i>Zoom in</button><button id=t>Turn</button><button id=r>Reset</button></div>""",
    """let zoom = 1, turn = 0; const pen = c.getContext("2d");
const draw = () => { pen.setTransform(1, 0, 0, 1, 0, 0); pen.fillStyle = "#9cf"; pen.fillRect(0, 0, 300, 200); pen.translate(150, 100); pen.rotate(turn); pen.scale(zoom, zoom);
  pen.fillStyle = "#480"; pen.fillRect(-40, -25, 80, 50); pen.fillStyle = "#a40"; pen.fillRect(10, 5, 12, 12); }; draw();
i.onclick = () => { zoom *= 1.4; draw(); }; t.onclick = () => { turn += 0.5; draw(); }; r.onclick = () => { zoom = 1; turn = 0; draw(); };""",
)
POSTER = html(
    "Poster",
    """<h1>Poster</h1><label>Headline <input id=h value="Summer fair"></label><label>Paper <select id=p><option>White<option>Cream</select></label><button id=r>Reset</button><p id=o></p>""",
    """const show = () => { o.textContent = `${h.value} on ${p.value}`; }; show(); h.oninput = p.onchange = show;
r.onclick = () => { h.value = "Summer fair"; p.value = "White"; show(); };""",
)
SOUP = html(
    "Soups",
    """<h1>Soups</h1><h2>Find</h2><label>Kind <select id=k><option>All<option>Hot<option>Cold</select></label><h2>Leek soup</h2>
<label>People <input type=range id=n min=1 max=12 value=4></label><label>Salt <input type=range id=s min=1 max=9 value=3></label><button id=r>Restore the amounts</button><p id=o></p>""",
    """const show = () => { o.textContent = `${n.value * 2} leeks, ${s.value} g of salt, ${k.value}`; }; show(); n.oninput = s.oninput = k.onchange = show;
r.onclick = () => { n.value = 4; s.value = 3; show(); };""",
)
ASKED_SOUP = "Soups that can be filtered by kind. Sliders for people and salt. A button restores the amounts."
ASKED_BENCH = "Throw a ball. Sliders for angle and speed. Reset puts everything back to the start."
ASKED_POSTER = "A poster maker with a headline and a paper. Reset puts everything back to the start."
ASKED_RESET = "Map of an island on a canvas. Zoom in and turn it. Reset for the starting view."


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [
        (BENCH, ASKED_BENCH, {"held"}),
        (FORGOTTEN, ASKED_BENCH, {"held", "violated"}),
        (CLEARS, ASKED_BENCH, {"explained"}),
        (FORGOTTEN, "", set[str]()),
        (POSTER, ASKED_POSTER, {"held"}),
        (POSTER.replace('h.value = "Summer fair"; p', "p"), ASKED_POSTER, {"held", "violated"}),
        (MAP, ASKED_RESET, {"held"}),
        (MAP.replace("zoom = 1; turn = 0; draw(); };", "turn = 0; draw(); };"), ASKED_RESET, {"violated"}),
        (MAP, "", set[str]()),
        (SOUP, ASKED_SOUP, {"held"}),
    ],
    ids=[
        "sets all back",
        "forgets one",
        "is for something else",
        "nobody asked for all",
        "words and a choice",
        "forgets the words",
        "the view",
        "half of the view",
        "nobody asked for it",
        "of the amounts, not of the filter elsewhere",
    ],
)
async def test_a_reset_sets_all_back_that_it_sets_back(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """What it was never seen to set back, it may not be for."""
    records = await tryout.tried("reset_sets_back", page, brief=brief)
    assert results(records) == wanted, told(records)


BOARD = html(
    "Board",
    """<h1>Slide</h1><div id="board"></div><p>Moves: <b id="moves">0</b></p>""",
    """let at = 0, begun = true; const show = () => { board.replaceChildren(...[0, 1, 2, 3].map((n) => {
  const tile = document.createElement("span"); tile.textContent = n === at ? "■ " : "□ "; return tile; })); };
const move = (by) => { if (at + by < 0 || at + by > 3) return; at += by; moves.textContent = Number(moves.textContent) + 1; show(); };
onkeydown = (event) => { if (!begun) return; if (event.key === "ArrowRight") move(1); if (event.key === "ArrowLeft") move(-1); };
show();""",
)
ASKED_ARROWS = "A sliding game. The tile is moved with the arrow keys."


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [
        (BOARD, ASKED_ARROWS, {"held"}),
        (BOARD.replace("onkeydown", "window.unused"), ASKED_ARROWS, {"violated"}),
        (BOARD.replace("begun = true", "begun = false"), ASKED_ARROWS, {"cannot tell"}),
        (BOARD.replace("<p>", "<button>Start</button><p>"), ASKED_ARROWS, set[str]()),
        (BOARD, "A sliding game.", set[str]()),
    ],
    ids=["steered", "deaf", "its code runs and does nothing yet", "waits to be started", "nobody asked"],
)
async def test_what_is_steered_by_arrows_answers_to_them(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """One of the keys must; that the page's own code runs by them and changes nothing may be its state."""
    records = await tryout.tried("steered_by_keys", page, brief=brief)
    assert results(records) == wanted, told(records)


TOWNS = html(
    "Towns",
    """<h1>Towns</h1><ul id="towns" style="padding:0;list-style:none"></ul><h2 id="name">Bern</h2><p id="said">18 degrees</p>""",
    """for (const [at, name] of ["Bern", "Chur", "Genf", "Zug"].entries()) { const li = document.createElement("li");
  li.innerHTML = `<span>${name}</span> <span>${18 + at}°</span>`; li.style.cssText = "display:flex;gap:9px;padding:8px;cursor:pointer"; towns.append(li);
  li.onclick = () => { document.getElementById("name").textContent = name; said.textContent = `${18 + at} degrees`; }; }""",
)


async def test_of_a_list_to_choose_from_another_than_the_first_is_chosen(tryout: Tryout) -> None:
    """The first is shown from the beginning: to choose it changes nothing."""
    ground, _ = await tryout.ground(tryout.put(TOWNS))
    assert next(trial.why for trial in DoesSomething().trials(ground)) == '"Chur 19°" does something'
