"""Lists as a person compares them: their order, what a search leaves, how many they say there are, what an act took away.

Sources: metamorphic relations of searching and sorting (Segura et al., 2018: subset, order, count); a list's cells come from the
eyes (`Listing`), so that a table's column and a card's third line are the same to these checks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.turning import place_shown
from agent.words import folded, keywords, numbers, says, with_points
from tools.browser.marks import Listing, Observation

_COUNT_IN_TITLE = re.compile(r"[(（\[]\s*(\d{1,4})\s*[)）\]]")
_COUNT_LINE = re.compile(r"^(\d{1,4})\s+(\S+(?:\s\S+){0,2})$|^([^\d:：]{2,30})[:：]\s*(\d{1,4})$")
_COUNT_OF_RECORDS = re.compile(r"^共?\s*(\d{1,4})\s*([条个项]\s*(?:记录|结果|数据|匹配))$")
_FIGURES = re.compile(r"[\d.,]+")
_MONEY = re.compile(r"[$€£¥￥₹]|\b(?:usd|eur|元)\b", re.IGNORECASE)
_PAGED = 5
"""A list that shows at least so many of more may be but a page of them."""
_LEAST_TO_ORDER = 3
_OVER_LINES = 3
"""A number that is a list's stands so many lines over its first entry at most."""
_LEAST_TO_MISORDER = 4
_ARROWS = re.compile(r"[▲▼△▽▴▾▵▿↑↓↕⇅⇵⬆⬇⌃⌄]")

LEAST_GONE = 4


def contents(page: Observation) -> list[Listing]:
    """Lists of contents, not of controls."""
    return [listing for listing in page.lists if not listing.pressable]


def same_list(listing: Listing, page: Observation) -> Listing | None:
    """The same list in another observation: by where it stands."""
    return next((one for one in page.lists if (one.selector, one.frame) == (listing.selector, listing.frame)), None)


# ---- order -----------------------------------------------------------------------------------------------------------------


def ordered(case: Case) -> Told:
    """After a sort by `by` (the words of the option or column head) the longest list is in that order.

    The other way round than the words say, or in no order although the words name a column: `wrong_result`. As before although
    another order was asked for, twice: `state_not_updated`.
    """
    words = case.word("by")
    found = _sorted_list(case)
    if found is None:
        return Told(None, "no list of three or more is shown", attempts=0)
    before, after = found
    columns = _columns_named(after, words)
    if not columns:
        return Told(None, f'which column "{words}" means cannot be told', attempts=0)
    wanted = direction(words)
    ways = {column: _way(after, column) for column in columns}
    later = _left_for_later(case, before, after, columns[0], ways[columns[0]]) if len(columns) == 1 else ""
    if later:
        return Told(False, f'sorted by "{words}" {later}', "wrong_result")
    if any(way and (not wanted or way in (wanted, "both")) for way in ways.values()):
        return Told(True, f'the list is in the order "{words}"')
    moved = before.items != after.items
    wrong = _misordered(case, after, columns[0], ways[columns[0]], moved=moved) if len(columns) == 1 else ""
    if wrong:
        return Told(False, f'sorted by "{words}" {wrong}', "wrong_result")
    if not moved:
        return lack(case, "state_not_updated", f'the list is as before, not in the order "{words}"')
    return Told(None, "the list changed, in an order that is not understood", attempts=0)


def _misordered(case: Case, after: Listing, column: int, way: str, *, moved: bool) -> str:
    """How the column that a sort names is not as it says: the other way round, in no order, or in that of words."""
    wanted, begins = direction(case.word("by")), f"the list begins {', '.join(row[column] for row in after.items[:4])}"
    opposite = {"up": "down", "down": "up"}.get(wanted, "")
    if opposite and way == opposite and case.number("chosen"):
        return begins
    amounts = moved and _is_numeric(_cells(after, column)) and len(after.items) >= _LEAST_TO_MISORDER
    if amounts and wanted and case.number("chosen"):
        return begins
    return f"{begins}: its figures are in the order of words" if amounts and not wanted and _as_text(after, column) else ""


