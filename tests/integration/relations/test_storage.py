"""Relations on what is kept: right, faulty, and the app that keeps nothing by design."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench
from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Press

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

TODO = """<h1>Things</h1><form id=f><label>Name <input id=n></label><button>Add item</button></form><ul id=list></ul><script>
const key = "things", read = () => JSON.parse({store}.getItem(key) ?? '[{{"text":"Rope ladder","on":false}},{{"text":"Tent pegs","on":false}}]');
let all = {first};
const save = () => {{ {save} }};
const draw = () => {{ list.innerHTML = ""; all.forEach((one, i) => {{ const li = document.createElement("li");
  li.innerHTML = `<label><input type=checkbox ${{one.on ? "checked" : ""}}> <span></span></label> <button>Delete</button>`;
  li.querySelector("span").textContent = one.text;
  li.querySelector("input").onchange = (event) => {{ one.on = event.target.checked; {ticked} }};
  li.querySelector("button").onclick = () => {{ all.splice(i, 1); {deleted} draw(); }}; list.append(li); }}); }};
f.onsubmit = (event) => {{ event.preventDefault(); if (!n.value.trim()) return; all.push({{ text: n.value.trim(), on: false }}); n.value = ""; {added} draw(); }};
draw();</script>"""
CHIPS = """<h1>Guests</h1><form id=f><label>Name <input id=n></label><button>Add guest</button></form><p role=status id=told></p><div id=list></div><script>
const all = JSON.parse(localStorage.guests ?? '["Ada","Grace"]'); const draw = () => { list.innerHTML = ""; for (const name of all) {
  const chip = document.createElement("button"); chip.ariaPressed = false; chip.textContent = `${name} · Vegan`; list.append(chip); } };
