"""Situations in which something does not work: what the rubric judge makes of each, from a sealed run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluator.verdict.taxonomy import Blame, Category, Severity
from tests.unit.evaluator.records import Run, aesthetics, claim, functionality, judged, only, promise
from tools.evidence.film_rows import SoundTrack
from tools.evidence.trial_rows import Noted

CORE = promise("p1", "People can add items", central=True, keywords=("add",))
EXTRA = promise("p2", "A help page explains the list", keywords=("help",))


def test_a_working_app_keeps_the_full_score(tmp_path: Path) -> None:
    """Nothing failed: 8 for functionality, the baseline for aesthetics, no failures."""
    run = Run(tmp_path, promises=[CORE])
    run.works("#add", promise="p1")
    verdict = run.judge(promises={"p1": "shown"})
    assert (functionality(verdict), aesthetics(verdict)) == (8.0, 5.0)
    assert verdict.scored
    assert verdict.failures == ()
    assert verdict.functionality is not None
    assert verdict.functionality.low == 8.0
    assert (verdict.coverage.requirements, verdict.coverage.requirements_exercised) == (1, 1)


def test_a_violated_trial_is_a_failure_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    """Place, moment in the video, steps from a fresh page, cause and evidence; the control is one line."""
    run = Run(tmp_path, promises=[CORE])
    row = run.dead("#add", promise="p1", way=('press "List"',))
    run.recorded()
    verdict = run.judge(promises={"p1": "broken"})
    failure = only(verdict)
    assert (failure.category, failure.severity, failure.blame) == (Category.dead_control, Severity.critical, Blame.app)
    assert functionality(verdict) == 5.0
    assert failure.title == "Not so: button “Add” does something – nothing changed"
    assert failure.place.selector == "#add"
    assert failure.place.app_ms == 1500.0
    assert failure.place.video_s == 1.75
    assert failure.steps == ('press "List"', 'press the button "Add"')
    assert row.id in failure.evidence
    assert failure.step_ids[0] in failure.evidence
    assert (failure.cause.file, failure.cause.line) == ("index.html", 20)
    assert failure.origin == "new"


@pytest.mark.parametrize(
    ("by", "kept", "severity"),
    [
        ("does_something", False, Severity.critical),
        ("person", False, Severity.critical),
        ("does_something", True, Severity.major),
        ("escape_closes", False, Severity.minor),
    ],
)
def test_a_central_promise_that_nothing_keeps_is_critical(tmp_path: Path, by: str, kept: bool, severity: Severity) -> None:
    """A major failure of it; where another trial was seen to keep it, or the flaw is a small one, the core is not gone."""
    run = Run(tmp_path, promises=[CORE])
    run.tried("violated", "#add", by=by, requirements=("p1",))
    if kept:
        run.works("#item", promise="p1", by="added_item_appears")
    assert only(run.judge()).severity is severity


def test_what_is_violated_on_the_way_says_nothing_of_the_promise(tmp_path: Path) -> None:
    """An exception in a trial about the core is a major failure, not the end of the core."""
    run = Run(tmp_path, promises=[CORE])
    run.begin(by="added_item_appears", requirements=("p1",))
    run.act()
    run.asserted("cannot tell")
    run.asserted("violated", kind="clean", words="nothing fails", seen="TypeError: x is null")
    run.end("violated")
    failure = only(run.judge())
    assert (failure.category, failure.severity) == (Category.runtime_error, Severity.major)


@pytest.mark.parametrize("made_by", ["stubborn_tester", "way"])
def test_only_what_a_relation_asserts_is_seen_to_work(tmp_path: Path, made_by: str) -> None:
    """That nothing broke when everything was pressed keeps no promise."""
    run = Run(tmp_path, promises=[CORE])
    run.works("#add", promise="p1", by=made_by)
    run.dead("#clear", promise="p1")
    assert only(run.judge()).severity is Severity.critical


@pytest.mark.parametrize("result", ["explained", "cannot tell", "stopped", "held"])
def test_what_is_not_violated_is_no_failure(tmp_path: Path, result: Any) -> None:
    """Explained by its control, undecided, or broken off: nothing is deducted, and nothing suspected."""
    run = Run(tmp_path)
    run.tried(result, "#add")
    verdict = judged(run.seal())
    assert verdict.accused == ()
    assert functionality(verdict) == 8.0


def test_without_a_brief_a_dead_control_is_major(tmp_path: Path) -> None:
    """With no promises to go by, the relation alone decides, and the verdict says that there was no brief."""
    run = Run(tmp_path, brief="")
    run.dead("#add")
    verdict = run.judge()
    assert only(verdict).severity is Severity.major
    assert any("there was no brief" in line for line in verdict.unknown)


def test_thirty_equal_symptoms_are_one_failure(tmp_path: Path) -> None:
    """Thirty cards with the same dead button: one failure, thirty occurrences, one deduction."""
    run = Run(tmp_path)
    for number in range(1, 31):
        run.dead(f"ul > li:nth-of-type({number}) > button.like")
    verdict = run.judge()
    failure = only(verdict)
    assert failure.occurrences == 30
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
    trials = [run.dead(selector) for selector in ("#add", "#clear", "#help")]
    verdict = judged(run.seal())
    (failure,) = verdict.accused
    assert failure.category is Category.runtime_error
    assert failure.origin == "confirmed"
    assert not failure.counts, "what it broke must be met again first"
    assert failure.points == 3.0
    assert "3 things do not work because of it" in failure.title
    assert "button “Add” does something" in failure.observed
    assert (failure.cause.file, failure.cause.line) == ("index.html", 18)
    assert {error.id, *(row.id for row in trials)} <= set(failure.evidence)
    assert failure.step_ids


def test_an_error_at_load_does_not_explain_a_wrong_sum(tmp_path: Path) -> None:
    """What a script that did not run brings about is that nothing happens; a wrong result is a failure of its own."""
    run = Run(tmp_path)
    run.error("TypeError: list is null", line=18)
    run.tried("violated", "#sum", by="law_holds", seen="the total is 5")
    verdict = run.judge()
    assert only(verdict).category is Category.wrong_result
    assert claim(verdict.not_counted, "list is null")


def test_an_error_in_the_same_act_is_the_cause(tmp_path: Path) -> None:
    """A press throws and its result is missing: one failure that names the error, and cites the trial that a proof repeats."""
    run = Run(tmp_path)
    run.begin(by="totals_follow", why="the total grows")
    act = run.act()
    run.error("ReferenceError: total is not defined", line=23, at=run.now_ms - 200)
    violated = run.asserted("violated", seen="the total is 0")
    trial = run.end("violated")
    failure = only(run.judge())
    assert failure.category is Category.runtime_error
    assert failure.title.startswith("Uncaught error: ReferenceError: total is not defined")
    assert "the total grows" in failure.observed
    assert failure.step_ids == (act.id,)
    assert {trial.id, violated.id} <= set(failure.evidence)


def test_an_error_of_another_trial_explains_nothing_here(tmp_path: Path) -> None:
    """One button throws, also in its control experiment; the next one is dead for reasons of its own."""
    run = Run(tmp_path)
    run.begin()
    for stage in ("acts", "control"):
        run.act(selector="#clear", changed=True, stage=stage)
        run.error("ReferenceError: total is not defined", line=23, at=run.now_ms - 200)
    run.asserted("held")
    run.asserted("violated", kind="clean", words="nothing fails", seen="ReferenceError: total is not defined")
    run.end("violated")
    run.dead("#help")
    found = {failure.category: failure for failure in run.judge().failures}
    assert set(found) == {Category.runtime_error, Category.dead_control}
    assert "things do not work" not in found[Category.runtime_error].title


def test_a_thing_like_the_one_that_threw_is_broken_by_it(tmp_path: Path) -> None:
    """The first card throws and leaves the page so that no other card does anything: one failure."""
    run = Run(tmp_path)
    first, second = (f"ul > li:nth-of-type({number}) > button.card" for number in (1, 2))
    run.act(selector=first)
    run.error("TypeError: card is null", line=23, at=run.now_ms - 200)
    run.dead(second)
    failure = only(run.judge())
    assert failure.category is Category.runtime_error
    assert "something" in failure.observed


def test_an_error_between_two_trials_belongs_to_no_act(tmp_path: Path) -> None:
    """The page is opened afresh for the next trial and throws: that is as it was at first, and no act's doing."""
    run = Run(tmp_path)
    run.dead("#add")
    run.now_ms += 500.0
    run.error("TypeError: x is undefined", line=18, at=run.now_ms)
    run.works("#clear")
    verdict = run.judge()
    assert [failure.category for failure in verdict.failures] == [Category.runtime_error], (
        "as one that is thrown while the page loads"
    )
    assert "things do not work" not in verdict.failures[0].title


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
    assert [failure.category for failure in verdict.failures] == ([Category.runtime_error] if counts else [])


