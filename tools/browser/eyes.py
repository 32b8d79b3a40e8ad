"""The eyes: one look at the page at one instant of app time, written into the ledger as a picture and an observation.

What moves by itself is watched for a moment and left out of the digests and the fingerprint, so that two looks at a page on which
nothing happened are equal although its clock ticks and its banner turns.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.browser.compare import differing, tiles
from tools.browser.faults import CommandRefused
from tools.browser.frames import FrameView
from tools.browser.marking.compose import bounds, compose, show_through, text_of
from tools.browser.marking.gather import FrameSight, gather_marks, survey
from tools.browser.marking.world import ask, prepare
from tools.browser.marks import BAND_PX, MARK_LIMIT, TEXT_LIMIT, Drawing, Listing, Mark, Observation
from tools.browser.snapshots import encode_png
from tools.browser.wiring import Watched
from tools.evidence.rows import BlobRef, Observed, Screenshot

WATCH_MS = 120.0
FRAME_LIMIT = 30
_MIGHT_MOVE = frozenset({"canvas", "media", "image", "markup"})

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Look:
    """An observation with what is too large for it; what `compare` needs."""

    observation: Observation
    picture: Picture
    """RGB, (height, width, 3), one pixel a CSS pixel."""
    moving_mask: Mask
    """(height, width): where pixels move by themselves, generously."""


@dataclass(frozen=True)
class _Seen:
    """The page after it was watched."""

    sights: list[FrameSight]
    picture: Picture
    moved: Mask
    """Pixels that changed during the watch, the caret's field apart."""
    running: bool
    """Something is animated, plays or is redrawn."""
    unsteady: bool
    """It is now, or was a few seconds ago: the picture tells nothing about what an act did."""
    stores: dict[str, str]
    """Stored values by name, those left out that changed by themselves."""


@dataclass(frozen=True)
class _State:
    """Digests of the page, what moves by itself left out."""

    text: str
    dom: str
    values: str
    storage: str
    fingerprint: str


async def observe(stage: Watched, label: str, *, watch_ms: float = WATCH_MS) -> Observation:
    """Look at the page and write a screenshot and an observation (blob: the marks, a JSON list) into the ledger.

    App time stands meanwhile, apart from `watch_ms` where something on the page might move. Raises `TabHung` or `TabCrashed`.
    """
    return (await look(stage, label, watch_ms=watch_ms)).observation


async def look(stage: Watched, label: str, *, watch_ms: float = WATCH_MS) -> Look:
    """As `observe`; returns also the picture and where it moves by itself."""
    await prepare(stage.tab)
    async with stage.still():
        seen = await _see(stage, watch_ms)
        # A picture is pressed by one processor while the browser is asked for the marks.
        (marks, found, focused), png, lists = await asyncio.gather(
            _marks(seen), asyncio.to_thread(_kept, stage, seen.picture), _lists(seen)
        )
        written = await _write(stage, label, seen, marks, png)
        observation = written.model_copy(update={"marks_found": found, "focused": focused, "lists": lists})
        return Look(observation, seen.picture, tiles(seen.moved) | _boxes(seen.picture, seen.sights))


async def _marks(seen: _Seen) -> tuple[tuple[Mark, ...], int, str]:
    """All marks with ids, how many there are, and the id of the one with the keyboard focus."""
    await show_through([sight.view for sight in seen.sights])
    await asyncio.gather(*(_unless_gone(sight) for sight in seen.sights))
    return await compose(seen.sights)


async def _lists(seen: _Seen) -> tuple[Listing, ...]:
    """Repeated things of all frames; a frame that goes away meanwhile has none."""

    async def of(sight: FrameSight) -> list[Listing]:
        with contextlib.suppress(CommandRefused):
            return [Listing(frame=sight.view.path, **told) for told in await ask(sight.view, "lists")]
        return []

    return tuple(listing for found in await asyncio.gather(*(of(sight) for sight in seen.sights)) for listing in found)


def today(stage: Watched) -> date:
    """The date of the page's clock; the machine's where the stage has none of its own."""
    epoch_s = stage.clock.epoch_s
    now_s = time.time() if epoch_s is None else epoch_s + stage.clock.now_ms() / 1000
    return datetime.fromtimestamp(now_s, tz=UTC).date()


def _kept(stage: Watched, picture: Picture) -> BlobRef:
    return stage.ledger.put(encode_png(picture), "image/png")


