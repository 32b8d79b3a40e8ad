"""Relations on forms, each on three unlike pages: one that does right, one that does not, and its innocent twin."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench
from tests.integration.relations.pages import html
from tests.integration.relations.tryout import Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Press

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

LIST = "<h1>{title}</h1>{form}<ul id=list><li>Rope ladder</li></ul><script>{script}</script>"
ENTRY = "const add = (text) => {{ const li = document.createElement('li'); li.textContent = text; list.append(li); }};"


def page(form: str, script: str, title: str = "Things") -> str:
    """A list with a form before it; in the script `add(text)` lists something."""
    return LIST.format(title=title, form=form, script=ENTRY.format() + script)


NAMED = '<div><label>Name <input id=n></label><button id=b>Add item</button><p id=e role="alert"></p></div>'
FORM = '<form id=f><label>Name <input id=n></label><button id=b>Add item</button><p id=e role="alert"></p></form>'
SENT = "f.onsubmit = (event) => {{ event.preventDefault(); {act} }};"
PRESSED = "b.onclick = () => {{ {act} }};"
CLEARED = "const text = n.value.trim(); if (!text) return; add(text); n.value = '';"
LATER = "const text = n.value.trim(); if (!text) return; {guard} setTimeout(() => {{ add(text); n.value = ''; {free} }}, 500);"
ASKED = (
    "const d = document.createElement('dialog'); d.innerHTML = '<h2>New item</h2><p>Which colour is it?</p><button>Red</button>';"
    " document.body.append(d); d.showModal();"
)
REQUIRED = (
    "<form id=f novalidate><label>Name <input id=n></label><label>Owner * <input id=o></label><button>Save</button>"
    '<p id=e role="alert"></p></form>'
)
RANGE = (
    "<form id=f novalidate><label>Title <input id=n></label><label>Seats <input id=s type=number min=1 max=20></label>"
    '<button>Book now</button><p id=e role="alert"></p></form>'
)
CATEGORY = NAMED.replace("Name", "Category name").replace("Add item", "Add category")
CANCEL = (
    "<div role=dialog aria-label='Edit item' style='position:fixed;inset:100px;background:#fff'><label>Name <input id=n value=Rope></label>"
    "<button id=b>Save</button> <button id=c>Cancel</button></div>"
)
JOIN = (
    "<h1>Allotment</h1><form id=f {more}><label>Name <input id=n></label><label>E-mail <input id=m {kind}></label><button id=b>Join the waiting list</button>"
    '<p id=e role="alert"></p></form><script>f.onsubmit = (event) => {{ event.preventDefault(); {act} }};</script>'
)
THANKS = "document.body.innerHTML = '<h1>Thank you</h1>';"
TOAST = (
    "const t = document.createElement('div'); t.setAttribute('role', 'status'); t.textContent = '{says}';"
    "t.style = 'position:fixed;right:16px;bottom:16px;padding:12px;background:#a00;color:#fff'; document.body.append(t); setTimeout(() => t.remove(), 4000);"
)
CHECKED = "if (!/.+@.+[.].+/.test(m.value)) { e.textContent = 'This is no address.'; return; }"
CASES: dict[str, list[tuple[str, str, set[str]]]] = {
    "wrong_is_not_accepted": [
        ("right", JOIN.format(more="", kind="type=email required", act=THANKS), {"held"}),
        ("right", JOIN.format(more="novalidate", kind="", act=CHECKED + THANKS), {"held"}),
        ("right", JOIN.format(more="novalidate", kind="", act="if (!/.+@.+[.].+/.test(m.value)) return; f.reset();"), {"held"}),
        ("faulty", JOIN.format(more="novalidate", kind="type=email required", act=THANKS), {"violated"}),
        ("faulty", JOIN.format(more="", kind="", act="f.reset(); e.hidden = true;"), {"violated"}),
        ("faulty", JOIN.replace("Name", "CVV").replace("E-mail", "Card number").format(more="", kind="", act=THANKS), {"violated"}),
        ("twin", JOIN.replace("E-mail", "Card number").format(more="", kind="", act=THANKS), set()),
        ("twin", JOIN.replace("E-mail", "Phone").format(more="", kind="type=tel", act=THANKS), set()),
        ("twin", JOIN.format(more="", kind="", act=CHECKED.replace("{", "{ f.reset();") + THANKS), {"held"}),
        ("twin", JOIN.format(more="", kind="", act="if (/.+@.+[.].+/.test(m.value)) return; f.reset();"), {"explained"}),
    ],
    "filled_form_is_answered": [
        ("right", JOIN.format(more="", kind="type=email required", act=THANKS), {"held"}),
        ("right", JOIN.format(more="novalidate", kind="", act="localStorage.joined = m.value;"), {"held"}),
        ("right", page(FORM, SENT.format(act=CLEARED)), {"held"}),
        ("faulty", JOIN.format(more="", kind="", act=""), {"violated"}),
        ("faulty", page(NAMED.replace("Add item", "Save"), PRESSED.format(act="if (!n.value) e.textContent = 'Type a name';")), {"violated"}),
        ("twin", JOIN.format(more="", kind="", act="if (window.name) document.body.innerHTML = '<h1>Thanks</h1>'; window.name = 'again';"), {"explained"}),
        ("twin", JOIN.replace("E-mail <input id=m {kind}>", "Age <input id=m type=number>").replace("Join the waiting list", "Calculate").format(more="", kind="", act=""), set()),
        ("twin", JOIN.replace("<button id=b>", "<button id=b disabled>").format(more="", kind="", act=""), set()),
    ],
    "added_item_appears": [
        ("right", page(NAMED, PRESSED.format(act=CLEARED)), {"held"}),
        ("right", page(NAMED, PRESSED.format(act=CLEARED).replace("li.textContent = text;", "li.innerHTML = `<button>${text} · open</button>`;")), {"held"}),
        ("right", page(NAMED, PRESSED.format(act=CLEARED).replace("li.textContent = text;", "li.innerHTML = `<input aria-label=Title value='${text}'>`;")), {"held"}),
        ("faulty", page(NAMED, PRESSED.format(act="n.value = '';")), {"violated"}),
        ("faulty", page(NAMED, PRESSED.format(act="e.hidden = true;")), {"violated"}),
        ("twin", page(NAMED, PRESSED.format(act="e.textContent = 'Only members may add items';")), {"explained"}),
        ("twin", page(NAMED, PRESSED.format(act="alert('Only members may add items');")), {"explained"}),
        ("twin", page(NAMED, PRESSED.format(act=TOAST.format(says="Please choose a category first"))), {"explained"}),
        ("faulty", page(NAMED, PRESSED.format(act=TOAST.format(says="Item added") + "n.value = '';")), {"violated"}),
        ("twin", page(NAMED, PRESSED.format(act=ASKED)), {"cannot tell"}),
        ("twin", page(NAMED.replace("Name <input id=n>", "<input id=n placeholder='Search items...'>"), PRESSED.format(act=ASKED)), set()),
    ],
    "sent_twice_is_one": [
        ("right", page(NAMED, "let on = 0;" + PRESSED.format(act=LATER.format(guard="if (on) return; on = 1;", free="on = 0;"))), {"held"}),
        ("faulty", page(FORM, SENT.format(act=LATER.format(guard="", free=""))), {"violated"}),
        ("twin", page(NAMED.replace("Add item", "Add"), PRESSED.format(act="add(n.value);")), {"explained"}),
        ("twin", page(FORM, SENT.format(act=CLEARED.replace("n.value = ''", "add(`Added: ${text}`); n.value = ''"))), {"held"}),
    ],
    "enter_sends_too": [
        ("right", page(FORM, SENT.format(act=CLEARED)), {"held"}),
        ("faulty", page(NAMED, PRESSED.format(act=CLEARED)), {"violated"}),
        ("twin", page(NAMED, PRESSED.format(act="e.textContent = 'Full';")), {"explained"}),
    ],
    "required_is_required": [
        ("right", page(REQUIRED, SENT.format(act="if (!n.value || !o.value) { e.textContent = 'Fill in all fields'; return; } add(n.value);")), {"held"}),
        ("faulty", page(REQUIRED, SENT.format(act="add(n.value);")), {"violated"}),
        ("twin", page(REQUIRED.replace("Owner *", "Owner"), SENT.format(act="add(n.value);")), set()),
    ],
    "blank_is_refused": [
        ("right", page(FORM, SENT.format(act=CLEARED)), {"held"}),
        ("faulty", page(FORM, SENT.format(act="add(n.value); n.value = '';")), {"violated"}),
        ("twin", page(FORM, SENT.format(act="add(n.value.trim() || 'Untitled');")), {"held"}),
    ],
    "bounds_hold": [
        (
            "right",
            page(RANGE, SENT.format(act="if (!f.checkValidity()) { e.textContent = 'From 1 to 20 seats'; return; } add(`${n.value}: ${s.value}`);")),
            {"held"},
        ),
        ("faulty", page(RANGE, SENT.format(act="add(`${n.value}: ${s.value}`);")), {"violated"}),
        ("twin", page(RANGE, SENT.format(act="add(`${n.value}: ${Math.min(20, Math.max(1, s.value))}`);")), {"held"}),
    ],
    "nonsense_is_refused": [
        (
            "right",
            page(RANGE.replace("min=1 max=20", "").replace("Seats", "Number of guests"), SENT.format(act="if (s.value < 1) { e.textContent = 'At least one'; return; } add(`${n.value}: ${s.value}`);")),
            {"held"},
        ),
        ("faulty", page(RANGE.replace("min=1 max=20", "").replace("Seats", "Quantity"), SENT.format(act="add(`${n.value}: ${s.value}`);")), {"violated"}),
        ("twin", page(RANGE.replace("min=1 max=20", "").replace("Seats", "Temperature"), SENT.format(act="add(`${n.value}: ${s.value}`);")), set()),
    ],
    "names_are_unique": [
        (
            "right",
            page(CATEGORY, PRESSED.format(act="if (list.innerText.includes(n.value)) { e.textContent = 'There is one'; return; } add(n.value);")),
            {"held"},
        ),
        ("faulty", page(CATEGORY, PRESSED.format(act="add(n.value);")), {"violated"}),
        ("twin", page(CATEGORY, "let many = 0;" + PRESSED.format(act="many += 1; add(many > 1 ? `${n.value} (${many})` : n.value);")), {"held"}),
        ("twin", page(NAMED.replace("Add item", "Add task"), PRESSED.format(act="add(n.value);")), set()),
    ],
    "corrected_is_accepted": [
        ("right", page(NAMED, PRESSED.format(act="if (!n.value) { e.textContent = 'A name, please'; return; } e.textContent = ''; add(n.value);")), {"held"}),
        ("faulty", page(NAMED, "let bad = 0;" + PRESSED.format(act="bad ||= !n.value; if (bad) { e.textContent = 'A name, please'; return; } add(n.value);")), {"violated"}),
        ("twin", page(NAMED, PRESSED.format(act="e.textContent = 'Only members may add items';")), {"explained"}),
    ],
    "cancel_changes_nothing": [
        ("right", page(CANCEL, "c.onclick = () => c.parentElement.remove();"), {"held"}),
        ("faulty", page(CANCEL, "c.onclick = () => { list.children[0].textContent = n.value; c.parentElement.remove(); };"), {"violated"}),
        ("twin", page(CANCEL.replace("Cancel", "Done"), "c.onclick = () => { list.children[0].textContent = n.value; c.parentElement.remove(); };"), set()),
    ],
}  # fmt: skip
ALL = [(name, which, html, wanted) for name, cases in CASES.items() for which, html, wanted in cases]


@pytest.mark.parametrize(
    ("name", "which", "html", "wanted"), ALL, ids=[f"{name}-{which}-{at}" for at, (name, which, *_) in enumerate(ALL)]
)
async def test_it_accuses_just_the_page_that_does_wrong(name: str, which: str, html: str, wanted: set[str], bench: Bench) -> None:
    """All that its trials come to."""
    found = set(await bench.tried(name, html))
    assert found == wanted or (which == "faulty" and "violated" in found), bench.told()


WIZARD = """<h1>Booking</h1><form id=f><div id=one><label>Name <input id=n></label><label>City <input id=t></label></div>
<div id=two style="display:none"><label>Remarks <input id=m></label></div>
<button type=button id=k style="display:none">Back</button> <button id=x>Next</button></form><script>
let step = 1; const show = () => {{ one.style.display = step === 1 ? "" : "none"; two.style.display = k.style.display = step === 2 ? "" : "none";
  x.textContent = step === 1 ? "Next" : "Confirm"; }};
