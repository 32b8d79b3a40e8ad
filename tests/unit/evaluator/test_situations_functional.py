"""Situations in which something does not work: what the rubric judge makes of each, from a sealed run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluator.taxonomy import Blame, Category, Severity
from tests.unit.evaluator.records import Run, aesthetics, claim, functionality, judged, mark, only, promise
from tools.browser.actions import Click, Target, Wait
from tools.evidence.film_rows import SoundTrack
from tools.evidence.rows import Changes, Phase, Planned

CORE = promise("p1", "People can add items", central=True, keywords=("add",))
EXTRA = promise("p2", "A help page explains the list", keywords=("help",))


def test_a_working_app_keeps_the_full_score(tmp_path: Path) -> None:
    """Nothing failed: 8 for functionality, the baseline for aesthetics, no failures."""
    run = Run(tmp_path, promises=[CORE])
    run.works("#add", promise="p1")
    verdict = run.judge()
    assert (functionality(verdict), aesthetics(verdict)) == (8.0, 5.0)
    assert verdict.scored
    assert verdict.failures == ()
    assert verdict.functionality is not None
    assert verdict.functionality.low == 8.0
    assert (verdict.coverage.requirements, verdict.coverage.requirements_exercised) == (1, 1)


def test_a_dead_central_control_is_critical(tmp_path: Path) -> None:
    """The core control does nothing: −3, with place, moment in the video, step, cause and evidence."""
    run = Run(tmp_path, promises=[CORE])
    row = run.dead("#add", promise="p1")
    run.recorded()
    verdict = run.judge()
    failure = only(verdict)
    assert (failure.category, failure.severity, failure.blame) == (Category.dead_control, Severity.critical, Blame.app)
    assert functionality(verdict) == 5.0
    assert failure.title == "Button “Add” does nothing"
    assert failure.place.box is not None
    assert failure.place.box.x == 220
    assert failure.place.app_ms == 2900.0
    assert failure.place.video_s == 3.15
    assert failure.steps == ('click button "Add"',)
    assert failure.step_ids[0] in failure.evidence
    assert row.id in failure.evidence
    assert (failure.cause.file, failure.cause.line) == ("index.html", 20)
    assert failure.origin == "new"
    assert verdict.coverage.requirements_exercised == 1


def test_what_is_said_of_the_page_at_every_act_is_one_failure(tmp_path: Path) -> None:
    """A card called overdue that is not is wrong whatever was pressed meanwhile."""
    run = Run(tmp_path, promises=[CORE])
    for selector in ("#add", "#move", "#delete"):
        run.outcome(run.act(selector=selector), "wrong_result", oracle="dues_agree", expectation="dates are called what they are")
    assert only(run.judge()).category is Category.wrong_result


@pytest.mark.parametrize(
    ("symptom", "title"),
    [
        ("state_not_updated", "The page does not follow: “To do” is still 3 over 2 cards"),
        ("broken_navigation", "Button “Add” does not lead where it should: “To do” is still 3 over 2 cards"),
    ],
)
def test_a_title_says_what_was_seen_and_not_only_what_was_done(symptom: str, title: str, tmp_path: Path) -> None:
    """What is wrong stands in the title, and the line of the score's sum has it once, with the weight before it."""
    run = Run(tmp_path, promises=[CORE])
    run.outcome(run.act(), symptom, attempts=2, oracle="heads_agree", observed="“To do” is still 3 over 2 cards")
    verdict = run.judge()
    failure = only(verdict)
    assert failure.title == title
    assert verdict.functionality is not None
    (item,) = (one for one in verdict.functionality.items if one.failure == failure.id)
    assert item.reason == f"{failure.severity.value}: {title}"


def test_figures_that_may_be_misread_are_minor_however_central(tmp_path: Path) -> None:
    """A sum that never agreed in the run costs half a point, the same sum that agreed before costs three."""
    found = []
    for weak in (True, False):
        run = Run(tmp_path / str(weak), promises=[CORE])
        run.outcome(
            run.act(selector="#add"),
            "wrong_result",
            promise="p1",
            weak=weak,
            oracle="sums_agree",
            observed="the total shown is 5",
        )
        found.append(run.judge())
    assert [(only(one).severity, functionality(one)) for one in found] == [(Severity.minor, 7.5), (Severity.critical, 5.0)]


