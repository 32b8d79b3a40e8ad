"""Relations on what is added in a dialog: it opens, is filled and saved, and is gone then."""

# The page is read more easily with a line a piece of it.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.test_list_in_use import pressed
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late

PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Stock</title><h1>Stock</h1>
<button id=new>+ Add item</button><table><thead><tr><th>Item<th>Price</thead><tbody id=rows></tbody></table>
<dialog id=editor aria-labelledby=head><h2 id=head>Add item</h2><form id=form method=dialog><label>Name <input id=name required></label>
<label>SKU <input id=sku required></label><label>Price <input id=price type=number min=0 required></label><p id=wrong role=alert></p>
<button type=button id=no>Cancel</button><button>Save item</button></form></dialog><script>
const kept = JSON.parse(localStorage.getItem("stock") || "null");
const items = kept ?? [["Oak shelf", "OAK-1", 120], ["Pine stool", "PIN-2", 45], ["Ash bench", "ASH-3", 60]];
const draw = () => { rows.innerHTML = items.map((one) => `<tr><td><b>${one[0]}</b> <small>${one[1]}</small></td><td>€${one[2]}</td></tr>`).join(""); };
const byId = document.getElementById("new"); byId.onclick = () => { form.reset(); wrong.textContent = ""; editor.showModal(); }; no.onclick = () => editor.close();
form.onsubmit = (event) => { event.preventDefault(); const [name, sku, price] = [...form.querySelectorAll("input")].map((one) => one.value.trim());
  if (!name || !sku || !price) return; if (CHECK) { wrong.textContent = "Another item has this SKU."; return; }
  ADD; STORE; draw(); editor.close(); };
