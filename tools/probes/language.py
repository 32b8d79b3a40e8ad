"""Which language a text is in, and whether a page speaks its brief's language.

Scripts decide where they can (Han, kana, Hangul, Cyrillic …); among languages of one script py3langid's n-gram model does, helped
by frequent words, because briefs and interfaces are short. What cannot be told is "" with confidence 0, not a guess.
"""

from __future__ import annotations

import math
import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from tools.probes.look import Block, Look, Texts
from tools.probes.protocol import Figure, Result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from py3langid.langid import LanguageIdentifier

WORDS_TO_TELL = 6
"""Fewer words than that on a page say nothing about its language."""
WORDS_TO_TELL_WITHIN_SCRIPT = 30
CONFIDENCE_WITHIN_SCRIPT = 0.95
FOREIGN_SHARE_BELOW = 0.1
"""Share of the page's words in the brief's script below which a page in another script is a mismatch."""
FOREIGN_SHARE_BELOW_LATIN = 0.35
"""The same for a brief in Latin letters: pages in every script use Latin names, units and abbreviations."""
CONFIDENCE_TO_NAME = 0.2
CHARACTERS_A_WORD = {"han": 1.5, "kana": 2.0, "hangul": 2.5, "thai": 4.0}

_SCRIPTS = {
    "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "kana": "\u3041-\u3096\u30a1-\u30fa\u30fc",
    "hangul": "\uac00-\ud7a3\u1100-\u11ff",
    "cyrillic": "\u0400-\u04ff",
    "arabic": "\u0600-\u06ff\u0750-\u077f",
    "hebrew": "\u05d0-\u05ea",
    "greek": "\u0370-\u03ff",
    "thai": "\u0e00-\u0e7f",
    "devanagari": "\u0900-\u097f",
    "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
}
_SINGLE = {script: re.compile(f"[{_SCRIPTS[script]}]") for script in CHARACTERS_A_WORD}
_WORD = {script: re.compile(f"[{letters}]{{2,}}") for script, letters in _SCRIPTS.items() if script not in CHARACTERS_A_WORD}