f.onsubmit = (event) => { event.preventDefault(); if (!n.value.trim()) return; all.push(n.value.trim()); told.textContent = `${n.value.trim()} was added`;
  n.value = ""; localStorage.guests = JSON.stringify(all); draw(); }; draw();</script>"""
"""What is added is a button of its own; that it was is told in words that no other tab says."""
SAVE = {
    "first": "read()",
    "save": "{store}.setItem(key, JSON.stringify(all));",
    "ticked": "save();",
    "deleted": "save();",
    "added": "save();",
}


def todo(store: str = "localStorage", **other: str) -> str:
    """A list that is kept in a store; `other` replaces what it does when something is added, ticked, deleted."""
    parts = {**SAVE, **other}
    parts["save"] = parts["save"].replace("{store}", store)
    return TODO.format(store=store, **parts)


STALE = "{store}.setItem(key, JSON.stringify(all.slice(0, 1).concat({ text: String(Math.random()), on: false })));"
NOWHERE = {"added": "", "ticked": "", "deleted": ""}
TOAST = "const told = document.createElement('p'); told.role = 'status'; told.textContent = 'Deleted “' + document.querySelector('li span').textContent + '”. '; told.innerHTML += '<button>Undo</button>'; document.body.append(told);"
"""What was deleted is named for a while, beside an offer to undo it."""
LOG = "localStorage.setItem('seen', Math.random());"
ELSEWHERE = "<script>if (sessionStorage.seen) { f.remove(); list.remove(); } sessionStorage.seen = 1;</script>"
"""After a reload the app shows another view."""
THEME = """<h1>Reader</h1><label>Theme <select id=t><option>Light<option>Dark<option>Sepia</select></label><p>Words.</p><script>
{restore} t.onchange = () => {{ {chosen} }};</script>"""
DEEDS = """<h1>Rocks</h1><style>button { background: #14a; color: #fff } #s.off { background: #ddd; color: #111 }</style>
<div><button>Pause</button><button id=r>Restart</button><button id=s class=off>Sound: off</button></div><p id=o>0 points</p><script>
r.onclick = () => { localStorage.games = 1; o.textContent = "Begun anew"; };</script>"""
NOTE = """<h1>Log book</h1><p id=c></p><textarea id=t aria-label=Notes></textarea><script>
let wait; {restore} t.oninput = () => {{ clearTimeout(wait); wait = setTimeout(() => {{ {stores} }}, 1200); }};</script>"""
BACK, STORED = "t.value = localStorage.note ?? '';", "localStorage.note = t.value;"
LIMIT = NOTE.replace(
    "<textarea id=t aria-label=Notes></textarea>",
    "<label>Monthly limit <input id=t type=number min=100 max=9999 value=300></label>",
)
LIMIT_BACK = "if (localStorage.note) t.value = localStorage.note;"
ASKS = "if (localStorage.note) { const d = document.createElement('dialog'); d.textContent = 'Go on with your notes?'; document.body.append(d); d.showModal(); }"
CASES: dict[str, list[tuple[str, str, set[str]]]] = {
    "added_survives": [
        ("right", todo(), {"held"}),
        ("right", todo("sessionStorage"), {"held"}),
        ("faulty", todo(save=STALE), {"violated"}),
        ("twin", todo(**NOWHERE), {"explained"}),
        ("twin", todo() + ELSEWHERE, {"cannot tell"}),
    ],
    "another_tab_shows_it": [
        ("right", todo(), {"held"}),
        ("faulty", todo(save=STALE), {"violated"}),
        ("right", CHIPS, {"held"}),
        ("twin", todo("sessionStorage"), {"explained"}),
    ],
    "switched_survives": [
        ("right", todo(), {"held"}),
        ("faulty", todo(ticked=LOG), {"violated"}),
        ("twin", todo(**NOWHERE), {"explained", "held"}),
    ],
    "deleted_stays_away": [
        ("right", todo(), {"held"}),
        ("right", todo(deleted="if (!confirm('Delete?')) return; save();"), {"held"}),
        ("faulty", todo(deleted=LOG), {"violated"}),
        ("right", todo(deleted="save();" + TOAST), {"held"}),
        ("faulty", todo(deleted=LOG + TOAST), {"violated"}),
        ("twin", todo(**NOWHERE), {"explained"}),
    ],
    "choice_is_remembered": [
        ("right", THEME.format(restore="t.value = localStorage.theme || 'Light';", chosen="localStorage.theme = t.value;"), {"held"}),
        ("faulty", THEME.format(restore="", chosen="localStorage.theme = t.value;"), {"violated"}),
        ("twin", THEME.format(restore="", chosen="document.body.style.background = t.value;"), {"explained"}),
        ("twin", DEEDS, set()),
    ],
    "written_survives": [
        ("right", NOTE.format(restore=BACK, stores=STORED), {"held"}),
        ("right", NOTE.format(restore="t.value = JSON.parse(sessionStorage.all ?? '{}').note ?? '';", stores="sessionStorage.all = JSON.stringify({ note: t.value });"), {"held"}),
        ("faulty", NOTE.format(restore="", stores=STORED), {"violated"}),
        ("faulty", NOTE.format(restore="t.value = (localStorage.note ?? '').slice(0, 4);", stores=STORED), {"violated"}),
        ("right", LIMIT.format(restore=LIMIT_BACK, stores=STORED), {"held"}),
        ("faulty", LIMIT.format(restore="", stores=STORED), {"violated"}),
        ("twin", LIMIT.format(restore="", stores=""), {"explained"}),
        ("twin", NOTE.format(restore="", stores=""), {"explained"}),
        ("twin", NOTE.format(restore="", stores="localStorage.seen = Math.random();"), {"explained"}),
        ("twin", NOTE.format(restore=ASKS, stores=STORED), {"cannot tell"}),
        ("twin", NOTE.format(restore="", stores=STORED).replace("<textarea id=t aria-label=Notes>", "<input id=t type=search aria-label=Search>"), set()),
    ],
}  # fmt: skip
ALL = [(name, which, html, wanted) for name, cases in CASES.items() for which, html, wanted in cases]


@pytest.mark.parametrize(
    ("name", "which", "html", "wanted"), ALL, ids=[f"{name}-{which}-{at}" for at, (name, which, *_) in enumerate(ALL)]
)
async def test_it_accuses_just_the_page_that_forgets(name: str, which: str, html: str, wanted: set[str], bench: Bench) -> None:
    """All that its trials come to."""
    found = set(await bench.tried(name, html))
    assert found == wanted or (which == "faulty" and "violated" in found), bench.told()


async def test_what_is_added_is_asked_for_by_its_name(tryout: Tryout) -> None:
    """What "gear" is kept as, is what is added as "gear"."""
    brief = "A list of things to take along: add gear, tick it off. Gear is saved in localStorage."
    records = await tryout.tried("added_survives", html("Things", todo(**NOWHERE)), brief=brief)
    assert results(records) == {"violated"}, told(records)


@pytest.mark.parametrize(
    ("brief", "wanted"),
    [
        ("A list of things to take along. Everything is kept in the browser.", {"violated"}),
        ("A list of things to take along: add items, tick them off; items survive a reload.", {"violated"}),
        ("A list of things to take along. The best time of the game has to survive a reload.", {"explained"}),
        ("A list of things to take along.", {"explained"}),
    ],
    ids=["asked for", "of all items", "asked for something else", "not asked for"],
)
async def test_what_is_kept_nowhere_is_missed_where_the_brief_asks_for_it(tryout: Tryout, brief: str, wanted: set[str]) -> None:
    """An app that keeps nothing does so by design as far as one can see."""
    for relation in ("added_survives", "deleted_stays_away"):
        records = await tryout.tried(relation, html("Things", todo(**NOWHERE)), brief=brief)
        assert results(records) == wanted, told(records)


@pytest.mark.parametrize("added", ["setTimeout(save, 4000);", "document.getElementById('keep').onclick = save;"])
async def test_what_is_stored_later_or_by_a_button_is_no_failing(tryout: Tryout, added: str) -> None:
    """Though the brief asks to keep everything."""
    page = html("Things", "<button id=keep>Save changes</button>" + todo(added=added))
    brief = "A list of things to take along. Everything is kept in the browser."
    records = await tryout.tried("added_survives", page, brief=brief)
    assert results(records) == {"explained"}, told(records)


DARK = html(
    "Cards",
    "<h1>Cards</h1><p>el puente</p><button id=t>Dark theme</button>",
    "let dark = FIRST; const show = () => { document.body.style.background = dark ? '#111' : '#fff'; t.textContent = dark ? 'Light theme' : 'Dark theme'; }; t.onclick = () => { dark = !dark; KEEP show(); }; show();",
)
KEPT = DARK.replace("FIRST", "localStorage.dark === '1'")


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [
        (KEPT.replace("KEEP", "localStorage.dark = dark ? 1 : 0;"), "Flash cards. The chosen theme is remembered.", {"held"}),
        (KEPT.replace("KEEP", ""), "Flash cards. The chosen theme is remembered.", {"violated"}),
        (KEPT.replace("KEEP", ""), "Flash cards with a dark theme.", set()),
    ],
)
async def test_a_theme_is_remembered_where_that_is_asked_for(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """Known by what its button offers."""
    records = await tryout.tried("theme_is_remembered", page, pressed, pressed, brief=brief)
    assert results(records) == wanted, told(records)


def pressed(page: PageModel) -> Act:
    """The only button."""
    return Press(target=Target.of(page.buttons[0], page))


BEST = html(
    "Taps",
    """<h1>Taps</h1><p>High score: <b id="best">0</b></p><button id="tap">Tap</button>""",
    """let most = Number(READ); const show = () => { best.textContent = most; }; tap.onclick = () => { most += 1; STORE show(); }; show();""",
)
KEEPS = BEST.replace("READ", "localStorage.most ?? 0").replace("STORE", "localStorage.most = most;")
FORGETS = BEST.replace("READ", "0").replace("STORE", "")


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [
        (KEEPS, "A tap game. The high score has to survive a reload.", {"held"}),
        (FORGETS, "A tap game. The high score has to survive a reload.", {"violated"}),
        (FORGETS, "A tap game. The high score is shown.", set()),
    ],
    ids=["it does", "it does not", "nobody asked for it"],
)
async def test_a_record_survives_where_that_is_asked_for(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """One of nothing has nothing to lose."""
    assert await tryout.tried("record_survives", page, brief=brief) == []
    records = await tryout.tried("record_survives", page, pressed, brief=brief)
    assert results(records) == wanted, told(records)


DECK = html(
    "Cards",
    """<h1>Cards</h1><ul id="list"></ul>""",
    """let all = READ; const save = () => { STORE };
const draw = () => { list.replaceChildren(...all.map((words, at) => { const li = document.createElement("li"); li.innerHTML = `<span></span> <button>Edit</button>`; li.querySelector("span").textContent = words;
  li.querySelector("button").onclick = () => { li.innerHTML = `<input aria-label="Words"> <button>Save</button>`; const field = li.querySelector("input"); field.value = words;
    li.querySelector("button").onclick = () => { all[at] = field.value; save(); draw(); }; }; return li; })); };
draw();""",
)
FIRST = """["el puente", "la lluvia", "el reloj"]"""
STORES = DECK.replace("READ", f"JSON.parse(localStorage.cards ?? '{FIRST}')").replace(
    "STORE", "localStorage.cards = JSON.stringify(all);"
)
LOSES = DECK.replace("READ", FIRST).replace("STORE", "")


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [
        (STORES, "", {"held"}),
        (LOSES, "Flash cards. Everything is kept in the browser.", {"violated"}),
        (LOSES, "", {"explained"}),
        (LOSES.replace("save = () => {", "save = () => { localStorage.edits = all.join();"), "", {"violated"}),
    ],
    ids=["it does", "it does not", "nobody asked for it", "it stores something"],
)
async def test_what_is_edited_survives(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """The second card's words, typed over in its place."""
    records = await tryout.tried("edited_survives", page, edited, brief=brief)
    assert results(records) == wanted, told(records)


def edited(page: PageModel) -> Act:
    """The second button that edits."""
    return Press(target=Target.of(page.buttons[1], page))


ENTRY = "<input id=t aria-label='What needs to be done?'>"


@pytest.mark.parametrize(
    ("field", "wanted"), [("<textarea id=t aria-label=Notes></textarea>", {"violated"}), (ENTRY, {"explained"})]
)
async def test_a_draft_of_one_line_is_not_everything(tryout: Tryout, field: str, wanted: set[str]) -> None:
    """What Enter would send is kept where it goes, not where it was typed."""
    brief = "A list of todos. Todos are kept over a reload; everything is kept in the browser."
    records = await tryout.tried("written_survives", html("Things", f"<h1>Things</h1>{field}"), brief=brief)
    assert results(records) == wanted, told(records)
