"""Skills: what each proposes on a page made for it, and what it leaves alone."""

from __future__ import annotations

import pytest

from agent.deciders.curious import rank
from agent.deciders.protocol import Step, View
from agent.skills import (
    buttons,
    choices,
    forms,
    layers,
    lists,
    navigation,
    persistence,
    recovery,
    wandering,
)
from agent.skills.controls import Kind, kind_of
from agent.skills.controls import forms as forms_of
from agent.skills.survey import Survey
from agent.skills.values import range_value, search_word, value_for
from tests.unit.agent_skills.scenes import SITE, acts, aims, decided, did, mark, page, see, view
from tools.browser.actions import Click, GoBack, Press, Reload, Select, SetValue, Target, Type, Wait
from tools.browser.marks import Mark, Observation

TASK = mark("New task", "input", input_type="text", at=(100, 60), size=(300, 32))
ADD = mark("Add", at=(410, 60))


CANVAS = mark("", "canvas", size=(480, 480))


# ---- forms and values ---------------------------------------------------------------------------------------------------


def test_fields_belong_to_the_button_that_follows_them() -> None:
    """Two forms one above the other are two; a gap begins a new one; a search field is none."""
    name, mail = mark("Name", "input", at=(100, 100)), mark("E-mail", "input", at=(100, 150))
    send, find = mark("Send", at=(100, 200)), mark("Search", "input", role="searchbox", at=(100, 20))
    lower, button = mark("New task", "input", at=(100, 700)), mark("Add", at=(410, 700))
    found = forms_of((find, name, mail, send, lower, button))
    assert [[one.name for one in form.fields] for form in found] == [["Name", "E-mail"], ["New task"]]
    assert [form.button.name if form.button else "" for form in found] == ["Send", "Add"]


def test_a_list_field_is_filled_then_added_then_once_more_by_enter() -> None:
    """Type, press the button, and the second entry goes in with Enter."""
    brief = "A to-do list where users can add tasks"
    empty, full = page(TASK, ADD, text="list"), page(TASK.model_copy(update={"value": "Buy oat milk"}), ADD, text="list")
    first = forms.propose(see(TASK, ADD, brief=brief))
    assert isinstance(acts(first)[0], Type)
    typed = did(first[0].decision, empty, full)
    second = forms.propose(see(*full.marks, brief=brief, steps=(typed,), past=(empty,)))
    assert aims(second) == ["Add"]
    done = page(TASK, ADD, text="list\nBuy oat milk")
    added = did(second[0].decision, full, done, typed)
    assert added.outcomes[0].held is True
    third = acts(forms.propose(see(TASK, ADD, brief=brief, steps=(typed, added), past=(empty, full), text="list\nBuy oat milk")))[
        0
    ]
    assert isinstance(third, Type)
    assert third.submit
    assert third.text != "Buy oat milk"


def test_required_fields_are_submitted_empty_once_and_first() -> None:
    """A form of several fields with required ones shows whether it objects before it is filled."""
    name, mail, send = mark("Name *", "input"), mark("E-mail", "input", required=True, at=(100, 150)), mark("Send", at=(100, 200))
    first = forms.propose(see(name, mail, send))
    assert (aims(first), first[0].decision.expectations[0].oracle) == (["Send"], "validation_shown")
    step = did(first[0].decision, page(name, mail, send), page(name, mail, send, text="Please enter your name"))
    assert isinstance(acts(forms.propose(see(name, mail, send, steps=(step,))))[0], Type)


def test_a_form_without_required_fields_is_not_submitted_empty() -> None:
    """Nobody said that it has to object."""
    found = forms.propose(see(mark("Name", "input"), mark("Town", "input", at=(100, 150)), mark("Send", at=(100, 200))))
    assert all(isinstance(act, Type) for act in acts(found))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (mark("Your e-mail", "input"), "anna@example.com"),
        (mark("Phone number", "input"), "+1 202 555 0143"),
        (mark("邮箱", "input"), "xiaoming@example.com"),
        (mark("姓名", "input"), "王小明"),
        (mark("Full name", "input"), "Anna Keller"),
        (mark("Website", "input", input_type="url"), "https://example.com"),
        (mark("Age", "input", input_type="number"), "34"),
        (mark("Quantity", "input", input_type="number", minimum="1", maximum="3"), "2.2"),
        (mark("Guests", "input", input_type="number", minimum="1", maximum="3", step="1"), "2"),
        (mark("Date of birth", "input", input_type="date"), "1990-05-17"),
        (mark("Due", "input", input_type="date", maximum="2026-01-01"), "2026-01-01"),
        (mark("Start", "input", input_type="time"), "09:30"),
        (mark("PIN", "input", pattern="[0-9]{4}"), "4213"),
        (mark("Size", "select", role="combobox", options=("", "S", "M", "L"), value="S"), "L"),
        (mark("Colour", "input", input_type="color", value="#2a7f62"), "#c2452d"),
    ],
    ids=lambda given: given.name if isinstance(given, Mark) else None,
)
def test_fields_get_plausible_values(field: Mark, value: str) -> None:
    """By label, type, bounds and language."""
    assert value_for(field, page(field, text="你好，这里是中文页面" if not field.name.isascii() else "Hello there")) == value


