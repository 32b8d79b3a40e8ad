"""Pickers of native controls and of five libraries, known by the accessibility tree; each is opened, chosen in, and believed."""

from __future__ import annotations

import pytest

from tests.integration.trials.conftest import Tries
from tools.page.assertions import Appears, Assertion, Chosen, HasValue, IsOn, Target
from tools.page.trials import Act, Choose, Fill, Press, Switch, Upload


def _says(words: str) -> Appears:
    return Appears(target=Target(kind="texts", name=words))


def _field(name: str) -> Target:
    return Target(kind="fields", name=name)


NAMED = Target
CASES: dict[str, tuple[str, list[Act], list[Assertion]]] = {
    "native select": ("native", [Choose(target=NAMED(name="Country"), option="France")], [HasValue(target=_field("Country"), value="France")]),
    "native date": ("native", [Fill(target=_field("Arrival"), value="2024-03-15")], [HasValue(target=_field("Arrival"), value="2024-03-15")]),
    "native time": ("native", [Fill(target=_field("At"), value="10:30")], [HasValue(target=_field("At"), value="10:30")]),
    "native slider": ("native", [Fill(target=_field("Volume"), value="35")], [HasValue(target=_field("Volume"), value="35")]),
    "native colour": ("native", [Fill(target=_field("Ink"), value="#3366cc")], [HasValue(target=_field("Ink"), value="#3366cc")]),
    "native file": ("native", [Upload(target=_field("Photo"), files=("leaf.png",))], [HasValue(target=_field("Photo"), value="leaf.png")]),
    "datalist": ("native", [Fill(target=_field("City"), value="Bonn")], [HasValue(target=_field("City"), value="Bonn")]),
    "rich editor": ("native", [Fill(target=_field("Bio"), value="Grows ferns")], [HasValue(target=_field("Bio"), value="Grows ferns")]),
    "native radio": ("native", [Choose(target=Target(kind="choices", name="Size"), option="Large")], [Chosen(target=Target(kind="choices", name="Size"), option="Large")]),
    "Radix select": ("radix", [Choose(target=NAMED(name="Fruit"), option="Banana")], [_says("fruit Banana")]),
    "shadcn date picker": ("radix", [Choose(target=NAMED(name="Pick a date"), option="2024-03-15")], [_says("due 2024-3-15")]),
    "Radix slider": ("radix", [Fill(target=_field("Price"), value="34")], [_says("price 34")]),
    "Radix switch": ("radix", [Switch(target=NAMED(name="Alerts"))], [IsOn(target=Target(kind="toggles", name="Alerts"))]),
    "Radix menu": ("radix", [Choose(target=NAMED(name="Actions"), option="Share")], [_says("menu Share")]),
    "Headless UI combobox": ("headless", [Choose(target=NAMED(name="Assignee"), option="Grace Hopper")], [_says("assignee Grace Hopper")]),
    "Headless UI listbox": ("headless", [Choose(target=Target(kind="buttons", name="Role"), option="Owner")], [_says("role Owner")]),
    "Headless UI radio group": ("headless", [Press(target=NAMED(name="Business"))], [_says("plan Business")]),
    "MUI select": ("mui", [Choose(target=NAMED(name="Age"), option="Twenty")], [_says("age Twenty")]),
    "MUI autocomplete": ("mui", [Fill(target=_field("Movie"), value="Alien")], [_says("movie Alien")]),
    "MUI slider": ("mui", [Fill(target=_field("Volume"), value="80")], [_says("volume 80")]),
    "Ant select": ("ant", [Choose(target=NAMED(name="Owner"), option="Owner 3")], [_says("owner Owner 3")]),
    "Ant select, far down its list": ("ant", [Choose(target=NAMED(name="Owner"), option="Owner 31")], [_says("owner Owner 31")]),
    "Ant date picker": ("ant", [Fill(target=_field("Starts"), value="2025-02-08")], [_says("starts 2025-02-08")]),
    "Ant rate": ("ant", [Choose(target=Target(kind="choices", name="Rating"), option="4 star")], [_says("rating 4")]),
    "whatever is free": ("radix", [Choose(target=NAMED(name="Fruit"), option="", how="open")], [_says("fruit Apple")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_a_picker_takes_what_it_is_given(tries: Tries, name: str) -> None:
    """By its name and the option's words; the page itself says so then."""
    page, acts, asserts = CASES[name]
    record = await tries(f"pickers/{page}", acts, asserts)
    assert record.result == "held", record.words()


async def test_an_option_that_is_not_offered_stops_the_trial(tries: Tries) -> None:
    """With what is offered instead, and the list closed again."""
    record = await tries("pickers/radix", [Choose(target=NAMED(name="Fruit"), option="Durian")], [_says("fruit Durian")])
    assert record.result == "stopped"
    assert record.stopped is not None
    assert (record.stopped.why, record.stopped.act) == ("no such option", 0)
    assert "Apple, Banana, Cherry" in record.stopped.words
    assert not record.acts[-1].after.layers
