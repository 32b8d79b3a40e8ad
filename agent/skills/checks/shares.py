"""A share of what is done, beside what it is a share of: `2 of 8 done` and `25 %`, `Completed: 5`, `Total: 20` and `25 %`."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, held_before, lack_of_agreement
from agent.skills.checks.labelled import figures
from agent.words import folded, keywords, says, with_points
from tools.browser.marks import Observation

_PER_CENT = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d+)?)\s*[%％]")
_PROGRESS = re.compile(r"progress|complet|done|finish|进度|完成|learn|master|packed|掌握", re.IGNORECASE)
_PAIR = re.compile(r"(?<![\d.,:/])(\d{1,4})\s*(?:of|/|／)\s*(\d{1,4})(?![\d.,:/%])")
_DONE = re.compile(r"\b(?:done|completed?|finished|packed|checked|solved|learned|mastered)\b|完成|已打卡|掌握", re.IGNORECASE)
_NOT_DONE = re.compile(r"\b(?:left|remaining|open|to go)\b|未|剩", re.IGNORECASE)
NEAR_LINES = 4
"""So many lines from what is done the share stands at most."""
_WITHIN = 1.0
"""Per cent: whichever way it is rounded."""


def share_agrees(case: Case) -> Told:
    """The share shown is what is done divided by all there is. Wrong in two states of the page: `wrong_result`.

    It can be told only where one share and one such pair of numbers are shown.
    """
    shown = _shown(case.after)
    if shown is None:
        return Told(None, "no share of what is done is shown", attempts=0)
    share, done, whole = shown
    if abs(share - done / whole * 100) < _WITHIN - 1e-6:
        return Told(True, f"{done:g} of {whole:g} are {share:g} %")
    if case.earlier and shown == _shown(case.before):
        return Told(None, "the same figures as before", attempts=0)
    words = f"{share:g} % is shown, but {done:g} of {whole:g} are {done / whole * 100:.0f} %"
    slip = "that is the share of what is left" if abs(100 - share - done / whole * 100) < _WITHIN - 1e-6 else ""
    return lack_of_agreement(case, words, agreed=held_before(case), slip=slip)


def _shown(page: Observation) -> tuple[float, float, float] | None:
    lines = [line for line in (folded(raw) for raw in page.text.splitlines()) if line]
    shares = [(place, float(found)) for place, line in enumerate(lines) for found in _PER_CENT.findall(with_points(line))]
    if len(shares) != 1 or not _is_progress(lines[shares[0][0]]):
        return None
    place, share = shares[0]
    near = lines[max(0, place - NEAR_LINES) : place + NEAR_LINES + 1]
    pairs = {
        (float(done), float(whole))
        for line in near
        for done, whole in _PAIR.findall(line)
        if _is_done(line) and int(done) <= int(whole) and int(whole)
    } or _labelled(page, near)
    return (share, *next(iter(pairs))) if len(pairs) == 1 else None


def _is_progress(line: str) -> bool:
    """Whether the share stands alone, or is called a progress; a discount and a tax are none."""
    rest = _PER_CENT.sub(" ", line).strip(" :：()（）·-–")
    return not rest or _PROGRESS.search(rest) is not None


def _is_done(text: str) -> bool:
    return (says("already_done", text) or _DONE.search(text) is not None) and not _NOT_DONE.search(text)


def _labelled(page: Observation, near: list[str]) -> set[tuple[float, float]]:
    """What is done and what there is, each under its own label; where both labels name things, they are the same."""
    shown = figures(page)
    done = [(label, value) for label, value in shown.items() if _is_done(label) and any(label in line for line in near)]
    whole = [(label, value) for label, value in shown.items() if says("total", label)]
    if len(done) != 1 or len(whole) != 1 or not whole[0][1] or not 0 <= done[0][1] <= whole[0][1]:
        return set()
    things = [
        {word for word in keywords(label) if not says("total", word) and not _is_done(word)} for label, _ in (done[0], whole[0])
    ]
    return {(done[0][1], whole[0][1])} if not all(things) or things[0] & things[1] else set()
