"""A second round: once all was tried and there is time, the page is used once more, otherwise than before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from agent.deciders import rounds
from agent.deciders.curious import Curious, rank
from agent.deciders.protocol import Step, View
from agent.skills import choices, forms
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, view
from tools.browser.actions import Reload
from tools.browser.marks import Mark

GO = mark("Go", at=(40, 500))


def used(*marks: Mark, times: int = 6, brief: str = "A tool that counts presses.", **more: Any) -> View:
    """A page on which so many acts did something, with nothing left that was not tried."""
    pages = [page(GO, *marks, text=f"Shown {number}", number=number) for number in range(times + 1)]
    steps: list[Step] = []
    for number in range(times):
        steps.append(did(decided(on(GO), skill="press a button"), pages[number], pages[number + 1], *steps))
    return view(pages[-1], brief=brief, steps=steps, past=pages[:-1], **more)


def test_where_nothing_is_left_and_time_is_a_second_round_begins() -> None:
    """By a load of the page, once; not with little time, few acts that did something, or on a page to be looked at."""
    decide = Curious(0, second_round=True).decide
    assert asyncio.run(Curious(0).decide(used())).stop == "covered"
    first = asyncio.run(decide(used()))
    assert (first.action, first.skill) == (Reload(), rounds.BEGIN)
    for less in (used(seconds_left=6.0), used(times=2), used(steps_left=3), used(brief="A landing page for a bakery.")):
        assert asyncio.run(decide(less)).stop == "covered"
    begun = used()
    last = did(first, begun.now, begun.now.model_copy(update={"id": "again"}), *begun.steps)
    ended = page(GO, text="Shown 9", number=9)
    pressed = did(decided(on(GO), skill="press a button"), begun.now, ended, *begun.steps, last)
    after = replace(begun, steps=(*begun.steps, last, pressed), now=ended, past=(*begun.past, begun.now))
    assert asyncio.run(decide(after)).stop == "covered"


def test_in_a_second_round_what_was_tried_is_tried_again() -> None:
    """Only its own steps count as done, though the whole run is known."""
    begun = used()
    last = did(rounds.begin(), begun.now, begun.now.model_copy(update={"id": "again"}), *begun.steps)
    after = replace(begun, steps=(*begun.steps, last), now=begun.now.model_copy(update={"id": "again"}))
    part, again = rounds.of_this_round(after)
    assert (part.steps, again) == ((), True)
    assert rounds.of_this_round(begun) == (begun, False)
    assert aims(list(rank(Survey(part, again=True)))) == ["Go"]
    assert not rounds.over(part)
    assert rounds.over(replace(part, steps=(last,) * rounds.MOST_STEPS))


def test_other_values_are_chosen() -> None:
    """The last radio button instead of the second, the last option instead of one in the middle."""
    radios = tuple(
        mark(name, "input", input_type="radio", role="radio", checked=False, at=(100, 100.0 + 40 * place), context="Cabin")
        for place, name in enumerate(("Fox Den", "Owl Nest", "Bear Lodge"))
    )
    on_now = mark("Continue", at=(400, 400))
    for again, wanted in ((False, "Owl Nest"), (True, "Bear Lodge")):
        found = choices.propose(Survey(view(page(*radios, on_now)), again=again))
        assert aims([max(found, key=lambda one: one.priority)]) == [wanted]
    size = mark("Size", "select", value="s", options=("s", "m", "l", "xl"), option_names=("S", "M", "L", "XL"), at=(100, 300))
    name = mark("Full name", "input", at=(100, 200), value="Anna")
    send = mark("Send", at=(100, 360))
    for again, wanted in ((False, "l"), (True, "xl")):
        survey = Survey(view(page(size, name, send), brief="A form."), again=again)
        found = [one.decision.action for one in forms.propose(survey)]
        assert [getattr(one, "value", "") for one in found] == [wanted]
