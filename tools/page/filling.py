"""Values that fit the fields of a form: valid by all that it states, distinct, and recognisable where they are shown again.

What a field wants is read off its kind, bounds, pattern, example and what browsers are told to fill in; never off words.
`candidates` goes on where a page refuses the first value: what else such a field may want.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Field, Form, Part, Toggle
from tools.page.quantities import number_of
from tools.page.trials import Choose, Fill, FillForm, Switch

_FIRST = ("Amber", "Birch", "Cedar", "Delta", "Ember", "Fern", "Garnet", "Hazel", "Iris", "Juniper", "Kestrel", "Linden")
_SECOND = ("Lake", "Hill", "Field", "Brook", "Stone", "Moor", "Grove", "Ridge", "Marsh", "Vale", "Shore", "Glen")
_POOL = (
    "{plain}", "{word}", "{code}", "{digits4}", "{digits5}", "{digits6}", "{phone}", "{digits10}", "+1{phone}", "555-{last4}",
    "{mail}", "{secret}", "{day}", "{us_day}", "12/29", "123", "09:30", "4242424242424242", "4242 4242 4242 4242", "#3366cc",
    "https://example.org/{word}", "AB", "A1", "12.50", "12", "1",
)  # fmt: skip
_BY_AUTOFILL = {
    "email": "{mail}", "tel": "{phone}", "tel-national": "{phone}", "url": "https://example.org/{word}",
    "postal-code": "{digits5}", "cc-number": "4242 4242 4242 4242", "cc-exp": "12/29", "cc-csc": "123", "bday": "1990-04-12",
    "cc-exp-month": "12", "cc-exp-year": "29", "new-password": "{secret}", "current-password": "{secret}",
    "one-time-code": "{digits6}", "username": "{word}",
}  # fmt: skip
_BY_KIND = {
    "email": "{mail}", "tel": "{phone}", "url": "https://example.org/{word}", "password": "{secret}", "color": "#3366cc",
    "multiline": "{plain}: a note that is long enough to be read.", "rich": "{plain}: a note that is long enough to be read.",
    "search": "{word}", "time": "10:30", "date": "{day}", "datetime": "{day}T10:30", "month": "{month}", "week": "{week}",
}  # fmt: skip
_OPENS = frozenset({"listbox", "dialog", "grid", "menu", "tree", "true"})
_LONG = 30
"""Signs that a text may be asked to have at least for a longer one to be made."""
ANY = ""
"""As an option: whichever is free."""


def _names(variant: int, today: date) -> dict[str, str]:
    first, second = _FIRST[variant % len(_FIRST)], _SECOND[(variant * 5 + variant // len(_FIRST)) % len(_SECOND)]
    day = today + timedelta(days=9 + variant)
    digits = f"{41 + variant * 7:02d}{58 + variant:02d}"
    return {
        "plain": f"{first} {second}", "word": f"{first}{second}".lower(), "last4": f"{142 + variant:04d}",
        "code": f"{first[:2].upper()}{digits}", "digits4": digits[:4], "digits5": f"1{digits}"[:5], "digits6": f"10{digits}"[:6],
        "digits10": f"555010{digits}"[:10], "phone": f"555010{(4100 + variant):04d}",
        "mail": f"{first.lower()}.{second.lower()}@example.org", "secret": f"{first}!{second}{digits}", "day": day.isoformat(),
        "us_day": f"{day:%m/%d/%Y}", "month": f"{day:%Y-%m}",
        "week": f"{day.isocalendar().year}-W{day.isocalendar().week:02d}",
    }  # fmt: skip


def candidates(field: Field, *, variant: int = 0, today: date) -> Iterator[str]:
    """Values for a field, the most fitting first; all of them keep its stated bounds. None for a file, a select, a combobox."""
    names = _names(variant, today)
    if field.kind in {"number", "slider"}:
        yield _number(field, variant)
        return
    if field.kind == "file":
        yield "picture.png" if not field.accept or "image" in field.accept else f"file{_suffix(field.accept)}"
        return
    first = _stated(field, names) or _like_example(field.placeholder, names) or _BY_KIND.get(field.kind, "")
    if field.kind in {"date", "datetime", "month", "week", "time"}:
        yield _inside(field, first.format(**names))
        return
    holds_number = field.kind == "text" and number_of(field.value) is not None
    numeric = field.input_mode in {"numeric", "decimal"} or holds_number
    digits = ["{digits4}", "{digits5}", "{digits6}", "{digits10}"] if numeric else []
    asked = [text for length in _lengths(field) for text in (_digits(length, names), _long(names))]
    soon = asked if numeric or field.kind == "tel" or field.error else []
    told = [first, _number(field, variant) if numeric and not first else "", *soon, *digits, "{plain}", *asked, *_POOL]
    seen = set()
    for template in filter(None, told):
        value = _sized(field, template.format(**names) if "{" in template else template)
        if value not in seen and (not field.pattern or _fits(field.pattern, value)):
            seen.add(value)
            yield value


def told(field: Field) -> bool:
    """Whether it says what browsers are to fill in: `autocomplete="off"` says nothing of what it is for."""
    return any(word in _BY_AUTOFILL for word in field.autocomplete.split())


def keeps(field: Field, value: str) -> bool:
    """Whether a value keeps to all that a field states: lengths, pattern, bounds and steps."""
    if (field.max_length and len(value) > field.max_length) or len(value) < field.min_length:
        return False
    if field.kind == "number":
        number, low, high, step = (_decimal(text) for text in (value, field.minimum, field.maximum, field.step))
        inside = number is not None and (low is None or number >= low) and (high is None or number <= high)
        grain = step or (None if field.step == "any" else Decimal(1))
        return inside and number is not None and (grain is None or (number - (low or Decimal(0))) % grain == 0)
    return not field.pattern or _fits(field.pattern, value)


def fitting(field: Field, *, variant: int = 0, today: date) -> str:
    """The most fitting value; a word where nothing that is known fits the field's pattern."""
    return next(candidates(field, variant=variant, today=today), _names(variant, today)["plain"])


