"""Buttons that give room for one more of what is filled in, and fields that hold a number whatever they are called."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import choices, keyboard
from agent.skills.controls import forms
from agent.skills.forms import propose as propose_forms
from agent.skills.values import value_for, wants_number
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, stepped, tell
from tools.browser.actions import Press, Select, Target, Type
from tools.browser.marks import Listing, Observation

EMPLOYER = mark("Employer", "input", at=(100, 100))
MORE = mark("+ Add another job", at=(100, 180))


@pytest.mark.parametrize(
    ("last", "button"), [("Continue", "Continue"), ("Save profile", "Save profile"), ("Help", "+ Add another job")]
)
def test_one_more_takes_nothing_in_where_another_button_does(last: str, button: str) -> None:
    """`+ Add another job` above a step's own button is not what the step is sent by; alone it is all there is."""
    found = forms(page(EMPLOYER, MORE, mark(last, at=(300, 240))).marks)
    assert [form.button.name if form.button else "" for form in found] == [button]


def test_a_list_with_a_button_that_adds_is_sent_by_it() -> None:
    """`Add job` adds what was typed, also where a step's button stands below."""
    found = forms(page(EMPLOYER, mark("Add job", at=(100, 180)), mark("Continue", at=(300, 240))).marks)
    assert [form.button.name if form.button else "" for form in found] == ["Add job"]


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [("Groceries", "420", "631"), ("Groceries", "", None), ("Postcode", "10115", None), ("Groceries", "Oat milk", None)],
)
def test_a_number_is_followed_by_a_number(name: str, value: str, wanted: str | None) -> None:
    """The budget for groceries is no food; a postcode stays one, and an empty field goes by its name."""
    got = value_for(mark(name, "input", at=(100, 100), value=value), page(text="Budget"))
    assert got == wanted if wanted else not got.isdigit() or name == "Postcode"


@pytest.mark.parametrize(
    ("name", "mode", "number"),
    [("Reorder level", "numeric", True), ("Reorder level", "", False), ("Rate", "decimal", True), ("Phone", "numeric", False)],
)
def test_the_keyboard_a_field_asks_for_tells_that_it_takes_numbers(name: str, mode: str, number: bool) -> None:
    """A text field with a number pad gets a number, but for what is written in digits and is no amount."""
    field = mark(name, "input", at=(100, 100), input_mode=mode)
    assert wants_number(field) is number
    assert not number or float(value_for(field, page(text="Stock"))) > 0


def test_two_entries_get_two_codes() -> None:
    """No two items may share a code, so the second one is given another."""
    field = mark("SKU (letters, digits, hyphens)", "input", at=(100, 100))
    assert [value_for(field, page(text="Stock"), turn=turn) for turn in range(2)] == ["AB-4821", "GL-6037"]


def test_what_stands_in_a_list_already_is_no_lost_entry() -> None:
    """Another of the same name may well be one with the first; nothing is said of it. A new one that is missing is told."""
    add = mark("Add", at=(300, 100))
    stands, later = page(add, text="Milk"), page(add, text="Milk", number=1)
    again = tell(on(add), stands, later, "text_appears", text="Milk")
    assert (again.held, again.attempts) == (None, 0)
    assert tell(on(add), stands, later, "text_appears", text="Bread").attempts == 1


def test_figures_that_number_the_steps_need_not_follow_a_choice() -> None:
    """`2 Experience`, `3 The job` above a form's step say where one is, not what was chosen."""
    role = mark("Position", "select", at=(100, 100), options=("baker", "driver"), value="baker")
    chosen = Select(target=Target.of(role), value="driver")
    steps = "2\nExperience\n3\nThe job\n4\nMotivation\n"
    before, after = page(role, text=steps + "Baker"), page(role, text=steps + "Driver", number=1)
    assert not [told for told in stepped(decided(chosen, "figures_follow", key="all"), before, after).outcomes if told.attempts]


BRIEF = "A flashcard trainer. Keyboard: Space shows the answer, U undoes."


@pytest.mark.parametrize(("now", "pressed"), [("Show answer", True), ("Good 1 day", False)])
def test_a_key_is_pressed_where_there_is_something_for_it_to_do(now: str, pressed: bool) -> None:
    """`Space shows the answer`: not once the answer is shown, when the button that does the same is gone."""
    first = page(mark("Show answer", at=(100, 100)), text="Card 1")
    then = page(mark(now, at=(100, 100)), text="Card 1, open", number=1)
    step = did(decided(on(first.marks[0])), first, then)
    found = keyboard.propose(see(*then.marks, brief=BRIEF, steps=(step,), past=(first,), text="Card 1, open"))
    assert any(isinstance(one.decision.action, Press) and one.decision.action.keys == ("Space",) for one in found) is pressed


