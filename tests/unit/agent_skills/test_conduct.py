"""Rules of conduct: when to stop, what is a circle, what was covered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.conduct import IDENTICAL_BEFORE_STUCK, circling, coverage, eventless_run, garbled, normalised, repeats, stop_reason
from agent.deciders.protocol import Step
from agent.planning import make_plan
from tests.unit.agent_skills.scenes import SITE, decided, mark, page, stepped, view
from tools.browser.actions import Click, GoBack, Press, Reload, Target
from tools.browser.marks import Observation
from tools.evidence.rows import Outcome

ADD, OTHER = mark("Add"), mark("Help", at=(400, 100))


def press(count: int, *, changing: bool, same: bool = True) -> tuple[list[Step], list[Observation]]:
    """That many clicks (on one button, or on ever new ones) and the observations before them."""
    steps: list[Step] = []
    past: list[Observation] = []
    for number in range(count):
        one = ADD if same else mark(f"Button {number}")
        before = page(one, text=f"page {number if changing else 0}", number=number)
        after = page(one, text=f"page {number + 1 if changing else 0}", number=number + 1)
        steps.append(stepped(decided(Click(target=Target.of(one))), before, after, steps))
        past.append(before)
    return steps, past


@pytest.mark.parametrize(("state", "reason"), [("crashed", "crashed"), ("hung", "hung"), ("closed", "crashed"), ("live", None)])
def test_a_lost_stage_ends_the_exploration(state: str, reason: str | None) -> None:
    """The stage's state decides before anything else."""
    assert stop_reason(view(page(ADD)), state) == reason


def test_limits_leave_room_for_the_summary() -> None:
    """One step and a few seconds are kept back."""
    assert stop_reason(view(page(ADD), steps_left=1), "live") == "steps"
    assert stop_reason(view(page(ADD), steps_left=2), "live") is None
    assert stop_reason(view(page(ADD), seconds_left=2.0), "live") == "time"
    assert stop_reason(view(page(ADD), seconds_left=5.0), "live") is None


def test_nothing_that_reacts_ends_as_stuck() -> None:
    """Nine identical observations in a row after delivered acts, not eight, and not with an event between."""
    steps, past = press(IDENTICAL_BEFORE_STUCK, changing=False, same=False)
    assert eventless_run(steps) == IDENTICAL_BEFORE_STUCK
    assert stop_reason(view(page(ADD, text="page 0", number=99), steps=steps, past=past), "live") == "stuck"
    assert stop_reason(view(page(ADD, text="page 0", number=99), steps=steps[1:], past=past[1:]), "live") is None


def test_an_act_that_did_not_arrive_neither_counts_nor_breaks_the_run() -> None:
    """Only delivered acts tell that the page does not react."""
    steps, _ = press(2, changing=False, same=False)
    missed = stepped(decided(Click(target=Target.of(OTHER))), page(ADD), page(ADD), steps, delivered=False)
    assert eventless_run([*steps, missed]) == 2


def test_a_cycle_is_recognised_and_progress_is_not_one() -> None:
    """The same act on the same state again and again circles; on ever new states it does not."""
    steps, past = press(5, changing=False)
    still = view(page(ADD, text="page 0", number=9), steps=steps, past=past)
    assert circling(still)
    assert repeats(still, Click(target=Target.of(ADD))) == 5
    assert repeats(still, Click(target=Target.of(OTHER))) == 0
    steps, past = press(5, changing=True)
    assert not circling(view(page(ADD, text="page 5", number=9), steps=steps, past=past))


def test_acts_are_compared_by_what_they_come_down_to() -> None:
    """The same click on the same thing is one act, another text typed or thing clicked is another."""
    assert normalised(Click(target=Target.of(ADD))) == normalised(Click(target=Target.of(ADD)))
    assert normalised(Click(target=Target.of(ADD))) != normalised(Click(target=Target.of(OTHER)))
    assert normalised(Press(keys=("a",))) != normalised(Press(keys=("b",)))


def test_another_site_is_left_after_two_failed_returns() -> None:
    """Being elsewhere is not yet the end; not coming back twice is."""
    away = page(text="elsewhere", url="http://127.0.0.1:5000/")
    back = stepped(decided(GoBack(), skill="return to the site"), away, away)
    again = stepped(decided(GoBack(), skill="return to the site"), away, away, (back,))
    assert stop_reason(view(away, steps=(back,)), "live") is None
    assert stop_reason(view(away, steps=(back, again)), "live") == "left_site"


