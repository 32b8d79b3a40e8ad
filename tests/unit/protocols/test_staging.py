"""Staged screenshots out of sealed runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.protocols.artifactsbench.staging import png, stills
from tests.unit.evaluator.records import PIXEL, Run
from tools.evidence.record import Record
from tools.evidence.trial_rows import ActDone


def _read(run: Run) -> Record:
    run.ledger.seal(complete=True)
    run.ledger.close()
    return Record.read(run.folder)


def _picture_after(record: Record, step: int) -> str:
    """Id of the screenshot after a step."""
    return [body for _, body in record.of(ActDone)][step - 1].screenshot


def test_during_is_where_most_changed(tmp_path: Path) -> None:
    """Before: the first picture; during: after the act that changed most; after: the last state – three different rows."""
    run = Run(tmp_path / "run")
    for share in (0.1, 0.4, 0.2, 0.9):
        run.act(changed=True, picture=[{"x": 0, "y": 0, "width": 1280, "height": 800 * share}])
    record = _read(run)
    before, during, after = stills(record)
    assert [still.moment for still in (before, during, after)] == ["before", "during", "after"]
    assert (before.step, during.step, after.step) == (None, 2, 4)
    assert (during.row, after.row) == (_picture_after(record, 2), _picture_after(record, 4))
    assert before.app_ms is not None
    assert during.app_ms is not None
    assert after.app_ms is not None
    assert before.app_ms < during.app_ms < after.app_ms
    assert png(record, during) == PIXEL
    assert "40%" in during.why


def test_what_never_happened_is_not_shown(tmp_path: Path) -> None:
    """Without an act, or with one that did not reach the page, there is one picture and a reason; a single act has two."""
    quiet = Run(tmp_path / "quiet")
    quiet.act(delivered=False, problem="covered")
    quiet.act(pictured=False)
    record = _read(quiet)
    before, during, after = stills(record)
    assert (before.taken, during.taken, after.taken) == (True, False, False)
    assert during.why == "no act was delivered and pictured afterwards"
    with pytest.raises(ValueError, match="no picture during"):
        png(record, during)
    once = Run(tmp_path / "once")
    once.act(changed=True)
    assert [still.taken for still in stills(_read(once))] == [True, False, True]


def test_a_page_that_was_never_seen_has_no_picture(tmp_path: Path) -> None:
    """A run that ended before its first look."""
    assert [still.taken for still in stills(_read(Run(tmp_path / "run", seen=False)))] == [False, False, False]
