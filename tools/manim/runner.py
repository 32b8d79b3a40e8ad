"""One worker: a sandboxed process with Manim imported that runs one script and tells what its scenes show."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import os
import secrets
import select
import signal
import struct
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import Any, Literal

import psutil

from tools.errors import EnvironmentFault
from tools.manim import channel
from tools.manim.contract import Outcome, ScriptError, Status
from tools.manim.recording import BadFrame, Intake, Outlines
from tools.manim.sandbox import Limits, Sandbox
from tools.processes import ProcessList
from tools.text import printable

Quality = Literal["low_quality", "medium_quality", "high_quality"]
READY_S = 90.0
"""Longest wait for a worker to import Manim."""
LOOK_S = 0.05
"""Between looks at a script's processes."""
LOG_CHARS = 20_000


@dataclass(frozen=True)
class Job:
    """How a script is to be run."""

    scenes: tuple[str, ...] = ()
    """Names; empty for all scenes of the script."""
    quality: Quality = "low_quality"
    seed: int = 0
    encode: bool = False
    """Make the film too."""
    sample_s: float = 0.25
    samples_most: int = 16
    stills: Literal["stable", "all", "none"] = "stable"


@dataclass
class Recording:
    """An outcome with its geometry."""

    outcome: Outcome
    outlines: Outlines
    folder: Path


@dataclass
class _Ending:
    status: Status
    reason: str = ""
    error: ScriptError | None = None
    usage: dict[str, float] = field(default_factory=dict)


class Worker:
    """One sandboxed process, from its start to its end. Runs one script."""

    def __init__(self, processes: ProcessList, sandbox: Sandbox, log: Path) -> None:
        self._processes = processes
        self.sandbox = sandbox
        job_out, self._job = os.pipe()
        self._frames, frames_in = os.pipe()
        self._log, log_in = os.pipe()
        self._key = secrets.token_bytes(32)
        here = Path(__file__).resolve()
        passed = (job_out, frames_in, log_in)
        numbers = [str(number) for number in passed]
        line = [sys.executable, "-I", str(here.with_name("worker.py")), *numbers, str(here.parents[2])]
        try:
            self.process: Popen[bytes] = processes.spawn(
                "manim worker", sandbox.command(line, pass_fds=passed), cwd=Path("/"), pass_fds=passed, log=log, leashed=False
            )
        finally:
            for descriptor in (job_out, frames_in, log_in):
                os.close(descriptor)
        os.set_blocking(self._frames, False)
        os.set_blocking(self._log, False)
        self._printed: collections.deque[bytes] = collections.deque()
        self._printed_size = 0
        self._buffer = bytearray()
        self._received = 0
        self._ended = False
        self._deadline = 0.0
        self._limits: Limits | None = None
        self._root: psutil.Process | None = None
        self._looked = 0.0
        self._used_before_s = 0.0
        self.peak_mb = 0.0
        self.manim_version = ""
        self.warm = False
        os.write(self._job, self._key)
        self._stream = channel.frames(self._read, self._key)

    def alive(self) -> bool:
        """Whether it can still take a job."""
        return self.process.poll() is None

    def ready(self) -> None:
        """Wait until Manim is imported. Raises `EnvironmentFault` if that fails or takes too long."""
        if self.manim_version:
            return
        self._deadline = time.monotonic() + READY_S
        try:
            kind, payload = next(self._stream)
        except (StopIteration, _Stop, channel.Forged) as error:
            raise EnvironmentFault(
                f"The Manim worker did not start: {self.printed().strip()[-300:]}", hint="Run: assay doctor"
            ) from error
        if kind != b"redy":
            raise EnvironmentFault("The Manim worker did not start.", hint="Run: assay doctor")
        self.manim_version = json.loads(payload)["manim"]

    def run(self, source: str, job: Job, limits: Limits, intake: Intake, files: Mapping[str, bytes]) -> _Ending:
        """Run one script; never raises for what the script does."""
        self._limits, self._deadline = limits, time.monotonic() + limits.wall_s
        self._root = psutil.Process(self.process.pid)
        self._used_before_s = _used_s([self._root, *self._root.children(recursive=True)])
        plan = {"encode": job.encode, "sample_s": job.sample_s, "samples_most": job.samples_most, "stills": job.stills}
        message = {
            "source": source,
            "scenes": list(job.scenes),
            "quality": job.quality,
            "seed": job.seed,
            "plan": plan,
            "limits": limits.as_resource(),
            "idle_s": limits.idle_s,
            "files": [[name, len(data)] for name, data in files.items()],
        }
        encoded = json.dumps(message).encode()
        feeder = threading.Thread(
            target=self._feed, args=(struct.pack("!I", len(encoded)) + encoded + b"".join(files.values()),), daemon=True
        )
        feeder.start()
        try:
            return self._receive(intake)
        except _Stop as stop:
            return _Ending(stop.status, stop.reason)
        except channel.Forged as error:
            return _Ending("tampered", f"the recording's channel was written to by the script: {error}")
        except (BadFrame, UnicodeDecodeError, json.JSONDecodeError, struct.error) as error:
            return _Ending("tampered", f"the recording's channel carried what the instruments do not send: {error}")

    def _feed(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._job, view[: 1 << 16]) :]
        except OSError:
            return  # the worker died; the reader finds out why

    def _receive(self, intake: Intake) -> _Ending:
        for kind, payload in self._stream:
            match kind:
                case b"json":
                    intake.json(json.loads(payload))
                case b"outl":
                    intake.outline(payload)
                case b"stil":
                    intake.still(payload)
                case b"file":
                    intake.film(payload)
                case b"last":
                    return _ending(json.loads(payload))
                case _:
                    raise BadFrame(f"a frame of kind {kind!r} out of turn")
        code = self._code()
        status, reason = _death(code)
        return _Ending(status, reason)

    def _code(self) -> int | None:
        try:
            return self.process.wait(timeout=5)
        except Exception:  # noqa: BLE001 - Popen's own timeout class; the process is ended by `close` in any case
            return None

    def _read(self, count: int) -> bytes:
        """Exactly `count` bytes, or what there is when the stream ends. Raises `_Stop` when a limit is passed."""
        while len(self._buffer) < count and not self._ended:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise _Stop("timeout", "the time limit ran out")
            ready, _, _ = select.select([self._frames, self._log], [], [], min(left, LOOK_S))
            if self._log in ready:
                self._listen()
            if self._frames in ready:
                chunk = os.read(self._frames, 1 << 20)
                self._ended = not chunk
                self._buffer += chunk
                self._received += len(chunk)
            self._look()
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def _listen(self) -> None:
        chunk = os.read(self._log, 1 << 16)
        self._printed.append(chunk)
        self._printed_size += len(chunk)
        while self._printed_size > 4 * LOG_CHARS and len(self._printed) > 1:
            self._printed_size -= len(self._printed.popleft())

    def printed(self) -> str:
        """The last of what it printed, without control codes."""
        while select.select([self._log], [], [], 0)[0]:
            before = self._printed_size
            self._listen()
            if self._printed and not self._printed[-1]:
                self._printed.pop()
                break
            if self._printed_size == before:
                break
        text = b"".join(self._printed).decode("utf-8", "replace")
        return "\n".join(printable(line, 2000) for line in text.splitlines())[-LOG_CHARS:]

    def _look(self) -> None:
        """At what the script's processes use together; the kernel limits each one only."""
        if self._limits is None or self._root is None or time.monotonic() - self._looked < LOOK_S:
            return
        self._looked = time.monotonic()
        if self._received > self._limits.sent_mb * 1024 * 1024:
            raise _Stop("limit", f"the recording grew beyond {self._limits.sent_mb} MB")
        try:
            family = [self._root, *self._root.children(recursive=True)]
        except psutil.Error:
            return
        if len(family) > self._limits.processes + 6:
            raise _Stop("limit", f"more than {self._limits.processes} processes")
        if _used_s(family) - self._used_before_s > self._limits.cpu_s:
            raise _Stop("timeout", f"the script used more than {self._limits.cpu_s:g} s of processor time")
        memory = 0
        for member in family:
            try:
                memory += member.memory_info().rss
            except psutil.Error:
                continue
        self.peak_mb = max(self.peak_mb, memory / 2**20)
        if memory > self._limits.memory_mb * 2**20:
            raise _Stop("memory", f"more than {self._limits.memory_mb} MB of memory")

    def kill(self) -> None:
        """End it with everything it started; `close` waits until that is done."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it with everything it started, and give back what it used."""
        self.kill()
        _finish(self._processes, self.process.pid)
        for descriptor in (self._job, self._frames, self._log):
            os.close(descriptor)
        self.sandbox.close()