def test_a_named_feature_is_major_and_an_unnamed_thing_minor(tmp_path: Path) -> None:
    """What the brief names weighs one point, what it never asked for half of one."""
    run = Run(tmp_path, promises=[CORE, EXTRA])
    run.dead("#help", promise="p2")
    run.dead("#clear")
    verdict = run.judge()
    assert [(one.severity, one.points) for one in verdict.failures] == [(Severity.major, 1.0), (Severity.minor, 0.5)]
    assert functionality(verdict) == 6.5


def test_keywords_tie_a_failure_to_a_promise(tmp_path: Path) -> None:
    """An outcome that names no promise is tied to one whose keyword stands in the control's name."""
    run = Run(tmp_path, promises=[CORE])
    run.dead("#add")
    failure = only(run.judge())
    assert (failure.promise, failure.severity) == ("p1", Severity.critical)


def test_without_a_brief_a_dead_control_is_major(tmp_path: Path) -> None:
    """With no promises to go by, the kind alone decides, and the verdict says that there was no brief."""
    run = Run(tmp_path, brief="")
    run.dead("#add")
    verdict = run.judge()
    assert only(verdict).severity is Severity.major
    assert any("there was no brief" in line for line in verdict.unknown)


def test_one_attempt_is_not_enough(tmp_path: Path) -> None:
    """A control tried once is not dead: no deduction, an unverifiable claim, a lower bound that could drop."""
    run = Run(tmp_path)
    run.outcome(run.act(), "dead_control", attempts=1)
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert "2 are needed" in claim(verdict.unverifiable, "Add").reason
    assert verdict.functionality is not None
    assert verdict.functionality.low == 7.0


def test_two_single_attempts_add_up(tmp_path: Path) -> None:
    """Two acts on one control, each judged by itself, are two attempts."""
    run = Run(tmp_path)
    run.outcome(run.act(), "dead_control")
    run.outcome(run.act(), "dead_control")
    failure = only(run.judge())
    assert failure.category is Category.dead_control
    assert failure.occurrences == 2


def test_a_control_that_worked_at_another_moment_is_not_dead(tmp_path: Path) -> None:
    """The same act had an effect once: the accusation is withdrawn, and said so."""
    run = Run(tmp_path)
    run.dead("#add")
    run.works("#add")
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert claim(verdict.unverifiable, "at another moment").blame is Blame.ambiguous


def test_what_holds_of_the_page_excuses_no_control(tmp_path: Path) -> None:
    """After each press of a dead button the page's counts agreed: that is no effect of the button."""
    run = Run(tmp_path)
    run.dead("#add")
    run.outcome(run.act(selector="#add"), held=True, oracle="counts_agree", selector="#add")
    run.outcome(run.act(selector="#add"), held=True, oracle="share_agrees")
    assert only(run.judge()).category is Category.dead_control


def test_a_value_that_figures_show_ignored_is_not_excused_by_the_button_that_took_it(tmp_path: Path) -> None:
    """The form was taken in, and what was chosen was counted as something else: two figures tell it."""
    run = Run(tmp_path)
    sent = run.act(selector="#add")
    run.outcome(sent, held=True, oracle="accepted", selector="#add")
    run.outcome(sent, "input_ignored", attempts=2, oracle="counted_as", selector="#add")
    assert only(run.judge()).category is Category.input_ignored


def test_another_key_does_not_excuse_an_ignored_one(tmp_path: Path) -> None:
    """Space works, the arrow is ignored: the arrow is still a failure."""
    run = Run(tmp_path, promises=[promise("p3", "Steer with the arrow keys", aspect="keyboard")])
    press = run.press("ArrowLeft")
    run.outcome(press, "keyboard_ignored", attempts=2, promise="p3", selector="canvas")
    run.outcome(run.press("Space", changes=Changes(picture=0.2)), held=True, selector="canvas")
    failure = only(run.judge())
    assert failure.category is Category.input_ignored
    assert failure.title == "The keyboard has no effect: press ArrowLeft"


