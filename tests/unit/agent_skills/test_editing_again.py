"""Find and replace, formats that outlast a reload, and words that something is under way."""

from __future__ import annotations

import pytest

from agent.skills import replacing
from agent.skills.checks.busy import under_way
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell
from tools.browser.actions import Reload, Target, Type
from tools.browser.marks import Mark, Observation

TEXT = "Bread and butter, Bread and tea"


def editor(text: str, *formats: str) -> Mark:
    """A field of formatted text."""
    evidence = ("contenteditable", *(f"has {one}" for one in formats))
    return mark("Text", "div", at=(100, 200), size=(700, 300), role="textbox", value=text, evidence=evidence)


FIND = mark("Find", "input", at=(100, 40))
PUT = mark("Replace with", "input", at=(300, 40))
ALL = mark("Replace all", at=(500, 40))


def test_all_of_a_word_is_replaced() -> None:
    """What to find, what to put there, the button; a word that is left beside another that was replaced is told."""
    (found,) = replacing.propose(see(FIND, PUT, ALL, editor(TEXT)))
    assert (aims([found]), getattr(found.decision.action, "text", "")) == (["Find"], "Bread")
    held = FIND.model_copy(update={"value": "Bread"})
    typed = did(
        decided(Type(target=Target.of(FIND), text="Bread"), skill=replacing.FIND), page(FIND, PUT), page(held, PUT, number=1)
    )
    (put,) = replacing.propose(see(held, PUT, ALL, editor(TEXT), steps=(typed,)))
    assert aims([put]) == ["Replace with"]
    full = PUT.model_copy(update={"value": replacing.WORD_FOR_IT})
    (press,) = replacing.propose(see(held, full, ALL, editor(TEXT), steps=(typed,)))
    wish = next(one for one in press.decision.expectations if one.oracle == "all_replaced")
    before = page(held, full, ALL, editor("Bread and butter, Bread and tea"))
    one_left = page(held, full, ALL, editor("Bread and butter, violet and tea"), number=1)
    none_left = page(held, full, ALL, editor("violet and butter, violet and tea"), number=1)
    assert tell(on(ALL), before, one_left, "all_replaced", **wish.params).symptom == "wrong_result"
    assert tell(on(ALL), before, none_left, "all_replaced", **wish.params).held is True


@pytest.mark.parametrize(
    ("after", "held"),
    [(editor(TEXT, "bold", "listed"), [True]), (editor(TEXT, "listed"), [False]), (editor("Something else"), [])],
)
def test_formats_outlast_a_reload(after: Mark, held: list[bool]) -> None:
    """The words alone are not all that was written."""
    step = did(decided(Reload(), "formats_stay"), page(editor(TEXT, "bold", "listed")), page(after, number=1))
    assert [one.held for one in step.outcomes] == held


def looks(*lines: str, every_ms: float = 3000.0) -> list[Observation]:
    """Looks at a page's status, one after another."""
    return [page(text=f"Notes\n{line}", number=number, app_ms=number * every_ms) for number, line in enumerate(lines)]


def test_what_is_under_way_for_ever_is_told() -> None:
    """After six seconds and three looks; one that came just now, and one that went in between, are not."""
    assert under_way(looks("Ready", "Saving …", "Saving …", "Saving …")) == ("saving …", 3000.0)
    assert under_way(looks("Saving …", "Saved", "Saving …")) is None
    assert under_way(looks("Saving …", "Saving …", "Saving …", every_ms=500.0)) is None
    assert under_way(looks(*["Saving your work is easy"] * 4)) is None
    assert under_way(looks(*["Processing"] * 4)) is None
    assert under_way(looks(*["保存中"] * 4)) is not None
    before, after = looks("Saving …", "Saving …")
    wish = {"line": "saving …", "since_ms": -6000.0}
    assert tell(on(ALL), before, after, "busy_ends", **wish).symptom == "state_not_updated"
    assert tell(on(ALL), before, page(text="Notes\nSaved", number=2), "busy_ends", **wish).held is True
