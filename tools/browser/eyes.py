"""The eyes: one look at the page at one instant of app time, written into the ledger as a picture and an observation.

What moves by itself is watched for a moment and left out of the digests and the fingerprint, so that two looks at a page on which
nothing happened are equal although its clock ticks and its banner turns.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.browser.compare import differing, tiles
from tools.browser.faults import CommandRefused
from tools.browser.frames import FrameView
from tools.browser.marking.compose import bounds, compose, show_through, text_of
from tools.browser.marking.gather import FrameSight, gather_marks, survey
from tools.browser.marking.world import ask, prepare
from tools.browser.marks import MARK_LIMIT, TEXT_LIMIT, Observation
from tools.browser.snapshots import encode_png
from tools.browser.stage import Stage
from tools.evidence.rows import Observed, Screenshot

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
    """Pixels that changed during the watch."""
    running: bool
    """Something plays or is redrawn."""
    stores: dict[str, str]
    """Stored values by name, those left out that changed by themselves."""


async def observe(stage: Stage, label: str, *, watch_ms: float = WATCH_MS) -> Observation:
    """Look at the page and write a screenshot and an observation (blob: the marks, a JSON list) into the ledger.

    App time stands meanwhile, apart from `watch_ms` where something on the page might move. Raises `TabHung` or `TabCrashed`.
    """
    return (await look(stage, label, watch_ms=watch_ms)).observation


async def look(stage: Stage, label: str, *, watch_ms: float = WATCH_MS) -> Look:
    """As `observe`; returns also the picture and where it moves by itself."""
    await prepare(stage.tab)
    async with stage.still():
        seen = await _see(stage, watch_ms)
        await show_through([sight.view for sight in seen.sights])
        await asyncio.gather(*(_unless_gone(sight) for sight in seen.sights))
        marks, found, focused = await compose(seen.sights)
        top = seen.sights[0].page
        text = text_of(seen.sights)[:TEXT_LIMIT]
        digests = {
            "text": _sha256(sight.page["textDigest"] for sight in seen.sights),
            "dom": _sha256(sight.page["domDigest"] for sight in seen.sights),
            "values": _sha256(sight.page["valuesDigest"] for sight in seen.sights),
            "storage": _sha256(f"{name}={value}" for name, value in sorted(seen.stores.items())),
        }
        moving = float(seen.moved.mean())
        still_picture = "" if moving > 0 or seen.running else _picture_digest(seen)
        fingerprint = _sha256([top["url"], *digests.values(), still_picture])
        screenshot = stage.ledger.append(
            Screenshot(label=label, width=seen.picture.shape[1], height=seen.picture.shape[0]),
            producer="eyes",
            blob=stage.ledger.put(await asyncio.to_thread(encode_png, seen.picture), "image/png"),
        )
        row = stage.ledger.append(
            Observed(
                url=top["url"],
                title=top["title"],
                screenshot=screenshot.id,
                fingerprint=fingerprint,
                marks=len(marks),
                text_sha256=digests["text"],
                dom_sha256=digests["dom"],
            ),
            producer="eyes",
            blob=stage.ledger.put(
                json.dumps([mark.model_dump(mode="json") for mark in marks], ensure_ascii=False).encode(), "application/json"
            ),
        )
        observation = Observation(
            id=row.id,
            screenshot=screenshot.id,
            app_ms=row.app_ms if row.app_ms is not None else stage.clock.now_ms(),
            url=top["url"],
            title=top["title"],
            text=text,
            language=top["language"],
            marks=marks,
            focused=focused,
            scroll=(top["scroll"][0], top["scroll"][1]),
            page_size=(top["size"][0], top["size"][1]),
            viewport=(top["viewport"][0], top["viewport"][1]),
            text_sha256=digests["text"],
            dom_sha256=digests["dom"],
            storage_sha256=digests["storage"],
            values_sha256=digests["values"],
            pending_requests=stage.pending_requests,
            moving=moving,
            animated=seen.running,
            fingerprint=fingerprint,
            logs=stage.logs.drain(),
            marks_found=found,
            listens=tuple(sorted({name for sight in seen.sights for name in sight.listens})),
            requests=stage.traffic.total,
        )
        return Look(observation, seen.picture, tiles(seen.moved) | _boxes(seen, typing=False))


async def _see(stage: Stage, watch_ms: float) -> _Seen:
    """Pictures, text and state, after watching what moves. Where nothing announces movement, two pictures must agree."""
    picture = await stage.picture()
    sights = await _survey(stage, watched=False)
    stores = await _stores(stage, sights)
    moved = np.zeros(picture.shape[:2], np.bool_)
    announced = any(
        _MIGHT_MOVE.intersection(sight.page["activity"]) or sight.page["animated"] or sight.page["restless"] for sight in sights
    )
    if not announced:
        again = await stage.picture()
        announced = again.shape != picture.shape or bool(differing(picture, again).any())
    if announced and watch_ms > 0:
        await asyncio.gather(*(_quietly(sight.view, "beginWatch") for sight in sights))
        for _ in range(2):
            await _let_pass(stage, watch_ms / 2)
            later = await stage.picture()
            if later.shape == picture.shape:
                moved |= differing(picture, later)
            else:
                moved = np.ones(later.shape[:2], np.bool_)
            picture = later
        sights = await _survey(stage, watched=True)
        now = await _stores(stage, sights)
        stores = {name: value for name, value in now.items() if stores.get(name) == value}
    running = any(sight.page["animated"] or "media" in sight.page["activity"] for sight in sights)
    return _Seen(sights, picture, moved, running or bool(moved.any()), stores)


async def _let_pass(stage: Stage, ms: float) -> None:
    if stage.clock.held:
        await stage.clock.step(ms)
        await stage.tab.painted()
    else:
        await asyncio.sleep(ms / 1000)


async def _survey(stage: Stage, *, watched: bool) -> list[FrameSight]:
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


async def _stores(stage: Stage, sights: list[FrameSight]) -> dict[str, str]:
    """Cookies (those hidden from scripts too), local and session storage, and the names of databases."""
    cookies = (await stage.tab.send("Network.getCookies"))["cookies"]
    stored = {f"cookie/{cookie['domain']}{cookie['path']}/{cookie['name']}": str(cookie["value"]) for cookie in cookies}
    for sight in sights:
        for entry in sight.page["stored"]:
            name, _, value = entry.partition("=")
            stored[f"{sight.view.path}/{name}"] = value
    return stored


def _boxes(seen: _Seen, *, typing: bool) -> Mask:
    """Where elements that change by themselves lie, and with `typing` the field whose caret blinks."""
    mask = np.zeros(seen.picture.shape[:2], np.bool_)
    for sight in seen.sights:
        boxes = list(sight.page["movingBoxes"])
        if typing and sight.page["typingBox"]:
            boxes.append(sight.page["typingBox"])
        for box in boxes:
            x, y, width, height = bounds(sight.view.place, box)
            left, top = max(int(x) - 2, 0), max(int(y) - 2, 0)
            mask[top : max(int(y + height) + 3, 0), left : max(int(x + width) + 3, 0)] = True
    return mask


def _picture_digest(seen: _Seen) -> str:
    """Digest of the picture without what changes by itself, and without the field that has the caret: its value is digested apart."""
    picture = seen.picture.copy()
    picture[_boxes(seen, typing=True)] = 0
    return hashlib.sha256(picture.tobytes()).hexdigest()


def _sha256(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()
