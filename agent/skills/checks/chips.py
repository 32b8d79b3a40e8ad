"""Filters in a row (All, Light, Dark) of a list whose entries say which of them they are of."""

from __future__ import annotations

from collections.abc import Sequence, Set

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents, same_list, says_word
from agent.words import folded
from tools.browser.marks import Listing, Observation

LEAST_ENTRIES = 3


def labelled_by(page: Observation, names: Sequence[str]) -> Listing | None:
    """The list whose every entry says one of these names, each of which some entry says; None where there is none such."""
    words = [folded(name) for name in names if folded(name)]
    for listing in contents(page):
        rows = listing.items
        if len(rows) < LEAST_ENTRIES or listing.count > len(rows) or len(words) < 2:
            continue
        each = all(any(says_word(row, word) for row in rows) for word in words)
        if each and all(any(says_word(row, word) for word in words) for row in rows):
            return listing
    return None


def narrows(listing: Listing, before: Observation, whole: Set[str]) -> bool:
    """Whether the list shows less than the whole now, and something else than before: `whole` are its entries, folded."""
    was = same_list(listing, before)
    now = {folded(" ".join(row)) for row in listing.items}
    return was is not None and was.items != listing.items and bool(now) and now < whole


def chip_filters(case: Case) -> Told:
    """What is shown under the filter `word` is of it. An entry of another kind, and of none that was asked for: `wrong_result`.

    `rows`: the entries of the whole list, one a line; only they count. `asked`: filters that were pressed before, a line each;
    where several can be chosen together their entries are shown too. `filters`: one of the row that narrowed this list before.

    The control: a row of names is a filter of this list only if this press, or another of the row, narrowed it. The legend of a
    chart beside a list that says the same names is none.
    """
    word, whole = folded(case.word("word")), set(case.word("rows").splitlines())
    for listing in contents(case.after):
        shown = [row for row in listing.items if folded(" ".join(row)) in whole]
        if not shown or len(shown) < len(listing.items):
            continue
        if not (narrows(listing, case.before, whole) or case.word("filters")):
            return Told(None, f'nothing shows that "{word}" filters this list', attempts=0)
        of_it = [row for row in shown if says_word(row, word)]
        if not of_it:
            return Told(False, f'{len(shown)} entries are shown, none of which says "{word}"', "wrong_result")
        asked = [folded(one) for one in case.word("asked").splitlines()]
        strange = [row for row in shown if not says_word(row, word) and not any(says_word(row, one) for one in asked)]
        if strange:
            return Told(False, f'"{folded(" ".join(strange[0]))[:60]}" is shown under "{word}"', "wrong_result")
        return Told(True, f'{len(of_it)} of {len(shown)} entries say "{word}"')
    return Told(None, "the list is not shown", attempts=0)
