"""What the browser and strangers' code need: a display, the held clock's library, sandboxes, a network of their own."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools import system
from tools.confinement import calls, enclosure, launcher, unprivileged
from tools.doctor.check import PROGRAM_S, Check, install_line


def display() -> Check:
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


def _mend_display() -> str:
    return install_line(next(need for need in system.needs(None) if need.name == "Xvfb"))


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


def held_clock() -> Check:
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


def sandbox() -> Check:
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


def project_sandbox() -> Check:
    """Whether code that strangers wrote can be shut off, found by trying."""
    cost = "projects, React and Vue answers and Manim scripts are refused, unless they are trusted (--trust-project)"
    if reason := launcher.lacking():
        mend = install_line(next(need for need in system.needs(None) if need.name == "bubblewrap"))
        return Check("project sandbox", False, f"off: {reason}", cost, mend)
    who = "a user of its own" if system.is_root() else "a user namespace"
    counted = "control groups" if launcher.has_groups() else "processes counted one by one, as there are no control groups"
    filtered = "calls of the kernel filtered, " if calls.program() else ""
    return Check("project sandbox", True, f"on: bubblewrap, {who}, no network, {filtered}limits by {counted}", cost)
