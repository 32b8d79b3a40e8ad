"""Relations on dialogs."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench

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
