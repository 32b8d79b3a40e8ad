"""What a model says costs something only if the record bears it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluator.verdict.model import Verdict
from evaluator.verdict.taxonomy import Blame, Category
from tests.unit.evaluator.records import claim, only, promise
from tests.unit.judges.looks import Looked, Scripted, answer, found, impression, judged, problem, refs, scored, suspicion
from tools.evidence.film_rows import MotionTrack, SoundTrack
from tools.evidence.record import Record
from tools.evidence.rows import Gap


def scored_as_listed(ask: Any) -> dict[str, Any]:
    """Deducts a point for every problem that is listed, and nothing else."""
    words = ask.prompt.tail
    refs = [words.split(f"deducted from {scale}: ")[1].split("\n")[0] for scale in ("functionality", "aesthetics")]
    lists = [{ref: 1.0 for ref in line.split(", ") if ref != "nothing"} for line in refs]
    return scored(lists[0], lists[1])


async def one_problem(record: Record, said: dict[str, Any]) -> Verdict:
    """The verdict when the model names one problem."""

    def finder(ask: Any) -> dict[str, Any]:
        return found(said, answered=[answer(ref, "cannot tell") for ref in refs(ask)])

    return await judged(record, Scripted(static_reader=impression(), problem_finder=finder, scorer=scored_as_listed))


async def test_a_problem_that_a_violated_trial_shows_costs_its_points(tmp_path: Path) -> None:
    """Once a fresh browser showed the trial again it is a failure, with place, steps, cause line and points by severity."""
    run = Looked(tmp_path)
    trial, act = run.shows("#clear", by="escape_closes")
    shot = run.shot_after(act)
    said = problem(
        "wrong_result",
        "The total leaves out the last item",
        [shot, trial.id],
        target="#add",
        cause_file="index.html",
        cause_line=19,
    )
    verdict = await one_problem(run.seal(), said)
    failure = next(item for item in verdict.failures if item.category is Category.wrong_result)
    assert failure.points == 1.0
    assert failure.origin == "new"
    assert failure.step_ids == (act.id,)
    assert {shot, trial.id} <= set(failure.evidence)
    assert failure.cause.known
    assert verdict.functionality is not None
    assert verdict.functionality.value == 6.5, "1 for it, and half a point for what the trial was made to show"


@pytest.mark.parametrize("result", ["held", "explained", "cannot tell"])
async def test_a_functional_problem_that_no_violated_trial_shows_is_suspected(tmp_path: Path, result: Any) -> None:
    """A picture is not enough, nor a trial that its control explained: listed, and the value stays."""
    run = Looked(tmp_path)
    trial = run.tried(result, "#clear", by="escape_closes")
    act = run.changes()
    said = problem("wrong_result", "The total is wrong", [run.shot_after(act), trial.id], steps=[act.id])
    verdict = await one_problem(run.seal(), said)
    assert verdict.failures == ()
    (item,) = verdict.suspected
    assert item.title == "The total is wrong"
    assert "no trial that it cites was violated" in item.unprovable
    assert verdict.functionality is not None
    assert (verdict.functionality.value, verdict.functionality.low) == (8.0, 7.0)


async def test_an_aesthetic_problem_needs_a_picture_and_no_trial(tmp_path: Path) -> None:
    """What somebody sees on the page at first sight is met again by looking."""
    run = Looked(tmp_path)
    act = run.changes()
    said = problem("layout_overlap", "The buttons overlap", [run.shot_after(act)], target="#clear")
    verdict = await one_problem(run.seal(), said)
    assert only(verdict).category is Category.layout_overlap
    assert verdict.aesthetics is not None
    assert verdict.aesthetics.value == 4.0


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        (["e009999"], "e009999 is not in the ledger"),
        (["the first picture"], "the first picture is not in the ledger"),
        ([], "it cites no evidence"),
        (["e000001"], "e000001 was not shown"),
    ],
)
async def test_a_problem_without_evidence_costs_nothing(tmp_path: Path, evidence: list[str], reason: str) -> None:
    """What does not exist, was not shown or is not cited makes a claim unverifiable."""
    run = Looked(tmp_path)
    run.changes()
    verdict = await one_problem(run.seal(), problem("wrong_result", "The total is wrong", evidence))
    assert verdict.failures == ()
    assert reason in claim(verdict.unverifiable, "The total is wrong").reason
    assert verdict.functionality is not None
    assert verdict.functionality.value == 8.0


@pytest.mark.parametrize("blame", [Blame.agent, Blame.environment, Blame.evaluator])
async def test_somebody_elses_failing_is_not_deducted(tmp_path: Path, blame: Blame) -> None:
    """Only the app's failings cost anything; the others are listed as not counted."""
    run = Looked(tmp_path)
    act = run.changes()
    said = problem("wrong_result", "The total is wrong", [run.shot_after(act)], blame=blame.value)
    verdict = await one_problem(run.seal(), said)
    assert verdict.failures == ()
    assert claim(verdict.not_counted, "The total is wrong").blame is blame