def fill(
    form: Form,
    page: PageModel,
    *,
    today: date,
    variant: int = 0,
    values: Mapping[str, str | bool] | None = None,
    send: bool = True,
) -> FillForm:
    """The act that fills a whole form and sends it. `values` are of one's own, by a part's key or name; None is left as it is.

    Fields that are disabled or read-only, and what is filled in already by a choice of the page's own, are left alone. Raises
    `ValueError` for a form in which nothing can be filled in.
    """
    own = dict(values or {})
    parts = sorted(parts_of(form, page), key=lambda part: (round(part.box.y / 12), part.box.x))
    fills = [act for part in parts if (act := _act(part, page, own, variant, today)) is not None]
    if not fills:
        raise ValueError(f"nothing can be filled in in {form.key}")
    submit = page.of(form.submit) if form.submit else None
    target = Target.of(submit, page) if send and submit is not None else None
    return FillForm(fills=tuple(fills), submit=target, by_enter=send and submit is None)


def parts_of(form: Form, page: PageModel) -> list[Part]:
    """What can be filled in in a form: fields, choices, toggles, and buttons that open a list or calendar; each once."""
    keys = {*form.fields, *form.toggles, *form.choices}
    parts: list[Part] = [*page.choices, *page.toggles, *page.fields]
    found = [part for part in parts if part.key in keys]
    places = {(part.selector, part.frame) for part in found if isinstance(part, Choice)}
    once = [part for part in found if isinstance(part, Choice) or (part.selector, part.frame) not in places]
    opening = [
        part
        for part in page.buttons
        if part.opens in _OPENS
        and part.key != form.submit
        and part.item < 0
        and part.layer == form.layer
        and _inside_of(part, form)
    ]
    return [*once, *opening]


def _inside_of(part: Part, form: Form) -> bool:
    x, y = part.box.centre
    box = form.box
    return box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height and part.frame == form.frame


def _act(part: Part, page: PageModel, own: Mapping[str, str | bool], variant: int, today: date) -> Fill | Choose | Switch | None:
    told = own.get(part.key, own.get(part.name))
    target = Target.of(part, page)
    if part.disabled or (isinstance(part, Field) and part.read_only and told is None):
        return None
    match part:
        case Toggle():
            on = told if isinstance(told, bool) else True
            return Switch(target=target, on=on) if part.on is not on else None
        case Choice(kind="tabs" | "menu" | "links"):
            return None
        case Choice():
            return _choose(part, target, None if told is None else str(told), variant)
        case Field(kind="combobox"):
            return Choose(target=target, option=ANY if told is None else str(told), how="open")
        case Field():
            return Fill(target=target, value=fitting(part, variant=variant, today=today) if told is None else str(told))
        case Button():
            return Choose(target=target, option=ANY if told is None else str(told), how="open")
        case _:
            return None


