"""What is called overdue is due before today: a date in the future under that word is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents
from agent.words import folded
from tools.browser.marks import Observation

_LATE = re.compile(r"\boverdue\b|\bpast due\b|逾期|已过期|已超期", re.IGNORECASE)
_OTHER = re.compile(r"\bdue\b|\bnext\b|\bnot\b|\bnone\b|\bno\b|\bif\b|\bwill\b|未逾期|即将|没有|无逾期", re.IGNORECASE)
"""Says that the date beside it may be another one's, or that nothing is late."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATES = (
    re.compile(r"\b(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})\b"),
    re.compile(r"(?P<year>\d{4})\s*年\s*(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*日"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?P<name>{_MONTH}),?\s+(?P<year>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<name>{_MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})\b", re.IGNORECASE),
)
MARGIN = timedelta(days=1)
"""A page may live in another zone of time."""
LONGEST = 160


def dues_agree(case: Case) -> Told:
    """No line or entry with one date calls it overdue though it lies after today: `wrong_result`."""
    today = _day(case.after.today)
    if today is None:
        return Told(None, "it is not known what day it is", attempts=0)
    right = ""
    for text in _texts(case.after):
        late = _LATE.search(text)
        days = dates_of(text)
        if late is None or len(days) != 1 or _OTHER.search(_LATE.sub(" ", text)):
            continue
        if days[0] > today + MARGIN:
            told = f'"{text[:80]}" is called "{late.group()}", and today is {today.isoformat()}'
            return Told(False, told, "wrong_result")
        right = right or text
    return Told(True, f'"{right[:80]}" lies before today') if right else Told(None, "nothing is called overdue", attempts=0)


def _texts(page: Observation) -> Iterator[str]:
    """Lines, and entries of lists, of whom a date may stand on another line than the word."""
    for line in page.text.splitlines():
        if len(line) <= LONGEST:
            yield folded(line)
    for listing in contents(page):
        for row in listing.items:
            # Of a row a title may hold any words: only short cells say what state the entry is in.
            yield folded(" · ".join(cell for cell in row if dates_of(cell) or len(cell.split()) <= 2))


def dates_of(text: str) -> list[date]:
    """Dates of a text that give day, month and year and can be read one way only."""
    found = []
    for pattern in _DATES:
        for told in pattern.finditer(text):
            parts = told.groupdict()
            month = _MONTHS.index(parts["name"][:3].casefold()) + 1 if parts.get("name") else int(parts["month"])
            try:
                found.append(date(int(parts["year"]), month, int(parts["day"])))
            except ValueError:
                continue
    return found


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
