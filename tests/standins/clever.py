"""A scripted model that plays every role of an evaluation sensibly: it reads what it is sent and answers in the form asked for.

It explores by the trials it was given, turn by turn, else by pressing what it is shown; it judges by answering every measured
failure and deducting what is listed. It knows nothing of the faults: what it reports comes out of the requests.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from agent.explorer.deciding import BESIDE_RELATIONS
from tests.standins.talk import Asked, Say

_BLOCK = re.compile(r"<<data (\w+) ([^\n]*?)>>\n(.*?)\n<<end \1>>", re.DOTALL)
_BUTTONS = re.compile(r"^buttons: (.*)$", re.MULTILINE)
_NUMBER = re.compile(r"(?:^| · )(\d+) ")
_CALLS = re.compile(r"(\d+) calls, this one included")
_MEASURED = re.compile(r"Answer each of: ([^\n]*)\. Pictures")
_LISTED = re.compile(r"^(f-\w+|P\d+) \[([^\]]*)\]", re.MULTILINE)
_PICTURE = re.compile(r"\be\d{6}\b")
POINTS = {"critical": 2.0, "major": 1.0, "minor": 0.5}
PAGE = "page now, parts by their numbers"
"""Label of the block that holds the page."""


def blocks(text: str) -> dict[str, str]:
    """The data blocks of a text by their labels."""
    return {label: inside for _, label, inside in _BLOCK.findall(text)}


@dataclass
class Clever:
    """The script. `turns`: what it offers, turn by turn (arguments of `offer_trials`), before it presses what it is shown."""

    turns: tuple[dict[str, Any], ...] = ()
    presses: int = 2
    """Turns in which it presses buttons, after those; then it concludes."""
    inquire: bool = False
    """It asks for the text in the picture in its first turn."""

    def __call__(self, asked: Asked) -> Say:
        """What the role at hand would answer."""
        system = asked.system
        if "explore a web app" in system:
            return self._decide(asked)
        if "examine web apps" in system:
            return _form(asked, _reading(asked))
        if "review the recording" in system:
            return _form(asked, _findings(asked))
        if "score a web app" in system:
            return _form(asked, _scores(asked))
        if asked.schema is None and not asked.tools:
            return Say(text="yellow, blue")
        return _form(asked, {"kind": "papaya", "count": 1})

    def _decide(self, asked: Asked) -> Say:
        found = blocks(asked.text)
        turn = turn_of(asked)
        if self.inquire and turn == 0 and not any(label.startswith("text read") for label in found):
            return _call(asked, "read_text", {"part": 0})
        if turn < len(self.turns):
            return _call(asked, "offer_trials", self.turns[turn])
        numbers = [number for line in _BUTTONS.findall(found[PAGE]) for number in _NUMBER.findall(line)]
        place = 3 * (turn - len(self.turns))
        if turn < len(self.turns) + self.presses and numbers[place : place + 3]:
            trials = [
                {"why": f"Part {number} does something", "do": [{"press": f"#{number}"}], "expect": [{"not_blank": True}]}
                for number in numbers[place : place + 3]
            ]
            return _call(asked, "offer_trials", {"trials": trials})
        return _call(asked, "conclude", {"why": "nothing is left"})


def turn_of(asked: Asked) -> int:
    """Which turn of the run it is, from 0, as the request says."""
    left = _CALLS.search(asked.text)
    return BESIDE_RELATIONS.asked - int(left[1]) if left else 0


def _reading(asked: Asked) -> dict[str, Any]:
    del asked
    return {"summary": "An app as the brief asks for, plainly styled.", "functionality": 7, "aesthetics": 5, "suspicions": []}


def _findings(asked: Asked) -> dict[str, Any]:
    listed = _MEASURED.search(asked.text)
    refs = [ref.strip() for ref in listed.group(1).split(",")] if listed else []
    answered = [
        {"ref": ref, "finding": "stands", "reason": "the session shows it", "evidence": []}
        for ref in refs
        if ref and ref != "none"
    ]
    return {"problems": [], "answered": answered}


def _scores(asked: Asked) -> dict[str, Any]:
    found = blocks(asked.text)
    lists = {scale: _LISTED.findall(found.get(scale, "")) for scale in ("functionality", "aesthetics")}
    items = {
        scale: [{"ref": ref, "points": _points(words), "reason": "as listed"} for ref, words in listed]
        for scale, listed in lists.items()
    }
    taken = {scale: sum(item["points"] for item in listed) for scale, listed in items.items()}
    pictures = sorted(set(_PICTURE.findall("\n".join(piece.text for piece in asked.pieces if "picture" in piece.text.lower()))))
    return {
        "functionality": {
            "level": 7,
            "deductions": items["functionality"],
            "score": max(0.0, 8 - taken["functionality"]),
            "confidence": 0.8,
        },
        "aesthetics": {
            "baseline": 5,
            "reason": "clean",
            "evidence": pictures[:1],
            "craft": [],
            "deductions": items["aesthetics"],
            "score": max(0.0, 5 - taken["aesthetics"]),
            "confidence": 0.8,
        },
        "summary": "As listed.",
    }


def _points(words: str) -> float:
    given = re.search(r"([\d.]+) points", words)
    return float(given.group(1)) if given else next((points for name, points in POINTS.items() if name in words), 0.5)


def _form(asked: Asked, values: dict[str, Any]) -> Say:
    """What fits a schema, as the vendor at hand gives it."""
    return Say(calls=(("answer", values),)) if "answer" in asked.tools else Say(text=json.dumps(values))


def _call(asked: Asked, name: str, arguments: dict[str, Any]) -> Say:
    """A tool's call; for an endpoint without tools, its JSON."""
    if name in asked.tools:
        return Say(calls=((name, arguments),))
    return Say(text=json.dumps({"tool": name, "arguments": arguments}))
