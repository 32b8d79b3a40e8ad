"""Terminals for tests: a pseudo-terminal to read bytes from, and tmux to see what a person would see."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shlex
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.faults.command import ROOT, environment


def until(condition: Callable[[], Any], limit_s: float, what: str | Callable[[], str]) -> Any:
    """Wait for something true, and return it. Fails with `what` after `limit_s`."""
    end_s = time.monotonic() + limit_s
    while not (found := condition()):
        assert time.monotonic() < end_s, f"not within {limit_s:g} s: {what() if callable(what) else what}"
        time.sleep(0.05)
    return found


class Pty:
    """A pseudo-terminal with a program in it."""

    def __init__(self, program: str, *arguments: str, size: tuple[int, int] = (80, 24), **variables: str) -> None:
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.out = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **variables},
        )

    def read(self) -> bytes:
        """Everything printed so far."""
        while select.select([self.master], [], [], 0)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            if not data:
                break
            self.out += data
        return self.out

    def wait_for(self, text: bytes, limit_s: float = 20) -> bytes:
        """Until that was printed."""
        until(lambda: text in self.read(), limit_s, lambda: f"{text!r} in {self.out[-2000:]!r}")
        return self.out

    @property
    def attributes(self) -> list[Any]:
        """As `tcgetattr` has them."""
        return termios.tcgetattr(self.slave)

    def close(self) -> None:
        """End the program and let go of the terminal."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=10)
        os.close(self.master)
        os.close(self.slave)


class Tmux:
    """A tmux server of its own with one window, in which a shell runs."""

    def __init__(self, folder: Path, columns: int = 80, rows: int = 24) -> None:
        self.folder = folder
        self._base = ["tmux", "-S", str(folder / "tmux.sock"), "-f", "/dev/null"]
        self.mark = "console" + os.urandom(4).hex()
        subprocess.run(
            [*self._base, "new-session", "-d", "-x", str(columns), "-y", str(rows), "bash --norc --noprofile"],
            check=True,
            timeout=20,
            env={**environment(self.mark), "LC_ALL": "C.UTF-8"},
            cwd=folder,
        )
        self.run("set-option", "-g", "history-limit", "5000")
        self.run("pipe-pane", "-o", f"cat >> {shlex.quote(str(folder / 'raw'))}")
        self.line("PS1='ready> '; clear")
        until(lambda: self.screen().startswith("ready>"), 10, self.screen)

    def run(self, *command: str) -> str:
        """A command of tmux."""
        return subprocess.run([*self._base, *command], check=True, capture_output=True, text=True, timeout=20).stdout

    def keys(self, *keys: str) -> None:
        """Press keys by tmux's names (`Enter`, `C-c`, `p`)."""
        self.run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type text as it is."""
        self.run("send-keys", "-l", text)

    def line(self, text: str) -> None:
        """Type a command line and press Enter."""
        self.type(text)
        self.keys("Enter")

    def screen(self, *, colours: bool = False) -> str:
        """What the window shows."""
        return self.run("capture-pane", "-p", *(["-e"] if colours else []))

    def told(self, what: str) -> str:
        """One of tmux's own values: `alternate_on`, `cursor_flag`, `pane_title`."""
        return self.run("display-message", "-p", f"#{{{what}}}").strip()

    def wait(self, text: str, limit_s: float = 60) -> str:
        """Until the window shows that text; returns the screen."""
        until(lambda: text in self.screen(), limit_s, lambda: f"{text!r} on\n{self.screen()}")
        return self.screen()

    def keep(self, name: str) -> str:
        """Keep a picture of the screen beside the test's other files (`NAME.txt`, `NAME.ansi`), for people; returns the text."""
        text = self.screen()
        folder = Path(os.environ.get("ASSAYTEST_CAPTURES", str(self.folder)))
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        (folder / f"{name}.ansi").write_text(self.screen(colours=True), encoding="utf-8")
        return text

    @property
    def raw(self) -> bytes:
        """Every byte that was sent to the window."""
        path = self.folder / "raw"
        return path.read_bytes() if path.exists() else b""

    def close(self) -> None:
        """End the server with everything in it."""
        with contextlib.suppress(subprocess.SubprocessError):
            self.run("kill-server")


def in_tmux(folder: Path) -> Iterator[Tmux]:
    """A tmux for a fixture."""
    tmux = Tmux(folder)
    try:
        yield tmux
    finally:
        tmux.close()
