"""The process in the sandbox: imports Manim, waits for one script, runs its scenes under the instruments, and ends.

Started as `python -I worker.py IN OUT LOG ROOT` with three pipes: a job comes in on IN (length and JSON, then attached files),
frames go out on OUT (`channel.py`), what the script prints on LOG. One worker runs one script, so that none can leave anything
to the next.
"""

from __future__ import annotations

import contextlib
import gc
import json
import linecache
import math
import os
import random
import resource
import shutil
import struct
import sys
import tempfile
import time
import traceback
import types
from pathlib import Path
from typing import Any

LOG_NAME = "scene.py"
FILE_CHUNK = 1 << 20


def main(arguments: list[str]) -> int:
    """Serve one job; the exit code says nothing, what was sent does."""
    source, sink, log = (int(number) for number in arguments[:3])
    sys.path.insert(0, arguments[3])
    os.dup2(log, 1)
    os.dup2(log, 2)
    for descriptor in (source, sink, log):
        os.set_inheritable(descriptor, False)
    begun = time.perf_counter()
    import manim  # noqa: PLC0415 - the import is what a warm worker has done before a job comes

    from tools.manim import channel, instrument  # noqa: PLC0415

    _rehearse()
    # What is there now stays: looking through it for garbage again and again would cost a script a tenth of its time.
    gc.collect()
    gc.freeze()
    key = _exactly(source, 32)
    sender = channel.Sender(sink, key)
    del key
    sender.send(b"redy", json.dumps({"manim": manim.__version__, "import_s": time.perf_counter() - begun}).encode())
    job = _job(source)
    if job is None:
        return 0
    os.close(source)
    _Run(job, sender, instrument).go()
    return 0


def _rehearse() -> None:
    """Draw one small scene: what takes long only the first time in a process (fonts, a text, a picture) is done then."""
    from manim import FadeIn, Scene, Square, Text, tempconfig  # noqa: PLC0415

    class Rehearsal(Scene):
        def construct(self) -> None:
            self.play(FadeIn(Text("Rehearsal"), Square(fill_opacity=0.5)), run_time=0.1)

    quiet = {"verbosity": "ERROR", "progress_bar": "none", "disable_caching": True, "dry_run": True, "quality": "low_quality"}
    # What goes wrong here goes wrong in the script too, and is told there.
    with tempfile.TemporaryDirectory() as folder, tempconfig({**quiet, "media_dir": folder}), contextlib.suppress(Exception):
        Rehearsal().render()


def _exactly(descriptor: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = os.read(descriptor, min(count - len(data), 1 << 20))
        if not more:
            return b""
        data += more
    return data


def _job(descriptor: int) -> dict[str, Any] | None:
    """The job; its files are written into the working folder. None if the parent went away."""
    head = _exactly(descriptor, 4)
    if not head:
        return None
    job: dict[str, Any] = json.loads(_exactly(descriptor, struct.unpack("!I", head)[0]))
    for name, size in job.pop("files"):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_exactly(descriptor, size))
    return job