f.onsubmit = (event) => {{ event.preventDefault(); step = 2; show(); }}; k.onclick = () => {{ {back} step = 1; show(); }}; {start} show();</script>"""


@pytest.mark.parametrize(
    ("back", "start", "wanted"),
    [("", "", ["held"]), ("f.reset();", "", ["violated"]), ("f.reset();", None, [])],
    ids=["right", "faulty", "unseen"],
)
async def test_a_step_back_keeps_what_was_typed(back: str, start: str | None, wanted: list[str], bench: Bench) -> None:
    """That there is a way back is known once the second step was seen; before, nothing is tried."""
    html = WIZARD.format(back=back, start="")
    seen = [WIZARD.format(back=back, start="step = 2;")] if start is not None else []
    assert await bench.tried("back_keeps", html, seen=seen) == wanted, bench.told()


EDITING = (
    "<h1>Notes</h1><ul><li>Rope ladder</li></ul><form id=f><label>Name <input id=n value=Rope></label><button>Save</button> "
    "<button type=button id=c>Cancel</button></form><script>f.onsubmit = (event) => event.preventDefault(); c.onclick = () => f.remove();"
    "{key}</script>"
)
BY_KEY = "onkeydown = (event) => { if (event.key === 'Escape') f.remove(); };"
ASKED_ESCAPE = "A list of notes. Keyboard: Enter saves, Escape cancels editing."


@pytest.mark.parametrize(
    ("html", "brief", "wanted"),
    [
        (EDITING.format(key=BY_KEY), ASKED_ESCAPE, ["held"]),
        (EDITING.format(key=""), ASKED_ESCAPE, ["violated"]),
        (EDITING.format(key="").replace("f.remove()", "n.value = 'Rope'"), ASKED_ESCAPE, ["explained"]),
        (EDITING.format(key=""), "A list of notes. Keyboard: Enter saves, Escape clears the search.", []),
        (EDITING.format(key=""), "A list of notes that can be edited.", []),
    ],
    ids=["it does", "it does not", "nor does its button", "Escape is for something else", "nobody asked for it"],
)
async def test_escape_cancels_editing_where_that_is_asked_for(tryout: Tryout, html: str, brief: str, wanted: list[str]) -> None:
    """As the form's own button does."""
    records = await tryout.tried("escape_cancels", html, brief=brief)
    assert [record.result for record in records] == wanted, told(records)


