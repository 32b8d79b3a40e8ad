"""The curious decider as a whole: it never raises, decides the same on the same view, always ends, and is quick."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.conduct import coverage, stop_reason
from agent.deciders.curious import Curious
from agent.deciders.protocol import Decision, Step, View
from agent.planning import make_plan
from tests.unit.agent_skills.scenes import SITE, mark, page, stepped, view
from tools.browser.marks import Mark, Observation

NAMES = [
    "Add",
    "Delete",
    "Start",
    "Pause",
    "Reset",
    "7",
    "8",
    "+",
    "=",
    "AC",
    "Next",
    "Back",
    "Search",
    "Theme",
    "✕",
    "删除",
    "添加",
    "",
    "Close",
    "Restart",
    "Volume",
]
BRIEFS = [
    "",
    "A to-do app. Tasks survive a reload.",
    "A snake game with arrow keys",
    "一个计算器",
    "A timer",
    "A drawing board",
    "A shop with search",
]
TEXTS = [
    "",
    "0",
    "25:00",
    "Score: 3\nPress Space to start",
    "Game over\nplay again",
    "apple\npear\nplum\nquince",
    "Application error",
    "请输入姓名",
]


def decide(given_view: View, seed: int = 0) -> Decision:
    """One decision."""
    return asyncio.run(Curious(seed).decide(given_view))


@st.composite
def marks(draw: st.DrawFn) -> Mark:
    """Any mark: any role and tag, in or out of view, named or not."""
    tag = draw(st.sampled_from(["button", "a", "input", "textarea", "select", "canvas", "div", "video", "summary", "label"]))
    more: dict[str, Any] = {}
    if tag in ("input", "label"):
        more["input_type"] = draw(
            st.sampled_from(["text", "number", "range", "date", "color", "checkbox", "radio", "file", "search", "password", ""])
        )
    if draw(st.booleans()):
        more["role"] = draw(
            st.sampled_from(["slider", "tab", "switch", "textbox", "gridcell", "menuitem", "spinbutton", "link", "weird"])
        )
    return mark(
        draw(st.sampled_from(NAMES)),
        tag,
        at=(draw(st.integers(-50, 1400)), draw(st.integers(-50, 3000))),
        size=(draw(st.integers(0, 600)), draw(st.integers(0, 400))),
        id=f"m{draw(st.integers(1, 999))}",
        signature=f"s{draw(st.integers(1, 12))}",
        group=draw(st.sampled_from(["", "", "g"])),
        covered=draw(st.booleans()) and draw(st.booleans()),
        disabled=draw(st.booleans()) and draw(st.booleans()),
        draggable=draw(st.booleans()) and draw(st.booleans()),
        required=draw(st.booleans()),
        checked=draw(st.sampled_from([None, True, False])),
        expanded=draw(st.sampled_from([None, True, False])),
        value=draw(st.sampled_from(["", "3", "tea"])),
        minimum=draw(st.sampled_from(["", "0", "x", "5"])),
        maximum=draw(st.sampled_from(["", "10", "-3"])),
        step=draw(st.sampled_from(["", "0.5", "any", "0"])),
        href=draw(st.sampled_from(["", "#", f"{SITE}a.html", "https://example.com/", "javascript:void(0)", "http://["]))
        if tag == "a"
        else "",
        options=("a", "b") if tag == "select" else (),
        **more,
    )


@st.composite
def pages(draw: st.DrawFn) -> Observation:
    """Any page."""
    return page(
        *draw(st.lists(marks(), max_size=12)),
        text=draw(st.sampled_from(TEXTS)),
        url=draw(st.sampled_from([SITE, SITE, f"{SITE}#b", f"{SITE}b.html", "http://127.0.0.1:9/"])),
        moving=draw(st.sampled_from([0.0, 0.0, 0.2])),
        number=draw(st.integers(0, 10_000)),
        page_size=(1280.0, float(draw(st.integers(100, 4000)))),
        listens=draw(st.sampled_from([(), ("keydown",)])),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(pages(), min_size=1, max_size=7), st.sampled_from(BRIEFS), st.lists(st.booleans(), min_size=7, max_size=7))
def test_no_page_makes_it_raise_or_waver(seen: list[Observation], brief: str, delivered: list[bool]) -> None:
    """Through any pages in any order: decisions, outcomes and coverage come, twice the same."""
    plan = make_plan(brief, "en", seen[0])
    steps: list[Step] = []
    for number, now in enumerate(seen):
        given_view = view(now, brief=brief, plan=plan, steps=steps, past=seen[:number])
        decision = decide(given_view)
        assert decision == decide(given_view)
        stop_reason(given_view, "live")
        assert (decision.action is None) == (decision.stop == "covered")
        if decision.action is None:
            break
        after = seen[min(number + 1, len(seen) - 1)]
        steps.append(stepped(decision, now, after, steps, delivered=delivered[number]))
    covered = coverage(view(seen[-1], brief=brief, plan=plan, steps=steps, past=seen[:-1]), "steps")
    assert covered.controls_tried <= covered.controls_found
    assert set(covered.promises) == {promise.id for promise in plan.promises}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(pages(), st.sampled_from(BRIEFS), st.booleans())
def test_on_a_page_that_never_changes_it_comes_to_an_end(still: Observation, brief: str, arrives: bool) -> None:
    """Without any limit of steps: covered, stuck or away, and no act more than a few times."""
    plan = make_plan(brief, "en", still)
    steps: list[Step] = []
    for _ in range(150):
        given_view = view(still, brief=brief, plan=plan, steps=steps, past=[still] * len(steps), steps_left=99)
        decision = decide(given_view)
        if decision.action is None or stop_reason(given_view, "live"):
            break
        steps.append(stepped(decision, still, still, steps, delivered=arrives))
    else:
        pytest.fail("it never ended")
    repeated = Counter(str(step.decision.action) for step in steps)
    assert not repeated or max(repeated.values()) <= 8


def test_another_seed_may_choose_otherwise_and_the_same_never() -> None:
    """A board's cells are chosen by seed; one seed always chooses the same."""
    cells = [
        mark("", at=(100 + 60 * (n % 5), 100 + 60 * (n // 5)), size=(58, 58), group="b", selector=f"#c{n}", signature=f"c{n}")
        for n in range(25)
    ]
    given_view = view(page(*cells), brief="A minesweeper game")
    chosen = {str(decide(given_view, seed).action) for seed in range(6)}
    assert len(chosen) > 1
    assert decide(given_view, 3) == decide(given_view, 3)


@pytest.mark.long
def test_it_is_quick_on_a_crowded_page_late_in_a_run() -> None:
    """300 marks, 40 promises and 24 steps behind it: less than half a step, on a slow and busy machine too."""
    crowd = [
        mark(
            f"Open card {n} of the list",
            at=(100.0 * (n % 12), 40.0 * (n // 12)),
            signature=f"s{n}",
            selector=f"#s{n}",
            context=f"Section {n // 30}",
        )
        for n in range(300)
    ]
    brief = "A board. " + " ".join(f"Users can open card {n} and filter section {n}." for n in range(40))
    past = [page(*crowd, text="words " * 2000, number=n) for n in range(24)]
    steps: list[Step] = []
    plan = make_plan(brief, "en", past[0])
    for number, before in enumerate(past):
        decision = decide(view(before, brief=brief, plan=plan, steps=steps, past=past[:number]))
        after = past[number + 1] if number + 1 < len(past) else page(*crowd, text="words " * 2000 + "end", number=24)
        steps.append(stepped(decision, before, after, steps))
    late = view(page(*crowd, text="words " * 2000 + "end", number=24), brief=brief, plan=plan, steps=steps, past=past)
    taken = []
    for _ in range(5):
        started = time.thread_time()
        decide(late)
        taken.append(time.thread_time() - started)
    assert min(taken) < 0.3, f"{min(taken) * 1000:.0f} ms of processor time"


def test_contents_of_the_brief_are_looked_for_on_the_way() -> None:
    """A promise about contents rides along with whatever is done."""
    decision = decide(view(page(mark("Open"), text="x"), brief="A zoo page. There is a footer with the opening hours."))
    assert any(one.oracle == "mentions" for one in decision.expectations)


def test_an_empty_page_is_covered() -> None:
    """Nothing to act on, and blind tries done: covered, not stuck in waiting."""
    blank = page(animated=True)
    steps: list[Step] = []
    while (decision := decide(view(blank, steps=steps, past=[blank] * len(steps)))).action is not None:
        steps.append(stepped(decision, blank, blank, steps))
        assert len(steps) <= 5
    assert decision.stop == "covered"
