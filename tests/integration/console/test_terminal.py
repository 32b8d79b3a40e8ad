"""The terminal is given back as it was, whichever way the process ends."""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Callable, Iterator

import pytest

from agent.console.terminal import LEAVE
from tests.integration.console.terminals import Pty, until

PROGRAM = """
import os, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests under nohup has it ignored
from agent.console.terminal import Terminal
way = sys.argv[1]
terminal = Terminal()
terminal.enter()
print("a library's words", file=sys.stderr)
os.write(1, b"a program's words\\n")
terminal.write(b"PAINTED")
assert sorted(terminal.printed()) == ["a library's words", "a program's words"]
match way:
    case "leave": terminal.leave(); terminal.leave(); print("AFTER")
    case "return": pass
    case "raise": raise ValueError("a mistake of ours")
    case "exit": sys.exit(3)
    case "vanish": os._exit(3)
    case "abort": os.abort()
    case "wait":
        print("more words", file=sys.stderr)
        time.sleep(60)
"""


@pytest.fixture
def begin() -> Iterator[Callable[..., Pty]]:
    """Starts a program in a pseudo-terminal."""
    opened: list[Pty] = []

    def start(program: str, *arguments: str, **variables: str) -> Pty:
        opened.append(Pty(program, *arguments, size=(80, 24), **variables))
        return opened[-1]

    yield start
    for pty in opened:
        pty.close()


def assert_given_back(pty: Pty) -> None:
    """Modes as before; the other screen left once, the cursor shown, wrapping on; within two seconds."""
    until(lambda: LEAVE in pty.read().replace(b"\x18", b"") and pty.attributes == pty.before, 2, lambda: repr(pty.out[-500:]))
    assert pty.read().count(b"\x1b[?1049l") == 1
    assert b"words" not in pty.out.partition(b"\x1b[?1049l")[0], "what others print does not disturb the picture"


def test_it_is_taken_over(begin: Callable[..., Pty]) -> None:
    """Keys come at once and unseen, Ctrl-S and Ctrl-Z do not stop anything, Ctrl-C still is a signal."""
    pty = begin(PROGRAM, "wait")
    pty.wait_for(b"PAINTED")
    iflag, oflag, _, lflag, _, _, cc = pty.attributes
    assert not lflag & (termios.ICANON | termios.ECHO)
    assert lflag & termios.ISIG
    assert not iflag & termios.IXON
    assert oflag & termios.OPOST
    assert cc[termios.VSUSP] == b"\x00"
    assert pty.before != pty.attributes


@pytest.mark.parametrize("way", ["leave", "return", "raise", "exit", "vanish", "abort"])
def test_it_is_given_back_whatever_the_process_does(way: str, begin: Callable[..., Pty]) -> None:
    """Even when it ends without a word: then a watcher mends it."""
    pty = begin(PROGRAM, way)
    pty.wait_for(b"PAINTED")
    pty.process.wait(timeout=20)
    assert_given_back(pty)
    if way == "raise":
        pty.wait_for(b"ValueError: a mistake of ours")
    if way in {"leave", "return", "raise", "exit"}:
        pty.wait_for(b"a library's words")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV], ids=lambda item: item.name)
def test_it_is_given_back_whatever_kills_the_process(number: signal.Signals, begin: Callable[..., Pty]) -> None:
    """SIGKILL leaves no raw mode, and neither do the others."""
    pty = begin(PROGRAM, "wait")
    pty.wait_for(b"PAINTED")
    os.killpg(pty.process.pid, number)
    assert pty.process.wait(timeout=20) == -number
    assert_given_back(pty)


def test_a_shell_that_mended_it_first_is_left_alone(begin: Callable[..., Pty]) -> None:
    """The watcher puts back only what is still as the console set it."""
    pty = begin(PROGRAM, "wait")
    pty.wait_for(b"PAINTED")
    os.kill(pty.process.pid, signal.SIGSTOP)
    other = pty.attributes
    other[3] |= termios.ICANON
    other[6][termios.VMIN], other[6][termios.VTIME] = b"\x01", b"\x00"
    termios.tcsetattr(pty.slave, termios.TCSANOW, other)
    os.kill(pty.process.pid, signal.SIGKILL)
    pty.process.wait(timeout=20)
    until(lambda: b"\x1b[?1049l" in pty.read(), 2, "the watcher's last words")
    assert pty.attributes == other


def test_a_terminal_that_takes_nothing_does_not_stop_the_run(begin: Callable[..., Pty]) -> None:
    """Megabytes are dropped, not waited for; leaving is bounded; afterwards modes are as before."""
    pty = begin(
        """
import time
from agent.console.terminal import Terminal
terminal = Terminal()
terminal.enter()
began = time.monotonic()
taken = [terminal.write(b"x" * 100_000) for _ in range(20)]
wrote = time.monotonic() - began
terminal.leave()
assert not all(taken) and wrote < 1, wrote
assert time.monotonic() - began < 4
""",
        TERM="xterm",
    )
    # Nobody reads meanwhile.
    assert pty.process.wait(timeout=20) == 0
    assert pty.attributes == pty.before


def test_where_there_can_be_no_console(begin: Callable[..., Pty]) -> None:
    """A dumb terminal and a foreign encoding are named."""
    program = "from agent.console.terminal import usable; print('why:', usable() or 'nothing')"
    begin(program, TERM="dumb").wait_for(b"why: the terminal can place no text")
    begin(program, PYTHONIOENCODING="ascii").wait_for(b"not UTF-8")
    begin(program).wait_for(b"why: nothing")
