"""Two measures of what moves in a film (PRISM, sections 3.3 and 3.4), of an animation or of a recorded session.

*PADVC* (prompt-aware dynamic visual complexity, equation 2): the energy of what is drawn, event by event, over the peak of
text on the screen and over what the prompt asks for. *TD* (temporal density, equation 6): share of pixels that change, per
second. Both diagnose; neither ranks.

Two variants of PADVC. `paper`: equations 2–4 with grey from 0 to 1 on a picture `HEIGHT` pixels high, whatever the film's
size, and events that do not depend on size or frame rate (`events.py`). `code`: as the released code reckons, as far as that
is known: the film's own size, a fixed sum for events, E_geo in units of 10⁵ grey levels, E_text as a mean over pixels, the
sum divided by the number of events.

Reads the film once and keeps a handful of frames, however long it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.media.events import Event, EventFinder, Grey, Variant
from tools.media.padvc_prompt import density
from tools.media.video import grey_frames, packets, probe

EXPONENT = 0.7
"""p of equation 2."""
CHANGED_ABOVE = 25
"""τ of temporal density, in grey levels."""
HEIGHT = 480
TEXT_EVERY_FRAMES = 15
"""The released code looks for text in every fifteenth frame of fifteen a second."""
TEXT_EVERY_S = 1.0
DILATION = 7
"""By how many pixels (at `HEIGHT`) text regions are grown before they are taken out of the drawing."""
SAME_SHARE = 2e-4
"""A picture in which fewer pixels than this changed has the text of the one before."""
EDGE = 2.0
"""Standard deviation in pixels at `HEIGHT` of the Gaussian before the Laplacian (paper variant). Without it the energy of one and
the same drawing would depend on how sharply its film shows edges, that is on the film's size."""
CODE_GEO_UNIT = 1e5

TextFinder = Callable[[NDArray[np.uint8]], Sequence[NDArray[np.float32]]]
"""Quadrangles around lines of text, (4, 2) pixels each, in an RGB picture: `tools.media.ocr.detect`."""


@dataclass(frozen=True)
class Stretch:
    """One event of the film."""

    begin_s: float
    end_s: float
    energy: float
    """E_geo in the variant's unit."""


@dataclass(frozen=True)
class Dynamics:
    """What a film shows."""

    variant: Variant
    frames: int
    fps: float
    duration_s: float
    td: float | None
    """TD_r, share of the picture a second; None for a film of one frame."""
    padvc: float | None
    """PADVC_r; None without OCR: text cannot be told from drawing then."""
    events: tuple[Stretch, ...]
    text_burden: float | None
    """E_text^max."""
    pvd: int
    text_looks: int
    """How many pictures were searched for text."""


class _Texts:
    """Masks of text, found again only where the picture changed."""

    def __init__(self, find: TextFinder, scale: float) -> None:
        self._find = find
        self._grown = max(1, round(DILATION * scale))
        self._seen: Grey | None = None
        self._mask: Grey | None = None
        self.looks = 0
        self.burden = 0.0

    def look(self, frame: Grey, *, mean: bool) -> Grey:
        """The mask (0 or 1) of a picture; its boundary energy goes into the peak."""
        if self._seen is None or self._mask is None or not _alike(frame, self._seen):
            self._seen = frame.copy()
            self.looks += 1
            mask = np.zeros(frame.shape, np.uint8)
            for quad in self._find(np.asarray(cv2.cvtColor(frame, cv2.COLOR_GRAY2RGB), np.uint8)):
                cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), (1,))
            energy = float(np.abs(_laplacian(mask)).sum())
            self.burden = max(self.burden, energy / mask.size if mean else energy)
            self._mask = mask
        return self._mask

    def grown(self, frame: Grey, *, mean: bool) -> Grey:
        """The mask with a margin."""
        kernel = np.ones((2 * self._grown + 1, 2 * self._grown + 1), np.uint8)
        return np.asarray(cv2.dilate(self.look(frame, mean=mean), kernel), np.uint8)


