"""Step sequencers: strokes at the tempo that is set."""

from __future__ import annotations

import pytest

from agent.skills.checks.patterns import as_set, pattern_of
from tests.unit.agent_skills.scenes import mark, page
from tools.browser.marks import Observation

KICK, HAT = (0, 4, 8, 12), (2, 6, 10, 14)


def machine(columns: int = 16, tempo: str = "120") -> Observation:
    """Two tracks of steps, their mutes, and a tempo."""
    steps = [
        mark(
            f"{name} {place + 1}",
            at=(300.0 + 50 * place, 200.0 + 60 * row),
            size=(44, 44),
            checked=place in on,
            selector=f"#{name}{place}",
        )
        for row, (name, on) in enumerate((("Kick", KICK), ("Hat", HAT)))
        for place in range(columns)
    ]
    mutes = [mark("Mute", at=(200, 200.0 + 60 * row), size=(70, 40), checked=False, selector=f"#mute{row}") for row in range(2)]
    return page(*steps, *mutes, mark("Tempo (BPM)", "input", input_type="range", role="slider", value=tempo))


def test_a_pattern_is_read_off_its_switches() -> None:
    """Columns that sound in any track, at a quarter of a beat each; nothing of eight columns, which may be eighths."""
    pattern = pattern_of(machine())
    assert pattern is not None
    assert (pattern.columns, pattern.length, pattern.step_ms) == ((0, 2, 4, 6, 8, 10, 12, 14), 16, 125.0)
    assert pattern.strokes_a_second == pytest.approx(4.0)
    assert pattern_of(machine(8)) is None
    assert pattern_of(machine(tempo="")) is None


@pytest.mark.parametrize(
    ("gap_ms", "strokes", "held"), [(250.0, 12, True), (500.0, 7, False), (125.0, 14, False), (250.0, 4, None), (333.0, 10, None)]
)
def test_half_and_twice_as_fast_are_told(gap_ms: float, strokes: int, held: bool | None) -> None:
    """What lies between says nothing: a stroke may have been missed."""
    pattern = pattern_of(machine())
    assert pattern is not None
    assert as_set(pattern, [gap_ms * place for place in range(strokes)]) is held
