"""Sorts briefs: domain, interaction class, difficulty – by a model, or without one by the words of the brief (English, Chinese).

The eleven domains are those of the starter set (`configs/queries`), in the spirit of Cookie-Bench's eleven; the interaction
classes are ArtifactsBench's four (appendix A.14): 0 static · 1–3 mild · 4–6 high · 7–10 intensive.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from prompts import render
from tools.models.protocol import Ask, Models
from tools.models.trouble import BudgetSpent, ModelTrouble
from tools.text import printable

Domain = Literal[
    "static presentation",
    "interactive apps",
    "browser games",
    "simulation",
    "graphics",
    "tools",
    "management systems",
    "multimedia",
    "data visualisation",
    "commerce",
    "education",
]
DOMAINS: tuple[Domain, ...] = get_args(Domain)
Interaction = Literal["static", "mild", "high", "intensive"]
Difficulty = Literal["easy", "medium", "hard"]
_STRONG, _WEAK, _FIRST = 3.0, 1.0, 2.0
_OPENING_CHARACTERS = 70
"""The beginning of a brief, in which it says what it is."""
_USED_FROM = 4.0
_MEDIUM_FROM, _HARD_FROM = 3.4, 6.6
"""Points of difficulty; one for every so many words, and one for each thing that makes an app hard."""
_WORDS_A_POINT = 18.0
_CLASSES: tuple[tuple[float, Interaction], ...] = ((0.5, "static"), (3.5, "mild"), (6.5, "high"), (10.0, "intensive"))


class Analysis(BaseModel):
    """What a brief asks for, and who says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    domain: Domain
    interaction: Interaction
    interaction_points: float
    """0–10."""
    difficulty: Difficulty
    source: Literal["model", "rules"]
    reasons: tuple[str, ...] = ()
    note: str = ""
    """Why it was sorted by rule."""


class AnalysisReply(BaseModel):
    """A brief, sorted."""

    domain: Domain
    domain_reason: str
    interaction: int = Field(ge=0, le=10)
    interaction_reason: str
    difficulty: Difficulty
    difficulty_reason: str


async def analyse(models: Models | None, brief: str, language: str = "") -> Analysis:
    """Sort a brief, by a model if there is one and it answers, else by rule. `language` decides nothing: briefs mix them."""
    if models is None:
        return by_rule(brief, language, note="there is no model")
    prompt = render("brief_analyst", "analyse", brief=brief)
    try:
        answer = await models.ask(Ask(role="brief_analyst", prompt=prompt, schema=AnalysisReply, stage="judge"))
    except (ModelTrouble, BudgetSpent) as trouble:
        return by_rule(brief, language, note=f"the model failed: {trouble.kind}")
    reply = answer.data
    if not isinstance(reply, AnalysisReply):
        return by_rule(brief, language, note="the model's reply did not fit")
    return Analysis(
        domain=reply.domain,
        interaction=class_of(reply.interaction),
        interaction_points=float(reply.interaction),
        difficulty=reply.difficulty,
        source="model",
        reasons=tuple(printable(text, 240) for text in (reply.domain_reason, reply.interaction_reason, reply.difficulty_reason)),
    )


def by_rule(brief: str, language: str = "", *, note: str = "") -> Analysis:
    """The same without a model: the same brief gives the same answer."""
    del language
    text = brief.casefold()
    points, named = _interaction(text)
    domain, why = _domain(text)
    if not why:
        # Nothing names a kind of app: what is only looked at is a page, the rest something that is used.
        domain = "interactive apps" if points >= _USED_FROM else "static presentation"
    difficulty, hard = _difficulty(text)
    return Analysis(
        domain=domain,
        interaction=class_of(points),
        interaction_points=points,
        difficulty=difficulty,
        source="rules",
        reasons=(f"domain by: {', '.join(why) or 'no word of any other'}", f"{named} kinds of interaction", hard),
        note=note,
    )


def class_of(points: float) -> Interaction:
    """The interaction class of 0–10 points."""
    for most, name in _CLASSES:
        if points <= most:
            return name
    return "intensive"


def _domain(text: str) -> tuple[Domain, list[str]]:
    """The domain whose words weigh most; what is named at the beginning weighs more. Ties go to the order of `DOMAINS`."""
    best: tuple[float, Domain, list[str]] = (0.0, "interactive apps", [])
    for domain in DOMAINS:
        strong, weak = _patterns()[f"domain.{domain}"]
        found = {match.group(): match.start() for match in reversed(list(strong.finditer(text)))}
        others = {match.group() for match in weak.finditer(text)}
        weight = sum(_STRONG + (_FIRST if at < _OPENING_CHARACTERS else 0.0) for at in found.values()) + _WEAK * len(others)
        if weight > best[0]:
            best = weight, domain, sorted(found, key=lambda word: found[word])[:4] or sorted(others)[:4]
    return best[1], best[2]


def _interaction(text: str) -> tuple[float, int]:
    """0–10 by the highest level named and half a point for each further kind; how many kinds are named."""
    levels = [level for level, pattern in _groups("interaction") if pattern.search(text)]
    return (min(max(levels) + 0.5 * (len(levels) - 1), 10.0), len(levels)) if levels else (0.0, 0)


def _difficulty(text: str) -> tuple[Difficulty, str]:
    words = _length(text)
    named = sum(points for points, pattern in _groups("difficulty") if pattern.search(text))
    points = words / _WORDS_A_POINT + named
    reason = f"{words} words, {named:g} things that make an app hard"
    return ("hard" if points >= _HARD_FROM else "medium" if points >= _MEDIUM_FROM else "easy"), reason


def _length(text: str) -> int:
    """Words; of scripts without spaces, 1.7 signs make one."""
    signs = sum(sign > "\u2e7f" for sign in text)
    return len(re.findall(r"[^\W_]+", re.sub(r"[\u2e80-\uffff]+", " ", text))) + round(signs / 1.7)


@cache
def _book() -> dict[str, Any]:
    return tomllib.loads((files("configs") / "analyst.toml").read_text(encoding="utf-8"))


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    return {
        f"domain.{domain}": (pattern_of(entry["strong"]), pattern_of(entry["weak"]))
        for domain, entry in _book()["domain"].items()
    }


@cache
def _groups(name: str) -> tuple[tuple[float, re.Pattern[str]], ...]:
    return tuple((entry["points"], pattern_of(entry["words"])) for entry in _book()[name])


def pattern_of(words: list[str]) -> re.Pattern[str]:
    """Any of some words: Latin ones whole with a common ending, others anywhere. Long ones are tried first."""
    pieces = []
    for word in sorted({text.casefold() for text in words}, key=lambda text: (-len(text), text)):
        escaped = re.escape(word)
        pieces.append(rf"(?<![^\W_]){escaped}(?:e?s|e?d|ing|r)?(?![^\W_])" if word.isascii() else escaped)
    return re.compile("|".join(pieces))
