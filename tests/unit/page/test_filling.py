"""Values that fit what a field states: its kind, bounds, lengths, pattern, example; distinct from one variant to the next."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from tools.evidence.rows import Box
from tools.page.filling import candidates, fill, fitting
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Field, Form, Option, Toggle
from tools.page.trials import Choose, Fill, Switch

TODAY = date(2026, 1, 5)


def _field(kind: str = "text", **more: object) -> Field:
    own = {"key": f'{kind} "x"', "node": "1", "selector": "#x", "box": Box(x=0, y=0, width=90, height=20), "in_view": True}
    return Field.model_validate({**own, "kind": kind, **more})


def test_a_number_keeps_its_bounds_and_its_step() -> None:
    """Also narrow and fractional ones."""
    for low, high, step in (
        ("0", "100", "5"),
        ("1", "3", ""),
        ("", "", "0.01"),
        ("10", "", ""),
        ("-5", "-1", ""),
        ("0", "1", "0.1"),
    ):
        for variant in range(4):
            value = Decimal(fitting(_field("number", minimum=low, maximum=high, step=step), variant=variant, today=TODAY))
            assert not low or value >= Decimal(low)
            assert not high or value <= Decimal(high)
            assert (value - Decimal(low or 1)) % Decimal(step or 1) == 0


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"kind": "email"}, r"[\w.]+@example\.org"),
        ({"placeholder": "you@company.com"}, r"[\w.]+@example\.org"),
        ({"autocomplete": "shipping postal-code"}, r"\d{5}"),
        ({"placeholder": "+1 (555) 000-0000"}, r"\+1 \(555\) 000-0000"),
        ({"placeholder": "0.00"}, r"1\.21"),
        ({"input_mode": "numeric"}, r"\d+"),
        ({"pattern": r"[A-Z]{2}\d{4}"}, r"[A-Z]{2}\d{4}"),
        ({"kind": "date", "minimum": "2026-03-01"}, "2026-03-01"),
        ({"kind": "date"}, "2026-01-14"),
        ({"min_length": 20}, r".{20,}"),
        ({"max_length": 4}, r".{1,4}"),
        ({"placeholder": "Search 12 plants by name"}, r"Amber Lake"),
        ({"kind": "file", "accept": ".csv"}, r"file\.csv"),
    ],
)
def test_a_value_fits_what_the_field_states(given: dict[str, Any], wanted: str) -> None:
    """By kind, example, autofill, pattern, bounds, lengths."""
    field = _field(str(given.pop("kind", "text")), **given)
    assert re.fullmatch(wanted, fitting(field, today=TODAY))


def test_the_next_candidates_are_of_other_shapes() -> None:
    """A text field that refuses a name may want an address, a number, a day."""
    found = list(candidates(_field(), today=TODAY))
    assert len(set(found)) == len(found)
    assert any("@" in item for item in found)
    assert any(item.isdigit() for item in found)
    assert "2026-01-14" in found


def test_a_form_is_filled_whole_in_the_order_in_which_it_stands() -> None:
    """Fields, a select, a radio group, a box, a button that opens a calendar; values of one's own; disabled ones are left."""

    def own(name: str, y: float) -> dict[str, Any]:
        return {
            "key": name,
            "name": name,
            "node": name,
            "selector": f"#{name}",
            "box": Box(x=10, y=y, width=90, height=20),
            "in_view": True,
        }

    options = (Option(name="Choose one", chosen=True), Option(name="Basic", chosen=False, value="b"))
    name, shut = Field(**own("Name", 10), kind="text"), Field(**own("Shut", 20), kind="text", disabled=True)
    plan = Choice(**own("Plan", 60), kind="select", options=options)
    day, news = Button(**own("Day", 90), opens="dialog"), Toggle(**own("News", 120), on=False)
    send = Button(**own("Send", 150))
    form = Form(
        **{**own("form", 0), "box": Box(x=0, y=0, width=300, height=200)}, native=True, fields=("Name", "Shut"),
        choices=("Plan",), toggles=("News",), submit="Send",
    )  # fmt: skip
    page = PageModel(
        url="http://x/",
        viewport=(1280, 800),
        fields=(name, shut),
        choices=(plan,),
        toggles=(news,),
        buttons=(day, send),
        forms=(form,),
    )
    act = fill(form, page, today=TODAY, values={"Name": "Ada"})
    assert [(type(item), item.target.name) for item in act.fills] == [
        (Fill, "Name"), (Choose, "Plan"), (Choose, "Day"), (Switch, "News"),
    ]  # fmt: skip
    assert isinstance(act.fills[0], Fill)
    assert act.fills[0].value == "Ada"
    assert isinstance(act.fills[1], Choose)
    assert (act.fills[1].option, act.fills[1].how) == ("Basic", "select")
    assert act.submit is not None
    assert act.submit.name == "Send"
    with pytest.raises(ValueError, match="nothing can be filled in"):
        fill(form.model_copy(update={"fields": ("Shut",), "choices": (), "toggles": (), "box": BOXLESS}), page, today=TODAY)


BOXLESS = Box(x=0, y=0, width=0, height=0)
