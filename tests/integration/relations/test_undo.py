"""Relations on undo and redo."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.conftest import Bench

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

LIST = """<h1>Songs</h1><button id=u>Undo</button> <button id=r>Redo</button><ul id=list></ul><script>
let all = ["Low Tide", "Amber Road", "Slow Train"], past = [], next = [];
const draw = () => {{ list.innerHTML = ""; all.forEach((text, i) => {{ const li = document.createElement("li");
  li.innerHTML = "<span></span> <button>Remove</button>"; li.firstChild.textContent = text;
  li.querySelector("button").onclick = () => {{ past.push([...all]); next = []; all.splice(i, 1); draw(); }}; list.append(li); }}); }};
u.onclick = () => {{ {undo} draw(); }}; r.onclick = () => {{ {redo} draw(); }}; draw();</script>"""
UNDO = "if (past.length) { next.push([...all]); all = past.pop(); }"
REDO = "if (next.length) { past.push([...all]); all = next.pop(); }"
LAST = "if (past.length) { const old = past.pop(); all.push(old.find((one) => !all.includes(one))); }"
PAD = """<h1>Pad</h1><button id=u>Undo</button><br><canvas id=c width=400 height=300 style="border:1px solid"></canvas><script>
const pen = c.getContext("2d"); let strokes = [], down = false;
const draw = () => {{ pen.clearRect(0, 0, 400, 300); for (const one of strokes) {{ pen.beginPath(); one.forEach(([x, y]) => pen.lineTo(x, y)); pen.stroke(); }} {more} }};
c.onpointerdown = (e) => {{ down = true; strokes.push([[e.offsetX, e.offsetY]]); }}; c.onpointerup = () => {{ down = false; }};
c.onpointermove = (e) => {{ if (down) {{ strokes.at(-1).push([e.offsetX, e.offsetY]); draw(); }} }};
u.onclick = () => {{ {undo} draw(); }}; draw();</script>"""
CASES: dict[str, list[tuple[str, str, set[str]]]] = {
    "undo_restores": [
        ("right", LIST.format(undo=UNDO, redo=REDO), {"held"}),
        ("faulty", LIST.format(undo=LAST, redo=""), {"violated"}),
        ("twin", LIST.format(undo="", redo=""), {"cannot tell"}),
    ],
    "redo_restores": [
        ("right", LIST.format(undo=UNDO, redo=REDO), {"held"}),
        ("faulty", LIST.format(undo=UNDO, redo=""), {"violated"}),
        ("twin", LIST.format(undo="", redo=""), {"held"}),
    ],
    "undone_drawing": [
        ("right", PAD.format(undo="strokes.pop();", more=""), {"held"}),
        ("faulty", PAD.format(undo="strokes.shift(); if (strokes.length) strokes = [strokes[0]]; else strokes = [[[9, 9], [90, 90]]];", more=""), {"violated"}),
        ("twin", PAD.format(undo="strokes.pop();", more="pen.fillRect(performance.now() / 20 % 300, 5, 9, 9); requestAnimationFrame(draw);"), {"explained"}),
        ("twin", PAD.format(undo="strokes.pop();", more="").replace('<canvas id=c', '<canvas id=big width=600 height=300></canvas><canvas id=c').replace("u.onclick", "big.getContext('2d').fillRect(0, 0, 300, 300); u.onclick").replace("strokes.pop();", "const big2 = big.getContext('2d'); big2.clearRect(0, 0, 600, 300); big2.fillRect(0, 0, Math.random() * 200, 300);"), {"explained"}),
    ],
}  # fmt: skip
ALL = [(name, *case) for name, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(
    ("name", "which", "html", "wanted"), ALL, ids=[f"{item[0]}-{item[1]}-{at}" for at, item in enumerate(ALL)]
)
async def test_it_accuses_just_the_undo_that_does_wrong(name: str, which: str, html: str, wanted: set[str], bench: Bench) -> None:
    """All that its trials come to."""
    found = set(await bench.tried(name, html))
    assert found == wanted or (which == "faulty" and "violated" in found), bench.told()


@pytest.mark.parametrize(("place", "wanted"), [("i", "held"), ("all.length", "violated")], ids=["right", "faulty"])
async def test_an_undo_that_comes_up_after_a_deletion_is_known_once_it_was_seen(place: str, wanted: str, bench: Bench) -> None:
    """As in a toast: the song comes back where it was. Adding one brings no undo, and is not undone."""
    html = """<h1>Songs</h1><form id=f><input id=n aria-label="Song"><button>Add song</button></form><ul id=list></ul><div id=t role=status style="position:fixed;bottom:9px"></div><script>
    let all = ["Low Tide", "Amber Road", "Slow Train"];
    const draw = () => { list.innerHTML = ""; all.forEach((text, i) => { const li = document.createElement("li");
      li.innerHTML = "<span></span> <button>Remove</button>"; li.firstChild.textContent = text;
      li.querySelector("button").onclick = () => { all.splice(i, 1); draw(); t.innerHTML = "Removed <button>Undo</button>";
        t.querySelector("button").onclick = () => { all.splice(PLACE, 0, text); t.innerHTML = ""; draw(); }; }; list.append(li); }); };
    f.onsubmit = (event) => { event.preventDefault(); all.push(n.value); n.value = ""; draw(); };
    draw();</script>"""
    found = await bench.tried("undo_restores", html.replace("PLACE", place), before=["deleted_is_just_that"])
    assert found == [wanted], bench.told()
