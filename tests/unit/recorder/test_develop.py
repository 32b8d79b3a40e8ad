"""From takes to a film: takes made by ffmpeg with flashes and beeps at known moments, so that the film can be checked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from tools.browser.recorder.develop import develop
from tools.browser.recorder.salvage import salvage
from tools.browser.recorder.takes import Notes, Take
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Gap, MotionTrack, Recorded, SoundTrack, StageOpened
from tools.media.sound_track import measure_sound
from tools.media.video import grey_frames, packets
from tools.processes import ProcessList

EPOCH_S = 1_767_225_600.0
CHANGES = tuple(frame / 30 for frame in (15, 18, 21, 23, 28, 31, 33, 38, 41, 43))
"""A calibration: black and white in turn, with a beep at each change."""


def take(path: Path, seconds: float, flashes: tuple[float, ...], *, late_s: float, changes: tuple[float, ...] = ()) -> None:
    """A raw file as the recorder writes it: flashes of 0.1 s with a beep each, `late_s` later; before them a calibration."""
    lit = "+".join(f"between(T,{at},{at + 0.1})" for at in flashes) or "0"
    lit += "".join(f"+between(T,{start},{end - 0.001})" for start, end in zip(changes[::2], changes[1::2], strict=True))
    beeps = [*changes, *flashes]
    sound = "+".join(f"between(t,{at + late_s},{at + late_s + 0.03})" for at in beeps) or "0"
    subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"color=c=black:size=64x40:rate=30:duration={seconds}"),
            *("-f", "lavfi", "-i", f"aevalsrc='0.4*sin(2*PI*1000*t)*({sound})':s=48000:d={seconds}:c=stereo"),
            *("-vf", f"geq=lum='16+219*({lit})':cb=128:cr=128", "-c:v", "libx264", "-preset", "ultrafast", "-g", "6"),
            *("-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+frag_keyframe+delay_moov+default_base_moof"),
            *("-frag_duration", "500000", "-f", "mp4", str(path)),
        ],
        check=True,
        timeout=60,
    )


def seen(path: Path) -> np.ndarray:
    """Where flashes begin in a film."""
    at_s = packets(path, "v").at_s
    light = np.array([frame.mean() > 128 for frame in grey_frames(path, (16, 10))])
    return at_s[1:][light[1:] & ~light[:-1]]


def heard(path: Path) -> np.ndarray:
    """Where beeps begin in a film."""
    return np.array([onset.at_s for onset in measure_sound(path).onsets])


async def test_calibrated_cut_and_laid(tmp_path: Path) -> None:
    """The offset is found and taken out, the calibration is cut off, and the film lasts as long as app time."""
    notes = Notes(tmp_path, "recording")
    notes.add(Take(notes.next_file(), EPOCH_S - 2.0))
    take(notes.takes[0].path, 6.0, (3.0, 4.0, 5.0), late_s=0.04, changes=CHANGES)
    notes.calibrate(EPOCH_S - 1.7, EPOCH_S - 0.3)
    notes.follow([(0.0, EPOCH_S), (3500.0, EPOCH_S + 3.5)])
    with ProcessList(tmp_path) as processes:
        row, gaps = await develop(notes, processes, fps=30, limit_s=30)
    assert gaps == []
    assert row.sound_offset is not None
    assert row.sound_offset.measured, row.sound_offset.reason
    assert row.sound_offset.offset_ms == pytest.approx(40, abs=5)
    assert row.sound_offset.n == len(CHANGES)
    assert row.timeline[0][0] == 0
    assert row.timeline[-1] == (pytest.approx(3500, abs=34), pytest.approx(3.5, abs=0.3))
    assert row.timeline[-1][1] - row.timeline[0][1] == pytest.approx(3.5, abs=2 / 30)
    app = [row.timeline[0][1] + at for at in (1.0, 2.0, 3.0)]
    assert seen(notes.target) == pytest.approx(app, abs=0.04)
    late = heard(notes.target) - seen(notes.target)
    assert len(late) == 3
    assert abs(late.mean()) < 0.008


async def test_a_hole_is_filled_and_told(tmp_path: Path) -> None:
    """Two takes with a hole between them: one film that is continuous in app time, in step after the hole, and a gap's row."""
    notes = Notes(tmp_path, "recording")
    notes.add(Take(notes.next_file(), EPOCH_S))
    take(notes.takes[0].path, 2.0, (0.5, 1.5), late_s=0.0)
    notes.add(Take(notes.next_file(), EPOCH_S + 2.8))
    take(notes.takes[1].path, 2.0, (0.4, 1.4), late_s=0.0)
    notes.follow([(0.0, EPOCH_S), (4600.0, EPOCH_S + 4.6)])
    with ProcessList(tmp_path) as processes:
        row, (gap,) = await develop(notes, processes, fps=30, limit_s=30)
    assert gap.from_ms == pytest.approx(2000, abs=40)
    assert gap.to_ms == pytest.approx(2800, abs=40)
    assert row.holes == ((gap.from_ms, gap.to_ms),)
    assert "started again" in gap.reason
    assert row.duration_s == pytest.approx(4.6, abs=2 / 30)
    assert row.sound_offset is not None
    assert not row.sound_offset.measured
    moments = (0.5, 1.5, 3.2, 4.2)
    assert seen(notes.target) == pytest.approx(moments, abs=0.05)
    assert heard(notes.target) == pytest.approx(moments, abs=0.05)
    assert sorted(path.name for path in tmp_path.glob("recording*")) == [
        "recording.mp4", "recording.raw-2.mp4", "recording.raw.mp4", "recording.takes",
    ]  # fmt: skip


