"""What is deleted is what is chosen: the open note, the current chat, the list that is shown.

Source: the metamorphic relation of a deletion and what it leaves (Segura et al., 2018: all but the one named stays).
"""

from __future__ import annotations

import re
from collections import Counter

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents
from agent.skills.controls import Kind, kind_of
from agent.words import concepts, folded
from tools.browser.marks import Mark, Observation

_OTHERS = re.compile(
    r"\b(?:all|every\w*|last|first|oldest|newest|latest|next|previous|completed?|done|finished|checked)\b"
    r"|全部|所有|最后|第一|最新|最旧|已完成",
    re.IGNORECASE,
)
"""Words of a button that deletes something else than what is chosen."""
_ENTRIES = frozenset({Kind.button, Kind.link, Kind.option, Kind.tab, Kind.other})
_PLACES = re.compile(r":nth-(?:of-type|child)\(\d+\)|\d+")
LEAST = 2


def deletes(mark: Mark) -> bool:
    """Whether a button deletes what is chosen, by its name; one of several alike deletes the entry that it stands at."""
    return kind_of(mark) is Kind.button and "delete" in concepts(mark.name) and not _OTHERS.search(mark.name) and not mark.group


def chosen_among(page: Observation, button: Mark | None = None) -> tuple[tuple[Mark, ...], int] | None:
    """`(entries, place of the chosen one)` of the only list in sight of which one entry is chosen; None for none or several.

    Entries are pressable things that stand alike; what stands as the button does is a row of tools. The chosen one is what is
    shown beside them, by its name: a label that many entries have (`All`, a tag) is none of them.
    """
    lists = alike(page)
    if button is not None:
        lists.pop(_list_of(button), None)
    found: list[tuple[tuple[Mark, ...], int]] = []
    for entries in lists.values():
        places = [place for place, mark in enumerate(entries) if "current" in mark.evidence or mark.checked]
        if len(entries) >= LEAST and len(places) == 1 and _shown(page, entries[places[0]]):
            found.append((tuple(entries), places[0]))
    return found[0] if len(found) == 1 else None


def alike(page: Observation) -> dict[tuple[str, str], list[Mark]]:
    """Pressable things with names that stand alike, by what they have in common."""
    lists: dict[tuple[str, str], list[Mark]] = {}
    for mark in page.marks:
        if kind_of(mark) in _ENTRIES and mark.name:
            lists.setdefault(_list_of(mark), []).append(mark)
    return lists


def _shown(page: Observation, entry: Mark) -> bool:
    """Whether what it is called stands elsewhere, too: in a field, over what is open."""
    name = folded(entry.name)
    in_fields = any(name in folded(mark.value) for mark in page.marks if kind_of(mark) is Kind.text)
    return in_fields or folded(page.text).count(name) > 1


def _list_of(mark: Mark) -> tuple[str, str]:
    """The same for things of one list: their frame and selector without positions, which one that is left alone has none of."""
    return mark.frame, _PLACES.sub("", mark.selector)


def chosen_goes(case: Case) -> Told:
    """The chosen entry goes. One other entry gone in its stead: `wrong_result`."""
    found = chosen_among(case.before, case.mark) if case.mark is not None else None
    if found is None or case.changes.dialogs:
        return Told(None, "no list with a chosen entry is in sight", attempts=0)
    entries, place = found
    own = entries[place].name
    earlier = Counter(folded(mark.name) for mark in entries)
    later = Counter(folded(mark.name) for mark in case.after.marks if _list_of(mark) == _list_of(entries[0]))
    gone, new = list((earlier - later).elements()), list((later - earlier).elements())
    if len(gone) != 1 or new:
        return Told(None, "not one entry went", attempts=0)
    if gone[0] == folded(own):
        return Told(True, f'"{own[:60]}", which was chosen, is gone')
    return Told(False, f'"{gone[0][:60]}" went instead of "{own[:60]}", which was chosen', "wrong_result")


def right_one_goes(case: Case) -> Told:
    """Of a list that is narrowed or sorted the entry pressed goes (`row`). It stays while something went: `wrong_result`."""
    row = case.word("row")
    before, after = (
        [folded(" ".join(one)) for listing in contents(page) for one in listing.items] for page in (case.before, case.after)
    )
    if row not in before or any(mark.covered for mark in case.after.marks if mark.in_view):
        return Told(None, "the entry is not in sight, or something lies over the page", attempts=0)
    if before.count(row) > after.count(row):
        return Told(True, f'"{row[:60]}" is gone')
    if case.changes.storage or case.changes.text:
        return Told(False, f'"{row[:60]}" is still there although something was deleted', "wrong_result")
    return Told(None, "nothing was deleted", attempts=0)
