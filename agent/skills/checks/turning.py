"""Where one is among several (`Page 2 of 8`, `1 / 3`): a step on goes to the next, a step back to the one before."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.words import clock_times, concepts, folded
from tools.browser.marks import Mark, Observation

_PLACE = re.compile(
    r"(?<![\d.,:/$€£¥])(?:第\s*)?(\d{1,3})\s*(?:页|步|题|张|个)?\s*(?:of|out of|/|／|共)\s*(?:共\s*)?(\d{1,3})(?![\d.,:/%])",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\b(?:done|completed?|solved|found|correct|score|points|lives|matched|selected|left)\b|完成|得分|正确|剩余|已", re.IGNORECASE
)
"""Says how much is done, not where one is."""
_RANGE = re.compile(r"\d[\d,]*\s*[–—-]\s*\d[\d,]*\s*(?:of|out of|/|条?[,，]?\s*共)\s*\d[\d,]*", re.IGNORECASE)
"""Which entries of how many are shown (`1–10 of 27`): no place among pages."""
_PAGES = re.compile(r"\b(?:pages?|questions?|cards?|weeks?)\b|页|题|卡", re.IGNORECASE)
"""What is turned one by one: a form may rightly leave a step out, and slides may turn by themselves in between."""
_STEPS = frozenset({"next", "previous"})
_FAR = frozenset({"first", "last"})


def steps_to(mark: Mark) -> str:
    """`next` or `previous`, by what a control is called; empty where it is neither."""
    found = concepts(mark.name) & _STEPS
    far = _FAR & set(folded(mark.name).split())
    return next(iter(found)) if len(found) == 1 and not far else ""


def place_shown(page: Observation) -> tuple[int, int, str] | None:
    """`(where one is, of how many, the line that says so)`, where exactly one line of the page says it."""
    found: dict[tuple[int, int], str] = {}
    for line in (folded(raw) for raw in page.text.splitlines()):
        if len(line) > 60 or _COUNTS.search(line) or clock_times(line):
            continue
        for at, of in _PLACE.findall(_RANGE.sub(" ", line)):
            if 1 <= int(at) <= int(of) and int(of) > 1:
                found[int(at), int(of)] = line
    if len(found) != 1:
        return None
    (at, of), line = next(iter(found.items()))
    return at, of, line


def turns(case: Case) -> Told:
    """A press on `Next` leads to the place after this one, on `Previous` to the one before; from an end it may lead round.

    To another place, or the other way, twice: `wrong_result`. Nothing is told where the place stays or the page moves by itself.
    """
    before, after, mark = place_shown(case.before), place_shown(case.after), case.mark
    way = steps_to(mark) if mark is not None else ""
    if before is None or after is None or before[1] != after[1] or before[0] == after[0] or not way:
        return Told(None, "where one is is not shown, or it stays", attempts=0)
    (was, of, line), now = before, after[0]
    wanted = was % of + 1 if way == "next" else (was - 2) % of + 1
    said = f'"{mark.name if mark else way}" led from {was} of {of} to {now}'
    if now == wanted:
        return Told(True, said)
    leaps = _PAGES.search(line) is None and (now > was) == (way == "next")
    if case.moved_before or leaps:
        return Told(None, said, attempts=0)
    return lack(case, "wrong_result", f"{said}, not to {wanted}")
