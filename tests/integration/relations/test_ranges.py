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

QUIZ = html(
    "Quiz",
    """<h1>Quiz</h1><p id="told">Question 1 of 4 – 12 seconds</p><ul><li>Emma wood</li><li>Ida stone</li><li>Noor river</li><li>Ada field</li></ul><button id="on">Next</button>""",
    """let n = 1; on.onclick = () => { n += 1; told.textContent = `Question ${n} of 4 – 12 seconds`; on.disabled = true; };""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (JOBS, {"held"}),
        (JOBS.replace("Math.ceil", "Math.floor"), {"violated"}),
        (JOBS.replace("Math.ceil", "Math.floor").replace("Showing", "Jobs").replace("–", " bis "), {"violated"}),
        (GROWS, {"explained"}),
        (QUIZ, {"explained"}),
        (JOBS.replace("length: 11", "length: 7").replace("11 / size", "7 / size").replace("of 11", "of 7"), set[str]()),
    ],
    ids=["all pages", "the last one is missing", "in other words", "the last one is larger", "about a question", "two pages"],
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


@pytest.mark.parametrize("names", [("After", "Before"), ("Check-in", "Check-out"), ("Arrival", "Departure")])
async def test_an_end_that_may_be_left_out_is_not_asked(tryout: Tryout, names: tuple[str, str]) -> None:
    """What is before a day is not on it."""
    page = SALES.replace("RULE", "day > low && day < high").replace(">From ", f">{names[0]} ").replace(">To ", f">{names[1]} ")
    assert await tryout.tried("range_includes_its_ends", page) == []


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
        (f"{SAYS} if (bad) {{ nights.textContent = total.textContent = '–'; }} else {{ {ALWAYS} }}", {"cannot tell"}),
        (ALWAYS, {"violated"}),
        (f"{SAYS} {ALWAYS}", {"explained"}),
    ],
    ids=["refused", "reckoned with", "said to be wrong"],
)
async def test_what_ends_before_it_begins_is_not_reckoned_with(tryout: Tryout, shown: str, wanted: set[str]) -> None:
    """No nights below nothing, unless the page says what is wrong; a change of what was earned may be."""
    records = await tryout.tried("span_is_no_less_than_nothing", STAY.replace("SHOWN", shown))
    assert results(records) == wanted, told(records)
    change = STAY.replace("SHOWN", "nights.textContent = 9; total.textContent = `€${many * 90}`;")
    assert await tryout.tried("span_is_no_less_than_nothing", change) == []
