"""The screen and the sound, by ffmpeg, at the display's own pace.

The file is written in fragments of half a second, so that a crash loses no more. Both inputs keep their wall-clock stamps
(`-copyts`): without that each is shifted to its own beginning and sound runs about 0.2 s off (measured).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import ffmpeg

from configs.settings import Recording, Size
from tools.browser.display import Display
from tools.browser.preloaded import QUICK_COLOUR
from tools.browser.recorder import calibration, film
from tools.browser.recorder.develop import develop
from tools.browser.recorder.film import Knots
from tools.browser.recorder.takes import Notes, Take
from tools.browser.sound import Sink
from tools.errors import EnvironmentFault, MissingProgram, StageFault
from tools.evidence.rows import Gap, Recorded
from tools.processes import ProcessList

_STOP_S = 4.0
_FINISH_S = 30.0
_QUEUE = 6
"""Frames that may wait for the encoder. When it falls behind, frames are left out rather than shown late."""
_REPORT_S = 0.1
_DRAIN_S = 1.5
_MOST_TAKES = 5
"""Ffmpeg is started again this often; what kills it each time would go on doing so."""
_CUT_WITHIN_S = 8
"""For so long key frames come five times a second, so that the film can be cut close to where app time begins."""
_SHORT_MS = 200.0
"""A film that ends this long before the session lacks its end."""


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
        # Converted by `native/quickcolour.c`. Where that cannot be had: not by way of bgr24, whose quick routines give white as
        # (252, 255, 252), and with the colour of every other pixel instead of a mean of four (a third less, and 1.5 dB).
        "pix_fmt": "yuv420p",
        "sws_flags": "neighbor",
        # Several threads would be done sooner but cost more together, and the page needs the other processor.
        "threads": 1,
        "g": options.fps,
        "force_key_frames": f"expr:if(lt(n,{_CUT_WITHIN_S * options.fps}),gte(n,n_forced*{max(1, options.fps // 5)}),0)",
        # Each frame keeps the moment at which it was taken, to the millisecond; by default it would be moved to a grid of 1/fps.
        "fps_mode": "passthrough",
        "enc_time_base": "1/1000",
    }
    if sink is not None:
        inputs.append(ffmpeg.input(sink.monitor, f="pulse", fragment_size=1920, thread_queue_size=512))
        # Its sound is laid, and so encoded, once more; AC-3 costs a tenth of what AAC does.
        codec |= {"c:a": "ac3", "b:a": "192k"}
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


def _quick_colours() -> int | None:
    """A descriptor of the library that converts colours, as the account that films may have no way to its file.

    None where it is not to be had: then the film costs more and its colours are a little coarser, so nothing is said of it.
    """
    try:
        return os.open(QUICK_COLOUR.library(), os.O_RDONLY)
    except (MissingProgram, OSError):
        return None


def _with_colours(env: Mapping[str, str], colours: int | None) -> dict[str, str]:
    """The environment with that library preloaded, behind what is preloaded already."""
    if colours is None:
        return dict(env)
    before = [env["LD_PRELOAD"]] if env.get("LD_PRELOAD") else []
    return {**env, "LD_PRELOAD": ":".join([*before, f"/proc/self/fd/{colours}"])}


@dataclass
class _Running:
    process: subprocess.Popen[bytes]
    take: Take
    descriptor: int
    frames: int = 0
    ended: bool = False


class FilmClock(Protocol):
    """What the recorder needs of the clock that its programs live by."""

    continuous: bool
    """That clock stands when app time does, so one knot says all."""

    def film_now_s(self) -> float:
        """What that clock shows now, s since 1970."""
        ...

    def film_knots(self) -> list[tuple[float, float]]:
        """(app time in ms, that clock in s), ascending; between two of them app time is linear."""
        ...


class X11Recorder:
    """Films a display from `start` to `stop`. When ffmpeg dies it is started again, and the hole in the film is a gap's row."""

    def __init__(
        self, *, display: Display, sink: Sink | None, size: Size, options: Recording, run_dir: Path, processes: ProcessList
    ) -> None:
        self._display = display
        self._sink = sink
        self._size = size
        self._options = options
        self._processes = processes
        self._notes = Notes(run_dir, film.free_name(run_dir))
        self._log = run_dir / "recording.log"
        self._running: _Running | None = None
        self._env: Mapping[str, str] = {}
        self._clock: FilmClock | None = None
        self._frames_before = 0
        self._ending = False
        self._uncalibrated = "" if sink is not None else "there is no sound"
        self._again: asyncio.Task[None] | None = None
        self._first = asyncio.Event()
        self._progress = asyncio.Event()
        self.stopped = asyncio.Event()
        """The screen is not filmed any more; the file may still be worked on."""

    @property
    def frames(self) -> int:
        """Frames that are encoded so far, over all takes; told about every 0.1 s of the recorder's time."""
        return self._frames_before + (self._running.frames if self._running is not None else 0)

    @property
    def failed(self) -> bool:
        """It has ended by itself and does not run at the moment."""
        return self._running is not None and self._running.ended

    async def start(self, env: Mapping[str, str], clock: FilmClock, timeout_s: float = 10.0) -> None:
        """Begin; returns when the first frame is in. Raises `StageFault` or `MissingProgram`."""
        self._env, self._clock = env, clock
        self._running = running = self._roll(clock)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._first.wait(), timeout_s)
        if running.frames == 0:
            self._ending = True
            await self._halt(running)
            self._running = None
            raise StageFault("The recorder did not start.", hint=f"See {self._log}.", retryable=True)

    async def calibrate(self, page: calibration.Page) -> None:
        """Find out, on the empty page, how late sound is against picture; see `calibration`. Call it before app time begins."""
        if self._clock is None or self._running is None or self._sink is None:
            return
        from_s = self._clock.film_now_s()
        self._uncalibrated = await calibration.show(page)
        # Also where it failed: what was shown must not be in the film.
        self._notes.calibrate(from_s, self._clock.film_now_s())

    async def stop(self, knots: Knots) -> list[Recorded | Gap]:
        """End the film; returns its row, and gaps for what is missing. `knots` are the clock's `film_knots`."""
        self._ending = True
        if self._again is not None:
            await asyncio.wait({self._again}, timeout=_STOP_S)
        running = self._running
        if running is None:
            return []
        await self._drain(running)
        self._running = None
        await self._halt(running)
        self._notes.follow(knots)
        self.stopped.set()
        try:
            row, gaps = await develop(
                self._notes, self._processes, fps=self._options.fps, limit_s=_FINISH_S, why=self._uncalibrated
            )
        except EnvironmentFault as fault:
            return [Gap(what="recording", reason=f"{fault.message} {self._last_words()}".strip(), blame="environment")]
        self._notes.discard()
        rows: list[Recorded | Gap] = [row, *gaps]
        if (rest := self._missing_end(row, knots)) is not None:
            rows.append(rest)
        return rows

    def _missing_end(self, row: Recorded, knots: Knots) -> Gap | None:
        """What is missing after the last take, where the recorder ended before the session did."""
        from_ms = row.timeline[-1][0] if row.timeline else 0.0
        to_ms = knots[-1][0] if knots else from_ms
        if to_ms - from_ms < _SHORT_MS:
            return None
        reason = (
            f"the recorder ended by itself and was not started again: the last {(to_ms - from_ms) / 1000:.1f} s of app time "
            f"were not filmed {self._last_words()}"
        )
        return Gap(what="recording", reason=reason.strip(), blame="environment", from_ms=from_ms, to_ms=round(to_ms, 3))

    def _roll(self, clock: FilmClock) -> _Running:
        """Start ffmpeg on the next take."""
        read, write = os.pipe()
        path = self._notes.next_file()
        take = Take(path, clock.film_now_s())
        # Another user has no way into the run's folder; it is handed the open file.
        account = self._display.account
        file = account.handle(path) if account is not None else None
        raw = path if file is None else Path(f"/proc/self/fd/{file}")
        colours = _quick_colours()
        handed = [write, *(each_number for each_number in (file, colours) if each_number is not None)]
        line = command(self._display.name, self._size, self._sink, self._options, raw, epoch_s=take.zero_s, progress=write)
        server = {"PULSE_SERVER": self._sink.server} if self._sink is not None else {}
        try:
            process = self._processes.spawn(
                "ffmpeg",
                line,
                env=_with_colours({**self._env, **server}, colours),
                log=self._log,
                stdin=subprocess.PIPE,
                pass_fds=handed,
                account=account,
            )
        except BaseException:
            os.close(read)
            raise
        finally:
            for number in handed:
                os.close(number)
        self._notes.add(take)
        running = _Running(process, take, read)
        asyncio.get_running_loop().add_reader(read, self._heard, running)
        return running

    def _heard(self, running: _Running) -> None:
        """Progress lines; their end is the recorder's."""
        part = os.read(running.descriptor, 65536)
        if not part:
            running.ended = True
            asyncio.get_running_loop().remove_reader(running.descriptor)
            self._first.set()
            self._progress.set()
            if not self._ending and running.frames > 0 and self._again is None:
                self._again = asyncio.ensure_future(self._start_again(running))
            return
        for line in part.decode(errors="replace").splitlines():
            name, _, value = line.partition("=")
            if name == "frame" and value.strip().isdigit():
                running.frames = max(running.frames, int(value))
        if running.frames > 0:
            self._first.set()
        self._progress.set()
        if self._clock is not None:
            # Of a run that is killed these notes are all that ties the film to app time.
            knots = self._clock.film_knots()
            self._notes.follow(knots[:1] if self._clock.continuous else knots)

    async def _start_again(self, dead: _Running) -> None:
        """After ffmpeg has died: a new take, at once, but not for ever."""
        try:
            await self._processes.end(dead.process.pid)
            os.close(dead.descriptor)
            dead.descriptor = -1
            if len(self._notes.takes) < _MOST_TAKES and self._clock is not None:
                self._frames_before += dead.frames
                self._running = self._roll(self._clock)
        except (MissingProgram, OSError):
            # The film ends here, and `stop` says so.
            self._running = dead
        finally:
            self._again = None

    async def _drain(self, running: _Running) -> None:
        """Wait until every frame taken so far is encoded: asked to quit, ffmpeg drops those that still wait."""
        enough = running.frames + _QUEUE + round(self._options.fps * _REPORT_S) + 2
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_S):
                while running.frames < enough and not running.ended:
                    self._progress.clear()
                    await self._progress.wait()

    async def _halt(self, running: _Running) -> None:
        """Ask ffmpeg to write its end, then make sure."""
        if running.descriptor >= 0:
            asyncio.get_running_loop().remove_reader(running.descriptor)
        process = running.process
        if process.poll() is None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.write(b"q")
                process.stdin.flush()
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, _STOP_S)
        await self._processes.end(process.pid)
        if running.descriptor >= 0:
            os.close(running.descriptor)
            running.descriptor = -1

    def _last_words(self) -> str:
        """The last line of ffmpeg's log, in brackets."""
        with contextlib.suppress(OSError):
            lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return f"({lines[-1][:200]})" if lines else ""
        return ""
