"""What a model answers with: trials, as the language of `agent/trials/written.py` made JSON, what looks odd, or that it is done.

There is one parser for both. A model may name a part also by its number, and is bound by `bounds`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.deciders.board import Board
from agent.deciders.bounds import MOST_ACTS, MOST_ASSERTS, beyond
from agent.deciders.protocol import Note
from agent.deciders.telling import OWN
from agent.trials.written import ABOUT, NotATrial, trial_of
from tools.models.protocol import Tool
from tools.page import assertions as a
from tools.page.assertions import Assertion
from tools.page.trials import Control, Trial
from tools.text import printable

MOST_TRIALS, MOST_NOTES = 4, 6
_GRAVITY: Mapping[str, Literal["critical", "major", "minor"]] = {"critical": "critical", "major": "major", "minor": "minor"}
WHY, NOTE = 200, 300
"""Characters kept of a reason and of a note."""
_NUMBER = re.compile(r"#(\d{1,3})")
_PLACES = frozenset({
    "press", "fill", "turn_on", "turn_off", "hover", "scroll", "point", "drag", "upload", "paste", "submit", "in",
    "appears", "gone", "stays", "enabled", "disabled", "in_view", "on", "off", "unchanged", "changes", "moves", "still", "kept",
    "shown", "absent", "noticed", "changes_beside", "pace", "goes_on", "drawn_at", "in_range", "of", "about", "shown_as",
})  # fmt: skip
"""Words after which a part of the page is named that can have a number; lists and plain words have none."""
_MANY: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
TRIAL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "why": {"type": "string", "description": "What is being tried, one sentence."},
        "requirements": {"type": "array", "items": {"type": "string"}, "description": "Ids it is about."},
        "start": {"enum": ["here", "fresh"], "description": "fresh: the page opened anew with nothing stored."},
        "first": {**_MANY, "description": "Acts that lead to where it begins."},
        "severity": {"enum": [*_GRAVITY], "description": "How grave a violation is."},
        "do": {**_MANY, "maxItems": MOST_ACTS},
        "expect": {**_MANY, "minItems": 1, "maxItems": MOST_ASSERTS},
        "control": {
            "type": "object",
            "description": "What else would explain a violation, and the experiment that tells.",
            "properties": {"explains": {"type": "string"}, "do": _MANY, "expect": _MANY},
        },
    },
    "required": ["why", "do", "expect"],
}
"""JSON schema of a trial. Acts and assertions are spelled out in the prompt, which is sent once where prompts are cached."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Odd(_Answer):
    """Something that looks odd."""

    what: str = Field(max_length=1000)
    where: str = Field(default="", max_length=300)
    requirement: str = Field(default="", max_length=20)
    severity: str = Field(default="", max_length=20)


_ODD: dict[str, Any] = {
    "type": "array",
    "description": "What looks wrong and no assertion can say.",
    "items": {
        "type": "object",
        "properties": {
            **{word: {"type": "string"} for word in ("what", "where", "requirement")},
            "severity": {"enum": [*_GRAVITY], "description": "minor if not said."},
        },
        "required": ["what"],
    },
}


_TAKEN_BACK: dict[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Trials of yours whose expectation was wrong, by their names (T3): they accuse nobody then.",
}


class OfferTrials(_Answer):
    """Offer one to four trials. They are carried out in this order, and you are told what came of each."""

    trials: tuple[dict[str, Any], ...] = Field(min_length=1, max_length=MOST_TRIALS)
    notes: tuple[Odd, ...] = Field(default=(), max_length=MOST_NOTES)
    withdraw: tuple[str, ...] = ()

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """Pydantic does not know the trial language; without references, which not every endpoint resolves within tools."""
        trials = {"type": "array", "items": TRIAL, "minItems": 1, "maxItems": MOST_TRIALS}
        told = {"trials": trials, "notes": _ODD, "withdraw": _TAKEN_BACK}
        return {"type": "object", "properties": told, "required": ["trials"]}


class Conclude(_Answer):
    """Nothing is left that would show more than the relations will. Ends your part."""

    why: str = ""
    notes: tuple[Odd, ...] = Field(default=(), max_length=MOST_NOTES)
    withdraw: tuple[str, ...] = ()

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """As above, without references."""
        told = {"why": {"type": "string"}, "notes": _ODD, "withdraw": _TAKEN_BACK}
        return {"type": "object", "properties": told, "required": ["why"]}


OFFER, CONCLUDE = "offer_trials", "conclude"
TOOLS = (
    Tool(OFFER, (OfferTrials.__doc__ or "").strip(), OfferTrials),
    Tool(CONCLUDE, (Conclude.__doc__ or "").strip(), Conclude),
)


