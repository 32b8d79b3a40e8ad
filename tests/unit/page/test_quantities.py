"""Values in text, as the world's locales write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tools.page.quantities import find_quantity, in_order, quantity_of


@pytest.mark.parametrize(
    ("text", "language", "measure", "value", "unit"),
    [
        ("1.234,50 €", "de-DE", "money", "1234.50", "EUR"),
        ("€1,234.50", "en", "money", "1234.50", "EUR"),
        ("1\u202f234,50 €", "fr", "money", "1234.50", "EUR"),
        ("-$5.00", "en", "money", "-5.00", "USD"),
        ("− 12,00 €", "de", "money", "-12.00", "EUR"),
        ("CHF 1'200.00", "de-CH", "money", "1200.00", "CHF"),
        ("¥1,980", "ja", "money", "1980", "JPY"),
        ("¥99.50", "zh-CN", "money", "99.50", "CNY"),
        ("1,234", "en", "number", "1234", ""),
        ("12.99", "de", "number", "12.99", ""),
        ("2,5 %", "de", "percent", "2.5", "%"),
        ("22 °C", "en", "quantity", "22", "°C"),
        ("12 kg", "en", "quantity", "12", "kg"),
        ("02:30", "en", "duration", "150", "s"),
        ("1:02:03", "en", "duration", "3723", "s"),
        ("3 / 10", "en", "ratio", "3", "10"),
        ("3 of 10", "en", "ratio", "3", "10"),
    ],
)
def test_a_value_is_read_with_its_measure_and_unit(text: str, language: str, measure: str, value: str, unit: str) -> None:
    """The page's language decides what comma and point mean, unless what is written can only be another's."""
    quantity = quantity_of(text, language)
    assert quantity is not None
    assert (quantity.measure, quantity.value, quantity.unit) == (measure, Decimal(value), unit)


@pytest.mark.parametrize(
    ("text", "language", "when"),
    [
        ("2024-03-05", "en", "2024-03-05"),
        ("05.03.2024", "de", "2024-03-05"),
        ("3/5/2024", "en-US", "2024-03-05"),
        ("05/03/2024", "en-GB", "2024-03-05"),
        ("5. März 2024", "de", "2024-03-05"),
        ("Mar 5, 2024", "en", "2024-03-05"),
        ("2024年3月5日", "zh", "2024-03-05"),
        ("5 de marzo de 2024", "es", "2024-03-05"),
    ],
)
def test_a_date_is_read_as_its_language_writes_it(text: str, language: str, when: str) -> None:
    """Numbers in the locale's order, months by their names."""
    found = find_quantity(text, language)
    assert found is not None
    assert (found[0].measure, found[0].when) == ("date", when)


@pytest.mark.parametrize(
    ("text", "label"), [("Total: 12,00 €", "Total"), ("3 items left", "items left"), ("Score 7", "Score"), ("Cart (2)", "Cart")]
)
def test_the_words_around_a_value_are_what_it_is_of(text: str, label: str) -> None:
    """Without the signs that set them apart."""
    found = find_quantity(text, "de")
    assert found is not None
    assert found[1] == label


@pytest.mark.parametrize("text", ["", "no digits", "H2O", "from 3 to 9 and 12", "31.02.2024 x 9", "word " * 20 + "5"])
def test_what_is_no_single_value_is_not_read_as_one(text: str) -> None:
    """Several numbers, digits in words, prose."""
    assert find_quantity(text, "en") is None


def test_order_is_by_value_and_unknown_where_kinds_differ() -> None:
    """9 before 10; a date and a number have no order."""
    nine, ten, day = quantity_of("9"), quantity_of("10"), quantity_of("2024-01-01")
    assert nine is not None
    assert ten is not None
    assert day is not None
    assert in_order([nine, ten]) is True
    assert in_order([nine, ten], descending=True) is False
    assert in_order([nine, day]) is None


@pytest.mark.parametrize(
    ("text", "language", "when"),
    [("25 Jan", "en", "--01-25"), ("3. März", "de", "--03-03"), ("25 de enero", "es", "--01-25"), ("1月25日", "ja", "--01-25")],
)
def test_a_day_of_no_year_is_a_date(text: str, language: str, when: str) -> None:
    """Not 25 of a unit called Jan; and a name before a number may be anybody's."""
    quantity = quantity_of(text, language)
    assert quantity is not None
    assert (quantity.measure, quantity.when) == ("date", when)
    score = find_quantity("Jan 25", "en")
    assert score is not None
    assert score[0].measure == "number"


@pytest.mark.parametrize(
    ("texts", "known"),
    [
        (("25 Jan", "3 Feb"), None),
        (("900 g", "1 kg"), None),
        (("1 day", "3 days"), True),
        (("$5", "€6"), None),
        (("2 m", "30 m"), True),
        (("30 m", "2 km"), None),
    ],
)
def test_what_is_of_other_units_is_in_no_known_order(texts: tuple[str, str], known: bool | None) -> None:
    """Nor are days of which the year is not told: December comes before January of the next."""
    quantities = [found for text in texts if (found := quantity_of(text, "en")) is not None]
    assert len(quantities) == 2
    assert in_order(quantities) is known
