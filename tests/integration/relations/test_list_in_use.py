"""Relations on a list while something is typed, marked or edited: a right page, one with each fault, and the innocent twins."""

# The page is read more easily with a line a piece of it.
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluator.relations.base import relations
from tests.integration.relations.tryout import Lead, Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Fill, FillForm, Press, Reload, Switch

pytestmark = pytest.mark.long  # each trial waits for what is late

PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Chores</title><h1>Chores</h1>
<div id=top><input id=n aria-label="New chore" placeholder="Add a chore"> {button}</div>
<label><input type=checkbox id=all> Mark all as done</label>
<div role=tablist id=tabs></div><ul id=list></ul><p id=left></p><script>
const way = "{way}"; let chores = [["Sweep", 0], ["Dust", 0], ["Iron", 0]], shown = "All";
const made = (tag, more) => Object.assign(document.createElement(tag), more);
const add = () => {{ const text = n.value.trim(); if (!text) return; chores.push([text, 0]); n.value = ""; draw(); }};
const choose = (name) => {{ shown = name; if (way === "added") add(); if (way === "cleared") n.value = "";
  if (way === "view") top_.hidden = name !== "All"; draw(); }};
const edit = (li, chore) => {{ const field = made("input", {{ value: chore[0], ariaLabel: "Edit" }}); li.replaceChildren(field);
  if (way !== "blind" && way !== "button") field.focus(); field.onkeydown = (e) => {{ if (e.key === "Enter") {{ chore[0] = field.value; draw(); }} }}; }};
const top_ = document.getElementById("top");
function draw() {{
  tabs.replaceChildren(...["All", "Open", "Done"].map((name) => made("button", {{ role: "tab", textContent: name,
    ariaSelected: String(name === shown), onclick: () => choose(name) }})));
  const fits = chores.filter(([, done]) => shown === "All" || way === "loose" || (shown === "Done") === !!done);
  list.replaceChildren(...fits.map((chore) => {{ const li = made("li"), box = made("input", {{ type: "checkbox", checked: !!chore[1],
      ariaLabel: "Done: " + chore[0], onchange: () => {{ chore[1] = +box.checked; draw(); }} }});
    const words = made("span", {{ textContent: chore[0], ondblclick: () => {{ if (way !== "button") edit(li, chore); }} }});
    const gone = made("button", {{ textContent: "Delete", onclick: () => {{ chores = chores.filter((one) => one !== chore); draw(); }} }});
    li.append(box, words, gone);
    if (way === "button") li.append(made("button", {{ textContent: "Edit", onclick: () => edit(li, chore) }})); return li; }}));
  const open = chores.filter(([, done]) => !done).length; all.checked = !open;
  left.textContent = open + " left";
}}
all.onchange = () => {{ chores.forEach((one, at) => {{ if (way === "nothing" || (way === "some" && at === 2)) return;
  one[1] = +all.checked; }}); if (way !== "nothing") draw(); }};
