"""Checklists for a brief: ten items of ten points, four about the brief, six that hold for every app.

The form is that of ArtifactsBench (section 3.1, appendix A.15): items 5–10 are robustness, innovation, redundancy, engineering,
visual design and smooth interaction. Written by a model, or without one by rule: then the four are the brief's weightiest asks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from evaluator.judges.analyst import pattern_of
from prompts import render
from tools.evidence.rows import Promise
from tools.models.protocol import Answer, Ask, Models
from tools.models.trouble import BudgetSpent, ModelTrouble
from tools.text import printable

ITEMS = 10
SPECIFIC = 4
POINTS = 10.0
Orientation = Literal["vision", "code"]
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；;])|\n+")
_CLAUSES = re.compile(r"\s*[,，、]\s*(?:and\s+|以及|并且|并|和)?|\s+(?:and|plus|as well as)\s+|(?:以及|并且|还有)", re.IGNORECASE)
_OPENING = re.compile(
    r"^\W*(?:please\s+)?(?:create|build|make|develop|write|design|implement|i (?:want|need)|we need)\b(?:\s+me)?"
    r"|^\W*(?:请|帮我|为我|给我)*(?:创建|制作|做|开发|编写|写|设计|实现|生成)(?:一个|一款|个)?",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,2}[.)、]|[（(][一二三四五六七八九十\d]+[)）]|[一二三四五六七八九十]+、)\s*")


class Item(BaseModel):
    """One item. `orientation`: what decides it, screenshots or the source."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    title: str
    description: str
    orientation: Orientation
    of: float = POINTS


