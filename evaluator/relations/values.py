"""Values to type: fitting ones, which a form of that kind takes, and distinct ones, so that what was typed is known again.

What a text field is for is read from its stated type first, then from its name by meaning, in any of the encoder's languages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from functools import cache

from tools.meaning import Meaning
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Choice, Field, Form, Toggle
from tools.page.trials import Choose, Fill, FillForm, Switch

SURE = 0.5
"""Least likeness of a field's name with what it is for. Of 51 names in six languages 33 of 34 above it were right (2026-11)."""

_FIRST = ("Mara", "Oskar", "Lina", "Henrik", "Selma", "Tomas", "Ada", "Ruben", "Ida", "Felix", "Noor", "Emil")
_LAST = ("Keller", "Novak", "Berg", "Silva", "Okafor", "Lind", "Moreau", "Tanaka", "Weber", "Costa", "Haines")
_THINGS = (
    "Copper kettle", "Blue lantern", "Oak shelf", "Garden rake", "Wool blanket", "Brass compass", "Paper kite", "Cedar box",
    "Velvet chair", "Stone bowl", "Silver whistle", "Maple tray", "Linen apron",
)  # fmt: skip
_CITIES = ("Lisbon", "Bergen", "Porto", "Graz", "Utrecht", "Malmo", "Turin")


def _thing(nth: int) -> str:
    return f"{_THINGS[nth % len(_THINGS)]}{f' {nth // len(_THINGS) + 1}' if nth >= len(_THINGS) else ''}"


def _person(nth: int) -> str:
    return f"{_FIRST[nth % len(_FIRST)]} {_LAST[nth % len(_LAST)]}"


def _number(nth: int) -> str:
    return str(12 + 7 * (nth % 9))


_FOR: dict[str, Callable[[int], str]] = {
    "person's full name": _person,
    "username": lambda nth: f"{_person(nth).split()[0].lower()}{41 + nth}",
    "password": lambda nth: f"Harbor-Tulip-{47 + nth}x",
    "email address": lambda nth: f"{_person(nth).replace(' ', '.').lower()}{nth}@example.com",
    "phone number": lambda nth: f"+1 202 555 01{40 + nth % 50}",
    "street address": lambda nth: f"{14 + nth} Harbor Street",
    "city": lambda nth: _CITIES[nth % len(_CITIES)],
    "postal code": lambda nth: str(94107 + nth),
    "country": lambda nth: ("Portugal", "Norway", "Austria")[nth % 3],
    "company": lambda nth: f"{_LAST[nth % len(_LAST)]} Works",
    "web address": lambda nth: f"https://example.com/page-{nth + 1}",
    "card number": lambda nth: f"4242 4242 4242 42{10 + nth % 90}",
    "price, amount of money": lambda nth: f"{23 + 11 * (nth % 7)}.50",
    "quantity, how many": lambda nth: str(2 + nth % 5),
    "percentage": lambda nth: str(10 + 5 * (nth % 6)),
    "age in years": lambda nth: str(31 + nth % 20),
    "duration in minutes": lambda nth: str(20 + 5 * (nth % 6)),
    "title of a thing": _thing,
    "description, notes": lambda nth: f"{_thing(nth)} by the window",
}
_BY_KIND = {"email": "email address", "password": "password", "tel": "phone number", "url": "web address"}
_DATED = re.compile(r"[yja]{4}|d{1,2}[./-]m{1,2}|m{1,2}[./-]d{1,2}", re.IGNORECASE)


@cache
def _meaning() -> Meaning:
    return Meaning()


@cache
def purpose(name: str) -> str:
    """What a field of that name is for, in the words of the closed list above; empty where it is not sure."""
    if not name.strip():
        return ""
    purposes = list(_FOR)
    row = _meaning().table([name], purposes)[0]
    best = int(row.argmax())
    return purposes[best] if row[best] >= SURE else ""


def fitting(field: Field, nth: int, today: date) -> str:
    """A value that the field should take, the `nth` of its kind (0 …); empty where none is known (a file, a closed picker)."""
    day = _within(today + timedelta(days=9 + 2 * nth), field.minimum, field.maximum)
    if field.kind in {"number", "slider"}:
        return _numeric(field, nth)
    picked = {
        "date": day.isoformat(),
        "datetime": f"{day.isoformat()}T{10 + nth % 8:02}:30",
        "month": day.isoformat()[:7],
        "week": f"{day.isocalendar().year}-W{day.isocalendar().week:02}",
        "time": f"{10 + nth % 8:02}:30",
        "color": ("#2e7d32", "#1565c0", "#ad1457")[nth % 3],
        "file": "",
        "select": "",
        "combobox": "",
        "search": _thing(nth),
    }
    return picked[field.kind] if field.kind in picked else _written(field, _BY_KIND.get(field.kind, ""), nth, day)


