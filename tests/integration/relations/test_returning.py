"""What a step to another month, or another option, and back shows."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late

MONTHS = """<h1>Purse</h1><div><button id=prev aria-label="Previous month">‹</button> <b id=name></b> <button id=next aria-label="Next month">›</button></div>
<label>Show amounts in <select id=c><option value=1>EUR<option value=1.1>USD</select></label>
<dl><dt>Spent</dt><dd id=spent></dd></dl><h2>Where it went</h2><ul aria-label="Where it went" id=list></ul><p id=more></p>"""
DRAW = """const all = [{ n: "May", rent: 900, food: 310 }, { n: "June", rent: 950, food: 280 }, { n: "July", rent: 980, food: 295 }]; let at = 1, rate = 1;
const money = (sum) => (rate === 1 ? "€" : "$") + (sum * rate).toFixed(2);
const parts = () => { const now = all[at]; list.innerHTML = `<li><span>Rent</span> <b>${money(now.rent)}</b></li><li><span>Food</span> <b>${money(now.food)}</b></li>`; };
const sums = () => { name.textContent = document.getElementById("name").textContent = all[at].n; spent.textContent = money(all[at].rent + all[at].food); };
const draw = () => { sums(); parts(); }; const go = (by) => { at = Math.max(0, Math.min(2, at + by)); draw(); };
prev.onclick = () => go(-1); next.onclick = () => go(1); c.onchange = () => { rate = Number(c.value); draw(); }; draw();"""
LATE = DRAW.replace("at = Math.max(0, Math.min(2, at + by)); draw();", "parts(); at = Math.max(0, Math.min(2, at + by)); sums();")
"""The list goes on showing the month before."""
RANDOM = DRAW.replace("const sums", "more.textContent = ''; const sums").replace(
    "sums(); parts();", "all[at].food = Math.round(Math.random() * 9000); sums(); parts();"
)


@pytest.mark.parametrize(
    ("script", "wanted"),
    [(DRAW, {"held"}), (LATE, {"violated"}), (RANDOM, {"explained"})],
    ids=["right", "a list that lags", "its innocent twin is new each time"],
)
async def test_another_month_and_back_shows_the_same(tryout: Tryout, script: str, wanted: set[str]) -> None:
    """What filters the list, the currency, is left to others."""
    records = await tryout.tried("returned_shows_the_same", html("Purse", MONTHS, script))
    assert results(records) == wanted, told(records)


@pytest.mark.parametrize(
    ("draw", "wanted"),
    [("rate = c.value; draw();", {"held"}), ("draw(); rate = c.value;", {"violated"})],
    ids=["right", "the option before"],
)
async def test_another_option_and_back_shows_the_same(tryout: Tryout, draw: str, wanted: set[str]) -> None:
    """A figure that shows what was chosen before."""
    inner = "<h1>Ferry</h1><label>Class <select id=c><option value=1>Deck<option value=2>Cabin</select></label><dl><dt>Fare</dt><dd id=f></dd></dl>"
    script = f"let rate = 1; const draw = () => {{ f.textContent = '€' + 40 * rate; }}; c.onchange = () => {{ {draw} }}; draw();"
    records = await tryout.tried("returned_shows_the_same", html("Ferry", inner, script))
    assert results(records) == wanted, told(records)


@pytest.mark.parametrize(
    "inner",
    [
        "<div role=tablist><button role=tab aria-selected=true>Mail</button><button role=tab aria-selected=false>Alerts</button></div><p>Unread: <b>3</b></p>",
        "<ol aria-label=Results><li>One</li><li>Two</li></ol><button>Previous page</button> 1–2 of 9 <button>Next page</button>",
        "<form><label>Size <select><option>S<option>M</select></label><button>Add to cart</button></form><p>Total <b>€9</b></p>",
    ],
    ids=["tabs", "pages of a list", "what is sent"],
)
async def test_it_is_not_asked_of(tryout: Tryout, inner: str) -> None:
    """What a visit may change, and what other relations ask."""
    assert not await tryout.tried("returned_shows_the_same", html("Desk", inner, ""))
