"""What is downloaded, read as by a person who opens the file: is it there, is anything in it, are the entries shown in it.

A file may hold more than the page shows and write it otherwise. So an entry is looked for by its name alone, and a figure only in
a table whose column is called as the page's is.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from agent.skills.checks.case import Case, Told, effect, lack
from agent.skills.checks.listed import contents
from agent.words import folded, numbers
from tools.browser.marks import Downloaded, Listing

LEAST_ENTRIES, LEAST_LETTERS = 2, 3
_SEPARATORS = ",;\t|"
_CENT = 0.005
Record = dict[str, str]


def downloaded(case: Case) -> Told:
    """A press gives a file (none, twice: `dead_control`), and in it are the entries that the page shows (`wrong_result`).

    Weak where only some are missing and the file is not known to hold the others alone: it may be about another list.
    """
    listing = max((one for one in contents(case.before) if one.count >= LEAST_ENTRIES), key=lambda one: one.count, default=None)
    if not case.after.downloads:
        return _nothing_came(case, listing)
    file = case.after.downloads[-1]
    if listing is None:
        empty = file.size == 0
        return Told(not empty, f'"{file.name}" {"is empty" if empty else "is downloaded"}', "wrong_result" if empty else "")
    if not file.size or is_bare(file.text, file.size):
        return Told(False, f'"{file.name}" holds none of the {listing.count} entries shown', "wrong_result")
    return _held_against(file, listing)


def _nothing_came(case: Case, listing: Listing | None) -> Told:
    mark = case.mark
    seen = effect(case)
    if mark is None or mark.disabled or seen.definite or seen.doubtful or case.flashed:
        return Told(None, "something else came of it", attempts=0)
    if any(event for event in case.after.logs.events) or not (listing or case.before.drawings):
        return Told(None, "there may be nothing to download, or it came in another way", attempts=0)
    return lack(case, "dead_control", "no file is downloaded, and nothing else changed")


def is_bare(text: str, size: int) -> bool:
    """Whether a file holds nothing but a head or brackets; what could not be read is not called so."""
    if not text.strip():
        return bool(text) or size == 0
    try:
        found = json.loads(text)
        lists = list(_lists(found))
        return not _leaves(found) or (bool(lists) and not any(lists))
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip(f" \ufeff{_SEPARATORS}")]
        return len(lines) <= 1 and any(sign in text for sign in _SEPARATORS) and not any(sign.isdigit() for sign in text)


def _leaves(value: Any) -> bool:
    """Whether anything is in it that is not empty."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return any(_leaves(one) for one in inner) if inner is not None else value is not None


def _held_against(file: Downloaded, listing: Listing) -> Told:
    """Whether the entries that the page shows are in the file, and their figures with them."""
    told = Told(True, f'"{file.name}" is downloaded')
    if not file.text:
        return told
    text = _plain(_decoded(file.text))
    names = max((_column(listing, place) for place in range(len(listing.columns))), key=lambda one: _found(one, text), default=[])
    missing = [name for name in names if _plain(name) not in text]
    if len(names) < LEAST_ENTRIES or len(missing) == len(names):
        return told  # it may write them otherwise
    if missing:
        said = f'{len(missing)} of the {len(names)} entries shown are not in "{file.name}": "{missing[0][:60]}"'
        # So many records as were found: the file is about these entries, and about no other list of the page.
        about = len(list(_records(file.text))) == len(names) - len(missing)
        return Told(False, said, "wrong_result", weak=not about)
    wrong = _wrong_figure(file.text, listing, names)
    return Told(False, f'in "{file.name}" {wrong}', "wrong_result") if wrong else Told(True, f'"{file.name}" holds what is shown')


def _column(listing: Listing, place: int) -> list[str]:
    """The words of one column, where they tell its entries apart; what is cut short cannot be looked for."""
    cells = [row[place] for row in listing.items if place < len(row)]
    named = [cell for cell in cells if sum(sign.isalpha() for sign in cell) >= LEAST_LETTERS and not cell.endswith("…")]
    return named if len(set(named)) == len(listing.items) else []


def _found(names: list[str], text: str) -> int:
    return sum(1 for name in names if _plain(name) in text)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", folded(text)).split())


def _decoded(text: str) -> str:
    """JSON with its letters written out, quotation marks of tables undone."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text.replace('""', '"')


def _wrong_figure(text: str, listing: Listing, names: list[str]) -> str:
    """How a column of figures differs from the file's column of the same name; empty where it agrees or cannot be compared."""
    records = list(_records(text))
    for place, head in enumerate(listing.columns):
        key = next((one for one in (records[0] if records else {}) if head and _plain(one) == _plain(head)), "")
        if not key:
            continue
        pairs = list[tuple[str, float, float]]()
        for row, name in zip(listing.items, names, strict=False):
            held = [one[key] for one in records if any(_plain(name) == _plain(cell) for cell in one.values())]
            shown = list(numbers(row[place])) if place < len(row) else []
            written = list(numbers(held[0])) if len(held) == 1 else []
            if len(shown) == len(written) == 1:
                pairs.append((name, shown[0], written[0]))
        # Another unit (cents, hours) is a constant factor.
        differs = [one for one in pairs if abs(abs(one[1]) - abs(one[2])) > _CENT]
        factors = {round(written / shown, 3) for _, shown, written in pairs if shown}
        if len(pairs) >= LEAST_ENTRIES and differs and (len(factors) > 1 or 0.0 in factors):
            name, shown, written = differs[0]
            return f'"{head}" of "{name[:60]}" is {written:g}, but {shown:g} is shown'
    return ""


def _records(text: str) -> Iterator[Record]:
    """A table's rows by its heads: of JSON the first list of objects, else of text with separators."""
    try:
        found = json.loads(text)
    except ValueError:
        lines = text.lstrip("\ufeff")
        first = lines.splitlines()[0] if lines.strip() else ""
        separator = max(_SEPARATORS, key=first.count)
        for row in csv.DictReader(io.StringIO(lines), delimiter=separator):
            yield {str(key): str(value) for key, value in row.items() if isinstance(value, str)}
        return
    rows = found if isinstance(found, list) else next(iter(_lists(found)), [])
    for row in rows:
        if isinstance(row, dict):
            yield {str(key): str(value) for key, value in row.items()}


def _lists(value: Any) -> Iterator[list[Any]]:
    for inner in value.values() if isinstance(value, dict) else ():
        if isinstance(inner, list):
            yield inner
