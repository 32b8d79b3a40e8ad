"""Excerpts of a film: one picture at a position, the spectrum of a stretch of its sound, its whole sound as a small WAV.

Everything here blocks and is bounded by a time-out. The same file gives the same bytes.
"""

from __future__ import annotations

import io
import subprocess
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.errors import MissingProgram
from tools.media.video import RATE_HZ, UnreadableFilm, samples

_BLOCK = 8192
_LOWEST_HZ, _HIGHEST_HZ = 40.0, 16_000.0
SPEECH_HZ = 16_000
"""Sampling rate of `wav`."""


@dataclass(frozen=True)
class Spectrum:
    """What a stretch of sound is like."""

    strongest_hz: tuple[float, ...]
    """Up to three clearest tones, the strongest first; a tone stands 12 dB over what is around it."""
    centroid_hz: float
    """Where the middle of its energy lies."""
    flatness: float
    """0: pure tones, 1: noise (geometric by arithmetic mean of the power)."""
    level_dbfs: float


def still(path: Path, at_s: float, *, timeout_s: float = 30.0) -> bytes:
    """The picture at a position as PNG, full size. Raises `UnreadableFilm` or `MissingProgram`."""
    command = [
        *("ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-ss", f"{max(at_s, 0.0):.3f}", "-i", str(path)),
        *("-map", "0:v:0", "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"),
    ]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout_s, check=False)
    except FileNotFoundError as error:
        raise MissingProgram("ffmpeg is not installed.", hint="Run: assay doctor") from error
    except subprocess.TimeoutExpired as error:
        raise UnreadableFilm(f"{path.name} was not read within {timeout_s:g} s.") from error
    if not done.stdout:
        raise UnreadableFilm(f"{path.name} has no picture at {at_s:.2f} s.")
    return done.stdout


def spectrum(path: Path, from_s: float, to_s: float, *, timeout_s: float = 30.0) -> Spectrum | None:
    """The spectrum of a stretch; None when it holds no sound. Raises `UnreadableFilm` or `MissingProgram`."""
    span = ("-ss", f"{max(from_s, 0.0):.3f}", "-t", f"{max(to_s - from_s, 0.05):.3f}")
    parts = list(samples(path, filters="anull", before=span, timeout_s=timeout_s))
    return spectrum_of(np.concatenate(parts).mean(axis=1)) if parts else None


def spectrum_of(sound: NDArray[np.float32]) -> Spectrum | None:
    """The same of samples at hand, mono, 48 kHz, full scale ±1; None for silence."""
    if len(sound) < _BLOCK:
        sound = np.pad(sound, (0, _BLOCK - len(sound)))
    blocks = sound[: len(sound) // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
    power = np.asarray((np.abs(np.fft.rfft(blocks * np.hanning(_BLOCK), axis=1)) ** 2).mean(axis=0), np.float64)
    hz = np.asarray(np.fft.rfftfreq(_BLOCK, 1 / RATE_HZ), np.float64)
    inside = (hz >= _LOWEST_HZ) & (hz <= _HIGHEST_HZ)
    power, hz = power[inside], hz[inside]
    total = float(power.sum())
    rms = float(np.sqrt(np.mean(sound**2)))
    if total <= 0 or rms <= 1e-6:
        return None
    kept = np.maximum(power, total * 1e-12)
    return Spectrum(
        strongest_hz=_tones(power, hz),
        centroid_hz=round(float((hz * power).sum() / total), 1),
        flatness=round(float(np.exp(np.log(kept).mean()) / kept.mean()), 4),
        level_dbfs=round(float(20 * np.log10(rms)), 1),
    )


def wav(path: Path, *, most_bytes: int, timeout_s: float = 60.0) -> bytes:
    """The film's sound, mono, 16 kHz, 16 bit; empty without sound or when it would be longer than `most_bytes`.

    Raises `UnreadableFilm` or `MissingProgram`.
    """
    every = RATE_HZ // SPEECH_HZ
    pieces: list[bytes] = []
    size = 0
    for part in samples(
        path, filters=f"lowpass=f={SPEECH_HZ // 2 - 500},aresample=48000:async=1:first_pts=0", timeout_s=timeout_s
    ):
        mono = part.mean(axis=1)[::every]
        pieces.append((np.clip(mono, -1, 1) * 32767).astype("<i2").tobytes())
        size += len(pieces[-1])
        if size > most_bytes:
            return b""
    if not pieces:
        return b""
    kept = io.BytesIO()
    with wave.open(kept, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SPEECH_HZ)
        file.writeframes(b"".join(pieces))
    return kept.getvalue()


def _tones(power: NDArray[np.float64], hz: NDArray[np.float64]) -> tuple[float, ...]:
    """Peaks that stand 12 dB over the median around them, and within 20 dB of the strongest."""
    found: list[float] = []
    left = power.copy()
    width = 12
    for _ in range(3):
        top = int(np.argmax(left))
        around = np.concatenate([power[max(top - 60, 0) : max(top - 6, 0)], power[top + 7 : top + 61]])
        if left[top] <= 0 or left[top] < power.max() / 100 or (len(around) and left[top] < 16 * float(np.median(around))):
            break
        found.append(round(float(hz[top]), 1))
        left[max(top - width, 0) : top + width + 1] = 0
    return tuple(found)
