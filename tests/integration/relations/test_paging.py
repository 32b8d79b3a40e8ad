"""Relations on lists of which only a page is shown: they are searched, filtered, sorted and turned like others."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench
from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

TABLE = """<h1>Refills</h1><div id=sums><div><b>4</b> overdue refills</div><div><b>8</b> due this week</div><div><b>$80</b> copay of all matching refills</div></div>
<div><input type=search id=q aria-label="Search patient or medicine"><select id=f aria-label=Show><option>All refills<option>Open<option>Done</select>
<button id=clear>Clear search and filter</button></div>
<table aria-label=Refills><thead><tr>{heads}</tr></thead><tbody id=list></tbody></table>
<div><button id=prev>Previous page</button> <span id=shown></span> <button id=next>Next page</button></div><script>
const names = ["Ada Byrne", "Jonas Weber", "Ines Duarte", "Keiko Tanaka", "Liam Adler", "Mina Okoye", "Noor Haddad", "Olga Petrov", "Pablo Reyes", "Rosa Lindt", "Sven Berg", "Tariq Aziz", "Uma Rao", "Vera Blom"];
const all = names.map((name, i) => ({{ name, copay: [5, 12.5, 105, 2.8, 9.99, 140.5, 18.6, 4.2, 10, 3.9, 33, 7, 64, 21][i], state: i % 3 ? "Open" : "Done" }}));
let at = 0, by = null, way = 1; const money = (one) => "$" + one.copay.toFixed(2);
const keys = {{ Patient: (one) => one.name, State: (one) => one.state, Copay: (one) => {copay} }};
const found = () => all.filter((one) => one.name.{search}includes(q.value.{search}trim()) && ({filters})).sort((a, b) => by ? way * (keys[by](a) < keys[by](b) ? -1 : keys[by](a) > keys[by](b) ? 1 : 0) : 0);
const draw = () => {{ const some = found(), page = some.slice({start}, at * 5 + 5);
  list.innerHTML = page.map((one) => `<tr><td>${{one.name}}</td><td>${{one.state}}</td><td>${{money(one)}}</td></tr>`).join("");
  shown.textContent = some.length ? `${{at * 5 + 1}}–${{at * 5 + page.length}} of ${{some.length}}` : "No refills match"; prev.disabled = at === 0; next.disabled = at * 5 + 5 >= some.length; }};
for (const head of document.querySelectorAll("th button")) head.onclick = () => {{ way = by === head.textContent ? {turn} : 1; by = head.textContent; at = 0;
  for (const one of document.querySelectorAll("th")) one.ariaSort = one.contains(head) ? (way > 0 ? "ascending" : "descending") : "none"; draw(); }};
q.oninput = f.onchange = () => {{ at = 0; {asked} }}; next.onclick = () => {{ at += 1; draw(); }}; prev.onclick = () => {{ at -= 1; draw(); }};
clear.onclick = () => {{ q.value = ""; f.selectedIndex = 0; at = 0; draw(); }}; draw();</script>"""
HEADS = "".join(f"<th><button>{name}</button></th>" for name in ("Patient", "State", "Copay"))


def table(
    copay: str = "one.copay",
    search: str = "toLowerCase().",
    filters: str = "f.selectedIndex === 0 || one.state === f.value",
    start: str = "at * 5",
    turn: str = "-way",
    asked: str = "draw();",
) -> str:
    """Fourteen refills, five a page."""
    return TABLE.format(heads=HEADS, copay=copay, search=search, filters=filters, start=start, turn=turn, asked=asked)


CASES: dict[str, list[tuple[str, str, set[str]]]] = {
    "sort_is_an_ordered_permutation": [
        ("right", table(), {"held"}),
        ("by letters", table(copay="money(one)"), {"held", "violated"}),
        ("never turned", table(turn="way"), {"held", "violated"}),
    ],
    "search_finds": [
        ("right", table(), {"held"}),
        ("capitals matter", table(search=""), {"held", "violated"}),
        ("the first stay away", table(asked="draw(); if (!q.value) list.rows[0]?.remove();"), {"held", "violated"}),
    ],
    "filter_leaves_what_fits": [
        ("right", table(), {"held"}),
        ("shows others", table(filters='f.selectedIndex === 0 || one.state !== f.value'), {"held", "violated"}),
        ("does not come back", table(filters='f.selectedIndex === 0 ? one.state === "Open" || !found.off : (found.off = 1, one.state === f.value)'), {"held", "violated"}),
    ],
    "next_page_has_others": [
        ("right", table(), {"held"}),
        ("one twice", table(start="Math.max(0, at * 5 - 1)"), {"held", "violated"}),
    ],
}  # fmt: skip
ALL = [(name, *case) for name, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(("name", "which", "page", "wanted"), ALL, ids=[f"{item[0]}-{item[1]}" for item in ALL])
async def test_a_list_in_pages_is_tried_like_others(name: str, which: str, page: str, wanted: set[str], bench: Bench) -> None:
    """The table, and not the tiles that stand beside its search; the filter bar's button sends nothing."""
    del which
    # A page on which all items are of one state is in no order that could be turned.
    assert set(await bench.tried(name, page)) - {"cannot tell"} == wanted, bench.told()