def test_console_errors_alone_cost_nothing(tmp_path: Path) -> None:
    """Logged errors are listed, equal ones once with their number; warnings are not."""
    run = Run(tmp_path)
    run.act(during=[run.console("could not sync"), run.console("could not sync"), run.console("slow", level="warning")])
    verdict = run.judge()
    assert functionality(verdict) == 8.0
    assert "(×2)" in claim(verdict.not_counted, "could not sync").text
    assert not any("slow" in item.text for item in verdict.not_counted)


def test_a_logged_error_in_the_failing_act_names_the_line(tmp_path: Path) -> None:
    """An error that the app caught and logged points at the line."""
    run = Run(tmp_path)
    logged = run.console("save failed", url="http://127.0.0.1:40001/index.html", line=23)
    run.tried("violated", by="totals_follow", during=[logged])
    assert only(run.judge()).cause.line == 23


def test_a_missing_own_script_is_the_root(tmp_path: Path) -> None:
    """The app refers to a script that is not there, and its control is dead: one failure that names the file."""
    run = Run(tmp_path, source="<html><body><button id=add>Add</button>\n<script src='app.js'></script></body></html>")
    run.add(run.failed("http://127.0.0.1:40001/app.js", "script"), at=60.0)
    run.dead("#add")
    failure = only(run.judge())
    assert failure.category is Category.runtime_error
    assert failure.title.startswith("A script of the app is missing: /app.js (status 404)")
    assert failure.cause.line == 2