def test_a_watch_excuses_no_other_watch(tmp_path: Path) -> None:
    """That what was paused stands still says nothing of a pace that ignores its slider: nothing was aimed at in either."""
    run = Run(tmp_path)
    slow = run.act(Wait(ms=2600.0))
    run.outcome(slow, "input_ignored", attempts=2, oracle="paced", expectation="what runs follows the speed", selector="")
    run.outcome(run.act(Wait(ms=1300.0)), held=True, oracle="still", expectation="it stands still", selector="")
    assert only(run.judge()).category is Category.input_ignored


@pytest.mark.parametrize(("held", "failures"), [("responds", 1), ("choice_follows", 1), ("filtered", 0)])
def test_a_check_of_the_one_effect_is_answered_by_the_same_check_alone(tmp_path: Path, held: str, failures: int) -> None:
    """A filter that leaves all entries is ignored, though choosing changed its look; the same filter that left some is not."""
    run = Run(tmp_path)
    run.outcome(run.act(), "input_ignored", attempts=2, oracle="filtered")
    run.outcome(run.act(), held=True, oracle=held)
    assert len(run.judge().failures) == failures


@pytest.mark.parametrize(("oracle", "failures"), [("accepted", 1), ("responds", 0)])
def test_an_objection_shows_that_a_button_is_heard_and_no_more(tmp_path: Path, oracle: str, failures: int) -> None:
    """A form that objected to nothing being filled in still leads nowhere; as a mere press the button did something."""
    run = Run(tmp_path)
    run.outcome(run.act(), oracle="validation_shown", held=True)
    run.outcome(run.act(), "dead_control", attempts=2, oracle=oracle)
    assert len(run.judge().failures) == failures


def test_the_same_key_that_worked_later_is_no_failure(tmp_path: Path) -> None:
    """The arrow was ignored before the game began and steers it afterwards: withdrawn."""
    run = Run(tmp_path)
    run.outcome(run.press("ArrowLeft"), "keyboard_ignored", attempts=2, selector="canvas")
    run.outcome(run.press("ArrowLeft", changes=Changes(picture=0.2)), held=True, selector="canvas")
    verdict = run.judge()
    assert verdict.failures == ()
    assert claim(verdict.unverifiable, "at another moment")


def test_acts_without_a_target_are_not_one_thing(tmp_path: Path) -> None:
    """A timer that stands still and a list that is gone after a reload are two failures, though neither names an element."""
    run = Run(tmp_path)
    run.outcome(run.act(Wait(ms=2000)), "state_not_updated", oracle="ticks", expectation="the time runs")
    run.outcome(run.act(Wait(ms=2000)), "state_not_updated", oracle="ticks", expectation="the time runs")
    run.outcome(run.act(Wait(ms=2000)), "state_not_updated", oracle="still", expectation="the time stands")
    verdict = run.judge()
    assert sorted(one.occurrences for one in verdict.failures) == [1, 2]


def test_things_in_frames_keep_their_names(tmp_path: Path) -> None:
    """An element in a frame is named by the frame's path and its own; role, name and box are found all the same."""
    inner = {**mark("#go", "button", "Go", (40, 50, 60, 20)), "frame": "iframe"}
    run = Run(tmp_path, marks=[inner])
    click = Click(target=Target(selector="#go", frame="iframe", role="button", name="Go"))
    run.outcome(run.act(click), "dead_control", attempts=2, selector="iframe >>> #go")
    failure = only(run.judge())
    assert failure.title == "Button “Go” does nothing"
    assert failure.place.selector == "iframe >>> #go"
    assert failure.place.box is not None
    assert failure.place.box.x == 40


