"""Pickers of native controls and of five libraries, known by the accessibility tree; each is opened, chosen in, and believed."""

from __future__ import annotations

import pytest

from tests.integration.trials.conftest import Tries
from tools.page.assertions import Appears, Assertion, Chosen, HasValue, IsOn, Target
from tools.page.trials import Act, Choose, Fill, Press, Switch, Upload

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes


def _says(words: str) -> Appears:
    return Appears(target=Target(kind="texts", name=words))


def _field(name: str) -> Target:
    return Target(kind="fields", name=name)


Case = tuple[str, list[Act], list[Assertion]]


def _holds(page: str, name: str, value: str) -> Case:
    """A field is given a value and holds it then."""
    return page, [Fill(target=_field(name), value=value)], [HasValue(target=_field(name), value=value)]


def _taken(page: str, name: str, option: str, words: str, kind: str = "") -> Case:
    """An option is chosen, and the page says so."""
    return page, [Choose(target=Target(kind=kind, name=name), option=option)], [_says(words)]


SIZE = Target(kind="choices", name="Size")
PHOTO = _field("Photo")
CASES: dict[str, Case] = {
    "native select": _holds("native", "Country", "France"),
    "native date": _holds("native", "Arrival", "2024-03-15"),
    "native time": _holds("native", "At", "10:30"),
    "native slider": _holds("native", "Volume", "35"),
    "native colour": _holds("native", "Ink", "#3366cc"),
    "native file": ("native", [Upload(target=PHOTO, files=("leaf.png",))], [HasValue(target=PHOTO, value="leaf.png")]),
    "datalist": _holds("native", "City", "Bonn"),
    "rich editor": _holds("native", "Bio", "Grows ferns"),
    "native radio": ("native", [Choose(target=SIZE, option="Large")], [Chosen(target=SIZE, option="Large")]),
    "Radix select": _taken("radix", "Fruit", "Banana", "fruit Banana"),
    "shadcn date picker": _taken("radix", "Pick a date", "2024-03-15", "due 2024-3-15"),
    "Radix slider": ("radix", [Fill(target=_field("Price"), value="34")], [_says("price 34")]),
    "Radix switch": ("radix", [Switch(target=Target(name="Alerts"))], [IsOn(target=Target(kind="toggles", name="Alerts"))]),
    "Radix menu": _taken("radix", "Actions", "Share", "menu Share"),
    "Headless UI combobox that holds another value": (
        "headless",
        [Choose(target=Target(name="Assignee"), option=name) for name in ("Grace Hopper", "Ada Lovelace")],
        [_says("assignee Ada Lovelace")],
    ),
    "Headless UI combobox": _taken("headless", "Assignee", "Grace Hopper", "assignee Grace Hopper"),
    "Headless UI listbox": _taken("headless", "Role", "Owner", "role Owner", "buttons"),
    "Headless UI radio group": ("headless", [Press(target=Target(name="Business"))], [_says("plan Business")]),
    "MUI select": _taken("mui", "Age", "Twenty", "age Twenty"),
    "MUI autocomplete": ("mui", [Fill(target=_field("Movie"), value="Alien")], [_says("movie Alien")]),
    "MUI slider": ("mui", [Fill(target=_field("Volume"), value="80")], [_says("volume 80")]),
    "Ant select": _taken("ant", "Owner", "Owner 3", "owner Owner 3"),
    "Ant select, far down its list": _taken("ant", "Owner", "Owner 31", "owner Owner 31"),
    "Ant date picker": ("ant", [Fill(target=_field("Starts"), value="2025-02-08")], [_says("starts 2025-02-08")]),
    "Ant rate": _taken("ant", "Rating", "4 star", "rating 4", "choices"),
    "whatever is free": _taken("radix", "Fruit", "", "fruit Apple"),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_picker_takes_what_it_is_given(tries: Tries, name: str) -> None:
    """By its name and the option's words; the page itself says so then."""
    page, acts, asserts = CASES[name]
    record = await tries(f"pickers/{page}", acts, asserts)
    assert record.result == "held", record.words()


async def test_an_option_that_is_not_offered_stops_the_trial(tries: Tries) -> None:
    """With what is offered instead, and the list closed again."""
    record = await tries("pickers/radix", [Choose(target=Target(name="Fruit"), option="Durian")], [_says("fruit Durian")])
    assert record.result == "stopped"
    assert record.stopped is not None
    assert (record.stopped.why, record.stopped.act) == ("no such option", 0)
    assert "Apple, Banana, Cherry" in record.stopped.words
    assert not record.acts[-1].after.layers
