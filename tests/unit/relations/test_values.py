"""What fields are for by their names, and what is typed in them."""

from __future__ import annotations

from datetime import date

import pytest

from evaluator.relations.values import CARD_CODE, CARD_EXPIRY, CARD_NUMBER, agrees, card_number, filled, fitting, purpose
from tests.unit.deciders.scenes import todo
from tools.evidence.rows import Box
from tools.page.parts import Field, Form, Toggle
from tools.page.trials import Fill

TODAY = date(2026, 11, 28)


def _field(name: str, kind: str = "text", **more: object) -> Field:
    box = Box(x=0, y=0, width=200, height=30)
    where = {"node": "1", "selector": "#field", "in_view": True, "box": box}
    return Field.model_validate({"key": name, "name": name, "kind": kind, **where, **more})


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Card Number", CARD_NUMBER),
        ("Kartennummer", CARD_NUMBER),
        ("卡号", CARD_NUMBER),
        ("Name on card", "name on a card, cardholder"),
        ("Card title", "title of a card on a board"),
        ("Expiry Date", CARD_EXPIRY),
        ("Ablaufdatum", CARD_EXPIRY),
        ("CVV", CARD_CODE),
        ("Security code", CARD_CODE),
        ("Date", ""),
        ("Due date", ""),
        ("Datum", ""),
        ("Promo code", "coupon, promo code"),
        ("Zip code", "postal code"),
        ("Title", "title of a thing"),
    ],
)
def test_a_name_says_what_a_field_is_for(name: str, wanted: str) -> None:
    """By meaning, in several languages; a day is no expiry of a card."""
    assert purpose(name) == wanted


def test_a_card_of_a_board_is_no_card_to_pay_with() -> None:
    """The number of a payment card is asked beside its expiry or code, or says itself what it is."""
    number, holder, expiry = _field("Número de tarjeta"), _field("Nombre en la tarjeta"), _field("Fecha de caducidad")
    assert card_number([holder, number, expiry]) == number
    assert card_number([_field("Card"), _field("Description")]) is None
    assert card_number([_field("Card number"), _field("Member since")]) is None
    said = _field("Card number", placeholder="1234 5678 9012 3456")
    assert card_number([said]) == said


def test_a_payment_is_filled_with_what_it_asks_for() -> None:
    """Also where what is typed is hidden; any other password is one."""
    assert fitting(_field("Expiry Date"), 0, TODAY) == "01/29"
    assert fitting(_field("CVV", "password", max_length=4), 0, TODAY) == "123"
    assert len(fitting(_field("Password", "password"), 0, TODAY)) > 8


def test_what_browsers_are_told_not_to_fill_in_is_still_known_by_its_name() -> None:
    """`autocomplete="off"` says nothing of what a field is for."""
    assert fitting(_field("Post code", autocomplete="off"), 0, TODAY) == "94107"


def test_what_the_page_refused_is_not_tried_again() -> None:
    """Nor another value of its kind; what the page says of its length is heeded."""
    code = _field("Membership", input_mode="numeric", error="Seven digits are needed: 7.")
    first = fitting(code, 0, TODAY)
    second = fitting(code, 1, TODAY, refused={first})
    assert second.isdigit()
    assert len(second) == 7
    word = _field("Nickname")
    assert fitting(word, 2, TODAY, refused={fitting(word, 1, TODAY)}) not in {fitting(word, 2, TODAY), fitting(word, 1, TODAY)}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("I agree to the terms (required)", True),
        ("Ich akzeptiere die AGB", True),
        ("Send me the newsletter", False),
        ("Urgent", False),
    ],
)
def test_what_one_has_to_agree_to(name: str, wanted: bool) -> None:
    """In several languages, and not what is one's own choice."""
    box = Box(x=0, y=0, width=20, height=20)
    toggle = Toggle(key=name, name=name, node="1", selector="#box", in_view=True, box=box, on=False)
    assert agrees(toggle) is wanted


@pytest.mark.parametrize("kind", ["date", "datetime", "month", "week", "time"])
@pytest.mark.parametrize("nth", [0, 5, 11])
def test_what_ends_ends_after_it_began(kind: str, nth: int) -> None:
    """Of two days, or times of a day, the second one is the later: a form with a wrong end is not taken."""
    fields = [_field(name, kind) for name in ("Arrival", "Departure")]
    told = {"key": "form", "node": "2", "selector": "form", "in_view": True, "box": fields[0].box, "native": True}
    form = Form.model_validate({**told, "fields": tuple(field.key for field in fields)})
    act = filled(form, todo(fields=fields, forms=[form]), nth, today=TODAY)
    assert act is not None
    first, second = (fill.value for fill in act.fills if isinstance(fill, Fill))
    assert first < second
