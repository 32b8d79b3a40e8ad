"""Plausible values for a field, read off its label, type and bounds, in the page's language. Nothing extreme."""

from __future__ import annotations

import re
from datetime import date, timedelta
from math import floor

from agent.skills.checks.chosen import alike, chosen_among
from agent.skills.checks.listed import contents, searchable
from agent.skills.controls import Kind, is_search, kind_of, label_of
from agent.skills.shapes import text_like
from agent.tongues import spoken
from agent.words import concepts, folded, language_of, lexicon, says
from tools.browser.marks import Mark, Observation

DATES = {
    "date": "2030-06-15",
    "time": "09:30",
    "datetime-local": "2030-06-15T09:30",
    "month": "2030-06",
    "week": "2030-W24",
}
BIRTHDAY = "1990-05-17"
COLOUR = "#2a7f62"
OTHER_COLOUR = "#c2452d"
_LONG = frozenset({"message"})
LEAST_RANGE_DAYS = 3
DAYS_LONG, NEXT_FIELD_PX, SOON = 6, 200.0, 9
_COLOUR_CODE = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
_DECIMAL = re.compile(r"-?\d{1,9}(?:[.,]\d{1,4})?")
_NO_AMOUNTS = frozenset({"email", "password", "phone", "url", "card", "expiry", "cvc", "postcode", "birthday", "time"})
LIKE_SCALE = 30.0
"""A number for a field is at most so many times larger or smaller than the one that stands there."""


def value_for(mark: Mark, page: Observation, *, turn: int = 0, task_like: bool = False) -> str:
    """What to type into or set a field to; `turn` 1, 2 … gives another value each. Empty where nothing fits.

    `task_like` is for the input line of a list whose label says nothing.
    """
    kind = kind_of(mark)
    if wants_number(mark):
        return number_for(mark, turn)
    if kind is Kind.date:
        return _date_for(mark, page)
    if kind is Kind.colour:
        return COLOUR if folded(mark.value) != COLOUR else OTHER_COLOUR
    if kind is Kind.select:
        return option_for(mark, page)
    if is_search(mark):
        return search_word(page, mark)
    return _cut(_text_for(mark, page, turn, task_like=task_like), mark)


def wants_number(mark: Mark) -> bool:
    """Whether a field takes an amount: by its type, or by the keyboard it asks for where its label names no kind of digits."""
    if kind_of(mark) is Kind.number or mark.input_type == "number":
        return True
    return kind_of(mark) is Kind.text and mark.input_mode in ("numeric", "decimal") and field_kind(mark) not in _NO_AMOUNTS


def field_kind(mark: Mark) -> str:
    """What kind of text a field wants: by its type, else by its label; `text` when neither tells."""
    by_type = {"email": "email", "password": "password", "tel": "phone", "url": "url"}.get(mark.input_type)
    if by_type:
        return by_type
    label = label_of(mark)
    found = next((entry.kind for entry in lexicon().fields if entry.words.within(label)), None)
    return found or ("message" if mark.tag == "textarea" or "contenteditable" in mark.evidence else "text")


_EXAMPLE = re.compile(
    r"(?:e\.?\s?g\.?|for example|z\.\s?b\.|par ex\.?|p\. ej\.?|例如|如)[:：,]?\s*(?P<value>\S.{2,24})$", re.IGNORECASE
)
_AS_SHOWN = frozenset({"postcode"})
"""What is written otherwise in every country: the example that stands there fits."""
_ENGLISH = re.compile(r"(?:in\s+)?(?:english|englisch|anglais|inglés|英文|英语)(?:\W|$)", re.IGNORECASE)


