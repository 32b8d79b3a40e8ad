"""What may rightly do nothing: every rule excuses what it is for, and not its neighbour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.case import Case
from agent.skills.quiet import RULES, excuse
from tests.unit.agent_skills.scenes import SITE, decided, mark, page, stepped
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Acted, Changes


def silent(one: Mark, *others: Mark, history: tuple[Step, ...] = (), **more: Any) -> str:
    """The excuse for a click on a mark of a page that changed nothing."""
    seen = page(one, *others, **more)
    return excuse(case(one, seen, history))


def case(one: Mark, seen: Observation, history: tuple[Step, ...] = ()) -> Case:
    """A click without any effect."""
    act = Click(target=Target.of(one))
    acted = Acted(
        step=len(history) + 1, action=act.model_dump(mode="json"), description="click", delivered=True,
        before=seen.id, after=seen.id, changes=Changes(picture=0.0), started_ms=0, ended_ms=1,
    )  # fmt: skip
    return Case(Expectation("responds", "it works"), seen, seen, acted, "a9", history, act)


def worked(one: Mark, *others: Mark) -> Step:
    """An earlier click on a mark that changed the page."""
    return stepped(decided(Click(target=Target.of(one))), page(one, *others, text="a"), page(one, *others, text="b"))


FIELD = mark("Name", "input", input_type="text", at=(100, 60))
FULL = FIELD.model_copy(update={"value": "Anna"})
TABS = tuple(mark(name, role="tab", at=(100 + 130 * place, 40)) for place, name in enumerate(("Rooms", "Meals", "Walks")))
KEYS = tuple(mark(str(digit), at=(100 + 40 * digit, 300), size=(30, 30)) for digit in range(10))
CELLS = tuple(
    mark("", at=(100 + 40 * (n % 3), 100 + 40 * (n // 3)), size=(38, 38), group="b", selector=f"#c{n}", signature=f"c{n}")
    for n in range(9)
)

FILTERS = tuple(mark(name, at=(100 + 130 * place, 40), checked=not place) for place, name in enumerate(("All", "Open")))
CLEAR = mark("Clear", at=(360, 40))
REGION = mark("Region", "select", at=(100, 20), options=("all", "n"), option_names=("All regions", "North"), value="all")
ENTRY = mark("The garden opens at nine and closes at six", at=(100, 200))
LOOKS = mark("Filter cards", "input", role="searchbox", at=(100, 60))

EXCUSED = [
    ("nothing to take back after looking around", silent(mark("Undo"), history=(worked(mark("Rooms")),))),
    ("no filter to clear", silent(CLEAR, *FILTERS, history=(worked(mark("Rooms")),))),
    ("a tool for text without text", silent(mark("Bold"), history=(worked(mark("Rooms")),))),
    ("heading", silent(mark("H1"))),
    (
        "the first entry of a list, called by a sentence",
        silent(ENTRY, ENTRY.model_copy(update={"id": "x", "box": mark("", at=(100, 240)).box})),
    ),
    ("disabled", silent(mark("Save", disabled=True))),
    ("looks clickable", silent(mark("Card", "div", role="clickable", evidence=("cursor",)))),
    ("another site", silent(mark("Docs", "a", href="https://example.com/"))),
    ("mail", silent(mark("Write to us", "a", href="mailto:a@example.com"))),
    ("clipboard", silent(mark("Copy"))),
    ("clipboard, Chinese", silent(mark("复制"))),
    ("download", silent(mark("Export CSV"))),
    ("print", silent(mark("Print"))),
    ("sound", silent(mark("Mute"))),
    ("back end", silent(mark("Sign in"))),
    ("payment", silent(mark("Checkout"))),
    ("page shown already", silent(mark("Home", "a", href=SITE))),
    ("part in view", silent(mark("Top", "a", href=f"{SITE}#top"))),
    ("selected tab", silent(mark("Rooms", role="tab", checked=True))),
    ("first tab", silent(TABS[0], *TABS[1:])),
    ("tab chosen before", silent(TABS[1], TABS[0], TABS[2], history=(worked(TABS[1], TABS[0], TABS[2]),))),
    ("empty search", silent(mark("Search"), mark("Find", "input", role="searchbox"))),
    ("icon beside an empty field", silent(mark("", at=(222, 60)), FIELD)),
    ("empty field", silent(mark("Submit"), FIELD)),
    ("nothing chosen", silent(mark("Next"), mark("A", "input", role="radio", input_type="radio", checked=False))),
    ("nothing to clear", silent(mark("Clear all"))),
    ("filters that hold nothing", silent(mark("Clear filters"), REGION, history=(worked(mark("Rooms")),))),
    ("nothing to undo", silent(mark("Undo"))),
    ("nothing to pause", silent(mark("Pause"))),
    ("first slide", silent(mark("Previous"))),
    ("last slide", silent(mark("Next"), history=(worked(mark("Next")),))),
    ("running already", silent(mark("Start"), moving=0.1)),
    ("chance", silent(mark("Roll the dice, shuffle"))),
    ("sorted already", silent(mark("Sort by name"))),
    ("silent saving", silent(mark("Save"))),
    ("zero on a calculator", silent(KEYS[0], *KEYS[1:])),
    ("cell of a board", silent(CELLS[3], *CELLS[:3], *CELLS[4:])),
    ("footer link", silent(mark("Imprint", "a", href=f"{SITE}#", context="footer"))),
    ("a drawing tool", silent(mark("Red"), mark("", "canvas", size=(800, 500)))),
    ("the first of a row of buttons", silent(mark("Focus"), mark("Short break", at=(300, 100)))),
    ("media", silent(mark("Film", "video", role="video"))),
]
"""What is silent, and the excuse given for it."""

BLAMED = [
    ("a new card beside an empty filter", silent(mark("New card", at=(100, 120)), LOOKS)),
    (
        "clearing a filter that is chosen",
        silent(CLEAR, FILTERS[0], FILTERS[1].model_copy(update={"checked": True}), history=(worked(mark("Rooms")),)),
    ),
    (
        "filters of which one is set",
        silent(mark("Clear filters"), REGION.model_copy(update={"value": "n"}), history=(worked(mark("Rooms")),)),
    ),
    ("a plain button", silent(mark("Learn more"))),
    ("a step on beside a canvas", silent(mark("Next"), mark("", "canvas", size=(800, 500)))),
    ("the second of a row of buttons", silent(mark("Short break", at=(300, 100)), mark("Focus"))),
    ("a call to action", silent(mark("Get started"))),
    ("a link of the site", silent(mark("About", "a", href=f"{SITE}about.html"))),
    ("a link to nowhere in the page", silent(mark("Details", "a", href=f"{SITE}#", context="Our rooms"))),
    ("another tab", silent(TABS[1], TABS[0], TABS[2])),
    ("a filled form's button", silent(mark("Submit"), FULL)),
    ("the first step on", silent(mark("Next"))),
    (
        "a step back after a step on",
        silent(mark("Previous"), mark("Next", at=(400, 100)), history=(worked(mark("Next", at=(400, 100))),)),
    ),
    ("clearing what is there", silent(mark("Clear all"), FULL)),
    ("a pause while a time runs", silent(mark("Pause"), text="24:59")),
    ("starting what stands", silent(mark("Start"))),
    ("a digit of a calculator", silent(KEYS[7], *KEYS[:7], *KEYS[8:])),
    ("a button far from the empty field", silent(mark("Submit", at=(100, 900)), FIELD)),
    ("a cell judged with its board", ""),
]
"""What is silent and has no excuse."""


@pytest.mark.parametrize(("what", "reason"), EXCUSED, ids=[what for what, _ in EXCUSED])
def test_it_is_excused(what: str, reason: str) -> None:
    """The rule gives its reason in words."""
    assert reason, what


@pytest.mark.parametrize(("what", "reason"), BLAMED, ids=[what for what, _ in BLAMED])
def test_it_is_not_excused(what: str, reason: str) -> None:
    """Its neighbours are not excused along with it."""
    assert reason == "", what


def test_every_rule_excuses_something_here() -> None:
    """No rule without a case, and each excuse is worded by exactly one rule."""
    given = {reason for _, reason in EXCUSED}
    assert len(RULES) <= len(given)
    assert all(len(reason) > 15 for reason in given)


def test_a_board_that_is_judged_as_a_whole_has_no_excuse_for_one_cell() -> None:
    """The game skill gives its moves a key of their own: several dead cells are a dead board."""
    seen = page(*CELLS)
    one = case(CELLS[3], seen)
    judged = Case(Expectation("responds", "a move", {"key": "board b"}), seen, seen, one.acted, "a9", (), one.action)
    assert excuse(judged) == ""
    answered = stepped(decided(one.action, key="board b"), page(*CELLS, text="a"), page(*CELLS, text="b"))
    assert excuse(Case(judged.expectation, seen, seen, one.acted, "a9", (answered,), one.action)) != ""
    assert excuse(one) != ""


def test_a_tool_that_was_given_text_is_not_excused() -> None:
    """Bold on chosen text, Undo right after an edit: what the editors skill makes of them is a test."""
    for name, key in (("Bold", "tool Bold"), ("Undo", "undo")):
        one = mark(name)
        seen = page(one)
        told = replace(case(one, seen), expectation=Expectation("responds", "it works", {"key": key}))
        assert excuse(told) == "", name


@pytest.mark.parametrize(("lit", "excused"), [(0, True), (1, True), (2, False)])
def test_a_board_with_nothing_on_needs_no_clearing(lit: int, excused: bool) -> None:
    """Another pattern was chosen, and it is empty; with steps on, Empty has something to do, whatever was done before."""
    empty = mark("Empty", at=(20, 20))
    steps = tuple(
        mark(f"Kick step {number}", at=(100 + 40 * number, 200), group="steps", checked=number < lit) for number in range(16)
    )
    before, same = page(empty, *steps), page(empty, *steps, number=1)
    chosen = stepped(decided(Click(target=Target.of(steps[0])), "responds"), before, same, dom=True)
    press = decided(Click(target=Target.of(empty)), "responds")
    first = stepped(press, before, same, (chosen,))
    told = stepped(press, before, same, (chosen, first)).outcomes[0]
    assert (told.held is None) is excused
