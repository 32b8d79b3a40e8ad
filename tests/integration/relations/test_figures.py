"""Relations on figures: what is reckoned, counted and shown."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench
from tests.integration.relations.pages import html
from tests.integration.relations.tryout import Lead, Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Choose, Fill, FillForm, Press

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

RECKON = """<h1>Fares</h1><label>Distance <input id=x inputmode=decimal value=3></label>
<p>Fare: <output id=y></output></p><p id=e role=alert></p><script>
let rate = 2.5; const show = () => {{ e.textContent = ""; const v = {read}; {guard} y.textContent = {write}; }};
x.oninput = show; show();</script>"""


def fares(read: str = "Number(x.value)", guard: str = "", write: str = "v * rate") -> str:
    """A field and what is reckoned from it."""
    return RECKON.format(read=read, guard=guard, write=write)


TWO = """<h1>Rope</h1><label>Metres <input id=m value=2></label><label>Feet <input id=f value=6.562></label><script>
m.oninput = () => {{ f.value = {there}; }}; f.oninput = () => {{ m.value = {back}; }};</script>"""
UNITS = """<h1>Weights</h1><label>Amount <input id=x inputmode=decimal value=3></label>
<label>From <select id=a><option>kg<option>g</select></label><label>To <select id=b><option>kg<option selected>g</select></label>
<p>Result: <b id=r></b></p><script>const size = {{ kg: 1000, g: 1 }};
const show = () => {{ r.textContent = {rule}; }}; for (const one of [x, a, b]) one.oninput = show; show();</script>"""
GUARD = "if (!x.value) { y.textContent = '0'; return; }"
LEDGER = """<h1>Shelf</h1><p>Books: <b id=many></b></p><p>{second}</p>
<div><label>Title <input id=n></label><button id=b>Add book</button></div><ul id=list></ul><script>
let all = ["Moby-Dick", "Emma", "Ulysses"]; const count = () => {{ many.textContent = all.length; {also} }};
const draw = () => {{ list.innerHTML = ""; all.forEach((text, i) => {{ const li = document.createElement("li");
  li.innerHTML = "<span></span> <button>Delete</button>"; li.firstChild.textContent = text;
  li.querySelector("button").onclick = () => {{ all.splice(i, 1); draw(); {deleted} }}; list.append(li); }}); }};
b.onclick = () => {{ if (!n.value) return; all.push(n.value); n.value = ""; draw(); {added} }}; draw(); count();</script>"""


def shelf(added: str = "count();", deleted: str = "count();", second: str = "", also: str = "") -> str:
    """A list with its count."""
    return LEDGER.format(added=added, deleted=deleted, second=second, also=also)


COSTS = """<h1>Costs</h1><p>Average per expense: <b id=mean></b></p><p>Number: <b id=many></b></p>
<div><label>What <input id=n></label><label>Euros <input id=e inputmode=decimal></label><button id=b>Add expense</button></div>
<table><thead><tr><th>What</th><th>Amount</th></tr></thead><tbody id=list></tbody></table><script>
let all = [["Bread", 3.5], ["Ticket", 12.25], ["Soap", 2.4]]; const draw = () => {{
  list.innerHTML = all.map(([what, sum]) => `<tr><td>${{what}}</td><td>€${{sum.toFixed(2)}}</td></tr>`).join("");
  many.textContent = all.length; mean.textContent = "€" + ({rule}).toFixed(2); }};
b.onclick = () => {{ if (!n.value || !Number(e.value)) return; all.push([n.value, Number(e.value)]); n.value = e.value = ""; draw(); }}; draw();</script>"""
BOXES = """<h1>Jobs</h1><p>Showing <b id=many></b> jobs</p><div><label>Job <input id=n></label><button id=b>Add job</button></div><ul id=list></ul><script>
const all = ["Baker", "Cooper", "Miller"]; const draw = () => {{ many.textContent = {rule};
  list.innerHTML = all.map((one) => `<li><label><input type=checkbox> ${{one}}</label></li>`).join(""); }};
