# ruff: noqa: E501 - pages stand in whole lines
"""Relations about choices, each on a page that does right, on one that does not, and on its innocent twin."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Lead, Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Choose, Fill

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

USE = html(
    "Energy",
    """<h1>Energy</h1><div role="tablist" aria-label="Period" id="tabs"><button role="tab" aria-selected="true">Day</button><button role="tab" aria-selected="false">Week</button><button role="tab" aria-selected="false">Month</button></div>
<p>Use: <b id="use"></b></p>""",
    """const data = { Day: "12 kWh", Week: "80 kWh", Month: "340 kWh" }; const shows = (name) => name;
const pick = (name) => { [...tabs.children].forEach((b) => b.setAttribute("aria-selected", String(b.textContent === name))); use.textContent = data[shows(name)]; };
tabs.onclick = (event) => { if (event.target !== tabs) pick(event.target.textContent); }; pick("Day");""",
    "[aria-selected=true]{background:#135;color:#fff}",
)
LEVELS = html(
    "Quiz",
    """<h1>Quiz</h1><div role="group" aria-label="Level" id="levels"><button aria-pressed="true">Easy</button><button aria-pressed="false">Normal</button><button aria-pressed="false">Hard</button></div><button id="go">Start</button><p id="said">-</p>""",
    """let level = "Easy"; levels.onclick = (event) => { level = event.target.textContent; [...levels.children].forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === level))); };
go.onclick = () => { said.textContent = level; };""",
    "[aria-pressed=true]{background:#135;color:#fff}",
)
ROOMS = LEVELS.replace(
    "go.onclick",
    "const show = { Easy: 'Three lives', Normal: 'Two lives', Hard: 'One life' }; levels.addEventListener('click', () => { said.textContent = show[level]; }); go.onclick",
)
SAME = USE.replace('Week: "80 kWh"', 'Week: "12 kWh"')
STUCK = USE.replace("(name) => name", '(name) => "Day"')


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(USE, {"held"}), (STUCK, {"violated"}), (SAME, {"held", "explained"})],
    ids=["tabs", "tabs that all show the same", "two periods with truly the same"],
)
async def test_a_tab_governs_something(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Beside its own look; compared with a third."""
    records = await tryout.tried("option_governs", page)
    assert results(records) == wanted, told(records)


def choosing(option: str) -> Lead:
    """Leads a page on: choose that tab."""

    def lead(page: PageModel) -> Act:
        choice = next(item for item in page.choices if any(each.name == option for each in item.options))
        place = next(item.selector for item in choice.options if item.name == option)
        return Choose(target=Target.of(choice, page), option=option, place=place)

    return lead


