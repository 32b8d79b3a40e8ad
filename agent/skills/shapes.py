"""What a label or a complaint asks a value to be like: `6 to 9 letters and digits`, `at least 20 signs`, `between 1 and 10`."""

from __future__ import annotations

import re

_LETTERS = r"letters?|buchstaben|lettres?|letras?|字母"
_DIGITS = r"digits?|numbers?|ziffern|zahlen|chiffres?|d[ií]gitos?|位数字|数字"
_SIGNS = r"characters?|chars?|signs?|symbols?|zeichen|caract[eè]res?|caracteres|个?字符|个?字|位"
_AND = r"\s*(?:and|or|und|oder|et|ou|y|o|和|或|/|,)\s*"
_BOTH = rf"(?:{_LETTERS}){_AND}(?:{_DIGITS})|(?:{_DIGITS}){_AND}(?:{_LETTERS})|alphanumeric\w*"
_KIND = rf"(?P<both>{_BOTH})|(?P<digits>{_DIGITS})|(?P<letters>{_LETTERS})|(?P<signs>{_SIGNS})"
_TO = r"(?:to|-|–|—|and|bis|und|à|a|et|y|至|到|和|~)"
_LOW = r"(?:at least|minimum(?: of)?|min\.?|no less than|mindestens|au moins|al menos|mínimo|至少|不少于|不小于)"
_HIGH = r"(?:at most|maximum(?: of)?|max\.?|no more than|up to|höchstens|au plus|como máximo|最多|不超过|不大于)"
_NUMBER = r"-?\d+(?:\.\d+)?"
_SPAN = re.compile(rf"(?P<low>\d{{1,3}})\s*{_TO}\s*(?P<high>\d{{1,5}})\s*(?:{_KIND})", re.IGNORECASE)
_LEAST = re.compile(rf"{_LOW}\s*(?P<low>\d{{1,3}})\s*(?:{_KIND})", re.IGNORECASE)
_EXACT = re.compile(rf"(?<![\d.,])(?P<low>\d{{1,3}})[\s-]*(?:{_KIND})", re.IGNORECASE)
_HYPHENS = r"hyphens?|dash(?:es)?|bindestrich\w*|tirets?|traits? d.union|guion(?:es)?|连字符|短横线"
_CODE = re.compile(rf"(?:{_BOTH})(?:{_AND}|\s)+(?:{_HYPHENS})", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:whole number|integer|ganze zahl|nombre entier|n[uú]mero entero)|整数"
    r"|\b(?:enter|be|type) a (?:valid )?number\b|\beine zahl\b|\bun nombre\b|请输入数字",
    re.IGNORECASE,
)
_OR_MORE = re.compile(
    rf"({_NUMBER})\s*(?:or|oder|ou|o)\s*(?:more|above|higher|mehr|plus|más)|({_NUMBER})\s*或?以上", re.IGNORECASE
)
_BETWEEN = re.compile(rf"(?P<low>{_NUMBER})\s*{_TO}\s*(?P<high>{_NUMBER})", re.IGNORECASE)
_BOUND = re.compile(rf"(?:{_LOW}|{_HIGH})\s*({_NUMBER})", re.IGNORECASE)
LONGEST = 60
"""What would take longer to type is not typed."""
LETTERS, DIGITS, BOTH = "Gardenlakebluegreen", "48213579604821357960", "AB48213579604821"
CODES, SOME = ("AB-4821", "GL-6037", "KM-2954"), 6.0
SENTENCE = "The roses are in bloom today. "


def text_like(asked: str, turn: int = 0) -> str:
    """A text of the length and kind that words ask for; empty where they ask for none. A code is another one each `turn`."""
    found = _SPAN.search(asked) or _LEAST.search(asked) or _EXACT.search(asked)
    if found is None:
        return CODES[turn % len(CODES)] if _CODE.search(asked) else ""
    groups = found.groupdict()
    low, high = int(groups["low"]), int(groups.get("high") or 0)
    length = low if not high else min(max(low, 8), high)
    if length > LONGEST:
        return ""
    if groups["both"]:
        return _of(BOTH, length)
    if groups["digits"]:
        return _of(DIGITS, length)
    if groups["letters"]:
        return _of(LETTERS, length)
    # A few more than the least: a blank at the end counts for nothing.
    return _of(SENTENCE, length + 4 if not high else min(length + 4, high)).strip() if length > 10 else _of(BOTH, length)


def number_like(asked: str) -> str:
    """A number within what words allow; some whole number where they ask for one, empty where they ask for none."""
    both = _BETWEEN.search(asked)
    if both is not None and float(both["low"]) <= float(both["high"]):
        return f"{(float(both['low']) + float(both['high'])) // 2:g}"
    bound = _BOUND.search(asked)
    if bound is not None:
        return f"{float(bound[1]):g}"
    more = _OR_MORE.search(asked)
    if more is not None:
        return f"{float(more[1] or more[2]) + SOME:g}"
    return f"{SOME:g}" if _WHOLE.search(asked) else ""


def wants_whole(asked: str) -> bool:
    """Whether words ask for a number and for nothing of letters."""
    return _WHOLE.search(asked) is not None


def _of(signs: str, length: int) -> str:
    return (signs * (length // len(signs) + 1))[:length]