def _text_for(mark: Mark, page: Observation, turn: int, *, task_like: bool) -> str:
    language = spoken().page or language_of("", f"{label_of(mark)} {page.text[:600]}")
    if _ENGLISH.match(mark.name.strip()):
        language = "en"  # a vocabulary's field is for words of the language it is called after
    kind = field_kind(mark)
    if kind in ("text", "message"):
        shaped = _like_what_stands_there(mark, turn) or text_like(label_of(mark), turn)
    else:
        shaped = _number_instead(mark, kind, language, turn)
    if kind in _AS_SHOWN and not mark.value and (example := _EXAMPLE.match(mark.placeholder.strip())):
        return example["value"].strip()
    if shaped:
        return shaped
    if kind == "text" and task_like:
        kind = "task"
    values = _values(kind, language) or lexicon().plain[language]["text"]
    if kind in _LONG and mark.tag == "textarea" and says("markdown", label_of(mark)):
        values = lexicon().plain[language]["markdown"]
    return values[turn % len(values)]


def is_colour_code(text: str) -> bool:
    """Whether a text is a colour's code: `#c2452d`, `#fff`."""
    return _COLOUR_CODE.fullmatch(text.strip()) is not None


def _like_what_stands_there(mark: Mark, turn: int) -> str:
    """Another value of the shape that a one-line field holds or shows as its example: a colour's code, a time, a number."""
    shown = (mark.value or mark.placeholder).strip()
    if mark.tag == "textarea" or "contenteditable" in mark.evidence:
        return ""
    if is_colour_code(shown):
        return next(code for code in ((COLOUR, OTHER_COLOUR)[turn % 2], OTHER_COLOUR, COLOUR) if code != folded(shown))
    if _CLOCK.fullmatch(shown):
        return "10:45" if shown != "10:45" else "11:15"
    if mark.value and _DECIMAL.fullmatch(shown):
        return _plain(float(round(abs(float(shown.replace(",", "."))) * (1.5, 0.5)[turn % 2])) + 1)
    return ""


def _number_instead(mark: Mark, kind: str, language: str, turn: int) -> str:
    """A number where one stands, though the label wants words: the month's budget for `Groceries` is no food."""
    if not mark.value or any(sign.isdigit() for value in _values(kind, language) for sign in value):
        return ""
    return _like_what_stands_there(mark, turn) if _DECIMAL.fullmatch(mark.value.strip()) else ""


def _values(kind: str, language: str) -> tuple[str, ...]:
    entries = [entry for entry in lexicon().fields if entry.kind == kind]
    best = next((entry for entry in entries if entry.language == language), entries[0] if entries else None)
    return best.values if best else ()


def _cut(text: str, mark: Mark) -> str:
    """Shorten to what a digits-only pattern allows; longer limits are left to the page."""
    digits = mark.pattern.strip("^$")
    if digits.startswith(("[0-9]{", "\\d{")) and not text.isdigit():
        size = int("".join(sign for sign in digits.split("{")[1].split("}")[0].split(",")[0] if sign.isdigit()) or "4")
        return "4213579864"[:size]
    return text


def number_for(mark: Mark, turn: int = 0) -> str:
    """A number in the field's bounds and on its step, by its label where that tells; another one for another turn."""
    low, high, step = _float(mark.minimum), _float(mark.maximum), _float(mark.step)
    wanted, shown = _labelled_number(mark, turn), _float(mark.value)
    if wanted is None:
        wanted = float(lexicon().plain["en"]["number"][turn % 2])
    if shown and shown > 0 and not 1 / LIKE_SCALE < wanted / shown < LIKE_SCALE:
        wanted = shown * (1.25 if turn % 2 == 0 else 0.75)  # a house costs more than a book: what stands there tells the scale
    if low is not None and wanted < low:
        wanted = low if high is None else low + (high - low) * (0.6 if turn % 2 == 0 else 0.3)
    if high is not None and wanted > high:
        wanted = high if low is None else low + (high - low) * (0.6 if turn % 2 == 0 else 0.3)
    if step:
        base = low or 0.0
        wanted = base + floor((wanted - base) / step + 1e-9) * step
    text = _plain(wanted)
    return text if text != mark.value.strip() else _plain(_neighbour(wanted, low, high, step or 1.0))