async def test_a_missed_click_is_the_agents(tmp_path: Path) -> None:
    """A control is not dead because a click never reached it, whatever the model calls it."""
    run = Looked(tmp_path)
    act = run.act(delivered=False, problem="the target was covered")
    said = problem("dead_control", "Add does nothing", [act.id], steps=[act.id])
    verdict = await one_problem(run.seal(), said)
    assert verdict.failures == ()
    assert claim(verdict.not_counted, "Add does nothing").blame is Blame.agent


async def test_another_act_on_the_same_target_that_changed_something_speaks_against_a_dead_control(tmp_path: Path) -> None:
    """Even one that the claim does not cite; what other targets did says nothing."""
    run = Looked(tmp_path)
    idle = run.act()
    run.changes("#clear")
    shot = run.shot_after(idle)
    said = problem("dead_control", "Add does nothing", [shot], steps=[idle.id])
    open_run, other = run.seal(), Looked(tmp_path / "other")
    assert len((await one_problem(open_run, said)).suspected) == 1
    idle = other.act()
    worked = other.changes()
    said = problem("dead_control", "Add does nothing", [other.shot_after(idle)], steps=[idle.id])
    verdict = await one_problem(other.seal(), said)
    assert verdict.suspected == ()
    assert f"the page changed after {worked.id}" in claim(verdict.unverifiable, "Add does nothing").reason


async def test_what_changed_the_page_is_not_dead(tmp_path: Path) -> None:
    """The record's own differences refute a claim that nothing happened."""
    run = Looked(tmp_path)
    item, two = run.changes(), run.changes()
    said = problem("dead_control", "Add does nothing", [run.shot_after(two)], steps=[item.id, two.id])
    verdict = await one_problem(run.seal(), said)
    assert verdict.accused == ()
    assert f"the page changed after {item.id}" in claim(verdict.unverifiable, "Add does nothing").reason


@pytest.mark.parametrize(("audible", "counts"), [(True, False), (False, True)])
async def test_recorded_sound_is_not_missing(tmp_path: Path, *, audible: bool, counts: bool) -> None:
    """`audio_missing` is checked against the level of the recorded sound after the acts."""
    run = Looked(tmp_path)
    act = run.act()
    film = run.recorded()
    spans = ((900.0, 2500.0),) if audible else ()
    track = run.add(
        SoundTrack(
            window_ms=10, silence_dbfs=-60, audible_s=1.6, audible_spans=spans, peak_dbfs=-6, loudest_dbfs=-9, onsets=1,
            first_onsets_ms=(900.0,),
        ),
        parent=film.id,
    )  # fmt: skip
    verdict = await one_problem(run.seal(), problem("audio_missing", "No click is heard", [track.id], steps=[act.id]))
    assert bool(verdict.suspected) is counts
    if not counts:
        assert "holds sound" in claim(verdict.unverifiable, "No click").reason


async def test_smooth_motion_does_not_stutter(tmp_path: Path) -> None:
    """`timing_jank` is checked against the counted pictures of the recording."""
    run = Looked(tmp_path)
    film = run.recorded()
    track = run.add(
        MotionTrack(
            frames=900, distinct=500, distinct_fps=29.5, tolerance=8, moving_s=16.0, motion_spans=((0.0, 16000.0),),
            longest_freeze_s=3.0, freeze_from_ms=16000.0, stalls=0, longest_stall_ms=0.0,
        ),
        parent=film.id,
    )  # fmt: skip
    verdict = await one_problem(run.seal(), problem("timing_jank", "The ball stutters", [track.id]))
    assert verdict.failures == ()
    assert "no stall" in claim(verdict.unverifiable, "stutters").reason


