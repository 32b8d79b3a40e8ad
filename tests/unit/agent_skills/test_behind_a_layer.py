"""What lies behind a drawer is out of reach also where it is out of view; a basket's counter gets its second attempt at once."""

from __future__ import annotations

from agent.skills import recovery
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, view

CLOSE = mark("Close", at=(900, 100))
FAR = mark("Add Oolong to cart", at=(100, 1400), in_view=False)
NEAR = (mark("Search", at=(100, 20)), mark("All", at=(100, 60)), mark("Green", at=(200, 60)))


def test_what_is_out_of_view_behind_a_layer_is_not_usable() -> None:
    """It was there before the layer was; what came with the layer and has to be scrolled to is."""
    bare = page(*NEAR, FAR)
    within = mark("Place order", at=(900, 1300), in_view=False)
    over = page(*(one.model_copy(update={"covered": True}) for one in NEAR), FAR, CLOSE, within, number=1)
    survey = Survey(view(over, past=(bare,)))
    assert [one.name for one in survey.usable] == ["Close", "Place order"]
    assert FAR in Survey(view(bare)).usable
    at_first = Survey(view(over))  # laid over from the start: what is behind it is not known
    assert FAR in at_first.usable


def test_another_piece_follows_one_that_was_not_counted() -> None:
    """Right away and another thing; after one that was counted nothing is asked for."""
    tea, cup = mark("Add tea to cart"), mark("Add cup to cart", at=(300, 100))
    before, stands = page(tea, cup, text="Cart 0"), page(tea, cup, text="Cart 0\nTea was added", number=1)
    wish = {"of": "cart", "key": "cart counter"}
    first = did(decided(on(tea), "counts", **wish), before, stands)
    found = recovery.propose(Survey(view(stands, steps=(first,), past=(before,))))
    assert aims(found) == ["Add cup to cart"]
    second = did(found[0].decision, stands, page(tea, cup, text="Cart 0\nCup was added", number=2), first)
    assert [one.symptom for one in second.outcomes if one.oracle == "counts"] == ["state_not_updated"]
    counted = page(tea, cup, text="Cart 1", number=1)
    right = did(decided(on(tea), "counts", **wish), before, counted)
    assert recovery.propose(Survey(view(counted, steps=(right,), past=(before,)))) == []
