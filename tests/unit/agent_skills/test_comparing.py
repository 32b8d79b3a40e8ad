"""A simulation is run from its beginning with one slider set otherwise each time: it ends otherwise, or the slider is ignored."""

from __future__ import annotations

from typing import Any

from agent.deciders.protocol import Step
from agent.skills import comparing
from agent.skills.checks.differing import packed
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, stepped, view
from tools.browser.actions import SetValue, Wait
from tools.browser.marks import Mark, Observation

BRIEF = "A simulation of hares and foxes with sliders for the birth rate and the hunting success, and a restart button."
RESTART = mark("Restart", at=(600, 20))


def sliders(birth: str = "1", hunt: str = "2") -> tuple[Mark, ...]:
    """Two sliders and the button."""
    kind: dict[str, Any] = {"input_type": "range", "role": "slider", "minimum": "0", "maximum": "10"}
    one = mark("Birth rate", "input", value=birth, at=(100, 100), **kind)
    return one, mark("Hunting success", "input", value=hunt, at=(100, 160), **kind), RESTART


def shown(hares: float, foxes: float, number: int, **values: str) -> Observation:
    """The simulation under way."""
    return page(*sliders(**values), text=f"Hares: {hares:g}\nFoxes: {foxes:g}", number=number, moving=0.1)


def after_two_runs(second: tuple[float, float] = (70.0, 11.0)) -> tuple[list[Step], list[Observation]]:
    """Twice from the beginning, two seconds each."""
    pages, steps = [shown(50, 9, 0)], list[Step]()
    for end in ((70.0, 11.0), second):
        pages.append(shown(40, 9, len(pages)))
        steps.append(did(decided(on(RESTART), skill=comparing.RESTART), pages[-2], pages[-1], *steps))
        pages.append(shown(*end, len(pages)))
        steps.append(did(decided(Wait(ms=2000), skill=comparing.WATCH), pages[-2], pages[-1], *steps))
    return steps, pages


def proposed(steps: list[Step], pages: list[Observation]) -> list[comparing.Candidate]:
    """What comes next."""
    return comparing.propose(Survey(view(pages[-1], brief=BRIEF, steps=tuple(steps), past=tuple(pages[:-1]))))


def run_with(steps: list[Step], pages: list[Observation], end: tuple[float, float], **values: str) -> Step:
    """A slider set as proposed, the run from its beginning, and how it ends."""
    for text in ((50.0, 9.0), (40.0, 9.0), end):
        (found,) = proposed(steps, pages)
        pages.append(shown(*text, len(pages), **values))
        steps.append(did(found.decision, pages[-2], pages[-1], *steps))
    return steps[-1]


def test_runs_alike_come_first() -> None:
    """Restart, watch, restart, watch; then a slider to its far end."""
    pages = [shown(50, 9, 0), shown(52, 9, 1)]
    first = did(decided(Wait(ms=500)), pages[0], pages[1])
    (begin,) = proposed([first], pages)
    assert begin.decision.skill == comparing.RESTART
    steps, pages = after_two_runs()
    (found,) = proposed(steps, pages)
    assert isinstance(found.decision.action, SetValue)
    assert found.decision.skill == comparing.SET


def test_a_button_that_is_off_at_the_beginning_is_not_needed_there() -> None:
    """What was set back stands still: it is started."""
    steps, pages = after_two_runs()
    start = mark("Start", at=(700, 20))
    stands = page(*sliders()[:2], start, text="Hares: 40\nFoxes: 9", number=9)
    back = did(decided(on(RESTART), skill=comparing.RESTART), pages[-1], stands, *steps)
    found = proposed([*steps, back], [*pages, stands])
    assert (aims(found), found[0].decision.skill) == (["Start"], comparing.START)


def test_what_ends_otherwise_by_itself_is_not_compared() -> None:
    """Chance plays a part in it."""
    assert proposed(*after_two_runs((68.0, 12.0))) == []


def test_a_slider_that_changes_no_run_is_ignored() -> None:
    """Told after both ends of its range; one that changes a figure is followed, and the next slider comes."""
    steps, pages = after_two_runs()
    told = run_with(steps, pages, (70.0, 11.0), birth="9").outcomes
    assert [one.held for one in told if one.oracle == "differs"] == [None]
    told = run_with(steps, pages, (70.0, 11.0), birth="1").outcomes
    assert [(one.held, one.symptom, one.attempts) for one in told if one.oracle == "differs"] == [(False, "input_ignored", 2)]
    steps, pages = after_two_runs()
    told = run_with(steps, pages, (90.0, 11.0), birth="9").outcomes
    assert [one.held for one in told if one.oracle == "differs"] == [True]
    (following,) = proposed(steps, pages)
    assert aims([following]) == ["Hunting success"]


def test_a_restart_that_takes_the_settings_back_ends_it() -> None:
    """No run with another setting can be had by it."""
    steps, pages = after_two_runs()
    (found,) = proposed(steps, pages)
    for text in ((50.0, 9.0), (40.0, 9.0)):
        pages.append(shown(*text, len(pages), birth="9" if text[0] == 50.0 else "1"))
        steps.append(did(found.decision, pages[-2], pages[-1], *steps))
        found = (proposed(steps, pages) or [found])[0]
    assert proposed(steps, pages) == []


def test_what_tends_to_an_equilibrium_may_end_as_it_did_from_anywhere() -> None:
    """A rod with both ends held forgets how it began."""
    was = packed({"hares": 70.0, "foxes": 11.0})
    before = page(*sliders(), text="Hares: 40\nFoxes: 9", number=0)
    for words, attempts in (("In equilibrium since 12 s", []), ("Running", [1])):
        after = page(*sliders(), text=f"Hares: 70\nFoxes: 11\n{words}", number=1)
        repeat = packed({"hares": 0.0, "foxes": 0.0})
        compared = decided(Wait(ms=2000), "differs", was=was, repeat=repeat, name="Birth rate", key="compare")
        assert [told.attempts for told in stepped(compared, before, after).outcomes] == attempts