def test_a_keyword_is_not_found_inside_another_word(tmp_path: Path) -> None:
    """A brief that asks to add things says nothing about an address field."""
    run = Run(tmp_path, promises=[CORE])
    click = Click(target=Target(selector="#address", role="textbox", name="Address"))
    run.outcome(run.act(click), "dead_control", attempts=2)
    assert only(run.judge()).promise == ""


def test_thirty_equal_symptoms_are_one_failure(tmp_path: Path) -> None:
    """Thirty cards with the same dead button: one failure, thirty occurrences, one deduction."""
    run = Run(tmp_path)
    for number in range(1, 31):
        run.outcome(run.act(selector=f"ul > li:nth-of-type({number}) > button.like"), "dead_control", attempts=2)
    verdict = run.judge()
    failure = only(verdict)
    assert failure.occurrences == 30
    assert functionality(verdict) == 7.0


def test_several_outcomes_of_one_act_are_one_failure(tmp_path: Path) -> None:
    """A dead button also leaves the list unchanged: the cause is named, the consequence not deducted again."""
    run = Run(tmp_path)
    act = run.act()
    run.outcome(act, "dead_control", attempts=2)
    run.outcome(act, "state_not_updated", oracle="text_appears", selector="#list", expectation="“Milk” appears in the list")
    verdict = run.judge()
    assert only(verdict).category is Category.dead_control
    assert functionality(verdict) == 7.0


def test_different_defects_are_deducted_each(tmp_path: Path) -> None:
    """Two controls with different names that both fail are two failures."""
    run = Run(tmp_path)
    run.dead("#add")
    run.dead("#clear")
    verdict = run.judge()
    assert len(verdict.failures) == 2
    assert functionality(verdict) == 6.0


def test_a_page_error_at_load_is_the_root_of_dead_controls(tmp_path: Path) -> None:
    """The script stops while loading and three controls are dead: one runtime error, with the controls as its symptoms."""
    run = Run(tmp_path)
    error = run.error("TypeError: list is null", line=18)
    for selector in ("#add", "#clear", "#help"):
        run.dead(selector)
    verdict = run.judge()
    failure = only(verdict)
    assert failure.category is Category.runtime_error
    assert failure.origin == "confirmed"
    assert failure.points == 3.0
    assert "3 things do not work because of it" in failure.title
    assert "Button “Add” does nothing" in failure.observed
    assert (failure.cause.file, failure.cause.line) == ("index.html", 18)
    assert error.id in failure.evidence
    assert failure.step_ids


def test_an_error_in_the_same_act_is_the_cause(tmp_path: Path) -> None:
    """A click throws and its result is missing: one failure that names the error, whatever control it is."""
    run = Run(tmp_path)
    act = run.act()
    run.error("ReferenceError: total is not defined", line=23, at=run.now_ms - 200)
    run.outcome(act, "state_not_updated", oracle="number_changes", expectation="the total grows")
    failure = only(run.judge())
    assert failure.category is Category.runtime_error
    assert failure.title.startswith("Uncaught error: ReferenceError: total is not defined")
    assert failure.expected == "the total grows"


def test_an_error_without_effect_is_only_told(tmp_path: Path) -> None:
    """An uncaught error that broke nothing visible costs nothing and is listed."""
    run = Run(tmp_path)
    run.error("TypeError: x is undefined", line=18)
    run.works("#add")
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert claim(verdict.not_counted, "x is undefined").blame is Blame.app


@pytest.mark.parametrize(
    ("message", "times", "counts"),
    [
        ("ReferenceError: clearIntervals is not defined", 3, True),
        ("ReferenceError: clearIntervals is not defined", 1, False),
        ("Error: the sound was not allowed to start", 3, False),
    ],
)
def test_a_mistake_that_is_met_on_every_tick_counts(tmp_path: Path, message: str, times: int, counts: bool) -> None:
    """Thrown over and over in act after act, though the page changes meanwhile; rarely, or another error, it is only told."""
    run = Run(tmp_path)
    for _ in range(4):
        run.works("#add")
        for turn in range(times):
            run.error(message, line=23, at=run.now_ms - 200 + turn)
    verdict = run.judge()
    assert [one.category for one in verdict.failures] == ([Category.runtime_error] if counts else [])


