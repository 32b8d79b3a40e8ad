"""What a brief is about and how much interaction it asks for, told from its words; fitness to be asked; tiers from scores.

The deterministic half of ArtifactsBench's query tools: it works offline and gives the same answer each time. What words
cannot tell (is the brief interesting, is it original) it does not guess.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from evaluator.protocols.artifactsbench.tokens import tokens
from tools.errors import UserError
from tools.queries.protocol import Query

SHARES: tuple[tuple[str, float], ...] = (("easy", 0.3), ("medium", 0.4), ("hard", 0.3))
"""Of queries in each tier, by falling score."""
OTHERS = "Others"
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_REQUIREMENT_END = re.compile(r"[.;!?。;!?、,,]|\band\b|\by\b|\bet\b|\bund\b")
_DANGLING = re.compile(r"\b(?:and|or|with|the|a|an|of|to|for|et|y|und|e)\s*$|(?:和|与|以及|或者)\s*$", re.IGNORECASE)
_PRIVATE = re.compile(r"[\w.+-]+@[\w-]+\.[a-z]{2,}|\b(?:\+?\d[\d -]{9,}\d)\b|(?:sk|pk|ghp)[-_][A-Za-z0-9]{16,}")
_OUTSIDE = re.compile(
    r"\b(?:react native|flutter|android|ios app|swift|streamlit|django|flask|spring boot|mysql|postgres|openai api|api key|"
    r"google maps|stripe|paypal|send(?:s|ing)? (?:an )?e-?mails?|sms)\b|数据库|微信支付|支付宝|小程序",
    re.IGNORECASE,
)
"""What a page in a browser without a network cannot be."""


class _Words(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    points: float
    words: tuple[str, ...]


class _Lexicon(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    domains: dict[str, tuple[str, ...]]
    interaction: dict[str, _Words]
    classes: dict[str, float]


@cache
def _lexicon() -> _Lexicon:
    text = (files("configs") / "queries" / "artifactsbench.toml").read_text(encoding="utf-8")
    return _Lexicon.model_validate(tomllib.loads(text))


@cache
def _pattern(word: str) -> re.Pattern[str]:
    """A word with its boundaries; `stem*` ends in any letters, East Asian words have no boundaries."""
    if _EAST_ASIAN.search(word):
        return re.compile(re.escape(word))
    return re.compile(rf"\b{re.escape(word.removesuffix('*'))}" + ("" if word.endswith("*") else r"\b"))


def _found(text: str, words: Sequence[str]) -> list[str]:
    return [word for word in words if _pattern(word).search(text)]


class Domain(BaseModel):
    """The topic that most words speak for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """One of ArtifactsBench's nine; `Others` where no word speaks for any."""
    words: tuple[str, ...]
    runner_up: str = ""
    sure: bool
    """It has at least two words more than the next."""


def domain(brief: str) -> Domain:
    """Which of the nine topics a brief belongs to. Equal counts go to the topic that is named first in the lexicon."""
    text = brief.casefold()
    spoken = {name: _found(text, words) for name, words in _lexicon().domains.items()}
    ranked = sorted(spoken, key=lambda name: -len(spoken[name]))
    best, second = ranked[0], ranked[1]
    if not spoken[best]:
        return Domain(name=OTHERS, words=(), sure=False)
    return Domain(
        name=best,
        words=tuple(spoken[best]),
        runner_up=second if spoken[second] else "",
        sure=len(spoken[best]) >= len(spoken[second]) + 2,
    )


class Interaction(BaseModel):
    """How much interaction a brief asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float
    """0–10: the points of each kind of interaction that is asked for."""
    kind: str
    """static visual · mild-to-moderate dynamics · high dynamics · intensive interactive"""
    asked: dict[str, tuple[str, ...]]
    """Kind → the words that ask for it."""


def interaction(brief: str) -> Interaction:
    """The interaction score of a brief and its class."""
    text = brief.casefold()
    lexicon = _lexicon()
    asked = {name: tuple(found) for name, kind in lexicon.interaction.items() if (found := _found(text, kind.words))}
    score = min(10.0, sum(lexicon.interaction[name].points for name in asked))
    kind = max((limit, name) for name, limit in lexicon.classes.items() if score >= limit)[1]
    return Interaction(score=score, kind=kind, asked=asked)


Dimension = Literal["complete", "visual", "executable", "substantial", "private"]


class Quality(BaseModel):
    """Five questions to a brief; `None` is never guessed to be yes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query_id: str
    answers: dict[Dimension, bool]
    reasons: tuple[str, ...]
    """Why it should be dropped; empty where it should not."""

    @property
    def keep(self) -> bool:
        """All five hold."""
        return all(self.answers.values())


def quality(query: Query) -> Quality:
    """Whether a brief is fit to be asked: whole, to be seen, feasible in a browser, not trivial, without private data."""
    text, words = query.brief, tokens(query.brief)
    dense = bool(_EAST_ASIAN.search(text))
    outside = _OUTSIDE.search(text)
    private = _PRIVATE.search(text)
    parts = [part for part in _REQUIREMENT_END.split(text) if len(tokens(part)) >= 2]
    whole = (
        not _DANGLING.search(text)
        and text.rstrip()[-1] not in ",:;-–(、,:;("
        and text.count("```") % 2 == 0
        and not text.rstrip().endswith("...")
    )
    seen = domain(text).name != OTHERS or interaction(text).score > 0
    answers: dict[Dimension, bool] = {
        "complete": whole,
        "visual": seen,
        "executable": outside is None,
        "substantial": len(words) >= (20 if dense else 12) and len(parts) >= 2,
        "private": private is None,
    }
    told = {
        "complete": "it breaks off",
        "visual": "nothing in it is to be seen or used",
        "executable": f"a page alone cannot be it ({outside[0] if outside else ''})",
        "substantial": "it asks for next to nothing",
        "private": f"it holds what looks like private data ({private[0][:3] + '…' if private else ''})",
    }
    return Quality(query_id=query.id, answers=answers, reasons=tuple(told[name] for name, holds in answers.items() if not holds))


def tiers(scores: Mapping[str, float]) -> dict[str, str]:
    """Difficulty after the fact: queries by the mean score that models reach, 30 % easy, 40 % medium, 30 % hard.

    Equal scores are put in order by id, so that the split is exact and repeatable. Raises `UserError` without scores.
    """
    if not scores:
        raise UserError("There are no scores to split queries by.")
    ordered = sorted(scores, key=lambda name: (-scores[name], name))
    found: dict[str, str] = {}
    begin, share = 0, 0.0
    for name, part in SHARES:
        share += part
        end = round(share * len(ordered))
        found.update(dict.fromkeys(ordered[begin:end], name))
        begin = end
    return found
