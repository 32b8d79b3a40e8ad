"""The browser's own frames, where there is no X display to film: no sound, and only what the page paints.

Each frame comes with the moment it was shown, and keeps it in the film: a page that stands still has few of them.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ffmpeg

from configs.settings import Recording, Size
from tools.browser.faults import CommandRefused, TabBusy, TabCrashed
from tools.browser.recorder import film
from tools.browser.tab import Tab
from tools.errors import EnvironmentFault, StageFault
from tools.evidence.rows import Gap, Recorded
from tools.media.video import probe
from tools.processes import ProcessList

_ENCODE_S = 120.0


class ScreencastRecorder:
    """Collects a tab's frames from `start` to `stop`."""

    def __init__(self, *, tab: Tab, size: Size, options: Recording, run_dir: Path, processes: ProcessList) -> None:
        self._tab = tab
        self._size = size
        self._options = options
        self._run_dir = run_dir
        self._processes = processes
        name = film.free_name(run_dir)
        self._folder = run_dir / f"{name}.frames"
        self._target = run_dir / f"{name}.mp4"
        self._frames: list[tuple[float, Path]] = []
        """(wall time in s, file), ascending."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._on = False
        self.stopped = asyncio.Event()
        """No frames are taken any more; the film may still be worked on."""

    async def start(self) -> None:
        """Begin. Raises what `Tab.send` raises."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._on = True
        self._tab.cdp.on("Page.screencastFrame", self._frame)
        options = {"format": "jpeg", "quality": 75, "maxWidth": self._size.width, "maxHeight": self._size.height}
        await self._tab.send("Page.startScreencast", options)

    async def stop(self, knots: Sequence[tuple[float, float]]) -> list[Recorded | Gap]:
        """End; returns the row, or a gap. `knots` are the clock's (app ms, wall s)."""
        if not self._on:
            return []
        self._on = False
        with contextlib.suppress(CommandRefused, TabBusy, TabCrashed):
            await self._tab.send("Page.stopScreencast", timeout_s=1.0)
        self.stopped.set()
        try:
            return [await self._encode(knots)]
        except EnvironmentFault as fault:
            return [Gap(what="recording", reason=fault.message, blame="environment")]
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _frame(self, event: dict[str, Any]) -> None:
        if not self._on:
            return
        task = asyncio.ensure_future(self._acknowledge(event["sessionId"]))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        at_s = float(event["metadata"].get("timestamp") or 0.0)
        # Frames that come faster than the film's rate could not be shown; rounding keeps those that are on time.
        if self._frames and at_s - self._frames[-1][0] < 0.75 / self._options.fps:
            return
        path = self._folder / f"{len(self._frames):06d}.jpg"
        path.write_bytes(base64.b64decode(event["data"]))
        self._frames.append((at_s, path))

    async def _acknowledge(self, number: int) -> None:
        with contextlib.suppress(CommandRefused, TabBusy, TabCrashed):
            await self._tab.send("Page.screencastFrameAck", {"sessionId": number})

    async def _encode(self, knots: Sequence[tuple[float, float]]) -> Recorded:
        if not self._frames:
            raise StageFault("The browser sent no frame.")
        end_s = max(self._frames[-1][0] + 1 / self._options.fps, knots[-1][1] if knots else 0.0)
        starts = [at for at, _ in self._frames]
        lasts = [after - at for at, after in zip(starts, [*starts[1:], end_s], strict=True)]
        lines = [f"file '{path.name}'\nduration {last:.6f}" for (_, path), last in zip(self._frames, lasts, strict=True)]
        # The list format ignores the last duration unless its file is named once more.
        index = self._folder / "frames.txt"
        index.write_text("ffconcat version 1.0\n" + "\n".join([*lines, f"file '{self._frames[-1][1].name}'"]), encoding="utf-8")
        target = self._target
        size = f"{self._size.width}:{self._size.height}"
        shape = f"scale={size}:force_original_aspect_ratio=decrease,pad={size}"
        output = ffmpeg.output(
            ffmpeg.input(str(index), f="concat", safe=0),
            str(target),
            vf=shape,
            # Each frame keeps the moment at which the browser showed it.
            fps_mode="passthrough",
            enc_time_base="1/1000",
            t=f"{end_s - starts[0]:.3f}",
            movflags="+faststart",
            **{"c:v": "libx264", "preset": "veryfast", "crf": self._options.crf, "pix_fmt": "yuv420p"},
        ).global_args("-hide_banner", "-nostdin", "-loglevel", "error")
        log = self._run_dir / "recording.log"
        process = self._processes.spawn("ffmpeg (screencast)", ffmpeg.compile(output, overwrite_output=True), log=log)
        try:
            code = await asyncio.to_thread(process.wait, _ENCODE_S)
        except subprocess.TimeoutExpired as error:
            raise StageFault(f"The frames were not encoded within {_ENCODE_S:g} s.") from error
        finally:
            await self._processes.end(process.pid)
        if code != 0:
            raise StageFault(f"ffmpeg ended with {code} while encoding the frames; see {log.name}.")
        made = await asyncio.to_thread(probe, target)
        return film.row(target, made, self._run_dir, film.timeline(knots, starts[0], made.duration_s))
