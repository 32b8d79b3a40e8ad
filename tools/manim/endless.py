"""Scripts that never end, told apart from slow ones: a loop without a way out, and a script that shows nothing new for long.

Runs inside the sandbox, in a thread of its own beside the script. Where it is sure, the script is stopped where it stands and its
line is told; where it is not, the limits of the runner hold. A signal stops it, so that waiting is ended, too.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from types import FrameType

from tools.manim.channel import Sender

LOOK_S = 0.5
IN_LOOP_S = 8.0
"""In a loop without a way out: an exception would have ended it sooner."""
USUAL_IDLE_S = 15.0
"""Of the limits nobody asked otherwise of."""
BUSY = 0.05
"""Share of a look's time from which a script is at work."""
LONGEST_SCENE_S = 1200.0
"""Of scene time; endless loops of short plays pass it soon, as nobody draws what nobody looks at."""
_LEAVING = frozenset({"exit", "quit", "_exit", "abort", "next", "throw"})
_UNENDING = frozenset({"count", "cycle", "repeat"})

# Kept here because scripts may replace them.
_clock, _processor, _sleep, _frames = time.monotonic, time.process_time, time.sleep, sys._current_frames  # noqa: SLF001
_SENDING = Sender.send.__code__


class Endless(BaseException):
    """The script was stopped because it does not end."""


@dataclass(frozen=True)
class Loop:
    """A loop that nothing in it leaves."""

    first: int
    last: int
    """Lines of its body."""
    said: str
    """Its head, as the script has it."""


def loops(source: str) -> list[Loop]:
    """Loops that only an exception can end; none if the source does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    shared = {name for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    guarded = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Try) for inner in ast.walk(node)}
    return [
        Loop(node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno, ast.unparse(node).splitlines()[0].rstrip(":"))
        for node in ast.walk(tree)
        if isinstance(node, ast.While | ast.For) and id(node) not in guarded and _goes_on(node, shared) and not _left(node)
    ]


def _goes_on(node: ast.While | ast.For, shared: set[str]) -> bool:
    """Whether its head never ends it."""
    if isinstance(node, ast.For):
        call = node.iter
        if not isinstance(call, ast.Call):
            return False
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        return name in _UNENDING and not (name == "repeat" and len(call.args) + len(call.keywords) > 1)
    test = node.test
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if not isinstance(test, ast.Compare) or not all(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in test.ops):
        return False
    sides = [test.left, *test.comparators]
    names = {side.id for side in sides if isinstance(side, ast.Name)}
    figures = [side for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, int | float)]
    if len(names) + len(figures) != len(sides) or not figures or names & shared:
        return False
    changed = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)}
    return not names & changed


def _left(node: ast.While | ast.For) -> bool:
    """Whether anything in its body leaves it, or lets go of it for a while."""
    return any(_leaves(part, inside=False) for part in node.body)


def _leaves(node: ast.AST, *, inside: bool) -> bool:
    """`inside`: within another loop of the body, whose `break` is its own."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return False
    if isinstance(node, ast.Return | ast.Raise | ast.Yield | ast.YieldFrom | ast.Await | ast.Assert):
        return True
    if isinstance(node, ast.Break):
        return not inside
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _LEAVING:
            return True
    inside = inside or isinstance(node, ast.While | ast.For)
    return any(_leaves(child, inside=inside) for child in ast.iter_child_nodes(node))


