"""Makes a small bundle as a bundler would: two files of the app's own and one package in one script, with and without a map."""

from __future__ import annotations

import json
from pathlib import Path

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
FILES = {
    "../node_modules/toolbox/index.js": (
        "function pick(selector) { return document.querySelector(selector); }\nfunction toolboxNever() { return 0; }\n"
    ),
    "../src/cart.ts": (
        "const cart = [];\nfunction addToCart(name) {\n  cart.push(name);\n}\nfunction checkOut() {\n  cart.length = 0;\n}\n"
    ),
    "../src/main.ts": "pick('#add').onclick = () => addToCart('tea');\n",
}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Bundle</title><button id="add">Add</button>
<script src="{}"></script></html>
"""


def write_bundle(folder: Path) -> None:
    """`mapped.html` with `assets/app.js` and its map; `bare.html` with the same minified into one line, without."""
    assets = folder / "assets"
    assets.mkdir()
    text = "".join(FILES.values())
    (assets / "app.js").write_text(f"{text}//# sourceMappingURL=app.js.map\n", encoding="utf-8")
    (assets / "app.js.map").write_text(json.dumps(_map()), encoding="utf-8")
    (assets / "bare.js").write_text(text.replace("\n", " ") + "/*" + "x" * 30_000 + "*/", encoding="utf-8")
    (folder / "mapped.html").write_text(PAGE.format("assets/app.js"), encoding="utf-8")
    (folder / "bare.html").write_text(PAGE.format("assets/bare.js"), encoding="utf-8")


def _map() -> dict[str, object]:
    """Line to line, and every second column a segment of its own, as transpilers make them."""
    rows: list[str] = []
    source = line = column = 0
    for number, text in enumerate(FILES.values()):
        for row, words in enumerate(text.splitlines()):
            segments: list[str] = []
            for at in range(0, len(words) or 1, 2):
                segments.append("".join(map(_vlq, (2 if at else 0, number - source, row - line, at - column))))
                source, line, column = number, row, at
            rows.append(",".join(segments))
    return {"version": 3, "sources": [*FILES], "sourcesContent": [*FILES.values()], "names": [], "mappings": ";".join(rows)}


def _vlq(number: int) -> str:
    value = -number * 2 + 1 if number < 0 else number * 2
    digits = ""
    while True:
        value, digit = value >> 5, value & 31
        digits += _DIGITS[digit | 32 if value else digit]
        if not value:
            return digits
