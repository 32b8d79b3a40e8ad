"""From takes to a film: cut to the session, joined where the recorder had to be started again, sound laid under the picture.

The picture is copied as it was filmed. The sound is laid anew on an even scale, moved by the offset that was measured, with
silence where there is none: it begins with the first frame and has no holes, which players deal with in different ways.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import ffmpeg
import numpy as np

from tools.browser.recorder import calibration, film
from tools.browser.recorder.film import Knots
from tools.browser.recorder.stamps import Heard, heard
from tools.browser.recorder.takes import Notes, Take
from tools.errors import EnvironmentFault, StageFault
from tools.evidence.film_rows import SoundOffset
from tools.evidence.rows import Gap, Recorded
from tools.media.video import RATE_HZ, Packets, packets, probe
from tools.processes import ProcessList

_SOUND = {"c:a": "aac", "aac_coder": "fast", "b:a": "160k"}
"""The usual search took a third as long as all proofs of a run together; at this rate nobody hears the difference."""
_JUST_S = 0.0005
"""Ffmpeg takes packets from a moment on; half a millisecond earlier, so that rounding loses none."""


@dataclass(frozen=True)
class Part:
    """A take and what of it goes into the film. Positions are the take's."""

    take: Take
    frames: Packets
    sound: Heard | None
    origin_s: float
    """Position of the first frame or sample, which ffmpeg counts from."""
    cut_s: float
    """The first frame that is used, a key frame."""

    @property
    def start_s(self) -> float:
        """By the recorder's clock."""
        return self.take.zero_s + self.cut_s

    @property
    def last_s(self) -> float:
        """The last frame, by the recorder's clock."""
        return self.take.zero_s + float(self.frames.at_s[-1])


async def develop(notes: Notes, processes: ProcessList, *, fps: int, limit_s: float, why: str = "") -> tuple[Recorded, list[Gap]]:
    """Make the film of what the notes name and return its row and the gaps in it. Takes and notes are left as they are.

    `why` says why there was no calibration. Raises `StageFault` if nothing can be made of it.
    """
    parts = await asyncio.to_thread(_parts, notes)
    if not parts:
        raise StageFault("The recorder filmed nothing that can be read.")
    first = parts[0]
    offset = SoundOffset(measured=False, reason=why or "there was no calibration")
    if first.take == notes.takes[0] and notes.calibrated is not None:
        span = [moment - first.take.zero_s for moment in notes.calibrated]
        offset = await asyncio.to_thread(calibration.measure, first.take.path, first.sound, span[0], span[1])
    knots = notes.knots
    end_s = min(knots[-1][1], parts[-1].last_s + 1 / fps) if knots else parts[-1].last_s + 1 / fps
    lengths = [after.start_s - part.start_s for part, after in pairwise(parts)]
    lengths.append(max(0.1, end_s - parts[-1].start_s))
    shift_s = offset.offset_ms / 1000 if offset.measured else 0.0
    await _assemble(parts, lengths, notes.target, processes, shift_s=shift_s, limit_s=limit_s)
    made = await asyncio.to_thread(probe, notes.target)
    zero_s = first.start_s - made.video_start_s
    holes = [_hole(part, after, knots, fps) for part, after in pairwise(parts)]
    points = film.timeline(knots, zero_s, made.duration_s)
    row = film.row(
        notes.target,
        made,
        notes.run_dir,
        points,
        holes=tuple(hole for hole in holes if hole[1] > hole[0]),
        sound_offset=offset if made.sound else None,
    )
    return row, [_hole_row(hole) for hole in holes]


def _parts(notes: Notes) -> list[Part]:
    """The takes in which there is something to see of the session."""
    notes.mend()
    begin_s = notes.knots[0][1] if notes.knots else None
    after_s = notes.calibrated[1] if notes.calibrated is not None else None
    parts: list[Part] = []
    for take in notes.takes:
        try:
            frames, sound = packets(take.path, "v"), heard(take.path)
        except EnvironmentFault:
            continue
        keys = frames.at_s[frames.key] if len(frames.at_s) else frames.at_s
        if not len(keys):
            continue
        cut = _cut(keys + take.zero_s, begin_s, after_s) if not parts else 0
        if cut is not None:
            parts.append(Part(take, frames, sound, probe(take.path).start_s, float(keys[cut])))
    return parts


def _cut(keys_s: Any, begin_s: float | None, after_s: float | None) -> int | None:
    """The key frame with which the film begins: the last one before app time does, but none that may show the calibration."""
    least = int(np.searchsorted(keys_s, after_s)) if after_s is not None else 0
    wish = int(np.searchsorted(keys_s, begin_s + 0.001, side="right")) - 1 if begin_s is not None else 0
    cut = max(least, wish, 0)
    return cut if cut < len(keys_s) else None


def _hole(part: Part, after: Part, knots: Knots, fps: int) -> tuple[float, float]:
    """From–to in app time between two takes."""
    return tuple(round(film.app_at(knots, moment), 3) for moment in (part.last_s + 1 / fps, after.start_s))  # pyright: ignore[reportReturnType] - two


