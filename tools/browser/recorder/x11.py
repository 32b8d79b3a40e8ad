"""The screen and the sound, by ffmpeg, at the display's own pace.

The file is written in fragments of half a second, so that a crash loses no more. Both inputs keep their wall-clock stamps
(`-copyts`): without that each is shifted to its own beginning and sound runs about 0.2 s off (measured).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ffmpeg

from configs.settings import Recording, Size
from tools.browser.display import Display
from tools.browser.recorder import film
from tools.browser.sound import Sink
from tools.errors import StageFault
from tools.evidence.rows import Gap, Recorded
from tools.processes import ProcessList

_STOP_S = 4.0
_FINISH_S = 30.0
_QUEUE = 6
"""Frames that may wait for the encoder. When it falls behind, frames are left out rather than shown late."""
_REPORT_S = 0.1
_DRAIN_S = 1.5


def command(
    display: str, size: Size, sink: Sink | None, options: Recording, raw: Path, *, epoch_s: float, progress: int
) -> list[str]:
    """Ffmpeg's command line. Positions in the file are wall time minus `epoch_s`; progress lines go to the descriptor."""
    # Raw screen and raw samples need no analysis; it would only delay the first frame.
    at_once = {"probesize": 32, "analyzeduration": 0}
    video = ffmpeg.input(
        f"{display}+0,0",
        f="x11grab",
        framerate=options.fps,
        video_size=(size.width, size.height),
        draw_mouse=1,
        thread_queue_size=_QUEUE,
        **at_once,
    )
    inputs = [video]
    codec = {
        "c:v": "libx264",
        "preset": "ultrafast",
        "tune": "zerolatency",
        "crf": options.crf,
        "pix_fmt": "yuv420p",
        "g": options.fps,
        # Each frame keeps the moment at which it was taken, to the millisecond; by default it would be moved to a grid of 1/fps.
        "fps_mode": "passthrough",
        "enc_time_base": "1/1000",
    }
    if sink is not None:
        inputs.append(ffmpeg.input(sink.monitor, f="pulse", fragment_size=1920, thread_queue_size=512))
        codec |= {"c:a": "aac", "b:a": "128k"}
    output = ffmpeg.output(
        *inputs,
        str(raw),
        **codec,
        f="mp4",
        movflags="+frag_keyframe+delay_moov+default_base_moof",
        frag_duration=500_000,
        flush_packets=1,
        output_ts_offset=f"{-epoch_s:.6f}",
    ).global_args(
        *("-hide_banner", "-loglevel", "warning", "-nostats", "-copyts"),
        *("-stats_period", f"{_REPORT_S:g}", "-progress", f"pipe:{progress}"),
    )
    return list(ffmpeg.compile(output, overwrite_output=True))


@dataclass
class _Running:
    process: subprocess.Popen[bytes]
    epoch_s: float
    descriptor: int
    frames: int = 0
    ended_s: float | None = None


class X11Recorder:
    """Films a display from `start` to `stop`."""

    def __init__(
        self, *, display: Display, sink: Sink | None, size: Size, options: Recording, run_dir: Path, processes: ProcessList
    ) -> None:
        self._display = display
        self._sink = sink
        self._size = size
        self._options = options
        self._run_dir = run_dir
        self._processes = processes
        name = film.free_name(run_dir)
        self._raw = run_dir / f"{name}.raw.mp4"
        self._target = run_dir / f"{name}.mp4"
        self._log = run_dir / "recording.log"
        self._running: _Running | None = None
        self._first = asyncio.Event()
        self._progress = asyncio.Event()
        self.stopped = asyncio.Event()
        """The screen is not filmed any more; the file may still be worked on."""

    async def start(self, env: Mapping[str, str], timeout_s: float = 10.0) -> None:
        """Begin; returns when the first frame is in. Raises `StageFault` or `MissingProgram`."""
        read, write = os.pipe()
        epoch_s = time.time()
        line = command(self._display.name, self._size, self._sink, self._options, self._raw, epoch_s=epoch_s, progress=write)
        server = {"PULSE_SERVER": self._sink.server} if self._sink is not None else {}
        try:
            process = self._processes.spawn(
                "ffmpeg", line, env={**env, **server}, log=self._log, stdin=subprocess.PIPE, pass_fds=(write,)
            )
        except BaseException:
            os.close(read)
            raise
        finally:
            os.close(write)
        self._running = _Running(process, epoch_s, read)
        asyncio.get_running_loop().add_reader(read, self._heard)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._first.wait(), timeout_s)
        if self._running.frames == 0:
            await self._halt(self._running)
            self._running = None
            raise StageFault("The recorder did not start.", hint=f"See {self._log}.", retryable=True)

    @property
    def failed(self) -> bool:
        """It ended by itself."""
        return self._running is not None and self._running.ended_s is not None

    async def stop(self, knots: Sequence[tuple[float, float]]) -> list[Recorded | Gap]:
        """End the file; returns its row, and a gap for what is missing. `knots` are the clock's (app ms, wall s)."""
        running = self._running
        if running is None:
            return []
        died_s = running.ended_s
        await self._drain(running)
        self._running = None
        await self._halt(running)
        self.stopped.set()
        target = self._target
        try:
            end_s = knots[-1][1] - running.epoch_s if knots else None
            made, moved_s = await film.finish(self._raw, target, self._processes, end_s=end_s, timeout_s=_FINISH_S)
        except StageFault as fault:
            return [Gap(what="recording", reason=f"{fault.message} {self._last_words()}".strip(), blame="environment")]
        zero_s = running.epoch_s + moved_s
        points = film.timeline(knots, zero_s, made.duration_s)
        rows: list[Recorded | Gap] = [film.row(target, made, self._run_dir, points)]
        self._raw.unlink(missing_ok=True)
        if died_s is not None:
            after_s = died_s - zero_s
            reason = f"the recorder ended by itself {after_s:.1f} s into the session and was not started again"
            rows.append(Gap(what="recording", reason=f"{reason} {self._last_words()}".strip(), blame="environment"))
        return rows

    def _heard(self) -> None:
        """Progress lines; their end is the recorder's."""
        running = self._running
        if running is None:
            return
        part = os.read(running.descriptor, 65536)
        if not part:
            running.ended_s = time.time()
            asyncio.get_running_loop().remove_reader(running.descriptor)
            self._first.set()
            self._progress.set()
            return
        for line in part.decode(errors="replace").splitlines():
            name, _, value = line.partition("=")
            if name == "frame" and value.strip().isdigit():
                running.frames = max(running.frames, int(value))
        if running.frames > 0:
            self._first.set()
        self._progress.set()

    async def _drain(self, running: _Running) -> None:
        """Wait until every frame taken so far is encoded: asked to quit, ffmpeg drops those that still wait."""
        enough = running.frames + _QUEUE + round(self._options.fps * _REPORT_S) + 2
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_S):
                while running.frames < enough and running.ended_s is None:
                    self._progress.clear()
                    await self._progress.wait()

    async def _halt(self, running: _Running) -> None:
        """Ask ffmpeg to write its end, then make sure."""
        asyncio.get_running_loop().remove_reader(running.descriptor)
        process = running.process
        if process.poll() is None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.write(b"q")
                process.stdin.flush()
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, _STOP_S)
        await self._processes.end(process.pid)
        os.close(running.descriptor)

    def _last_words(self) -> str:
        """The last line of ffmpeg's log, in brackets."""
        with contextlib.suppress(OSError):
            lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return f"({lines[-1][:200]})" if lines else ""
        return ""