def test_a_script_that_stops_while_loading_with_nothing_working_is_critical(tmp_path: Path) -> None:
    """The only control that was tried is dead through an error at load: the core is gone, whether or not the brief names it."""
    run = Run(tmp_path, promises=[promise("p9", "something else")])
    run.error("Uncaught TypeError: list is null", line=18)
    run.dead("#clear")
    verdict = run.judge()
    failure = only(verdict)
    assert (failure.severity, functionality(verdict)) == (Severity.critical, 5.0)
    assert failure.title == "Uncaught error: TypeError: list is null"


@pytest.mark.parametrize(("works", "severity"), [(False, Severity.critical), (True, Severity.major)])
def test_trials_that_an_exception_stopped_are_things_that_do_not_work(tmp_path: Path, works: bool, severity: Severity) -> None:
    """The page throws as it loads, and throws again whenever anything is sent: nothing was seen to work, or something was."""
    run = Run(tmp_path)
    run.error("TypeError: list is null", line=18)
    run.begin(by="added_item_appears")
    run.act()
    run.error("TypeError: list is null", line=18, at=run.now_ms - 100)
    run.asserted("violated", kind="clean", words="nothing fails", seen="TypeError: list is null")
    run.end("violated", stopped="exception: TypeError: list is null")
    if works:
        run.works("#clear", by="undo_restores")
    failure = only(run.judge())
    assert (failure.category, failure.severity) == (Category.runtime_error, severity)


def test_a_small_flaw_is_minor(tmp_path: Path) -> None:
    """As the relation says: 7.5."""
    run = Run(tmp_path)
    run.tried("violated", by="blank_is_refused")
    assert functionality(run.judge()) == 7.5


def test_unknown_symptoms_are_told_and_not_guessed(tmp_path: Path) -> None:
    """A symptom that nobody defined costs nothing and is named."""
    run = Run(tmp_path)
    run.finding("feng.shui", "the door faces north")
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert claim(verdict.unverifiable, "feng.shui")


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
    """The exploration calls a promise broken, but no trial shows it: no deduction."""
    run = Run(tmp_path, promises=[CORE])
    verdict = run.judge(promises={"p1": "broken"})
    assert functionality(verdict) == 8.0
    assert "no trial shows it" in claim(verdict.unverifiable, "Broken requirement").reason


