"""A saving that is announced ("save 20 %", "八折") against what a switch does to the prices shown."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.words import with_points
from tools.browser.marks import Observation

_SETTINGS = frozenset({"slider", "spinbutton"})
_SAVES = re.compile(
    r"(?:save|saving|discount(?: of)?|off)\s*(?:up to\s*)?(\d{1,2})\s*%|(\d{1,2})\s*%\s*(?:off|discount|saving|cheaper|less)"
    r"|(\d{1,2})\s*%\s*(?:rabatt|sparen|günstiger|ersparnis|de remise|de réduction|de descuento)"
    r"|(?:省|立减|优惠)\s*(\d{1,2})\s*%",
    re.IGNORECASE,
)
_LONGER = re.compile(r"year|annual|yearly|jahr|jähr|annuel|anual|年", re.IGNORECASE)
_PRICE = re.compile(r"(?:[$€£¥￥₹]\s*(\d[\d,]*(?:\.\d+)?))|(?:(\d[\d,]*(?:\.\d+)?)\s*[$€£¥￥₹元])")
_PERIOD = re.compile(
    r"\b(?:year|yearly|annual|annually|month|monthly|jährlich|monatlich|annuel|mensuel|anual|mensual)\b|年付|按年|月付|按月|包年",
    re.IGNORECASE,
)
_MONTH = re.compile(r"\b(?:month|mo)\b|monat|mois|mes\b|月", re.IGNORECASE)
_SAVED = re.compile(r"\bsav(?:e|es|ed|ing|ings)\b|spar(?:st|en|t)?\b|ersparnis|économis|ahorr|节省|立省|省", re.IGNORECASE)
_GIFT = r"(?:months?|monate?|mois|mes(?:es)?|个月)\s*(?:free|on us|geschenkt|gratis|umsonst|offerts?|免费)"
_MONTHS_FREE = re.compile(
    rf"\b(\d|one|two|three|ein(?:en)?|zwei|drei|deux|trois|dos|tres|一|两|三)\s*{_GIFT}|送\s*([一两三\d])\s*个月", re.IGNORECASE
)
_NUMBERS = {"one": 1, "ein": 1, "einen": 1, "一": 1, "two": 2, "zwei": 2, "deux": 2, "dos": 2, "两": 2}
_THREES = frozenset({"three", "drei", "trois", "tres", "三"})
A_CENT, LONGEST_LINE = 0.51, 90
"""Prices may be rounded to whole units."""
LEAST_PRICES, MOST_SIGNS = 2, 16
_PERIODS = (1.0, 12.0, 52.0, 4.0, 10.0, 365.0)
"""How many of the shorter period's prices one of the longer is: a month's in a year, a week's in a year …"""
FAR = 0.07
"""A price may be rounded to a pretty figure; further off than this share of the old one it is not what was announced."""


def announces(words: str, name: str, brief: str) -> int:
    """Per cent of the one saving that a switch's `words` announce, or the brief for one called after a longer period; else 0."""
    longer = _LONGER.search(name) is not None
    if not longer and "%" not in words:
        return 0
    for text in (words, brief if longer else ""):
        found = {int(next(part for part in groups if part)) for groups in _SAVES.findall(text)}
        if len(found) == 1:
            return found.pop()
    return 0


def saving_agrees(case: Case) -> Told:
    """After a switch that announces a saving of `percent`, prices are lower by that, for whatever period they are then given.

    Told only where as many prices are shown before as after, and they changed.
    """
    share, pairs = case.number("percent") / 100, _changed_prices(case.before, case.after)
    if not share or not pairs:
        return Told(None, "no prices that could be compared", attempts=0)
    off = [_miss(other / one, share) for one, other in pairs]
    example = f"{pairs[0][0]:g} became {pairs[0][1]:g}"
    if max(off) <= FAR:
        return Told(True, f"{example}, which is {share * 100:.0f} % less")
    if min(off) > FAR:
        return Told(False, f"{example}, which is not {share * 100:.0f} % less for any period", "wrong_result")
    return Told(None, "some prices are as announced, others are not", attempts=0)


def months_free(text: str) -> int:
    """How many months of a year a text says are free; 0 where it says none, or several."""
    said = [(one or other).lower() for one, other in _MONTHS_FREE.findall(text)]
    found = {int(word) if word.isdigit() else 3 if word in _THREES else _NUMBERS.get(word, 0) for word in said}
    return found.pop() if len(found) == 1 else 0


