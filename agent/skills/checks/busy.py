"""A word that something is under way (Saving …, Loading …) goes once it is done; one that stays for ever tells nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.skills.checks.case import Case, Told
from agent.words import folded
from tools.browser.marks import Observation

LONG_MS, LEAST_LOOKS = 6000.0, 3
"""App time after which nothing that a page does by itself, without a network, is still under way."""
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


def under_way(pages: Sequence[Observation]) -> tuple[str, float] | None:
    """`(line, since which app time)` of a word that has stood there through the last looks, long enough; None if none has."""
    if len(pages) < LEAST_LOOKS:
        return None
    for line in _lines(pages[-1]):
        since, looks = pages[-1].app_ms, 0
        for page in reversed(pages):
            if line not in _lines(page):
                break
            since, looks = page.app_ms, looks + 1
        if looks >= LEAST_LOOKS and pages[-1].app_ms - since >= LONG_MS:
            return line, since
    return None


def busy_ends(case: Case) -> Told:
    """What was under way (`line`) since long ago (`since_ms`) is done at last. It still is: `state_not_updated`."""
    line = case.word("line")
    if line not in _lines(case.after):
        return Told(True, f'"{line}" is gone')
    seconds = (case.after.app_ms - case.number("since_ms")) / 1000
    return Told(False, f'"{line}" has stood there for {seconds:.0f} s', "state_not_updated")


def _lines(page: Observation) -> list[str]:
    lines = (folded(raw) for raw in page.text.splitlines())
    return [line for line in lines if 3 <= len(line) <= 40 and _UNDER_WAY.match(line)]