draw();</script>"""
KEEPS = 'localStorage.setItem("stock", JSON.stringify(items))'
BRIEF = "An inventory of my shop. Items are added with name, SKU and price. No two items may share a SKU. Everything must survive a reload."


def page(
    add: str = "items.push([name, sku, price])", store: str = KEEPS, check: str = "items.some((one) => one[1] === sku)"
) -> str:
    """The page in one of its ways."""
    return PAGE.replace("ADD;", f"{add};").replace("STORE", store).replace("CHECK", check)


BOOKING = """<!doctype html><html lang=en><meta charset=utf-8><title>Bay</title><h1>Bay kayaks</h1><button id=open>Book a kayak</button>
<p id=thanks role=status></p><div id=box role=dialog aria-modal=true aria-labelledby=head hidden style="position:fixed;inset:80px 200px;background:#fff;border:1px solid">
<h2 id=head>Book a kayak</h2><label>Your name * <input id=name></label><label>E-mail * <input id=mail></label><label>Arrival date * <input id=day type=date></label>
<p id=wrong role=alert></p><button id=no>Cancel</button><button id=send style="background:#06c;color:#fff">Book now</button></div><script>
let open_, name_; const fields = [name_ = document.getElementById("name"), mail, day];
open_ = document.getElementById("open"); open_.onclick = () => { fields.forEach((one) => { one.value = ""; }); wrong.textContent = ""; box.hidden = false; };
no.onclick = () => { box.hidden = true; };
send.onclick = () => { const said = CHECK; wrong.textContent = said; if (!said) { box.hidden = true; thanks.textContent = "Thank you, see you soon"; } };</script>"""
BLANK_NAME, BLANK_MAIL = '!name_.value.trim() ? "Your name is missing" : ', '!mail.value.trim() ? "Your e-mail is missing" : '
HALF = '!/.@.+[.]./.test(mail.value) ? "That is no e-mail address" : '
PAST = '!day.value || day.value < "2026-11-27" ? "Please choose a day to come" : '


def booking(*checks: str) -> str:
    """A booking in a dialog that checks so much."""
    return BOOKING.replace("CHECK", "".join(checks) + '""')


@pytest.mark.parametrize(
    ("relation", "html", "wanted"),
    [
        ("required_is_required", booking(BLANK_NAME, BLANK_MAIL, HALF, PAST), {"held"}),
        ("required_is_required", booking(BLANK_MAIL, HALF, PAST), {"held", "violated"}),
        ("nonsense_is_refused", booking(BLANK_NAME, BLANK_MAIL, HALF, PAST), {"held"}),
        ("nonsense_is_refused", booking(BLANK_NAME, BLANK_MAIL, HALF), {"held", "violated"}),
        ("wrong_is_not_accepted", booking(BLANK_NAME, BLANK_MAIL, HALF, PAST), {"held"}),
        ("wrong_is_not_accepted", booking(BLANK_NAME, BLANK_MAIL, PAST), {"held", "violated"}),
    ],
    ids=["all asked for", "a name is not", "days to come", "any day", "addresses", "half an address"],
)
async def test_what_a_dialog_takes(tryout: Tryout, relation: str, html: str, wanted: set[str]) -> None:
    """Nothing is listed; the dialog goes, or stays and says why."""
    records = await tryout.tried(relation, html, pressed("Book a kayak"))
    assert {record.result for record in records} == wanted, told(records)


@pytest.mark.parametrize(
    ("relation", "html", "wanted"),
    [
        ("added_item_appears", page(), {"held"}),
        ("added_item_appears", page(add="items.push([sku, sku, price])"), {"violated"}),
        ("added_survives", page(), {"held"}),
        ("added_survives", page(store=""), {"violated"}),
        ("names_are_unique", page(), {"held"}),
        ("names_are_unique", page(check="false"), {"violated"}),
    ],
    ids=["shown", "another name is shown", "kept", "not kept", "refused", "taken twice"],
)
async def test_what_a_dialog_adds(tryout: Tryout, relation: str, html: str, wanted: set[str]) -> None:
    """Its control opens it again."""
    records = await tryout.tried(relation, html, pressed("+ Add item"), brief=BRIEF)
    assert {record.result for record in records} == wanted, told(records)


BUDGET = """<!doctype html><html lang=en><meta charset=utf-8><title>Purse</title><h1>Purse</h1><button id=new>+ Add entry</button>
<button id=open>Budgets</button><p>Left: <b id=left></b></p><dialog id=box aria-labelledby=head><h2 id=head>Budgets</h2><form id=form method=dialog>
<label>Housing <input id=housing type=number></label><label>Food <input id=food type=number></label><button type=button id=no>Cancel</button><button>Save</button></form></dialog><script>
const usual = { housing: 900, food: 300 }, kept = JSON.parse(localStorage.getItem("purse") || "{}"); let now = MERGED;
const draw = () => { left.textContent = "€" + (2000 - now.housing - now.food); }; draw();
document.getElementById("open").onclick = () => { housing.value = now.housing; food.value = now.food; box.showModal(); }; no.onclick = () => box.close();
form.onsubmit = () => { now = { housing: +housing.value, food: +food.value }; STORE; draw(); };</script>"""
STORES = 'localStorage.setItem("purse", JSON.stringify(now))'


def purse(merged: str = "{ ...usual, ...kept }", store: str = STORES) -> str:
    """A dialog in which budgets are set."""
    return BUDGET.replace("MERGED", merged).replace("STORE;", f"{store};")


@pytest.mark.parametrize(
    ("html", "brief", "wanted"),
    [
        (purse(), "", {"held"}),
        (purse(merged="{ ...kept, ...usual }"), "", {"violated"}),
        (purse(store=""), "", {"explained"}),
        (purse(store=""), "A purse. Everything must survive a reload.", {"violated"}),
    ],
    ids=["kept", "the usual ones lie over it", "stores nothing", "stores nothing, and is asked to"],
)
async def test_what_a_dialog_sets(tryout: Tryout, html: str, brief: str, wanted: set[str]) -> None:
    """It is opened again after a reload, by the button of its name."""
    records = await tryout.tried("saved_survives", html, pressed("Budgets"), brief=brief)
    assert {record.result for record in records} == wanted, told(records)


WEDDING = """<!doctype html><html lang=en><meta charset=utf-8><title>Wedding</title><h1>Wedding</h1><h2>Details</h2>
<div id=told><p>Budget: <b id=budget></b></p><p>Guests: <b id=guests></b></p></div><button id=edit>Edit details</button>
<div id=form hidden><label>Budget <input id=money type=number></label><label>Number of guests <input id=many type=number></label>
<button id=send style="background:#06c;color:#fff">Save</button> <button id=no>Cancel</button></div><script>
const told = document.getElementById("told"); let now = { money: 25000, many: 120 }, draft = { ...now };
const draw = () => { budget.textContent = "$" + now.money.toLocaleString("en"); guests.textContent = now.many; };
const show = (open) => { form.hidden = !open; told.hidden = edit.hidden = open; }; draw();
edit.onclick = () => { DRAFT; money.value = draft.money; many.value = draft.many; show(true); };
form.oninput = () => { draft = { money: +money.value, many: +many.value }; };
no.onclick = () => show(false); send.onclick = () => { if (CHECK) return; now = { ...draft }; draw(); show(false); };</script>"""


def wedding(draft: str = "draft = { ...now }", check: str = "draft.money < 1 || draft.many < 0") -> str:
    """What is set, and a form in the page in which it is."""
    return WEDDING.replace("DRAFT", draft).replace("CHECK", check)


@pytest.mark.parametrize(
    ("relation", "html", "wanted"),
    [
        ("cancelled_is_forgotten", wedding(), {"held"}),
        ("cancelled_is_forgotten", wedding(draft=""), {"violated"}),
        ("cancelled_is_forgotten", purse(), {"held"}),
        ("nonsense_is_refused", wedding(), {"held", "cannot tell"}),
        ("nonsense_is_refused", wedding(check="false"), {"violated"}),
    ],
    ids=["forgotten", "waits in the form", "a dialog's", "refused", "less than nothing is shown"],
)
async def test_what_is_set_in_a_form(tryout: Tryout, relation: str, html: str, wanted: set[str]) -> None:
    """It shows what is set when it is opened again, and what it takes stands by itself."""
    opener = "Budgets" if "Budgets" in html else "Edit details"
    records = await tryout.tried(relation, html, pressed(opener))
    assert {record.result for record in records} <= wanted, told(records)
    assert records
    assert ("violated" in wanted) == any(record.result == "violated" for record in records), told(records)
