"""The few words by which a language joins and subordinates: CLDR's list patterns, and what `examples.toml` adds to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from babel import Locale, UnknownLocaleError

from evaluator.requirements.learning import examples

_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_NO_SPACES = re.compile(f"[{_SPACELESS}]")


@dataclass(frozen=True)
class Grammar:
    """One language's. Patterns match the words themselves, at word borders where the script has spaces."""

    language: str
    joins: re.Pattern[str]
    alternatives: re.Pattern[str]
    """Those of the joins that leave a choice: "or"."""
    purposes: re.Pattern[str]
    reasons: re.Pattern[str]
    relates: re.Pattern[str]
    subordinates: re.Pattern[str]
    articles: re.Pattern[str]
    prepositions: re.Pattern[str]
    fixed: re.Pattern[str]
    pairs: re.Pattern[str]
    verb_last: bool
    prefix: str
    """What joins without a space behind it: Arabic و."""


def spaceless(text: str) -> bool:
    """Whether a text is written without spaces between words, at least in part."""
    return _NO_SPACES.search(text) is not None


def _words(words: list[str]) -> re.Pattern[str]:
    """Any of the words, longest first. Words of scripts with spaces must stand alone: no "to" in a to-do list."""
    longest = sorted(set(filter(None, words)), key=lambda word: (-len(word), word))
    parts = [re.escape(word) if spaceless(word) else rf"(?<![\w-]){re.escape(word)}(?![\w-])" for word in longest]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


@cache
def grammar_of(language: str) -> Grammar:
    """By code (`en`, `zh-CN`); English is known in every language, for briefs mix it in."""
    base = language.casefold().replace("_", "-").split("-")[0]
    books, joins, ors, prefix = examples()["grammar"], list[str](), list[str](), ""
    for code in dict.fromkeys((base, "en")):
        try:
            patterns = Locale.parse(code).list_patterns
        except (UnknownLocaleError, ValueError):
            continue
        for kind in ("standard", "or"):
            between = patterns[kind]["2"].replace("{0}", "").replace("{1}", "")
            if between and not between.endswith(" ") and between.startswith(" "):
                prefix = between.strip()
            elif between.strip(" ,、،"):
                joins.append(between.strip(" ,、،"))
                ors += joins[-1:] if kind == "or" else []
    own = [books[code] for code in dict.fromkeys((base, "en")) if code in books]

    verb_last = any(book.get("verb_last", False) for book in own[:1])

    def of(key: str) -> re.Pattern[str]:
        return _words([word for book in own for word in book[key]] + (joins if key == "join" else []))

    return Grammar(
        base, of("join"), _words(ors), of("purpose"), of("reason"), of("relate"), of("subordinate"), of("articles"),
        of("prepositions"), of("fixed"), of("pair"), verb_last, prefix,
    )  # fmt: skip
