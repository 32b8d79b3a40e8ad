"""A box called `Show …` after something the brief speaks of shows it, wherever that stands."""

from __future__ import annotations

from agent.skills import choices
from tests.unit.agent_skills.scenes import aims, did, mark, page, see

BRIEF = "A board game where I can show the legal moves."
BOX = mark("Show legal moves", "input", input_type="checkbox", role="checkbox", checked=True)
OFF = BOX.model_copy(update={"checked": False})


def test_nothing_that_follows_is_told_at_the_second_time() -> None:
    """It is stored, and its own look changes; taken back, nothing follows either."""
    before, after = page(BOX, text="Your turn"), page(OFF, text="Your turn", number=1, storage_sha256="x")
    (found,) = choices.propose(see(BOX, brief=BRIEF, text="Your turn"))
    first = did(found.decision, before, after, picture=0.001)
    assert [(one.oracle, one.held) for one in first.outcomes if one.oracle == "switch_follows"] == [("switch_follows", None)]
    (again,) = choices.propose(see(OFF, brief=BRIEF, text="Your turn", steps=(first,), past=(before, after)))
    assert aims([again]) == ["Show legal moves"]
    second = did(again.decision, after, page(BOX, text="Your turn", number=2), first, picture=0.001)
    assert [(one.held, one.symptom) for one in second.outcomes if one.oracle == "switch_follows"] == [(False, "input_ignored")]
    assert choices.propose(see(BOX, brief=BRIEF, text="Your turn", steps=(first, second), past=(before, after))) == []


def test_what_appears_or_goes_follows() -> None:
    """Once is enough then; and what the brief does not speak of may be empty."""
    (found,) = choices.propose(see(BOX, brief=BRIEF, text="Your turn, d3 e4"))
    step = did(found.decision, page(BOX, text="Your turn\nd3 e4"), page(OFF, text="Your turn", number=1))
    assert [one.held for one in step.outcomes if one.oracle == "switch_follows"] == [True]
    assert choices.propose(see(OFF, brief=BRIEF, steps=(step,))) == []
    for name, brief in (("Show completed", "A list; show completed tasks."), ("Show legal moves", "A board game.")):
        (found,) = choices.propose(see(BOX.model_copy(update={"name": name}), brief=brief))
        assert "switch_follows" not in [one.oracle for one in found.decision.expectations]
