"""Assertions and names of whoever did not see the page: several parts of one name, words elsewhere, a feature that is nowhere."""

from __future__ import annotations

import pytest

from agent.trials.naming import first_of_name, instead, topmost
from tests.unit.deciders.scenes import dialog, part, text, todo
from tools.evidence.rows import Box
from tools.page import assertions as a
from tools.page.assertions import Scene, Target
from tools.page.changes import Witness
from tools.page.model import PageModel
from tools.page.parts import Button, Field, Link

PRESSED = ("buttons", "links", "toggles")


def page(*names: str, **more: object) -> PageModel:
    """A page with such buttons."""
    return todo(buttons=[part(Button, name, (100 * n, 100), key=f"b{n}", role="button") for n, name in enumerate(names)], **more)


def found(one: a.Assertion, after: PageModel, **more: object) -> str:
    """What it finds."""
    return one.evaluate(Scene(after=after, **more)).result  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind", "result"),
    [
        ("Select", "buttons", "held"),  # two bear it
        ("select this quote", "buttons", "held"),
        ("My tasks", "texts", "held"),
        ("My tasks", "buttons", "cannot tell"),  # the words are there, and no button
        ("Revoke", "buttons", "violated"),
        ("Revoke", "texts", "violated"),
    ],
)
def test_what_is_shown_is_found_by_a_piece_of_its_words(name: str, kind: str, result: str) -> None:
    """Whatever was there before; words that another kind of part bears accuse nobody."""
    assert found(a.Shown(target=Target(kind=kind, name=name)), page("Select This Quote", "Select This Quote")) == result


def test_what_must_not_be_there_is_not_mistaken_for_what_came_to_its_place() -> None:
    """A link whose target was found before is looked for by its name, not by its key."""
    first, second = (part(Link, name, key="card", role="link") for name in ("Clean code", "Creativity"))
    absent = a.Shown(target=Target.of(first, todo(links=[first])), yes=False)
    assert found(absent, todo(links=[second])) == "held"
    assert found(absent, todo(links=[first])) == "violated"


def test_what_lies_under_a_layer_is_neither_there_nor_gone() -> None:
    """It may come back."""
    covered = page("Submit").model_copy(update={"buttons": (part(Button, "Submit", role="button", covered=True),)})
    assert found(a.Shown(target=Target(kind="buttons", name="Submit"), yes=False), covered) == "cannot tell"


def test_several_of_a_name_appear() -> None:
    """A name that means two is not a name that means none."""
    appears = a.Appears(target=Target(kind="buttons", name="Select"))
    assert found(appears, page("Select This", "Select This"), before=page("Close")) == "held"
    assert found(appears, page("Close"), before=page("Close")) == "violated"


@pytest.mark.parametrize(
    ("shown", "result"),
    [
        ({"buttons": [part(Button, "Search requests", role="button")]}, "held"),
        ({"fields": [part(Field, "", kind="text", role="textbox", placeholder="Search…")]}, "held"),
        ({"texts": [text("Search")]}, "held"),
        ({"texts": [text("We went in search of a good café for all of us last week")]}, "violated"),
        ({"texts": [text("Researchers")]}, "violated"),
        ({"buttons": [part(Button, "REQ-1 Chairs " + "that are in search of a better place " * 3, role="button")]}, "violated"),
    ],
)
def test_a_feature_is_somewhere_where_something_is_called_so(shown: dict[str, object], result: str) -> None:
    """A control, a hint or a short text of those words, in any view; not a sentence that happens to hold them."""
    nowhere, somewhere = page("Add"), todo(**{"buttons": [], **shown})
    first = a.Somewhere(names=("search", "find requests"))
    assert found(first, nowhere) == "violated"
    assert found(first, somewhere) == result
    assert found(first, nowhere, way=(somewhere,)) == result


def test_of_several_of_one_name_that_on_top_is_meant() -> None:
    """The dialog's own button, not the one beneath that opened it; what has a key, or says in what, means one."""
    sheet, form = dialog("Request", key="sheet"), dialog("Add quote", key="form")
    both = [part(Button, "Add Quote", (100, y), key=key, role="button", layer=key) for y, key in ((100, "sheet"), (300, "form"))]
    now = todo(buttons=both, layers=[sheet, form])
    meant = topmost(Target(kind="buttons", name="Add Quote"), now, PRESSED)
    assert meant is not None
    assert meant.layer == "form"
    assert topmost(Target(kind="buttons", name="Add Quote", within="Request"), now, PRESSED) is None
    assert topmost(Target(kind="buttons", name="Add Quote", key="sheet"), now, PRESSED) is None