def _left_for_later(case: Case, before: Listing, after: Listing, column: int, way: str) -> str:
    """What a first page of several lacks though it comes before its last row in that order; empty if nothing that is known.

    Rows shown before the sort are rows of the same list, so what they hold has its place in the new order, too. Told only of
    figures that are all of one unit.
    """
    places = place_shown(case.before), place_shown(case.after)
    one, other = places
    if way not in ("up", "down") or one is None or other is None or other[0] != 1 or one[1] != other[1]:
        return ""
    cells = [*_cells(before, column), *_cells(after, column)]
    if not _is_numeric(cells) or len({_FIGURES.sub("", cell) for cell in cells}) != 1:
        return ""
    kept = Counter(after.items)
    rest = [row[column] for row in (Counter(before.items) - kept).elements()]
    last = numbers(after.items[-1][column])[0]
    early = [cell for cell in rest if (numbers(cell)[0] < last if way == "up" else numbers(cell)[0] > last)]
    if not early:
        return ""
    return f"the first page ends with {after.items[-1][column]}, and {early[0]} is not on it"


def _sorted_list(case: Case) -> tuple[Listing, Listing] | None:
    """The list that was to be sorted, before and after: one with a column of that name before others, then the longest."""
    words = case.word("by")
    lists = [one for one in contents(case.after) if len(one.items) >= _LEAST_TO_ORDER]
    for listing in sorted(lists, key=lambda one: (not _headed(one, words), -len(one.items))):
        before = same_list(listing, case.before)
        if before is not None:
            return before, listing
    return None


def _columns_named(listing: Listing, words: str) -> list[int]:
    """Columns a sort's words may mean: by their head, else by what kind of values they hold."""
    by_head = _headed(listing, words)
    if by_head:
        return by_head
    if says("amount_words", words):
        money = [place for place in range(len(listing.columns)) if _is_money(_cells(listing, place))]
        return money or [place for place in range(len(listing.columns)) if _is_numeric(_cells(listing, place))]
    if says("name_words", words):
        texts = [place for place in range(len(listing.columns)) if _is_text(_cells(listing, place))]
        return texts[:1]
    return []


def _headed(listing: Listing, words: str) -> list[int]:
    """Columns whose head has these words: just these, arrows aside ("Gain ▼"), before those that share one ("Gain %")."""
    wanted = set(keywords(words))
    exact = [place for place, head in enumerate(listing.columns) if head and _unmarked(head) == _unmarked(words)]
    return exact or [place for place, head in enumerate(listing.columns) if head and wanted & set(keywords(head))]


def _unmarked(head: str) -> str:
    return _ARROWS.sub("", folded(head)).strip()


def _cells(listing: Listing, column: int) -> list[str]:
    return [row[column] for row in listing.items if column < len(row)]


def _is_money(cells: Sequence[str]) -> bool:
    return bool(cells) and all(_MONEY.search(cell) and len(numbers(cell)) == 1 for cell in cells)


def _is_numeric(cells: Sequence[str]) -> bool:
    return bool(cells) and all(len(numbers(cell)) == 1 for cell in cells)


def _is_text(cells: Sequence[str]) -> bool:
    return bool(cells) and all(cell and not numbers(cell) for cell in cells) and len(set(cells)) > len(cells) / 2


def direction(words: str) -> str:
    """`up`, `down`, or empty where the words of a sort do not say."""
    down, up = says("descending", words), says("ascending", words)
    low, high = words.casefold().find("low"), words.casefold().find("high")
    if low >= 0 and high >= 0:
        return "up" if low < high else "down"
    return "" if down == up else "down" if down else "up"


def _way(listing: Listing, column: int) -> str:
    """How a column is ordered: `up`, `down`, `both` (all alike), or empty for neither."""
    cells = _cells(listing, column)
    values: list[float] | list[str]
    values = [numbers(cell)[0] for cell in cells] if _is_numeric(cells) else [folded(cell) for cell in cells]
    rises = all(one <= other for one, other in pairwise(values))  # pyright: ignore[reportOperatorIssue] - one type in a list
    falls = all(one >= other for one, other in pairwise(values))  # pyright: ignore[reportOperatorIssue]
    return "both" if rises and falls else "up" if rises else "down" if falls else ""


def _as_text(listing: Listing, column: int) -> bool:
    """Whether figures are in the order of their signs (9, 80, 700), which is none of theirs."""
    cells = [cell.strip() for cell in _cells(listing, column)]
    figures = [re.sub(r"^[^\d-]+", "", with_points(cell)).replace(",", "") for cell in cells]
    ordered_as_text = figures in (sorted(figures), sorted(figures, reverse=True))
    return ordered_as_text and not _way(listing, column) and len(set(figures)) >= _LEAST_TO_MISORDER