def _written(field: Field, known: str, nth: int, day: date) -> str:
    """Text for a field that takes text: of its purpose, then of any shape that its pattern and lengths allow."""
    if not known and field.input_mode in {"numeric", "decimal"}:
        return _numeric(field, nth)
    if not known and _DATED.search(field.placeholder):
        return _shaped(day, field.placeholder)
    aim = known or purpose(field.name) or purpose(field.placeholder)
    first = _FOR[aim](nth) if aim else _thing(nth)
    others = (make(nth) for make in _FOR.values())
    return next((text for text in (first, _thing(nth), _number(nth), *others) if _allowed(field, text)), first)


def _allowed(field: Field, text: str) -> bool:
    if (field.max_length and len(text) > field.max_length) or len(text) < field.min_length:
        return False
    try:
        return not field.pattern or re.fullmatch(field.pattern, text) is not None
    except re.error:  # JavaScript's expressions know more than Python's
        return True


def _shaped(day: date, shape: str) -> str:
    """A date in the order and with the signs of a placeholder: `DD.MM.YYYY`."""
    text = re.sub(r"[yja]{4}", f"{day.year:04}", shape, flags=re.IGNORECASE)
    text = re.sub(r"m{1,2}", f"{day.month:02}", text, flags=re.IGNORECASE)
    return re.sub(r"[dt]{1,2}", f"{day.day:02}", text, flags=re.IGNORECASE)


def _numeric(field: Field, nth: int) -> str:
    """A number within the field's bounds and on its steps; by its purpose where bounds leave room."""
    low, high, step = (_decimal(text) for text in (field.minimum, field.maximum, field.step))
    aim = purpose(field.name)
    wish = Decimal(_FOR[aim](nth)) if aim in _NUMERIC else Decimal(_number(nth))
    if (low is not None and wish < low) or (high is not None and wish > high) or (low is not None and high is not None):
        bottom = low if low is not None else (high or Decimal(0)) - 10
        top = high if high is not None else bottom + 20
        wish = bottom + (top - bottom) * Decimal(3 + nth % 5) / Decimal(10)
    base = low or Decimal(0)
    grain = step or (Decimal(1) if field.step != "any" else Decimal("0.5"))
    wish = base + grain * math.floor((wish - base) / grain)
    return format(wish.normalize(), "f")


_NUMERIC = {"price, amount of money", "quantity, how many", "percentage", "age in years", "duration in minutes"}


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text) if text and text != "any" else None
    except InvalidOperation:
        return None


def _within(day: date, low: str, high: str) -> date:
    for bound, outside in ((low, lambda at, edge: at < edge), (high, lambda at, edge: at > edge)):
        try:
            edge = date.fromisoformat(bound[:10])
        except ValueError:
            continue
        day = edge if outside(day, edge) else day
    return day


def filled(
    form: Form, page: PageModel, nth: int, *, today: date, instead: dict[str, str] | None = None, leave: Iterable[str] = ()
) -> FillForm | None:
    """The whole form filled with the `nth` set of fitting values and sent; None where it has nothing that can be filled.

    `instead` gives other values by key; fields in `leave` are not touched. A choice keeps its chosen option unless it only
    holds a place ("Choose …"): then its first real one is taken.
    """
    given, left = instead or {}, set(leave)
    fills: list[Fill | Choose | Switch] = []
    selects = {part.selector for part in page.choices}
    for key in form.fields:
        field = page.of(key)
        if not isinstance(field, Field) or key in left or field.disabled or field.read_only or field.selector in selects:
            continue
        if value := given.get(key) or fitting(field, nth, today):
            fills.append(Fill(target=Target.of(field, page), value=value))
    fills += [one for key in form.choices if key not in left and (one := _choosing(page.of(key), page, given.get(key, "")))]
    for key in form.toggles:
        part = page.of(key)
        if isinstance(part, Toggle) and part.required and not part.on and key not in left:
            fills.append(Switch(target=Target.of(part, page)))
    if not fills:
        return None
    submit = page.of(form.submit) if form.submit else None
    return FillForm(fills=tuple(fills), submit=Target.of(submit, page) if submit else None, by_enter=submit is None)


def _choosing(part: object, page: PageModel, given: str) -> Choose | None:
    if not isinstance(part, Choice) or part.disabled or part.kind not in {"select", "radio", "listbox", "combobox"}:
        return None
    real = [option for option in part.options if not option.disabled and (option.value or part.kind != "select")]
    chosen = [option for option in real if option.chosen]
    option = next((one for one in real if one.name == given), None) if given else None
    if option is None and (chosen or not real):
        return None
    option = option or real[0]
    how = "select" if part.kind == "select" else "open" if part.kind == "combobox" else "press"
    return Choose(target=Target.of(part, page), option=option.name, how=how, place=option.selector)


def shown_values(act: FillForm, page: PageModel) -> tuple[str, ...]:
    """Those typed texts that a list would show as they were typed: free text, not dates, numbers, passwords or notes."""
    plain = {"text", "multiline", "email", "url"}
    found = []
    for fill in act.fills:
        field = fill.target.find(page)
        if isinstance(fill, Fill) and isinstance(field, Field) and field.kind in plain and not fill.value[:1].isdigit():
            found.append(fill.value)
    return tuple(found[:1])
