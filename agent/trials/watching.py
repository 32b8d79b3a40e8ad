"""What the stage's other instruments see while an act is carried out: requests, console, storage, picture, own code, sound."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.browser.compare import differing
from tools.browser.coverage.watch import Reading
from tools.browser.handed_over import COPIED
from tools.browser.stage import Stage
from tools.browser.tab import CommandRefused, FrameGone, ScriptError, TabBusy
from tools.evidence.code_rows import RanFunction
from tools.evidence.rows import Box, ConsoleMessage, DialogShown, NetworkFailure, PageError, PageEvent
from tools.page.changes import Beat, Witness

_STORED = """() => {
  const found = {};
  for (const [kind, of] of [["local", () => localStorage], ["session", () => sessionStorage]]) {
    try {
      const store = of();
      for (let i = 0; i < store.length; i += 1) found[`${kind}:${store.key(i)}`] = store.getItem(store.key(i));
    }
    catch { /* a frame without storage of its own */ }
  }
  return found;
}"""
_REGION_PX = 16
"""Changed pixels this near to each other are one region."""
REGIONS_AT_MOST = 12
CALLED_AT_MOST = 200
"""Functions of which it is kept how often they ran."""
_UNASKED = ("/favicon.ico",)
"""What a browser asks for by itself: that it is not there fails nobody."""
_ASKS_BACK = "net::ERR_CACHE_MISS"
"""Back at what a form had led to, which may not be kept: Chromium asks before it sends the form again, and sent nothing."""
_OUTSIDE = frozenset({"popup", "download", "file_chooser", "full_screen", "pointer_lock", "navigation", "handed_over"})

T = TypeVar("T")


@dataclass
class Watch:
    """Listens to a stage from one act to the next. `begin`, then `end`; app time stands in both."""

    stage: Stage
    number: int = 0
    _heard: list[object] = field(default_factory=list)
    _stored: Mapping[str, str] | None = None
    _picture: NDArray[np.uint8] | None = None
    readings: list[Reading] = field(default_factory=list[Reading])
    """What of the app's own code ran since they were last written down."""
    after: NDArray[np.uint8] | None = None
    """The picture at `end`."""

    def __post_init__(self) -> None:
        """Hear from now on what the page says and suffers."""
        self.stage.logs.listeners.append(self._heard.append)
        self.stage.traffic.sent.clear()

    def close(self) -> None:
        """Stop listening."""
        self.stage.logs.listeners.remove(self._heard.append)

    async def begin(self) -> None:
        """What there is right before an act; what ran and was said since the last one is none of its doing."""
        reading, self._stored, self._picture = await self._looked(0)
        self.readings = [reading]
        self._heard.clear()
        self.stage.traffic.sent.clear()
        if self.stage.ear is not None:
            self.stage.ear.mark()

    async def end(self, typed: Collection[str] = (), *, idle_ms: float = 0.0) -> Witness:
        """What was seen since `begin`.

        `typed`: texts that are looked for in what was written into the stores. `idle_ms`: for so much app time nothing was done.
        """
        self.number += 1
        reading, stored, picture = await self._looked(self.number)
        self.readings.append(reading)
        self.after = picture
        ran = sorted({_called(function) for function in reading.functions})
        first = sorted({_called(function) for function in reading.functions if function.first})
        known = reading.ran.measured
        return Witness(
            requests=tuple(self.stage.traffic.sent),
            outside=self._outside() or None,
            copied=self._copied() or None,
            failed=tuple(
                f"{network_failure.method} {network_failure.url}: {network_failure.reason}" for network_failure in self._failed()
            ),
            sound=self.stage.ear.heard() if self.stage.ear is not None else None,
            storage=_differing_keys(self._stored, stored),
            wrote=_written(typed, self._stored, stored),
            picture=_regions(self._picture, picture),
            thrown=tuple(dict.fromkeys(self.thrown())),
            console=tuple(dict.fromkeys((*self.thrown(), *self._complaints()))),
            dialogs=tuple(f"{dialog_shown.variety}: {dialog_shown.message}" for dialog_shown in self.heard(DialogShown)),
            ran=tuple(ran) if known else None,
            ran_first=tuple(first) if known else None,
            beats=(_beat(reading, idle_ms),) if known and idle_ms else () if known else None,
        )

    async def _looked(self, number: int) -> tuple[Reading, Mapping[str, str] | None, NDArray[np.uint8]]:
        """What ran, what is stored, what is seen: asked at the same time, of a page whose time stands."""
        return await asyncio.gather(self.stage.code.read(number), self._stores(), self.stage.picture())

    def heard(self, kind: type[T]) -> list[T]:
        """What was heard of that kind since `begin`."""
        return [item for item in self._heard if isinstance(item, kind)]

    def thrown(self) -> list[str]:
        """Exceptions that nobody caught."""
        return [page_error.message for page_error in self.heard(PageError)]

    def _failed(self) -> list[NetworkFailure]:
        """What the page asked its own site for in vain, but for what failed already as it was opened: no act did that."""
        heard = [network_failure for network_failure in self.heard(NetworkFailure) if network_failure.reason != _ASKS_BACK]
        own = [
            network_failure
            for network_failure in heard
            if network_failure.own_site and not urlsplit(network_failure.url).path.endswith(_UNASKED)
        ]
        return [
            network_failure
            for network_failure in own
            if (network_failure.method, network_failure.url) not in self.stage.logs.failing
        ]

    def _outside(self) -> tuple[str, ...]:
        """What is known to have left the page. That nothing did is never known: a page has more ways out than are watched."""
        asked = [f'{dialog_shown.variety} "{dialog_shown.message[:80]}"' for dialog_shown in self.heard(DialogShown)]
        events = [
            f"{page_event.event}: {page_event.detail}"[:120]
            for page_event in self.heard(PageEvent)
            if page_event.event in _OUTSIDE
        ]
        return (*asked, *events)

    def _copied(self) -> tuple[str, ...]:
        """Words that are known to have been put on the clipboard. That none were is never known."""
        told = [page_event.detail for page_event in self.heard(PageEvent) if page_event.event == "handed_over"]
        return tuple(text.removeprefix(f"{COPIED}: ") for text in told if text.startswith(f"{COPIED}: "))

    def _complaints(self) -> list[str]:
        said = [console_message for console_message in self.heard(ConsoleMessage) if console_message.level in {"error", "assert"}]
        return [console_message.text for console_message in said if not urlsplit(console_message.url).path.endswith(_UNASKED)]

    async def _stores(self) -> Mapping[str, str] | None:
        try:
            return await self.stage.evaluate(_STORED)
        except (CommandRefused, FrameGone, ScriptError, TabBusy):
            return None


