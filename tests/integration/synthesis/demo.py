"""A demo and a scripted test writer for it: its first answers hold mistakes that only a browser finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.standins.talk import Asked, Say

TITLE = "Free fall"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Free fall</title></head>
<body style="font:16px sans-serif"><h1>Free fall</h1>
<label>Height <input type="range" id="height" min="0" max="100" step="5" value="20"></label> <output id="metres">20 m</output>
<label><input type="checkbox" id="moon"> on the moon</label>
<p id="time">Time: 2.02 s</p><canvas id="scene" width="200" height="220"></canvas>
<script>
const height = document.getElementById("height"), moon = document.getElementById("moon");
function draw() {
  const h = Number(height.value), g = moon.checked ? 1.62 : 9.81;
  document.getElementById("metres").textContent = h + " m";
  document.getElementById("time").textContent = "Time: " + Math.sqrt(2 * h / g).toFixed(2) + " s";
  const pen = document.getElementById("scene").getContext("2d");
  pen.clearRect(0, 0, 200, 220);
  pen.fillRect(90, 210 - 2 * h, 10, 10);
}
height.oninput = draw; moon.onchange = draw; draw();
</script></body></html>"""
NAMES = ("id", "kind", "label", "initial", "bounds", "effect")
ROWS = (
    ("height", "slider", "Height", "20", "0 to 100, step 5", "metres, time, scene"),
    ("moon", "checkbox", "on the moon", "", "", "time"),
    ("metres", "display", "Height", "", "", "shows the height"),
    ("time", "display", "Time", "", "", "shows the time"),
    ("scene", "canvas", "Scene", "", "", "draws the body"),
)
COMPONENTS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]


def plan(slider: str = "height") -> dict[str, Any]:
    """The plan; with another id of the slider than the page's it is wrong."""
    return {
        "content": ["A heading", "The inputs", "The time", "The scene"],
        "components": [{**COMPONENTS[0], "id": slider}, *COMPONENTS[1:]],
        "state": ["height: number, 20"],
        "logic": ["time = sqrt(2 h / g), two digits, s; g = 9.81, on the moon 1.62"],
        "drawing": ["A square of 10 px at the height, 2 px a metre"],
    }


def step(act: str, target: str, value: str, *expects: tuple[str, str, str]) -> dict[str, Any]:
    """One step."""
    says = [{"target": where, "says": what, "value": wanted} for where, what, wanted in expects]
    return {"act": act, "target": target, "value": value, "expects": says}


LOOK = step("none", "", "", ("height", "value", "20"))
GOOD_SLIDER = [
    LOOK,
    step("fill", "height", "100", ("metres", "text", "100 m"), ("scene", "redrawn", "")),
    step("fill", "height", "0", ("time", "contains", "0.00")),
]
LAZY_SLIDER = [LOOK, step("fill", "height", "50", ("height", "value", "50"))]
"""Passes on any page that has a slider."""
WRONG_MOON = [step("check", "moon", "", ("time", "contains", "9.99"))]
GOOD_MOON = [
    step("check", "moon", "", ("time", "contains", "4.97"), ("moon", "checked", "")),
    step("uncheck", "moon", "", ("time", "contains", "2.02")),
]
HIGH = step("fill", "height", "90", ("metres", "text", "90 m"))
SHOTS = [
    {"title": "high up", "steps": [HIGH], "shows": "The square high up, 90 m"},
    {"title": "nothing new", "steps": [step("fill", "height", "20")], "shows": "The page as it opens"},
]
ITEMS = [
    {"category": "graph", "text": "A black square stands near the top of the scene"},
    {"category": "numeric", "text": "The height is told as 90 m"},
    {"category": "consistency", "text": "Square and number agree"},
]


class TestWriter:
    """Answers each question by its prompt; keeps what it was asked, in order."""

    __test__ = False

    def __init__(self, *, builds: bool = False) -> None:
        self.asked: list[str] = []
        self._builds = builds
        self._marked = 0

    def __call__(self, asked: Asked) -> Say:
        """The next answer."""
        kind, value = self._answer(asked)
        self.asked.append(kind)
        return Say(text=value if isinstance(value, str) else json.dumps(value))

    def _answer(self, asked: Asked) -> tuple[str, Any]:
        mending = "Answer with these tests only" in asked.text or "whole plan, mended" in asked.text
        beginnings: dict[str, Callable[[], tuple[str, Any]]] = {
            "You plan interactive": lambda: self._plan(mending),
            "You build web apps": lambda: ("page", f"```html\n{PAGE}\n```"),
            "You write functional tests": lambda: _functional(asked.text, mending),
            "You write visual tests": lambda: _visual(asked.text, mending),
            "You write checklists for pictures": lambda: ("checklist", {"items": ITEMS}),
            "You mark a picture": self._marks,
        }
        return next((say() for words, say in beginnings.items() if words in asked.system), ("probe", "ok"))

    def _plan(self, mending: bool) -> tuple[str, Any]:
        return ("plan again" if mending else "plan"), plan() if mending or self._builds else plan("altitude")

    def _marks(self) -> tuple[str, Any]:
        self._marked += 1
        return "mark", {"marks": [5, 5, 4] if self._marked % 2 else [1, 1, 5]}


def _functional(text: str, mending: bool) -> tuple[str, Any]:
    tests = (("height", LAZY_SLIDER), ("moon", WRONG_MOON))
    if mending:
        assert "it tests nothing the page does" in text
        assert "9.99" in text
        tests = (("height", GOOD_SLIDER), ("moon", GOOD_MOON))
    cases = [{"component": test, "title": test, "steps": steps} for test, steps in tests]
    return ("pft again" if mending else "pft"), {"cases": cases}


def _visual(text: str, mending: bool) -> tuple[str, Any]:
    if not mending:
        return "vqt", {"cases": SHOTS}
    assert "the same as that of the page as it opens" in text
    return "vqt again", {"cases": [{**SHOTS[1], "title": "the moon", "steps": [step("check", "moon", "")]}]}