class _Run:
    """One script, from its source to the last frame of its last scene."""

    def __init__(self, job: dict[str, Any], sender: Any, instrument: types.ModuleType) -> None:
        self.job = job
        self.sender = sender
        self.instrument = instrument
        self.path = str(Path.cwd() / LOG_NAME)
        self.recorder = instrument.Recorder(
            instrument.Plan(script=self.path, **job["plan"]), sender.json, self._outline, self._still
        )
        self.scene: str | None = None
        self.stage = "parse"

    def go(self) -> None:
        """Run it and send how it ended."""
        began, clock = self.instrument.clock(), self.instrument.clock
        before_s = _cost()["cpu_s"]
        error: dict[str, Any] | None = None
        watch: Any = None
        try:
            self._limits()
            watch = self._watched()
            scenes = self._load()
            for scene in scenes:
                self._render(scene)
        except BaseException as failure:  # noqa: BLE001 - whatever a stranger's script raises, SystemExit included, is reported
            error = self._told(failure)
        if watch is not None:
            watch.stop()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):  # the script may have put anything there
                stream.flush()
        ending = {"error": error, "tampered": self.recorder.tampered(), "wall_s": clock() - began, **_cost()}
        ending["cpu_s"] -= before_s
        self.sender.send(b"last", json.dumps(ending).encode())

    def _told(self, failure: BaseException) -> dict[str, Any]:
        try:
            return self._describe(failure)
        except BaseException as second:  # noqa: BLE001 - it was stopped, as it did not end when it was asked for its parts
            return self._describe(second)

    def _limits(self) -> None:
        for name, value in self.job["limits"].items():
            kind = getattr(resource, name)
            most = resource.getrlimit(kind)[1]
            if kind == resource.RLIMIT_CPU:
                value += math.ceil(_cost()["cpu_s"])  # noqa: PLW2901 - the kernel counts from the start, with Manim's import
            limit = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(kind, (limit, limit))

    def _watched(self) -> Any:
        """A watch for scripts that never end."""
        from tools.manim.endless import Watch  # noqa: PLC0415 - this room's own, as the instruments

        recorder = self.recorder
        return Watch(
            self.path, self.job["source"], lambda: recorder.progress, lambda: recorder.duration_s, float(self.job["idle_s"])
        )

    def _load(self) -> list[type]:
        source = self.job["source"]
        linecache.cache[self.path] = (len(source), None, source.splitlines(keepends=True), self.path)
        code = compile(source, self.path, "exec", dont_inherit=True)
        Path(self.path).write_text(source, encoding="utf-8")
        self._configure()
        self._seed()
        self.recorder.install()
        self.stage = "import"
        module = types.ModuleType("scene")
        module.__file__ = self.path
        sys.modules["scene"] = module
        sys.path.insert(1, str(Path.cwd()))
        exec(code, module.__dict__)  # noqa: S102 - running the script is what this process is for
        self.stage = "discover"
        return self._discover(module)

    def _configure(self) -> None:
        from manim import config, logger  # noqa: PLC0415

        logger.setLevel("ERROR")
        config.quality = self.job["quality"]
        config.verbosity = "ERROR"
        config.progress_bar = "none"
        config.disable_caching = True
        config.preview = False
        config.media_dir = "media"
        if not self.job["plan"]["encode"]:
            config.dry_run = True

    def _seed(self) -> None:
        import numpy as np  # noqa: PLC0415

        random.seed(self.job["seed"])
        np.random.seed(self.job["seed"])

    def _discover(self, module: types.ModuleType) -> list[type]:
        """All scene classes that the script itself defines, in the order of their lines; or those asked for."""
        from manim import Scene  # noqa: PLC0415

        found = [
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Scene) and value.__module__ == "scene"
        ]
        found = list(dict.fromkeys(found))
        wanted = self.job["scenes"]
        used_as_base = {base for cls in found for base in cls.__mro__[1:]}
        chosen = [
            cls for cls in found if (cls.__name__ in wanted if wanted else cls not in used_as_base or "construct" in vars(cls))
        ]
        names = [cls.__name__ for cls in chosen]
        if missing := [name for name in wanted if name not in names]:
            raise LookupError(
                f"no scene called {missing[0]} in the script; it has: {', '.join(cls.__name__ for cls in found) or 'none'}"
            )
        if not chosen:
            raise LookupError("the script defines no scene")
        return sorted(
            chosen, key=lambda cls: getattr(getattr(cls, "construct", None), "__code__", code_of_nothing).co_firstlineno
        )

    def _render(self, cls: Any) -> None:
        from manim import config  # noqa: PLC0415

        self.scene, self.stage = cls.__name__, "construct"
        self._seed()
        began = self.instrument.clock()
        bases = [base.__name__ for base in cls.__mro__[1:] if base.__name__ != "object"]
        if str(config.renderer).lower().endswith("opengl"):
            raise NotImplementedError("scenes for the OpenGL renderer are not audited; only Cairo's are")
        scene = cls()
        self.recorder.begin(scene)
        self.sender.json(
            {
                "scene": {
                    "name": cls.__name__,
                    "bases": bases,
                    "fps": float(scene.renderer.camera.frame_rate),
                    "view": [float(config.frame_width), float(config.frame_height)],
                    "pixels": [int(config.pixel_width), int(config.pixel_height)],
                    "background": str(config.background_color),
                }
            }
        )
        scene.render()
        self.recorder.end(scene)
        film = self._film(scene)
        if film:
            self._send_film(film)
        self.sender.json(
            {
                "scene_end": {
                    "duration_s": self.recorder.duration_s,
                    "wall_s": self.instrument.clock() - began,
                    "doubts": self.recorder.doubts,
                    "tampered": self.recorder.tampered(),
                    "video": film is not None,
                }
            }
        )
        self.scene = None

    def _film(self, scene: Any) -> Path | None:
        if not self.job["plan"]["encode"]:
            return None
        path = getattr(scene.renderer.file_writer, "movie_file_path", None) or getattr(
            scene.renderer.file_writer, "final_file_path", None
        )
        return Path(path) if path and Path(path).is_file() else None

    def _send_film(self, path: Path) -> None:
        with path.open("rb") as stream:
            while chunk := stream.read(FILE_CHUNK):
                self.sender.send(b"file", chunk)

    def _outline(self, key: str, data: bytes) -> None:
        self.sender.send(b"outl", key.encode() + data)

    def _still(self, name: str, pixels: Any) -> None:
        height, width = pixels.shape[:2]
        head = struct.pack("!4sHH", name.encode(), width, height)
        self.sender.send(b"stil", head + self.instrument.packed(pixels))

    def _describe(self, failure: BaseException) -> dict[str, Any]:
        stage = "environment" if isinstance(failure, self.instrument.InstrumentFault) else self.stage
        entries = [] if stage == "parse" else _entries(failure, self.path)
        lines = [entry["line"] for entry in entries if entry["file"] == LOG_NAME]
        chain: list[str] = []
        cause = failure.__cause__ or failure.__context__
        while cause is not None and len(chain) < 5:
            chain.append(f"{type(cause).__name__}: {_said(cause)[:500]}")
            cause = cause.__cause__ or cause.__context__
        if stage == "construct" and not lines:
            stage = "render"
        return {
            "stage": stage,
            "type": type(failure).__name__,
            "message": _said(failure)[:4000],
            "line": failure.lineno if isinstance(failure, SyntaxError) else lines[-1] if lines else None,
            "offset": failure.offset if isinstance(failure, SyntaxError) else None,
            "traceback": entries,
            "chain": chain,
            "name": _text(_part(failure, "name")),
            "owner": _owner(failure),
            "missing_program": _missing_program(failure),
            "scene": self.scene,
            "memory": isinstance(failure, MemoryError),
        }


