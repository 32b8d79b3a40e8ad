"""Codes that a brief names for a discount: which, and how many per cent it takes off."""

from __future__ import annotations

import re

from agent.skills.controls import label_of
from agent.words import says
from tools.browser.marks import Mark

_CODE = r"[A-Z][A-Z]*\d+[A-Z0-9]*|[A-Z]{4,}\d*"
_NAMED = re.compile(
    rf"(?i:codes?|coupons?|promo|vouchers?|gutscheine?|gutscheincodes?|rabattcodes?|cup[oó]n(?:es)?|c[oó]digos?|bons?|优惠码|优惠券|折扣码|券码)[\s\"'“「『（(:：]*(?P<first>{_CODE})"
    rf"(?:\s*(?:,|、|and|or|und|oder|et|ou|y|o|和|或|及)\s*(?P<second>{_CODE}))?"
)
_PER_CENT = re.compile(r"(\d{1,2})\s*%")
_TENTHS = re.compile(r"([一二三四五六七八九]|\d(?:\.\d)?)折")
_DIGITS = {sign: number for number, sign in enumerate("一二三四五六七八九", start=1)}


def wants_code(field: Mark) -> bool:
    """Whether a field takes a discount's code."""
    return says("discount", label_of(field)) or says("coupon_code", label_of(field))


def code_of(text: str) -> str:
    """The first code a text names; empty if none."""
    found = _NAMED.search(text)
    return found.group("first") if found else ""


def per_cent_of(text: str) -> float:
    """Per cent the first code named takes off, from the words right after it; 0 where they do not say."""
    found = _NAMED.search(text)
    if found is None:
        return 0.0
    after = text[found.end() : found.end() + 60]
    share = _PER_CENT.search(after)
    if share is not None:
        return float(share.group(1))
    tenths = _TENTHS.search(after)
    if tenths is None:
        return 0.0
    sign = tenths.group(1)
    return round(100 - 10 * float(_DIGITS.get(sign, 0) or sign), 1)
