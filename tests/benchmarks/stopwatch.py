"""Where time goes inside a running program: functions are wrapped so that their wall time is added up under a name.

The wrapped function runs as it is; only two readings of the clock are added. Awaiting counts, so a stage that waits for the
browser costs what the caller waits.
"""

from __future__ import annotations

import functools
import inspect
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any


class Stopwatch:
    """Wall time by name since the last `take`, in ms."""

    def __init__(self) -> None:
        self._spent_ms: dict[str, float] = defaultdict(float)
        self._deep: dict[str, int] = defaultdict(int)

    def take(self) -> dict[str, float]:
        """What was spent since the last time, by name; begins anew."""
        spent, self._spent_ms = dict(self._spent_ms), defaultdict(float)
        return spent

    def wrap(self, owner: Any, name: str, label: str) -> None:
        """Have `owner.name` (a function or method) counted under `label`; calls inside a call of the same label count once."""
        work: Callable[..., Any] = inspect.getattr_static(owner, name)
        bare = work.__func__ if isinstance(work, (classmethod, staticmethod)) else work
        timed = self._timed_async(bare, label) if inspect.iscoroutinefunction(bare) else self._timed(bare, label)
        setattr(owner, name, type(work)(timed) if isinstance(work, (classmethod, staticmethod)) else timed)

    def _timed(self, work: Callable[..., Any], label: str) -> Callable[..., Any]:
        @functools.wraps(work)
        def timed(*args: Any, **kwargs: Any) -> Any:
            began = self._enter(label)
            try:
                return work(*args, **kwargs)
            finally:
                self._leave(label, began)

        return timed

    def _timed_async(self, work: Callable[..., Any], label: str) -> Callable[..., Any]:
        @functools.wraps(work)
        async def timed(*args: Any, **kwargs: Any) -> Any:
            began = self._enter(label)
            try:
                return await work(*args, **kwargs)
            finally:
                self._leave(label, began)

        return timed

    def _enter(self, label: str) -> float:
        self._deep[label] += 1
        return time.perf_counter()

    def _leave(self, label: str, began: float) -> None:
        # Work under one label may run side by side (the frames of a page): the first to begin and the last to end make its time,
        # which for calls that begin together is the longest of them.
        self._deep[label] -= 1
        if not self._deep[label]:
            self._spent_ms[label] += (time.perf_counter() - began) * 1000
