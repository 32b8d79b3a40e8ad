"""Relations on rows of fields, on what is ticked and cleared, and on numbers between a plus and a minus."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

INVOICE = """<h1>Invoice</h1><h2>Lines</h2><div id=lines></div><button id=add>Add line</button><p>Total: <b id=total></b></p><script>
let rows = [["Oak shelf", 120], ["Pine stool", 45], ["Ash bench", 60]];
const sum = () => { total.textContent = "$" + rows.reduce((all, row) => all + Number(row[1]), 0).toFixed(2); };
const draw = () => { lines.innerHTML = rows.map((row, at) => `<div class=row><label>What <input data-at=${at} value="${row[0]}"></label> <label>Price <input type=number data-at=${at} value="${row[1]}"></label> <button data-at=${at}>Remove</button></div>`).join(""); sum(); };
lines.oninput = (event) => { const field = event.target; rows[field.dataset.at][field.type === "number" ? 1 : 0] = field.value; sum(); };
lines.onclick = (event) => { if (event.target.tagName === "BUTTON") { REMOVE } };
add.onclick = () => { rows.push(["", 0]); draw(); }; draw();</script>"""


def invoice(remove: str) -> str:
    """Three lines that can be typed in and removed."""
    return INVOICE.replace("REMOVE", remove)


BLANK = invoice("rows.splice(event.target.dataset.at, 1); draw();").replace(
    '[["Oak shelf", 120], ["Pine stool", 45], ["Ash bench", 60]]', '[["", 0], ["", 0]]'
)

ERRANDS = """<h1>Errands</h1><ul id=list></ul><button id=clear>NAME</button><script>
let items = [["Bread", true], ["Ladder", false], ["Stamps", true], ["Paint", false]];
const draw = () => { list.innerHTML = items.map(([name, done], at) => `<li><label><input type=checkbox data-at=${at} ${done ? "checked" : ""}> ${name}</label></li>`).join(""); };
list.onchange = (event) => { items[event.target.dataset.at][1] = event.target.checked; };
clear.onclick = () => { CLEAR }; draw();</script>"""


def errands(clear: str, name: str = "Clear completed") -> str:
    """Four errands, two of them done."""
    return ERRANDS.replace("CLEAR", clear).replace("NAME", name)


RECIPE = """<h1>Soup</h1><p>For <button id=less aria-label="Fewer people">−</button> <input id=people type=number aria-label=People value=4 min=1 max=MOST> <button id=more aria-label="More people">+</button></p>
<p>Leeks: <b id=leeks></b></p><script>let count = 4; const show = () => { people.value = count; leeks.textContent = count * 2; };
more.onclick = () => { count = Math.min(MOST, count + 1); show(); }; less.onclick = () => { count -= 1; show(); };
people.onchange = () => { TYPED show(); }; show();</script>"""


def recipe(typed: str, most: int = 20) -> str:
    """Soup for so many people."""
    return RECIPE.replace("TYPED", typed).replace("MOST", str(most))


CASES: dict[str, list[tuple[str, str, set[str]]]] = {
    "removed_row_is_just_that": [
        ("right", invoice("rows.splice(event.target.dataset.at, 1); draw();"), {"held"}),
        ("the last goes", invoice("rows.pop(); draw();"), {"violated"}),
        ("dead", invoice(""), {"violated"}),
        ("the words stay", invoice("rows.splice(event.target.dataset.at, 1); lines.lastElementChild.remove(); sum();"), {"violated"}),
        ("blank ones", BLANK, {"held"}),
    ],
    "cleared_are_the_marked": [
        ("right", errands("items = items.filter((one) => !one[1]); draw();"), {"held"}),
        ("dead", errands(""), {"violated"}),
        ("the others", errands("items = items.filter((one) => one[1]); draw();", "Remove bought items"), {"violated"}),
        ("clears all", errands("items = []; draw();", "Clear list"), set()),
        ("asks back", errands('if (confirm("Clear?")) { items = items.filter((one) => !one[1]); draw(); }'), {"held"}),
    ],
    "typed_as_stepped": [
        ("right", recipe("count = Number(people.value);"), {"held"}),
        ("ignored", recipe(""), {"violated"}),
        ("by two", recipe("count = Math.round(Number(people.value) / 2) * 2;").replace("count + 1", "count + 2").replace("-= 1", "-= 2"), set()),
        ("at its end", recipe("count = Math.min(4, people.value);", 4), {"explained"}),
    ],
}  # fmt: skip
ALL = [(name, *case) for name, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(
    ("name", "page", "wanted"),
    [(name, page, wanted) for name, _, page, wanted in ALL],
    ids=[f"{item[0]}: {item[1]}" for item in ALL],
)
async def test_what_is_broken_is_told_and_what_is_right_is_not_accused(
    bench: Bench, name: str, page: str, wanted: set[str]
) -> None:
    """Each on its own page, opened afresh."""
    found = await bench.tried(name, page, ("plus_and_minus",) if name == "typed_as_stepped" else ())
    assert set(found) == wanted, bench.told()