n.onkeydown = (e) => {{ if (e.key === "Enter") add(); }};
if (way === "leaves") n.onchange = add;
const send = document.getElementById("send"); if (send) send.onclick = add;
draw();</script>"""
BUTTON = "<button id=send>Add chore</button>"


def page(way: str = "", button: str = BUTTON) -> str:
    """The page in one of its ways."""
    return PAGE.format(way=way, button=button)


def pressed(name: str, *, double: bool = False) -> Lead:
    """The act that presses what is called so."""

    def lead(page: PageModel) -> Act:
        kind = "texts" if double else ""
        return Press(target=Target(kind=kind, name=name, within="Dust" if name == "Edit" else ""), double=double)

    return lead


def reloaded(page: PageModel) -> Act:
    """The act that opens the page again."""
    del page
    return Reload()


def marked_done(page: PageModel) -> Act:
    """The act that marks the second chore."""
    return Switch(target=Target.of(next(toggle for toggle in page.toggles if toggle.name == "Done: Dust"), page), on=True)


def added(page: PageModel) -> Act:
    """The act that adds a chore."""
    return FillForm(fills=(Fill(target=Target.of(page.fields[0], page), value="Wash up"),), by_enter=True)


@pytest.mark.parametrize(
    ("relation", "html", "leads", "wanted"),
    [
        ("unsent_is_not_added", page(), (), {"held"}),
        ("unsent_is_not_added", page("added"), (), {"violated", "held"}),
        ("unsent_is_not_added", page("leaves", button=""), (), {"explained"}),
        ("unsent_stays", page(), (added,), {"held"}),
        ("unsent_stays", page("cleared"), (added,), {"violated", "held"}),
        ("unsent_stays", page("view"), (added,), {"cannot tell", "held"}),
        ("unsent_stays", page("cleared"), (), set[str]()),
        ("added_item_appears", page(), (), {"held"}),
        ("added_item_appears", page(), (marked_done, pressed("Open"), pressed("Done"), pressed("Delete")), set[str]()),
        ("all_means_all", page(), (), {"held"}),
        ("all_means_all", page("some"), (), {"violated"}),
        ("all_means_all", page("nothing"), (), {"explained"}),
        ("editor_takes_typing", page(), (pressed("Dust", double=True), reloaded), {"held"}),
        ("editor_takes_typing", page("blind"), (pressed("Dust", double=True), reloaded), {"violated"}),
        ("editor_takes_typing", page("button"), (pressed("Edit"), reloaded), {"cannot tell"}),
    ],
    ids=[
        "unsent", "unsent added", "added by leaving", "unsent kept", "unsent cleared", "another view", "not seen in place",
        "added", "added where another part shows others", "all", "some of all",
        "none of all", "editor", "editor without focus", "opened by a button",
    ],
)  # fmt: skip
async def test_a_list_in_use(tryout: Tryout, relation: str, html: str, leads: tuple[Lead, ...], wanted: set[str]) -> None:
    """All that the relation's trials come to, once the page was led there."""
    records = await tryout.tried(relation, html, *leads)
    assert {record.result for record in records} == wanted, told(records)


MARKS = "A list of chores: add chores, mark chores as done, filter All, Open and Done."
LOOKS = 'style: name === shown ? "background:#246;color:#fff" : "background:#eee;color:#222"'


def by_look(html: str) -> str:
    """The filter as a row of buttons, of which the chosen one is painted unlike the others."""
    return html.replace('role: "tab", ', "").replace("ariaSelected: String(name === shown)", LOOKS).replace("role=tablist ", "")


@pytest.mark.parametrize(
    ("html", "leads", "brief", "wanted"),
    [
        (page(), (), MARKS, ["held"]),
        (page("loose"), (), MARKS, ["violated"]),
        (page(), (marked_done,), MARKS, ["held", "held"]),
        (page("loose"), (marked_done,), MARKS, ["violated", "violated"]),
        (page("loose"), (marked_done,), "A list of chores.", []),
        (by_look(page()), (pressed("Open"), pressed("All")), MARKS, ["held"]),
        (by_look(page("loose")), (pressed("Open"), pressed("All"), marked_done), MARKS, ["violated", "violated"]),
        (by_look(page("loose")), (), MARKS, []),
    ],
    ids=["none done", "none done, loose", "one done", "one done, loose", "not asked for", "by look", "by look, loose", "not seen to be a choice"],
)  # fmt: skip
async def test_a_filter_knows_what_is_marked(
    tryout: Tryout, html: str, leads: tuple[Lead, ...], brief: str, wanted: list[str]
) -> None:
    """Where things are marked as the brief asks; a row of buttons beside "All" is a choice once it was seen to be one."""
    records = await tryout.tried("filter_knows_marks", html, *leads, brief=brief)
    assert [record.result for record in records] == wanted, told(records)


async def test_what_another_part_showed_before_the_app_was_opened_anew_hides_nothing(tryout: Tryout) -> None:
    """With nothing stored there are other items: that those of before are not shown narrows no list."""
    leads = (added, pressed("Open"), reloaded)
    ground, _ = await tryout.ground(tryout.put(page()), *leads)
    anew = replace(ground, opened_at=len(ground.earlier))
    asked = relations()["added_item_appears"]
    assert [len(list(asked.trials(item))) for item in (ground, anew)] == [0, 1]


