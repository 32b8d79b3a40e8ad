"""Reading a record: rows by id and kind, children, positions in the recording, and the recording's own check."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path

import pytest

from tools.errors import RunError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record, verify
from tools.evidence.rows import Audited, ConsoleMessage, Finding, Recorded, RunStarted


def _recorded(data: bytes, timeline: tuple[tuple[float, float], ...]) -> Recorded:
    return Recorded(
        file="video.mp4", sha256=hashlib.sha256(data).hexdigest(), size=len(data), duration_s=10.0, frames=300, fps=30.0,
        width=1280, height=800, sound=True, timeline=timeline,
    )  # fmt: skip


def test_rows_are_found_by_id_kind_and_parent(tmp_path: Path) -> None:
    """Ids, classes and parents lead to the rows; unknown ids lead to none."""
    with closing(Ledger.create(tmp_path)) as ledger:
        ledger.append(RunStarted(brief="b", brief_language="", subject="s", settings={}, versions={}), producer="test")
        audit = ledger.append(Audited(probe="contrast", viewport="desktop", measured=True), producer="test")
        for message in ("one", "two"):
            ledger.append(Finding(probe="contrast", symptom="contrast.low", message=message), producer="test", parent=audit.id)
        ledger.append(ConsoleMessage(level="log", text="x"), producer="test")
    record = Record.read(tmp_path)
    assert record.started.brief == "b"
    assert record.row("e000002") == audit
    assert [row.id for row in record.children(audit.id)] == ["e000003", "e000004"]
    assert [body.message for _, body in record.of(Finding)] == ["one", "two"]
    last = record.last(Finding)
    assert last is not None
    assert last[0].id == "e000004"
    assert record.last(Recorded) is None
    for unknown in ("e000000", "e000006", "e", "x000001", "", "e-00001", "e1e2"):
        assert record.row(unknown) is None


def test_an_unsealed_record_has_no_seal(tmp_path: Path) -> None:
    """Asking for the seal of an unfinished run says what to do."""
    with closing(Ledger.create(tmp_path)) as ledger:
        ledger.append(ConsoleMessage(level="log", text="x"), producer="test")
    record = Record.read(tmp_path)
    with pytest.raises(RunError, match="--resume"):
        _ = record.seal
    with pytest.raises(RunError, match="run_started"):
        _ = record.started


def test_positions_in_the_recording(tmp_path: Path) -> None:
    """App time maps linearly between the timeline's points and is held within the file."""
    with closing(Ledger.create(tmp_path)) as ledger:
        ledger.append(_recorded(b"video", ((1000.0, 0.5), (3000.0, 2.5), (3000.0, 4.0), (5000.0, 6.0))), producer="test")
    record = Record.read(tmp_path)
    assert record.video_s(None) is None
    assert record.video_s(0.0) == 0.5
    assert record.video_s(1000.0) == 0.5
    assert record.video_s(2000.0) == pytest.approx(1.5)
    assert record.video_s(4000.0) == pytest.approx(5.0)
    assert record.video_s(6500.0) == pytest.approx(7.5)
    assert record.video_s(1e9) == 10.0
    positions = [record.video_s(float(at)) or 0.0 for at in range(0, 8000, 50)]
    assert positions == sorted(positions)


def test_verify_checks_the_recording(tmp_path: Path) -> None:
    """A recording that was altered or is missing is named by its row."""
    video = tmp_path / "video.mp4"
    video.write_bytes(b"video")
    with closing(Ledger.create(tmp_path)) as ledger:
        ledger.append(_recorded(b"video", ()), producer="test")
        ledger.seal(complete=True)
    assert verify(tmp_path) == []
    video.write_bytes(b"Video")
    assert verify(tmp_path) == ["e000001: video.mp4 was altered"]
    video.unlink()
    assert verify(tmp_path) == ["e000001: video.mp4 is missing"]
