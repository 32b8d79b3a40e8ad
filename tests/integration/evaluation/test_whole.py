"""One whole evaluation of the sample app, and everything that must be true of the run it leaves."""

from __future__ import annotations

import json
import resource
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.conftest import SHORT
from tests.faults.command import Ended, command, environment, evaluate
from tools.evidence.received import checkpoints_of
from tools.evidence.record import Record, verify
from tools.evidence.rows import Recorded, Screenshot
from tools.evidence.trial_rows import ActDone, PageModelSeen, TrialEnded

SAMPLE = Path(__file__).parents[2] / "fixtures" / "apps" / "sample" / "index.html"


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """The sample app, evaluated with a small budget through the real command line, at the pace and with the film of users."""
    run_dir = tmp_path_factory.mktemp("whole") / "run"
    brief = "@" + str(SAMPLE.with_name("brief.txt"))
    with pytest.MonkeyPatch.context() as patch:
        for name in SHORT:
            patch.delenv(name)
        return evaluate(SAMPLE, run_dir, "--brief", brief, "--max-acts", "6", timeout_s=170)


def test_it_ends_in_a_verdict_with_nothing_left_behind(ended: Ended) -> None:
    """Exit 0, a scored verdict, a whole record, no process."""
    assert ended.code == 0, ended.err
    assert ended.verdict["status"] in {"complete", "not_enough_seen"}
    assert verify(ended.run_dir) == []
    assert ended.left == ()


def test_the_planted_pale_label_is_found_and_proved(ended: Ended) -> None:
    """The low contrast that the sample's note documents, confirmed in a fresh browser."""
    (pale,) = [item for item in ended.verdict["failures"] if item["category"] == "low_contrast" and item["severity"] == "major"]
    assert pale["place"]["selector"]
    assert pale["cause"]["known"]
    assert pale["proof"]["status"] == "confirmed", pale["proof"]


def test_every_failure_cites_rows_that_exist(ended: Ended) -> None:
    """No claim without evidence."""
    record = Record.read(ended.run_dir)
    for failure in ended.verdict["failures"]:
        assert failure["evidence"]
        assert all(record.row(item) is not None for item in failure["evidence"])


def test_each_act_was_observed_before_and_after(ended: Ended) -> None:
    """Acts point at the page models around them, and at the picture after them."""
    record = Record.read(ended.run_dir)
    acts = list(record.of(ActDone))
    assert 4 <= len(acts) <= 10
    for _, act in acts:
        for which, kind in ((act.before, PageModelSeen), (act.after, PageModelSeen), (act.screenshot, Screenshot)):
            seen = record.row(which)
            assert seen is not None
            assert isinstance(seen.body, kind)


def test_trials_are_part_of_the_evidence(ended: Ended) -> None:
    """They are in the ledger, sealed with it, and what their acts touched counts as tried."""
    record = Record.read(ended.run_dir)
    assert record.seal
    assert list(record.of(TrialEnded))
    assert ended.verdict["coverage"]["controls_tried"] > 0


def test_the_recording_covers_the_session(ended: Ended) -> None:
    """One film from the first act to the last, with frames to show for it."""
    record = Record.read(ended.run_dir)
    ((_, film),) = record.of(Recorded)
    last = [act for _, act in record.of(ActDone)][-1]
    assert film.duration_s * 1000 >= last.ended_ms - 500
    assert film.frames > 25 * film.duration_s
    assert record.video_s(last.started_ms) == pytest.approx(last.started_ms / 1000, abs=film.duration_s)


def test_checkpoints_are_kilobytes(ended: Ended) -> None:
    """State carries ids, not bytes."""
    with sqlite3.connect(checkpoints_of(ended.run_dir)) as connection:
        (largest,) = connection.execute("select max(length(checkpoint)) from checkpoints").fetchone()
    assert largest < 8192


def test_rescoring_gives_the_same_bytes(ended: Ended) -> None:
    """`assay rescore`: the verdict does not change by a byte, and no more than seconds of work went into it."""
    before = (ended.run_dir / "verdict.json").read_bytes()
    began = _children_s()
    line = command("rescore", str(ended.run_dir), "--json")
    subprocess.run(line, check=True, capture_output=True, env=environment("rescore"), timeout=60)
    assert _children_s() - began < 4
    assert (ended.run_dir / "verdict.json").read_bytes() == before


def _children_s() -> float:
    """Processor time of the programs that this process started and that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def test_the_reports_are_there(ended: Ended) -> None:
    """Both faces of the verdict lie beside the ledger."""
    report = json.loads((ended.run_dir / "report.json").read_bytes())
    assert report["verdict"]["seal"] == ended.verdict["seal"]
    assert (ended.run_dir / "report.html").stat().st_size > 100_000