class _Nothing:
    co_firstlineno = 0


code_of_nothing = _Nothing()


def _said(failure: BaseException) -> str:
    with contextlib.suppress(BaseException):  # a stranger's exception may raise when it is printed
        return str(failure)
    return "(its message cannot be had)"


def _part(failure: BaseException, name: str) -> Any:
    with contextlib.suppress(Exception):  # a stranger's exception may raise when it is asked for its parts
        return getattr(failure, name, None)
    return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _owner(failure: BaseException) -> str | None:
    """Class or module of the object that lacks an attribute."""
    thing = _part(failure, "obj")
    if thing is None or not isinstance(failure, AttributeError):
        return None
    if isinstance(thing, types.ModuleType):
        return thing.__name__
    cls = thing if isinstance(thing, type) else type(thing)
    return f"{cls.__module__}.{cls.__qualname__}"


def _missing_program(failure: BaseException) -> str | None:
    """A program Manim calls that is not installed in this sandbox."""
    seen: BaseException | None = failure
    while seen is not None:
        if isinstance(seen, FileNotFoundError) and isinstance(seen.filename, str):
            name = Path(seen.filename).name
            if (
                name in ("latex", "xelatex", "lualatex", "pdflatex", "luatex", "dvisvgm", "ffmpeg", "dvipng")
                and shutil.which(name) is None
            ):
                return name
        seen = seen.__cause__ or seen.__context__
    return None


def _entries(failure: BaseException, script: str) -> list[dict[str, Any]]:
    entries = []
    for frame in traceback.extract_tb(failure.__traceback__)[-60:]:
        if frame.filename == __file__ or "/tools/manim/" in frame.filename:
            continue
        name = frame.filename
        if name == script:
            name = LOG_NAME
        elif "/manim/" in name:
            name = "manim/" + name.rsplit("/manim/", 1)[1]
        entries.append(
            {"file": name, "line": frame.lineno or 0, "function": frame.name, "code": (frame.line or "").strip()[:300]}
        )
    return entries


def _cost() -> dict[str, float]:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "cpu_s": own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
        "peak_memory_mb": max(own.ru_maxrss, children.ru_maxrss) / 1024,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