def test_console_errors_alone_cost_nothing(tmp_path: Path) -> None:
    """Logged errors are listed, equal ones once with their number; warnings are not."""
    run = Run(tmp_path)
    run.act(during=[run.console("could not sync"), run.console("could not sync"), run.console("slow", level="warning")])
    verdict = run.judge()
    assert functionality(verdict) == 8.0
    assert "(×2)" in claim(verdict.not_counted, "could not sync").text
    assert not any("slow" in one.text for one in verdict.not_counted)


def test_a_logged_error_in_the_failing_act_is_cited(tmp_path: Path) -> None:
    """An error that the app caught and logged is evidence for the failure of that act, and points at the line."""
    run = Run(tmp_path)
    logged = run.console("save failed", url="http://127.0.0.1:40001/index.html", line=23)
    act = run.act(during=[logged])
    run.outcome(act, "state_not_updated", oracle="text_appears")
    verdict = run.judge()
    failure = only(verdict)
    assert failure.cause.line == 23
    assert any(row.body == logged for row in run.seal_rows(failure.evidence))
    assert not any("save failed" in one.text for one in verdict.not_counted)


def test_a_missing_own_script_is_the_root(tmp_path: Path) -> None:
    """The app refers to a script that is not there, and its control is dead: one failure that names the file."""
    run = Run(tmp_path, source="<html><body><button id=add>Add</button>\n<script src='app.js'></script></body></html>")
    run.add(run.failed("http://127.0.0.1:40001/app.js", "script"), at=60.0)
    run.dead("#add")
    failure = only(run.judge())
    assert failure.category is Category.runtime_error
    assert failure.title.startswith("A script of the app is missing: /app.js (status 404)")
    assert failure.cause.line == 2


def test_wrong_result_and_persistence(tmp_path: Path) -> None:
    """A sum that is wrong and items that are gone after a reload are two failures with their own steps."""
    run = Run(tmp_path, marks=[mark("#item", "textbox", "Item"), mark("#add", "button", "Add")])
    typed, clicked = run.type("3"), run.act()
    run.outcome((typed, clicked), "wrong_result", oracle="equals", observed="the total is 2", expectation="the total is 3")
    reloaded = run.reload()
    run.outcome((typed, clicked, reloaded), "persistence_lost", oracle="persists", expectation="“3” is still there")
    verdict = run.judge()
    found = {one.category: one for one in verdict.failures}
    assert set(found) == {Category.wrong_result, Category.persistence_lost}
    assert found[Category.persistence_lost].step_ids == (typed.id, clicked.id, reloaded.id)
    assert found[Category.wrong_result].observed == "the total is 2"
    assert functionality(verdict) == 6.0


def test_what_is_lost_must_first_be_entered(tmp_path: Path) -> None:
    """The oracle names the reload only; the steps begin with entering what is gone, and leave out what has no part in it."""
    run = Run(tmp_path)
    typed, sent = run.type("Milk"), run.act()
    run.works("#clear")
    reloaded = run.reload()
    run.outcome(reloaded, "persistence_lost", oracle="persists", expectation='"Milk" is still there after a reload')
    failure = only(run.judge())
    assert failure.step_ids == (typed.id, sent.id, reloaded.id)
    assert failure.steps[-1] == "reload the page"
    assert failure.cause.note == "no script of the app stores anything"


def test_a_script_that_stops_while_loading_with_nothing_working_is_critical(tmp_path: Path) -> None:
    """The only control that was tried is dead through an error at load: the core is gone, whether or not the brief names it."""
    run = Run(tmp_path, promises=[promise("p9", "something else")])
    run.error("Uncaught TypeError: list is null", line=18)
    run.dead("#clear")
    verdict = run.judge()
    failure = only(verdict)
    assert (failure.severity, functionality(verdict)) == (Severity.critical, 5.0)
    assert failure.title == "Uncaught error: TypeError: list is null"


