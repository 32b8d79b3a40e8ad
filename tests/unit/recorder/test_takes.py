"""The recorder's notes, and the timeline both ways."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.browser.recorder import film
from tools.browser.recorder.takes import Notes, Take, whole_bytes
from tools.evidence.timeline import app_ms, position_s
from tools.media.video import packets


def test_notes_survive(tmp_path: Path) -> None:
    """What was noted is read back, after a torn last line too; each take has a file of its own; in the end nothing is left."""
    notes = Notes(tmp_path, film.free_name(tmp_path))
    notes.add(Take(notes.next_file(), 12.5))
    notes.calibrate(13.0, 14.5)
    notes.follow([(0.0, 15.0)])
    notes.follow([(0.0, 15.0)])
    notes.follow([(0.0, 15.0), (2000.0, 17.0)])
    notes.add(Take(notes.next_file(), 20.25))
    for take in notes.takes:
        take.path.write_bytes(b"film")
    assert [take.path.name for take in notes.takes] == ["recording.raw.mp4", "recording.raw-2.mp4"]
    with notes.path.open("a") as stream:
        stream.write('{"knots": [[1')
    assert len(notes.path.read_text().splitlines()) == 6
    again = Notes.read(notes.path)
    assert again == notes
    assert again.target == tmp_path / "recording.mp4"
    assert film.free_name(tmp_path) == "recording-2"
    again.discard()
    assert list(tmp_path.iterdir()) == []


def test_knots_that_change_their_past(tmp_path: Path) -> None:
    """Before app time begins its first moment may still move; what is read is the last that was noted."""
    notes = Notes(tmp_path, "recording")
    notes.follow([(0.0, 15.0)])
    notes.follow([(0.0, 16.0)])
    notes.follow([(0.0, 16.0), (500.0, 16.5), (500.0, 18.0)])
    assert Notes.read(notes.path).knots == [(0.0, 16.0), (500.0, 16.5), (500.0, 18.0)]


@pytest.mark.parametrize("share", [0.3, 0.55, 0.8, 0.9, 0.97, 1.0])
def test_a_torn_take_is_mended(tmp_path: Path, share: float) -> None:
    """Wherever it is torn, the whole fragments before can be read, and of its length no more than a second is gone."""
    path = tmp_path / "recording.raw.mp4"
    subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30", "-f", "lavfi", "-i", "sine", "-t", "4"),
            *("-preset", "ultrafast", "-g", "30", "-movflags", "+frag_keyframe+delay_moov+default_base_moof"),
            *("-frag_duration", "500000", "-f", "mp4", str(path)),
        ],
        check=True,
        timeout=60,
    )
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    notes = Notes(tmp_path, "recording", [Take(path, 0.0)])
    notes.mend()
    assert 4 * share - 1.0 < len(packets(path, "v").at_s) / 30 <= 4
    assert whole_bytes(path) == path.stat().st_size


@given(spans=st.lists(st.tuples(st.floats(0.01, 5), st.floats(0, 5)), min_size=1, max_size=12), share=st.floats(0, 1))
def test_positions_and_app_time_are_inverse(spans: list[tuple[float, float]], share: float) -> None:
    """App time of the position of an app time is that app time, before, at and after holds."""
    points, app, at = [(0.0, 0.3)], 0.0, 0.3
    for run_s, hold_s in spans:
        points += [(app + run_s * 1000, at + run_s), (app + run_s * 1000, at + run_s + hold_s)]
        app, at = points[-1]
    moment = app * share
    position = position_s(points, moment, at)
    assert position is not None
    assert app_ms(points, position) == pytest.approx(moment, abs=1e-3)


def test_outside_of_the_timeline() -> None:
    """Positions before and after app time have none; times before and after are the film's ends."""
    points = ((100.0, 0.5), (1100.0, 1.5))
    assert app_ms(points, 0.4) is app_ms(points, 1.6) is app_ms((), 1.0) is None
    assert app_ms(points, 0.5) == 100.0
    assert app_ms(points, 1.5) == 1100.0
    assert position_s(points, 0.0, 2.0) == 0.5
    assert position_s(points, 9000.0, 2.0) == 2.0
    assert position_s((), 1.0, 2.0) is None