def _called(ran_function: RanFunction) -> str:
    """A function's name; where it is written if it has none."""
    return ran_function.name if ran_function.name != "anonymous" else f"{ran_function.source}:{ran_function.line}"


def _beat(reading: Reading, idle_ms: float) -> Beat:
    often = sorted(
        ((function.key, function.calls) for function in reading.functions if function.calls > 1),
        key=lambda entry: (-entry[1], entry[0]),
    )
    return Beat(app_ms=round(idle_ms, 1), calls=tuple(often[:CALLED_AT_MOST]))


def _differing_keys(before: Mapping[str, str] | None, after: Mapping[str, str] | None) -> tuple[str, ...] | None:
    if before is None or after is None:
        return None
    return tuple(sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key)))


def _written(typed: Collection[str], before: Mapping[str, str] | None, after: Mapping[str, str] | None) -> tuple[str, ...] | None:
    """Which texts stand in the values that differ now, as they are or as JSON writes them."""
    if before is None or after is None:
        return None
    fresh = [value for key, value in after.items() if before.get(key) != value]
    return tuple(text for text in typed if any(text in value or json.dumps(text)[1:-1] in value for value in fresh))


def _regions(before: NDArray[np.uint8] | None, after: NDArray[np.uint8]) -> tuple[Box, ...] | None:
    """Where two pictures of one size differ, the largest first."""
    if before is None or before.shape != after.shape:
        return None
    if np.array_equal(before, after):
        return ()
    mask = differing(before, after).astype(np.uint8)
    joined = cv2.dilate(mask, np.ones((_REGION_PX, _REGION_PX), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    boxes = [Box(x=float(x), y=float(y), width=float(w), height=float(h)) for x, y, w, h, _ in stats[1:]]
    return tuple(sorted(boxes, key=lambda box: -box.area)[:REGIONS_AT_MOST])
