"""Which control a brief wants all of a page to follow."""

from __future__ import annotations

import pytest

from agent.skills.governing import governs
from tests.unit.agent_skills.scenes import mark

PERIODS = "A dashboard. Buttons switch everything between the last 7, 30 and 90 days. A table filtered by region."


@pytest.mark.parametrize(
    ("name", "options", "brief", "told"),
    [
        ("Region", ("All", "North"), PERIODS, False),
        ("Show", ("deliveries", "cost"), PERIODS, False),
        ("Period", ("Last 7 days", "Last 30 days"), PERIODS, True),
        ("Region", ("All", "North"), "A table; a region filter for everything.", True),
        ("Customer", ("All", "Anna"), "A table; a region filter for everything.", False),
        ("Region", ("All", "North"), "A table and a chart by region.", False),
    ],
)
def test_everything_follows_what_its_sentence_names(name: str, options: tuple[str, ...], brief: str, told: bool) -> None:
    """Not any other select on the same page."""
    select = mark(name, "select", options=options, option_names=options, value=options[0])
    assert governs(select, brief) is told


def test_dates_are_the_range_that_everything_follows() -> None:
    """Whatever they are called."""
    date = mark("From", "input", input_type="date", value="2025-01-01")
    assert governs(date, "Buttons for the last 7 days, and a free range. Everything follows the range.")
    assert not governs(mark("Search", "input"), "Everything follows the range.")
