"""What this machine has, what is missing, what that costs, and the command that mends it: `assay doctor`.

Every check looks at the real thing (starts the program, opens the display, asks ffmpeg what it can), side by side with the
others, so that the whole takes a few seconds at most. Nothing heavy is imported: the libraries whose versions are
compared are read, not loaded.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from tools import system
from tools.confinement import calls, enclosure, launcher, unprivileged

if TYPE_CHECKING:
    from rich.table import Table

WHOLE_S = 4.8
"""Bound of the whole examination (s)."""
PROGRAM_S = 4.0
"""Bound of one program's answer (s)."""
FREE_MB = 2000
SHARED_MB = 256
MEMORY_MB = 2000
CV2 = ("opencv-python", "opencv-contrib-python", "opencv-python-headless")


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. `mend` is a command or what to do; empty where all is well."""

    name: str
    ok: bool
    detail: str
    cost_if_missing: str
    mend: str = ""
    required: bool = False
    """Without it nothing can be evaluated."""
    optional: bool = False
    """Needed by one part of Assay only, and not installed by default."""


def examine(runs_dir: Path | None = None) -> list[Check]:
    """Every check, in a fixed order. Bounded: what does not answer within `WHOLE_S` is not ok and says so.

    `runs_dir` is where runs are to land; if not given, where the settings' default or `ASSAY_RUNS_DIR` says.
    """
    wanted = system.needs(None)
    runs = runs_dir if runs_dir is not None else Path(os.environ.get("ASSAY_RUNS_DIR", "recordings"))
    plain: list[tuple[str, Callable[[], Check]]] = [
        ("Python", _python),
        ("uv", _uv),
        ("OpenCV", _opencv),
        ("Manim", _manim),
        ("recording", _recording),
        ("display", _display),
        ("held clock", _held_clock),
        ("browser sandbox", _sandbox),
        ("project sandbox", _project_sandbox),
        ("runs folder", lambda: _folder(runs)),
        ("shared memory", _shared_memory),
        ("memory", _memory),
        ("loopback", _loopback),
    ]
    checks = plain + [(need.name, lambda need=need: _need(need)) for need in wanted]
    pool = ThreadPoolExecutor(max_workers=len(checks), thread_name_prefix="doctor")
    started = [(name, pool.submit(check)) for name, check in checks]
    wait([future for _, future in started], timeout=WHOLE_S)
    pool.shutdown(wait=False, cancel_futures=True)
    return [_answer(name, future) for name, future in started]


def _answer(name: str, future: Future[Check]) -> Check:
    if future.done():
        return future.result()
    return Check(name, False, f"did not answer within {WHOLE_S:g} s", "whether it works is not known", "assay doctor, once more")


def _need(need: system.Need) -> Check:
    """One program, font or header of `configs/system_packages.toml`; a program must start, too."""
    where = system.found(need)
    detail, ok = where, bool(where)
    if ok and need.version:
        told = system.ask([where, *need.version], PROGRAM_S)
        ok = bool(told)
        detail = f"{_version_line(told)} ({where})" if told else f"{where} does not start"
    return Check(
        need.name,
        ok,
        detail or "not found",
        need.without,
        "" if ok else _install(need),
        required=need.level == "required",
        optional=need.level == "optional",
    )


def _version_line(told: str) -> str:
    """The line that holds a version; wrapper scripts may print others before it."""
    lines = [line.strip() for line in told.splitlines() if re.search(r"\d\.\d", line)] or told.splitlines()
    return re.split(r" Copyright| built on", lines[0])[0][:60]


def _install(need: system.Need) -> str:
    line = system.install_line([need], system.package_manager(), root=system.is_root())
    return line or "install it by hand"


def _python() -> Check:
    ok = (3, 11) <= sys.version_info < (3, 14)
    mend = "" if ok else "make setup PYTHON=/path/to/python3.12"
    return Check("Python", ok, f"{platform.python_version()} ({sys.executable})", "Assay does not start", mend, required=True)


def _uv() -> Check:
    beside = Path(sys.executable).parent / "uv"
    told = system.ask([str(beside) if beside.is_file() else "uv", "--version"], PROGRAM_S)
    cost = "the locked dependencies cannot be installed or renewed"
    return Check("uv", bool(told), told or "not found", cost, "" if told else "make setup", optional=True)


def _opencv() -> Check:
    """Three distributions write to the same `cv2` folder: all that are installed must be of the version that lies there."""
    versions = {name: version for name in CV2 if (version := _version(name))}
    told = ", ".join(f"{name} {version}" for name, version in versions.items()) or "none is installed"
    on_disk = _cv2_on_disk()
    releases = {version.rsplit(".", 1)[0] for version in versions.values()}
    ok = len(set(versions.values())) == 1 and releases == {on_disk}
    detail = f"{told}; on disk: cv2 {on_disk or 'is missing'}"
    cost = "pictures cannot be measured: blank pages, motion and recordings are not judged"
    return Check("OpenCV", ok, detail, cost, "" if ok else "rm -rf .venv && make setup", required=True)


def _manim() -> Check:
    """The extra for `assay manim`; built from source, so that it needs headers."""
    version = _version("manim")
    cost = "`assay manim` cannot check animations"
    mend = "" if version else "install the headers of Cairo and Pango, then: make setup"
    return Check("Manim", bool(version), version or "not installed", cost, mend, optional=True)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _cv2_on_disk() -> str:
    """Version that the `cv2` folder itself states, without loading it."""
    for folder in sys.path:
        with contextlib.suppress(OSError):
            text = (Path(folder) / "cv2" / "version.py").read_text(encoding="utf-8")
            found = re.search(r"opencv_version\s*=\s*\"([\d.]+)\"", text)
            return ".".join(found[1].split(".")[:3]) if found else ""
    return ""


def _recording() -> Check:
    """What ffmpeg must be able to do: grab an X screen and PulseAudio, write H.264, AAC and AC-3, and be measured by ffprobe."""
    devices = system.ask(["ffmpeg", "-hide_banner", "-devices"], PROGRAM_S / 2)
    encoders = system.ask(["ffmpeg", "-hide_banner", "-encoders"], PROGRAM_S / 2)
    wanted = [("libx264", encoders), ("aac", encoders), ("ac3", encoders)]
    if sys.platform == "linux":
        wanted += [("x11grab", devices), ("pulse", devices)]
    lacks = [name for name, told in wanted if not re.search(rf"\b{name}\b", told)]
    if not shutil.which("ffprobe"):
        lacks.append("ffprobe")
    can = [name for name, _ in wanted if name not in lacks]
    detail = f"ffmpeg can do {', '.join(can) or 'nothing of it'}" + (f"; it lacks {', '.join(lacks)}" if lacks else "")
    mend = "install an ffmpeg that was built with " + ", ".join(lacks) if lacks else ""
    return Check("recording", not lacks, detail, "sessions are recorded without what is lacking", mend)


def _display() -> Check:
    """Start a real Xvfb on a number of its own choice, connect to it, end it."""
    cost = "the browser runs without a window: no sound, no pointer in the recording"
    if sys.platform != "linux":
        return Check("display", True, "not needed here: frames come from the browser", cost, optional=True)
    started = time.monotonic()
    try:
        number = _open_display()
    except OSError as error:
        return Check("display", False, f"no X server can be started: {error}", cost, _mend_display())
    detail = f"Xvfb opened :{number} in {time.monotonic() - started:.1f} s"
    return Check("display", True, detail, cost)


def _held_clock() -> Check:
    """Build the library if it is not built yet, and let a program read the time under it."""
    cost = "app time is held from inside the page: the page clock cannot stop everything, and runs at the wall's pace only"
    if sys.platform != "linux":
        return Check("held clock", True, "not available here: the page clock is used", cost, optional=True)
    from tools.browser.preloaded import HELD_CLOCK  # noqa: PLC0415 - nothing else here needs it
    from tools.errors import MissingProgram  # noqa: PLC0415

    try:
        built = HELD_CLOCK.library()
    except (MissingProgram, OSError) as lack:
        return Check("held clock", False, str(lack), cost, getattr(lack, "hint", "") or "apt-get install gcc libc6-dev")
    program = [sys.executable, "-I", "-S", "-c", "import time; time.time()"]
    told = subprocess.run(
        program, env={**os.environ, "LD_PRELOAD": str(built)}, capture_output=True, timeout=PROGRAM_S, check=False
    )
    if told.returncode != 0 or told.stderr:
        reason = told.stderr.decode(errors="replace").strip()[-200:]
        return Check("held clock", False, f"its library cannot be loaded: {reason}", cost, f"rm {built}")
    return Check("held clock", True, str(built), cost)


def _mend_display() -> str:
    return _install(next(need for need in system.needs(None) if need.name == "Xvfb"))


def _open_display() -> int:
    """Number of a display that was opened, connected to and closed again. Raises `OSError`."""
    read, write = os.pipe()
    try:
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "320x240x24", "-nolisten", "tcp"]
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(write,)
        )
    except OSError:
        os.close(read)
        raise
    finally:
        os.close(write)
    try:
        ready, _, _ = select.select([read], [], [], PROGRAM_S - 1)
        told = os.read(read, 16).strip() if ready else b""
        if not told.isdigit():
            raise OSError("Xvfb told no display number")
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1.0)
            client.connect(f"/tmp/.X11-unix/X{int(told)}")  # noqa: S108 - where X servers listen
        return int(told)
    finally:
        os.close(read)
        server.terminate()
        try:
            server.wait(timeout=2)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(timeout=2)


def _sandbox() -> Check:
    """Whether Chromium can shut its pages in: not as root, and only with user namespaces or its set-uid helper."""
    cost = "a page that breaks out of the browser is not held by its sandbox"
    if sys.platform != "linux":
        return Check("browser sandbox", True, "as the system provides it", cost)
    if system.is_root():
        return _sandbox_of_another(cost)
    if _unshares():
        return Check("browser sandbox", True, "on: user namespaces", cost)
    helpers = [Path(folder) / "chrome-sandbox" for folder in ("/usr/lib/chromium", "/opt/google/chrome")]
    if any(helper.is_file() and helper.stat().st_mode & 0o4000 for helper in helpers):
        return Check("browser sandbox", True, "on: set-uid helper", cost)
    mend = "sudo sysctl -w kernel.unprivileged_userns_clone=1, or: sudo apt-get install -y chromium-sandbox"
    return Check(
        "browser sandbox", False, "Chromium cannot start: neither user namespaces nor its helper", cost, mend, required=True
    )


def _project_sandbox() -> Check:
    """Whether code that strangers wrote can be shut off, found by trying."""
    cost = "projects, React and Vue answers and Manim scripts are refused, unless they are trusted (--trust-project)"
    if reason := launcher.lacking():
        mend = _install(next(need for need in system.needs(None) if need.name == "bubblewrap"))
        return Check("project sandbox", False, f"off: {reason}", cost, mend)
    who = "a user of its own" if system.is_root() else "a user namespace"
    counted = "control groups" if launcher.has_groups() else "processes counted one by one, as there are no control groups"
    filtered = "calls of the kernel filtered, " if calls.program() else ""
    return Check("project sandbox", True, f"on: bubblewrap, {who}, no network, {filtered}limits by {counted}", cost)


def _sandbox_of_another(cost: str) -> Check:
    """Started as root, Assay runs the browser as a throw-away user: whether there is one, and whether it may have a sandbox."""
    try:
        account = unprivileged.take_account(Path(tempfile.gettempdir()))
    except unprivileged.CannotConfine as reason:
        mend = "run assay as an ordinary user"
        return Check("browser sandbox", False, f"off: the browser runs as root, since {reason}", cost, mend)
    account.close()
    if account.namespaces:
        return Check("browser sandbox", True, f"on: user namespaces, as a user of its own, {_own_network()}", cost)
    helper = Path("/usr/lib/chromium/chrome-sandbox")
    if helper.is_file() and helper.stat().st_mode & 0o4000:
        return Check("browser sandbox", True, f"on: set-uid helper, as a user of its own, {_own_network()}", cost)
    mend = "sysctl -w kernel.unprivileged_userns_clone=1, or: apt-get install -y chromium-sandbox"
    return Check(
        "browser sandbox", False, "off: the browser has a user of its own, but user namespaces are forbidden", cost, mend
    )


def _own_network() -> str:
    """Whether the browser gets a network with nothing in it but doors, found by making one."""
    read, write = os.pipe()
    line = [sys.executable, "-I", "-S", enclosure.__file__, str(write), "[]"]
    try:
        with subprocess.Popen(line, pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as made:
            os.close(write)
            told = os.read(read, 4096) if select.select([read], [], [], PROGRAM_S)[0] else b""
            made.kill()
    finally:
        os.close(read)
    return "in a network of its own" if b"process" in told else "in this machine's network: root may not make one of its own here"


def _unshares() -> bool:
    """Whether an ordinary user may make namespaces of his own."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        command = ["unshare", "--user", "--net", "true"]
        return subprocess.run(command, capture_output=True, timeout=PROGRAM_S, check=False).returncode == 0
    return False