b.onclick = () => {{ if (n.value) all.push(n.value); n.value = ""; draw(); }}; list.onchange = () => {{ many.textContent = {rule}; }}; draw();</script>"""
SUM = "all.reduce((sum, one) => sum + one[1], 0)"
LOAN = """<h1>Home</h1><label>Price <input type=range id=p min=100 max=900 value=300></label> <output id=po>300</output>
<label>Paid at once <input type=range id=d min=0 max=90 value=20></label> <output id=do>20</output><p>Monthly: <b id=m></b></p><script>
const show = () => {{ po.textContent = p.value; {label} m.textContent = "€" + ((p.value - {used}) * 4.1).toFixed(2); }};
p.oninput = d.oninput = show; show();</script>"""
LABEL = 'document.getElementById("do").textContent = d.value;'
KEYS = """<h1>Calc</h1><div id=shown>0</div><div id=keys></div><script>
let text = "", done = false;
const press = (key) => {{ if (key === "C") text = ""; else if (key === "=") {{ {equals} }} else {{ {key} text += key; }} done = key === "="; shown.textContent = text || "0"; }};
for (const key of "{all}") {{ const b = document.createElement("button"); b.textContent = key; b.onclick = () => press(key); keys.append(b); }}</script>"""
ANEW = "if (done && /[0-9]/.test(key)) text = '';"
EDITS = "if (key === '⌫') { text = text.slice(0, -1); key = ''; } if (key === '±') { text = text.startsWith('-') ? text.slice(1) : '-' + text; key = ''; }"
WORKS = "const v = eval(text); text = Number.isFinite(v) ? String(v) : 'Not defined';"
CASES: dict[str, list[tuple[str, str, tuple[str, ...], set[str]]]] = {
    "nothing_leaks": [
        ("right", "<p>Total: 12</p>", (), set()),
        ("faulty", "<p>Total: NaN</p>", (), {"violated"}),
        ("twin", "<h1>Quiz</h1><p>What is typeof x?</p><ul><li>undefined</li><li>NaN</li><li>null</li></ul>", (), {"cannot tell"}),
    ],
    "input_makes_sense": [
        ("right", fares(guard=GUARD), (), {"held"}),
        ("faulty", fares(read="parseFloat(x.value)"), (), {"violated"}),
        ("twin", fares(read="parseFloat(x.value)", write="Number.isNaN(v) ? '–' : v * rate"), (), {"held"}),
    ],
    "same_input_same_result": [
        ("right", fares(), ("input_makes_sense",), {"held"}),
        ("faulty", fares(guard="if (v === 5) rate = 3;", read="Number(x.value)").replace("value=3", "value=9"), ("input_makes_sense",), {"violated"}),
        ("twin", fares(write="v * 10 + Math.random()"), ("input_makes_sense",), set()),
    ],
    "law_holds": [
        ("right", fares(), ("input_makes_sense",), {"held"}),
        ("faulty", fares(read="parseInt(x.value || 0)"), ("input_makes_sense",), {"violated"}),
        ("twin", fares(guard="if (v % 1) { e.textContent = 'Whole kilometres only'; y.textContent = 0; return; }"), ("input_makes_sense",), {"explained"}),
    ],
    "there_and_back": [
        ("right", TWO.format(there="(m.value * 3.281).toFixed(3)", back="(f.value / 3.281).toFixed(3)"), ("input_makes_sense",), {"held"}),
        ("faulty", TWO.format(there="(m.value * 3.281).toFixed(3)", back="(f.value / 3.5).toFixed(3)"), ("input_makes_sense",), {"violated"}),
        ("twin", TWO.format(there="Math.round(m.value * 3.281)", back="Math.round(f.value / 3.281)"), ("input_makes_sense",), {"held"}),
        ("right", UNITS.format(rule="x.value * size[a.value] / size[b.value]"), ("input_makes_sense",), {"held"}),
        ("faulty", UNITS.format(rule="x.value * 1000"), ("input_makes_sense",), {"violated"}),
    ],
    "totals_follow": [
        ("right", shelf(), ("added_item_appears",), {"held"}),
        ("faulty", shelf(deleted=""), ("added_item_appears",), {"violated"}),
        ("twin", shelf(added="many.textContent = 3;", deleted="many.textContent = 3;"), ("added_item_appears",), set()),
        # With no box on, nobody knows whether it is the number of all or of those that are left.
        ("twin", BOXES.format(rule="all.length"), ("added_item_appears",), set()),
        ("twin", BOXES.format(rule="all.length - list.querySelectorAll(':checked').length"), ("added_item_appears",), set()),
    ],
    "same_fact_same_value": [
        ("right", shelf(second="Books: <b id=also>3</b>", also="also.textContent = all.length;"), ("added_item_appears",), {"held"}),
        ("twin", shelf(second="Read books: <b id=also>3</b>"), ("added_item_appears",), set()),
    ],
    "average_agrees": [
        ("right", COSTS.format(rule=f"{SUM} / all.length"), ("added_item_appears",), {"held"}),
        ("faulty", COSTS.format(rule=f"{SUM} / (all.length - 1)"), ("added_item_appears",), {"violated"}),
        ("twin", COSTS.format(rule="4.5"), ("added_item_appears",), set()),
        ("twin", COSTS.format(rule=f"{SUM} / 30").replace("per expense", "per day"), ("added_item_appears",), set()),
    ],
    "keypad_calculates": [
        ("right", KEYS.format(all="0123456789.+-*/=C", equals=WORKS, key=ANEW), (), {"held"}),
        ("faulty", KEYS.format(all="0123456789.+-*/=C", equals=WORKS, key=""), (), {"violated"}),
        ("twin", KEYS.format(all="0123456789*+", equals="", key=""), (), set()),
    ],
    "keypad_corrects": [
        ("right", KEYS.format(all="0123456789.+-*/=C⌫±", equals=WORKS, key=EDITS), ("keypad_calculates",), {"held"}),
        ("faulty", KEYS.format(all="0123456789.+-*/=C⌫±", equals=WORKS, key=EDITS.replace("slice(0, -1)", "slice(1)")), ("keypad_calculates",), {"violated"}),
        ("faulty", KEYS.format(all="0123456789.+-*/=C⌫±", equals=WORKS, key=EDITS.replace("'-' +", "'' +")), ("keypad_calculates",), {"violated"}),
        ("faulty", KEYS.format(all="0123456789.+-*/=C", equals=WORKS, key="").replace('if (key === "C") text = "";', 'if (key === "C") {}'), ("keypad_calculates",), {"violated"}),
        ("twin", KEYS.format(all="0123456789⌫", equals="", key=EDITS), (), set()),
        ("twin", KEYS.format(all="0123456789.+-*/=C±", equals=WORKS, key="if (key === '±') { text = '(-' + text + ')'; key = ''; }"), ("keypad_calculates",), {"held"}),
    ],
}  # fmt: skip
ALL = [(name, *case) for name, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(
    ("name", "which", "html", "before", "wanted"), ALL, ids=[f"{item[0]}-{item[1]}-{at}" for at, item in enumerate(ALL)]
)
async def test_it_accuses_just_the_page_that_reckons_wrong(
    name: str, which: str, html: str, before: tuple[str, ...], wanted: set[str], bench: Bench
) -> None:
    """All that its trials come to, once the page has shown what it does."""
    found = set(await bench.tried(name, html, before=before))
    assert found == wanted or (which == "faulty" and "violated" in found), bench.told()


async def test_two_figures_of_one_fact_that_part_are_told(bench: Bench) -> None:
    """They agreed for three books and for four, and do not now."""
    seen = [
        shelf(second=f"Books: <b id=also>{many}</b>").replace('"Ulysses"', names) for many, names in ((2, ""), (3, '"Ulysses"'))
    ]
    seen = [item.replace('"Emma", ]', '"Emma"]') for item in seen]
    found = await bench.tried("same_fact_same_value", shelf(second="Books: <b id=also>5</b>"), seen=seen)
    assert found == ["violated"], bench.told()


def setting(name: str, value: str) -> Lead:
    """The act that sets a slider."""

    def lead(page: PageModel) -> Act:
        field = next(item for item in page.fields if item.name.startswith(name))
        return Fill(target=Target.of(field, page), value=value)

    return lead


@pytest.mark.parametrize(
    ("used", "label", "leads", "wanted"),
    [
        ("d.value", LABEL, (setting("Price", "700"),), {"held"}),
        ("20", LABEL, (setting("Price", "700"),), {"violated"}),
        ("20", "", (setting("Price", "700"),), {"violated"}),
        ("20", LABEL, (), {"explained"}),
    ],
    ids=["right", "changes its label only", "changes nothing", "no other one was seen to"],
)
async def test_a_slider_governs_what_its_neighbours_do(
    tryout: Tryout, used: str, label: str, leads: tuple[Lead, ...], wanted: set[str]
) -> None:
    """Its own value beside it does not count."""
    records = await tryout.tried("field_governs", html("Loan", LOAN.format(label=label, used=used)), *leads)
    assert {record.result for record in records if "Paid" in record.trial.why} == wanted, told(records)


PREFERENCES = """<h1>Preferences</h1><p>Rooms of 700 houses</p><p>Price level: <b id=a>500</b></p><p>Text size: <b id=b>14</b></p>
<label>Price <input type=range id=p min=100 max=900 value=500></label> <label>Size <input type=range id=s min=10 max=40 value=14></label>
<script>p.oninput = () => { a.textContent = p.value; }; s.oninput = () => { b.textContent = s.value; };</script>"""


async def test_a_number_that_stands_elsewhere_all_the_time_follows_from_nothing(tryout: Tryout) -> None:
    """Of two sliders that only show what they are set to neither is held against the other: they count once they are saved."""
    records = await tryout.tried("field_governs", html("Preferences", PREFERENCES), setting("Price", "700"))
    assert records
    assert "violated" not in {record.result for record in records}, told(records)


def adding(what: str, sum_: str) -> Lead:
    """The act that fills the form and sends it."""

    def lead(page: PageModel) -> Act:
        fills = tuple(
            Fill(target=Target.of(field, page), value=value) for field, value in zip(page.fields, (what, sum_), strict=True)
        )
        return FillForm(fills=fills, submit=Target(kind="buttons", name="Add expense"))

    return lead


SPENT = html(
    "Costs",
    """<h1>Costs</h1><p>Total: <b id=sum></b></p><div><label>What <input id=n></label><label>Euros <input id=e inputmode=decimal></label><button id=b>Add expense</button></div>
