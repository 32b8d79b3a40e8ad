"""Filters taken back once they were tried, and nothing held against an app while one of them hides what there is."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import narrowing, searching
from agent.skills.controls import narrows
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell
from tools.browser.actions import Select, Target, Type
from tools.browser.marks import Listing, Mark, Observation

KINDS = ("", "Low", "High")


def kind_filter(value: str, first: str = "All kinds") -> Mark:
    """A select that filters by kind."""
    return mark("Kind", "select", value=value, options=KINDS, option_names=(first, "Low", "High"))


def shelf(filtered: Mark, *names: str, number: int = 0, text: str = "") -> Observation:
    """A list of such names under a filter."""
    rows = tuple((name, "High") for name in names)
    listing = Listing(selector="#list", columns=("", ""), items=rows, count=len(rows))
    return page(filtered, mark("Save"), text="\n".join((*names, text)), lists=(listing,), number=number)


WHOLE, LEFT = ("Rent", "Food", "Train"), ("Rent",)


@pytest.mark.parametrize(
    ("value", "first", "hides"), [("High", "All kinds", True), ("", "All kinds", False), ("High", "", False)]
)
def test_a_select_narrows_once_it_left_its_option_for_all(value: str, first: str, hides: bool) -> None:
    """One whose first option is not for everything merely holds a value."""
    assert narrows(kind_filter(value, first)) is hides


def chosen(before: Observation, after: Observation, value: str):
    """A step that chose an option of the filter."""
    act = Select(target=Target.of(kind_filter("")), value=value)
    return did(decided(act, "value_kept", skill="choose an option", value=value), before, after)


def test_a_filter_is_taken_back_and_all_is_there_again() -> None:
    """Right after its option was tried; the list has to be as long as it was."""
    before, after = shelf(kind_filter(""), *WHOLE), shelf(kind_filter("High"), *LEFT, number=1)
    survey = see(*after.marks, steps=(chosen(before, after, "High"),), past=(before,), lists=after.lists, text=after.text)
    (back,) = narrowing.propose(survey)
    assert isinstance(back.decision.action, Select)
    assert back.decision.action.value == ""
    wish = next(one for one in back.decision.expectations if one.oracle == "restored")
    assert (wish.params["listing"], wish.params["count"]) == ("#list", 3.0)


@pytest.mark.parametrize(("names", "held"), [(WHOLE, True), (LEFT, False), (("Rent", "Food"), None)])
def test_what_a_filter_hid_comes_back(names: tuple[str, ...], held: bool | None) -> None:
    """All of it: held. As narrow as before: wrong. Something between tells nothing."""
    after = shelf(kind_filter(""), *names, number=2)
    act = Select(target=Target.of(kind_filter("High")), value="")
    before = shelf(kind_filter("High"), *LEFT, number=1)
    step = did(decided(act, "restored", listing="#list", count=3.0), before, after)
    assert [one.held for one in step.outcomes] == ([] if held is None else [held])


def test_an_emptied_search_shows_everything_again() -> None:
    """The same is asked of a search field that is emptied."""
    field = mark("Search", "input", role="searchbox", value="Rent")
    before = page(field.model_copy(update={"value": ""}), lists=shelf(kind_filter(""), *WHOLE).lists)
    now = page(field, lists=shelf(kind_filter(""), *LEFT).lists, number=1)
    act = Type(target=Target.of(field), text="Rent")
    step = did(decided(act, "filtered", skill="search", word="Rent", sure=1.0), before, now)
    survey = see(field, steps=(step,), past=(before,), lists=now.lists)
    (emptied,) = searching.propose(survey)
    assert [one.oracle for one in emptied.decision.expectations if one.oracle == "restored"] == ["restored"]


def test_an_entry_that_a_filter_hides_is_not_lost() -> None:
    """A form closes, the entry is of another kind than the filter shows: nothing can be told. Without a filter it is lost."""
    dialog = page(mark("Save"), kind_filter("High"), mark("Title", "input", value="Plans"))
    given = {"values": "Plans", "opened": 1.0}
    hidden = tell(on(mark("Save")), dialog, _closed("High"), "accepted", **given)
    lost = tell(on(mark("Save")), dialog, _closed(""), "accepted", **given)
    assert (hidden.held, lost.held, lost.symptom) == (True, False, "state_not_updated")
    there = tell(on(mark("Save")), page(mark("Save"), text="Plans"), _closed("", "Plans"), "accepted", **given)
    assert there.held is True


def _closed(value: str, text: str = "") -> Observation:
    whole = shelf(kind_filter(value), *WHOLE, number=1, text=text)
    return page(kind_filter(value), lists=whole.lists, text=whole.text, number=1)


def test_a_word_that_no_entry_holds_leaves_none() -> None:
    """Where what was searched for changed nothing, which all entries may hold; told at once, of a list that stays as it was."""
    field = mark("Search", "input", role="searchbox")
    typed = field.model_copy(update={"value": searching.NO_WORD})
    act = Type(target=Target.of(field), text=searching.NO_WORD, submit=True)
    wish = {"word": searching.NO_WORD, "nothing": 1.0}
    before, same = shelf(field, *WHOLE), shelf(typed, *WHOLE, number=1)
    assert tell(act, before, same, "filtered", **wish).symptom == "input_ignored"
    assert tell(act, before, shelf(typed, number=1, text="Nothing found"), "filtered", **wish).held is True
    assert did(decided(act, "filtered", **wish), shelf(field, "Rent"), shelf(typed, "Rent", number=1)).outcomes[0].held is None


def test_a_search_that_told_nothing_is_tried_with_a_word_that_nothing_holds() -> None:
    """Only where the brief has a search; what was narrowed once needs no such proof."""
    field = mark("Search notes", "input", role="searchbox")
    now = shelf(field, "note one", "note two", number=9)
    steps: list[Step] = []
    for skill, text in (("search", "note"), ("search with Enter", "note"), ("empty a search field", "")):
        act = Type(target=Target.of(field), text=text)
        steps.append(did(decided(act, "filtered", skill=skill, word=text), shelf(field, "note one", "note two"), now, *steps))
    for brief, wanted in (("Notes with a search.", True), ("Notes.", False)):
        survey = see(field, brief=brief, steps=tuple(steps), lists=now.lists, text=now.text)
        found = [one for one in searching.propose(survey) if one.decision.skill == searching.NOTHING]
        assert bool(found) is wanted
        assert all(one.decision.expectations[0].params["nothing"] == 1.0 for one in found)