def test_a_garbled_page_is_given_up_after_two_reloads() -> None:
    """An empty screen or a framework's error screen, reloaded twice, is stuck; a working page is not garbled."""
    empty, broken, fine = (
        page(),
        page(text="Application error: a client-side exception has occurred"),
        page(ADD, text="Application error"),
    )
    assert garbled(empty)
    assert garbled(broken)
    assert not garbled(fine)
    assert not garbled(page(moving=0.2))
    one = stepped(decided(Reload(), skill="reload a garbled page"), empty, empty)
    two = stepped(decided(Reload(), skill="reload a garbled page"), empty, empty, (one,))
    assert stop_reason(view(empty, steps=(one,)), "live") is None
    assert stop_reason(view(empty, steps=(one, two)), "live") == "stuck"


def test_coverage_tells_what_was_shown_broken_and_left() -> None:
    """Promises by their outcomes, controls by signature, and a reason for everything that was left out."""
    link, upload = mark("Docs", "a", href="https://example.com/"), mark("Photo", "input", input_type="file")
    first = page(ADD, OTHER, link, upload, text="a", number=1)
    after = page(ADD, OTHER, link, upload, text="b", number=2)
    plan = make_plan("An app to add things, to sort things and to play a sound.", "en", first)
    ids = [promise.id for promise in plan.promises]
    good = stepped(decided(Click(target=Target.of(ADD)), promise=ids[0]), first, after)
    dead = [stepped(decided(Click(target=Target.of(OTHER)), promise=ids[1]), after, after)]
    dead.append(stepped(decided(Click(target=Target.of(OTHER)), promise=ids[1]), after, after, dead))
    covered = coverage(view(after, steps=(good, *dead), past=(first, after, after), plan=plan), "covered")
    assert (covered.controls_found, covered.controls_tried) == (4, 2)
    assert [covered.promises[one] for one in ids[:2]] == [
        "shown",
        "broken" if dead[1].outcomes[0].held is False else "not_tested",
    ]
    assert covered.promises[ids[-1]] == "not_tested"
    told = "\n".join(covered.not_tested)
    assert "external pages are not followed" in told
    assert "uploads are not tested" in told
    assert "sound" in told


@pytest.mark.parametrize("kept_by", ["persists", "came_back"])
def test_only_an_assertion_about_it_shows_a_promise(kept_by: str) -> None:
    """What came back shows that it is kept; an entry ticked off for no promise shows none, whatever words they share."""
    page_ = page(ADD, text="a", number=1)
    plan = make_plan(
        "A todo list: add todos, mark them done, delete them, clear completed. Todos are kept after a reload.", "en", page_
    )
    by_text = {promise.text: promise.id for promise in plan.promises}
    told = Outcome(oracle="toggles", expectation="it is checked off", held=True, observed="it is on now")
    ticked = stepped(decided(Click(target=Target.of(ADD)), skill="check off an entry"), page_, page_)
    kept = stepped(decided(Reload(), skill="reload to see what is kept"), page_, page_)
    steps = (replace(ticked, outcomes=(told,)), replace(kept, outcomes=(told.model_copy(update={"oracle": kept_by}),)))
    promises = coverage(view(page_, steps=steps, past=(page_, page_), plan=plan), "covered").promises
    assert promises[by_text["Todos are kept after a reload"]] == "shown"
    assert promises[by_text["mark them done"]] == "not_tested"
    meant = replace(ticked, outcomes=(told.model_copy(update={"promise": by_text["mark them done"]}),))
    covered = coverage(view(page_, steps=(meant,), past=(page_,), plan=plan), "covered")
    assert covered.promises[by_text["mark them done"]] == "shown"


def test_coverage_takes_only_known_reasons() -> None:
    """A word that is no stop reason is a mistake of the caller's."""
    with pytest.raises(ValueError, match="no stop reason"):
        coverage(view(page(ADD)), "bored")


def test_the_entry_decides_what_the_site_is() -> None:
    """Another port is another site."""
    other = page(ADD, url="http://127.0.0.1:4001/")
    assert stop_reason(view(other, entry_url=SITE), "live") is None
    assert stop_reason(view(other, entry_url=""), "live") is None
