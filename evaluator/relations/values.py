"""Values to type by meaning: what a field's name says it is for, in any of the encoder's languages.

What its kind, bounds, pattern or example state is `tools.page.filling`'s to know, and goes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import cache

from evaluator.relations.meanings import means
from tools.meaning import Meaning
from tools.page import filling
from tools.page.model import PageModel
from tools.page.parts import Choice, Field, Form, Toggle
from tools.page.trials import Choose, Fill, FillForm, Switch

_FURTHER = 4
"""Sets of values that are looked through for one of which nothing stands on the page."""
SURE = 0.5
"""Least likeness of a field's name with what it is for. Of 51 names in six languages 33 of 34 above it were
right (2026-11, before those of payments)."""

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


CARD_NUMBER, CARD_EXPIRY, CARD_CODE = "card number", "card expiry date", "card security code, CVV"
"""What fields of a payment are for."""
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
    CARD_NUMBER: lambda nth: f"4242 4242 4242 42{10 + nth % 90}",
    "name on a card, cardholder": _person,
    CARD_EXPIRY: lambda nth: f"{1 + nth % 12:02}/29",
    CARD_CODE: lambda nth: str(123 + nth),
    "title of a card on a board": _thing,
    "coupon, promo code": lambda nth: f"SPRING{10 + nth}",
    "price, amount of money": lambda nth: f"{23 + 11 * (nth % 7)}.50",
    "quantity, how many": lambda nth: str(2 + nth % 5),
    "percentage": lambda nth: str(10 + 5 * (nth % 6)),
    "age in years": lambda nth: str(31 + nth % 20),
    "duration in minutes": lambda nth: str(20 + 5 * (nth % 6)),
    "title of a thing": _thing,
    "description, notes": lambda nth: f"{_thing(nth)} by the window",
}
_NOTHING_MEANT = "day, date"
"""Looks like the expiry of a card by its name, and is for its kind, pattern or example to say."""
_SEVERAL = 3
"""So many fields and choices of a form ask for more than a note."""
_FREE = frozenset({"text", "multiline", "rich", "number"})
"""Kinds of field whose name, not whose kind, says what is wanted."""


@cache
def _meaning() -> Meaning:
    return Meaning()


@cache
def purpose(name: str) -> str:
    """What a field of that name is for, in the words of the closed list above; empty where it is not sure."""
    if not name.strip():
        return ""
    purposes = [*_FOR, _NOTHING_MEANT]
    row = _meaning().table([name], purposes)[0]
    best = int(row.argmax())
    return purposes[best] if row[best] >= SURE and purposes[best] != _NOTHING_MEANT else ""


def card_number(fields: Sequence[Field]) -> Field | None:
    """The field of a form that surely asks for the number of a payment card.

    A board has cards, too: it says so itself (autocomplete, digits for an example), or the form asks for the card's expiry or
    security code as well. Of several the one whose name is most like it: another is for the name on the card.
    """
    asks = [field for field in fields if purpose(field.name) == CARD_NUMBER and field.kind in {"text", "tel"}]
    pays = any(purpose(field.name) in {CARD_EXPIRY, CARD_CODE} for field in fields)
    sure = [
        field
        for field in asks
        if pays or field.autocomplete == "cc-number" or sum(map(str.isdigit, field.placeholder)) >= _DIGITS
    ]
    likeness = [float(_meaning().table([field.name], [CARD_NUMBER])[0][0]) for field in sure]
    return sure[likeness.index(max(likeness))] if sure else None


def fitting(field: Field, nth: int, today: date, refused: Collection[str] = ()) -> str:
    """A value that the field should take, the `nth` of its kind (0 …); empty where none is known (a closed picker).

    What its name says by meaning, where it keeps to all that the field states; else, and once the page has `refused` that, the
    values that its kind, bounds, pattern and example allow, one after the other: one of whose kind none was refused yet.
    """
    if field.kind in {"select", "combobox"}:
        return ""
    values = _values(field, nth, today)
    if refused and values:
        tried = [_values(field, earlier, today) for earlier in range(max(0, nth - _LOOKED_BACK), nth + 1)]
        wrong = {at for values_then in tried for at, value in enumerate(values_then) if value in refused}
        values = [value for at, value in enumerate(values) if at not in wrong] or values
    return values[0] if values else ""


def _values(field: Field, nth: int, today: date) -> list[str]:
    """Values of all the kinds that it may want, the likeliest first."""
    aim = purpose(field.name) or purpose(field.placeholder) if field.kind in {*_FREE, *_HIDES} else ""
    if (field.kind == "number" and aim not in _NUMERIC) or (field.kind in _HIDES and aim not in _OF_CARDS):
        aim = ""
    meant = [_FOR[aim](nth)] if aim and not filling.told(field) else []
    return [*(text for text in meant if filling.keeps(field, text)), *filling.candidates(field, variant=nth, today=today)]


_AGREES = "I accept the terms", "I agree to the rules and conditions", "I have read the privacy policy and consent"
_NO_NEED = "Subscribe to the newsletter", "Remember me", "Done", "Send me offers", "Urgent", "Repeat every week", "Gift wrap"
_APART = {"date": 3, "datetime": 3, "week": 10, "month": 40}
"""Sets of values, a day each, between the beginning and the end that a form wants, by the kind of their fields."""
_LOOKED_BACK = 30
"""So many earlier sets of values are looked through for those that the page has refused."""
_NUMERIC = {"price, amount of money", "quantity, how many", "percentage", "age in years", "duration in minutes", CARD_CODE}
_OF_CARDS, _HIDES, _DIGITS = {CARD_NUMBER, CARD_EXPIRY, CARD_CODE}, {"password", "tel"}, 8


def filled(
    form: Form,
    page: PageModel,
    nth: int,
    *,
    today: date,
    instead: Mapping[str, str] | None = None,
    refused: Mapping[str, Collection[str]] | None = None,
) -> FillForm | None:
    """The whole form filled with the `nth` set of fitting values and sent; None where it has nothing that can be filled.

    With a later set where one of its texts stands on the page already: what is typed must be told from what was there.
    `instead` gives other values by key; `refused` says which of a field's the page has refused. What is chosen or on already
    stays so: only what is missing is chosen, only what must be on is turned on, or says that one agrees to something.
    """
    shown, first = _shown_on(page), None
    for further in range(_FURTHER):
        act = _filled(form, page, nth + further, today, dict(instead or {}), refused or {})
        if act is not None and not any(_is_shown(fill, page, shown) for fill in act.fills):
            return act
        first = act if further == 0 else first
    return first


def _shown_on(page: PageModel) -> str:
    cells = (cell.text for collection in page.collections for item in collection.items for cell in item.cells)
    return "\n".join([page.text, *cells, *(field.value for field in page.fields)]).casefold()


def _is_shown(fill: Fill | Choose | Switch, page: PageModel, shown: str) -> bool:
    field = fill.target.find(page)
    if not isinstance(fill, Fill) or not isinstance(field, Field) or field.kind not in {"text", "multiline"}:
        return False
    return bool(fill.value) and fill.value.casefold() in shown


def _filled(
    form: Form, page: PageModel, nth: int, today: date, given: dict[str, str], refused: Mapping[str, Collection[str]]
) -> FillForm | None:
    fields = [
        each_field
        for each_field in filling.parts_of(form, page)
        if isinstance(each_field, Field) and each_field.kind not in {"file", "combobox"}
    ]
    before: Counter[str] = Counter()
    own: dict[str, str | bool] = {}
    for field in fields:
        # Of two days the second one is the later, of two times, too: as a thing ends after it began.
        value = fitting(field, nth + before[field.kind] * _APART.get(field.kind, 0), today, refused.get(field.key, ()))
        own[field.key] = given.get(field.key) or (_hours_on(value, before[field.kind]) if field.kind == "time" else value)
        before[field.kind] += 1
    try:
        act = filling.fill(form, page, today=today, variant=nth, values=own | given)
    except ValueError:
        return None
    submit = page.of(form.submit) if form.submit else None
    waits = submit is not None and submit.disabled
    fills = tuple(fill for fill in act.fills if _missing(fill, page, given, waits=waits))
    return act.model_copy(update={"fills": fills}) if fills else None


def _hours_on(value: str, hours: int) -> str:
    """That time of day, later on the same day."""
    hour, _, minutes = value.partition(":")
    return f"{min(int(hour) + hours, 23):02d}:{minutes}" if hour.isdigit() and minutes else value


def _missing(fill: Fill | Choose | Switch, page: PageModel, given: Mapping[str, str], *, waits: bool) -> bool:
    """Whether it has to be done; where the form's button still `waits` for something, that may be any toggle."""
    part = fill.target.find(page)
    if isinstance(part, Toggle):
        return part.required or agrees(part) or (waits and not means(part.name, _NO_NEED, sure=0.5))
    return part is None or part.key in given or not (isinstance(part, Choice) and _really_chosen(part))