def _choose(part: Choice, target: Target, told: str | None, variant: int) -> Choose | None:
    how = "select" if part.kind == "select" else "open" if part.kind == "combobox" else "press"
    if part.kind == "combobox":
        return Choose(target=target, option=ANY if told is None else told, how=how)
    free = [
        each_option for each_option in part.options if not each_option.disabled and not each_option.chosen and each_option.name
    ]
    if part.kind == "select":
        # The first one often only says what to do.
        free = [each_option for each_option in free if each_option.value or each_option is not part.options[0]] or free
    if told is None and not free:
        return None
    name = told if told is not None else free[variant % len(free)].name
    option = next((each_option for each_option in part.options if each_option.name == name), None)
    return Choose(target=target, option=name, how=how, place=option.selector if option and how == "press" else "")


def _stated(field: Field, names: Mapping[str, str]) -> str:
    told = next((word for word in field.autocomplete.split() if word in _BY_AUTOFILL), "")
    return _BY_AUTOFILL.get(told, "").format(**names)


def _lengths(field: Field) -> list[int]:
    """How many signs its own words speak of: "5 digits", "at least 10 characters"."""
    words = " ".join((field.name, field.error, field.placeholder))
    return list(
        dict.fromkeys(int(item) for item in re.findall(r"(?<![\d.,])\d{1,2}(?!\d|[.,]\d)", words) if 2 <= int(item) <= _LONG)
    )


def _digits(length: int, names: Mapping[str, str]) -> str:
    return (names["digits10"] * length)[-length:]


def _long(names: Mapping[str, str]) -> str:
    return f"{names['plain']} {names['code']}, {names['plain']} again"


def _like_example(example: str, names: Mapping[str, str]) -> str:
    """A value of the shape that an example has: an address, a number, digits in groups."""
    if "@" in example and "." in example:
        return names["mail"]
    if "://" in example:
        return f"https://example.org/{names['word']}"
    found = re.search(r"[+(]?\d[\d ()+./:,-]*\d|\d", example)
    if found is None or len(found[0]) < 0.5 * len(re.sub(r"^\W*\w\.\w\.\W*", "", example)):
        return ""
    digits = re.sub(r"\D", "", found[0])
    if set(digits) <= {"0"}:
        filler = iter("12" * len(digits))
        return re.sub(r"\d", lambda _: next(filler), found[0])
    return found[0]


def _number(field: Field, variant: int) -> str:
    low, high, step = (_decimal(text) for text in (field.minimum, field.maximum, field.step))
    step = step if step and step > 0 else Decimal(1)
    start = low if low is not None else Decimal(1) if high is None or high >= 1 else high
    steps = 2 + variant
    if high is not None:
        room = int((high - start) / step)
        steps = min(steps, room) if room < 4 else (room // 3 + variant) % (room + 1) if room < 50 else 3 + variant
    elif field.kind == "number":
        steps = 2 + variant
    return f"{(start + steps * step).normalize():f}"


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _inside(field: Field, value: str) -> str:
    """Times in ISO 8601 sort as texts do."""
    if field.minimum and value < field.minimum:
        return field.minimum
    return field.maximum if field.maximum and value > field.maximum else value


def _sized(field: Field, value: str) -> str:
    if field.max_length and len(value) > field.max_length:
        value = value[: field.max_length].rstrip()
    while field.min_length and len(value) < field.min_length:
        value = f"{value} {value}"[: max(field.min_length, len(value) + 1)]
    return value


def _fits(pattern: str, value: str) -> bool:
    try:
        return re.fullmatch(pattern, value) is not None
    except re.error:
        return True  # a pattern of JavaScript's own kind


def _suffix(accept: str) -> str:
    found = re.search(r"\.(\w+)|/(\w+)", accept)
    return f".{found[1] or found[2]}" if found else ".txt"