GATED = (
    "<h1>Allotment</h1><form id=f novalidate><label>Name <input id=n autocomplete=off></label><label>Post code (5 digits) <input id=z inputmode=numeric "
    "maxlength=5 autocomplete=off></label><label><input type=checkbox id=a> I accept the garden rules</label><button id=b disabled>Join</button></form>"
    "<script>f.oninput = () => {{ b.disabled = !({whole}); }}; f.onsubmit = (event) => {{ event.preventDefault(); {act} }};</script>"
)
WHOLE = "n.value.trim().length > 1 && /^[0-9]{5}$/.test(z.value) && a.checked"


@pytest.mark.parametrize(
    ("relation", "html", "wanted"),
    [
        ("opens_when_whole", GATED.format(whole=WHOLE, act=THANKS), ["held"]),
        ("opens_when_whole", GATED.format(whole="false", act=THANKS), ["explained"]),
        ("opens_when_whole", GATED.format(whole=f"{WHOLE} && n.value !== (f.first ??= n.value)", act=THANKS), ["violated"]),
        ("opens_when_whole", GATED.format(whole=WHOLE, act=THANKS).replace(" disabled>", ">"), []),
        ("filled_form_is_answered", GATED.format(whole=WHOLE, act=""), []),
    ],
    ids=["opens", "never opens", "not for the first name", "is open", "is not sent before"],
)
async def test_a_form_that_is_closed_until_it_is_whole(tryout: Tryout, relation: str, html: str, wanted: list[str]) -> None:
    """It is filled with what it asks for, what has to be agreed to is; that it never opens accuses nobody."""
    records = await tryout.tried(relation, html)
    assert [record.result for record in records] == wanted, told(records)


