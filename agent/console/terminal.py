"""The terminal while the console has it: taken over, painted on, and given back as it was however the process ends.

Three nets, each for what the one before misses: `leave` on every way out that Python sees; an exit handler; and a tiny shell
in a session of its own, which mends the terminal when this process dies without a word (SIGKILL, a crash inside a library).

The terminal is opened anew for the console: its own reads and writes can be non-blocking (a terminal that is stopped or slow
must not stop the run), and what anything else prints meanwhile (descriptors 1 and 2) goes into a file, shown as log.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import subprocess
import sys
import tempfile
import termios
import time
from typing import IO, Any

ENTER = b"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[0m\x1b[2J\x1b[H"
"""The other screen; no cursor; lines that are too long are cut, not wrapped; pastes are marked as such."""
LEAVE = b"\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l"
LEAVE_S = 1.0
"""Longest wait for a terminal that takes no more, when leaving."""
PRINTED_LIMIT = 4000
"""Characters of what others printed meanwhile that are kept for afterwards."""

WATCHER = r"""
trap '' INT TERM HUP QUIT TSTP TTOU
exec 3<&1 1>/dev/null
ours=
while IFS= read -r line; do
  [ "$line" = bye ] && exit 0
  ours=$line
done
if [ -z "$ours" ]; then stty "$1" <&3; exit; fi
[ "$(stty -g <&3)" = "$ours" ] && stty "$1" <&3
printf '%b' "$2" >&3
"""
"""Reads until its writer is gone. Only what is still as the console set it is put back: a shell may have mended it before."""


def usable() -> str:
    """Why there can be no console here; empty if there can."""
    if not sys.stdout.isatty():
        return "standard output is no terminal"
    if os.environ.get("TERM", "dumb") in {"", "dumb", "unknown"}:
        return "the terminal can place no text (TERM is dumb)"
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        return f"the terminal's encoding is {sys.stdout.encoding}, not UTF-8"
    with contextlib.suppress(OSError):
        if os.tcgetpgrp(sys.stdout.fileno()) != os.getpgrp():
            return "Assay runs in the background of its terminal"
    return ""


class Terminal:
    """The terminal of standard output. `enter`, `write` and `read`, at the end `leave`; all of them idempotent."""

    def __init__(self) -> None:
        self.fd = -1
        self._saved: list[Any] | None = None
        self._watcher: subprocess.Popen[bytes] | None = None
        self._pending = b""
        self._printed: IO[bytes] | None = None
        self._kept: dict[int, int] = {}
        self._told = 0

    def __enter__(self) -> Terminal:
        self.enter()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    @property
    def entered(self) -> bool:
        """The console has the terminal."""
        return self._saved is not None

    # ---- taking it, giving it back ----------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Take the terminal over. Raises `OSError` or `termios.error` if it cannot be."""
        if self.entered:
            return
        self.fd = os.open(os.ttyname(sys.stdout.fileno()), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        saved = termios.tcgetattr(self.fd)
        atexit.register(self.leave)
        self._watcher = _watch(self.fd)
        self._saved = saved
        try:
            termios.tcsetattr(self.fd, termios.TCSADRAIN, _ours(saved))
            self._tell_watcher(_in_words(self.fd))
            self._turn_aside()
        except BaseException:
            self.leave()
            raise
        self._pending = ENTER
        self.write(b"")

    def leave(self) -> None:
        """Give the terminal back as it was; bounded by `LEAVE_S`."""
        if self._saved is None:
            return
        saved, self._saved = self._saved, None
        # A sequence that was cut in the middle must not swallow the first one of these.
        self._drain((b"\x18" if self._pending else b"") + LEAVE)
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self.fd, termios.TCSAFLUSH, saved)
        printed = self._turn_back()
        self._dismiss()
        os.close(self.fd)
        self.fd = -1
        atexit.unregister(self.leave)
        if printed:
            sys.stderr.write(printed + "\n")

    def _tell_watcher(self, line: str) -> None:
        """A watcher that somebody killed hears nothing; the other nets remain."""
        if self._watcher is not None and self._watcher.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._watcher.stdin.write(line.encode("ascii") + b"\n")
                self._watcher.stdin.flush()

    def _dismiss(self) -> None:
        """Tell the watcher that nothing is to be mended."""
        self._tell_watcher("bye")
        watcher, self._watcher = self._watcher, None
        if watcher is None or watcher.stdin is None:
            return
        with contextlib.suppress(BrokenPipeError):
            watcher.stdin.close()
        try:
            watcher.wait(timeout=2)
        except subprocess.TimeoutExpired:
            watcher.kill()
            watcher.wait(timeout=2)

    # ---- what others print ------------------------------------------------------------------------------------------------

    def _turn_aside(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - `_turn_back` closes it
        self._told = 0
        for number in (1, 2):
            self._kept[number] = os.dup(number)
            os.dup2(self._printed.fileno(), number)

    def _turn_back(self) -> str:
        """Descriptors 1 and 2 as they were; returns the end of what came meanwhile."""
        sys.stdout.flush()
        sys.stderr.flush()
        for number, kept in self._kept.items():
            os.dup2(kept, number)
            os.close(kept)
        self._kept.clear()
        if self._printed is None:
            return ""
        size = self._printed.seek(0, os.SEEK_END)
        self._printed.seek(max(0, size - PRINTED_LIMIT))
        text = self._printed.read().decode("utf-8", "replace").strip()
        self._printed.close()
        self._printed = None
        return text

    def printed(self) -> list[str]:
        """Lines that anything else printed since the last call."""
        if self._printed is None:
            return []
        descriptor = self._printed.fileno()
        size = os.fstat(descriptor).st_size
        if size <= self._told:
            return []
        data = os.pread(descriptor, min(size - self._told, PRINTED_LIMIT), self._told)
        self._told += len(data)
        return [line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]

    # ---- reading and writing ----------------------------------------------------------------------------------------------

    def size(self) -> tuple[int, int]:
        """Columns and rows; 80 × 24 where the terminal does not say."""
        try:
            columns, rows = os.get_terminal_size(self.fd)
        except OSError:
            return 80, 24
        return columns or 80, rows or 24

    def read(self) -> bytes | None:
        """What was typed since the last call; None when the terminal is gone."""
        try:
            return os.read(self.fd, 4096) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def write(self, data: bytes) -> bool:
        """Send it as far as the terminal takes it at once; True when nothing is left over. Call again with `b""` for the rest."""
        self._pending += data
        while self._pending and self.fd >= 0:
            try:
                sent = os.write(self.fd, self._pending)
            except BlockingIOError:
                return False
            except OSError:
                self._pending = b""  # the terminal is gone
                return True
            self._pending = self._pending[sent:]
        return True

    def _drain(self, data: bytes) -> None:
        """What is left of a picture is dropped; the last words must arrive."""
        self._pending = b""
        until_s = time.monotonic() + LEAVE_S
        while not self.write(data):
            data = b""
            left_s = until_s - time.monotonic()
            if left_s <= 0:
                return
            select.select([], [self.fd], [], left_s)


def _watch(fd: int) -> subprocess.Popen[bytes]:
    """The shell that mends the terminal if this process dies."""
    return subprocess.Popen(
        ["/bin/sh", "-c", WATCHER, "assay-terminal", _in_words(fd), LEAVE.decode("ascii").replace("\x1b", "\\033")],
        stdin=subprocess.PIPE,
        stdout=fd,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _ours(saved: list[Any]) -> list[Any]:
    """Keys come at once and unseen; Ctrl-C stays a signal, Ctrl-S does not stop the screen, Ctrl-Z is a key."""
    iflag, oflag, cflag, lflag, ispeed, ospeed, cc = saved
    cc = list(cc)
    cc[termios.VMIN], cc[termios.VTIME] = 1, 0
    off = os.fpathconf(sys.stdout.fileno(), "PC_VDISABLE")
    cc[termios.VSUSP] = bytes([off & 0xFF])
    lflag &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    return [iflag & ~(termios.IXON | termios.IXOFF), oflag, cflag, lflag, ispeed, ospeed, cc]


def _in_words(fd: int) -> str:
    """The terminal's attributes as `stty` can set them again."""
    return subprocess.run(["stty", "-g"], stdin=fd, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
