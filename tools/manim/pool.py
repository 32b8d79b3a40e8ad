"""Runs Manim scripts in sandboxes and records what their scenes show. Warm workers wait with Manim imported.

with Pool(scratch, warm=1) as pool:
    recording = pool.run(source, name="scene.py", folder=Path("out"))
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from tools.confinement.launcher import demand
from tools.errors import EnvironmentFault, MissingProgram
from tools.manim.contract import Outcome, Usage
from tools.manim.recording import Intake, save
from tools.manim.runner import Job, Recording, Worker
from tools.manim.sandbox import Limits, Sandbox
from tools.processes import ProcessList

ATTACHED_MB_MOST = 100


class Pool:
    """Warm workers: `warm` of them wait with Manim imported, each for one script. Also a context manager; closing ends all.

    `trusted`: scripts are not confined. Otherwise raises `EnvironmentFault` where no sandbox is to be had.
    """

    def __init__(self, scratch: Path, *, warm: int = 1, limits: Limits | None = None, trusted: bool = False) -> None:
        demand_manim()
        if not trusted:
            demand()
        self._trusted = trusted
        self._limits = limits or Limits()
        self._warm = warm
        self._scratch = scratch
        scratch.mkdir(parents=True, exist_ok=True)
        self._processes = ProcessList(scratch)
        self._waiting: list[Worker] = []
        self._lock = threading.Lock()
        self._made = 0
        self._chores = ThreadPoolExecutor(1, "manim-pool")

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm_up(self) -> None:
        """Start the workers that are missing and wait until all are ready."""
        self._fill()
        for worker in list(self._waiting):
            worker.ready()
            worker.warm = True

    def run(
        self,
        source: str,
        folder: Path,
        *,
        name: str = "scene.py",
        job: Job | None = None,
        limits: Limits | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> Recording:
        """Run a script and record it into `folder`. `files`: what it may read beside itself (pictures, SVGs), by relative path.

        What the script does is told by the outcome. Raises `EnvironmentFault` when no worker can be had.
        """
        limits = limits or self._limits
        worker = self._take(limits)
        began = time.monotonic()
        intake = Intake(folder)
        try:
            worker.ready()
            # The next one imports Manim while this one works.
            self._chores.submit(self._fill)
            ending = worker.run(source, job or Job(), limits, intake, _checked(files or {}))
            log = worker.printed()
        finally:
            worker.kill()
            self._chores.submit(worker.close)
        scenes = intake.finish()
        outcome = Outcome(
            script=name,
            sha256=hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest(),
            status=ending.status,
            error=ending.error,
            scenes=scenes,
            usage=Usage(
                wall_s=time.monotonic() - began,
                cpu_s=ending.usage.get("cpu_s", 0.0),
                peak_memory_mb=max(worker.peak_mb, ending.usage.get("peak_memory_mb", 0.0)),
                warm=worker.warm,
            ),
            manim_version=worker.manim_version,
            sandbox=worker.sandbox.strength,
            log=log,
            reason=ending.reason,
            folder=str(folder),
        )
        save(outcome, folder)
        return Recording(outcome, intake.outlines, folder)

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            self._warm = 0
            waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.close()
        self._chores.shutdown()
        self._processes.end_all(grace_s=0.5)

    def _take(self, limits: Limits) -> Worker:
        with self._lock:
            while self._waiting:
                worker = self._waiting.pop(0)
                if worker.alive() and worker.sandbox.limits.folder_mb == limits.folder_mb:
                    worker.warm = worker.warm or bool(worker.manim_version)
                    return worker
                worker.close()
            return self._start(limits)

    def _fill(self) -> None:
        with self._lock:
            while len(self._waiting) < self._warm:
                self._waiting.append(self._start(self._limits))

    def _start(self, limits: Limits) -> Worker:
        self._made += 1
        return Worker(self._processes, Sandbox(limits, trusted=self._trusted), self._scratch / f"worker-{self._made}.log")


def _checked(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Attached files with harmless names, within the size limit."""
    total = sum(len(data) for data in files.values())
    if total > ATTACHED_MB_MOST * 2**20:
        raise EnvironmentFault(f"The files beside the script come to {total / 2**20:.0f} MB; {ATTACHED_MB_MOST} MB are the most.")
    return {name: data for name, data in files.items() if not Path(name).is_absolute() and ".." not in Path(name).parts}


def manim_installed() -> bool:
    """Whether Manim is in this environment; does not import it."""
    return importlib.util.find_spec("manim") is not None and importlib.util.find_spec("shapely") is not None


def demand_manim() -> None:
    """Raises `MissingProgram` in one line if Manim is not installed."""
    if not manim_installed():
        raise MissingProgram(
            "Manim is not installed.", hint="Run: make setup (it needs the headers of Cairo and Pango, see assay doctor)."
        )


def beside(
    script: Path,
    names: Sequence[str] = ("*.svg", "*.png", "*.jpg", "*.jpeg", "*.gif", "*.wav", "*.mp3", "*.csv", "*.json", "*.txt"),
) -> dict[str, bytes]:
    """Files in a script's own folder that it may want to read, by name; at most 200."""
    found: dict[str, bytes] = {}
    for pattern in names:
        for path in sorted(script.parent.glob(pattern))[:200]:
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 20 * 2**20:
                found[path.name] = path.read_bytes()
    return found


def as_dict(limits: Limits) -> dict[str, float]:
    """Limits as plain figures, for reports."""
    return {key: float(value) for key, value in asdict(limits).items()}