<table><thead><tr><th>What</th><th>Amount</th><th></th></tr></thead><tbody id=list></tbody></table>""",
    """let all = [["Bread", 3.5], ["Ticket", 12.25], ["Soap", 2.4]]; const total = () => { sum.textContent = "€" + all.reduce((s, one) => s + one[1], 0).toFixed(2); };
const draw = () => { list.innerHTML = all.map(([what, sum]) => `<tr><td>${what}</td><td>€${sum.toFixed(2)}</td><td><button>Remove</button></td></tr>`).join("");
  list.querySelectorAll("button").forEach((one, i) => { one.onclick = () => { all.splice(i, 1); draw(); AFTER }; }); };
b.onclick = () => { if (!n.value || !Number(e.value)) return; all.push([n.value, Number(e.value)]); n.value = e.value = ""; draw(); total(); }; draw(); total();""",
)


def removing(page: PageModel) -> Press:
    """Press the first of the buttons that remove."""
    return Press(target=Target.of(next(button for button in page.buttons if button.name.startswith("Remove")), page))


@pytest.mark.parametrize(
    ("after", "wanted"), [("total();", {"held"}), ("", {"held", "violated"})], ids=["right", "left as it was"]
)
async def test_a_total_that_was_left_as_it_was_once_is_still_the_lists(tryout: Tryout, after: str, wanted: set[str]) -> None:
    """Somebody removed an item before two states agreed."""
    leads = (removing, adding("Rope", "8.25"), adding("Lamp", "5.15"), removing, adding("Tea", "4.4"))
    records = await tryout.tried("totals_follow", SPENT.replace("AFTER", after), *leads)
    assert {record.result for record in records} == wanted, told(records)


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("all.length", {"explained"}),
        ("all.length - list.querySelectorAll(':checked').length", {"held"}),
        ("all.length + list.querySelectorAll(':checked').length", {"violated"}),
    ],
    ids=["of all", "of what is left", "of neither"],
)
async def test_a_count_is_of_all_or_of_what_is_left(tryout: Tryout, rule: str, wanted: set[str]) -> None:
    """With no box on it was both; with one on it must be one of them."""

    def added(page: PageModel) -> Act:
        fills = (Fill(target=Target.of(page.fields[0], page), value="Sawyer"),)
        return FillForm(fills=fills, submit=Target(kind="buttons", name="Add job"))

    def ticked(page: PageModel) -> Act:
        return Press(target=Target.of(page.toggles[0], page))

    records = await tryout.tried("totals_follow", html("Jobs", BOXES.format(rule=rule)), added, ticked)
    assert {record.result for record in records} == wanted, told(records)


@pytest.mark.parametrize("shown", ["All", "Small"])
async def test_an_average_of_all_is_not_asked_of_a_narrowed_list(tryout: Tryout, shown: str) -> None:
    """The figure moves with the narrowed list, too; what it is the average of shows only in the whole one."""
    tabs = """<div role=tablist><button role=tab aria-selected=true>All</button><button role=tab aria-selected=false>Small</button>
    </div><script>const tabs = [...document.querySelectorAll("[role=tab]")]; let small = false;
    for (const tab of tabs) tab.onclick = () => { small = tab.textContent === "Small"; draw();
      for (const one of tabs) one.ariaSelected = one === tab; };</script><div>"""
    page = COSTS.format(rule=f"{SUM} / all.length").replace("<div>", tabs, 1)
    page = page.replace("= all.map(", "= all.filter(([, sum]) => !small || sum < 5).map(")

    def narrowed(page: PageModel) -> Act:
        return Press(target=Target(kind="choices", name=shown))

    records = await tryout.tried("average_agrees", html("Costs", page), narrowed, adding("Milk", "1.5"), adding("Jam", "4.2"))
    assert {record.result for record in records} == ({"held"} if shown == "All" else set()), told(records)


TRAINER = """<h1>Trainer</h1><p style="font-size:3em" id=time></p><p id=round></p><div style="height:160px"></div>
<div><label>Work <input id=w type=number min=5 max=300 value=20></label><label>Rest <input id=r type=number min=5 max=300 value=10></label>
<label>Rounds <input id=n type=number min=1 max=30 value=8></label></div><script>
const show = () => { time.textContent = `${w.value} s, then ${r.value} s of rest`; round.textContent = `Round 1 of ${n.value}`; };
for (const one of [w, r, n]) one.onchange = show; show();</script>"""


def typed(*values: str) -> Lead:
    """The act that fills all fields at once."""

    def lead(page: PageModel) -> Act:
        fills = (Fill(target=Target.of(field, page), value=value) for field, value in zip(page.fields, values, strict=True))
        return FillForm(fills=tuple(fills))

    return lead


@pytest.mark.parametrize("relation", ["there_and_back", "field_governs"])
async def test_fields_that_are_filled_together_do_not_follow_each_other(tryout: Tryout, relation: str) -> None:
    """They were seen to be others at the same time, for a whole form was filled; and what tells of a number far off is an answer."""
    leads = (typed("30", "15", "5"), typed("45", "12", "6"), setting("Work", "50"), setting("Rest", "20"))
    records = await tryout.tried(relation, html("Trainer", TRAINER), *leads)
    assert "violated" not in {record.result for record in records}, told(records)


SIZES = """<h1>Life</h1><canvas id=c width=300 height=200></canvas><div><label>Width <input id=w type=number min=4 max=40 value=16></label>
<label>Height <input id=h type=number min=4 max=40 value=12></label></div><div id=d {dialog}><h1>Life</h1><div><label>Cycle
<input id=n type=number min=1 max=20 value=9></label><button>Save as a file</button></div></div><script>
const pen = c.getContext("2d"); let at = 0; {moves}
w.onchange = h.onchange = () => {{ {follows} }};</script>"""
DRAWS = "pen.fillRect(0, 0, w.value * 5, h.value * 5);"
MOVES = "setInterval(() => { pen.clearRect(0, 0, 300, 200); pen.fillRect(at = (at + 7) % 280, 40, 20, 20); }, 50);"


@pytest.mark.parametrize(
    ("moves", "follows", "dialog"),
    [("", DRAWS, ""), (MOVES, "", ""), (MOVES, "", "role=dialog style='position:fixed;inset:120px;background:#fff'")],
    ids=["another form", "a game moves", "in a dialog"],
)
async def test_a_number_is_held_against_those_of_its_own_form(tryout: Tryout, moves: str, follows: str, dialog: str) -> None:
    """Which cycle is saved shows in the file; that the numbers beside the drawing govern it, or that it moves, tells nothing."""
    page = SIZES.format(moves=moves, follows=follows, dialog=dialog)
    leads = () if dialog else (setting("Width", "30"), setting("Height", "20"))
    records = await tryout.tried("field_governs", html("Life", page), *leads)
    assert "violated" not in {record.result for record in records}, told(records)


SHOWN = """<h1>Swing</h1><p>Angle: <b>40°</b></p><p>Swings: <b>3</b></p><h2>Records</h2><table aria-label=Records><tr><th>Day</th><th>Angle</th></tr>
<tr><td>Monday</td><td>20°</td></tr><tr><td>Tuesday</td><td>{last}</td></tr></table><button>Go</button>"""


@pytest.mark.parametrize(
    ("last", "brief", "wanted"),
    [
        ("30°", "A pendulum. Show the angle. Show the records.", ["held", "held"]),
        ("undefined", "A pendulum. Show the angle. Show the records.", []),
        ("undefined", "A pendulum. Show the distance.", []),
        ("undefined", "", []),
    ],
    ids=["shown", "nothing leaks accuses it", "another thing", "nobody asked"],
)
async def test_what_the_brief_wants_shown_makes_sense(tryout: Tryout, last: str, brief: str, wanted: list[str]) -> None:
    """Figures and lists that the brief names; what it does not name is for other relations."""
    records = await tryout.tried("asked_makes_sense", html("Swing", SHOWN.format(last=last)), brief=brief)
    assert [record.result for record in records] == wanted, told(records)


TYPES = 'addEventListener("keydown", (event) => { if ("0123456789.+-*/=".includes(event.key)) press(event.key); });</script>'
ENTERS = TYPES.replace("/=", "/").replace("press(event.key);", 'press(event.key); if (event.key === "Enter") press("=");')
CALCULATOR = KEYS.format(all="0123456789.+-*/=C", equals=WORKS, key=ANEW)
KEYBOARD, ZERO = "A calculator. The keyboard works too.", "A calculator. Dividing by zero should say Error."


@pytest.mark.parametrize(
    ("name", "page", "brief", "wanted"),
    [
        ("keypad_by_keyboard", CALCULATOR.replace("</script>", TYPES), KEYBOARD, {"explained"}),
        ("keypad_by_keyboard", CALCULATOR.replace("</script>", ENTERS), KEYBOARD, {"held"}),
        ("keypad_by_keyboard", CALCULATOR, KEYBOARD, {"violated"}),
        ("zero_is_told", CALCULATOR.replace("'Not defined'", "'Error'"), ZERO, {"held"}),
        ("zero_is_told", CALCULATOR.replace("'Not defined'", "'∞'"), ZERO, {"held"}),
        ("zero_is_told", CALCULATOR.replace("Number.isFinite(v) ? String(v) : 'Not defined'", "String(v)"), ZERO, {"violated"}),
        ("zero_is_told", CALCULATOR.replace("'Not defined'", "'0'"), ZERO, {"violated"}),
    ],
)  # fmt: skip
async def test_what_a_brief_asks_of_a_calculator(name: str, page: str, brief: str, wanted: set[str], tryout: Tryout) -> None:
    """The keyboard, and a word where nothing can be reckoned."""
    records = await tryout.tried(name, html("Calculator", page), brief=brief)
    assert {record.result for record in records} == wanted, told(records)
    assert all(record.trial.requirements for record in records)


def quote(rows: str, total: str) -> str:
    """A quote with the nets of its rows and that of all."""
    lines = "".join(f"<div><label>What <input value=Oak></label> <span>Net: <b>£{row}</b></span></div>" for row in rows.split())
    return f"<h1>Quote</h1>{lines}<p>Net: <b>£{total}</b></p>"


@pytest.mark.parametrize(
    ("now", "wanted"),
    [(quote("225.00 555.00", "780.00"), []), (quote("225.00", "780.00"), ["violated"])],
    ids=["of two rows", "of one"],
)
async def test_the_sum_of_one_row_is_that_of_all_only_while_there_is_one(bench: Bench, now: str, wanted: list[str]) -> None:
    """They were the same while there was but one."""
    seen = (quote("225.00", "225.00"), quote("390.00", "390.00"))
    found = await bench.tried("same_fact_same_value", now, seen=seen)
    assert found == wanted, bench.told()


SORTED = """<h1>Trips</h1><label>Sort by <select id=by>{options}</select></label><ul id=list></ul><script>
const trips = [["Aachen", 9], ["Bonn", 114], ["Celle", 38], ["Diez", 6], ["Essen", 73], ["Fulda", 24], ["Gera", 8]];
const ways = {{ "Name": (a, b) => a[0] < b[0] ? -1 : 1, "Longest trip first": (a, b) => {rule} }};
const draw = () => {{ list.innerHTML = trips.toSorted(ways[by.value]).map(([to, km]) => `<li><b>${{to}}</b> <span>${{km}} km</span></li>`).join(""); }};
by.onchange = draw; draw();</script>"""


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [("b[1] - a[1]", []), ("String(a[1]) < String(b[1]) ? 1 : -1", ["violated"])],
    ids=["by value", "by letters"],
)
async def test_what_is_sorted_by_its_letters_is_told(tryout: Tryout, rule: str, wanted: list[str]) -> None:
    """Whatever the option is called that sorts it."""
    page = html("Trips", SORTED.format(options="<option>Name<option>Longest trip first", rule=rule))
    records = await tryout.tried("sorted_by_value", page, choosing_option("Longest trip first"))
    assert [record.result for record in records] == wanted, told(records)


def choosing_option(name: str) -> Lead:
    """The act that chooses it in the page's first choice."""
    return lambda page: Choose(target=Target.of(page.choices[0], page), option=name, how="select")


