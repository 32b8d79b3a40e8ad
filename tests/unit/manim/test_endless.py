"""Which loops nothing can leave, told from their source; whom the watch stops."""

from __future__ import annotations

import io
import signal
import sys
import textwrap
from typing import Any

import pytest

from tools.manim.channel import Sender, frames
from tools.manim.endless import Endless, Watch, loops

NEVER = (
    "while True:\n    self.play(Rotate(wheel))",
    "while 1:\n    for step in range(3):\n        if step:\n            break",
    "t = 0\nwhile t < 10:\n    self.wait(0.1)\n    u = t + 1",
    "for turn in itertools.count():\n    self.wait(turn)",
    "while True:\n    def leave():\n        return 1\n    leave()",
)
SOMETIME = (
    "while True:\n    self.wait()\n    if done():\n        break",
    "t = 0\nwhile t < 10:\n    t += 1",
    "while queue:\n    queue.pop()",
    "while tracker.get_value() < 3:\n    self.wait(0.1)",
    "for turn in range(1000):\n    self.wait(turn)",
    "for turn in itertools.repeat(1, 3):\n    self.wait(turn)",
    "def numbers():\n    while True:\n        yield 1",
    "try:\n    while True:\n        take()\nexcept IndexError:\n    pass",
    "def search():\n    while True:\n        if found():\n            return 1",
    "def step():\n    global t\n    t += 1\nt = 0\nwhile t < 10:\n    step()",
    "while True:\n    value = next(values)",
    "while low < high:\n    narrow(low, high)",
    "while (",
)


@pytest.mark.parametrize("source", NEVER)
def test_nothing_leaves_it(source: str) -> None:
    """One loop, from its first line to its last."""
    (loop,) = loops(textwrap.dedent(source))
    assert loop.said in source
    assert loop.first <= loop.last


@pytest.mark.parametrize("source", SOMETIME)
def test_something_may_leave_it(source: str) -> None:
    """Nothing is said of it."""
    assert loops(source) == []


def test_only_the_script_is_stopped() -> None:
    """What describes how it ended, after it, runs on however long it takes."""
    space: dict[str, Any] = {"sys": sys}
    exec(compile("def frame():\n    return sys._getframe()", "/scene.py", "exec"), space)  # noqa: S102 - the test's own
    before = signal.getsignal(signal.SIGUSR1)
    watch = Watch("/scene.py", "", lambda: 0, lambda: 0.0, idle_s=1000.0)
    try:
        watch._end(signal.SIGUSR1, sys._getframe())
        with pytest.raises(Endless):
            watch._end(signal.SIGUSR1, space["frame"]())
        watch.stop()
        watch._end(signal.SIGUSR1, space["frame"]())
    finally:
        watch.stop()
        watch._thread.join()
        signal.signal(signal.SIGUSR1, before)


def test_a_frame_is_sent_whole_before_the_script_is_stopped() -> None:
    """Half of one would make what comes after it unreadable: how the script ended could not be told."""
    sent: list[bytes] = []

    def write(_descriptor: int, data: bytes | memoryview) -> int:
        watch._end(signal.SIGUSR1, sys._getframe())
        sent.append(bytes(data[:10]))
        return len(sent[-1])

    key = b"k" * 32
    space: dict[str, Any] = {"sender": Sender(0, key, write), "stop": lambda: watch._end(signal.SIGUSR1, sys._getframe())}
    before = signal.getsignal(signal.SIGUSR1)
    watch = Watch("/scene.py", "", lambda: 0, lambda: 0.0, idle_s=1000.0)
    try:
        with pytest.raises(Endless):
            exec(compile("sender.json({'shown': 1})\nstop()", "/scene.py", "exec"), space)  # noqa: S102 - the test's own
    finally:
        watch.stop()
        signal.signal(signal.SIGUSR1, before)
    stream = io.BytesIO(b"".join(sent))
    assert list(frames(stream.read, key)) == [(b"json", b'{"shown":1}')]
