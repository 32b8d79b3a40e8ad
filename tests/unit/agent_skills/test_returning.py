"""What was seen in passing is reached again: a wizard's last button, a mode on the start screen."""

from __future__ import annotations

from dataclasses import replace

from agent.deciders.protocol import Step
from agent.skills import returning
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import acts, aims, decided, mark, on, page, stepped, tell, twice, view
from tools.browser.actions import Reload
from tools.browser.marks import Mark, Observation

HEAD = tuple(mark(f"Link {place}", at=(20 + 90 * place, 10)) for place in range(6))
NEXT, BACK = mark("Continue", at=(400, 700), selector="#next"), mark("Back", at=(300, 700))
FIELDS = tuple(mark(name, "input", at=(100, 300)) for name in ("Name", "Lunch", "Tickets"))
REGISTER = mark("Register now", at=(400, 700), selector="#next")
EDIT = mark("Edit tickets", at=(600, 300))


def walked(*shown: tuple[tuple[Mark, ...], Mark]) -> tuple[list[Observation], tuple[Step, ...]]:
    """Pages and steps of a walk: what each page holds besides its head, and what was pressed there."""
    pages = [page(*HEAD, *marks, number=number, text=f"part {number}") for number, (marks, _) in enumerate(shown)]
    steps: list[Step] = []
    for number, (_, pressed) in enumerate(shown[:-1]):
        steps.append(stepped(decided(on(pressed), skill="press a button"), pages[number], pages[number + 1], steps))
    return pages, tuple(steps)


def survey_of(pages: list[Observation], steps: tuple[Step, ...], brief: str = "") -> Survey:
    """The survey of the last page."""
    return Survey(view(pages[-1], brief=brief, steps=steps, past=pages[:-1]))


NAME, LUNCH, TICKETS = FIELDS
WIZARD = (((NAME, NEXT), NEXT), ((LUNCH, BACK, NEXT), NEXT), ((EDIT, BACK, REGISTER), EDIT), ((TICKETS, BACK, NEXT), BACK))


def test_the_way_to_a_last_button_is_walked_again() -> None:
    """From a step before the review, by what led on the first time; the review's button is another one than `Continue`."""
    pages, steps = walked(*WIZARD, ((NAME, NEXT), NEXT))
    found = returning.propose(survey_of(pages, steps))
    assert aims(found) == ["Continue"]
    assert "Register now" in found[0].decision.why


def test_it_is_pressed_once_it_is_reached() -> None:
    """Before the other buttons that stand there, which would lead away again."""
    pages, steps = walked(*WIZARD, ((LUNCH, BACK, NEXT), NEXT))
    way = returning.propose(survey_of(pages, steps))[0]
    there = page(*HEAD, EDIT, BACK, REGISTER, mark("Something new", at=(500, 500)), number=9, text="review")
    step = stepped(way.decision, pages[-1], there, steps)
    found = returning.propose(survey_of([*pages, there], (*steps, step)))
    assert aims(found) == ["Register now"]
    assert found[0].priority >= returning.THERE


def test_what_was_pressed_in_its_place_is_not_looked_for() -> None:
    """A switch that says what it does next (`Pause`, `Play`) was tried under its other name."""
    play, other = mark("Play", selector="#p"), mark("Show scores", selector="#p")
    pages, steps = walked(((play,), play), ((other,), other), ((mark("Third", selector="#p"),), play))
    assert returning.propose(survey_of(pages, steps)) == []


def test_no_way_known_and_not_there_at_first_is_left() -> None:
    """A reload leads to what the page began with, and to nothing else; one is enough."""
    easy, hard = mark("Easy mode"), mark("Hard mode", at=(100, 200))
    pages, steps = walked(((easy, hard), easy), ((mark("Roll", at=(9, 9)), mark("Hold dice", at=(9, 90))), easy))
    found = returning.propose(survey_of(pages, steps))
    assert isinstance(acts(found)[0], Reload)
    again = stepped(found[0].decision, pages[-1], pages[-1].model_copy(update={"id": "o7"}), steps)
    assert returning.propose(survey_of([*pages, pages[-1].model_copy(update={"id": "o7"})], (*steps, again))) == []


def test_what_undoes_or_only_closes_is_not_worth_a_way() -> None:
    """Nor is what stands at each entry of a list."""
    for name in ("Delete all", "Cancel", "Mute"):
        pages, steps = walked(((mark(name), NEXT), NEXT), ((mark("Other", at=(5, 5)), mark("More", at=(6, 60))), NEXT))
        assert returning.propose(survey_of(pages, steps)) == []


def test_standing_before_the_end_again_one_goes_through() -> None:
    """The first time a correction may be looked at; a second one would lead away once more. Only of a form in steps."""
    review = (EDIT, mark("Edit extras", at=(600, 400)), BACK, REGISTER)
    pages, steps = walked(((NAME, NEXT), NEXT), (review, EDIT), ((TICKETS, BACK, NEXT), NEXT), (review, EDIT))
    sent = replace(steps[2], decision=replace(steps[2].decision, skill='submit form "Tickets"'))
    found = returning.propose(survey_of(pages, (*steps[:2], sent)))
    assert aims(found) == ["Register now"]
    assert found[0].priority > 80
    assert "Register now" not in aims(returning.propose(survey_of(pages, steps)))
    led_on = replace(steps[0], decision=replace(steps[0].decision, skill='submit form "Name"'))
    first = view(pages[1], steps=(led_on,), past=pages[:1])
    assert "Register now" not in aims(returning.propose(Survey(first)))
    assert aims(returning.propose(Survey(replace(first, seconds_left=9.0)))) == ["Register now"]


def test_a_press_that_throws_and_only_stores_comes_to_nothing() -> None:
    """Twice: it does nothing. What shows anything of it did something, error or not; so did what stores without an error."""
    here, stored = page(REGISTER, text="Review"), page(REGISTER, text="Review", number=1, storage_sha256="other")
    thrown = {"errors": 1, "picture": 0.0, "dom": False, "storage": True}
    one, two = twice(on(REGISTER), here, stored, "responds", changes=thrown)
    assert (one.held, two.held, two.symptom) == (None, False, "dead_control")
    assert tell(on(REGISTER), here, stored, "responds", changes={**thrown, "errors": 0}).held is True
    seen = page(REGISTER, text="Review\nThank you", number=1)
    assert tell(on(REGISTER), here, seen, "responds", changes={"errors": 1, "storage": True}).held is True