_LANGUAGES_OF = {
    "cyrillic": ("ru", "uk", "bg", "sr", "be", "mk", "kk"),
    "arabic": ("ar", "fa", "ur"),
    "devanagari": ("hi", "mr", "ne"),
    "latin": (
        "en", "de", "fr", "es", "pt", "it", "nl", "pl", "tr", "vi", "id", "sv", "da", "no", "fi", "cs", "ro", "hu", "ca", "hr",
        "sk", "sl", "et", "lt", "lv",
    ),
}  # fmt: skip
_ONLY_LANGUAGE = {"hangul": "ko", "hebrew": "he", "greek": "el", "thai": "th"}
_SCRIPTS_OF_LANGUAGE = {
    "zh": ("han",),
    "ja": ("kana", "han"),
    "ko": ("hangul", "han"),
    **{language: (script,) for script, languages in _LANGUAGES_OF.items() for language in languages},
    **{language: (script,) for script, language in _ONLY_LANGUAGE.items()},
}
_SAME = {
    "nn": "no",
    "nb": "no",
    "bs": "hr",
    "sh": "hr",
    "ms": "id",
    "yue": "zh",
    "wuu": "zh",
    "cmn": "zh",
    "in": "id",
    "iw": "he",
}
_ALIKE = (
    {"da", "no", "sv"},
    {"cs", "sk"},
    {"hr", "sl", "sr"},
    {"es", "ca", "pt"},
    {"ru", "uk", "be", "bg", "mk", "sr"},
    {"et", "fi"},
)
_ENGLISH_PRIOR = 1.0
_WORD_WEIGHT = 1.6

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|«[^»]*»|`[^`]*`|(?<!\w)'[^']{2,}'(?!\w)")
_NOT_WORDS = re.compile(
    r"https?://[!-~]+|www\.[!-~]+|[!-~]+@[!-~]+\.[!-~]+|\b[\w-]+\.(?:com|org|net|io|dev|js|ts|py|css|html|json|png|svg)\b"
    r"|[#@][\w-]+|\d[\d.,:/%A-Za-z]*|\b[A-Z]{2,5}\b",
    re.ASCII,
)
"""Addresses, file names, handles, numbers and abbreviations say nothing about a language. ASCII only: 3个按钮 keeps its words."""


def base_language(code: str) -> str:
    """The primary subtag of a language tag, spelled one way: `zh-Hant-TW` → `zh`, `nb` → `no`, "" stays ""."""
    primary = re.split(r"[-_]", code.strip().lower())[0]
    return _SAME.get(primary, primary)


def detect_language(text: str) -> tuple[str, float]:
    """ISO 639-1 code of the language a text is in and a confidence (0–1); ("", 0.0) when it cannot be told.

    Made for short texts such as briefs: Chinese with English technical terms is `zh`; English that quotes some Chinese is `en`.
    The confidence is not calibrated; above 0.9 it was right on all our samples of ten words or more.
    """
    unquoted = _QUOTED.sub(" ", text)
    chosen = unquoted if sum(count_words(unquoted).values()) >= 3 else text
    words = count_words(chosen)
    total = sum(words.values())
    if total < 0.6:
        return "", 0.0
    ideographic = words["han"] + words["kana"]
    if ideographic / total >= 0.25:
        return _east_asian(words, total)
    script = max(words, key=lambda name: words[name])
    certainty = min(1.0, 0.5 + total / 8) * words[script] / total
    if script in _ONLY_LANGUAGE:
        return _ONLY_LANGUAGE[script], round(certainty, 3)
    language, probability = _rank(chosen, script)[0]
    confidence = round(min(certainty, 1.0) * probability, 3)
    return (language, confidence) if confidence >= CONFIDENCE_TO_NAME else ("", 0.0)


def count_words(text: str) -> dict[str, float]:
    """Number of words by script; of scripts that write without spaces, characters over their usual word length."""
    prose = _NOT_WORDS.sub(" ", text)
    counted = {script: len(pattern.findall(prose)) / CHARACTERS_A_WORD[script] for script, pattern in _SINGLE.items()}
    return counted | {script: float(len(pattern.findall(prose))) for script, pattern in _WORD.items()}


async def probe(look: Look) -> Result:
    """Symptoms `language.mismatch` and `language.attribute`; not measured without a brief's language or with too little text."""
    texts = await look.texts()
    text = _interface_text(texts)
    words = count_words(text)
    total = sum(words.values())
    language, confidence = detect_language(text)
    brief = base_language(look.brief_language)
    values: dict[str, Figure] = {
        "language": language,
        "confidence": confidence,
        "words": round(total, 1),
        "lang_attribute": texts.lang,
        "brief_language": look.brief_language,
        "brief_script_share": round(script_share(words, brief), 3),
        "sampled": texts.sampled,
    }
    if not brief:
        return Result("language", measured=False, reason="the brief's language is not known", values=values)
    if total < WORDS_TO_TELL:
        return Result("language", measured=False, reason=f"too little text to tell: {total:.0f} words", values=values)
    findings = []
    figures = {name: values[name] for name in ("language", "confidence", "words", "brief_script_share")}
    if _differs(text, language, confidence, brief):
        message = f"The page is written in {language}, the brief in {brief} ({total:.0f} words, confidence {confidence:.2f})."
        findings.append(look.finding("language.mismatch", message, measured={"brief_language": brief, **figures}))
    declared = base_language(texts.lang)
    if declared in _SCRIPTS_OF_LANGUAGE and _differs(text, language, confidence, declared):
        message = f"The document says lang={texts.lang!r}, its text is {language}."
        findings.append(
            look.finding("language.attribute", message, selector="html", measured={"declared": texts.lang, **figures})
        )
    return Result("language", measured=True, reason="", findings=tuple(findings), values=values)


def script_share(words: dict[str, float], language: str) -> float:
    """Share of the words that are written in the script of a language (0–1); 0 without words."""
    total = sum(words.values())
    return sum(words[script] for script in _SCRIPTS_OF_LANGUAGE.get(language, ("latin",))) / total if total else 0.0


def _differs(text: str, language: str, confidence: float, expected: str) -> bool:
    """Whether a text is certainly not in the expected language."""
    if not language or language == expected or any({language, expected} <= group for group in _ALIKE):
        return False
    words = count_words(text)
    total = sum(words.values())
    if not set(_SCRIPTS_OF_LANGUAGE.get(language, ("latin",))) & set(_SCRIPTS_OF_LANGUAGE.get(expected, ("latin",))):
        limit = FOREIGN_SHARE_BELOW_LATIN if _SCRIPTS_OF_LANGUAGE.get(expected, ("latin",)) == ("latin",) else FOREIGN_SHARE_BELOW
        return total >= WORDS_TO_TELL and script_share(words, expected) < limit
    return total >= WORDS_TO_TELL_WITHIN_SCRIPT and confidence >= CONFIDENCE_WITHIN_SCRIPT


def _interface_text(texts: Texts) -> str:
    """The words of the interface itself; all text where the interface alone is short. Each distinct text counts once."""
    usable = [block for block in texts.blocks if block.place not in {"code", "editor", "value"} and not block.foreign]
    interface = _joined(block for block in usable if block.place in {"control", "heading", "chrome", "hint"})
    return interface if sum(count_words(interface).values()) >= WORDS_TO_TELL_WITHIN_SCRIPT else _joined(usable)


def _joined(blocks: Iterable[Block]) -> str:
    return "\n".join(dict.fromkeys(block.text for block in blocks))[:20_000]


def _east_asian(words: dict[str, float], total: float) -> tuple[str, float]:
    certainty = min(1.0, 0.6 + total / 10)
    if words["kana"] >= 0.08 * (words["kana"] + words["han"]) and words["kana"] >= 0.5:
        return "ja", round(certainty, 3)
    if words["hangul"] > words["han"]:
        return "ko", round(certainty, 3)
    return "zh", round(certainty, 3)


def _rank(text: str, script: str) -> list[tuple[str, float]]:
    """Languages of one script by probability, best first: the n-gram model's, weighed with frequent words."""
    candidates = _LANGUAGES_OF[script]
    merged: dict[str, float] = {}
    for code, probability in _identifier().rank(_NOT_WORDS.sub(" ", text)):
        name = _SAME.get(str(code), str(code))
        if name in candidates:
            merged[name] = merged.get(name, 0.0) + float(probability)
    tokens = re.findall(r"[^\W\d_]+", text.lower())
    words_of = _frequent_words()
    scores = {}
    for language in candidates:
        hits = sum(token in words_of.get(language, frozenset()) for token in tokens)
        prior = _ENGLISH_PRIOR if language == "en" else 0.0
        scores[language] = (
            math.log(merged.get(language, 0.0) + 1e-4) + prior + _WORD_WEIGHT * hits / math.sqrt(max(len(tokens), 1))
        )
    top = max(scores.values())
    weights = {language: math.exp(score - top) for language, score in scores.items()}
    total = sum(weights.values())
    return sorted(((language, weight / total) for language, weight in weights.items()), key=lambda pair: (-pair[1], pair[0]))


@cache
def _frequent_words() -> dict[str, frozenset[str]]:
    text = (files("tools.probes") / "frequent_words.toml").read_text(encoding="utf-8")
    return {language: frozenset(words.split()) for language, words in tomllib.loads(text).items()}


@cache
def _identifier() -> LanguageIdentifier:
    # Imported here: the model takes most of a second to load, and most texts are told by their script alone.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
