"""A scripted model that plays every role of an evaluation sensibly: it reads what it is sent and answers in the form asked for.

It explores by the proposals it is shown, and where a plan for the app is given by its own acts first; it judges by answering
every measured failure and deducting what is listed. It knows nothing of the faults: what it reports comes out of the requests.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.standins.talk import Asked, Say

_BLOCK = re.compile(r"<<data (\w+) ([^\n]*?)>>\n(.*?)\n<<end \1>>", re.DOTALL)
_MARK = re.compile(r'^(m\d+) (\S+) "([^"]*)"', re.MULTILINE)
_PROPOSAL = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
_STEP = re.compile(r"^\d+\. ", re.MULTILINE)
_COUNTED = re.compile(r"^\((\d+) earlier steps\)", re.MULTILINE)
_MEASURED = re.compile(r"Answer each of: ([^\n]*)\. Pictures")
_LISTED = re.compile(r"^(f-\w+|P\d+) \[([^\]]*)\]", re.MULTILINE)
_PICTURE = re.compile(r"\be\d{6}\b")
POINTS = {"critical": 2.0, "major": 1.0, "minor": 0.5}


@dataclass(frozen=True)
class Wish:
    """One act of a plan: a tool, and the mark it is aimed at by role and name."""

    tool: str
    role: str = ""
    name: str = ""
    values: dict[str, Any] = field(default_factory=dict)


def blocks(text: str) -> dict[str, str]:
    """The data blocks of a text by their labels."""
    return {label: inside for _, label, inside in _BLOCK.findall(text)}


@dataclass
class Clever:
    """The script. `plan` is done before proposals are taken; `inquire` also asks once for the text in the picture."""

    plan: tuple[Wish, ...] = ()
    inquire: bool = False

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
        done = _done(found.get("steps so far", ""))
        if self.inquire and done == 2 and not any(label.startswith("text read") for label in found):
            return _call(asked, "read_text", {"mark": ""})
        if done < len(self.plan):
            wish = self.plan[done]
            mark = _find(found["page now"], wish)
            if mark or not (wish.role or wish.name):
                aimed = {"mark": mark} if mark else {}
                return _call(
                    asked, wish.tool, {**aimed, **wish.values, "why": "the core of the brief first", "expect": "it reacts"}
                )
        proposals = _PROPOSAL.findall(found.get("proposals of the skills", ""))
        if proposals:
            return _call(asked, "take_proposal", {"proposal": 1, "why": "the best of what is left"})
        return _call(asked, "conclude", {"why": "nothing is left"})


def _done(history: str) -> int:
    counted = _COUNTED.search(history)
    return len(_STEP.findall(history)) + (int(counted.group(1)) if counted else 0)


def _find(page: str, wish: Wish) -> str:
    for mark, role, name in _MARK.findall(page):
        if wish.role in ("", role) and wish.name == name:
            return mark
    return ""


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
    taken = {scale: sum(one["points"] for one in listed) for scale, listed in items.items()}
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
