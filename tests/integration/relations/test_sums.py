"""Relations on amounts that are reckoned from each other, and on the order of items that people give them."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench
from tests.integration.relations.pages import html
from tests.integration.relations.tryout import Lead, Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Fill, FillForm

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

BUDGET = """<h1>Budget</h1><p>Income: <b id=in></b></p><p>Spent: <b id=out></b></p><p>Balance: <b id=left></b></p>{more}
<div><label>What <input id=n></label><label>Euros <input id=e inputmode=decimal></label><button id=b>Add entry</button></div>
<table><thead><tr><th>What</th><th>Amount</th><th></th></tr></thead><tbody id=list></tbody></table><script>
let all = [["Salary", 1500], ["Rent", -620], ["Food", -81.5], ["Tax back", 45.5]];
const sum = (of) => all.filter(([, one]) => of(one)).reduce((sum, one) => sum + Math.abs(one[1]), 0), euro = (one) => "€" + one.toFixed(2);
const show = () => {{ document.getElementById("in").textContent = euro(sum((one) => one > 0)); out.textContent = euro(sum((one) => one < 0)); }};
const rest = () => {{ left.textContent = euro({balance}); }};
const draw = () => {{ list.innerHTML = ""; all.forEach(([what, one], i) => {{ const row = document.createElement("tr");
  row.innerHTML = `<td>${{what}}</td><td>${{euro(one)}}</td><td><button>Delete</button></td>`;
  row.querySelector("button").onclick = () => {{ all.splice(i, 1); draw(); {deleted} }}; list.append(row); }}); show(); }};
b.onclick = () => {{ if (!n.value || !Number(e.value)) return; all.push([n.value, Number(e.value)]); n.value = e.value = ""; draw(); {added} }};
draw(); rest();</script>"""
LEFT = "sum((one) => one > 0) - sum((one) => one < 0)"


def budget(balance: str = LEFT, added: str = "rest();", deleted: str = "rest();", more: str = "") -> str:
    """What came in, what was spent, and what is left."""
    return html("Budget", BUDGET.format(balance=balance, added=added, deleted=deleted, more=more))


def adding(what: str, amount: str) -> Lead:
    """The act that fills the form and sends it."""

    def lead(page: PageModel) -> Act:
        fills = tuple(
            Fill(target=Target.of(field, page), value=value) for field, value in zip(page.fields, (what, amount), strict=True)
        )
        return FillForm(fills=fills, submit=Target(kind="buttons", name="Add entry"))

    return lead


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (budget(), {"held"}),
        (budget(deleted=""), {"held", "violated"}),
        (budget(balance="878"), set()),
        # A third amount counts as well, from the moment that there is one.
        (budget(deleted="fee.textContent = '€7.25'; left.textContent = euro(" + LEFT + " - 7.25);", more="<p>Fee: <b id=fee>€0.00</b></p>"), {"held", "cannot tell"}),
    ],
    ids=["right", "what is deleted stays in the balance", "a balance of something else", "a fee that counts as well"],
)  # fmt: skip
async def test_what_was_a_sum_stays_one(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Income is what was spent and what is left: so it was in two states."""
    leads = (adding("Bonus", "250"), adding("Shoes", "-79.9"))
    records = await tryout.tried("parts_make_the_whole", page, *leads)
    assert {record.result for record in records} == wanted, told(records)


RECEIPT = """<h1>Your basket</h1><ul><li>Tea, 2 × €4.50</li><li>Cups €21.00</li></ul><dl>{lines}</dl>"""