def test_steps_begin_at_the_last_fresh_page(tmp_path: Path) -> None:
    """A target that appeared later needs the way to it: everything since the reload, idle looking left out."""
    run = Run(tmp_path)
    run.act(selector="#clear")
    run.reload()
    opened = run.act(selector="#help", changes=Changes(dom=True), marks=[mark("#ok", "button", "OK")])
    run.outcome(opened, held=True)
    missed = run.act(selector="#ghost", delivered=False, problem="target gone")
    final = run.act(selector="#ok")
    run.outcome(final, "dead_control", attempts=2)
    failure = only(run.judge())
    assert failure.step_ids == (opened.id, final.id)
    assert missed.id not in failure.step_ids


def test_a_promise_that_worked_too_is_not_critical(tmp_path: Path) -> None:
    """The same check of the same central promise held at another moment: flawed, but the core is not gone."""
    run = Run(tmp_path, promises=[CORE])
    good, bad = run.act(changes=Changes(text=True)), run.act(changes=Changes(text=True))
    run.outcome(good, held=True, oracle="equals", promise="p1", selector="#sum")
    run.outcome(bad, "wrong_result", oracle="equals", promise="p1", selector="#sum")
    (failure,) = judged(run.seal()).suspected
    assert failure.severity is Severity.major
    assert failure.confidence == 0.6


def test_validation_missing_is_minor(tmp_path: Path) -> None:
    """An incomplete validation is a minor flaw: 7.5."""
    run = Run(tmp_path)
    run.outcome(run.act(), "validation_missing", oracle="validation_shown")
    assert functionality(run.judge()) == 7.5


def test_unknown_symptoms_are_told_and_not_guessed(tmp_path: Path) -> None:
    """A symptom that nobody defined costs nothing, widens the interval and is named."""
    run = Run(tmp_path)
    run.outcome(run.act(), "gravity_inverted")
    run.finding("feng.shui", "the door faces north")
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert claim(verdict.unverifiable, "gravity_inverted")
    assert claim(verdict.unverifiable, "feng.shui")
    assert verdict.functionality is not None
    assert verdict.functionality.low == 7.0


def test_untested_promises_widen_and_never_deduct(tmp_path: Path) -> None:
    """What was not tried is not broken: the value stays, the lower bound drops by the stated figures."""
    run = Run(tmp_path, promises=[CORE, EXTRA])
    verdict = run.judge(stop="steps", promises={"p1": "not_tested", "p2": "not_tested"}, not_tested=("add: no step left",))
    assert functionality(verdict) == 8.0
    assert verdict.functionality is not None
    # 1.5 for the central promise, 0.5 for the other, 1.0 because nothing at all was tried.
    assert verdict.functionality.low == 5.0
    assert (verdict.coverage.requirements, verdict.coverage.requirements_exercised) == (2, 0)
    assert verdict.coverage.not_tested == ("add: no step left",)
    assert any("People can add items" in line for line in verdict.unknown)


def test_an_opinion_is_no_evidence(tmp_path: Path) -> None:
    """The exploration calls a promise broken, but no outcome shows it: no deduction."""
    run = Run(tmp_path, promises=[CORE])
    verdict = run.judge(promises={"p1": "broken"})
    assert functionality(verdict) == 8.0
    assert "no outcome shows it" in claim(verdict.unverifiable, "Broken promise").reason


def test_hardly_anything_works(tmp_path: Path) -> None:
    """Five different things were tried and all failed: the anchor of the scale holds, whatever the sum says."""
    run = Run(tmp_path)
    for selector in ("#add", "#clear", "#help", "#sort", "#share"):
        run.dead(selector)
    verdict = run.judge()
    assert verdict.functionality is not None
    assert sum(item.points for item in verdict.functionality.items) == -5.0
    assert verdict.functionality.value == 1.0
    assert any("hardly anything" in cap for cap in verdict.functionality.caps)