SHIFTS = """<h1>Roster</h1><ul id=list></ul><dialog id=d aria-label="Shift"><h2 id=who></h2><label>Role <select id=r><option>Barista<option>Kitchen<option>Till</select></label>
<label>End <input type=time id=e></label><button id=save>Save</button><button id=no>Cancel</button></dialog><script>
const all = [["Amira", "Barista", "15:00"], ["Ben", "Kitchen", "17:30"], ["Elena", "Till", "16:00"]]; let at = 0; const show = () => {{ list.innerHTML = "";
  all.forEach((one, i) => {{ const li = document.createElement("li"); li.innerHTML = `<span>${{one[0]}}</span> <span>${{one[1]}}</span> <span>${{one[2]}}</span> <button>Change</button>`;
    li.querySelector("button").onclick = () => {{ at = i; who.textContent = one[0]; r.value = one[1]; e.value = one[2]; {opens} d.showModal(); }}; list.append(li); }}); }};
const keep = () => {{ all[at] = [all[at][0], r.value, e.value]; }}; save.onclick = () => {{ keep(); d.close(); show(); }};
no.onclick = () => {{ {cancels} d.close(); show(); }}; show();</script>"""


@pytest.mark.parametrize(
    ("opens", "cancels", "wanted"),
    [
        ("", "", ["held", "held"]),
        ("", "keep();", ["held", "violated"]),
        ("", "all.splice(at, 1);", ["violated", "violated"]),
        ("li.remove();", "", []),
    ],
    ids=["right", "saves", "removes", "the item is in the dialog"],
)
async def test_a_cancelled_dialog_leaves_what_is_behind_it(tryout: Tryout, opens: str, cancels: str, wanted: list[str]) -> None:
    """As it came up, and with another role; where its coming up changed the list nothing is known of what cancelling should."""

    def change(page: PageModel) -> Act:
        return Press(target=Target.of(page.buttons[-1], page))

    records = await tryout.tried("cancel_changes_nothing", html("Roster", SHIFTS.format(opens=opens, cancels=cancels)), change)
    assert [record.result for record in records] == wanted, told(records)