def year_agrees(case: Case) -> Told:
    """What a year costs, and what is saved in it, make up twelve of the months shown; with `free` months it costs the others.

    Told of lines with a year's price beside a saving, or of any where free months are announced. Neither: `wrong_result`.
    """
    months = {value for page in (case.before, case.after) for value in _prices_by(page, _MONTH)}
    free = case.number("free")
    lines = [line for line in _lines(case.after) if _LONGER.search(line) and _found(line) and line not in _lines(case.before)]
    for line in lines:
        price, *others = _found(line)
        saves = [one for one in others if _SAVED.search(line)]
        if not months or (len(others) > 1) or not (saves or (free and not others)):
            continue
        wanted = {round(12 * month, 2) for month in months} if saves else {round((12 - free) * month, 2) for month in months}
        total = price + sum(saves)
        if any(abs(total - one) <= A_CENT for one in wanted):
            return Told(True, f'"{line}" fits what a month costs')
        shown = ", ".join(f"{month:g}" for month in sorted(months))
        return Told(False, f'"{line}" does not fit what a month costs ({shown})', "wrong_result")
    return Told(None, "no price of a year is shown", attempts=0)


def _lines(page: Observation) -> list[str]:
    return [line for line in (raw.strip() for raw in with_points(page.text).splitlines()) if 0 < len(line) <= LONGEST_LINE]


def _found(line: str) -> list[float]:
    return [float((left or right).replace(",", "")) for left, right in _PRICE.findall(line)]


def _prices_by(page: Observation, period: re.Pattern[str]) -> list[float]:
    """Prices on a line that names the period, or right above one that does."""
    found, lines = list[float](), _lines(page)
    for line, below in zip(lines, (*lines[1:], ""), strict=True):
        prices = _found(line)
        if len(prices) == 1 and (period.search(line) or (period.search(below) and not _found(below))):
            found += [price for price in prices if price]
    return found


def names_period(words: str) -> bool:
    """Whether a switch is called after the period that is paid for."""
    return _PERIOD.search(words) is not None


def prices_all_follow(case: Case) -> Told:
    """A switch of the period changes every price that stands by itself. Some stay, others change, twice: `state_not_updated`."""
    one, other = (_alone(page) for page in (case.before, case.after))
    if len(one) != len(other) or len(one) < LEAST_PRICES:
        return Told(None, "no prices that could be compared", attempts=0)
    own = _of_settings(case.before)
    stayed = [a for a, b in zip(one, other, strict=True) if a == b and a and a not in own]
    moved = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if not moved:
        return Told(None, "no price changed", attempts=0)
    told = f"{moved[0][0]:g} became {moved[0][1]:g}"
    if not stayed:
        return Told(True, told)
    return lack(case, "state_not_updated", f"{told}, and {stayed[0]:g} stays as it is")


def _of_settings(page: Observation) -> frozenset[float]:
    """Prices that a slider or a number field is set to (`Price of a bunch €3.70`): they are the person's, whatever the period."""
    names = " ".join(f"{mark.name} {mark.value}" for mark in page.marks if mark.role in _SETTINGS)
    return frozenset(float((left or right).replace(",", "")) for left, right in _PRICE.findall(with_points(names)))


def _alone(page: Observation) -> list[float]:
    """Prices that are all there is on a line, with their period at most."""
    return [
        float((found.group(1) or found.group(2)).replace(",", ""))
        for line in with_points(page.text).splitlines()
        if (found := _PRICE.match(line.strip())) and len(line.strip()) <= MOST_SIGNS
    ]


def _miss(ratio: float, share: float) -> float:
    """How far a ratio of two prices is from that saving, taken or given back, for the best fitting period."""
    kept = [(1 - share) * period for period in _PERIODS]
    return min(abs(ratio / one - 1) for keep in kept for one in (keep, 1 / keep))


def _changed_prices(before: Observation, after: Observation) -> list[tuple[float, float]]:
    """Prices in reading order where there are as many before as after, and all of two or more changed."""
    one, other = _prices(before), _prices(after)
    if len(one) != len(other):
        return []
    changed = [(a, b) for a, b in zip(one, other, strict=True) if a != b and a > 0 and b > 0]
    return changed if changed and len(changed) >= min(2, len([value for value in one if value > 0])) else []


def _prices(page: Observation) -> list[float]:
    return [float((left or right).replace(",", "")) for left, right in _PRICE.findall(with_points(page.text))]
