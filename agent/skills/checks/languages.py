"""A page that speaks its brief's language, and not all of it: a window whose buttons are English, a calendar with foreign months.

That a page as a whole is in another language is told by the probe of its text; here single controls and dates tell.
"""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told
from agent.skills.controls import Kind, kind_of
from agent.tongues import spoken
from agent.words import concepts, folded, lexicon, says
from tools.browser.marks import Mark, Observation

LEAST_OWN, LEAST_FOREIGN = 4, 2
"""Controls in the brief's script, and English ones beside them in sight, from which one of them is out of place."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_BOTH = re.compile(r"双语|英文|英语|中英|english|bilingual", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Z]?[a-z]{2,}(?: [A-Za-z]?[a-z]+){0,5}[!?.…]?")
"""Words in small letters, a capital at most at their beginnings: no abbreviation, no name of a product in capitals."""
_SENTENCE = re.compile(r"(?:[a-z]+['’]?[a-z]*,? ){3,}[a-z0-9]+[.!?]?")
"""What a page says in plain English: four words and more, of small letters once they are folded."""
_TO_YOU = re.compile(
    r"please\b|are you sure|no results|nothing (?:found|here)|you (?:have|can|need|must)|enter |your .* (?:is|are|has|was)\b"
)
_CALLED = frozenset({Kind.button, Kind.tab, Kind.link, Kind.text, Kind.number, Kind.select, Kind.checkbox, Kind.radio, Kind.date})
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "May", "June", "July", "October", "December")
"""Those that are spelled otherwise in German, French and Spanish; `May` alone may be a name, and two are asked for."""
_DATES = re.compile(rf"\b(?:{'|'.join((*_DAYS, *_MONTHS))})\b")


def in_one_language(case: Case) -> Told:
    """Controls and dates are in the language of the brief (`language`, its code). English ones among others: `language_mixed`."""
    if _BOTH.search(case.word("brief")) or any(_chooses(mark) for mark in case.after.marks):
        return Told(None, "more than one language is meant to be there", attempts=0)
    if case.word("language").startswith("zh"):
        return _controls(case)
    return _dates(case) if spoken().page else Told(None, "nothing is known of this language", attempts=0)


def _chooses(mark: Mark) -> bool:
    """Whether it sets the language."""
    return "language" in folded(mark.name) or any(says("languages", name) for name in (mark.name, *mark.option_names))


def _controls(case: Case) -> Told:
    own = [mark for mark in case.after.marks if _HAN.search(mark.name)]
    foreign = sorted({mark.name.strip() for mark in case.after.marks if _english(mark, case.word("brief"))})
    if len(own) < LEAST_OWN:
        return Told(None, "too little is in the brief's language", attempts=0)
    said = next((line for line in case.lines[1] if _is_message(line) and line not in _written(case)), "")
    if said:
        return Told(False, f'it says "{said[:80]}"', "language_mixed")
    if len(foreign) < LEAST_FOREIGN:
        return Told(None, "no two controls are English", attempts=0)
    return Told(False, f'controls are called "{foreign[0]}" and "{foreign[1]}"', "language_mixed")


def _is_message(line: str) -> bool:
    """Whether a line speaks to the user in plain English: the title of a song or a book does not."""
    return _SENTENCE.fullmatch(line) is not None and (
        says("validation", line) or says("success", line) or bool(_TO_YOU.match(line))
    )


def _written(case: Case) -> str:
    """What the brief says and what was typed: that may be in any language."""
    typed = (str(getattr(step.decision.action, "text", "")) for step in case.history)
    return folded(" ".join((case.word("brief"), str(getattr(case.action, "text", "")), *typed)))


def _english(mark: Mark, brief: str) -> bool:
    """Whether a control in sight is called by plain English words that interfaces use and the brief does not."""
    name = mark.name.strip()
    if kind_of(mark) not in _CALLED or not mark.in_view or mark.covered or not _PLAIN.fullmatch(name):
        return False
    known = concepts(name) or any(kind.language == "en" and kind.words.within(name) for kind in lexicon().fields)
    return bool(known) and folded(name) not in folded(brief)


def _dates(case: Case) -> Told:
    found = _foreign_dates(case.after)
    if len(found) < LEAST_FOREIGN:
        return Told(None, "no two dates are English", attempts=0)
    return Told(False, f'the page says "{found[0]}" and "{found[1]}"', "language_mixed")


def _foreign_dates(page: Observation) -> list[str]:
    return sorted(set(_DATES.findall(page.text)))
