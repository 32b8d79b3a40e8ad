"""What was entered: refused or taken, and how often it is listed, where the page says something else beside it."""

from __future__ import annotations

import pytest

from tests.unit.deciders.scenes import part, text, todo
from tools.page import assertions as a
from tools.page.assertions import Scene, Target
from tools.page.parts import Error, Field

NAME = Target(kind="fields", name="New task")
REFUSED = a.Refused(fields=(NAME,), values=("Cedar 3",))
WANTED = {"errors": [part(Error, "", text="Please fill out this field.", by="field")]}


def filled(value: str) -> dict[str, object]:
    """A form that holds this."""
    return {"fields": [part(Field, "New task", kind="text", role="textbox", required=True, value=value)]}


@pytest.mark.parametrize(
    ("tasks", "more", "result"),
    [
        ((), filled("") | WANTED, "held"),  # emptied with a complaint
        ((), filled("Cedar 3"), "held"),
        (("Cedar 3",), filled("") | WANTED, "violated"),  # taken, and the next entry is asked for
        (("Cedar 3",), {"fields": []} | WANTED, "violated"),
        (("Cedar 3",), filled("Cedar 3") | WANTED, "held"),  # a preview lists what is being typed
        (("Birch",), filled("") | WANTED, "held"),  # another list changed meanwhile
    ],
)
def test_what_is_listed_was_not_refused_whatever_an_emptied_form_asks_for(
    tasks: tuple[str, ...], more: dict[str, object], result: str
) -> None:
    """The browser calls an emptied field that is required invalid, also after it was sent and taken."""
    assert REFUSED.evaluate(Scene(before=todo(**filled("")), after=todo(*tasks, **more))).result == result


def test_what_stood_there_before_is_no_sign_that_it_was_taken() -> None:
    """Only a new item that shows new words is."""
    before, after = todo("Cedar 3", **filled("")), todo("Cedar 3", "Oak", **filled(""), **WANTED)
    assert REFUSED.evaluate(Scene(before=before, after=after)).result == "held"


@pytest.mark.parametrize(
    ("count", "words", "result"), [(1, "$0k", "cannot tell"), (0, "$0k", "held"), (1, "$9k", "held"), (1, "Cedar", "held")]
)
def test_what_stands_outside_of_lists_is_not_told_by_them(count: int, words: str, result: str) -> None:
    """A chart's labels are no items: that no list shows them says nothing of how often the page does."""
    after = todo("Cedar 3", texts=[text("$0k $0k")])
    assert a.ListedAtMost(texts=(words,), count=count).evaluate(Scene(before=todo(), after=after)).result == result