# ---- searching -------------------------------------------------------------------------------------------------------------


def searchable(page: Observation, word: str) -> bool:
    """Whether lists of one kind on the page hold the word in some of their items and not in others."""
    word = folded(word)
    return any(
        any(says_word(row, word) for row in rows) and not all(_holds(row, word) for row in rows) for rows in _kinds(page).values()
    )


def narrowed(case: Case, word: str) -> Told | None:
    """What became of the lists that hold a word in some items; None where none can tell. A board's columns are one list."""
    word = folded(word)
    earlier, later = _kinds(case.before), _kinds(case.after)
    for kind, before in earlier.items():
        held = [row for row in before if says_word(row, word)]
        if not held or all(_holds(row, word) for row in before):
            continue
        rows = later.get(kind, [])
        right = [row for row in rows if _holds(row, word)]
        if rows and len(right) == len(rows) <= len(before):
            return Told(True, f'{len(rows)} of {len(before)} entries are left, all with "{word}"')
        if kind in later and rows == before:
            if later != earlier or case.changes.text:
                continue  # the legend of a chart, two panes: what was narrowed is another list, or none to the eyes
            return lack(case, "input_ignored", f'all {len(rows)} entries are still shown, {len(held)} of which hold "{word}"')
        if not rows and (kind in later or (case.number("whole") and _all_gone(case, before))) and not case.changes.network:
            return lack(case, "wrong_result", f'no entry is left although {len(held)} held "{word}"')
        if rows and not right and not Counter(rows) - Counter(before) and not case.changes.network:
            words = f'{len(rows)} entries without "{word}" are shown, none of the {len(held)} with it'
            return lack(case, "wrong_result", words, needs=1 if case.number("sure") else 2)
    return None


