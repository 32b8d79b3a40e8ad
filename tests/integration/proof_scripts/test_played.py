"""Scripts that are handed out, played as whoever gets them does: they name the defect where it is, and hold where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluator.proof_scripts.script import Where, static_script
from evaluator.verdict.model import Failure, Place
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity
from tools.browser.launch import find_chromium
from tools.evidence.rows import Finding

DEFECT_THERE, HOLDS = 1, 0
LIMIT_S = 120.0
HEAD = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shelf</title>'
PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
RULES = "<style>" + "".join(f".rule{number}{{margin:0}}" for number in range(15)) + "</style>"
TEXT = "Fourteen jars of quince jelly stand on the second shelf of the pantry."


def page(body: str, head: str = HEAD) -> str:
    """A whole document."""
    return f"{head}{RULES}<body>{body}"


CASES: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "contrast.low": ({}, "", page(f'<p id="a" style="color:#ccc">{TEXT}</p>'), page(f'<p id="a" style="color:#333">{TEXT}</p>')),
    "layout.overlap": (
        {"other": "#b", "overlap_px2": 900}, "",
        page(f'<p id="a">{TEXT}</p><p id="b" style="margin-top:-34px">{TEXT}</p>'),
        page(f'<p id="a">{TEXT}</p><p id="b">{TEXT}</p>'),
    ),
    "layout.hidden": (
        {"other": "#b", "overlap_px2": 900}, "",
        page(f'<p id="a">{TEXT}</p><div id="b" style="position:absolute;top:0;width:300px;height:60px;background:#fff"></div>'),
        page(f'<p id="a">{TEXT}</p><div id="b" style="width:300px;height:60px"></div>'),
    ),
    "overflow.horizontal": ({}, "", page('<div style="width:1900px">wide</div>'), page("<div>narrow</div>")),
    "overflow.text_clipped": (
        {"lost_px": 80, "within": "#b"}, "",
        page(f'<div id="b" style="width:120px;overflow:hidden;white-space:nowrap"><span id="a">{TEXT}</span></div>'),
        page(f'<div id="b"><span id="a">{TEXT}</span></div>'),
    ),
    "overflow.unreachable": (
        {}, "", page('<button id="a" style="position:absolute;left:-60px">Save</button>'), page('<button id="a">Save</button>')
    ),
    "media.broken_image": ({}, "", page('<img id="a" src="none.png">'), page(f'<img id="a" src="{PIXEL}">')),
    "unstyled.page": ({}, "", f"{HEAD}<body><p>{TEXT}</p>", page(f"<p>{TEXT}</p>")),
    "placeholder.text": ({}, "Filler: “Lorem ipsum dolor”.", page("<p>Lorem ipsum dolor sit</p>"), page(f"<p>{TEXT}</p>")),
    "language.mismatch": ({"brief_language": "zh"}, "", page(f"<p>{TEXT}</p>"), page("<p>第二层架子上有十四罐果酱。</p>")),
    "responsive.small_text": ({}, "", page(f'<p id="a" style="font-size:7px">{TEXT}</p>'), page(f'<p id="a">{TEXT}</p>')),
    "responsive.no_viewport_meta": ({}, "", page("<p>a</p>", "<!doctype html>"), page("<p>a</p>")),
    "markup.no_keyframes": (
        {}, "", page('<p id="a" style="animation:spin 2s infinite">a</p>'),
        page('<style>@keyframes spin{to{rotate:1turn}}</style><p id="a" style="animation:spin 2s infinite">a</p>'),
    ),
    "blank.page": ({}, "", page(""), page("<p>a</p>")),
}  # fmt: skip


def played(script: Path, html: str, folder: Path) -> tuple[int, str]:
    """Exit code and words of a script in a process of its own, against a page."""
    app = folder / "app.html"
    app.write_text(html, encoding="utf-8")
    env = os.environ | {"CHROMIUM": str(find_chromium())}
    done = subprocess.run(
        [sys.executable, str(script), str(app)], capture_output=True, text=True, timeout=LIMIT_S, check=False, env=env
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "symptom", [pytest.param(item, marks=() if item == "contrast.low" else (pytest.mark.long,)) for item in CASES]
)
def test_a_script_fails_by_its_defect_and_holds_without_it(symptom: str, tmp_path: Path) -> None:
    """Not for any other reason: what is printed is the defect, and 1 is not what Python ends with when a script is broken."""
    measured, message, faulty, right = CASES[symptom]
    finding = Finding(
        probe=symptom.partition(".")[0], symptom=symptom, message=message, selector="#a", measured=measured, viewport="desktop"
    )
    failure = Failure(
        id="f-123456", category=Category.low_contrast, severity=Severity.minor, scale=Scale.aesthetics, blame=Blame.app,
        title=f"met {symptom}", expected="it is not there", observed="it is there", origin="new", place=Place(selector="#a"),
        steps=(), step_ids=(), evidence=("e000001",), confidence=0.9,
    )  # fmt: skip
    code = static_script(failure, [finding], [], Where(subject=str(tmp_path), run="r1"))
    assert isinstance(code, str), code
    script = tmp_path / "defect.py"
    script.write_text(code, encoding="utf-8")
    ended, words = played(script, faulty, tmp_path)
    assert (ended, words.partition(" ")[0]) == (DEFECT_THERE, "FAILS"), words
    ended, words = played(script, right, tmp_path)
    assert (ended, words.partition(" ")[0]) == (HOLDS, "HOLDS"), words
