# ruff: noqa: E501 - pages stand in whole lines
"""Relations about drawing and looks, each on a page that does right, on one that does not, and on its innocent twin."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

SHEET = html(
    "Sketch",
    """<h1>Sketch</h1><canvas id="sheet" width="600" height="300"></canvas><p><button id="clear">Clear</button></p><div style="height:1500px">Below</div>""",
    """const pen = sheet.getContext("2d"); pen.lineWidth = 6; let down = false; const wide = 600;
const at = (event) => { const box = sheet.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
sheet.onpointerdown = (event) => { down = true; pen.beginPath(); pen.moveTo(...at(event)); };
sheet.onpointermove = (event) => { if (down) { pen.lineTo(...at(event)); pen.stroke(); } };
sheet.onpointerup = () => { down = false; };
clear.onclick = () => pen.clearRect(0, 0, 600, 300);
window.clear_ = document.getElementById("clear"); window.clear_.onclick = () => pen.clearRect(0, 0, 600, 300);""",
    "canvas{border:1px solid #999}",
).replace("clear.onclick = () => pen.clearRect(0, 0, 600, 300);\n", "")
OFF = SHEET.replace("const box = sheet.getBoundingClientRect();", "const box = { left: sheet.offsetLeft, top: sheet.offsetTop };")
ASIDE = SHEET.replace("event.clientY - box.top", "event.clientY - box.top + 90")
BALL = html(
    "Ball",
    """<h1>Ball</h1><canvas id="sheet" width="600" height="300"></canvas><div style="height:1500px">Below</div>""",
    """const pen = sheet.getContext("2d"); sheet.onpointerdown = () => { pen.fillStyle = "#a22"; pen.fillRect(500, 200, 40, 40); };""",
)
STAMPS = html(
    "Stamp",
    """<h1>Stamp</h1><canvas id="sheet" width="600" height="300"></canvas><div style="height:1500px">Below</div>""",
    """const pen = sheet.getContext("2d"); sheet.onclick = (event) => { pen.fillStyle = "#a22"; pen.fillRect(event.offsetX - 5, event.offsetY - 5, 10, 10); };""",
)


@pytest.mark.parametrize(
    ("page", "violated"),
    [(SHEET, False), (OFF, True), (ASIDE, True), (BALL, False), (STAMPS, False)],
    ids=["right", "astray once scrolled", "always astray", "what changes does not follow the pointer", "a stamp where it ends"],
)
async def test_a_stroke_lies_under_the_pointer(tryout: Tryout, page: str, violated: bool) -> None:
    """At first, scrolled, in a narrower window."""
    records = await tryout.tried("drawn_under_the_pointer", page)
    assert len(records) == 3
    assert ("violated" in results(records)) is violated, told(records)
    assert records[0].result == ("cannot tell" if page in {BALL, STAMPS} else "violated" if page == ASIDE else "held"), told(
        records
    )


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (SHEET, {"held"}),
        (SHEET.replace("let down = false;", "let down = false; pen.fillRect(50, 60, 80, 80);"), {"held"}),
        (SHEET.replace("pen.clearRect(0, 0, 600, 300)", "pen.clearRect(0, 0, 600, 60)"), {"violated"}),
        (SHEET.replace("let down = false;", "let down = false, n = 0; setInterval(() => { n += 9; pen.fillRect(n % 600, 280, 9, 9); }, 60);"), {"explained"}),
    ],
    ids=["right", "comes up with something on it", "clears a part", "moves by itself"],
)  # fmt: skip
async def test_a_cleared_sheet_is_empty(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """As it was before the stroke."""
    records = await tryout.tried("cleared_is_empty", page)
    assert results(records) == wanted, told(records)
