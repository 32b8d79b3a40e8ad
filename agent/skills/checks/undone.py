"""Undo puts a list back: what the act before it took away is there again, and what that act brought is gone.

Source: the metamorphic relation of an act and its undoing (Segura et al., 2018: the identity of undoing).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.listed import contents
from agent.words import clock_times, folded
from tools.browser.marks import Observation

MOST = 8
_RANK = re.compile(r"^#?\d{1,3}[.)]?$")
"""A row's place in its list, which follows from the others."""


def rows(page: Observation) -> Counter[str]:
    """The entries of all lists of contents, each as one line, with how often it is there; without running times and ranks."""
    lines = (
        folded(" ".join(cell for place, cell in enumerate(row) if cell and not (place == 0 and _RANK.match(cell.strip()))))
        for listing in contents(page)
        for row in listing.items
    )
    return Counter(line for line in lines if line and not clock_times(line))


def packed(lines: Iterable[str]) -> str:
    """Rows as a parameter, one a line."""
    return "\n".join(list(lines)[:MOST])


def board_undone(case: Case) -> Told:
    """Of the cells that a move changed some are as before it once it is taken back. None at all, twice: `state_not_updated`.

    `group`: that of the board's cells; `was`: `place name` of those the move changed, counted from 0, one a line. What marks a
    single cell (`last move`) says nothing of what lies on it.
    """
    shown, now = (
        [folded(mark.name) for mark in page.marks if mark.group == case.word("group")] for page in (case.before, case.after)
    )
    was = {int(place): name for place, _, name in (line.partition(" ") for line in case.word("was").splitlines())}
    if not was or len(shown) != len(now) or max(was) >= len(now):
        return Told(None, "the board is not there any more", attempts=0)
    lone = _lone(shown) | _lone(now)
    words = {place: (_words(name, lone), _words(shown[place], lone), _words(now[place], lone)) for place, name in was.items()}
    changed = {place: told for place, told in words.items() if told[0] != told[1]}
    back = [place for place, (one, other, after) in changed.items() if _share(after, one) > _share(after, other)]
    if not changed or (back and 2 * len(back) < len(changed)):
        return Told(None, "what the move made of the board cannot be told", attempts=0)
    if back:
        return Told(True, f'"{now[back[0]][:60]}" is as before the move')
    return lack(case, "state_not_updated", f'what the move made of the board stays: "{now[next(iter(changed))][:60]}"')


def _lone(names: list[str]) -> frozenset[str]:
    """Words that the name of one cell alone has."""
    counted = Counter(word for name in names for word in set(re.findall(r"\w+", name)))
    return frozenset(word for word, count in counted.items() if count == 1)


def _words(name: str, without: frozenset[str]) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", name)) - without


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


def _much_alike(one: str, other: str) -> bool:
    """Whether two rows share half of their words: the same entry, which tells something of itself that changes."""
    words, others = set(one.split()), set(other.split())
    return 2 * len(words & others) >= min(len(words), len(others))


def undone(case: Case) -> Told:
    """What went (`gone`) is back, what came (`came`) is gone. Another row back instead: `wrong_result`.

    Nothing, though the list is as the act left it: `state_not_updated`. Told only where the undoing was offered with that act
    (`offered`); else a list may be none of what it is for.
    """
    gone, came = (Counter(case.word(name).splitlines()) for name in ("gone", "came"))
    before, after = rows(case.before), rows(case.after)
    if not (gone or came) or gone & before or (came - before):
        return Told(None, "the list is not as the act before left it", attempts=0)
    back, left = gone & after, came & after
    if back == gone and not left:
        return Told(True, f'"{next(iter(gone or came))[:60]}" is {"there again" if gone else "gone again"}')
    if back or (came and not left) or not case.number("offered"):
        return Told(None, "what was undone cannot be told", attempts=0)
    if before == after:
        what = f'"{next(iter(gone))[:60]}" does not come back' if gone else f'"{next(iter(came))[:60]}" stays'
        return Told(False, f"undone, {what}", "state_not_updated")
    other = list((after - before).elements())
    if gone and len(other) == 1 and not _much_alike(other[0], next(iter(gone))):
        return Told(False, f'"{other[0][:60]}" came back instead of "{next(iter(gone))[:60]}"', "wrong_result")
    return Told(None, "the list changed in a way that is not understood", attempts=0)