def test_a_slider_is_set_near_both_ends_on_its_step() -> None:
    """Large first, then small, never to the value it has."""
    slider = mark("Size", "input", role="slider", input_type="range", minimum="10", maximum="50", step="5", value="45")
    assert (range_value(slider, high=True), range_value(slider, high=False)) == ("40", "15")


def test_a_search_word_is_one_that_few_of_the_things_hold() -> None:
    """Of repeated things one, and not what all share; nothing to look for gives no word."""
    field = mark("Search", "input", role="searchbox")
    cards = tuple(
        mark(f"{name} recipe", "div", group="cards", selector=f"#{name}", signature=name)
        for name in ("Apple", "Pumpkin", "Lentil", "Carrot")
    )
    assert search_word(page(field, *cards), field) == "Pumpkin"
    assert search_word(page(field, text="Search"), field) == ""


# ---- lists --------------------------------------------------------------------------------------------------------------


def listed() -> tuple[tuple[Step, ...], tuple[Observation, ...], tuple[Mark, ...], str]:
    """A list to which an entry was just added: steps, past, the marks now, the text now."""
    full = TASK.model_copy(update={"value": "tea"})
    box = mark("Complete tea", "input", role="checkbox", input_type="checkbox", checked=False, at=(100, 140), size=(16, 16))
    remove = mark("Delete", at=(410, 136), group="rows", context="tea")
    pages = (page(TASK, ADD, number=1), page(full, ADD, number=2))
    now = (TASK, ADD, box, remove)
    typed = did(decided(Type(target=Target.of(TASK), text="tea"), "value_kept", value="tea"), pages[0], pages[1])
    added = did(
        decided(Click(target=Target.of(ADD)), "text_appears", text="tea"), pages[1], page(*now, text="tea", number=3), typed
    )
    return (typed, added), pages, now, "tea"


def test_an_added_entry_is_checked_off_and_then_deleted() -> None:
    """Checking off comes before deleting, and each answers its promise."""
    steps, past, marks, text = listed()
    survey = see(*marks, brief="A list to add, complete and delete tasks", steps=steps, past=past, text=text)
    found = lists.propose(survey)
    assert aims(found) == ["Complete tea", "Delete"]
    assert [one.decision.expectations[0].oracle for one in found] == ["toggles", "text_disappears"]
    assert found[1].decision.expectations[0].params["text"] == "tea"


def test_nothing_is_proposed_for_entries_nobody_added() -> None:
    """Rows that were there from the start are the buttons' business."""
    assert lists.propose(see(mark("Delete", group="rows"), text="tea")) == []


def test_a_reload_waits_for_an_entry_and_a_reason() -> None:
    """Promised: before the destructive things, at once when steps run out; nothing added or nothing suggested: not at all."""
    steps, past, marks, text = listed()
    brief = "A list to add tasks. Tasks survive a reload."
    calm = persistence.propose(see(*marks, brief=brief, steps=steps, past=past, text=text))
    assert isinstance(acts(calm)[0], Reload)
    assert calm[0].priority > buttons.LATE
    assert persistence.propose(see(*marks, brief=brief, steps=steps, past=past, text=text, steps_left=3))[0].priority > 90
    assert persistence.propose(see(*marks, brief=brief)) == []
    assert persistence.propose(see(*marks, brief="A list to add tasks", steps=steps, past=past, text=text)) == []


# ---- buttons, choices, links --------------------------------------------------------------------------------------------


def test_core_comes_first_and_destruction_last() -> None:
    """What the brief names beats what it does not; clearing waits."""
    found = buttons.propose(
        see(
            mark("Clear all"), mark("About", at=(300, 100)), mark("Shuffle cards", at=(500, 100)), brief="An app to shuffle cards"
        )
    )
    assert aims(found) == ["Shuffle cards", "About", "Clear all"]