async def _write(stage: Watched, label: str, seen: _Seen, marks: tuple[Mark, ...], png: BlobRef) -> Observation:
    """The picture's row, then the observation's."""
    top = seen.sights[0].page
    state = _state(seen)
    screenshot = stage.ledger.append(
        Screenshot(label=label, width=seen.picture.shape[1], height=seen.picture.shape[0]),
        producer="eyes",
        blob=png,
    )
    listed = json.dumps([mark.model_dump(mode="json") for mark in marks], ensure_ascii=False).encode()
    row = stage.ledger.append(
        Observed(
            url=top["url"],
            title=top["title"],
            screenshot=screenshot.id,
            fingerprint=state.fingerprint,
            marks=len(marks),
            text_sha256=state.text,
            dom_sha256=state.dom,
        ),
        producer="eyes",
        blob=await asyncio.to_thread(stage.ledger.put, listed, "application/json"),
    )
    downloads = await stage.guard.downloads()
    return Observation(
        id=row.id,
        screenshot=screenshot.id,
        app_ms=stage.clock.now_ms() if row.app_ms is None else row.app_ms,
        url=top["url"],
        title=top["title"],
        text=text_of(seen.sights)[:TEXT_LIMIT],
        language=top["language"],
        marks=marks,
        scroll=(top["scroll"][0], top["scroll"][1]),
        page_size=(top["size"][0], top["size"][1]),
        viewport=(top["viewport"][0], top["viewport"][1]),
        pending_requests=stage.pending_requests,
        moving=float(seen.moved.mean()),
        animated=seen.running,
        logs=stage.logs.drain(),
        listens=tuple(sorted({name for sight in seen.sights for name in sight.listens})),
        truncated=any(sight.page["truncated"] for sight in seen.sights),
        requests=stage.traffic.total,
        today=today(stage).isoformat(),
        downloads=downloads,
        drawings=tuple(_drawing(told, seen) for told in top["drawings"]),
        stirs=sum(int(sight.page["stirs"]) for sight in seen.sights),
        shifts=_shifts(seen),
        keys_taken=tuple(key for key, taken in top["keys"] if taken),
        keys_left=tuple(key for key, taken in top["keys"] if not taken),
        text_sha256=state.text,
        dom_sha256=state.dom,
        storage_sha256=state.storage,
        values_sha256=state.values,
        fingerprint=state.fingerprint,
    )


def _drawing(told: dict[str, Any], seen: _Seen) -> Drawing:
    x, y, width, height = (round(value) for value in told["box"])
    part = seen.picture[max(y, 0) : y + height, max(x, 0) : x + width]
    whole = part.shape[:2] == (height, width)
    if told["digest"] or not whole:
        return Drawing(selector=told["selector"], digest=told["digest"], shapes=tuple(told["shapes"]))
    pixels = hashlib.sha256(part.tobytes()).hexdigest()
    return Drawing(selector=told["selector"], digest=pixels, rows=_bands(part), columns=_bands(part.transpose(1, 0, 2)))


def _bands(part: Picture) -> tuple[int, ...]:
    """A checksum for each band of `BAND_PX` lines of a picture (lines, pixels, 3)."""
    return tuple(zlib.crc32(part[start : start + BAND_PX].tobytes()) for start in range(0, part.shape[0], BAND_PX))


def _shifts(seen: _Seen) -> int:
    counts = [int(sight.page["shifts"]) for sight in seen.sights]
    return sum(counts) if min(counts) >= 0 else -1


def _state(seen: _Seen) -> _State:
    text = _sha256(sight.page["textDigest"] for sight in seen.sights)
    dom = _sha256(sight.page["domDigest"] for sight in seen.sights)
    values = _sha256(sight.page["valuesDigest"] for sight in seen.sights)
    storage = _sha256(f"{name}={value}" for name, value in sorted(seen.stores.items()))
    picture = "" if seen.unsteady else _picture_digest(seen)
    return _State(text, dom, values, storage, _sha256([seen.sights[0].page["url"], text, dom, values, storage, picture]))


