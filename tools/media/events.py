"""Events of a film: stretches in which something appears. Frame after frame, with no more than four pictures in memory.

PRISM (section 3.3) cuts a film into events "by thresholding the forward frame-change ratio" and gives neither ratio nor
threshold. Its released code adds up all positive grey differences and asks for more than 50,000, so that the same film has
other events at another size or frame rate. Here the ratio is the share of full scale (255 × pixels) by which the picture grew
lighter, per second, seen at
`LOOKS_PER_S`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Variant = Literal["paper", "code"]

CODE_SUM_LEAST = 50_000
"""Released code: sum of positive grey differences between consecutive frames, at the film's own size."""
LOOKS_PER_S = 15.0
RATE_LEAST = 2e-4
"""Least share of full scale a second. At 854 × 480 a line two pixels wide that grows by 50 pixels a second passes; the released
sum asks for 35 times as much and does not see a thin circle being drawn in a second (measured: no event at all)."""
NOISE = 4
"""Grey levels by which compression changes a still picture; smaller differences are no change."""


@dataclass(frozen=True)
class Event:
    """One stretch. `appeared`: how much lighter each pixel is at its end than at its start (grey levels)."""

    begin_s: float
    end_s: float
    appeared: Grey
    last: Grey
    """The picture at its end."""


@dataclass
class EventFinder:
    """Feed it the frames of a film in order; it returns each event when it is over."""

    fps: float
    variant: Variant = "paper"
    _looked: float = field(default=-1e9, init=False)
    _before: Grey | None = field(default=None, init=False)
    _before_s: float = field(default=0.0, init=False)
    _start: Grey | None = field(default=None, init=False)
    _start_s: float = 0.0

    def feed(self, frame: Grey, at_s: float) -> Event | None:
        """The event that ended with the frame before, if one did. The array may be used again by the caller."""
        # Half a frame's tolerance, so that 30 and 60 frames a second are looked at 15 times a second and not 10.
        if self.variant == "paper" and at_s - self._looked < 1 / LOOKS_PER_S - 0.5 / max(self.fps, 1.0):
            return None
        passed_s, self._looked = at_s - self._before_s, at_s
        if self._before is None:
            self._before, self._before_s = frame.copy(), at_s
            return None
        growth = np.asarray(cv2.subtract(frame, self._before), np.uint8)
        done: Event | None = None
        if self._changes(growth, passed_s):
            if self._start is None:
                self._start, self._start_s = self._before.copy(), self._before_s
        elif self._start is not None:
            done = self._close()
        np.copyto(self._before, frame)
        self._before_s = at_s
        return done

    def finish(self) -> Event | None:
        """The event that was going on when the film ended."""
        return self._close() if self._start is not None else None

    def _changes(self, growth: Grey, passed_s: float) -> bool:
        if self.variant == "code":
            return float(cv2.sumElems(growth)[0]) > CODE_SUM_LEAST
        _, seen = cv2.threshold(growth, NOISE, 0, cv2.THRESH_TOZERO)
        return float(cv2.mean(seen)[0]) / 255 / max(passed_s, 1e-6) > RATE_LEAST

    def _close(self) -> Event:
        assert self._start is not None  # noqa: S101 - the callers have looked
        assert self._before is not None  # noqa: S101
        appeared = cv2.subtract(self._before, self._start)
        if self.variant == "paper":
            # Otherwise the noise of still pixels adds up to the energy of a drawing.
            _, appeared = cv2.threshold(appeared, NOISE, 0, cv2.THRESH_TOZERO)
        event = Event(self._start_s, self._before_s, np.asarray(appeared, np.uint8), self._before.copy())
        self._start = None
        return event