def test_three_of_twenty_are_enough() -> None:
    """Repeated items are sampled; small groups are tried whole."""
    cards = tuple(mark("Open", at=(100, 40.0 * n), group="cards", selector=f"#c{n}", signature=f"c{n}") for n in range(20))
    before = page(*cards)
    steps: list[Step] = []
    for card in cards[:3]:
        steps.append(did(decided(Click(target=Target.of(card))), before, before, *steps))
    assert len(buttons.propose(see(*cards, steps=tuple(steps[:2])))) == 18
    assert buttons.propose(see(*cards, steps=tuple(steps))) == []
    assert len(buttons.propose(see(*cards[:4], steps=tuple(steps)))) == 1


def test_plus_and_minus_side_by_side_step_a_number() -> None:
    """A pair is expected to count; a lone plus, or the keys of a calculator, are not."""
    pair = buttons.propose(see(mark("+"), mark("−", at=(300, 100))))
    assert {one.decision.expectations[0].params.get("direction") for one in pair} == {"up", "down"}
    lone = buttons.propose(see(mark("+")))
    assert lone[0].decision.expectations[0].oracle == "responds"


def test_disabled_and_covered_things_are_left_alone() -> None:
    """A person could not press them."""
    assert buttons.propose(see(mark("Save", disabled=True), mark("Open", covered=True))) == []


def test_what_an_action_revealed_comes_before_what_was_there() -> None:
    """Depth before breadth: a menu's entries beat the buttons around it."""
    menu, other, entry = mark("Menu"), mark("About", at=(300, 100)), mark("Archive", at=(100, 200))
    first = page(menu, other, number=1)
    opened = did(decided(Click(target=Target.of(menu))), first, page(menu, other, entry, number=2))
    assert aims(buttons.propose(see(menu, other, entry, steps=(opened,), past=(first,))))[0] == "Archive"


def test_every_kind_of_choice_gets_its_act() -> None:
    """Boxes are clicked, selects chosen, sliders and colours set."""
    found = choices.propose(
        see(
            mark("Sound", "input", role="checkbox", input_type="checkbox", checked=False),
            mark("Red", "input", role="radio", input_type="radio", checked=False, at=(100, 140)),
            mark("Blue", "input", role="radio", input_type="radio", checked=True, at=(100, 180)),
            mark("Unit", "select", role="combobox", options=("m", "km"), value="m", at=(100, 220)),
            mark("Speed", "input", role="slider", input_type="range", at=(100, 260)),
            mark("Ink", "input", role="button", input_type="color", at=(100, 300)),
        )
    )
    kinds = {name: type(act) for name, act in zip(aims(found), acts(found), strict=True)}
    assert kinds == {"Sound": Click, "Red": Click, "Unit": Select, "Speed": SetValue, "Ink": SetValue}


@pytest.mark.parametrize(
    ("link", "followed"),
    [
        (mark("About", "a", href=f"{SITE}about.html"), True),
        (mark("Rooms", "a", href=f"{SITE}#rooms"), True),
        (mark("Elsewhere", "a", href="https://example.com/"), False),
        (mark("Mail", "a", href="mailto:a@example.com"), False),
        (mark("Brochure", "a", href=f"{SITE}brochure.pdf"), False),
        (mark("Skip to content", "a", href=f"{SITE}#main"), False),
    ],
    ids=lambda given: given.name if isinstance(given, Mark) else str(given),
)
def test_only_links_of_the_site_are_followed(link: Mark, followed: bool) -> None:
    """Other sites, programs and files are noted, not followed."""
    assert bool(navigation.propose(see(link))) is followed


def test_one_comes_back_from_another_page_and_soon() -> None:
    """After a link to another document the way back is proposed, with growing weight; an app's own view needs none."""
    link = mark("About", "a", href=f"{SITE}about.html")
    home, away = page(link, number=1), page(text="about", url=f"{SITE}about.html", number=2)
    gone = did(decided(Click(target=Target.of(link)), "navigates", skill="follow a link"), home, away)
    found = navigation.propose(see(steps=(gone,), past=(home,), url=away.url, text="about"))
    assert isinstance(acts(found)[0], GoBack)
    hashed = did(
        decided(Click(target=Target.of(link)), "navigates", skill="follow a link"),
        home,
        page(link, url=f"{SITE}#about", number=2),
    )
    assert not any(
        isinstance(act, GoBack) for act in acts(navigation.propose(see(link, steps=(hashed,), past=(home,), url=f"{SITE}#about")))
    )


