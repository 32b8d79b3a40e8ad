"""What a stranger's program prints, as it is written down: within a bound, and without anything that would steer a terminal.

Whoever looks at the log with `cat` must not have their title, clipboard, colours or cursor set by a stranger's program. Also a
program, for what runs without a sandbox: `printed.py LOG BYTES -- COMMAND…` becomes the command, whose output a child of it
writes down. Standard library only: part of the keeper.
"""

from __future__ import annotations

import codecs
import os
import re
import signal
import sys
import time
from collections.abc import Sequence

CUT = b"\n[assay: it printed more than is kept; the rest is left out]\n"
CHUNK = 65536
_LONGEST = 4096
"""Characters of a sequence whose end is waited for."""
_STEERING = re.compile(
    # Cursor and colours; then titles, clipboards and other strings, which end with a bell or a terminator; then single commands.
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x00-\x1f\x7f\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]"
    # What is left of control characters (tabs and line ends are not among them), and what turns the direction of writing.
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]"
)
_UNFINISHED = re.compile(
    r"(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x00-\x1f\x7f\x9c]*\x1b?|\x1b[ -/]*|\r)\Z"
)


def plain(text: str) -> str:
    """Terminal output as plain text: no colours, no cursor movements, no control characters but tabs and line ends."""
    return _STEERING.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


class Printed:
    """The same for output that comes in pieces, a sequence in two of them included."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def feed(self, data: bytes, *, last: bool = False) -> bytes:
        """What can be written down of what has been printed so far."""
        text = self._held + self._decoder.decode(data, last)
        self._held = ""
        if not last and (unfinished := _UNFINISHED.search(text, max(len(text) - _LONGEST, 0))) is not None:
            text, self._held = text[: unfinished.start()], text[unfinished.start() :]
        return plain(text).encode("utf-8", "replace")


def keep(source: int, path: str, most: int) -> None:
    """Append what comes from a descriptor to a log, up to a bound; go on reading after that, or the program would stand still."""
    kept, printed = 0, Printed()
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        while data := os.read(source, CHUNK):
            if kept < most:
                kept += _append(log, printed.feed(data), most - kept)
            else:
                time.sleep(0.001)
        if kept < most:
            _append(log, printed.feed(b"", last=True), most - kept)
    except OSError:
        pass  # no more room, or no more program
    finally:
        os.close(log)


def _append(log: int, data: bytes, room: int) -> int:
    os.write(log, data[:room] + (CUT if len(data) >= room else b""))
    return min(len(data), room)


def main(arguments: Sequence[str]) -> None:
    """Become the command, with a child that keeps what it prints."""
    path, most, _, program, *rest = arguments
    source, sink = os.pipe()
    if os.fork() == 0:
        # It ends when nobody is left who could print anything.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        os.close(sink)
        keep(source, path, int(most))
        os._exit(0)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.closerange(source, sink + 1)
    os.execvp(program, [program, *rest])  # noqa: S606 - becoming it is what this is for


if __name__ == "__main__":
    main(sys.argv[1:])