DEAD = ROOMS.replace("show[level]", "show[level === 'Hard' ? last : last = level]").replace(
    "let level", "let last = 'Easy', level"
)
ALIKE = ROOMS.replace("One life", "Three lives")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(LEVELS, set[str]()), (ROOMS, {"held"}), (DEAD, {"held", "violated"}), (ALIKE, {"held", "explained"})],
    ids=["a setting for later", "options", "one option is dead", "one is truly the same"],
)
async def test_an_option_governs_something_once_one_was_seen_to(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """A choice none of whose options was seen to change anything is not tried."""
    records = await tryout.tried("option_governs", page, *map(choosing, ("Normal", "Easy", "Normal", "Easy")))
    assert results(records) == wanted, told(records)


NOTES = html(
    "Notes",
    """<header><h1>Notes</h1><input type="search" id="seek" aria-label="Search notes"></header><main><h2>All notes</h2><div role="tablist" aria-label="Kind" id="kinds"><button role="tab" aria-selected="true">All</button><button role="tab" aria-selected="false">Home</button><button role="tab" aria-selected="false">Work</button></div><ul id="list"></ul></main>""",
    """const notes = [["Milk", "Home"], ["Report", "Work"]]; let kind = "All";
const show = () => { list.innerHTML = notes.filter(([text, of]) => (kind === "All" || of === kind) && text.includes(seek.value)).map(([text]) => `<li>${text}</li>`).join("");
  [...kinds.children].forEach((one) => one.setAttribute("aria-selected", String(one.textContent === kind))); };
kinds.onclick = (event) => { kind = event.target.textContent; show(); }; seek.oninput = show; show();""",
)


def searching(words: str) -> Lead:
    """Leads a page on: type into its search."""
    return lambda page: Fill(target=Target.of(page.fields[0], page), value=words)


@pytest.mark.parametrize(("leads", "wanted"), [((), {"held"}), ((searching("zq"),), set[str]())], ids=["all", "nothing is found"])
async def test_where_nothing_is_found_no_option_governs(tryout: Tryout, leads: tuple[Lead, ...], wanted: set[str]) -> None:
    """Every one rightly shows nothing."""
    records = await tryout.tried("option_governs", NOTES, *leads)
    assert results(records) == wanted, told(records)


PLAIN = html(
    "Timer", "<h1>Timer</h1><div><button id=a style='background:#135;color:#fff'>Start</button><button id=b>Pause</button><button id=c>Lap</button></div><p id=said>-</p>",
    "[a, b, c].forEach((one) => { one.onclick = () => { said.textContent = one.textContent; }; });",
)  # fmt: skip


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(USE, {"held"}), (USE.replace("b.textContent === name)", 'b.textContent === "Day")'), {"violated"}), (PLAIN, set[str]())],
    ids=["right", "the mark stays", "a row of buttons, one of them the main one"],
)
async def test_what_is_chosen_looks_chosen(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """And nothing else does; a painted button is no choice before it was seen to change."""
    records = await tryout.tried("one_is_chosen", page)
    assert results(records) == wanted, told(records)


SHOP = html(
    "Shop",
    """<h1>Shop</h1><div role="tablist" aria-label="View" id="tabs"><button role="tab" aria-selected="true">List</button><button role="tab" aria-selected="false">About</button></div>
<main id="main"></main>""",
    """const kept = { size: "Small", gift: false }; let view = "List";
const render = () => { [...tabs.children].forEach((b) => b.setAttribute("aria-selected", String(b.textContent === view)));
  if (view === "About") { main.innerHTML = "<p>We sell tea.</p>"; return; }
  main.innerHTML = `<label>Size <select id="size"><option>Small</option><option>Large</option></select></label> <label><input type="checkbox" id="gift"> As a gift</label>`;
  size.value = kept.size; gift.checked = kept.gift; size.onchange = () => { kept.size = size.value; }; gift.onchange = () => { kept.gift = gift.checked; }; };
tabs.onclick = (event) => { view = event.target.textContent; render(); }; render();""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (SHOP, {"held"}),
        (SHOP.replace("kept.size = size.value;", ""), {"violated"}),
        (SHOP.replace("kept.size = size.value;", "").replace("kept.gift = gift.checked;", ""), {"explained"}),
    ],
    ids=["right", "forgets the size", "keeps nothing at all"],
)
async def test_a_choice_is_remembered_where_anything_is(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """After a visit to another view."""
    records = await tryout.tried("remembers", page, choosing("About"), choosing("List"))
    assert results(records) == wanted, told(records)


LOOP = html("Player", "<h1>Player</h1><button id=b aria-pressed=false>Loop</button><p id=o></p>", "b.onclick = () => { ACT };")
FRAME = LOOP.replace("aria-pressed=false>Loop", "aria-pressed=true>Frame 1").replace("ACT", "o.textContent = 'Frame 1 of 1'")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (LOOP.replace("ACT", "b.setAttribute('aria-pressed', String(b.ariaPressed !== 'true'))"), {"held"}),
        (LOOP.replace("ACT", "window.looping = true"), {"violated", "held"}),
        (LOOP.replace("ACT", "o.textContent += 'Next month '"), {"explained", "held"}),
        (FRAME, set()),
    ],
    ids=["turns", "does not turn", "does its work and tells no state", "one of several to come"],
)
async def test_a_pressed_button_that_was_never_off_may_be_a_choice(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """The only frame stays chosen; "Next month" of a library says that it is not pressed, whatever it did."""
    records = await tryout.tried("twice_is_back", page)
    assert results(records) == wanted, told(records)


RANKED = html(
    "Ways out",
    "<h1>Ways out</h1><ul id=list></ul>",
    """const ways = [["Ask a friend", 60, true], ["Sleep on it", 55, true], ["Write it down", 50, false]].map(([name, points, on]) => {
  const li = document.createElement("li"); return { name, points, on, li }; });
const render = () => { ways.sort((a, b) => b.points + 30 * b.on - a.points - 30 * a.on);
  for (const way of ways) { way.li.innerHTML = `<h3>${way.name}</h3><ul><li><b>${way.points + 30 * way.on}</b> score</li><li><label><input type=checkbox role=switch ${way.on ? "checked" : ""}> Available</label></li></ul>`;
    way.li.querySelector("input").onchange = () => { way.on = !way.on; render(); }; list.append(way.li); } }; render();""",
)


async def test_toggles_of_one_name_in_a_ranking_are_not_taken_for_one_another(tryout: Tryout) -> None:
    """Switched, an item goes to another place, and its figures with it: which toggle is meant afterwards nobody can say."""
    records = await tryout.tried("twice_is_back", RANKED)
    assert "violated" not in results(records), told(records)