def test_an_open_dialog_is_worked_in_and_then_closed() -> None:
    """What is in it first, then its own button, then Escape."""
    under = tuple(mark(f"Item {n}", covered=True, at=(100, 40.0 * n)) for n in range(4))
    inside, close = mark("Accept all", at=(500, 300)), mark("Close", at=(600, 300))
    bare = page(*(one.model_copy(update={"covered": False}) for one in under), number=1)
    opened = did(decided(Click(target=Target.of(under[0]))), bare, page(*under, inside, close, number=2))
    survey = see(*under, inside, close, steps=(opened,), past=(bare,))
    assert survey.layered
    assert aims(list(rank(survey)))[:1] == ["Accept all"]
    assert layers.propose(survey)[0].priority < 50
    assert acts(layers.propose(see(*under, steps=(opened,), past=(bare,)))) == [Press(keys=("Escape",))]
    assert layers.propose(see(*bare.marks)) == []


# ---- getting back on track ----------------------------------------------------------------------------------------------


def test_a_silent_control_gets_a_second_attempt_in_another_way() -> None:
    """Another point of a button, a double click for a row; none for what has answered."""
    button = mark("Learn more")
    still = page(button, number=1)
    silent = did(decided(Click(target=Target.of(button))), still, still)
    act = acts(recovery.propose(see(button, steps=(silent,))))[0]
    assert isinstance(act, Click)
    assert (act.target.dx, act.target.dy) != (0.0, 0.0)
    live = did(decided(Click(target=Target.of(button))), still, page(button, text="more"))
    assert recovery.propose(see(button, steps=(live,))) == []


def test_second_attempts_wait_while_nothing_reacts() -> None:
    """After three identical observations the strategy changes: other things first."""
    many = tuple(mark(f"Thing {n}", at=(100, 40.0 * n)) for n in range(6))
    still = page(*many)
    steps: list[Step] = []
    for one in many[:3]:
        steps.append(did(decided(Click(target=Target.of(one)), skill="press a button"), still, still, *steps))
    assert max(one.priority for one in recovery.propose(see(*many, steps=tuple(steps)))) < 40
    assert max(one.priority for one in recovery.propose(see(*many, steps=tuple(steps[1:2])))) > 80


def test_one_returns_to_the_site_before_anything_else() -> None:
    """Back in history first, then by address; a garbled page is reloaded."""
    away = see(mark("Buy"), url="http://127.0.0.1:5000/")
    assert isinstance(acts(list(rank(away)))[0], GoBack)
    left = page(ADD, text="x", number=1)
    step = did(decided(Click(target=Target.of(ADD))), left, page(number=2))
    assert isinstance(acts(list(rank(see(steps=(step,), past=(left,)))))[0], Reload)


def test_a_page_without_marks_gets_time_and_keys_and_no_more() -> None:
    """Waiting once, two keys, then nothing is left."""
    found = wandering.propose(see(text="Loading"))
    assert {type(act) for act in acts(found)} == {Wait, Press}


def test_hints_of_a_person_come_first() -> None:
    """What a person who watches names is tried next."""
    found = buttons.propose(
        see(
            ADD,
            mark("Archive", at=(300, 200)),
            mark("Help", at=(300, 300)),
            brief="An app to add notes",
            hints=("try the archive",),
        )
    )
    assert aims(found)[0] == "Archive"


def test_kinds_are_told_from_marks() -> None:
    """Type, tag and role together say what a person would do with a thing."""
    told = {
        Kind.text: mark("a", "textarea"),
        Kind.checkbox: mark("b", "label", role="checkbox", input_type="checkbox"),
        Kind.link: mark("c", "a", href="/x"),
        Kind.button: mark("d", "div", role="button"),
        Kind.tab: mark("e", role="tab"),
        Kind.file: mark("f", "input", input_type="file"),
        Kind.canvas: CANVAS,
        Kind.select: mark("g", "select"),
        Kind.dragged: mark("h", "div", draggable=True),
        Kind.other: mark("i", "div"),
    }
    assert {kind: kind_of(one) for kind, one in told.items()} == {kind: kind for kind in told}


def test_a_view_without_a_past_is_understood() -> None:
    """Steps whose observations are not known any more (a resumed run) neither raise nor make everything look new."""
    steps, _, marks, text = listed()
    resumed = View(
        brief="", plan=view(page()).plan, now=page(*marks, text=text), steps=steps, steps_left=9, seconds_left=9.0, entry_url=SITE
    )
    survey = Survey(resumed)
    assert all(survey.age(one) is None for one in marks)
    assert next(rank(survey))