async def _see(stage: Watched, watch_ms: float) -> _Seen:
    """Pictures, text and state, after watching what moves. Where nothing announces movement, two pictures must agree."""
    picture = await stage.picture()
    sights = await _survey(stage, watched=False)
    stores = await _stores(stage, sights)
    moved = np.zeros(picture.shape[:2], np.bool_)
    if not _announced(sights):
        again = await stage.picture()
        known = _boxes(picture, sights) | _caret(picture, sights)
        quiet = again.shape == picture.shape and not (differing(picture, again) & ~known).any()
    else:
        quiet = False
    if not quiet and watch_ms > 0:
        await asyncio.gather(*(_quietly(sight.view, "beginWatch") for sight in sights))
        for _ in range(2):
            await _let_pass(stage, watch_ms / 2)
            before, picture = picture, await stage.picture()
            same_size = before.shape == picture.shape
            moved = moved | differing(before, picture) if same_size else np.ones(picture.shape[:2], np.bool_)
        sights = await _survey(stage, watched=True)
        now = await _stores(stage, sights)
        stores = {name: value for name, value in now.items() if stores.get(name) == value}
        moved &= ~_caret(picture, sights)
    playing = any(sight.page["animated"] or "media" in sight.page["activity"] for sight in sights)
    # A text that changes where it stands is left out of the picture; anything else on the move makes all of it useless.
    running = playing or bool((moved & ~_boxes(picture, sights)).any())
    if running:
        await _quietly(sights[0].view, "noteMotion")
    return _Seen(sights, picture, moved, running, running or sights[0].page["moved"], stores)


def _announced(sights: list[FrameSight]) -> bool:
    """Something on the page is of a kind that may move by itself, or has been seen to."""
    pages = [sight.page for sight in sights]
    return any(_MIGHT_MOVE.intersection(page["activity"]) or page["animated"] or page["restless"] for page in pages)


async def _let_pass(stage: Watched, ms: float) -> None:
    if stage.clock.held:
        await stage.clock.step(ms)
        await stage.tab.painted()
    else:
        await asyncio.sleep(ms / 1000)


async def _survey(stage: Watched, *, watched: bool) -> list[FrameSight]:
    """Every frame that is shown, parents first; the main one is always there."""
    views = [view for view in await stage.tab.frames() if view.shown][:FRAME_LIMIT]
    found = await asyncio.gather(*(_survey_one(view, views, watched=watched) for view in views))
    return [sight for sight in found if sight is not None]


async def _survey_one(view: FrameView, views: list[FrameView], *, watched: bool) -> FrameSight | None:
    """One frame; None if it is a frame inside the page that has gone away meanwhile."""
    children = [child for child in views if child.depth == view.depth + 1 and _lies_in(child, view)]
    try:
        return await survey(view, children, watched=watched)
    except CommandRefused:
        if not view.path:
            raise
        return None


def _lies_in(child: FrameView, view: FrameView) -> bool:
    return not view.path or child.path.startswith(view.path + " >>> ")


async def _unless_gone(sight: FrameSight) -> None:
    """Gather a frame's marks; a frame inside the page that goes away meanwhile has none."""
    try:
        await gather_marks(sight, MARK_LIMIT)
    except CommandRefused:
        if not sight.view.path:
            raise
        sight.marks, sight.found = [], 0


async def _quietly(view: FrameView, name: str) -> None:
    try:
        await ask(view, name)
    except CommandRefused:
        return  # it went away; the survey after the watch will not find it


async def _stores(stage: Watched, sights: list[FrameSight]) -> dict[str, str]:
    """Cookies (those hidden from scripts too), local and session storage, and the names of databases."""
    cookies = (await stage.tab.send("Network.getCookies"))["cookies"]
    stored = {f"cookie/{cookie['domain']}{cookie['path']}/{cookie['name']}": str(cookie["value"]) for cookie in cookies}
    for sight in sights:
        for entry in sight.page["stored"]:
            name, _, value = entry.partition("=")
            stored[f"{sight.view.path}/{name}"] = value
    return stored


def _boxes(picture: Picture, sights: list[FrameSight]) -> Mask:
    """Places whose text or content changes by itself while they stay where they are."""
    return _painted(picture, [(sight, box) for sight in sights for box in sight.page["movingBoxes"]])


def _caret(picture: Picture, sights: list[FrameSight]) -> Mask:
    """The field that has the keyboard focus, where the caret blinks; its value is digested apart."""
    return _painted(picture, [(sight, sight.page["typingBox"]) for sight in sights if sight.page["typingBox"]])


def _painted(picture: Picture, boxes: list[tuple[FrameSight, list[float]]]) -> Mask:
    mask = np.zeros(picture.shape[:2], np.bool_)
    for sight, box in boxes:
        x, y, width, height = bounds(sight.view.place, box)
        left, top = max(int(x) - 2, 0), max(int(y) - 2, 0)
        mask[top : max(int(y + height) + 3, 0), left : max(int(x + width) + 3, 0)] = True
    return mask


def _picture_digest(seen: _Seen) -> str:
    picture = seen.picture.copy()
    picture[_boxes(picture, seen.sights) | _caret(picture, seen.sights)] = 0
    return hashlib.sha256(picture.tobytes()).hexdigest()


def _sha256(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()
