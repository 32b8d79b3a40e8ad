"""Named figures follow named controls the known way; labels are read from any kind of card."""

from __future__ import annotations

import pytest

from agent.skills.checks.labelled import figures
from agent.skills.checks.relations import related
from agent.skills.choices import propose
from agent.skills.comparing import still_figures
from tests.unit.agent_skills.scenes import aims, decided, did, mark, page, see, twice
from tools.browser.actions import SetValue, Target, Wait
from tools.browser.marks import Observation
from tools.evidence.rows import Outcome

GRAVITY = mark("Gravity 9.8 m/s²", "input", input_type="range", value="9.8", minimum="1", maximum="25", step="0.1")
MORE = GRAVITY.model_copy(update={"value": "20"})
SHOWN = "Period 2.01 s\nMax height 10 m\nRange 20 m"
ACT = SetValue(target=Target.of(GRAVITY), value="20")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Score: 0\nLives: 3", {"score": 0, "lives": 3}),
        ("Time\n0.00 s\nMax height\n–\nRange\n12.5 m", {"time": 0, "range": 12.5}),
        ("12\nOrders\n$1,234.50\nRevenue", {"orders": 12, "revenue": 1234.5}),
        ("Energy 2.29 J/kg\nGravity 9.8 m/s²\nAngle −40.0°", {"energy": 2.29, "gravity": 9.8, "angle": -40}),
        ("得分：30\n时间\n01:20", {"得分": 30, "时间": 80}),
        ("Range 3 m\nRange 4 m\nIn the year 2020 there were 5 of them and nobody knew", {}),
    ],
)
def test_figures_are_read_with_their_labels(text: str, found: dict[str, float]) -> None:
    """In one line, below, above, with units, in Chinese; what is shown twice or in a sentence is left out."""
    assert figures(page(text=text)) == found


@pytest.mark.parametrize(
    ("after", "live", "held", "symptom"),
    [
        ("Period 1.40 s", "", True, ""),
        ("Period 2.87 s", "", False, "wrong_result"),
        ("Period 1.40 s\nMax height 9 m\nRange 30 m", "", False, "wrong_result"),
        ("Period 2.01 s", "", None, ""),
        ("Period 2.01 s", "period", False, "state_not_updated"),
        ("Speed 2.01 s", "", None, ""),
    ],
)
def test_a_period_falls_with_gravity(after: str, live: str, held: bool | None, symptom: str) -> None:
    """The known way holds; the other one twice is wrong; standing still is told only of what follows other controls."""
    told = _told_twice(page(GRAVITY, text=SHOWN), page(MORE, text=after, number=1), live)
    assert (told[-1].held, told[-1].symptom) == (held, symptom) if held is not None else not told


def _told_twice(before: Observation, after: Observation, live: str) -> list[Outcome]:
    """All outcomes of two sweeps with the same result."""
    decision = decided(ACT, "as_named", live=live)
    first = did(decision, before, after)
    return [*first.outcomes, *did(decision, before, after, first).outcomes]


def test_nothing_is_told_of_a_running_page() -> None:
    """Figures of a running simulation go their own ways."""
    before = page(GRAVITY, text="Period 2.01 s", moving=0.1)
    assert not _told_twice(before, page(MORE, text="Period 2.87 s", number=1, moving=0.1), "period")


def test_a_figure_that_stands_while_the_page_runs_tells() -> None:
    """It was watched: it does not run on its own, so what becomes of it is the control's doing."""
    before = page(GRAVITY, text="Period 2.01 s\nTime 4 s", moving=0.1)
    after = page(MORE, text="Period 2.87 s\nTime 5 s", number=1, moving=0.1)
    decision = decided(ACT, "as_named", live="", still="period")
    first = did(decision, before, after)
    assert did(decision, before, after, first).outcomes[-1].symptom == "wrong_result"
    watched = did(decided(Wait(ms=2000), skill="run to compare"), before, page(GRAVITY, text="Period 2.01 s\nTime 6 s", number=2))
    seen = {one.id: one for one in (before, page(GRAVITY, text="Period 2.01 s\nTime 6 s", number=2, moving=0.1))}
    assert still_figures([watched], seen) >= {"period"}
    assert "time" not in still_figures([watched], seen)
    assert still_figures([first], seen) == set()


def test_the_speed_of_the_simulation_is_no_cause() -> None:
    """It sets how fast it is shown."""
    assert related(mark("Initial speed 20 m/s"))
    assert not related(mark("Simulation speed"))


def test_a_slider_is_watched_for_what_depends_on_it() -> None:
    """Figures that another slider moved at once count as live."""
    length = mark("Length", "input", input_type="range", value="1", at=(100, 300))
    longer = length.model_copy(update={"value": "2"})
    first = page(GRAVITY, length, text="Period 2.01 s", number=0)
    after = page(GRAVITY, longer, text="Period 2.84 s", number=1)
    swept = did(decided(SetValue(target=Target.of(length), value="2"), skill="sweep a slider"), first, after)
    survey = see(GRAVITY, longer, brief="A pendulum simulation", text="Period 2.84 s", steps=(swept,), past=(first, after))
    swept_next = dict(zip(aims(found := propose(survey)), sorted(found, key=lambda one: -one.priority), strict=True))
    step = swept_next[GRAVITY.name]
    wish = next(one for one in step.decision.expectations if one.oracle == "as_named")
    assert wish.params["live"] == "period"


@pytest.mark.parametrize(("later", "held"), [(3.4, False), (2.31, True), (1.9, True)])
def test_drag_takes_energy_away(later: float, held: bool) -> None:
    """Growing energy is wrong at the second watch; a rounding is none."""
    told = twice(
        Wait(ms=1600), page(text="Energy 2.29 J/kg"), page(text=f"Energy {later} J/kg", number=1), "energy_falls", key="energy"
    )
    assert told[1].held is held