def test_a_suspected_dead_link_is_dismissed_or_confirmed_or_left_open(tmp_path: Path) -> None:
    """A suspicion from the page alone is settled by what the exploration saw there."""
    for name, failures, reason in (("worked", 0, "it did something"), ("failed", 1, ""), ("untried", 0, "not tried")):
        run = Run(tmp_path / name)
        run.finding("markup.dead_link", "a link leads nowhere", selector="#help")
        if name == "worked":
            run.act(selector="#help", changes=Changes(dom=True))
        elif name == "failed":
            run.dead("#help")
        verdict = run.judge()
        assert len(verdict.failures) == failures, name
        if failures:
            assert verdict.failures[0].origin == "confirmed"
        else:
            assert reason in claim(verdict.unverifiable, "seems to lead nowhere").reason
            assert functionality(verdict) == 8.0


def test_a_broken_value_on_the_page(tmp_path: Path) -> None:
    """NaN in place of a number is a wrong result, seen without any act."""
    run = Run(tmp_path, source="<html><body><p id=sum>Total: NaN</p></body></html>")
    run.finding("value.nan", "NaN is shown: “Total: NaN”.", selector="#sum", count=2)
    verdict = run.judge()
    failure = only(verdict)
    assert (failure.category, failure.origin, failure.occurrences) == (Category.wrong_result, "static", 2)
    assert failure.cause.line == 1
    assert functionality(verdict) == 7.0


def test_accessibility_is_one_small_deduction(tmp_path: Path) -> None:
    """Many rules broken: the category's limit keeps it at half a point."""
    run = Run(tmp_path)
    for rule in ("button-name", "label", "image-alt", "link-name"):
        run.finding(f"axe.{rule}", f"{rule} is broken", selector="#add", count=3)
    verdict = run.judge()
    assert len(verdict.failures) == 4
    assert functionality(verdict) == 7.5


def test_what_is_nowhere_is_met_on_a_fresh_page(tmp_path: Path) -> None:
    """A missing feature takes no steps but the look for it, whatever was done before."""
    run = Run(tmp_path, promises=[CORE])
    run.works("#add", promise="p1")
    run.type("milk", changes=Changes(text=True))
    look = run.act(Wait(ms=300))
    run.outcome(look, "missing_feature", oracle="offered", observed='"long break" is nowhere on the page')
    failure = only(run.judge())
    assert failure.category is Category.missing_feature
    assert failure.step_ids == (look.id,)


def heard(run: Run, *spans: tuple[float, float]) -> None:
    """The sound track of an app that makes music."""
    run.add(Planned(domain="music", promises=run.plan, order=()), phase=Phase.plan)
    values: dict[str, Any] = {"window_ms": 20, "silence_dbfs": -60, "peak_dbfs": -6, "loudest_dbfs": -12, "onsets": len(spans)}
    run.add(SoundTrack(audible_s=1.0, audible_spans=spans, first_onsets_ms=(), **values))


def test_what_may_sound_is_not_dead_where_it_could_not_be_heard(tmp_path: Path) -> None:
    """A pad changes nothing to be seen: dead in silence, unless nothing at all is heard, or something is all the while."""

    def judged(name: str, *spans: tuple[float, float], mute: bool = False) -> list[Category]:
        run = Run(tmp_path / name)
        heard(run, *spans)
        if mute:
            run.outcome(run.act(changes=Changes(text=True)), "audio_missing", oracle="audible", attempts=2)
        run.outcome(run.act(changes=Changes()), "dead_control", attempts=2, selector="#help")
        return [failure.category for failure in run.judge().failures]

    assert judged("quiet") == [Category.dead_control]
    assert judged("drowned", (0.0, 1_000_000.0)) == []
    assert judged("mute", mute=True) == [Category.audio_missing]


def test_a_label_that_follows_does_not_make_up_for_a_tempo_that_does_not(tmp_path: Path) -> None:
    """The slider says the new tempo, and what is heard keeps the old one."""
    run = Run(tmp_path)
    heard(run, (5.0, 1_000_000.0))
    run.outcome(run.act(changes=Changes(value=True)), oracle="label_follows", held=True)
    run.outcome(run.act(changes=Changes(value=True)), "input_ignored", attempts=2, oracle="tempo_followed")
    assert only(run.judge()).category is Category.input_ignored