def _alike(first: Grey, second: Grey) -> bool:
    _, mask = cv2.threshold(cv2.absdiff(first, second), CHANGED_ABOVE, 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(mask) < SAME_SHARE * first.size


def _laplacian(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.asarray(cv2.Laplacian(picture, cv2.CV_32F, ksize=1), np.float32)


def _edges(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Laplacian of a Gaussian, scaled so that a straight edge has the energy that it has without the Gaussian."""
    smooth = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), EDGE, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.Laplacian(smooth, cv2.CV_32F, ksize=1), np.float32) * (EDGE * math.sqrt(2 * math.pi))


def measure_dynamics(
    path: Path, prompt: str = "", *, find_text: TextFinder | None = None, variant: Variant = "paper", timeout_s: float = 600.0
) -> Dynamics:
    """PADVC and TD of a film. Without `find_text`, PADVC is not measured.

    Raises `UnreadableFilm` or `MissingProgram`.
    """
    film = probe(path)
    at_s = packets(path, "v").at_s
    fps = _frame_rate(at_s)
    size = film.width, film.height
    if variant == "paper":
        size = max(2, round(film.width * HEIGHT / film.height)), HEIGHT
    reckoning = _Reckoning(fps, size, find_text, variant)
    frame_s = 1 / fps
    moments = np.sort(at_s)
    for count, frame in enumerate(grey_frames(path, size, timeout_s=timeout_s)):
        reckoning.frame(frame, float(moments[count]) if count < len(moments) else count * frame_s, count)
    return reckoning.result(density(prompt).pvd)


def _frame_rate(at_s: NDArray[np.float64]) -> float:
    """Frames a second over the whole film; recordings of sessions have no other."""
    span = float(at_s.max() - at_s.min()) if len(at_s) > 1 else 0.0
    return (len(at_s) - 1) / span if span > 0 else 25.0


class _Reckoning:
    """Everything that is summed up while the frames go by."""

    def __init__(self, fps: float, size: tuple[int, int], find_text: TextFinder | None, variant: Variant) -> None:
        self._fps = fps
        self._variant: Variant = variant
        self._finder = EventFinder(fps, variant)
        self._texts = _Texts(find_text, size[1] / HEIGHT) if find_text is not None else None
        self._before: Grey | None = None
        self._scratch = np.empty((size[1], size[0]), np.uint8)
        self._moved = 0.0
        self._frames = 0
        self._last_s = 0.0
        self._next_look_s = 0.0
        self._events: list[Stretch] = []

    def frame(self, frame: Grey, at_s: float, count: int) -> None:
        """Take one frame."""
        self._frames += 1
        self._last_s = at_s
        if self._before is None:
            self._before = frame.copy()
        else:
            cv2.absdiff(frame, self._before, dst=self._scratch)
            _, mask = cv2.threshold(self._scratch, CHANGED_ABOVE, 1, cv2.THRESH_BINARY)
            self._moved += cv2.countNonZero(mask) / mask.size
            np.copyto(self._before, frame)
        event = self._finder.feed(frame, at_s)
        if event is not None:
            self._take(event)
        if self._texts is not None and (
            at_s >= self._next_look_s if self._variant == "paper" else count % TEXT_EVERY_FRAMES == 0
        ):
            self._next_look_s = at_s + TEXT_EVERY_S
            self._texts.look(frame, mean=self._variant == "code")

    def _take(self, event: Event) -> None:
        drawn = np.abs(_laplacian(event.appeared) if self._variant == "code" else _edges(event.appeared))
        if self._texts is not None:
            drawn = drawn * (1 - self._texts.grown(event.last, mean=self._variant == "code"))
        unit = CODE_GEO_UNIT if self._variant == "code" else 255.0
        self._events.append(Stretch(round(event.begin_s, 4), round(event.end_s, 4), float(drawn.sum()) / unit))

    def result(self, pvd: int) -> Dynamics:
        """Close the last event and reckon."""
        last = self._finder.finish()
        if last is not None:
            self._take(last)
        burden = self._texts.burden if self._texts is not None else None
        return Dynamics(
            variant=self._variant,
            frames=self._frames,
            fps=round(self._fps, 4),
            duration_s=round(self._last_s, 4),
            td=self._fps * self._moved / (self._frames - 1) if self._frames > 1 else None,
            padvc=padvc([event.energy for event in self._events], burden, pvd, divide=self._variant == "code")
            if burden is not None
            else None,
            events=tuple(self._events),
            text_burden=burden,
            pvd=pvd,
            text_looks=self._texts.looks if self._texts is not None else 0,
        )


def padvc(energies: Sequence[float], text_burden: float, pvd: int, *, divide: bool = False) -> float:
    """Equation 2; `divide`: by the number of events, as the released code does and the equation does not."""
    total = math.fsum(energy**EXPONENT for energy in energies)
    if divide and energies:
        total /= len(energies)
    return total / (math.log(pvd + math.e) * (1 + text_burden**EXPONENT))
