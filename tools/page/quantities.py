"""Values in text: numbers, money, percentages, dates, times, ratios, as the world's locales write them (CLDR, by Babel)."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from itertools import pairwise

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import get_date_format, get_month_names
from babel.numbers import NumberFormatError, get_currency_symbol, get_decimal_symbol, get_territory_currencies, parse_decimal

from tools.page.parts import Quantity

LENGTH_LIMIT = 80
"""Characters of a text that is read for a value; longer ones are prose."""
_DIGITS = r"\d(?:[\d.,'’٫٬\u00a0\u202f ]*\d)?"
_SIGNED = rf"[-+−–]?\s?{_DIGITS}"
_NUMBER = re.compile(_SIGNED)
_WHOLE = re.compile(r"\d+")
_CLOCK = re.compile(
    r"(?<![\d:])(-?)(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?:[.,](\d{1,3}))?\s*([ap]\.?m\.?)?(?![\d:])", re.IGNORECASE
)
_RATIO = re.compile(
    r"(?<![\d/.,])(\d{1,6})\s*(?:/|\bof\b|\bvon\b|\bde\b|\bsur\b|\bdi\b|\bиз\b)\s*(\d{1,6})(?![\d/]|[.,]\d)", re.IGNORECASE
)
_ISO_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_CJK_DAY = re.compile(r"(?<!\d)(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})\.?\s(?:de\s)?([^\W\d_]+\.?)(?!\s*\d)")
_LEAP = 2000
"""A year that has all days."""
_CJK_DATE = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?")
_NUMERIC_DATE = re.compile(r"(?<![\d./-])(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{2,4})(?![\d/-])")
_UNIT = re.compile(r"^[^\W\d_]{1,12}(?:/[^\W\d_]{1,4})?[²³]?|^°\s?[CFK]?|^[µ°′″]")
_COMMON = (
    "EUR", "USD", "GBP", "JPY", "CNY", "INR", "KRW", "RUB", "TRY", "BRL", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "ILS", "UAH",
    "VND",
)  # fmt: skip


@cache
def locale_of(language: str) -> Locale:
    """The locale of a BCP 47 tag; English where the tag says none that CLDR knows."""
    try:
        return Locale.parse(language.replace("-", "_").strip()) if language.strip() else Locale("en")
    except (UnknownLocaleError, ValueError):
        base = re.split(r"[-_]", language)[0]
        return locale_of(base) if base and base != language else Locale("en")


@cache
def _signs(language: str) -> dict[str, str]:
    """Currency signs and codes as they are written there → ISO 4217. `$` and `¥` mean the territory's own."""
    locale = locale_of(language)
    signs = {code: code for code in get_global("all_currencies")}
    for code in _COMMON:
        for other in (Locale("en"), locale):
            sign = get_currency_symbol(code, locale=other)
            if sign != code:
                signs.setdefault(sign, code)
    signs.update(
        {
            "$": "USD",
            "¥": "JPY",
            "€": "EUR",
            "£": "GBP",
            "US$": "USD",
            "zł": "PLN",
            "Kč": "CZK",
            "kr": "SEK",
            "元": "CNY",
            "円": "JPY",
        }
    )
    territory = locale.territory or {"zh": "CN", "de": "DE", "ja": "JP", "da": "DK", "nb": "NO", "no": "NO"}.get(
        locale.language, ""
    )
    for code in get_territory_currencies(territory) if territory else ():
        signs[get_currency_symbol(code, locale=locale)] = code
    return signs


@cache
def _money(language: str) -> re.Pattern[str]:
    signs = sorted(_signs(language), key=len, reverse=True)
    either = "|".join(rf"\b{re.escape(sign)}\b" if sign.isalpha() and sign.isascii() else re.escape(sign) for sign in signs)
    return re.compile(
        rf"(?P<minus>[-−–]\s?)?(?P<before>{either})\s?(?P<first>{_SIGNED})|(?P<second>{_SIGNED})\s?(?P<after>{either})"
    )


def number_of(text: str, language: str = "") -> Decimal | None:
    """The number that a text is, with the locale's own decimal and grouping signs first; None where it is none.

    A page may write numbers in another way than its language does: then English, German and French follow, each strictly.
    """
    plain = re.sub(r"(?<=\d)[\s'’\u00a0\u202f](?=\d{3}(?!\d))", "", text.strip()).replace("−", "-").replace("–", "-")
    plain = re.sub(r"^([-+])\s", r"\1", plain).removeprefix("+")
    for locale in dict.fromkeys((locale_of(language), Locale("en"), Locale("de"), Locale("fr"))):
        try:
            return parse_decimal(plain, locale=locale, strict=True)
        except (NumberFormatError, ValueError):
            continue
    return None