def test_who_names_what_is_not_there_is_told_what_is() -> None:
    """Those that bear a piece of the name, called differently; else all of the kind."""
    now = page("Mark as paid", "Mark as sent", "Delete")
    wanted = Target(kind="buttons", name="Mark")
    assert first_of_name(wanted, now, PRESSED) is None
    assert instead(wanted, now, PRESSED) == '; several bear its name: "Mark as paid", "Mark as sent"'
    assert instead(Target(kind="buttons", name="Revoke"), page("Add"), ("buttons",)) == '; there are: "Add"'
    same = first_of_name(Target(name="mark as"), page("Mark as paid", "Mark as paid"), PRESSED)
    assert same is not None


def test_a_page_that_lists_errors_of_programs_may_name_their_values() -> None:
    """Several kinds of exceptions are its subject; a lone word in place of a value is none."""
    sensible = a.Sensible(new=False)
    listed = todo(texts=[text("TypeError: undefined is not a function"), text("SyntaxError: unexpected token")])
    assert found(sensible, listed) == "cannot tell"
    assert found(sensible, todo(texts=[text("Hello undefined")])) == "violated"


@pytest.mark.parametrize(("words", "result"), [("Ladder", "held"), ("Rung", "cannot tell"), ("for", "cannot tell")])
def test_an_item_is_meant_by_the_only_piece_of_words_that_it_has(words: str, result: str) -> None:
    """Whoever writes a trial does not know all that an item says; what two have means none."""
    loses = a.Loses(target=Target(kind="collections", name="Tasks"), item=words)
    assert found(loses, todo("Saw for 2 days"), before=todo("Ladder for 5 days", "Saw for 2 days")) == result


def test_that_a_field_has_the_focus_is_what_a_shortcut_comes_to() -> None:
    """Not what a press comes to: it gives the focus to what was pressed anyway. A ring around a button tells nothing."""
    before, after = (
        todo(fields=[part(Field, "Search", kind="text", role="textbox", focused=focused)]) for focused in (False, True)
    )
    seen = Witness(picture=(Box(x=105, y=105, width=5, height=5),), requests=(), storage=(), sound=False, outside=())
    assert found(a.Noticed(), after, before=before, witness=seen) == "held"
    assert found(a.Noticed(), after, before=after, witness=seen) == "violated"
    used = Target(kind="fields", name="Search")
    assert found(a.Noticed(target=used), after, before=before, witness=seen) == "violated"


@pytest.mark.parametrize(
    ("regions", "result"),
    [
        ((Box(x=105, y=105, width=5, height=5),), "cannot tell"),
        ((Box(x=900, y=700, width=5, height=5),), "violated"),
        (None, "violated"),
    ],
)
def test_what_only_looks_different_may_have_changed(regions: tuple[Box, ...] | None, result: str) -> None:
    """Painted over where it stands: that it shows the same is no proof that nothing became of it."""
    shown = page("Close", "Done")
    changes = a.Changes(target=Target(kind="buttons", name="Done"))
    assert found(changes, shown, before=shown, witness=Witness(picture=regions)) == result


@pytest.mark.parametrize(
    ("other", "result"),
    [("Paint it | after Oak saw", "held"), ("Paint it | after nothing", "violated"), ("Varnish it | after Ladder", "violated")],
    ids=["names it anew", "forgets it", "changes itself"],
)
def test_what_names_an_edited_item_goes_with_it(other: str, result: str) -> None:
    """Another item that says the edited one's name says its new one; whatever else changes in it is its own."""
    edited = a.Replaces(target=Target(kind="collections", name="Tasks"), item="Ladder", texts=("Oak saw",))
    assert found(edited, todo("Oak saw", other), before=todo("Ladder", "Paint it | after Ladder")) == result


@pytest.mark.parametrize(
    ("told", "again", "result"),
    [
        ("The track was saved as Amber Lake", "", "cannot tell"),
        ("The track was saved as Amber Lake", "Amber Lake", "held"),
        ("Amber Lake", "", "violated"),
        ("Amber Lake", "1. Amber Lake", "held"),
    ],
    ids=["a message is gone", "a message, and the thing", "the thing is gone", "the thing is there"],
)
def test_a_message_that_tells_of_a_thing_is_not_the_thing(told: str, again: str, result: str) -> None:
    """It is gone after a reload as it should be."""
    kept = a.Kept(target=Target(kind="texts", name="Amber Lake"))
    after, later = todo(texts=[text(told)]), todo(buttons=[part(Button, again, role="button")] if again else [])
    assert found(kept, after, reloaded=later.model_copy(update={"document": "2"})) == result