def _folder(runs: Path) -> Check:
    """Whether runs can be written where they are to land, and how much room there is."""
    cost = "runs cannot be kept; one takes 5 to 50 MB"
    there = next((folder for folder in (runs.absolute(), *runs.absolute().parents) if folder.is_dir()), Path("/"))
    free_mb = shutil.disk_usage(there).free // 10**6
    detail = f"{runs.absolute()}: {free_mb / 1000:.1f} GB free"
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".assay-doctor-"):
            pass
    except OSError as error:
        return Check(
            "runs folder",
            False,
            f"{there} cannot be written: {error.strerror}",
            cost,
            "name another: ASSAY_RUNS_DIR=/path",
            required=True,
        )
    mend = "" if free_mb >= FREE_MB else "remove old runs, or name another folder: ASSAY_RUNS_DIR=/path"
    return Check("runs folder", not mend, detail, cost, mend)


def _shared_memory() -> Check:
    """Chromium keeps pictures in /dev/shm; containers often have 64 MB there, and pages crash for it."""
    cost = "pages with many or large pictures crash, and the app would seem to be at fault"
    if not Path("/dev/shm").is_dir():  # noqa: S108 - looked at, not written
        return Check(
            "shared memory", sys.platform != "linux", "there is no /dev/shm", cost, "" if sys.platform != "linux" else "mount one"
        )
    size_mb = shutil.disk_usage("/dev/shm").total // 2**20  # noqa: S108
    mend = "" if size_mb >= SHARED_MB else "docker run --shm-size=1g, or: mount -o remount,size=1g /dev/shm"
    return Check("shared memory", not mend, f"{size_mb} MB", cost, mend)