def test_of_forms_at_many_things_two_are_sent() -> None:
    """A size and `Add to cart` on every card: the third tells nothing new, and time is short."""
    sizes = [mark(f"Size of {name}", "select", at=(100, 100 + 300 * i), options=("S", "M")) for i, name in enumerate("ABC")]
    adds = [mark(f"Add to cart: {name}", at=(100, 160 + 300 * i)) for i, name in enumerate("ABC")]
    marks = [one for pair in zip(sizes, adds, strict=True) for one in pair]
    shown = page(*marks, text="Bikes")
    every = propose_forms(see(*marks, text="Bikes"))
    assert len(every) == 3
    sent = [
        did(decided(on(add), skill=f'submit form "Size of {name}"'), shown, shown) for add, name in zip(adds, "AB", strict=False)
    ]
    assert all("Size of C" not in one.decision.skill for one in propose_forms(see(*marks, steps=tuple(sent), text="Bikes")))


@pytest.mark.parametrize(("button", "values", "filled"), [("Save", 2, 2), ("Calculate", 5, 5), ("Save", 0, 5)])
def test_of_many_settings_a_few_are_changed(button: str, values: int, filled: int) -> None:
    """What holds values everywhere and is saved; a calculation wants all of them, and so do empty fields."""
    names = ("Housing", "Food", "Trips", "Fun", "Care")
    fields = [
        mark(name, "input", at=(100, 100 + 50 * i), value="12" if values or button != "Save" else "")
        for i, name in enumerate(names)
    ]
    steps, send = list[Step](), mark(button, at=(100, 360))
    for _ in range(len(names) + 1):
        shown = page(*fields, send, number=len(steps))
        found = propose_forms(see(*fields, send, steps=tuple(steps), past=(shown,)))
        best = max(found, key=lambda one: one.priority).decision
        if not isinstance(best.action, Type) or best.action.target is None:
            break
        place = next(i for i, one in enumerate(fields) if one.selector == best.action.target.selector)
        fields[place] = fields[place].model_copy(update={"value": best.action.text})
        steps.append(did(best, shown, page(*fields, send, number=len(steps) + 1), *steps))
    assert len(steps) == filled


@pytest.mark.parametrize("from_the_start", [False, True])
def test_of_entries_spread_over_lists_three_are_ticked(from_the_start: bool) -> None:
    """What a press put on a shopping list, shelf by shelf; what was there from the start is tried as before."""
    boxes = [
        mark(
            f"{name} 2",
            "input",
            input_type="checkbox",
            role="checkbox",
            checked=False,
            at=(100, 100 + 40 * i),
            selector=f"#s{i} > li:nth-of-type(1) > input",
        )
        for i, name in enumerate(("Leek", "Milk", "Rice", "Salt"))
    ]
    lists = tuple(
        Listing(selector=f"#s{i}", columns=("", "", ""), items=(("☐", box.name.split()[0], "2"),), count=1)
        for i, box in enumerate(boxes)
    )
    first = page(*(boxes if from_the_start else ()), MORE_OF_IT, lists=lists if from_the_start else ())
    shown = page(*boxes, MORE_OF_IT, lists=lists, number=1)
    steps = [did(decided(on(MORE_OF_IT), skill="press a button"), first, shown)]
    for box in boxes[:3]:
        steps.append(did(decided(on(box), skill="tick a box"), shown, shown, *steps))
    survey = see(*boxes, MORE_OF_IT, lists=lists, steps=tuple(steps), past=(first, shown))
    assert ("Salt 2" in [name for one in choices.propose(survey) for name in aims([one])]) is from_the_start


def _stock(units: int, quantity: int, *, whole: bool = True, number: int = 0) -> Observation:
    rows = (("Screws", str(quantity)), ("Tape", "15"), ("Blades", "4"))
    listing = Listing(selector="#t", columns=("Item", "Quantity"), items=rows, count=3 if whole else 30)
    shown = f"Units in stock\n{units}\n" + "".join(f"{name} {count}\n" for name, count in rows)
    return page(MORE_OF_IT, text=shown, lists=(listing,), number=number)


MORE_OF_IT = mark("One more of Screws", at=(100, 100))


@pytest.mark.parametrize(("units", "whole", "held"), [(28, True, False), (29, True, None), (28, False, None), (12, True, None)])
def test_what_a_column_adds_up_to_follows_the_column(units: int, whole: bool, held: bool | None) -> None:
    """28 in stock are 9, 15 and 4; with 10 of the first they are 29. Nothing is said where more rows may be elsewhere."""
    before = _stock(28 if units != 12 else 12, 9, whole=whole)
    after, act = _stock(units, 10, whole=whole, number=1), decided(on(MORE_OF_IT), "column_total", key="column total")
    first = stepped(act, before, after)
    told = [outcome.held for outcome in stepped(act, before, after, (first,)).outcomes if outcome.attempts]
    assert (told == [False]) is (held is False)


@pytest.mark.parametrize(("beside", "button"), [("减少一人", None), ("清空", "增加一人")])
def test_a_stepper_sends_nothing_off(beside: str, button: str | None) -> None:
    """`增加` adds an entry, but beside its counterpart it makes the number in the field larger."""
    field = mark("用餐人数", "input", at=(100, 100), size=(60, 32), value="2")
    found = forms(page(field, mark("增加一人", at=(170, 100)), mark(beside, at=(300, 100))).marks)
    assert [form.button.name if form.button else None for form in found] == [button]