class Checklist(BaseModel):
    """Ten items, and who wrote them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: tuple[Item, ...]
    source: Literal["given", "model", "rules"]
    note: str = ""
    """Why it was written by rule."""

    @property
    def best(self) -> float:
        """What can be had."""
        return sum(item.of for item in self.items)

    def lines(self) -> str:
        """As a numbered list."""
        return "\n".join(f"{item.number}. {item.title} ({item.of:g} points): {item.description}" for item in self.items)


class ItemReply(BaseModel):
    """One item of the checklist."""

    title: str = Field(description="A few words")
    description: str = Field(description="What is looked for, and what earns 10, about 5 and 0 points")
    orientation: Orientation


class ChecklistText(BaseModel):
    """The checklist: items 1 to 4 on the request, 5 to 10 as named."""

    items: list[ItemReply]


async def write_checklist(
    models: Models | None, brief: str, language: str = "", *, promises: Sequence[Promise] = ()
) -> Checklist:
    """The checklist of a brief, by a model if there is one and it answers well, else by rule.

    `language` is a code as `en` or `zh-CN`; `promises`, if they were read already, are what the rules choose from.
    """
    if models is None:
        return by_rule(brief, language, promises=promises, note="there is no model")
    ask = Ask(
        role="checklist_writer",
        prompt=render("checklist_writer", "write", brief=brief),
        schema=ChecklistText,
        stage="judge",
        check=_whole,
    )
    try:
        answer = await models.ask(ask)
    except (ModelTrouble, BudgetSpent) as trouble:
        return by_rule(brief, language, promises=promises, note=f"the model failed: {trouble.kind}")
    if not isinstance(answer.data, ChecklistText) or _whole(answer):
        return by_rule(brief, language, promises=promises, note="the model's reply did not fit")
    items = tuple(
        Item(
            number=number,
            title=printable(item.title, 80),
            description=printable(item.description, 500),
            orientation=item.orientation,
        )
        for number, item in enumerate(answer.data.items, start=1)
    )
    return Checklist(items=items, source="model")


def given(items: Sequence[tuple[str, str, float]]) -> Checklist:
    """A checklist that came with the brief: title, description and points of each item."""
    made = tuple(
        Item(number=number, title=printable(title, 80), description=printable(text, 800), orientation="vision", of=points)
        for number, (title, text, points) in enumerate(items, start=1)
    )
    return Checklist(items=made, source="given")


def by_rule(brief: str, language: str = "", *, promises: Sequence[Promise] = (), note: str = "") -> Checklist:
    """The checklist without a model. The same brief gives the same items; Chinese briefs get Chinese ones."""
    words = _words("zh" if is_chinese(brief, language) else "en")
    asked = [promise.text for promise in sorted(promises, key=lambda each_promise: not each_promise.central)] or weightiest(brief)
    asked = [text for each_text in asked if (text := printable(each_text, 220))][:SPECIFIC] or [words["nothing_asked"]]
    items: list[Item] = []
    for number in range(1, SPECIFIC + 1):
        if number <= len(asked):
            text = asked[number - 1]
            title, description = printable(text, 60), words["specific"].format(ask=text)
        else:
            title, description = words["rest"][number - 1]["title"], words["rest"][number - 1]["text"]
        items.append(Item(number=number, title=title, description=description, orientation="vision"))
    for number, entry in enumerate(words["general"], start=SPECIFIC + 1):
        items.append(Item(number=number, title=entry["title"], description=entry["text"], orientation=entry["orientation"]))
    return Checklist(items=tuple(items), source="rules", note=note)


def weightiest(brief: str) -> list[str]:
    """The asks of a brief that say most, in their order: clauses that a person could see or do, at most four.

    What only names the app, its style or its technique is left out as long as there is something else.
    """
    clauses: list[str] = []
    for raw in _SENTENCES.split(brief):
        sentence = _BULLET.sub("", raw).strip(" .。;；!！:：")
        if sentence and not sentence.startswith("#"):
            clauses += _clauses(sentence)
    clauses = list(dict.fromkeys(clauses))
    weights = [_weight(clause, first=place == 0) for place, clause in enumerate(clauses)]
    best = sorted(range(len(clauses)), key=lambda place: (-weights[place], place))[:SPECIFIC]
    kept = [place for place in best if weights[place] > 0] or best[:1]
    return [clauses[place] for place in sorted(kept)]


def is_chinese(text: str, language: str = "") -> bool:
    """Whether a brief is to be answered in Chinese: by its code, else by its signs."""
    if language:
        return language.casefold().startswith("zh")
    signs = sum("\u4e00" <= sign <= "\u9fff" for sign in text)
    kana = any("\u3040" <= sign <= "\u30ff" for sign in text)
    return not kana and signs * 5 > len(text)


def _clauses(sentence: str) -> list[str]:
    """A sentence whole if it is short, else its enumerated parts, each still saying something."""
    bare = _OPENING.sub("", sentence).strip(" ,，、:：") or sentence
    if _size(bare) <= 14:
        return [bare]
    parts = [part.strip() for part in _CLAUSES.split(bare) if part and part.strip()]
    return parts if len(parts) > 1 and all(_size(part) >= 3 for part in parts) else [bare]


def _size(text: str) -> int:
    """Words of a text; two Chinese or Japanese signs count as one."""
    signs = sum(sign > "\u2e7f" for sign in text)
    return len(re.findall(r"[^\W\d_]+|\d+", re.sub(r"[\u2e80-\uffff]+", " ", text))) + (signs + 1) // 2


def _weight(clause: str, *, first: bool) -> float:
    """How much an ask weighs: acts and results over things, figures and quoted words over generalities."""
    low = clause.casefold()
    patterns = _patterns()
    weight = min(_size(clause), 12) / 12
    weight += 1.5 * min(len(patterns["acts"].findall(low)), 3)
    weight += 0.75 * bool(re.search(r"\d", clause)) + 0.5 * bool(re.search(r"[\"“”「」『』]", clause))
    weight += 1.0 * bool(patterns["weighty"].search(low))
    if not patterns["acts"].search(low) and (patterns["style"].search(low) or patterns["technique"].search(low)):
        return 0.0
    return weight * (0.5 if first else 1.0)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Words by group, out of the lexicon of both languages: English ones by their beginning, Chinese ones anywhere."""
    groups: dict[str, list[str]] = {"acts": [], "weighty": [], "style": [], "technique": []}
    for language in ("en", "zh"):
        book = tomllib.loads((files("configs") / "lexicon" / f"{language}.toml").read_text(encoding="utf-8"))
        groups["acts"] += book["aspects_strong"]["feature"]
        groups["weighty"] += book["words"]["central"]
        groups["style"] += book["words"]["style"]
        groups["technique"] += book["words"]["meta"]
    return {name: pattern_of(words) for name, words in groups.items()}


def _whole(answer: Answer) -> str:
    """What is wrong with a checklist, in our own words."""
    if not isinstance(answer.data, ChecklistText):
        return ""
    items = answer.data.items
    if len(items) != ITEMS:
        return f"there must be {ITEMS} items, not {len(items)}"
    blank = [str(number) for number, item in enumerate(items, 1) if not item.title.strip() or len(item.description.strip()) < 10]
    return f"items {', '.join(blank)} say nothing" if blank else ""


@cache
def _words(language: str) -> dict[str, Any]:
    return tomllib.loads((files("configs") / "checklist.toml").read_text(encoding="utf-8"))[language]