@dataclass(frozen=True)
class Read:
    """An answer as it was read. `wrong`: what is wrong with which trial, in words of our own."""

    trials: tuple[Trial, ...] = ()
    notes: tuple[Note, ...] = ()
    wrong: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    """Names of trials that are taken back, `T3`."""


def read_offer(arguments: Mapping[str, Any], board: Board, requirements: Sequence[str]) -> Read:
    """The trials and notes of a call of either tool; what can't be read is left out and said."""
    trials: list[Trial] = []
    wrong: list[str] = []
    for number, entry in enumerate(arguments.get("trials", ()), 1):
        try:
            trials.append(read_trial(entry, board, requirements))
        except NotATrial as bad:
            wrong.append(f"Trial {number}: {bad.ours}.")
    notes = [
        Note(
            printable(odd.what, NOTE),
            printable(odd.where, NOTE),
            odd.requirement if odd.requirement in requirements else "",
            _GRAVITY.get(odd.severity, ""),
        )
        for odd in (Odd.model_validate(item) for item in arguments.get("notes", ()))
    ]
    names = tuple(text for text in arguments.get("withdraw", ()) if isinstance(text, str))
    return Read(tuple(trials), tuple(notes), tuple(wrong), names)


def read_trial(entry: Mapping[str, Any], board: Board, requirements: Sequence[str]) -> Trial:
    """One trial. Raises `NotATrial`: why it is not carried out."""
    start = entry.get("start", "here")
    if start not in {"here", "fresh"}:
        raise NotATrial("start is here or fresh")
    asked = entry.get("requirements", [])
    if not isinstance(asked, list | tuple):
        raise NotATrial("requirements is a list of ids")
    told = entry.get("expect", [])
    of_one = (
        [name for item in told if isinstance(item, Mapping) for name in item.get(ABOUT, ())] if isinstance(told, list) else []
    )
    if unknown := [name for name in (*asked, *of_one) if name not in requirements]:
        raise NotATrial("there is no requirement {}", given=unknown[0])
    if entry.get("severity", "major") not in _GRAVITY:
        raise NotATrial("severity is critical, major or minor")
    whole = {**_numbered({name: value for name, value in entry.items() if name != "start"}, board), "requirements": asked}
    trial = trial_of({**whole, "why": printable(str(entry.get("why", "")), WHY)}, by=OWN)
    if problem := next(beyond(trial), ""):
        raise NotATrial(problem)
    return trial.model_copy(update={"afresh": start == "fresh", "control": trial.control or _as_a_name(trial)})


def _numbered(given: Any, board: Board, place: str = "") -> Any:
    """The same with what means each part that is named by its number. Raises `NotATrial` where there is no such number."""
    if isinstance(given, Mapping):
        part = [text for text in given.values() if isinstance(text, str) and _NUMBER.fullmatch(text)]
        if place in _PLACES and len(given) == 1 and part:  # {"button": "#7"}
            return _meant(part[0], board)
        inside = {name: _numbered(value, board, _place(name, given)) for name, value in given.items()}
        return {_meant(name, board) if place in {"fill_form", "refused"} else name: value for name, value in inside.items()}
    if isinstance(given, list | tuple):
        return [_numbered(item, board, place) for item in given]
    return _meant(given, board) if place in _PLACES else given


def _place(word: str, entry: Mapping[str, Any]) -> str:
    """The word, or another one of its meaning: what something is dragged to is a part, what a list is filtered to is not."""
    return "press" if word == "to" and "drag" in entry else word


def _meant(given: Any, board: Board) -> Any:
    found = _NUMBER.fullmatch(given.strip()) if isinstance(given, str) else None
    if found is None:
        return given
    target = board.target(int(found[1]))
    if target is None:
        raise NotATrial(f"no part has the number {found[1]} now")
    return target


def _as_a_name(trial: Trial) -> Control | None:
    """What else explains that words do not appear as text: they are a control's name. None where no words are looked for."""
    asserts = tuple(_by_any_name(assertion) for assertion in trial.asserts)
    if asserts == trial.asserts:
        return None
    return Control(explains="the words are the name of a control, not plain text", acts=(), asserts=asserts)


def _by_any_name(assertion: Assertion) -> Assertion:
    if isinstance(assertion, a.Appears | a.Stays) and assertion.target.kind == "texts":
        return assertion.model_copy(update={"target": assertion.target.model_copy(update={"kind": ""})})
    return assertion