def _decimals(text: str, language: str) -> int:
    for sign in dict.fromkeys((get_decimal_symbol(locale_of(language)), ".", ",")):
        whole, found, part = text.rpartition(sign)
        if (
            found
            and part.isdigit()
            and not (len(part) == 3 and whole.strip("-+").isdigit() and sign != get_decimal_symbol(locale_of(language)))
        ):
            return len(part)
    return 0


@cache
def _months(language: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for locale in (locale_of(language), Locale("en")):
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                for number, name in get_month_names(width, context=context, locale=locale).items():
                    found.setdefault(name.casefold().rstrip("."), number)
    return {name: number for name, number in found.items() if not name.isdigit() and len(name) > 2}


def _valid(year: int, month: int, day: int) -> str:
    try:
        return date(year + 2000 if year < 100 else year, month, day).isoformat()
    except ValueError:
        return ""


def _date_in(text: str, language: str) -> tuple[str, tuple[int, int]] | None:
    """A date as ISO 8601 and where it stands in the text."""
    for pattern in (_ISO_DATE, _CJK_DATE):
        if (found := pattern.search(text)) and (iso := _valid(*(int(part) for part in found.groups()))):
            return iso, found.span()
    if found := _NUMERIC_DATE.search(text):
        first, middle, last = int(found[1]), int(found[3]), int(found[4])
        order = re.sub(r"[^dMy]", "", get_date_format("short", locale=locale_of(language)).pattern)
        day_first = order.find("d") < order.find("M")
        readings = [(first, middle, last)] if len(found[1]) == 4 else [(last, middle, first), (last, first, middle)]
        if len(readings) > 1 and not day_first and found[2] != ".":
            readings.reverse()
        for reading in readings:
            if iso := _valid(*reading):
                return iso, found.span()
    words = [(word[0].casefold().rstrip("."), word.span()) for word in re.finditer(r"\d+|[^\W\d_]+\.?", text)]
    for at, (word, span) in enumerate(words):
        if month := _months(language).get(word):
            around = words[max(0, at - 2) : at] + words[at + 1 : at + 4]
            numbers = [(int(number), where) for number, where in around if number.isdigit()]
            years = [entry for entry in numbers if entry[0] > 1900]
            days = [entry for entry in numbers if 0 < entry[0] <= 31]
            if days and years and (iso := _valid(years[0][0], month, days[0][0])):
                spans = [span, days[0][1], years[0][1]]
                return iso, (min(start for start, _ in spans), max(end for _, end in spans))
    return _day_of_year(text, language)


def _day_of_year(text: str, language: str) -> tuple[str, tuple[int, int]] | None:
    """A day and a month without a year, as `--01-25` (XML Schema's gMonthDay); the day first: "Jan 25" may be a name's score."""
    if (found := _CJK_DAY.search(text)) and _valid(_LEAP, int(found[1]), int(found[2])):
        return f"--{int(found[1]):02}-{int(found[2]):02}", found.span()
    for found in _DAY_FIRST.finditer(text):
        month = _months(language).get(found[2].casefold().rstrip("."))
        if month and _valid(_LEAP, month, int(found[1])):
            return f"--{month:02}-{int(found[1]):02}", found.span()
    return None


def _clock(found: re.Match[str], text: str) -> Quantity:
    """`m:ss` and `h:mm:ss` as a duration in seconds, `when` holding the time of day it could be too; with am or pm that alone."""
    sign, first, second, third, fraction, half = found.groups()
    hours, minutes = int(first), int(second)
    if half:
        hours = hours % 12 + (12 if half.lower().startswith("p") else 0)
        return Quantity(measure="time", when=f"{hours:02}:{minutes:02}", text=text)
    seconds = Decimal(hours * 3600 + minutes * 60 + int(third) if third else hours * 60 + minutes)
    if fraction:
        seconds += Decimal(f"0.{fraction}")
    when = f"{hours:02}:{minutes:02}" if hours < 24 and not sign and not fraction else ""
    return Quantity(
        measure="duration", value=-seconds if sign else seconds, unit="s", when=when, text=text, decimals=len(fraction or "")
    )


@lru_cache(maxsize=20_000)  # a page is read again and again, and says the same again
def find_quantity(text: str, language: str = "") -> tuple[Quantity, str] | None:
    """The one value in a short text and the words around it (what it is of); None for none, or for several.

    `("Total: 1.234,50 €", "de")` → money 1234.50 EUR, `"Total"`. A ratio (`3 of 10`) is one value. Prose is not read.
    """
    if not text or len(text) > LENGTH_LIMIT or not any(sign.isdigit() for sign in text):
        return None
    found = _first(text, language)
    if found is None:
        return None
    quantity, (start, end) = found
    rest = f"{text[:start]} {text[end:]}"
    if any(sign.isdigit() for sign in rest):
        return None
    label = re.sub(r"\s+", " ", rest).strip(" \t:：-–—·•()[]|,;=≈~")
    return quantity, label


def ratio_in(text: str) -> Quantity | None:
    """The first ratio in a text (`Item 3 of 10, 29 s` → 3 of 10), whatever else is in it."""
    ratio = _RATIO.search(text)
    return Quantity(measure="ratio", value=Decimal(ratio[1]), unit=ratio[2], text=ratio[0]) if ratio else None


def range_of_all(text: str) -> tuple[int, int, int] | None:
    """First, last and all of what a text says is shown: `1–5 of 23`. None where it has not just three whole numbers, in order.

    `Item 1 of 6, 29 s` has three as well, and is a ratio beside something else.
    """
    found = _WHOLE.findall(text)
    if len(found) != 3:
        return None
    first, last, whole = map(int, found)
    ratio = ratio_in(text)
    beside = ratio is not None and (ratio.value, ratio.unit) == (first, found[1])
    return (first, last, whole) if first <= last <= whole and not beside else None


def _first(text: str, language: str) -> tuple[Quantity, tuple[int, int]] | None:
    if dated := _date_in(text, language):
        iso, span = dated
        return Quantity(measure="date", when=iso, text=text[slice(*span)]), span
    if clock := _CLOCK.search(text):
        return _clock(clock, clock[0].strip()), clock.span()
    if money := _money(language).search(text):
        written = money["first"] or money["second"]
        value = number_of(written, language)
        if value is not None:
            code = _signs(language)[money["before"] or money["after"]]
            value = -value if money["minus"] else value
            quantity = Quantity(
                measure="money", value=value, unit=code, text=money[0].strip(), decimals=_decimals(written, language)
            )
            return quantity, money.span()
    if (ratio := ratio_in(text)) is not None:
        begins = text.index(ratio.text)
        return ratio, (begins, begins + len(ratio.text))
    number = _NUMBER.search(text)
    if number is None or _in_word(text, number):
        return None
    value = number_of(number[0], language)
    if value is None:
        return None
    return _with_unit(text, number, value, _decimals(number[0], language))


def _in_word(text: str, number: re.Match[str]) -> bool:
    """`H2O`, `mp3`: digits of a word."""
    return (
        number.start() > 0
        and not number[0][0].isspace()
        and text[number.start() - 1].isalpha()
        and text[number.start() - 1].isascii()
    )


def _with_unit(text: str, number: re.Match[str], value: Decimal, decimals: int) -> tuple[Quantity, tuple[int, int]]:
    after = text[number.end() :]
    gap = len(after) - len(after.lstrip())
    if after.lstrip()[:1] in {"%", "٪", "％"}:
        end = number.end() + gap + 1
        return Quantity(measure="percent", value=value, unit="%", text=text[number.start() : end], decimals=decimals), (
            number.start(),
            end,
        )
    unit = _UNIT.match(after.lstrip())
    if unit and gap <= 1 and after.lstrip()[unit.end() :].strip() == "":
        end = number.end() + gap + unit.end()
        written = Quantity(measure="quantity", value=value, unit=unit[0], text=text[number.start() : end], decimals=decimals)
        return written, (number.start(), end)
    return Quantity(measure="number", value=value, text=number[0].strip(), decimals=decimals), number.span()


def quantity_of(text: str, language: str = "") -> Quantity | None:
    """The quantity that a text *is*, with nothing but it, its sign and its unit; None where there are other words."""
    found = find_quantity(text, language)
    return found[0] if found and not found[1] else None


def in_order(quantities: list[Quantity], *, descending: bool = False) -> bool | None:
    """Whether they go up (or down), by value or by date; None where they cannot be compared: other units, days of no year."""
    units = {each_quantity.unit.casefold() for each_quantity in quantities if each_quantity.measure in {"quantity", "money"}}
    # "1 day" and "2 days" are of one unit, "900 g" and "1 kg" are not.
    if len(units) > 1 and (len({unit[:3] for unit in units}) > 1 or any(len(unit) < 3 for unit in units)):
        return None
    if any(each_quantity.when.startswith("--") for each_quantity in quantities):
        return None
    keys = [quantity.when if quantity.measure in {"date", "time"} else quantity.value for quantity in quantities]
    if any(key is None or key == "" for key in keys) or len({type(key) for key in keys}) > 1:
        return None
    return all((a >= b if descending else a <= b) for a, b in pairwise(keys))  # pyright: ignore[reportOperatorIssue]