def _hole_row(hole: tuple[float, float]) -> Gap:
    from_ms, to_ms = hole
    reason = (
        f"the recorder ended by itself and was started again: nothing was filmed for {(to_ms - from_ms) / 1000:.2f} s "
        f"of app time, from {from_ms / 1000:.2f} s on; the film shows the last picture there"
    )
    return Gap(what="recording", reason=reason, blame="environment", from_ms=from_ms, to_ms=to_ms)


async def _assemble(
    parts: Sequence[Part], lengths: Sequence[float], target: Path, processes: ProcessList, *, shift_s: float, limit_s: float
) -> None:
    sounds = any(part.sound is not None for part in parts)
    if len(parts) == 1:
        await _run(_piece(parts[0], lengths[0], target, shift_s, sounds=sounds, last=True), processes, target, limit_s)
        return
    pieces = [target.with_suffix(f".part-{number}.mov") for number in range(len(parts))]
    index = target.with_suffix(".parts")
    try:
        for part, length, piece in zip(parts, lengths, pieces, strict=True):
            await _run(_piece(part, length, piece, shift_s, sounds=sounds, last=False), processes, target, limit_s)
        lines = (f"file '{piece.name}'\nduration {length:.6f}" for piece, length in zip(pieces, lengths, strict=True))
        index.write_text("ffconcat version 1.0\n" + "\n".join(lines) + "\n", encoding="utf-8")
        joined = ffmpeg.input(str(index), f="concat", safe=0)
        codec = {"c:v": "copy", **(_SOUND if sounds else {})}
        await _run(ffmpeg.output(joined, str(target), movflags="+faststart", **codec), processes, target, limit_s)
    finally:
        for path in (*pieces, index):
            path.unlink(missing_ok=True)


def _piece(part: Part, length_s: float, target: Path, shift_s: float, *, sounds: bool, last: bool) -> Any:
    """One part as a file that begins with its first frame; the last one is the film, others keep their sound as it is."""
    raw = ffmpeg.input(str(part.take.path))
    from_s = max(part.cut_s - part.origin_s - _JUST_S, 0.0)
    options: dict[str, Any] = {"ss": f"{from_s:.6f}", "t": f"{length_s + _JUST_S:.6f}", "c:v": "copy", "movflags": "+faststart"}
    if not sounds:
        return ffmpeg.output(raw.video, str(target), **options)
    sound = _silence(length_s) if part.sound is None else _laid(raw.audio, part, part.sound, shift_s, length_s)
    # The options that cut would cut the sound too, which is cut already: it is put where the picture begins.
    sound = sound.filter("asetpts", f"N/SR/TB+{part.cut_s - part.origin_s:.6f}/TB")
    codec = _SOUND if last else {"c:a": "pcm_s16le"}
    return ffmpeg.output(raw.video, sound, str(target), **options, **codec)


def _laid(stream: Any, part: Part, sound: Heard, shift_s: float, length_s: float) -> Any:
    """The samples of a take from its cut on, `shift_s` earlier, on an even scale from 0, exactly `length_s` long."""
    if sound.even:
        lead_s = part.cut_s + shift_s - sound.first_s
        even = stream.filter("asetpts", "N/SR/TB").filter("asetrate", round(sound.rate_hz)).filter("aresample", RATE_HZ)
        if lead_s >= 0:
            even = even.filter("atrim", start=f"{lead_s:.6f}").filter("asetpts", "PTS-STARTPTS")
        else:
            even = even.filter("adelay", f"{round(-lead_s * RATE_HZ)}S", all=1)
    else:
        even = stream.filter(
            "aresample", **{"async": 1000}, min_hard_comp=0.03, first_pts=round((part.cut_s + shift_s - part.origin_s) * RATE_HZ)
        )
        even = even.filter("asetpts", "N/SR/TB")
    return even.filter("apad", whole_dur=f"{length_s:.6f}").filter("atrim", end=f"{length_s:.6f}")


def _silence(length_s: float) -> Any:
    return ffmpeg.input("anullsrc=r=48000:cl=stereo", f="lavfi", t=f"{length_s:.6f}").audio


async def _run(output: Any, processes: ProcessList, target: Path, limit_s: float) -> None:
    """Run ffmpeg to its end. Raises `StageFault`."""
    command = ffmpeg.compile(output.global_args("-hide_banner", "-nostdin", "-loglevel", "error"), overwrite_output=True)
    log = target.parent / f"{target.stem}.finish.log"
    process = processes.spawn("ffmpeg (finish)", command, log=log)
    try:
        code = await asyncio.to_thread(process.wait, limit_s)
    except subprocess.TimeoutExpired as error:
        raise StageFault(f"{target.name} was not finished within {limit_s:g} s.") from error
    finally:
        await processes.end(process.pid)
    if code != 0:
        raise StageFault(f"ffmpeg ended with {code} while finishing {target.name}; see {log.name}.")
    log.unlink(missing_ok=True)
