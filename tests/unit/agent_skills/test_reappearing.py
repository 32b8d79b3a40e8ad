"""After a reload that shows another part of the page: nothing is lost before one has gone back to where it stood."""

from __future__ import annotations

from agent.skills import mending, reappearing, values
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell
from tools.browser.actions import Reload

WORDS = mark("Words", role="tab", at=(100, 20))
CARDS = mark("Cards", role="tab", at=(300, 20))
ENGLISH = mark("English", "input", at=(100, 100))
MEANING = mark("Meaning", "input", at=(100, 160))
ASKED = {"text": "apple", "promised": 1.0}


def reloaded() -> tuple[tuple, tuple]:
    """The press that led to the words, what was entered there, and a reload that shows the cards."""
    cards = page(WORDS, CARDS, text="Turn the card")
    words = page(WORDS, CARDS, ENGLISH, MEANING, text="apple", number=1)
    went = did(decided(on(WORDS)), cards, words)
    again = page(WORDS, CARDS, text="Turn the card", number=2)
    reload = did(decided(Reload(), "persists", **ASKED), words, again, went)
    return (went, reload), (cards, words, again)


def test_another_part_after_a_reload_tells_nothing_yet() -> None:
    """Where the fields that were in sight are gone too; with them there still, the entry is lost."""
    _, (cards, words, _) = reloaded()
    assert tell(Reload(), words, cards, "persists", **ASKED).held is None
    without = page(WORDS, CARDS, ENGLISH, MEANING, text="No words yet", number=2)
    assert tell(Reload(), words, without, "persists", **ASKED).symptom == "persistence_lost"


def test_it_goes_back_to_where_the_entry_stood() -> None:
    """By the control that led there, right after the reload and no later."""
    steps, past = reloaded()
    found = reappearing.propose(see(WORDS, CARDS, steps=steps, past=past, text="Turn the card"))
    assert aims(found) == ["Words"]
    told = next(one for one in found[0].decision.expectations if one.oracle == "came_back")
    assert told.params["text"] == "apple"
    assert reappearing.propose(see(WORDS, CARDS, steps=steps[:1], past=past[:2], text="apple")) == []


def test_what_is_there_again_was_kept_and_what_is_not_was_lost() -> None:
    """Once one is back: told by what is to be read there."""
    _, (_, words, again) = reloaded()
    assert tell(on(WORDS), again, words, "came_back", **ASKED).held is True
    empty = page(WORDS, CARDS, ENGLISH, MEANING, text="No words yet", number=3)
    lost = tell(on(WORDS), again, empty, "came_back", **ASKED)
    assert (lost.held, lost.symptom, lost.selector) == (False, "persistence_lost", "")
    assert tell(on(WORDS), again, empty, "came_back", text="apple", promised=0.0).held is None


def test_a_postcode_is_written_as_its_example() -> None:
    """It is written otherwise in every country; elsewhere an example is no value."""
    code = mark("Postcode", "input", placeholder="e.g. BS1 4DJ")
    title = mark("Title", "input", placeholder="e.g. Holidays")
    assert values.value_for(code, page(code)) == "BS1 4DJ"
    assert values.value_for(title, page(title)) != "Holidays"


def test_a_remark_under_a_field_that_stands_is_no_dead_button() -> None:
    """A complaint right under a field is one though no sending brought it; a line elsewhere on the page is none."""
    name, send = mark("Name", "input", at=(100, 300)), mark("Continue", at=(100, 400))
    remark = "Please enter a valid name, in letters only."
    under = page(name, send, text=f"Name\n{remark}\nContinue")
    sent = did(decided(on(send), "accepted", values="x", skill=mending.MEND), under, under)
    assert [one.held for one in sent.outcomes if one.oracle == "accepted"] == [None]
