# ruff: noqa: E501 - pages stand in whole lines
"""Relations about ranges: pages up to the last, days from the first to the last, an end before its beginning."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial on a page opened anew

JOBS = html(
    "Jobs",
    """<h1>Jobs</h1><p id="told"></p><ul id="list"></ul><button id="back">Previous</button> <button id="on">Next</button>""",
    """const all = Array.from({ length: 11 }, (_, i) => `Harbour job ${"abcdefghijk"[i]}`), size = 4, pages = Math.ceil(11 / size); let at = 0;
const show = () => { const now = all.slice(at * size, at * size + size); list.innerHTML = now.map((one) => `<li>${one} <span>day shift</span></li>`).join("");
told.textContent = `Showing ${at * size + 1}–${at * size + now.length} of 11 jobs`; back.disabled = at === 0; on.disabled = at >= pages - 1; };
back.onclick = () => { at -= 1; show(); }; on.onclick = () => { at += 1; show(); }; show();""",
)
GROWS = JOBS.replace("pages = Math.ceil(11 / size)", "pages = 2").replace("at * size + size)", "at ? 11 : 4)")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(JOBS, {"held"}), (JOBS.replace("Math.ceil", "Math.floor"), {"violated"}), (GROWS, {"explained"})],
    ids=["all pages", "the last one is missing", "the last one is larger"],
)
async def test_pages_go_on_until_all_are_shown(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """By what the page itself says of how many there are."""
    records = await tryout.tried("pages_reach_all", page)
    assert results(records) == wanted, told(records)


SALES = html(
    "Sales",
    """<h1>Sales</h1><form onsubmit="return false"><label>From <input type="date" id="from" value="2026-03-01"></label> <label>To <input type="date" id="to" value="2026-03-31"></label></form>
<h2>By day</h2><table><thead><tr><th>Day</th><th>Orders</th></tr></thead><tbody id="rows"></tbody></table>""",
    """const days = Array.from({ length: 9 }, (_, i) => `2026-03-0${i + 1}`); const said = (day) => `${Number(day.slice(8))} Mar`;
const show = () => { const low = document.getElementById("from").value, high = to.value; rows.innerHTML = days.filter((day) => RULE).map((day, i) => `<tr><td>${said(day)}</td><td>${20 + i}</td></tr>`).join(""); };
document.getElementById("from").onchange = to.onchange = show; show();""",
)


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("day >= low && day <= high", ["held", "held"]),
        ("day >= low && day < high", ["violated", "held"]),
        ("day > low && day <= high", ["held", "violated"]),
        ("true", ["held", "held"]),
    ],
    ids=["both ends", "without the last day", "without the first day", "of another list"],
)
async def test_a_range_of_days_has_its_first_and_its_last(tryout: Tryout, rule: str, wanted: list[str]) -> None:
    """Days without a year are those of the range's."""
    records = await tryout.tried("range_includes_its_ends", SALES.replace("RULE", rule))
    assert [record.result for record in records] == wanted, told(records)


STAY = html(
    "Stay",
    """<h1>Stay</h1><form onsubmit="return false"><label>Arrival <input type="date" id="one" value="2026-12-01"></label> <label>Departure <input type="date" id="two" value="2026-12-05"></label></form>
<p>Nights: <b id="nights"></b></p><p>Total: <b id="total"></b></p><p id="wrong" role="alert"></p>""",
    """const show = () => { const many = (new Date(two.value) - new Date(one.value)) / 864e5; const bad = many <= 0; SHOWN };
one.onchange = two.onchange = show; show();""",
)
SAYS = 'wrong.textContent = bad ? "The departure must lie after the arrival." : "";'
ALWAYS = "nights.textContent = many; total.textContent = `€${(many * 90).toFixed(2)}`;"


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (f"{SAYS} if (bad) {{ nights.textContent = total.textContent = '–'; }} else {{ {ALWAYS} }}", {"cannot tell", "held"}),
        (ALWAYS, {"violated"}),
        (f"{SAYS} {ALWAYS}", {"explained"}),
    ],
    ids=["refused", "reckoned with", "said to be wrong"],
)
async def test_what_ends_before_it_begins_is_not_reckoned_with(tryout: Tryout, shown: str, wanted: set[str]) -> None:
    """Neither nights nor money below nothing, unless the page says what is wrong."""
    records = await tryout.tried("span_is_no_less_than_nothing", STAY.replace("SHOWN", shown))
    assert records
    assert results(records) <= wanted, told(records)


BOOKS = html(
    "Library",
    """<h1>Library</h1><input type="search" id="seek" placeholder="Search by title, author or number" aria-label="Find"><div id="cards"></div>""",
    """const books = [["Emma", "Austen", "A10", "lent"], ["Ulysses", "Joyce", "B20", "here"], ["Walden", "Thoreau", "C30", "here"], ["Middlemarch", "Eliot", "D40", "here"]];
seek.oninput = () => { const word = seek.value.toLowerCase(); cards.innerHTML = books.filter((one) => one.FIELDS.some((text) => text.toLowerCase().includes(word))).map((one) => `<article><h3>${one[0]}</h3><p>${one[1]} · number ${one[2]}</p><span>${one[3]}</span></article>`).join(""); }; seek.oninput();""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (BOOKS.replace("FIELDS", "slice(0, 3)"), {"held"}),
        (BOOKS.replace("FIELDS", "filter((_, at) => at !== 1)"), {"held", "violated"}),
        (BOOKS.replace("FIELDS", "slice(0, 1)").replace("title, author or number", "title"), {"held"}),
    ],
    ids=["all three", "not the author", "says only the title"],
)
async def test_what_a_hint_names_is_searched_in_cards_too(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """The one thing named of which no label stands in the card is the one part that has none."""
    records = await tryout.tried("search_finds", page)
    assert results(records) == wanted, told(records)
    asked = [record.trial.why for record in records if '"author"' in record.trial.why]
    assert bool(asked) == ("author" in page), asked
