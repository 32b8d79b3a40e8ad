# ruff: noqa: E501 - pages stand in whole lines
"""What a form with choices adds is told by what is chosen; its note may be shown nowhere."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late

PLAN = html(
    "Week's table",
    """<h1>Week's table</h1><ul id=plan><li>Monday: Soup</li></ul><form id=f>FIELDS<label>Note <textarea id=note></textarea></label><button>Add to plan</button></form>""",
    "f.onsubmit = (event) => { event.preventDefault(); const li = document.createElement('li'); li.textContent = SAYS; plan.append(li); note.value = ''; };",
)
CHOICES = """<label>Dish <select id=dish><option>Soup<option>Gratin</select></label><label>Day <select id=day><option>Monday<option>Friday</select></label>
<label>Guests <input type=number id=guests value=2></label>"""


@pytest.mark.parametrize(
    ("fields", "says", "wanted"),
    [(CHOICES, "day.value + ': ' + dish.value", set()), ("", "note.value", {"held"}), ("", "'A note'", {"violated"})],
    ids=["a note among choices", "a note alone", "a note alone that is lost"],
)
async def test_a_note_among_choices_need_not_be_shown(tryout: Tryout, fields: str, says: str, wanted: set[str]) -> None:
    """A meal of a plan is shown by its day and its dish; a guest book's note is all there is."""
    records = await tryout.tried("added_item_appears", PLAN.replace("FIELDS", fields).replace("SAYS", says))
    assert results(records) == wanted, told(records)