def _labelled_number(mark: Mark, turn: int) -> float | None:
    """The number a label asks for: of the first kind of field that its words name and that takes numbers."""
    for entry in lexicon().fields:
        value = _float(entry.values[turn % len(entry.values)]) if entry.values else None
        if value is not None and entry.words.within(label_of(mark)):
            return value
    return None


def _neighbour(value: float, low: float | None, high: float | None, step: float) -> float:
    if high is None or value + step <= high:
        return value + step
    return value - step if low is None or value - step >= low else value


def range_value(mark: Mark, *, high: bool) -> str:
    """A slider's value near its largest (`high`) or smallest, on its step; not the one it has."""
    low_end = _float(mark.minimum) if _float(mark.minimum) is not None else 0.0
    high_end = _float(mark.maximum) if _float(mark.maximum) is not None else 100.0
    low_end, high_end = low_end or 0.0, high_end if high_end is not None else 100.0
    step = _float(mark.step) or (1.0 if high_end - low_end > 2 else (high_end - low_end) / 100 or 1.0)
    share = 0.9 if high else 0.1
    steps = round((high_end - low_end) * share / step)
    value = min(low_end + steps * step, high_end)
    if _plain(value) == mark.value.strip():
        value = value - step if high else value + step
    return _plain(value)


def option_for(mark: Mark, page: Observation | None = None) -> str:
    """An option of a select other than the one chosen, and not the empty first one; empty if there is none.

    Of two selects with the same options on a page (from, to) not the one that the other has: pounds into pounds tell nothing.
    """
    names = dict(zip(mark.options, mark.option_names, strict=False))
    others = [option for option in mark.options if option.strip() and option != mark.value]
    beside = {other.value for other in page.marks if other.options == mark.options and other.id != mark.id} if page else set()
    others = [option for option in others if option not in beside] or others
    # What empties everything leaves nothing to be looked at.
    others = [option for option in others if "clear" not in concepts(names.get(option, option))] or others
    return others[len(others) // 2] if others else ""


def search_word(page: Observation, field: Mark) -> str:
    """A word to search for that is on the page: of one of several repeated things, and not of all of them.

    Repeated things are entries of a list, else marks of one group; without such, a line of the visible text that is no
    control's name. Empty when the page shows nothing to look for.
    """
    for listing in sorted(contents(page), key=lambda one: -len(one.items)):
        for column in range(len(listing.columns)):
            names = [row[column] for row in listing.items if row[column]]
            if len(set(names)) >= 3 and (word := _telling_word(names)):
                return word
    chosen = chosen_among(page)
    if chosen is not None and (word := _telling_word([mark.name for mark in chosen[0]])):
        return word
    groups: dict[str, list[str]] = {}
    for mark in page.marks:
        if mark.group and mark.name and mark.signature != field.signature:
            groups.setdefault(mark.group, []).append(mark.name)
    for names in sorted(groups.values(), key=len, reverse=True):
        if len(set(names)) >= 3:
            word = _telling_word(names)
            if word:
                return word
    controls = {_bare(mark.name) for mark in page.marks}
    lines = [line.strip() for line in page.text.splitlines()]
    plain = [line for line in _after(lines, field) if 3 <= len(line) <= 60 and _bare(line) not in controls and "©" not in line]
    return _telling_word(plain) if len(plain) >= 3 else ""


def tells(page: Observation, word: str) -> bool:
    """Whether some of several things alike hold a word and others do not, so that a search for it leaves fewer of them."""
    held = ([folded(word) in folded(name) for name in names] for names in _sets(page))
    return searchable(page, word) or any(any(one) and not all(one) for one in held)


def holds_all(page: Observation, word: str) -> bool:
    """Whether all of several things alike hold a word, so that a search for it may leave every one of them."""
    return any(len(names) > 1 and all(folded(word) in folded(name) for name in names) for names in _sets(page))


def _sets(page: Observation) -> list[list[str]]:
    grouped: dict[str, list[str]] = {}
    for mark in page.marks:
        if mark.group and mark.name:
            grouped.setdefault(mark.group, []).append(mark.name)
    return [*grouped.values(), *([mark.name for mark in marks] for marks in alike(page).values())]


def _bare(text: str) -> str:
    """Letters and figures only: icon fonts put signs of their own into names."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _after(lines: list[str], field: Mark) -> list[str]:
    """Lines after the search field's own label, where what it searches mostly stands; all but the first without a label."""
    label = _bare(field.name or field.placeholder)
    place = next((index for index, line in enumerate(lines) if label and _bare(line).startswith(label)), 0)
    rest = lines[place + 1 :]
    return rest if len(rest) >= 3 else lines[1:]


def _telling_word(names: list[str]) -> str:
    """A word of at least four letters (two signs without spaces) that few of the names hold."""
    for name in names[1:] + names[:1]:
        words = [word.strip(".,:;!?()") for word in name.split()]
        for word in sorted(words, key=len, reverse=True):
            if not word.isalpha():
                continue
            long_enough = len(word) >= (4 if word.isascii() else 2)
            share = sum(1 for other in names if word.casefold() in other.casefold())
            if long_enough and 0 < share <= max(1, len(names) // 3):
                return word[:6] if not word.isascii() else word
    return ""


def nearby_date(mark: Mark, page: Observation, *, turn: int = 0) -> str:
    """A date that narrows the range which a filter shows by a third (by half at another turn); empty where it shows no range."""
    ends = [one for one in (_day(other.value) for other in page.marks if other.input_type == "date") if one is not None]
    shown = _day(mark.value)
    if shown is None or len(ends) != 2 or (span := (max(ends) - min(ends)).days) < LEAST_RANGE_DAYS:
        return ""
    by = timedelta(days=max(1, round(span / (3 - turn))))
    return (shown + by if shown == min(ends) else shown - by).isoformat()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _date_for(mark: Mark, page: Observation) -> str:
    if mark.input_type == "date" and field_kind(mark) == "birthday":
        return BIRTHDAY
    ends = field_kind(mark) == "expiry"  # what is valid until then is valid for a while
    near = (_after_another(mark, page) or _near(mark, page)) if mark.input_type == "date" and not ends else ""
    value = near or DATES.get(mark.input_type, DATES["date"])
    if mark.minimum and value < mark.minimum:
        return mark.minimum
    if mark.maximum and value > mark.maximum:
        return mark.maximum
    return value


def _near(mark: Mark, page: Observation) -> str:
    """The day before the one that stands in a field, of the same month, for a page may show one month; else some days from today.

    The first of a month, and the first day that the field allows, has the day after it instead. Empty where today is not known.
    """
    stands, today = _day(mark.value), _day(page.today)
    if stands is not None:
        before = stands - timedelta(days=1)
        allowed = before.month == stands.month and (not mark.minimum or before.isoformat() >= mark.minimum)
        return (before if allowed else stands + timedelta(days=1)).isoformat()
    return (today + timedelta(days=SOON)).isoformat() if today is not None else ""


def _after_another(mark: Mark, page: Observation) -> str:
    """For the second date of two (an end, a return): some days after the first; empty where no date stands before it."""
    dates = [other for other in page.marks if kind_of(other) is Kind.date and other.input_type == "date"]
    places = [place for place, other in enumerate(dates) if (other.signature, other.selector) == (mark.signature, mark.selector)]
    if not places or not places[0]:
        return ""
    first = dates[places[0] - 1]
    begins = _day(first.value)
    near = first.frame == mark.frame and abs(first.box.y - mark.box.y) < NEXT_FIELD_PX and field_kind(first) != "birthday"
    return (begins + timedelta(days=DAYS_LONG)).isoformat() if begins is not None and near else ""


def _float(text: str) -> float | None:
    try:
        return float(text.replace(",", "").split()[0]) if text.strip() else None
    except ValueError:
        return None


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")