def stage() -> StageOpened:
    """The row of a stage."""
    return StageOpened(browser="b", clock="held", cannot_stop=(), capture="x11", viewport=(64, 40), sandboxed=True)


async def test_a_killed_run_and_its_resumption(tmp_path: Path, ledger: Ledger) -> None:
    """The torn take of a killed run becomes a film of the first stage; moments of both stages have positions, each in its own."""
    run_dir = ledger.run_dir
    first = ledger.append(stage(), producer="stage", app_ms=0.0)
    notes = Notes(run_dir, "recording")
    notes.add(Take(notes.next_file(), EPOCH_S - 1.0))
    take(notes.takes[0].path, 4.0, (2.0,), late_s=0.0)
    data = notes.takes[0].path.read_bytes()
    notes.takes[0].path.write_bytes(data[: int(len(data) * 0.9)])
    notes.follow([(0.0, EPOCH_S)])
    del notes
    with ProcessList(run_dir) as processes:
        rows = await salvage(ledger, processes, fps=30)
    assert isinstance(rows[0].body, Recorded), rows[0].body
    ledger.append(stage(), producer="stage", app_ms=0.0)
    second = Recorded(
        file="recording-2.mp4", sha256="", size=0, duration_s=9.0, frames=270, fps=30, width=64, height=40, sound=False,
        timeline=((0.0, 0.25), (8000.0, 8.25)), holes=((3000.0, 4000.0),),
    )  # fmt: skip
    last = ledger.append(second, producer="recorder")
    ledger.sync()
    record = Record.read(run_dir)
    film, body = next(record.of(Recorded))
    assert body.file == "recording.mp4"
    assert (run_dir / "recording.mp4").is_file()
    assert not list(run_dir.glob("recording.raw*"))
    # A fragment lasts half a second, so no more than that and the torn one is gone.
    assert 2000 < body.timeline[-1][0] <= 3000
    assert seen(run_dir / body.file) == pytest.approx([body.timeline[0][1] + 1.0], abs=0.05)
    assert record.video_s(1000.0) is None, "it could be either film"
    assert record.film_of(first) == (film, body)
    assert record.video_s(1000.0, first) == pytest.approx(body.timeline[0][1] + 1.0, abs=0.01)
    assert record.film_of(last) == (last, second)
    assert record.video_s(1000.0, last) == pytest.approx(1.25)
    assert record.video_s(3500.0, last) is None, "nothing was filmed then"
    assert record.video_s(4000.0, last) == pytest.approx(4.25)
    tracks = {type(child.body) for child in record.children(film.id)}
    assert tracks == {SoundTrack, MotionTrack}
    (gap,) = [body for _, body in record.of(Gap)]
    assert "killed" in gap.reason


async def test_nothing_that_can_be_read(ledger: Ledger) -> None:
    """A take without a whole fragment: a gap says so, and the file is left for people."""
    notes = Notes(ledger.run_dir, "recording")
    notes.add(Take(notes.next_file(), EPOCH_S))
    notes.takes[0].path.write_bytes(b"\0" * 100)
    with ProcessList(ledger.run_dir) as processes:
        rows = await salvage(ledger, processes, fps=30)
    assert [row.body.kind for row in rows] == ["gap"]
    assert notes.takes[0].path.exists()