def receipt(**lines: str) -> str:
    """A basket's last lines."""
    said = "".join(f"<dt>{name.replace('_', ' ').capitalize()}</dt><dd>{shown}</dd>" for name, shown in lines.items())
    return RECEIPT.format(lines=said)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (receipt(subtotal="€30.00", shipping="€4.90", discount="−€3.00", total="€31.90"), ["held"]),
        (receipt(subtotal="€30.00", shipping="€4.90", discount="€3.00", total="€31.90"), ["held"]),
        (receipt(subtotal="€30.00", shipping="€4.90", discount="€3.00", total="€37.90"), ["violated"]),
        (receipt(subtotal="€30.00", sales_tax="€2.40", total="€27.60"), ["violated"]),
        (receipt(subtotal="€30.00", sales_tax="€4.79", shipping="€4.90", total="€34.90"), ["cannot tell"]),
        (receipt(subtotal="€30.00", shipping="€4.90", deposit="€25.00", total="€59.90"), ["cannot tell"]),
        (receipt(subtotal="€30.00", shipping="Free", total="€30.00"), []),
        (receipt(price_per_night="€100.00", cleaning_fee="€40.00", total="€340.00"), []),
    ],
    ids=["right", "a sign too few", "added instead", "taken instead", "tax in it", "a deposit", "free", "no subtotal"],
)
async def test_a_receipt_adds_up(bench: Bench, page: str, wanted: list[str]) -> None:
    """Only where a subtotal says what the rest is added to; a tax may be in it already, and what is missing may be another line."""
    assert await bench.tried("receipt_adds_up", page) == wanted, bench.told()


SONGS = """<h1>Set list</h1><ol id=list style="list-style:none"></ol><script>
let all = ["Harbour", "Lantern", "Willow", "Anchor"]; const draw = () => {{ list.innerHTML = ""; all.forEach((name, i) => {{
  const li = document.createElement("li"); li.innerHTML = `<span>${{name}}</span> {buttons}`;
  const [up, down] = li.querySelectorAll("button"); up.disabled = i === 0; down.disabled = i === all.length - 1;
  up.onclick = () => {{ {up} draw(); }}; down.onclick = () => {{ {down} draw(); }}; list.append(li); }}); }}; draw();</script>"""
NAMED = "<button aria-label='Move ${name} up'>↑</button><button aria-label='Move ${name} down'>↓</button>"
VOTES = "<button aria-label='Vote up'>▲</button><button aria-label='Vote down'>▼</button>"
UP, DOWN = "all.splice(i - 1, 0, all.splice(i, 1)[0]);", "all.splice(i + 1, 0, all.splice(i, 1)[0]);"


@pytest.mark.parametrize(
    ("up", "down", "buttons", "wanted"),
    [
        (UP, DOWN, NAMED, {"held"}),
        (UP, DOWN, "<button>↑</button><button>↓</button>", {"held"}),
        (UP, "all.splice(i + 2, 0, all.splice(i, 1)[0]);", NAMED, {"held", "violated"}),
        ("all.splice(0, 0, all.splice(i, 1)[0]);", DOWN, NAMED, {"held", "violated"}),
        ("", DOWN, NAMED, {"held", "violated"}),
        ("", "", NAMED, {"explained"}),
        ("", "", VOTES, set()),
    ],
    ids=["right", "arrows", "two places", "to the top", "not at all", "kept in order", "votes"],
)
async def test_what_is_moved_goes_one_place(bench: Bench, up: str, down: str, buttons: str, wanted: set[str]) -> None:
    """By its buttons for up and down; where neither moves anything the list may be kept in order by something else."""
    found = await bench.tried("moved_by_one", SONGS.format(up=up, down=down, buttons=buttons))
    assert set(found) == wanted, bench.told()


STEPS = """<h1>Table</h1><div style="display:flex;gap:8px">Guests <button id=m aria-label="{less}">−</button><span id=v>2</span>
<button id=p aria-label="{more}">+</button></div><script>let n = 2; const show = () => {{ v.textContent = {shown}; }};
p.onclick = () => {{ {plus} show(); }}; m.onclick = () => {{ {minus} show(); }}; show();</script>"""
ROWS = """<h1>Basket</h1><ul id=list></ul><script>const all = [["Tea", 2], ["Cups", 1], ["Pot", 1]];
const draw = () => {{ list.innerHTML = ""; all.forEach((one, i) => {{ const li = document.createElement("li");
  li.innerHTML = `<span>${{one[0]}}</span> <button>−</button> <span>${{one[1]}}</span> <button>+</button>`;
  const [less, more] = li.querySelectorAll("button"); more.onclick = () => {{ one[1] += 1; draw(); }};
  less.onclick = () => {{ {minus} draw(); }}; list.append(li); }}); }}; draw();</script>"""