def agrees(toggle: Toggle) -> bool:
    """Whether it says that one agrees to something without which most forms are not taken."""
    return means(toggle.name, _AGREES, unlike=_NO_NEED, sure=0.5)


def _really_chosen(choice: Choice) -> bool:
    """Whether an option is chosen that is one: a select's first one without a value only holds the place."""
    chosen = [option for option in choice.options if option.chosen]
    return any(option.value or choice.kind != "select" for option in chosen) or bool(choice.kind == "combobox" and choice.value)


def shown_values(act: FillForm, page: PageModel) -> tuple[str, ...]:
    """Those typed texts that a list would show as they were typed: free text, not dates, numbers, passwords or notes.

    What stands in several lines is a note, and may be shown nowhere, where the form asks for several other things.
    """
    plain = {"text", "multiline", "email", "url"}
    asked = max((len(form.fields) + _apart(form, page) for form in page.forms if _is_filled(form, act, page)), default=0)
    found = []
    for fill in act.fills:
        field = fill.target.find(page)
        if not isinstance(fill, Fill) or not isinstance(field, Field) or field.kind not in plain or fill.value[:1].isdigit():
            continue
        if field.kind != "multiline" or asked < _SEVERAL:
            found.append(fill.value)
    return tuple(found[:1])


def _apart(form: Form, page: PageModel) -> int:
    """Its choices that are no fields at the same time."""
    choices = (choice for key in form.choices if isinstance(choice := page.of(key), Choice))
    return sum(choice.kind not in {"select", "combobox"} for choice in choices)


def _is_filled(form: Form, act: FillForm, page: PageModel) -> bool:
    filled = (fill.target.find(page) for fill in act.fills)
    return any(part is not None and part.key in form.fields for part in filled)
