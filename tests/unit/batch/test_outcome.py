"""What runs and errors mean for their jobs."""

from __future__ import annotations

import asyncio
import errno
import re
from pathlib import Path

import pytest

from agent.batch.jobs import Ending, State, from_outside
from agent.batch.outcome import disturbance, read_finished, row_without, state_of
from agent.batch.worker import ending_of, is_full, only_judging_is_left, read_ending
from evaluator.verdict.taxonomy import Blame
from tests.unit.batch.making import jobs
from tools.errors import EnvironmentFault, LimitReached, SubjectError
from tools.evidence.ledger import Ledger
from tools.evidence.page_rows import PageEvent
from tools.evidence.received import checkpoints_of, mark_as_made_here
from tools.evidence.record import Record
from tools.evidence.rows import Body, Gap, Resumed, RunStarted

FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("error", "how", "blame", "retryable"),
    [
        (SubjectError("It is empty."), "user_error", None, False),
        (EnvironmentFault("There is no display."), "environment", Blame.environment, True),
        (LimitReached("The budget is spent."), "limit", Blame.ambiguous, False),
        (KeyError("x"), "crashed", Blame.evaluator, True),
        (asyncio.CancelledError(), "stopped", None, False),
        (FULL, "disk_full", None, False),
        (ExceptionGroup("several", [ValueError("x"), FULL]), "disk_full", None, False),
    ],
)
def test_an_error_says_whose_it_is(error: BaseException, how: str, blame: Blame | None, retryable: bool) -> None:
    """User errors fail the job, a full disk and an interruption are nobody's, the rest is incomplete with its blame."""
    ending = ending_of(error)
    assert (ending.how, ending.blame, ending.retryable) == (how, blame, retryable)


def test_a_full_disk_is_found_behind_other_errors() -> None:
    """What was raised because of it does not hide it."""
    outer = RuntimeError("the checkpoint was not written")
    outer.__cause__ = FULL
    assert is_full(outer)
    assert not is_full(RuntimeError("other"))
    assert not is_full(None)


def test_endings_survive_their_way_through_a_file(tmp_path: Path) -> None:
    """JSON and back; without a file the process was killed."""
    ending = Ending("hung", "why", Blame.evaluator, True, 1.5, 300.0, "s3://x")
    assert Ending.of_data(ending.as_data()) == ending
    assert Ending.of_data(Ending("judged").as_data()) == Ending("judged")
    assert read_ending(tmp_path) is None


def test_rows_without_a_verdict_have_one_state(tmp_path: Path) -> None:
    """A user's mistake is failed and blames nobody; everything else is incomplete and blames somebody."""
    job = jobs(tmp_path, 1)[0]
    failed = row_without(job, Ending("user_error", "It is empty."), run="", attempts=1)
    hung = row_without(job, Ending("hung", "silent", Blame.evaluator), run="runs/x", attempts=3)
    unknown = row_without(job, Ending("limit", "spent"), run="", attempts=1)
    assert (state_of(failed), failed.blame) == (State.failed, None)
    assert (state_of(hung), hung.blame, hung.attempts) == (State.incomplete, Blame.evaluator, 3)
    assert unknown.blame is Blame.ambiguous


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (PageEvent(event="crash", detail="the renderer crashed"), "crashed"),
        (PageEvent(event="browser_gone", detail="the browser is gone"), "gone"),
        (Gap(what="recording", reason="ffmpeg ended", blame="environment"), "recording"),
        (Resumed(after_node="act", repaired=""), "interrupted"),
        (Gap(what="libraries", reason="not fetched", blame="environment"), ""),
        (Gap(what="recording", reason="none was asked for", blame="ambiguous"), ""),
        (PageEvent(event="popup", detail="x"), ""),
    ],
)
def test_a_disturbance_is_what_another_attempt_may_not_meet(body: Body, word: str, ledger: Ledger) -> None:
    """Crashes, torn films and halves are tried again; what belongs to the app or to the place is not."""
    ledger.append(body, producer="test")
    ledger.sync()
    found = disturbance(Record.read(ledger.run_dir))
    assert bool(found) == bool(word)
    assert word in found


@pytest.mark.parametrize(("disturbed", "left"), [(False, True), (True, False)])
def test_a_disturbed_run_is_made_again_not_judged_again(disturbed: bool, left: bool, ledger: Ledger) -> None:
    """Its sealed record would give the same verdict as often as one asks."""
    ledger.append(RunStarted(brief="", brief_language="", subject="", variety="", settings={}, versions={}), producer="test")
    ledger.sync()
    mark_as_made_here(ledger.run_dir)
    checkpoints_of(ledger.run_dir).touch()
    assert not only_judging_is_left(ledger.run_dir)
    if disturbed:
        ledger.append(PageEvent(event="browser_gone", detail="the browser is gone"), producer="guard")
    ledger.seal(complete=not disturbed)
    assert only_judging_is_left(ledger.run_dir) is left


def test_a_folder_that_is_no_finished_run_is_none(tmp_path: Path, ledger: Ledger) -> None:
    """Nothing there, nonsense there, and a run that was never judged."""
    job = jobs(tmp_path, 1)[0]
    assert read_finished(tmp_path / "nothing", job) is None
    assert read_finished(ledger.run_dir, job) is None
    (ledger.run_dir / "verdict.json").write_text("{}", encoding="utf-8")
    assert read_finished(ledger.run_dir, job) is None


def test_a_crash_of_ours_says_where() -> None:
    """The log of a try is gone when the next one begins; the place is kept with the reason."""
    with pytest.raises(ValueError, match="nobody") as raised:
        Ending.of_data({"how": "judged", "blame": "nobody"})
    assert re.search(r"\(agent/batch/jobs\.py:\d+\)$", ending_of(raised.value).reason)


@pytest.mark.parametrize(
    ("why", "outside"),
    [
        ("the evaluation was ended from outside (signal 9)", True),
        ("The page is gone, Page.enable could not be carried out: the browser is gone.", True),
        ("the page crashed (the renderer crashed)", False),
        ("the evaluation gave no sign of life for 6 s", False),
    ],
)
def test_what_was_killed_is_told_from_what_broke(why: str, outside: bool) -> None:
    """A killed process says nothing about the app; a crash may happen again every time."""
    assert from_outside(why) is outside
