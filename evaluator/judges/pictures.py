"""Which moments of a record a judge is shown, and the pictures of them: chosen by what happened, within a budget of tokens.

    the untouched page · after each failure · after each act that changed something, and before it · acts without a result
    · peaks of motion between the screenshots (out of the recording) · the end
Equal pictures are shown once. A picture is cited by its screenshot's row (`e000045`) or by the recording's row and the app time
in ms (`e000210@12345`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evaluator.judges.figures import Figures
from evaluator.record.sealed import Act, Reading
from evaluator.verdict.model import Failure
from prompts import Safe, ours
from tools.errors import EnvironmentFault, RunError
from tools.evidence.film_rows import MotionTrack
from tools.evidence.rows import Phase, Row, Screenshot
from tools.media.bounds import NoPicture
from tools.media.excerpts import still
from tools.media.image import decode_bgr

TOLERANCE = 16
"""Grey levels of 255 by which a pixel must differ to count as changed."""
TALLEST = 1.6
"""A picture is shown down to so many times its width."""


@dataclass(frozen=True)
class Moment:
    """Something worth a picture, low ranks first. `at_ms`: out of the recording at that app time; None: the row's own blob."""

    row: Row
    why: str
    rank: int
    at_ms: float | None = None

    @property
    def cite(self) -> str:
        """How a claim names it."""
        return self.row.id if self.at_ms is None else f"{self.row.id}@{self.at_ms:.0f}"

    @property
    def when(self) -> float:
        """App time in ms, for the order in which they are shown."""
        return self.at_ms if self.at_ms is not None else self.row.app_ms or 0.0


@dataclass(frozen=True)
class Shot:
    """A picture as it is shown."""

    cite: str
    row_id: str
    label: Safe
    jpeg: bytes
    width: int
    height: int
    tokens: int
    at_ms: float
    same: tuple[str, ...] = ()
    """Rows of other screenshots that look the same and are shown by this one."""

    @property
    def rows(self) -> tuple[str, ...]:
        """Rows that are shown by it."""
        return (self.row_id, *self.same)


def of_label(reading: Reading, label: str) -> Row | None:
    """The first screenshot of the untouched page with that label: `first`, `full`, `mobile`."""
    return next((row for row, body in reading.of(Screenshot) if body.label == label and row.blob is not None), None)


def first_look(reading: Reading) -> Row | None:
    """The untouched page: its labelled screenshot, else the first there is."""
    return of_label(reading, "first") or next((row for row, _ in reading.of(Screenshot) if row.blob is not None), None)


def moments(reading: Reading, failures: Sequence[Failure], figures: Figures) -> list[Moment]:
    """Candidates in the order of their worth, each picture once."""
    first = first_look(reading)
    found = [Moment(first, "the untouched page", 0)] if first is not None else []
    marked = {failure.step_ids[-1]: failure.id for failure in failures if failure.step_ids}
    for act in reading.acts:
        found += _of_act(reading, act, marked.get(act.row.id, ""))
    last = next((shot for act in reversed(reading.acts) for shot in shot_after(reading, act)), None)
    found += [Moment(last, "the end", 2)] if last is not None else []
    found += _peaks(reading, [each_moment.when for each_moment in found], figures)
    best: dict[str, Moment] = {}
    for moment in sorted(found, key=lambda each_moment: (each_moment.rank, each_moment.when, each_moment.cite)):
        best.setdefault(moment.cite, moment)
    return list(best.values())


def _of_act(reading: Reading, act: Act, failure: str) -> Iterator[Moment]:
    """After an act that shows a failure, then before it; after an act with a visible result; after one without any."""
    name = f"act {act.row.id} (#{act.number + 1})"
    after, before = shot_after(reading, act), _kept(reading, reading.picture_before(act))
    if failure:
        yield from (Moment(row, f"after {name}, where {failure} was seen", 1) for row in after)
        yield from (Moment(row, f"before {name}, where {failure} was seen", 3) for row in before)
        return
    if not act.delivered:
        return
    strong = act.opens_page or reading.page_before(act) != reading.page_after(act) or bool(act.body.witness.get("dialogs"))
    yield from (Moment(row, f"after {name}", 4 if act.shows and strong else 5 if act.shows else 7) for row in after)
    yield from (Moment(row, f"before {name}", 6 if act.shows else 8) for row in before)


def shot_after(reading: Reading, act: Act) -> list[Row]:
    """The picture after an act, if one was taken."""
    return _kept(reading, act.body.screenshot)


def _kept(reading: Reading, row_id: str) -> list[Row]:
    shot = reading.record.row(row_id) if row_id else None
    return [shot] if shot is not None and shot.blob is not None else []


