"""Relations on dialogs."""

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

DIALOG = """<h1>Shelf</h1><button id=o>Add book</button><ul id=list><li>Moby-Dick</li></ul>
<div id=d role=dialog aria-modal=true aria-label="Add book" style="position:{place};background:#fff;padding:20px;border:1px solid;{shown}">
<label>Title <input id=n></label><button id=s>Save</button> <button id=c>Close</button></div><script>
const close = () => {{ d.style.display = "none"; }};
o.onclick = () => {{ {opening} d.style.display = "block"; }};
s.onclick = () => {{ {saving} close(); }};
c.onclick = () => {{ {closing} }};
document.onkeydown = (event) => {{ if (event.key === "Escape") {{ {escape} }} }};</script>"""
CENTRE = "fixed;left:400px;top:200px"
ADD = "const li = document.createElement('li'); li.textContent = n.value; list.append(li);"


def dialog(**other: str) -> str:
    """A page with a dialog that stands open."""
    parts = {"place": CENTRE, "shown": "", "opening": "n.value = '';", "saving": ADD, "closing": "close();", "escape": "close();"}
    return DIALOG.format(**{**parts, **other})


CASES: dict[str, list[tuple[str, str, set[str]]]] = {
    "dialog_in_view": [
        ("right", dialog(), {"held"}),
        ("faulty", dialog(place="absolute;left:400px;top:2400px"), {"violated"}),
        ("twin", dialog(shown="display:none"), set()),
    ],
    "dialog_closes": [
        ("right", dialog(), {"held"}),
        ("faulty", dialog(closing=""), {"violated"}),
        ("twin", dialog(closing="n.value += 'Closed! ';"), {"explained"}),
    ],
    "escape_closes": [
        ("right", dialog(), {"held"}),
        ("faulty", dialog(escape=""), {"violated"}),
        ("twin", dialog(escape="", closing=""), {"explained"}),
    ],
}
ALL = [(name, which, html, wanted) for name, cases in CASES.items() for which, html, wanted in cases]


@pytest.mark.parametrize(
    ("name", "which", "html", "wanted"), ALL, ids=[f"{name}-{which}-{at}" for at, (name, which, *_) in enumerate(ALL)]
)
async def test_it_accuses_just_the_dialog_that_does_wrong(
    name: str, which: str, html: str, wanted: set[str], bench: Bench
) -> None:
    """All that its trials come to."""
    assert set(await bench.tried(name, html)) == wanted, bench.told()


@pytest.mark.parametrize(
    ("opening", "saving", "wanted"),
    [("n.value = '';", ADD, {"held"}), ("", ADD, {"violated"}), ("", "", {"explained"})],
    ids=["right", "faulty", "twin"],
)
async def test_a_dialog_opens_as_new_after_something_was_added(opening: str, saving: str, wanted: set[str], bench: Bench) -> None:
    """It was seen open before, so it is known what is in it."""
    html = dialog(shown="display:none", opening=opening, saving=saving)
    found = set(await bench.tried("opens_as_new", html, seen=[dialog(opening=opening, saving=saving)]))
    assert found == wanted, bench.told()


PLANTS = html(
    "Plants",
    "<meta name=viewport content='width=device-width, initial-scale=1'><h1>Plants</h1><button id=o>Fern</button><div id=d role=dialog aria-modal=true aria-label=Fern hidden><p>Water it on Sundays.</p><button>Water now</button> <button onclick='d.hidden = true'>Close</button></div>",
    "o.onclick = () => { d.hidden = false; };",
    "#d:not([hidden]) { position: fixed; left: 50%; top: 40%; transform: translate(-50%, -50%); width: WIDE; display: flex; justify-content: space-between; background: #fff; border: 1px solid; }",
)


@pytest.mark.parametrize(
    ("wide", "brief", "wanted"),
    [
        ("min(560px, 90vw)", "Plant care app. It is used on phones about 390 px wide.", {"held"}),
        ("560px", "Plant care app. It is used on phones about 390 px wide.", {"violated"}),
        ("560px", "Plant care with a card for each plant.", set()),
    ],
)
async def test_a_dialog_fits_the_phone_that_was_asked_for(tryout: Tryout, wide: str, brief: str, wanted: set[str]) -> None:
    """Where nobody asked for phones, nothing is tried."""
    records = await tryout.tried("dialog_fits_phone", PLANTS.replace("WIDE", wide), opened, brief=brief)
    assert results(records) == wanted, told(records)


def opened(page: PageModel) -> Act:
    """The first button."""
    return Press(target=Target.of(page.buttons[0], page))