def _memory() -> Check:
    import psutil  # noqa: PLC0415 - not at import: `assay --help` loads this module

    available_mb = psutil.virtual_memory().available // 2**20
    mend = "" if available_mb >= MEMORY_MB else "close other programs, or evaluate fewer apps at once"
    return Check(
        "memory", not mend, f"{available_mb / 1024:.1f} GB available", "browsers are slow or killed in the middle of a run", mend
    )


def _loopback() -> Check:
    """Apps are served on 127.0.0.1, at a port of the system's choice."""
    cost = "files, folders, projects and answers cannot be served; only URLs can be evaluated"
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port), timeout=2):
                return Check("loopback", True, f"127.0.0.1 answers (port {port})", cost)
    except OSError as error:
        return Check("loopback", False, f"127.0.0.1 does not answer: {error}", cost, "ip link set lo up", required=True)


def as_table(checks: Sequence[Check]) -> Table:
    """For the terminal: what is well in a line each, then what is not, with its cost and its cure, the gravest last."""
    from rich.table import Table  # noqa: PLC0415 - not at import: `assay --help` loads this module
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in sorted(checks, key=_gravity):
        mark, style = _MARKS[_gravity(check)]
        told = Text(check.detail)
        if not check.ok:
            told.append(f"\nwithout it: {check.cost_if_missing}")
            told.append(f"\n{check.mend}", style="bold" if _gravity(check) > 1 else "default")
        table.add_row(Text(mark, style=style), Text(check.name), told)
    return table


_MARKS = (("ok", "green"), ("absent", "dim"), ("warning", "yellow"), ("MISSING", "bold red"))


def _gravity(check: Check) -> int:
    """0 is well, 1 absent and optional, 2 costs something, 3 stops everything."""
    if check.ok:
        return 0
    return 3 if check.required else 1 if check.optional else 2
