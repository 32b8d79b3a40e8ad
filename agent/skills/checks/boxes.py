"""Boxes (Work, Home) that say which kinds of entries are shown."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.listed import contents, says_word
from agent.words import folded
from tools.browser.marks import Observation

_COUNT = re.compile(r"\s*[\(（\[]?\s*\d+\s*[\)）\]]?\s*$")
_NO_ENTRY = frozenset({"checkbox", "switch", "radio", "option", "combobox", "textbox", "searchbox"})


def called(name: str) -> str:
    """What a box is called, without how many there are of it (`Work (3)`)."""
    return _COUNT.sub("", name).strip()


def entries(page: Observation, name: str) -> list[str]:
    """What bears the name as a word: items of lists, or controls that are no choices (events of a calendar)."""
    word = folded(called(name))
    if not word:
        return []
    listed = [folded(" ".join(row)) for one in contents(page) if not one.pressable for row in one.items if says_word(row, word)]
    marks = [folded(mark.name) for mark in page.marks if mark.role not in _NO_ENTRY and says_word((mark.name,), word)]
    longer = [one for one in marks if one != word]
    return max(listed, longer, key=len)


def boxes_choose(case: Case) -> Told:
    """A box that is unticked takes the entries of its name (`word`) away; one that is ticked, first of all, leaves only them.

    Nothing changes: `input_ignored`. Others go than should, or stay: `wrong_result`. `others`: names of the boxes beside it.
    """
    box, word = case.mark_after, case.word("word")
    if box is None or box.checked is None or case.mark is None or box.checked == case.mark.checked:
        return Told(None, "the box did not change", attempts=0)
    before, after = entries(case.before, word), entries(case.after, word)
    if box.checked:
        return _only(case, word, len(before), len(after))
    if not after:
        return Told(True, f'{len(before)} entries called "{called(word)}" are gone')
    if len(after) < len(before) or not set(after) & set(before):
        return Told(None, f'{len(after)} of {len(before)} entries called "{called(word)}" are left', attempts=0)
    lost = [other for other in case.word("others").splitlines() if entries(case.before, other) and not entries(case.after, other)]
    if lost:
        return Told(False, f'unticking "{called(word)}" takes "{lost[0]}" away', "wrong_result")
    return lack(case, "input_ignored", f'{len(after)} entries called "{called(word)}" are still shown', needs=1)


def _only(case: Case, word: str, before: int, after: int) -> Told:
    others = case.word("others").splitlines()
    were = sum(len(entries(case.before, other)) for other in others)
    left = sum(len(entries(case.after, other)) for other in others)
    if before and not after and left < were:
        return Told(False, f'no entry called "{called(word)}" is shown, though {before} were', "wrong_result")
    if after and not left:
        return Told(True, f'only {after} entries called "{called(word)}" are shown')
    if left == were and after == before:
        return lack(case, "input_ignored", f"all entries are still shown, {left} of another kind among them", needs=1)
    return Told(None, "it is not told by names which of them are shown", attempts=0)