@pytest.mark.parametrize(("promise_id", "counts"), [("p1", False), ("p2", True)])
async def test_a_kept_promise_is_no_missing_feature(tmp_path: Path, promise_id: str, counts: bool) -> None:
    """What a trial about it showed to be there is not missing; of another promise it says nothing."""
    run = Looked(tmp_path, promises=[promise("p1", "items are added", central=True), promise("p2", "items are sorted")])
    run.works("#add", promise="p1", by="added_item_appears")
    act = run.changes()
    said = problem("missing_feature", "It cannot be done", [run.shot_after(act)], promise=promise_id)
    verdict = await one_problem(run.seal(), said)
    assert bool(verdict.suspected) is counts
    if not counts:
        assert "saw that requirement kept" in claim(verdict.unverifiable, "cannot be done").reason


async def test_what_a_trial_showed_is_not_counted_twice(tmp_path: Path) -> None:
    """A claim about the same trial as a failure confirms it instead of costing again."""
    run = Looked(tmp_path)
    begun = run.begin()
    act = run.act()
    run.asserted("violated")
    run.end("violated")
    shot = run.shot_after(act)
    record = run.seal()

    def finder(ask: Any) -> dict[str, Any]:
        ref = ask.prompt.tail.rsplit("Answer each of: ", 1)[1].split(".")[0]
        said = problem("state_not_updated", "The list does not grow", [shot, begun.id], steps=[act.id])
        return found(said, answered=[{"ref": ref, "finding": "stands", "reason": "seen", "evidence": [shot]}])

    verdict = await judged(record, Scripted(static_reader=impression(), problem_finder=finder, scorer=scored_as_listed))
    assert only(verdict).category is Category.dead_control
    assert verdict.functionality is not None
    assert verdict.functionality.value == 7.0
    assert verdict.staging is not None
    assert "stands 1" in verdict.staging.answered[0].reason


async def test_a_suspicion_stays_until_it_is_refuted(tmp_path: Path) -> None:
    """What the first reading suspected with evidence is listed, unless the recording shows that it is not so."""
    run = Looked(tmp_path)
    act = run.changes()
    source = "e000003"
    shot = run.shot_after(act)
    record = run.seal()
    doubt = suspicion("missing_feature", "Nothing sorts the list", [source])
    models = Scripted(static_reader=impression(doubt), problem_finder=found(), scorer=scored_as_listed)
    kept = await judged(record, models)
    assert [item.origin for item in kept.suspected] == ["static"]
    told, _, costless = models.words("scorer").partition("## Not counted")
    assert "Nothing sorts the list" not in told
    assert "Nothing sorts the list" in costless, "what no trial shows is not to be deducted"
    refutation = {"ref": "S1", "finding": "refuted", "reason": "the list is sorted in the picture", "evidence": [shot]}
    models = Scripted(static_reader=impression(doubt), problem_finder=found(answered=[refutation]), scorer=scored_as_listed)
    gone = await judged(record, models)
    assert gone.accused == ()
    assert gone.staging is not None
    assert gone.staging.dismissed[0].reason == "the list is sorted in the picture"


async def test_a_suspicion_that_is_seen_is_confirmed(tmp_path: Path) -> None:
    """A problem that answers a suspicion is CONFIRMED and listed once."""
    run = Looked(tmp_path)
    act = run.changes()
    shot = run.shot_after(act)
    record = run.seal()
    doubt = suspicion("wrong_result", "The sum is taken twice", ["e000003"])
    said = problem("wrong_result", "The sum is doubled", [shot], steps=[act.id], answers="S1")
    verdict = await judged(record, Scripted(static_reader=impression(doubt), problem_finder=found(said), scorer=scored_as_listed))
    assert [item.origin for item in verdict.suspected] == ["confirmed"]


async def test_what_the_environment_withheld_is_not_the_apps(tmp_path: Path) -> None:
    """Looks that follow from a refused style sheet go to the environment through the same triage as measured ones."""
    run = Looked(tmp_path)
    run.refused("https://cdn.example.org/theme.css", "stylesheet")
    act = run.changes()
    run.add(Gap(what="nothing", reason="for the record", blame="environment"))
    said = problem("unstyled", "The page has no style", [run.shot_after(act)], target="#add")
    verdict = await one_problem(run.seal(), said)
    assert [failure for failure in verdict.failures if failure.category is Category.unstyled] == []
