"""The sound track: levels, audible spans and onsets of sounds that are made here, so that the truth is known."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.media.motion_track import measure_motion
from tools.media.sound_track import FLOOR_DBFS, Sound, Tone, _Listener, hear, measure_sound
from tools.media.video import RATE_HZ, UnreadableFilm


def tone(seconds: float, hz: float = 880.0, level: float = 0.5) -> NDArray[np.float32]:
    """Both sides alike."""
    wave = level * np.sin(2 * np.pi * hz * np.arange(round(seconds * RATE_HZ)) / RATE_HZ)
    return np.repeat(wave.astype(np.float32)[:, None], 2, axis=1)


def silence(seconds: float) -> NDArray[np.float32]:
    """Digital silence."""
    return np.zeros((round(seconds * RATE_HZ), 2), np.float32)


def onsets(sound: Sound) -> list[float]:
    """Their positions."""
    return [onset.at_s for onset in sound.onsets]


def test_beeps_are_found_where_they_begin() -> None:
    """Beeps at irregular moments: one onset each, within 5 ms, none where a beep ends, and the spans are theirs."""
    begins, parts, at = [0.3, 0.52, 1.4, 1.9, 3.001], [], 0.0
    for begin in begins:
        parts += [silence(begin - at), tone(0.08)]
        at = begin + 0.08
    sound = hear(np.concatenate([*parts, silence(0.5)]))
    assert onsets(sound) == pytest.approx(begins, abs=0.005)
    # Pauses of less than 150 ms are bridged.
    assert len(sound.spans_s()) == 4
    assert sound.spans_s()[0] == pytest.approx((0.3, 0.6), abs=0.011)
    assert float(sound.peak_dbfs.max()) == pytest.approx(-6.0, abs=0.2)
    assert float(sound.rms_dbfs.max()) == pytest.approx(-9.0, abs=0.3)
    assert float(sound.rms_dbfs.min()) == FLOOR_DBFS


def test_a_new_note_under_a_held_one() -> None:
    """The level hardly changes, but a second tone joins: that is an onset, too."""
    held, joined = tone(2.0, 330, 0.4), tone(1.0, 2500, 0.1)
    held[RATE_HZ:] += joined
    assert any(abs(at - 1.0) < 0.03 for at in onsets(hear(held)))


def test_a_tone_is_told_by_what_it_is_made_of() -> None:
    """Two notes of one wave are alike whatever their level; a square of the same pitch has bands that the sine has not."""
    square = np.sign(tone(0.4, 261.6)) * np.float32(0.3)
    parts = [tone(0.4, 261.6, 0.5), silence(0.4), tone(0.4, 261.6, 0.2), silence(0.4), square, silence(0.4)]
    item, other, third = hear(np.concatenate(parts)).tones()

    def apart(first: Tone, second: Tone) -> float:
        return float(np.mean(np.abs(np.array(first.below_db) - np.array(second.below_db))))

    assert apart(item, other) < 1.0
    assert apart(item, third) > 5.0
    assert 0.8 <= other.at_s <= 1.2
    assert hear(silence(1.0)).tones() == []


def test_steady_sound_has_no_onsets() -> None:
    """Noise and a held tone are audible, and nothing begins in them after their own beginning."""
    noise = np.random.default_rng(3).normal(0, 0.1, (4 * RATE_HZ, 2)).astype(np.float32)
    for steady in (noise, tone(4.0)):
        sound = hear(np.concatenate([silence(0.2), steady]))
        assert [at for at in onsets(sound) if at > 0.3] == []
        assert onsets(sound) == pytest.approx([0.2], abs=0.01)


def test_what_is_too_soft_is_silence() -> None:
    """A tone at −66 dBFS is neither audible nor an onset; out of phase on both sides it is still heard."""
    soft = hear(np.concatenate([silence(0.5), tone(0.5, level=0.0005), silence(0.5)]))
    assert soft.spans_s() == []
    assert soft.onsets == ()
    opposed = np.concatenate([silence(0.5), tone(0.5)])
    opposed[:, 1] *= -1
    assert onsets(hear(opposed)) == pytest.approx([0.5], abs=0.005)


def test_parts_make_no_difference() -> None:
    """Heard in odd pieces or at once: the same figures."""
    whole = np.concatenate([silence(0.333), tone(0.2), silence(0.4), tone(0.1, 200), silence(0.1)])
    listener = _Listener()
    for part in np.array_split(whole, 17):
        listener.hear(part)
    piecewise, at_once = listener.finish(), hear(whole)
    assert piecewise.as_json() == at_once.as_json()
    assert len(at_once.rms_dbfs) == -(-len(whole) // 480)
    assert hear(silence(0)).as_json()["rms_dbfs"] == []


def test_a_film_with_late_and_broken_sound(tmp_path: Path) -> None:
    """Positions are the film's: sound that begins late has silence before it; what is no film is said to be none."""
    path = tmp_path / "late.mp4"
    subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=size=64x48:rate=30:duration=2", "-itsoffset", "0.7"),
            *("-f", "lavfi", "-i", "sine=frequency=660:duration=1", "-c:v", "libx264", "-c:a", "aac", str(path)),
        ],
        check=True,
        timeout=60,
    )
    assert onsets(measure_sound(path)) == pytest.approx([0.7], abs=0.03)
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film")
    with pytest.raises(UnreadableFilm):
        measure_motion(broken)