def steps(plus: str = "n += 1;", minus: str = "n -= 1;", shown: str = "n", more: str = "", less: str = "") -> str:
    """A number between its two buttons."""
    page = STEPS.format(plus=plus, minus=minus, shown=shown, more=more, less=less)
    return page.replace('aria-label=""', "")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (steps(), ["held"]),
        (steps(more="Increase guests", less="Decrease guests"), ["held"]),
        (steps(minus="n -= 2;"), ["violated"]),
        (steps(minus=""), ["violated"]),
        (steps(plus="n = Math.min(2, n + 1);"), ["explained"]),
        (steps(plus="n *= 1.1;", minus="n *= 0.9;", shown="`${(n * 50).toFixed(0)}%`"), []),
        (ROWS.format(minus="one[1] -= 1;"), ["held", "held"]),
        (ROWS.format(minus="all[0][1] -= 1;"), ["held", "violated"]),
    ],
    ids=["right", "named", "two at once", "dead", "no more than two", "a zoom", "items", "of another item"],
)
async def test_minus_takes_back_what_plus_did(bench: Bench, page: str, wanted: list[str]) -> None:
    """A number between two buttons, alone or in an item; at its upper end plus does nothing."""
    assert await bench.tried("plus_and_minus", page) == wanted, bench.told()


SHADES = """<h1>Shades</h1><ul id=list></ul><p role=status id=told></p><script>
const all = ["#d94f30", "#f2a65a", "#3c6e71", "#284b63"]; const draw = () => {{ all.forEach((code, i) => {{
  const li = document.createElement("li"); li.innerHTML = `<span>${{code}}</span> <button>Copy</button>`;
  li.querySelector("button").onclick = () => {{ {copies}; told.textContent = `Copied ${{code}}`; }}; list.append(li); }}); }}; draw();
const old = (text) => {{ const field = document.createElement("textarea"); field.value = text; document.body.append(field);
  field.select(); document.execCommand("copy"); field.remove(); }};</script>"""


@pytest.mark.parametrize(
    ("copies", "wanted"),
    [
        ("navigator.clipboard.writeText(code)", ["held", "held"]),
        ("navigator.clipboard.writeText(code.toUpperCase().slice(1))", ["cannot tell", "cannot tell"]),
        ("navigator.clipboard.writeText(`--shade: ${code};`)", ["held", "held"]),
        ("navigator.clipboard.writeText(all[0])", ["violated", "violated"]),
        ("old(code)", ["held", "held"]),
        ("old(all[(i + 1) % 4])", ["violated", "violated"]),
        ("0", ["cannot tell", "cannot tell"]),
    ],
    ids=[
        "right",
        "in another form",
        "in a sentence",
        "the first one's",
        "by selection",
        "by selection, the next one's",
        "nothing",
    ],
)
async def test_what_is_copied_is_of_the_item(bench: Bench, copies: str, wanted: list[str]) -> None:
    """The words that were put on the clipboard, by either way that there is."""
    assert await bench.tried("copied_is_its_own", SHADES.format(copies=copies)) == wanted, bench.told()


DEPTH = """<h1>Harbour</h1><label>My boat needs <input id=d type=number min=0 step=any value=3></label> <select id=u aria-label=Unit><option>metres<option>feet</select>
<p id=told></p><script>let metres = 3, unit = "metres"; const told = () => {{ document.getElementById("told").textContent = `${{metres.toFixed(2)}} m of water`; }};
d.oninput = () => {{ metres = {typed}; told(); }};
u.onchange = () => {{ unit = u.value; {turned} }}; told();</script>"""
TYPED, TURNED = (
    "unit === 'feet' ? d.value * 0.3048 : Number(d.value)",
    "d.value = (unit === 'feet' ? metres / 0.3048 : metres).toFixed(1);",
)


@pytest.mark.parametrize(
    ("typed", "turned", "wanted"),
    [
        (TYPED, TURNED, ["held", "held"]),
        ("Number(d.value)", TURNED, ["violated", "held"]),
        (TYPED, "d.value = unit === 'feet' ? 10 : 3; d.oninput();", ["explained", "explained"]),
        (TYPED, "d.oninput();", ["held", "held"]),
    ],
    ids=["right", "feet taken for metres", "a number of its own", "the number stays"],
)
async def test_an_amount_is_the_same_in_either_unit(bench: Bench, typed: str, turned: str, wanted: list[str]) -> None:
    """Typed in the unit that is not chosen at first, and in the one that is; a number that is not turned stays what it is."""
    assert await bench.tried("units_keep_the_amount", DEPTH.format(typed=typed, turned=turned)) == wanted, bench.told()