async def test_heads_that_sort_are_no_choice(bench: Bench) -> None:
    """Which one is pressed is told by the order, and what they do is for sorting's relations."""
    page = (
        table()
        .replace("<button>Copay", "<button aria-pressed=true>Copay")
        .replace("<button>State", "<button aria-pressed=false>State")
    )
    page = page.replace("<button>Patient", "<button aria-pressed=false>Patient")
    assert {choice.name for choice in (await bench.open(page)).choices} == {"Show"}


SPENT = html(
    "Ski week",
    """<h1>Ski week</h1><form id=f><label>What for <input id=what required></label><button>Add expense</button></form>
<table><thead><tr><th>What for</th><th>Amount</th><th></th></tr></thead><tbody id=rows></tbody></table>
<p><span id=told></span> <button id=prev>Previous page</button> <button id=next>Next page</button></p>""",
    """let spent = ["Train", "Cabin", "Ski hire", "Groceries", "Night two", "Cable car", "Dinner"].map((what, at) => ({ what, much: 20 + at }));
let at = 0; const draw = () => { const shown = spent.slice(at * 5, at * 5 + 5);
  rows.innerHTML = shown.map((one) => `<tr><td>${one.what}</td><td>$${one.much}</td><td><button>Delete</button></td></tr>`).join("");
  told.textContent = `${at * 5 + 1}–${at * 5 + shown.length} of ${spent.length}`; prev.disabled = at === 0; next.disabled = at * 5 + 5 >= spent.length;
  rows.querySelectorAll("button").forEach((button, n) => { button.onclick = () => { DELETE; draw(); }; }); };
next.onclick = () => { at += 1; draw(); }; prev.onclick = () => { at -= 1; draw(); };
f.onsubmit = (event) => { event.preventDefault(); spent = [...spent, { what: what.value, much: 9 }]; f.reset(); draw(); }; draw();""",
)
GOES = SPENT.replace("DELETE", "spent = spent.filter((one) => one !== shown[n])")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (GOES, {"held"}),
        (SPENT.replace("DELETE", "spent = spent.filter((one) => one !== shown[n - 1] && one !== shown[n])"), {"violated"}),
    ],
    ids=["right", "two go"],
)
async def test_what_is_deleted_from_a_page_lets_the_next_ones_move_up(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """From the next page; and nothing else goes."""
    records = await tryout.tried("deleted_is_just_that", page)
    assert results(records) == wanted, told(records)


async def test_what_is_added_to_a_list_in_pages_may_stand_on_another_one(tryout: Tryout) -> None:
    """The last: nobody looks for it on the first."""
    assert await tryout.tried("added_item_appears", GOES) == []
    whole = GOES.replace("spent.slice(at * 5, at * 5 + 5)", "spent").replace("told.textContent", "window.unused")
    assert results(await tryout.tried("added_item_appears", whole)) == {"held"}