def _peaks(reading: Reading, taken: Sequence[float], figures: Figures) -> list[Moment]:
    """Moments of most motion that no screenshot shows, and one in the middle of the longest motion."""
    film = reading.record.film_of()
    track = reading.last(MotionTrack)
    row = next((row for row, _ in reading.of(MotionTrack)), None)
    if film is None or track is None or row is None or row.blob is None:
        return []
    try:
        values = json.loads(reading.record.blobs.get(row.blob))
        pairs = [(share, at) for share, at in zip(values["changed"], values["app_ms"], strict=True) if share and at is not None]
    except (ValueError, KeyError, TypeError, RunError):
        return []
    middles = [(start + end) / 2 for start, end in track.motion_spans if end - start > figures.pictures.peak_apart_ms]
    apart = list(taken)
    found: list[Moment] = []
    wanted = [(at, "a peak of motion") for _, at in sorted(pairs, reverse=True)]
    for at, why in [*((at, "amid a motion") for at in middles[:1]), *wanted]:
        if len(found) >= figures.pictures.peaks_at_most:
            break
        near = any(abs(at - other) < figures.pictures.peak_apart_ms for other in apart)
        if not near and reading.record.video_s(at, film[0]) is not None:
            apart.append(at)
            found.append(Moment(film[0], why, 3, at_ms=round(at)))
    return found


class Darkroom:
    """Makes pictures of moments, small enough for a budget. Reads blobs and the recording once each."""

    def __init__(self, reading: Reading, figures: Figures) -> None:
        self.reading = reading
        self.figures = figures
        self.troubles: list[str] = []
        """Pictures that could not be made, with the reason."""

    def develop(self, wanted: Sequence[Moment], *, tokens: int, width: int, most: int) -> tuple[Shot, ...]:
        """Pictures of the moments in the order of time: the first ones that fit, equal ones once."""
        kept: list[Shot] = []
        seen: list[NDArray[np.uint8]] = []
        left = tokens
        for moment in wanted:
            if len(kept) >= most:
                break
            pixels = self.pixels(moment)
            if pixels is None:
                continue
            grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
            twin = next((place for place, other in enumerate(seen) if self._same(grey, other)), None)
            if twin is not None:
                kept[twin] = _also(kept[twin], moment)
                continue
            shot = self.shot(moment, pixels, width)
            if shot.tokens > left:
                continue
            left -= shot.tokens
            seen.append(grey)
            kept.append(shot)
        return tuple(sorted(kept, key=lambda each_shot: (each_shot.at_ms, each_shot.cite)))

    def _same(self, array: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
        if array.shape != other.shape:
            return False
        _, differing = cv2.threshold(cv2.absdiff(array, other), TOLERANCE, 1, cv2.THRESH_BINARY)
        return cv2.countNonZero(differing) <= self.figures.pictures.same_share * array.size

    def shot(self, moment: Moment, pixels: NDArray[np.uint8], width: int) -> Shot:
        """The picture at a width, with its label."""
        height = pixels.shape[0]
        small = _narrowed(pixels[: int(pixels.shape[1] * TALLEST)], width)
        done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])
        if not done:
            raise RunError(f"{moment.cite} cannot be made into a picture.")
        cut = f", the top {small.shape[0] * pixels.shape[1] // small.shape[1]} of {height} px"
        said = cut if height > int(pixels.shape[1] * TALLEST) else ""
        at = "" if moment.row.phase is Phase.launch else f", app time {moment.when / 1000:.2f} s"
        return Shot(
            cite=moment.cite,
            row_id=moment.row.id,
            label=ours(f"Picture {moment.cite}{at}: {moment.why}{said}"),
            jpeg=jpeg.tobytes(),
            width=small.shape[1],
            height=small.shape[0],
            tokens=-(-small.shape[0] * small.shape[1] // self.figures.budget.picture_pixels),
            at_ms=moment.when,
        )

    def pixels(self, moment: Moment) -> NDArray[np.uint8] | None:
        """The picture at full size (height, width, 3), BGR; None when it is not to be had, with a word in `troubles`."""
        record = self.reading.record
        try:
            if moment.at_ms is None:
                data = record.blobs.get(moment.row.blob) if moment.row.blob is not None else b""
            else:
                film = record.film_of(moment.row)
                at_s = record.video_s(moment.at_ms, moment.row)
                data = still(record.run_dir / film[1].file, at_s) if film is not None and at_s is not None else b""
        except (RunError, EnvironmentFault) as error:
            self.troubles.append(f"{moment.cite}: {error.message}")
            return None
        try:
            return decode_bgr(data)
        except NoPicture as error:
            self.troubles.append(f"{moment.cite}: {error}")
            return None


def _also(shot: Shot, moment: Moment) -> Shot:
    """The shot of a moment that looks the same: it stands for both, and says so."""
    if moment.row.id in shot.rows or moment.at_ms is not None:
        return shot
    label = ours(f"{shot.label}; {moment.cite} ({moment.why}) looks the same")
    return replace(shot, label=label, same=(*shot.same, moment.row.id))


def _narrowed(pixels: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    if pixels.shape[1] <= width:
        return pixels
    height = max(1, round(pixels.shape[0] * width / pixels.shape[1]))
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
