"""One line a step on the terminal, everything else in the log file."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


class Failed(Exception):
    """A step that did not work: one line what is wrong, and lines that say what to do."""

    def __init__(self, message: str, *advice: str) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice


class Log:
    """Where set-up tells what it does."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._file = path.open("ab", buffering=0)
        self.note(time.strftime("\n==== make setup, %Y-%m-%d %H:%M:%S ===="))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def note(self, text: str) -> None:
        """A line for the log alone."""
        self._file.write(text.encode() + b"\n")

    def say(self, text: str, *, end: str = "\n") -> None:
        """A line for people, in the log too."""
        sys.stdout.write(text + end)
        sys.stdout.flush()
        self.note(text)

    @contextmanager
    def step(self, name: str, doing: str) -> Iterator[None]:
        """Tell what is being done now and, once it is done, how long it took."""
        self.say(f"  {name:<13} {doing}", end="")
        started = time.monotonic()
        try:
            yield
        except BaseException:
            self.say("  failed")
            raise
        self.say(f"  {time.monotonic() - started:.1f} s")

    def run(self, command: Sequence[str], *, timeout_s: float, env: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Run a program without input, its output into the log.

        Returns its exit code (124 when it did not end in time, 127 when there is no such program) and what it printed.
        """
        self.note(f"$ {' '.join(command)}")
        before = self.path.stat().st_size
        try:
            code = subprocess.run(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=self._file,
                stderr=subprocess.STDOUT,
                timeout=timeout_s,
                env=dict(env) if env is not None else None,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            code = 124
            self.note(f"error: no end after {timeout_s:.0f} s")
        except FileNotFoundError:
            code = 127
            self.note(f"error: there is no {command[0]}")
        with self.path.open("rb") as stream:
            stream.seek(before)
            return code, stream.read().decode("utf-8", "replace")


def reason(output: str) -> str:
    """The line of a program's output that says what went wrong: its last error if it names one, else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("e: ", "error", "fatal", "× ", "caused by"))]
    return (errors or lines or ["it printed nothing"])[-1][:300]


def counted(names: Sequence[str], shown: int = 4) -> str:
    """`a, b, c, d and 3 more`."""
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")