class Watch:
    """Looks at a script from a thread of its own, from its start to `stop`.

    `progress` changes whenever something new is shown; `scene_s` is the time of the scene that runs. `idle_s`: processor seconds
    without progress after which a script does not end; one that waits and computes nothing has half as much again, by the clock.
    """

    def __init__(
        self, script: str, source: str, progress: Callable[[], Hashable], scene_s: Callable[[], float], idle_s: float
    ) -> None:
        self._script = script
        self._loops = loops(source)
        self._progress, self._scene_s, self._idle_s = progress, scene_s, idle_s
        self._main, self._thread_id = threading.get_ident(), threading.get_native_id()
        self._reason = ""
        self._over = threading.Event()
        self._entered: dict[tuple[int, int], float] = {}
        signal.signal(signal.SIGUSR1, self._end)
        self._thread = threading.Thread(target=self._look_on, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """The script is through."""
        self._over.set()

    def _end(self, _number: int, frame: FrameType | None) -> None:
        # Once it is out of the script, whoever describes how it ended is not to be stopped by the next look; and half a frame
        # sent makes everything after it unreadable. The next look comes soon.
        if not self._over.is_set() and any(self._of_script(frame)) and not _sending(frame):
            raise Endless(self._reason)

    def _look_on(self) -> None:
        last, used, waiting = self._progress(), _processor(), _clock()
        busy = _busy_s(self._thread_id)
        while not self._over.is_set():
            _sleep(LOOK_S)
            now, before, busy = self._progress(), busy, _busy_s(self._thread_id)
            if now != last:
                last, used, waiting = now, _processor(), _clock()
            # On a crowded machine a script that wants to compute gets no turn: that is no waiting.
            if busy is None or before is None or busy - before > BUSY * LOOK_S or _has_children():
                waiting = _clock()
            self._reason = self._looping() or self._idle(_clock() - waiting, _processor() - used) or self._too_long()
            if self._reason:
                # Whatever catches it is stopped again at the next look.
                signal.pthread_kill(self._main, signal.SIGUSR1)

    def _looping(self) -> str:
        """The loop without a way out that the script has been in for long."""
        here: dict[tuple[int, int], float] = {}
        reason = ""
        for frame in self._stack():
            for loop in self._loops:
                if loop.first <= frame.f_lineno <= loop.last:
                    key = (id(frame), loop.first)
                    here[key] = self._entered.get(key, _clock())
                    if _clock() - here[key] >= IN_LOOP_S:
                        reason = f"the script never ends: nothing leaves `{loop.said}` (line {loop.first - 1})"
        self._entered = here
        return reason

    def _idle(self, waited_s: float, used_s: float) -> str:
        if used_s >= self._idle_s:
            return f"the script does not come to an end: {used_s:.0f} s of computing showed nothing new{self._at()}"
        if waited_s >= 1.5 * self._idle_s:
            return f"the script does not come to an end: it has been waiting for {waited_s:.0f} s{self._at()}"
        return ""

    def _too_long(self) -> str:
        if self._scene_s() < LONGEST_SCENE_S * max(self._idle_s / USUAL_IDLE_S, 1.0):
            return ""
        return f"the script does not come to an end: its scene is {self._scene_s() / 60:.0f} minutes long and goes on{self._at()}"

    def _at(self) -> str:
        line = next((frame.f_lineno for frame in self._stack()), None)
        return f" (line {line})" if line else ""

    def _stack(self) -> Iterator[FrameType]:
        """The script's frames, innermost first."""
        return self._of_script(_frames().get(self._main))

    def _of_script(self, frame: FrameType | None) -> Iterator[FrameType]:
        while frame is not None:
            if frame.f_code.co_filename == self._script:
                yield frame
            frame = frame.f_back


def _sending(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is _SENDING:
            return True
        frame = frame.f_back
    return False


def _busy_s(thread: int) -> float | None:
    """Seconds in which a thread has computed or wanted to; None where the kernel does not tell."""
    try:
        with open(f"/proc/self/task/{thread}/schedstat", encoding="ascii") as told:  # noqa: PTH123 - scripts may patch Path
            computed, wanted = told.read().split()[:2]
    except (OSError, ValueError):
        return None
    return (int(computed) + int(wanted)) / 1e9


def _has_children() -> bool:
    """Whether a program that the script started is at work (LaTeX)."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as listed:  # noqa: PTH123 - scripts may patch Path
            return bool(listed.read().split())
    except OSError:
        return True
