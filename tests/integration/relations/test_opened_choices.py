# ruff: noqa: E501 - pages stand in whole lines
"""A combobox that shows its options only while it is open: opened once, and from then on a filter like any other."""

from __future__ import annotations

import pytest

from agent.explorer.explorer import Explorer
from agent.trials.carrying import open_afresh
from evaluator.relations.base import relations
from tests.integration.relations.pages import html
from tests.integration.relations.tryout import TODAY, Lead, Tryout
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Choose

pytestmark = pytest.mark.long

POSTS = html(
    "Posts",
    """<h1>Open posts</h1><div id="bar"><input id="word" placeholder="Search posts, firms or towns">
<button id="kind" role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-controls="kinds">All kinds</button> <button id="go">Search</button></div>
<ul id="kinds" role="listbox" hidden></ul><ul id="list"></ul><p id="none" hidden>Nothing found</p>""",
    """const posts = [["Baker", "Full-time"], ["Cooper", "Contract"], ["Miller", "Full-time"], ["Tanner", "Contract"], ["Weaver", "Part-time"]];
let kind = "All kinds"; const offered = ["All kinds", "Full-time", "Contract", "Part-time"];
const fits = ([name, one]) => (kind === "All kinds" || FITS) && name.toLowerCase().includes(word.value.toLowerCase());
const show = () => { const found = posts.filter(fits); none.hidden = found.length > 0;
  list.innerHTML = found.map(([name, one]) => `<li><b>${name}</b> <i>${one}</i> <button>Apply to ${name}</button></li>`).join(""); };
const pop = document.getElementById("kinds"), box = document.getElementById("kind");
const close = () => { pop.hidden = true; pop.innerHTML = ""; box.setAttribute("aria-expanded", "false"); };
box.onclick = () => { pop.innerHTML = offered.map((one) => `<li role="option" aria-selected="${one === kind}">${one}</li>`).join(""); pop.hidden = false; box.setAttribute("aria-expanded", "true"); };
pop.onclick = (event) => { if (!event.target.matches("[role=option]")) return; kind = event.target.textContent; box.textContent = kind; close(); WHEN };
addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
document.getElementById("go").onclick = show; show();""",
    "[hidden] { display: none } [role=listbox] { border: 1px solid; width: 200px }",
)
AT_ONCE = POSTS.replace("WHEN", "show();")
BY_BUTTON = POSTS.replace("WHEN", "")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (AT_ONCE.replace("FITS", "one === kind"), {"held"}),
        (BY_BUTTON.replace("FITS", "one === kind"), {"held"}),
        (BY_BUTTON.replace("FITS", 'one === kind || kind === "Part-time"'), {"held", "violated"}),
    ],
    ids=["at once", "by the button", "one kind shows all"],
)
async def test_a_combobox_that_was_opened_filters(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Its options are known from when it was open; a button that searches applies them."""
    stage, url = tryout.bench.stage, tryout.put(page)
    await open_afresh(stage, url)
    explorer = Explorer(stage, url, [relations()["filter_leaves_what_fits"]], TODAY, 26)
    await explorer.run()
    filtered = [item.record for item in explorer.tried if item.record.trial.by == "filter_leaves_what_fits"]
    assert {record.result for record in filtered} == wanted, [record.words() for record in filtered]
    wrong = [record.trial.why for record in filtered if record.result == "violated"]
    assert all("Part-time" in why for why in wrong)


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        ("show();", {"held"}),
        ('if (kind !== "All kinds") { kind = "Contract"; box.textContent = kind; } show();', {"held", "violated"}),
    ],
    ids=["each is chosen", "one is chosen whatever was"],
)
async def test_what_is_chosen_in_a_combobox_is_chosen(tryout: Tryout, when: str, wanted: set[str]) -> None:
    """It shows the option in its own words."""
    stage, url = tryout.bench.stage, tryout.put(POSTS.replace("WHEN", when).replace("FITS", "one === kind"))
    await open_afresh(stage, url)
    explorer = Explorer(stage, url, [relations()["one_is_chosen"]], TODAY, 18)
    await explorer.run()
    chosen = [choice.record for choice in explorer.tried if choice.record.trial.by == "one_is_chosen"]
    assert {record.result for record in chosen} == wanted, [record.words() for record in chosen]
    # Nobody named it: it is called what is chosen in it, and is the same combobox whatever that is.
    boxes = {choice.key for seen in explorer.states.pages.values() for choice in seen.choices}
    assert len(boxes) == 1


async def test_a_search_is_sent_by_its_button(tryout: Tryout) -> None:
    """Enter in the field does nothing there."""
    page = BY_BUTTON.replace("FITS", "one === kind")
    records = await tryout.tried("search_finds", page)
    assert {record.result for record in records} == {"held"}
    assert all("Search" in record.trial.words() for record in records)


PAGES = html(
    "Jobs",
    """<h1>Jobs</h1><ul id="list"></ul><nav id="pages" aria-label="Pages"></nav>""",
    """const jobs = Array.from({ length: 23 }, (_, i) => `Job by the harbour ${"abcdefghijklmnopqrstuvw"[i]}`); let at = 0;
const show = () => { list.innerHTML = jobs.slice(at * 5, at * 5 + 5).map((one) => `<li>${one}</li>`).join("");
  pages.innerHTML = `<button ${at ? "" : "disabled"}>‹ Previous</button>` + [0, 1, 2, 3, 4].map((i) => `<button ${i === at ? 'aria-current="page"' : ""}>${i + 1}</button>`).join("") + `<button ${at < 4 ? "" : "disabled"}>Next ›</button>`;
  [...pages.children].forEach((one, i, all) => { one.onclick = () => { at = i === 0 ? at - 1 : i === all.length - 1 ? at + 1 : i - 1; show(); }; }); }; show();""",
)


async def test_what_leads_from_page_to_page_is_no_option(tryout: Tryout) -> None:
    """After "Next" the number is chosen, not "Next"."""
    records = await tryout.tried("one_is_chosen", PAGES)
    assert {record.result for record in records} == {"held"}
    assert not any("Next" in record.trial.why or "Previous" in record.trial.why for record in records)


def choosing(option: str) -> Lead:
    """The act that chooses a page by its number."""

    def lead(page: PageModel) -> Act:
        choice = next(item for item in page.choices if option in [each.name for each in item.options])
        place = next(each.selector for each in choice.options if each.name == option)
        return Choose(target=Target.of(choice, page), option=option, how="press", place=place)

    return lead


async def test_from_the_last_page_nothing_leads_back_to_it(tryout: Tryout) -> None:
    """There "next" can't be pressed: "2" and "1" lead to the first page, which is not as the last one was."""
    first = await tryout.tried("next_page_has_others", PAGES)
    assert [record.result for record in first] == ["held", "held"]
    last = await tryout.tried("next_page_has_others", PAGES, choosing("5"))
    assert "violated" not in {record.result for record in last}
    assert not any("back on its first page" in record.trial.why for record in last)