NOTED = """<h1>Manual</h1><button id=add>Add note</button><ol id=list><li>Unpack the box.</li><li>Plug it in.</li><li>Switch it on.</li></ol>
<div id=box></div><script>const first = list.children[0]; add.onclick = () => { first.textContent += " A note is written."; add.hidden = true;
box.innerHTML = "<div><label>Note <textarea id=n></textarea></label></div><div><button id=c>Cancel</button> <button>Save note</button></div>";
c.onclick = () => { first.textContent = "Unpack the box."; KEPT box.innerHTML = ""; add.hidden = false; }; };</script>"""


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [("", "held"), ("const li = document.createElement('li'); li.textContent = n.value; list.append(li);", "violated")],
    ids=["right", "faulty"],
)
async def test_what_came_up_with_a_form_goes_with_it(tryout: Tryout, kept: str, wanted: str) -> None:
    """A line of a list says so while a note to it is open; that it says so no more is no harm done by the cancelling."""
    records = await tryout.tried(
        "cancel_changes_nothing",
        html("Manual", NOTED.replace("KEPT", kept)),
        lambda page: Press(target=Target.of(page.buttons[0], page)),
    )
    assert {record.result for record in records} == {wanted}, told(records)


BAR = """<section><div><h1>Transactions</h1><button id=add>Add transaction</button></div>
<div><div><input id=q placeholder="FIRST"></div><div><label>From <input type=date id=f></label> <label>To <input type=date id=t></label></div></div>
<ul id=list><li>Rent</li><li>Bread</li><li>Tram</li></ul></section>
<dialog id=d aria-label="Add transaction"><label>Payee <input id=p></label><button id=save>Save</button></dialog>
<script>add.onclick = () => { OPENS };
save.onclick = () => { const li = document.createElement("li"); li.textContent = p.value; list.append(li); d.close(); };</script>"""


@pytest.mark.parametrize(
    ("first", "opens", "wanted"),
    [
        ("Search transactions...", "d.showModal();", []),
        ("Payee or note", "d.showModal();", ["cannot tell"]),
        ("Payee or note", "d.show();", ["cannot tell"]),
        ("Payee or note", "q.value = '';", ["violated"]),
    ],
    ids=["a search", "a dialog comes up", "one that does not say it is modal", "what was typed is lost"],
)
async def test_a_row_of_filters_beside_a_button_that_adds(tryout: Tryout, first: str, opens: str, wanted: list[str]) -> None:
    """What is typed into filters is no part of what the button adds: it opens the form for that."""
    records = await tryout.tried("added_item_appears", html("Transactions", BAR.replace("FIRST", first).replace("OPENS", opens)))
    assert [record.result for record in records] == wanted, told(records)
