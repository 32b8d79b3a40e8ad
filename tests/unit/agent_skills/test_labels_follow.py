"""Small figures and switches that must follow: the label of a slider, what a switch shows, links to parts, errors of a press."""

from __future__ import annotations

import pytest

from agent.skills import choices
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import decided, mark, on, page, see, stepped, tell, twice
from tools.browser.actions import SetValue, Target
from tools.browser.marks import Mark, Observation


def slider(value: str, name: str = "Length", **more: str) -> Mark:
    """A slider at a value."""
    return mark(name, "input", role="slider", input_type="range", value=value, minimum="0", maximum="200", selector="#s", **more)


def swept(before: Observation, after: Observation, value: str) -> tuple[bool | None, str]:
    """What the label of a slider tells after a sweep, and its symptom; None where it tells nothing."""
    act = SetValue(target=Target.of(before.marks[0]), value=value)
    told = stepped(decided(act, "label_follows"), before, after).outcomes
    return (told[0].held, told[0].symptom) if told else (None, "")


def asked(survey: Survey) -> set[str]:
    """Oracles that the proposals for single controls call."""
    return {told.oracle for found in choices.propose(survey) for told in found.decision.expectations}


def test_a_label_in_the_name_of_a_slider_follows_or_is_stale() -> None:
    """`Length 1.0 m` has to become `Length 1.9 m`."""
    before = page(slider("1.0", "Length 1.0 m"))
    assert swept(before, page(slider("1.9", "Length 1.9 m")), "1.9")[0] is True
    assert swept(before, page(slider("1.9", "Length 1.0 m")), "1.9") == (False, "state_not_updated")


@pytest.mark.parametrize(
    ("then", "now", "held"),
    [
        ("Tempo\n100 bpm", "Tempo\n191 bpm", True),
        ("Tempo\n100 bpm", "Tempo\n100 bpm", False),
        ("Opacity\n50%", "Opacity\n50%", None),
        ("Score of 100 points so far", "Score of 100 points so far", None),
        ("Tempo\n100", "Tempo\n1.91", True),
    ],
)
def test_a_figure_beside_a_slider(then: str, now: str, held: bool | None) -> None:
    """Only a figure that was its value, alone on its line, is its label; a share of it will do as well."""
    assert swept(page(slider("100"), text=then), page(slider("191"), text=now), "191")[0] is held


def test_a_figure_that_two_controls_have_is_nobodys_label() -> None:
    """Another slider stands at the same value."""
    other = mark("Width", "input", role="slider", input_type="range", value="100")
    before, after = page(slider("100"), other, text="100 px"), page(slider("191"), other, text="100 px")
    assert swept(before, after, "191")[0] is None


def test_a_switch_that_is_asked_for_must_switch_something() -> None:
    """ "a switch to yearly prices": its own state is not enough, told at the second attempt; one for the sound need not show."""
    yearly = mark("Pay yearly", "input", role="checkbox", input_type="checkbox", checked=False)
    assert "choice_follows" in asked(see(yearly, brief="A landing page with three plans and a switch to yearly prices."))
    sound = mark("Sound effects", "input", role="checkbox", input_type="checkbox", checked=False)
    assert "choice_follows" not in asked(see(sound, brief="A game with a switch for sound effects."))
    on_now = yearly.model_copy(update={"checked": True})
    both = twice(on(yearly), page(yearly, text="$5"), page(on_now, text="$5"), "choice_follows", key="switch", changes={"dom": False, "text": False, "picture": 0.0})
    assert [one.held for one in both] == [None, False]


def test_a_link_to_a_part_that_the_page_lacks() -> None:
    """The address changes and nothing else: broken where there is no such part, else it may be in view."""
    astray = mark("Plans", "a", href="http://127.0.0.1:4000/#plan", evidence=("tag", "astray"))
    fine = mark("Plans", "a", href="http://127.0.0.1:4000/#plans")
    moved = {"url": True, "text": False, "dom": False, "scroll": False, "picture": 0.0}
    for one, held in ((astray, False), (fine, None)):
        told = tell(on(one), page(one), page(one, url=one.href), "navigates", changes=moved)
        assert told.held is held
