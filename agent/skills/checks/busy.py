"""A word that something is under way (Saving …, Loading …) goes once it is done; one that stays for ever tells nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.skills.checks.case import Case, Told, lack
from agent.words import folded
from tools.browser.marks import Observation

LONG_MS, LEAST_LOOKS = 6000.0, 3
"""App time after which nothing that a page does by itself, without a network, is still under way."""
LONGER_MS = 20_000.0
"""The same of a button that waits for what moves to come to rest."""
_DOTS = r"\s*(?:…|\.{2,})"
_UNDER_WAY = re.compile(
    rf"^\W*(?:(?:saving|loading|processing|uploading|calculating|generating|searching|sending|connecting"
    rf"|(?:wird )?(?:gespeichert|geladen|berechnet)|speichert|speichere|lädt|lade|berechne"
    rf"|enregistrement|chargement|guardando|cargando){_DOTS}"
    r"|(?:please wait|bitte warten|veuillez patienter|espere, por favor"
    rf"|正在(?:保存|加载|载入|处理|计算|生成|上传)|(?:保存|加载|载入|处理|计算)中)(?:{_DOTS})?)\W*$",
    re.IGNORECASE,
)
"""With its dots, which a word of the same look that names a thing (`Processing`) has not."""
LONGEST = 40
_ENDS_IN_DOTS = re.compile(r"\w.*(?:…|\.{3})\W*$")
_QUOTED = re.compile(r"“([^”]{2,24})”|\"([^\"]{2,24})\"|„([^“”]{2,24})[“”]|「([^」]{2,24})」|«([^»]{2,24})»|‘([^’]{2,24})’")


def under_way(pages: Sequence[Observation]) -> tuple[str, float] | None:
    """`(line, since which app time)` of a word that has stood there through the last looks, long enough; None if none has."""
    if len(pages) < LEAST_LOOKS:
        return None
    buttons = _waiting_buttons(pages)
    for line in (*_lines(pages[-1]), *buttons):
        since, looks = pages[-1].app_ms, 0
        for page in reversed(pages):
            if line not in _lines(page) and line not in _dotted(page):
                break
            since, looks = page.app_ms, looks + 1
        if looks >= LEAST_LOOKS and pages[-1].app_ms - since >= (LONGER_MS if line in buttons else LONG_MS):
            return line, since
    return None


def begun(pages: Sequence[Observation]) -> str | None:
    """A word that something is under way, or a button that waits, which was not there when the page was first seen."""
    first = _lines(pages[0])
    return next((line for line in (*_lines(pages[-1]), *_waiting_buttons(pages)) if line not in first), None)


def _waiting_buttons(pages: Sequence[Observation]) -> list[str]:
    """Names of buttons that can't be pressed and say that they wait, as none of them said at first: `Rolling …`."""
    known = {folded(mark.name) for mark in pages[0].marks}
    return [name for name in _dotted(pages[-1]) if name not in known]


def _dotted(page: Observation) -> list[str]:
    buttons = (folded(mark.name) for mark in page.marks if mark.disabled and mark.role == "button")
    return [name for name in buttons if len(name) <= LONGEST and _ENDS_IN_DOTS.search(name)]


def states(sentence: str) -> tuple[str, str] | None:
    """The two states that a sentence sets in quotation marks, in its order; None unless there are exactly two."""
    found = [next(part for part in groups if part).strip() for groups in _QUOTED.findall(sentence)]
    return (found[0], found[1]) if len(found) == 2 and folded(found[0]) != folded(found[1]) else None


def turns_into(case: Case) -> Told:
    """A state (`first`) turns into the `second` by itself while it is waited. It stays so, twice: `state_not_updated`."""
    first, second = folded(case.word("first")), folded(case.word("second"))
    before, after = folded(case.before.text), folded(case.after.text)
    if after.count(second) > before.count(second):
        return Told(True, f'"{case.word("second")}" is shown now')
    if after.count(first) < before.count(first):
        return Told(None, f'"{case.word("first")}" is gone, and what came instead is not known', attempts=0)
    seconds = (case.after.app_ms - case.before.app_ms) / 1000
    return lack(case, "state_not_updated", f'"{case.word("first")}" is shown still after {seconds:.0f} s')


def busy_ends(case: Case) -> Told:
    """What was under way (`line`) since long ago (`since_ms`) is done at last. It still is: `state_not_updated`."""
    line = case.word("line")
    if line not in _lines(case.after) and line not in _dotted(case.after):
        return Told(True, f'"{line}" is gone')
    seconds = (case.after.app_ms - case.number("since_ms")) / 1000
    # A button that never comes back is the end of what the page is for.
    symptom = "crash_or_hang" if line in _dotted(case.after) else "state_not_updated"
    return Told(False, f'"{line}" has stood there for {seconds:.0f} s', symptom)


def _lines(page: Observation) -> list[str]:
    lines = (folded(raw) for raw in page.text.splitlines())
    return [line for line in lines if 3 <= len(line) <= LONGEST and _UNDER_WAY.match(line)]