async def test_what_still_stands_in_the_form_that_added_it_is_no_edit(tryout: Tryout) -> None:
    """A page that forgets to empty its field; the new item's words are held by it."""
    html = page().replace('chores.push([text, 0]); n.value = ""', "chores.push([text, 0])")

    assert await tryout.tried("edited_is_just_that", html, added) == []


async def test_what_unmarks_all_unmarks_all(tryout: Tryout) -> None:
    """With all of them marked the mark is taken from every one."""
    records = await tryout.tried("all_means_all", page(), pressed("Mark all as done"))
    assert [record.result for record in records] == ["held"], told(records)
    assert "takes the mark" in records[0].trial.why


FINDS = """<!doctype html><html lang=en><meta charset=utf-8><title>Plants</title><h1>Plants</h1><label>Kind <select id=kind><option>All</option>
<option>Herb</option><option>Tree</option></select></label> <label>Light <select id=light><option>All</option><option>Sun</option><option>Shade</option></select></label>
<input type=search id=seek aria-label="Search plants"><table><thead><tr><th>Plant<th>Kind<th>Light</tr></thead><tbody id=rows></tbody></table><script>
const all = [["Basil", "Herb", "Sun"], ["Oak", "Tree", "Sun"], ["Mint", "Herb", "Shade"], ["Beech", "Tree", "Shade"]];
const fits = (one, by) => (kind.value === "All" || one[1] === kind.value || by !== {by}) && (light.value === "All" || one[2] === light.value) && one[0].toLowerCase().includes(seek.value.toLowerCase());
const draw = (by) => {{ rows.replaceChildren(...all.filter((one) => fits(one, by)).map((one) => {{ const tr = document.createElement("tr");
  tr.append(...one.map((text) => Object.assign(document.createElement("td"), {{ textContent: text }}))); return tr; }})); }};
kind.onchange = () => draw({by}); light.onchange = () => {{ {takes} draw("light"); }}; seek.oninput = () => draw("seek"); draw({by});</script>"""


@pytest.mark.parametrize(
    ("by", "takes", "wanted"),
    [
        ("by", "", {"held"}),
        ('"kind"', "", {"violated"}),
        ('"kind"', 'kind.value = "All";', {"violated", "explained"}),
    ],
    ids=["both", "each alone", "one in place of the other"],
)
async def test_filters_combine(tryout: Tryout, by: str, takes: str, wanted: set[str]) -> None:
    """What forgets the first filter is seen, what openly takes its place is none."""
    page = FINDS.format(by=by, takes=takes).replace("draw(by)", 'draw("")') if by == "by" else FINDS.format(by=by, takes=takes)
    records = await tryout.tried("filters_combine", page)
    assert {record.result for record in records} == wanted, told(records)


LIMITED = """<!doctype html><html lang=en><meta charset=utf-8><title>Workshops</title><h1>Workshops</h1><form id=f>
<label><input type=checkbox id=a checked> Weaving</label><label><input type=checkbox id=b checked> Pottery</label>
<label><input type=checkbox id=c> Carving</label></form><p id=e role=alert></p><script>
f.onchange = (event) => {{ {limit} }};</script>"""


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [
        (
            "if (f.querySelectorAll(':checked').length > 2) { event.target.checked = false; e.textContent = 'Two at most.'; }",
            set[str](),
        ),
        ("c.checked = false;", {"violated"}),
    ],
    ids=["said", "silent"],
)
async def test_a_box_that_may_not_be_ticked_says_so(tryout: Tryout, limit: str, wanted: set[str]) -> None:
    """Two at most, and the page says it."""
    records = await tryout.tried("twice_is_back", LIMITED.format(limit=limit))
    about = {record.result for record in records if "Carving" in record.trial.why and "turns" in record.trial.why}
    assert about - {"cannot tell"} == wanted, told(records)