GOAL = html(
    "Steps",
    """<h1>Steps</h1><p>Daily goal: <b id="shown">8000</b></p><p>Walked: <b>5230</b></p>
<form id="form"><label>Daily goal <input id="goal" type="number" min="100" value="8000"></label> <button>Set goal</button></form><p id="wrong" role="alert"></p>""",
    """form.onsubmit = (event) => { event.preventDefault(); shown.textContent = goal.value; };""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (GOAL, {"held"}),
        (GOAL.replace("shown.textContent = goal.value", "window.kept = goal.value"), {"violated"}),
        (GOAL.replace("shown.textContent = goal.value", 'wrong.textContent = "Please choose a goal below 100."'), {"explained"}),
        (GOAL.replace("Set goal", "Add steps"), set[str]()),
        (GOAL.replace("Daily goal: <b", "Members: <b"), set[str]()),
        (GOAL.replace('type="number"', 'type="text"').replace('value="8000"', 'value="many"'), set[str]()),
    ],
    ids=["shown", "not shown", "refused with a word", "adds", "the same by chance", "no number"],
)
async def test_what_is_set_is_shown(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """The figure of that name follows what is set in its form."""
    records = await tryout.tried("set_is_shown", page)
    assert {record.result for record in records} == wanted, told(records)