class _Stop(Exception):
    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


def _used_s(family: list[psutil.Process]) -> float:
    """Processor seconds of some processes and of those of their children that have ended."""
    used = 0.0
    for member in family:
        try:
            used += sum(member.cpu_times()[:4])
        except psutil.Error:
            continue
    return used


def _finish(processes: ProcessList, pid: int) -> None:
    """`ProcessList.end` from a thread with or without a running loop."""
    thread = threading.Thread(target=lambda: asyncio.run(processes.end(pid, grace_s=0.2)))
    thread.start()
    thread.join(timeout=15)


def _ending(last: dict[str, Any]) -> _Ending:
    usage = {key: float(last[key]) for key in ("cpu_s", "peak_memory_mb")}
    told = last["error"]
    if told is None:
        if last["tampered"]:
            return _Ending("tampered", f"the script removed an instrument: {last['tampered']}", usage=usage)
        return _Ending("rendered", usage=usage)
    memory = told.pop("memory", False)
    error = ScriptError.model_validate(told)
    if error.stage == "environment":
        return _Ending("environment", f"the instruments failed: {error.message}"[:300], error, usage)
    if error.missing_program:
        return _Ending("environment", f"{error.missing_program} is not installed on this machine", error, usage)
    if error.type == "Endless":
        return _Ending("timeout", error.message.splitlines()[0][:300], error, usage)
    if memory:
        return _Ending("memory", "the script asked for more memory than it may have", error, usage)
    if error.type == "NotImplementedError" and "OpenGL" in error.message:
        return _Ending("environment", error.message, error, usage)
    return _Ending("failed", f"{error.type}: {error.message.splitlines()[0] if error.message else ''}"[:300], error, usage)


def _death(code: int | None) -> tuple[Status, str]:
    if code is None:
        return "died", "the script closed the recording's channel"
    signalled = -code if code < 0 else code - 128 if code > 128 else 0
    if signalled == signal.SIGXCPU:
        return "timeout", "the limit on processor time ran out"
    if signalled == signal.SIGXFSZ:
        return "limit", "a file grew beyond its limit"
    if signalled:
        return "died", f"the process was ended by {signal.Signals(signalled).name}"
    return "died", f"the process ended itself with exit code {code} before its scenes were through"