def _all_gone(case: Case, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a list of many is there no more, on the same page: nothing that its entries are called by is to be read."""
    text = folded(case.after.text)
    names = [folded(max(row, key=len)) for row in rows if row]
    same = case.before.url == case.after.url and len(case.after.marks) >= 1
    return same and len(names) >= LEAST_GONE and not any(name in text for name in names)


def _kinds(page: Observation) -> dict[str, list[tuple[str, ...]]]:
    """Items of the lists of contents by where they stand, digits and names aside: those of a board's columns go together."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for one in contents(page):
        kind = f"{one.frame} {re.sub(r'[#.][^ >:]+|[0-9]+', '', one.selector)} {len(one.columns)}"
        found.setdefault(kind, []).extend(one.items)
    return found


def says_word(row: Sequence[str], word: str) -> bool:
    """Whether it stands there as a word of its own: `low` is none of `slow`. Chinese words are not set apart."""
    text, apart = folded(" ".join(row)), word.isascii()
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None if apart else word in text


def _holds(row: Sequence[str], word: str) -> bool:
    return word in folded(" ".join(row))


# ---- counting --------------------------------------------------------------------------------------------------------------


def counts_agree(case: Case) -> Told:
    """A number that says how many entries a list has is right: `To do (2)` over two cards, `8 plants` over eight.

    A line that gave the right number and keeps it although the list changed: `state_not_updated`, told in two states. Heads
    of two lists or more that all give another number than they have: `wrong_result`.
    """
    titled = _titled(case.after)
    wrong = [(one, number) for one, number in titled if not _fits(one, number)]
    if len(titled) >= 2 and len(wrong) == len(titled) and sum(one.count for one, _ in titled) >= 2:
        told = ", ".join(f'"{one.title}" over {one.count}' for one, _ in wrong[:3])
        return lack(case, "wrong_result", f"the numbers over the lists are wrong: {told}", needs=1)
    stale = _stale(case)
    if stale:
        return lack(case, "state_not_updated", stale)
    right = [one for one, number in titled if one.count == number and one.count >= 2]
    if right:
        return Told(True, f'"{right[0].title}" stands over {right[0].count} entries')
    agreed = [(line, one) for line, number, _ in _lines(case.after) for one in contents(case.after) if _agrees(one, number)]
    if agreed:
        return Told(True, f'"{agreed[0][0]}" stands by a list of {agreed[0][1].count}')
    return Told(None, "no number of entries is shown", attempts=0)


def _titled(page: Observation) -> list[tuple[Listing, int]]:
    found = []
    for one in contents(page):
        number = _COUNT_IN_TITLE.search(one.title)
        if number:
            found.append((one, int(number.group(1))))
    return found


def _fits(listing: Listing, number: int) -> bool:
    """Whether a head's number can be right: that many items, that many pieces, or one page of more."""
    if number == listing.count or (listing.count >= _PAGED and number > listing.count):
        return True
    columns = range(len(listing.columns))
    return any(
        _is_numeric(cells) and sum(numbers(cell)[0] for cell in cells) == number
        for cells in (_cells(listing, c) for c in columns)
    )


def _agrees(listing: Listing, number: int) -> bool:
    return listing.count == number >= 3


def _lines(page: Observation) -> list[tuple[str, int, str]]:
    """(line, number, its other words) of short lines that name a number of things."""
    found = []
    for line in (folded(raw) for raw in page.text.splitlines()):
        told = _COUNT_LINE.match(line) or _COUNT_OF_RECORDS.match(line)
        if told:
            number, words, label, labelled = (*told.groups(), None, None)[:4]
            if keywords(words or label or "") and not _MONEY.search(line):
                found.append((line, int(number or labelled or 0), " ".join(sorted(keywords(words or label or "")))))
    return found


def _stale(case: Case) -> str:
    """What kept its number although the list it counted changed by this act; empty if nothing did."""
    before = {words: (line, number) for line, number, words in _lines(case.before)}
    for line, number, words in _lines(case.after):
        if words not in before or before[words][1] != number:
            continue
        for listing in contents(case.before):
            after = same_list(listing, case.after)
            if after is not None and _agrees(listing, number) and after.count != number and after.count < _PAGED + number:
                return f'"{line}" is still shown although the list has {after.count} entries now'
    return ""


def count_follows(case: Case) -> Told:
    """The number of entries right over a list follows what narrows it. As before at two such acts: `state_not_updated`.

    In a shop that is the number of what is shown; elsewhere it may be that of all there are (`4 tasks`), unless it says that it
    is what was found (`shop` 0).
    """
    for listing in contents(case.before):
        after, head = same_list(listing, case.after), _head(case.before, listing)
        if after is None or head is None or not after.count < listing.count:
            continue
        line, number, words = head
        later = next((other for _, other, same in _lines(case.after) if same == words or same in words or words in same), None)
        if number != listing.count or later is None or not (case.number("shop") or says("found_words", line)):
            continue
        if later != number:
            return Told(True, f'"{line}" became {later}')
        return lack(case, "state_not_updated", f'"{line}" is still shown over {after.count} entries')
    return Told(None, "no list with its number was narrowed", attempts=0)


def _head(page: Observation, listing: Listing) -> tuple[str, int, str] | None:
    """The number of things that stands right over a list's first entry, with its line and its other words."""
    if listing.count < _LEAST_TO_ORDER or not listing.items:
        return None
    lines = [line for line in (folded(raw) for raw in page.text.splitlines()) if line]
    cells = [folded(cell) for cell in listing.items[0] if cell.strip()]
    places = [place for place, line in enumerate(lines) if line in (*cells, " ".join(cells))]  # a table's row is one line
    over = {line for place in places for line in lines[max(0, place - _OVER_LINES) : place]}
    return next((one for one in reversed(_lines(page)) if one[0] in over), None)


# ---- taking away -----------------------------------------------------------------------------------------------------------


def removed(case: Case, entry: str) -> Told | None:
    """What a deletion took from the list that holds `entry`; None where no list holds it, or it cannot be told apart."""
    entry = folded(entry)
    for before in contents(case.before):
        meant = [row for row in before.items if entry and _holds(row, entry)]
        after = same_list(before, case.after)
        if len(meant) != 1 or after is None or before.count > len(before.items):
            continue
        gone = list((Counter(before.items) - Counter(after.items)).elements())
        new = list((Counter(after.items) - Counter(before.items)).elements())
        if gone == meant and not new:
            return Told(True, f'"{entry}" is gone, {after.count} entries stay')
        if meant[0] in after.items and len(gone) == 1 and not new:
            return Told(False, f'"{" ".join(gone[0])[:60]}" went instead of "{entry}"', "wrong_result")
        if len(gone) > 1 and not new and len(gone) >= len(before.items) - 1:
            return Told(False, f'{len(gone)} entries went, not only "{entry}"', "wrong_result")
    return None