@pytest.mark.parametrize(("works", "value"), [(0, 1.0), (5, 3.0)])
def test_hardly_anything_works(tmp_path: Path, works: int, value: float) -> None:
    """Five different things were tried and all failed: the anchor of the scale holds, unless as much was seen to work."""
    run = Run(tmp_path)
    for selector in ("#add", "#clear", "#help", "#sort", "#share"):
        run.dead(selector)
    others = ("added_item_appears", "totals_follow", "undo_restores", "search_finds", "names_are_unique")
    for number in range(works):
        run.works("#list", by=others[number])
    verdict = run.judge()
    assert verdict.functionality is not None
    assert sum(item.points for item in verdict.functionality.items) == -5.0
    assert verdict.functionality.value == value
    assert any("hardly anything" in cap for cap in verdict.functionality.caps) is not bool(works)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("changed", "it did something"), ("held", "it did something"), ("untried", "not tried"), ("heard", "heard")],
)
def test_a_suspected_dead_link_is_dismissed_or_left_open(tmp_path: Path, name: str, reason: str) -> None:
    """By what the exploration saw there: a change, a trial that held, a sound; or nothing at all."""
    run = Run(tmp_path)
    run.finding("markup.dead_link", "a link leads nowhere", selector="#help")
    if name == "changed":
        run.act(selector="#help", changed=True)
    elif name == "held":
        run.tried("held", "#help")
    elif name == "heard":
        run.act(selector="#help")
        values: dict[str, Any] = {"window_ms": 20, "silence_dbfs": -60, "peak_dbfs": -6, "loudest_dbfs": -12, "onsets": 1}
        run.add(SoundTrack(audible_s=1.0, audible_spans=((1600.0, 1900.0),), first_onsets_ms=(), **values))
    verdict = run.judge()
    assert verdict.failures == ()
    assert functionality(verdict) == 8.0
    assert reason in claim((*verdict.unverifiable, *verdict.not_counted), "seems to lead nowhere").reason


def test_a_suspected_dead_link_that_a_trial_shows_is_confirmed(tmp_path: Path) -> None:
    """One failure, the trial's, that cites the suspicion too."""
    run = Run(tmp_path)
    suspected = run.finding("markup.dead_link", "a link leads nowhere", selector="#help")
    run.tried("violated", "#help", by="leads_somewhere")
    failure = only(run.judge())
    assert failure.category is Category.broken_navigation
    assert failure.origin == "confirmed"
    assert suspected.id in failure.evidence


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
    assert len(verdict.failures) == 3
    assert functionality(verdict) == 7.5


@pytest.mark.parametrize(("asked", "value"), [("A chart of the year", 8.0), ("It works with a screen reader", 7.5)])
def test_what_cannot_be_operated_costs_a_picture_without_words_where_they_are_asked_for(
    tmp_path: Path, asked: str, value: float
) -> None:
    """An image without a text alternative is told in either case."""
    run = Run(tmp_path, promises=[promise("p1", asked)])
    run.finding("axe.svg-img-alt", "the chart has no text alternative", selector="#chart")
    verdict = run.judge()
    assert functionality(verdict) == value
    assert len(verdict.failures) == (value < 8)
    assert len(verdict.failures) + len(verdict.not_counted) == 1


def test_what_a_model_notes_is_suspected_and_never_more(tmp_path: Path) -> None:
    """Whatever a fresh browser shows: no trial is behind it. The interval reaches down, the value stays."""
    run = Run(tmp_path, promises=[CORE])
    trial = run.works("#add", promise="p1")
    odd = Noted(what="the total looks wrong", where="Add", requirement="p1", severity="major")
    notes = [run.add(odd, parent=trial.id) for _ in range(2)]
    run.add(Noted(what="a faint line"), parent=trial.id)
    verdict = run.judge(promises={"p1": "shown"})
    assert verdict.failures == ()
    graver, lesser = verdict.suspected
    assert (graver.title, graver.category, graver.severity) == ("The total looks wrong", Category.wrong_result, Severity.major)
    assert (graver.place.selector, graver.promise, graver.occurrences) == ("#add", "p1", 2)
    assert {row.id for row in notes} <= set(graver.evidence)
    assert trial.id not in {*graver.evidence, *lesser.evidence}, "what the trial before it found is none of its evidence"
    assert "no trial shows it" in graver.unprovable
    assert lesser.severity is Severity.minor
    assert functionality(verdict) == 8.0
    assert verdict.functionality is not None
    assert verdict.functionality.low == 6.5
    assert any("no trial shows it" in doubt.reason for doubt in verdict.functionality.doubts)
