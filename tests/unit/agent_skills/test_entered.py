"""A wrong result is shown again with what was entered for it; a replay that was cut short says nothing against it."""

from __future__ import annotations

from agent.deciders.curious import with_contents
from agent.deciders.protocol import Decision
from agent.skills.entered import entered_by
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, view
from tools.browser.actions import Reload, Select, Target, Type

VALUE = mark("Value", "input", value="120")
UNIT = mark("From", "select", value="f", options=("c", "f"), option_names=("°C", "°F"))
SWAP = mark("Swap")


def test_what_stands_in_the_fields_comes_from_the_last_acts_on_them() -> None:
    """The last typing and choosing, in their order; not what a reload took back, nor a field that is not in sight."""
    now = page(VALUE, UNIT, SWAP)
    one = did(decided(Select(target=Target.of(UNIT), value="c")), now, now)
    two = did(decided(Type(target=Target.of(VALUE), text="1")), now, now, one)
    three = did(decided(Select(target=Target.of(UNIT), value="f")), now, now, one, two)
    four = did(decided(Type(target=Target.of(mark("Bill", "input")), text="5")), now, now, one, two, three)
    steps = (one, two, three, four)
    assert entered_by(Survey(view(now, steps=steps, past=(now,)))) == "a2 a3"
    loaded = did(decided(Reload()), now, now, *steps)
    assert entered_by(Survey(view(now, steps=(*steps, loaded), past=(now,)))) == ""
    press = Decision(action=on(SWAP), why="a test", skill="press a button")
    wishes = with_contents(press, Survey(view(now, steps=steps, past=(now,), brief="A unit converter."))).expectations
    assert next(one.params["made_by"] for one in wishes if one.oracle == "converted") == "a2 a3"
