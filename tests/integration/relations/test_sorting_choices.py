# ruff: noqa: E501 - pages stand in whole lines
"""Lists that are sorted by a choice: a select with a name, a combobox that is called what is chosen in it."""

from __future__ import annotations

import pytest

from agent.explorer.explorer import Explorer
from agent.trials.carrying import open_afresh
from evaluator.relations.base import relations
from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import TODAY, Tryout, told

pytestmark = pytest.mark.long

NAME = "sort_is_an_ordered_permutation"
ROWS = """const all = [["Sunrise", 18.5], ["Harvest", 14], ["Midnight", 116.25], ["Dawn", 9]]; const list = document.getElementById("list");
const show = (how) => { const rows = [...all]; if (how.startsWith("Price")) rows.sort((a, b) => a[1] - b[1]); if (how.includes("high to")) rows.reverse();
  list.innerHTML = rows.map(([name, price]) => `<li><b>${name}</b> <span>$${price.toFixed(2)}</span></li>`).join(""); };
"""
SHOP = html(
    "Shop",
    """<h1>Shop</h1><label>Sort by <select id="by"><option>Featured</option><option>Price: low to high</option><option>Price: high to low</option></select></label>
<ul id="list" aria-label="Products"></ul>""",
    ROWS + "by.onchange = () => show(by.value); show(by.value);",
)
OPENED = html(
    "Shop",
    """<h1>Shop</h1><button id="by" role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-controls="ways">Newest first</button>
<ul id="ways" role="listbox" hidden></ul><ul id="list" aria-label="Products"></ul>""",
    ROWS
    + """const pop = document.getElementById("ways"), box = document.getElementById("by"); let how = "Newest first";
const close = () => { pop.hidden = true; pop.innerHTML = ""; box.setAttribute("aria-expanded", "false"); };
box.onclick = () => { pop.innerHTML = ["Newest first", "Price: low to high", "Price: high to low"].map((one) => `<li role="option" aria-selected="${one === how}">${one}</li>`).join(""); pop.hidden = false; box.setAttribute("aria-expanded", "true"); };
pop.onclick = (event) => { if (!event.target.matches("[role=option]")) return; how = event.target.textContent; box.textContent = how; close(); show(how); };
addEventListener("keydown", (event) => { if (event.key === "Escape") close(); }); show(how);""",
    "[hidden] { display: none } [role=listbox] { border: 1px solid; width: 200px }",
)
AS_WORDS = ("a[1] - b[1]", "String(a[1]) < String(b[1]) ? -1 : 1")
NEVER_TURNS = ('if (how.includes("high to")) rows.reverse();', "")
LOSES_ONE = ("rows.reverse()", "rows.pop()")


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (("", ""), {"held"}),
        (AS_WORDS, {"violated", "cannot tell"}),
        (NEVER_TURNS, {"held", "violated"}),
        (LOSES_ONE, {"held", "violated"}),
        # An order that no price is of: a discount's, which is not shown.
        (("Price: low to high</option><option>Price: high to low", "Discount</option><option>Rating"), {"held"}),
    ],
    ids=["right", "as words", "never turns", "loses one", "by what is not shown"],
)
async def test_a_select_sorts(tryout: Tryout, change: tuple[str, str], wanted: set[str]) -> None:
    """By the column it names, the same items, and the other way by its other option."""
    records = await tryout.tried(NAME, SHOP.replace(*change) if change[0] else SHOP)
    assert results(records) == wanted, told(records)


@pytest.mark.parametrize(
    ("change", "wanted"), [(("", ""), {"held"}), (NEVER_TURNS, {"held", "violated"})], ids=["right", "never"]
)
async def test_a_combobox_without_a_name_sorts(tryout: Tryout, change: tuple[str, str], wanted: set[str]) -> None:
    """Every option of it speaks of an order."""
    stage, url = tryout.bench.stage, tryout.put(OPENED.replace(*change) if change[0] else OPENED)
    await open_afresh(stage, url)
    explorer = Explorer(stage, url, [relations()[NAME]], TODAY, 20)
    await explorer.run()
    sorts = [item.record for item in explorer.tried if item.record.trial.by == NAME]
    assert {record.result for record in sorts} == wanted, told(sorts)
